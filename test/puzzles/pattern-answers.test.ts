// Answers to a Pattern: what is read, what is right, what a wrong one earns, and how it all looks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type PatternBoard, type PatternInstance, pattern } from "../../src/puzzles/pattern/index.ts";
import { instanceOf } from "../../src/puzzles/pattern/instance.ts";
import { idOf } from "./pattern-brute-force.ts";

const example = pattern.readId("5x5:1/1/3/4/3/1.3/3/3/1/1");
const exampleAnswer = "# . # # #\n. . # # #\n. . # # #\n. . . # .\n. # . . .";

const generated = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }), seed: fc.nat() })
  .map(({ width, height, seed }) => pattern.generate({ width, height }, Random.from(seed)));

function boardOf(instance: PatternInstance, text: string): PatternBoard {
  const read = pattern.readAnswer(instance, text);
  if ("unreadable" in read) throw new Error(read.unreadable);
  return read.board;
}

describe("prompts", () => {
  it("show the clues as two lists, a blank line as 0, and given cells where there are some", () => {
    expect(pattern.renderGivens(example)).toBe("Columns: 1 | 1 | 3 | 4 | 3\nRows: 1 3 | 3 | 3 | 1 | 1");
    expect(pattern.renderGivens(pattern.readId("3x2:/2/1/2/1,Cc"))).toBe(
      "Columns: 0 | 2 | 1\nRows: 2 | 1\nGiven cells:\n? ? #\n? ? .",
    );
  });

  it("ask for what the answer then looks like", () => {
    const solved = pattern.solve(example);
    if (solved.status !== "unique") throw new Error(solved.status);
    expect(pattern.renderAnswer(example, solved.solution)).toBe(exampleAnswer);
  });
});

describe("reading", () => {
  it("forgives spacing, blank lines and a code fence", () => {
    const { cells } = boardOf(example, exampleAnswer);
    const forms = [
      exampleAnswer.replaceAll(" ", ""),
      exampleAnswer.replaceAll("\n", "\r\n"),
      `\n\n${exampleAnswer.replaceAll("\n", "\n\n")}  \n`,
      `\`\`\`text\n${exampleAnswer}\n\`\`\``,
      exampleAnswer.replaceAll(" ", "\t"),
    ];
    for (const form of forms) expect(boardOf(example, form).cells).toBe(cells);
  });

  it.each([
    ["", "expected 5 rows, found 0"],
    [exampleAnswer.split("\n").slice(1).join("\n"), "expected 5 rows, found 4"],
    [`${exampleAnswer}\n. . . . .`, "expected 5 rows, found 6"],
    [exampleAnswer.replace("# . #", "# #"), "row 1: expected 5 cells, found 4"],
    [exampleAnswer.replace(".", "?"), 'row 1, column 2: expected # or ., found "?"'],
    [exampleAnswer.replace("#", "＃"), 'row 1, column 1: expected # or ., found "＃"'],
    [exampleAnswer.replace("#", "X"), 'row 1, column 1: expected # or ., found "X"'],
    [exampleAnswer.replaceAll("#", "1").replaceAll(".", "0"), 'row 1, column 1: expected # or ., found "1"'],
    [`The answer:\n${exampleAnswer}`, "expected 5 rows, found 6"],
    [`${exampleAnswer}\n\nor\n\n${exampleAnswer}`, "expected 5 rows, found 11"],
    ["?".repeat(25), "expected 5 rows, found 1"],
    ["#".repeat(1_000_000), "the answer is 1000000 characters long"],
  ])("says why %j is unreadable", (text, unreadable) => {
    expect(pattern.readAnswer(example, text)).toEqual({ unreadable });
  });
});

