// Undead for the narrating teacher: an unknown is which monster hides in a cell, a line of sight counts what is seen from
// its two ends, and the totals count all of them.

import {
  allOf,
  type Constraint,
  type ConstraintModel,
  changedGivens,
  isDecided,
  notFilled,
  only,
  type Possible,
  valuesOf,
} from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { clockwise, isMirror, monsterSymbols, type UndeadInstance } from "./instance.ts";

const [ghost, vampire] = [0, 1];

/** What a line passes: a cell with a monster, or a mirror. */
type Passed = { readonly unknown: number } | "mirror";

type SightLine = { readonly ends: readonly [number, number]; readonly passed: readonly Passed[] };

export function undeadModel(instance: UndeadInstance): ConstraintModel {
  const { width, height, cells, totals } = instance;
  const hidden = [...cells].flatMap((symbol, cell) => (isMirror(symbol) ? [] : [cell]));
  const unknownOf = new Map(hidden.map((cell, unknown) => [cell, unknown]));
  const cellName = (cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
  const seen = clockwise(instance.sightings);
  const edgeNames = [
    ...Array.from({ length: width }, (_, i) => `T${i + 1}`),
    ...Array.from({ length: height }, (_, i) => `E${i + 1}`),
    ...Array.from({ length: width }, (_, i) => `B${width - i}`),
    ...Array.from({ length: height }, (_, i) => `W${height - i}`),
  ];
  const kinds = (possible: Possible) =>
    possible === allOf(3) ? "?" : [...monsterSymbols].filter((_, kind) => possible & only(kind)).join("");

  const monsters = ["a ghost", "a vampire", "a zombie"];
  const edgeTitles = { T: "the top at column", E: "the right at row", B: "the bottom at column", W: "the left at row" };
  const edgeTitle = (edge: number) =>
    `${edgeTitles[edgeNames[edge][0] as keyof typeof edgeTitles]} ${edgeNames[edge].slice(1)}`;
  const who = (unknown: number, possible: Possible) => {
    const cell = hidden[unknown];
    const kindsLeft =
      possible === allOf(3)
        ? "anything"
        : valuesOf(possible)
            .map((kind) => monsters[kind])
            .join(" or ");
    return `row ${Math.floor(cell / width) + 1} column ${(cell % width) + 1} is ${kindsLeft}`;
  };
  const sight = ({ ends, passed }: SightLine): Constraint => {
    const scope = [...new Set(passed.flatMap((step) => (step === "mirror" ? [] : [step.unknown])))];
    const wanted = ends.map((end) => seen[end]);
    const shown = (values: readonly number[], from: readonly Passed[]) => sightOf(from, scope, values).certain;
    return {
      name: edgeNames[ends[0]],
      rule: "sighting",
      clue: `${wanted[0]} ${edgeNames[ends[1]]} ${wanted[1]}`,
      scope,
      compatible: (values) =>
        sightFits(passed, scope, values, wanted) && sightFits(passed.toReversed(), scope, values, wanted.toReversed()),
      show: (possible) =>
        passed
          .map((step) =>
            step === "mirror"
              ? "*"
              : `${cellName(hidden[step.unknown])} ${kinds(possible[scope.indexOf(step.unknown)])}`,
          )
          .join(" "),
      prose: {
        title: `the line of sight from ${edgeTitle(ends[0])} to ${edgeTitle(ends[1])}`,
        demand: `it shows ${wanted[0]} from its start and ${wanted[1]} from its end`,
        found: (values) => `${shown(values, passed)} and ${shown(values, passed.toReversed())} are seen`,
        tell: (possible) => scope.map((unknown, i) => who(unknown, possible[i])).join(", "),
      },
    };
  };
  const wantedTotals = [totals.ghosts, totals.vampires, totals.zombies];
  const everyone: Constraint = {
    name: "all",
    rule: "total",
    clue: `G ${totals.ghosts} V ${totals.vampires} Z ${totals.zombies}`,
    scope: [...hidden.keys()],
    narrow: (possible) => narrowToTotals(possible, wantedTotals),
    compatible: (values) => {
      const counts = countsOf(values);
      return wantedTotals.every((total, kind) => counts[kind] <= total);
    },
    show: (possible) => possible.map((bits, unknown) => `${cellName(hidden[unknown])} ${kinds(bits)}`).join(" "),
    prose: {
      title: "the totals",
      demand: `there are ${totals.ghosts} ghosts, ${totals.vampires} vampires and ${totals.zombies} zombies`,
      found: (values) => `the answer has ${countsOf(values).join(", ")}`,
      tell: (possible) => possible.map((bits, unknown) => who(unknown, bits)).join(", "),
    },
  };
  // Along a line without monsters there is nothing to think, unless something is said to be seen there.
  const lines = sightLinesOf(instance, unknownOf).filter(
    ({ ends, passed }) => passed.some((step) => step !== "mirror") || ends.some((end) => seen[end] > 0),
  );
  const constraints = [...lines.map(sight), everyone];
  const rows = Array.from(
    { length: height },
    (_, row) => `R${row + 1} ${[...cells.slice(row * width, (row + 1) * width)].join(" ")}`,
  );
  return {
    puzzle: "undead",
    prompt: [
      `undead ${width} ${height}`,
      everyone.clue,
      ...rows,
      ...edgeNames.map((name, edge) => `${name} ${seen[edge]}`),
    ].join("\n"),
    start: hidden.map((cell) => (cells[cell] === "." ? allOf(3) : only(monsterSymbols.indexOf(cells[cell])))),
    constraints,
    wholeBoard: [],
    valuesOf(answer) {
      const changed = changedGivens([...cells], answer, width, ".");
      const values = hidden.map((cell) => monsterSymbols.indexOf(answer[cell]));
      const open = hidden.filter((_, unknown) => values[unknown] < 0);
      if (open.length === 0) return { values, broken: changed };
      return { broken: [...changed, ...notFilled(open, width)] };
    },
    cellsOf: (unknown) => [hidden[unknown]],
    lastLook: [constraints.length - 1],
    showAll: (possible) => everyone.show(possible),
    tellAll: (possible) => everyone.prose.tell(possible),
    introduction: `${hidden.length} cells hold monsters; a vampire is seen only before the first mirror, a ghost only after one, a zombie always`,
    answer: (values) =>
      writeGrid(
        [...cells].map((symbol, cell) => (isMirror(symbol) ? symbol : monsterSymbols[values[unknownOf.get(cell)!]])),
        width,
      ),
  };
}

function countsOf(values: readonly number[]): number[] {
  const counts = [0, 0, 0];
  for (const value of values) counts[value]++;
  return counts;
}

/** A kind that is all found is nobody else; a kind that needs everyone who may still be it is all of them. */
function narrowToTotals(possible: readonly Possible[], totals: readonly number[]): Possible[] | undefined {
  const narrowed = [...possible];
  for (const [kind, total] of totals.entries()) {
    const found = narrowed.filter((bits) => bits === only(kind)).length;
    const candidates = narrowed.filter((bits) => bits & only(kind)).length;
    if (found > total || candidates < total) return undefined;
    for (const [unknown, bits] of narrowed.entries()) {
      if (isDecided(bits) || !(bits & only(kind))) continue;
      if (found === total) narrowed[unknown] = bits & ~only(kind);
      else if (candidates === total) narrowed[unknown] = only(kind);
    }
  }
  return narrowed;
}

/** Whether what is decided of a line can still show the wanted number from its start: never too many, never too few. */
function sightFits(
  passed: readonly Passed[],
  scope: readonly number[],
  values: readonly number[],
  [wanted]: readonly number[],
): boolean {
  const { certain, open } = sightOf(passed, scope, values);
  return certain <= wanted && certain + open >= wanted;
}

/** What is seen from the start of a line, and how many cells on it are open. */
function sightOf(passed: readonly Passed[], scope: readonly number[], values: readonly number[]) {
  let certain = 0;
  let open = 0;
  let mirrors = 0;
  for (const step of passed) {
    if (step === "mirror") {
      mirrors += 1;
      continue;
    }
    const value = values[scope.indexOf(step.unknown)];
    if (value === undefined) open += 1;
    else if (value === ghost ? mirrors > 0 : value === vampire ? mirrors === 0 : true) certain += 1;
  }
  return { certain, open };
}

/** Follows the line from every edge position once; directions are up, right, down, left. */
function sightLinesOf({ width, height, cells }: UndeadInstance, unknownOf: ReadonlyMap<number, number>): SightLine[] {
  const entries = [
    ...Array.from({ length: width }, (_, i) => ({ row: -1, column: i, looking: 2 })),
    ...Array.from({ length: height }, (_, i) => ({ row: i, column: width, looking: 3 })),
    ...Array.from({ length: width }, (_, i) => ({ row: height, column: width - 1 - i, looking: 0 })),
    ...Array.from({ length: height }, (_, i) => ({ row: height - 1 - i, column: -1, looking: 1 })),
  ];
  const lines: SightLine[] = [];
  const ended = new Set<number>();
  for (const [start, entry] of entries.entries()) {
    if (ended.has(start)) continue;
    let { row, column, looking } = entry;
    const passed: Passed[] = [];
    for (;;) {
      row += [-1, 0, 1, 0][looking];
      column += [0, 1, 0, -1][looking];
      if (row < 0 || column < 0 || row >= height || column >= width) break;
      const cell = row * width + column;
      const unknown = unknownOf.get(cell);
      if (unknown !== undefined) {
        passed.push({ unknown });
        continue;
      }
      looking = cells[cell] === "\\" ? 3 - looking : looking ^ 1;
      passed.push("mirror");
    }
    const end = entries.findIndex((other) => other.row === row && other.column === column);
    ended.add(end);
    lines.push({ ends: [start, end], passed });
  }
  return lines;
}
