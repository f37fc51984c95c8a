// Galaxies by property: over sizes and seeds, what is generated, written, read, turned and judged hangs together.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { completionReward } from "../../src/grading/reward.ts";
import {
  type GalaxiesBoard,
  type GalaxiesInstance,
  type GalaxiesParams,
  galaxies,
} from "../../src/puzzles/galaxies/index.ts";
import { GenerationError } from "../../src/puzzles/puzzle.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

const side = fc.integer({ min: 3, max: 9 });
const seed = fc.integer();
const difficulty = fc.constantFrom("normal" as const, "unreasonable" as const, undefined);

const puzzle = fc
  .tuple(side, side, difficulty, seed)
  .map(([width, height, level, number]) =>
    galaxies.generate(
      { width, height, difficulty: width + height < 8 && level === "unreasonable" ? "normal" : level },
      Random.from(number),
    ),
  );

/** Cells numbered by the first cell that shares their label: equal exactly for equal partitions. */
function partition(labels: readonly string[]): string {
  return labels.map((label) => labels.indexOf(label)).join(" ");
}

function read(instance: GalaxiesInstance, text: string): GalaxiesBoard {
  const answer = galaxies.readAnswer(instance, text);
  if ("unreadable" in answer) throw new Error(answer.unreadable);
  return answer.board;
}