describe("judging", () => {
  it("agrees with the clues of any picture at all", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 511 }), fc.integer({ min: 0, max: 511 }), (one, other) => {
        const picture = (number: number) =>
          number.toString(2).padStart(9, "0").replaceAll("0", ".").replaceAll("1", "#");
        const instance = instanceOf(picture(one), 3, 3);
        const judgment = pattern.judge(instance, { cells: picture(other) });
        expect(judgment.correct).toBe(idOf(picture(one), 3, 3) === idOf(picture(other), 3, 3));
      }),
      { numRuns: 2000 },
    );
  });

  it("accepts both of two different right answers", () => {
    const instance = pattern.readId("2x2:1/1/1/1");
    expect(pattern.judge(instance, { cells: "#..#" })).toEqual({ correct: true });
    expect(pattern.judge(instance, { cells: ".##." })).toEqual({ correct: true });
    expect(pattern.judge(instance, { cells: "##.." }).correct).toBe(false);
  });

  it("names the first broken clue, what it asks and what is there, and the cells of such lines", () => {
    const judgment = pattern.judge(example, boardOf(example, exampleAnswer.replace("# . # #", ". . # #")));
    expect(judgment).toEqual({
      correct: false,
      because: "row 1: its runs are 1, 3, but the answer has 3",
      cells: [0, 1, 2, 3, 4].map((column) => ({ row: 0, column })),
    });
    const rowsOnly = pattern.judge(pattern.readId("2x2:1/1/2/"), { cells: "#..#" });
    expect(rowsOnly).toMatchObject({
      correct: false,
      because: "row 1: its only run is 2, but the answer has 1 (and 1 more)",
    });
  });

  it("calls a changed given wrong before any clue", () => {
    const instance = pattern.readId("2x2:1/1/1/1,Ad");
    expect(pattern.judge(instance, { cells: "#..#" })).toEqual({ correct: true });
    expect(pattern.judge(instance, { cells: ".##." })).toEqual({
      correct: false,
      because: "row 1, column 1: the given # was changed to .",
      cells: [{ row: 0, column: 0 }],
    });
  });

  it("does not take a board of another shape for an answer", () => {
    for (const cells of ["", "#", "#..#.", "#..?", "#\n.#"]) {
      expect(pattern.judge(pattern.readId("2x2:1/1/1/1"), { cells })).toMatchObject({ correct: false });
    }
  });
});

describe("completion", () => {
  it("has as many initial cells as answer cells, and no open cell looks like an answer", () => {
    fc.assert(
      fc.property(generated, ({ instance, solution }) => {
        const [initial, answer] = [pattern.initialCells(instance), pattern.answerCells(instance, solution)];
        expect(answer.join("")).toBe(solution.cells);
        expect(initial).toEqual(answer.map(() => "?"));
      }),
    );
    expect(pattern.initialCells(pattern.readId("2x2:1/1/1/1,Ad"))).toEqual(["#", "?", "?", "?"]);
  });
});

describe("pictures", () => {
  it("show clues, cells and mistakes in an SVG", () => {
    const plain = pattern.svg(example);
    expect(plain).toMatch(/^<svg [^>]*>/);
    expect(plain.match(/<text /g)).toHaveLength(11);
    expect(plain.match(/fill="#0072b2"/g)).toBeNull();
    const board = boardOf(example, exampleAnswer);
    const answered = pattern.svg(example, board, [{ row: 0, column: 0 }]);
    expect(answered.match(/fill="#0072b2"/g)).toHaveLength(25);
    expect(answered.match(/fill="#d55e00"/g)).toHaveLength(1);
  });

  it("are drawn for a terminal", () => {
    expect(`\n${pattern.draw(example, boardOf(example, exampleAnswer))}`).toMatchInlineSnapshot(`
      "
            1 1 3 4 3
          ┌──────────┐
      1 3 │██ ·██████│
        3 │ · ·██████│
        3 │ · ·██████│
        1 │ · · ·██ ·│
        1 │ ·██ · · ·│
          └──────────┘"
    `);
    expect(`\n${pattern.draw(pattern.readId("3x2:/2/1/2/1,Cc"))}`).toMatchInlineSnapshot(`
      "
          0 2 1
        ┌──────┐
      2 │    ██│
      1 │     ·│
        └──────┘"
    `);
  });
});
