// What one line says, checked against listing every way to place its runs.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../src/puzzles/pattern/instance.ts";
import { empty, full, unknown } from "../../src/puzzles/pattern/mark.ts";
import { deduced, deduceNarrow, feasibleNarrow, narrowLimit } from "../../src/puzzles/pattern/narrow-line.ts";
import { slide } from "../../src/puzzles/pattern/sliding.ts";
import { deduceWide } from "../../src/puzzles/pattern/wide-line.ts";

type Line = { readonly runs: readonly number[]; readonly marks: readonly number[] };

/** A clue and some marks that mostly come from one of its lines, so that both sense and nonsense turn up. */
const lines = (shortest: number, longest: number): fc.Arbitrary<Line> =>
  fc
    .record({
      cells: fc.array(fc.boolean(), { minLength: shortest, maxLength: longest }),
      shown: fc.array(fc.nat(3), { minLength: longest, maxLength: longest }),
      lie: fc.option(fc.nat(longest - 1), { freq: 3 }),
    })
    .map(({ cells, shown, lie }) => ({
      runs: runsOf(cells.map((cell) => (cell ? "#" : ".")).join(""), 0, 1, cells.length),
      marks: cells.map((cell, place) => (shown[place] > 0 ? unknown : cell !== (place === lie) ? full : empty)),
    }));

/** Every line of marks that has these runs. */
function allPlacements(runs: readonly number[], length: number): number[][] {
  if (runs.length === 0) return [new Array(length).fill(empty)];
  const [run, ...others] = runs;
  const found: number[][] = [];
  for (let start = 0; start + run <= length; start++) {
    const head = [...new Array(start).fill(empty), ...new Array(run).fill(full)];
    if (head.length === length) {
      if (others.length === 0) found.push(head);
      continue;
    }
    for (const tail of allPlacements(others, length - head.length - 1)) found.push([...head, empty, ...tail]);
  }
  return found;
}

const agrees = (placement: readonly number[], marks: readonly number[]) =>
  placement.every((value, place) => marks[place] === unknown || marks[place] === value);

/** What all of several lines have in common. */
const common = (placements: readonly number[][]) =>
  placements[0].map((value, place) => (placements.every((other) => other[place] === value) ? value : unknown));

const bitsOf = (marks: readonly number[], value: number) =>
  marks.reduce((bits, mark, place) => (mark === value ? bits | (1 << place) : bits), 0);

const marksFrom = (isFull: (place: number) => boolean, isEmpty: (place: number) => boolean, length: number) =>
  Array.from({ length }, (_, place) => (isFull(place) ? full : isEmpty(place) ? empty : unknown));

function byWide({ runs, marks }: Line): number[] | undefined {
  // Of a board whose second row it is, so that places and steps differ.
  const values = Uint8Array.from([...marks.map(() => empty), ...marks]);
  const found = deduceWide(runs, 0, runs.length, values, marks.length, 1, marks.length);
  return found && [...found];
}

function byNarrow({ runs, marks }: Line): number[] | undefined {
  const clue = Uint16Array.from(runs);
  const [knownFull, knownEmpty] = [bitsOf(marks, full), bitsOf(marks, empty)];
  const feasible = feasibleNarrow(clue, 0, clue.length, marks.length, knownFull, knownEmpty);
  expect(deduceNarrow(clue, 0, clue.length, marks.length, knownFull, knownEmpty)).toBe(feasible);
  if (!feasible) return undefined;
  const bit = (bits: number, place: number) => ((bits >> place) & 1) === 1;
  return marksFrom(
    (place) => bit(deduced[0], place),
    (place) => bit(deduced[1], place),
    marks.length,
  );
}

/** Another way to decide whether runs fit: from left to right, remembering which (place, run) were tried. */
function fitsByMemo(runs: readonly number[], marks: readonly number[]): boolean {
  const tried = new Map<string, boolean>();
  const from = (place: number, run: number): boolean => {
    if (place >= marks.length) return run === runs.length;
    const key = `${place},${run}`;
    const known = tried.get(key);
    if (known !== undefined) return known;
    const size = runs[run];
    const end = place + (size ?? 0);
    const runFits =
      size !== undefined &&
      end <= marks.length &&
      !marks.slice(place, end).includes(empty) &&
      marks[end] !== full &&
      from(end + 1, run + 1);
    const fits = runFits || (marks[place] !== full && from(place + 1, run));
    tried.set(key, fits);
    return fits;
  };
  return from(0, 0);
}

describe("line logic", () => {
  it("says exactly what all placements agree on", () => {
    fc.assert(
      fc.property(lines(1, 12), (line) => {
        const placements = allPlacements(line.runs, line.marks.length).filter((each) => agrees(each, line.marks));
        const expected = placements.length === 0 ? undefined : common(placements);
        expect(byNarrow(line)).toEqual(expected);
        expect(byWide(line)).toEqual(expected);
      }),
      { numRuns: 1500 },
    );
  });

  it("says the same in one word and in limbs, up to the longest line that fits a word", () => {
    fc.assert(
      fc.property(lines(13, narrowLimit), (line) => {
        expect(byWide(line)).toEqual(byNarrow(line));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([29, 30, 31, 59, 60, 61, 89, 90, 130])("holds for lines of %i cells", (length) => {
    fc.assert(
      fc.property(lines(length, length), (line) => {
        const { runs, marks } = line;
        const found = byWide(line);
        expect(found !== undefined).toBe(fitsByMemo(runs, marks));
        for (const [place, mark] of (found ?? []).entries()) {
          const mayBe = (value: number) => fitsByMemo(runs, marks.with(place, value));
          const both = marks[place] === unknown && mayBe(full) && mayBe(empty);
          expect(mark === unknown).toBe(both);
          if (mark !== unknown && marks[place] === unknown) expect(mayBe(mark)).toBe(true);
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe("sliding", () => {
  const slid = ({ runs, marks }: Line) => {
    const found = slide(Uint16Array.from(runs), 0, runs.length, Uint8Array.from(marks), 0, 1, marks.length);
    return found && Array.from(found.slice(0, marks.length));
  };

  it("never says more than line logic, and says what sliding and counting mean", () => {
    fc.assert(
      fc.property(lines(1, 11), ({ runs, marks }) => {
        const { length } = marks;
        const pastEmpty = allPlacements(runs, length).filter((each) =>
          each.every((value, place) => marks[place] !== empty || value === empty),
        );
        const found = slid({ runs, marks });
        if (pastEmpty.length === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const starts = pastEmpty.map((each) =>
          each.flatMap((value, place) => (value === full && each[place - 1] !== full ? [place] : [])),
        );
        const ranges = runs.map((size, run) => {
          const own = starts.map((places) => places[run]);
          return { first: Math.min(...own), last: Math.max(...own), size };
        });
        const expected = marks.map((mark, place) => {
          if (ranges.some(({ first, last, size }) => last <= place && place < first + size)) return full;
          if (!ranges.some(({ first, last, size }) => first <= place && place < last + size)) return empty;
          return mark;
        });
        const total = runs.reduce((sum, run) => sum + run, 0);
        const count = (value: number) => expected.filter((mark) => mark === value).length;
        const rest = count(full) === total ? empty : count(empty) === length - total ? full : unknown;
        expect(found).toEqual(expected.map((mark) => (mark === unknown ? rest : mark)));

        const placements = pastEmpty.filter((each) => agrees(each, marks));
        if (placements.length > 0) expect(placements.every((each) => agrees(each, found!))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});
