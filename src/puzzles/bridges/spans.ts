// Spans: the water between two neighboring islands, where bridges run. Which of them an answer holds whole.
import { type BrokenRule, changedGivens } from "../constraint-model.ts";
import { placeOf } from "../grid-text.ts";
import { type BridgesInstance, horizontalSymbols, verticalSymbols, water } from "./instance.ts";

export type Span = {
  readonly from: number;
  readonly to: number;
  readonly cells: readonly number[];
  readonly across: boolean;
};

/** Neighboring islands, row by row; a span that leaves an island to the right or downwards. */
export function spansOf({ width, height, clues }: BridgesInstance): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < clues.length; from++) {
    if (clues[from] === 0) continue;
    for (const across of [true, false]) {
      const step = across ? 1 : width;
      const end = across ? (Math.floor(from / width) + 1) * width : width * height;
      const cells: number[] = [];
      let to = from + step;
      for (; to < end && clues[to] === 0; to += step) cells.push(to);
      if (to < end && cells.length > 0) spans.push({ from, to, cells, across });
    }
  }
  return spans;
}

/** Whole bridges, each with all the cells of its span; anything else that is drawn belongs to none. `given` is the board without bridges. */
export function bridgesIn(
  { width, maxBridges }: BridgesInstance,
  given: readonly string[],
  spans: readonly Span[],
  answer: readonly string[],
): { readonly values: readonly number[]; readonly broken: readonly BrokenRule[] } {
  const broken = changedGivens(given, answer, width, water);
  const whole = new Uint8Array(answer.length);
  const values = spans.map(({ cells, across }) => {
    const symbol = answer[cells[0]];
    const count = (across ? horizontalSymbols : verticalSymbols).indexOf(symbol as typeof water);
    if (count <= 0 || cells.some((cell) => answer[cell] !== symbol)) return 0;
    for (const cell of cells) whole[cell] = 1;
    return count;
  });
  const loose: number[] = [];
  for (let cell = 0; cell < answer.length; cell++)
    if (given[cell] === water && answer[cell] !== water && whole[cell] === 0) loose.push(cell);
  if (loose.length > 0)
    broken.push({
      rule: "unbroken-bridge",
      because: `a bridge must run unbroken, with one number of lines, from one island to the next: ${placeOf(loose[0], width)} belongs to none that does`,
      cells: loose,
    });
  const crowded = spans.flatMap(({ cells }, s) => (values[s] > maxBridges ? cells : []));
  if (crowded.length > 0)
    broken.push({
      rule: "most-bridges",
      because: `at most ${maxBridges} may join two islands: there are more at ${placeOf(crowded[0], width)}`,
      cells: crowded,
    });
  return { values, broken };
}