describe("galaxies", () => {
  it("rejects every change of a single cell, unless it only renames a region", () => {
    fc.assert(
      fc.property(puzzle, ({ instance, solution }) => {
        const names = [...new Set(solution.labels), "9"];
        const misjudged: string[] = [];
        solution.labels.forEach((label, cell) => {
          for (const name of names) {
            if (name === label) continue;
            const labels = solution.labels.with(cell, name);
            const same = partition(labels) === partition(solution.labels);
            if (galaxies.judge(instance, { labels }).correct !== same) misjudged.push(labels.join(""));
          }
        });
        expect(misjudged).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it("accepts the solution under any other names", () => {
    fc.assert(
      fc.property(puzzle, seed, ({ instance, solution }, number) => {
        const names = [...new Set(solution.labels)];
        const renamed = new Map(names.map((name, at) => [name, Random.from(number).shuffle([...names])[at]]));
        const labels = solution.labels.map((label) => renamed.get(label)!);
        const board = read(instance, galaxies.renderAnswer(instance, { labels }).toLowerCase());
        expect(galaxies.judge(instance, board)).toEqual({ correct: true });
        expect(galaxies.answerCells(instance, board)).toEqual(galaxies.answerCells(instance, solution));
      }),
    );
  });

  it("makes both kinds at 25x25", () => {
    for (const difficulty of ["normal", "unreasonable"] as const) {
      const made = galaxies.generate({ width: 25, height: 25, difficulty }, Random.from("large"));
      expect(galaxies.difficulty(made.instance)).toBe(difficulty);
      expect(galaxies.solve(made.instance)).toEqual({ status: "unique", solution: made.solution });
      const text = galaxies.renderAnswer(made.instance, made.solution);
      expect(galaxies.judge(made.instance, read(made.instance, text))).toEqual({ correct: true });
    }
  });

  it("says at once that no 3x3 puzzle is unreasonable", () => {
    const ask = () => galaxies.generate({ width: 3, height: 3, difficulty: "unreasonable" }, Random.from(0));
    const { seconds } = processorTime(() =>
      expect(ask).toThrow(
        new GenerationError("no 3x3 galaxies puzzle is unreasonable; ask for another size or difficulty"),
      ),
    );
    expect(seconds).toBeLessThan(moment);
  });

  it("refuses sizes and difficulties that there are not", () => {
    const ask = (params: object) => () => galaxies.generate(params as GalaxiesParams, Random.from(0));
    expect(ask({ width: 2, height: 5 })).toThrow(GenerationError);
    expect(ask({ width: 5, height: 4.5 })).toThrow(GenerationError);
    expect(ask({ width: 5, height: 5, difficulty: "hard" })).toThrow(
      new GenerationError(
        'no galaxies puzzle of 5x5: unknown difficulty "hard"; expected one of: normal, unreasonable',
      ),
    );
  });

  it("finds the two unreasonable puzzles of 3x4", () => {
    const listed = [...galaxies.enumerate({ width: 3, height: 4, difficulty: "unreasonable" })!].map(galaxies.writeId);
    expect(listed).toHaveLength(2);
    const random = Random.from(0);
    const draw = () => galaxies.generate({ width: 3, height: 4, difficulty: "unreasonable" }, random);
    expect(new Set(Array.from({ length: 30 }, () => galaxies.writeId(draw().instance)))).toEqual(new Set(listed));
  });
});

describe("galaxies judgment", () => {
  const instance = galaxies.readId("5x5:kcbkzddl");
  const solution = ["AABCD", "AABCD", "EEFFD", "EEFFG", "EEFFG"];
  const judged = (rows: readonly string[]) => galaxies.judge(instance, { labels: [...rows.join("")] });

  it("accepts the published solution", () => {
    expect(judged(solution)).toEqual({ correct: true });
  });

  it.each([
    [["AABCD", "AABCD", "EEFFD", "EEFFD", "EEFFG"], "dot-inside", ["3 4", "4 4"]],
    [["AABBD", "AABBD", "EEFFD", "EEFFG", "EEFFG"], "dot-inside", ["0 2", "0 3", "1 2", "1 3"]],
    [["AABCX", "AABCD", "EEFFD", "EEFFG", "EEFFG"], "one-dot", ["0 4"]],
    [["AABCD", "AABCD", "EEFFF", "EEFFG", "EEFFG"], "symmetric", ["0 4", "2 4"]],
    [["A"], "shape", []],
  ])("names the broken rule and the cells: %j", (rows, rule, cells) => {
    const judgment = judged(rows);
    const [first] = galaxies.violations(instance, { labels: [...rows.join("")] });
    expect(first.rule).toBe(rule);
    expect(judgment).toMatchObject({ correct: false, because: expect.stringContaining(first.because) });
    expect("cells" in judgment && judgment.cells.map(({ row, column }) => `${row} ${column}`).sort()).toEqual(cells);
  });

  it("wants regions connected, not only symmetric", () => {
    const pillars = galaxies.readId("5x3:addlbbldd");
    expect(galaxies.judge(pillars, { labels: [..."ADBFCEDEFEGDHFI"] })).toEqual({
      correct: false,
      because: "the region of E is not connected",
      cells: [
        { row: 1, column: 0 },
        { row: 1, column: 2 },
        { row: 1, column: 4 },
      ],
    });
  });

  it("wants every dot inside its region, so a ring around another dot is none", () => {
    const target = { width: 3, height: 3, dots: [{ x: 3, y: 3 }] };
    expect(galaxies.judge(target, { labels: [..."AAAABAAAA"] })).toMatchObject({
      correct: false,
      because: "some cells are in no region with exactly one dot",
    });
  });
});

describe("galaxies in words and pictures", () => {
  const instance = galaxies.readId("5x5:kcbkzddl");
  const solution = { labels: [..."AABCDAABCDEEFFDEEFFGEEFFG"] };

  it("shows the size and the dots in cell units", () => {
    expect(galaxies.renderGivens(instance)).toBe(
      [
        "5 rows, 5 columns",
        "A row 1.5 col 1.5",
        "B row 1.5 col 3",
        "C row 1.5 col 4",
        "D row 2 col 5",
        "E row 4 col 1.5",
        "F row 4 col 3.5",
        "G row 4.5 col 5",
      ].join("\n"),
    );
    expect(galaxies.renderAnswer(instance, solution)).toBe("A A B C D\nA A B C D\nE E F F D\nE E F F G\nE E F F G");
  });

  it("uses names of two letters for more than 26 dots, and reads them with or without spaces", () => {
    const made = galaxies.generate({ width: 12, height: 12, difficulty: "normal" }, Random.from("names"));
    expect(made.instance.dots.length).toBeGreaterThan(26);
    expect(galaxies.renderGivens(made.instance)).toContain("\nAA row");
    const text = galaxies.renderAnswer(made.instance, made.solution);
    expect(read(made.instance, text)).toEqual(made.solution);
    expect(read(made.instance, text.replaceAll(" ", ""))).toEqual(made.solution);
    expect(galaxies.readAnswer(made.instance, text.replace(" ", ""))).toEqual({
      unreadable: "row 1: expected 12 cells, found 11",
    });
  });

  it("draws the board and its regions", () => {
    expect(galaxies.draw(galaxies.readId("3x3:gcM"))).toBe(
      [
        "┌───┬───┬───┐",
        "│   │   │   │",
        "├───○───┼─○─┤",
        "│   │   │   │",
        "├───┼───┼───┤",
        "│   │ ● │   │",
        "└───┴───┴───┘",
      ].join("\n"),
    );
    expect(galaxies.draw(instance, solution)).toBe(
      [
        "┌───────┬───┬───┬───┐",
        "│       │   │   │   │",
        "│   ○   │ ○ │ ○ │   │",
        "│       │   │   │ ○ │",
        "├───────┼───┴───┤   │",
        "│       │       │   │",
        "│       │       ├───┤",
        "│   ○   │   ○   │   │",
        "│       │       │ ○ │",
        "│       │       │   │",
        "└───────┴───────┴───┘",
      ].join("\n"),
    );
  });

  it("makes an SVG of board, answer and mistakes", () => {
    const plain = galaxies.svg(instance);
    expect(plain.match(/<circle/g)).toHaveLength(7);
    const marked = galaxies.svg(instance, solution, [{ row: 1, column: 2 }]);
    expect(marked).toContain("<title>Galaxies 5x5, 7 dots, with an answer</title>");
    expect(marked.match(/fill-opacity/g)).toHaveLength(1);
    expect(galaxies.svg(instance, { labels: Array(25).fill('"><script>') })).not.toContain("script");
  });
});

describe("galaxies completion", () => {
  const instance = galaxies.readId("5x5:kcbkzddl");
  const solution = galaxies.answerCells(instance, { labels: [..."AABCDAABCDEEFFDEEFFGEEFFG"] });
  const paid = (rows: string) =>
    completionReward(
      galaxies.answerCells(instance, { labels: [...rows.replaceAll(" ", "")] }),
      solution,
      galaxies.initialCells(instance),
    );

  it("pays in full for the solution under other names, and for one wrong cell a little less", () => {
    expect(paid("11234 11234 55664 55667 55667")).toBe(1);
    // 15 cells lie under dots and weigh 1, the other 10 weigh 2.
    expect(paid("AABCD AABCD EEFFX EEFFG EEFFG")).toBeCloseTo((33 / 35) ** 3, 12);
  });

  it("pays nothing for one letter all over the board, and next to nothing for a letter in every cell", () => {
    expect(paid("AAAAA AAAAA AAAAA AAAAA AAAAA")).toBe(0);
    expect(paid("ABCDE FGHIJ KLMNO PQRST UVWXY")).toBeCloseTo((1 / 35) ** 3, 12);
  });

  it("pays for regions only by the dot that they hold alone", () => {
    // B and C joined lose both; what is right elsewhere stays right.
    expect(paid("AABBD AABBD EEFFD EEFFG EEFFG")).toBeCloseTo((31 / 35) ** 3, 12);
  });
});
