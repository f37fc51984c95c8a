import { describe, expect, test } from "vitest";
import { type BridgesBoard, type BridgesInstance, bridges } from "../../src/puzzles/bridges/index.ts";
import { bruteForceSolutions } from "./bridges-brute-force.ts";

const instance = bridges.readId("7x7m2:a2d3g2e4h2d3h1a1b2");
const answer = `. 2 = = = = 3
. . . . . . |
2 = = = = = 4
. . . . . . |
. 2 - - - - 3
. | . . . . |
. 1 . 1 - - 2`;

function read(of: BridgesInstance, text: string): BridgesBoard {
  const result = bridges.readAnswer(of, text);
  if ("unreadable" in result) throw new Error(result.unreadable);
  return result.board;
}

function because(of: BridgesInstance, text: string): string {
  const judgment = bridges.judge(of, read(of, text));
  return judgment.correct ? "correct" : judgment.because;
}

describe("text", () => {
  test("the givens are the grid alone where the usual rules hold", () => {
    expect(bridges.renderGivens(instance)).toBe(answer.replaceAll(/[-=|]/g, "."));
  });

  test("other rules of a board are said above it", () => {
    const first = (id: string) => bridges.renderGivens(bridges.readId(id)).split("\n")[0];
    expect(first("3x3m1:1a1f")).toBe("At most 1 bridge between two islands.");
    expect(first("3x3m3:1a1f")).toBe("At most 3 bridges between two islands.");
    expect(first("3x3m2L:1a1f")).toBe("Loops are forbidden.");
    expect(first("3x3m4L:1a1f")).toBe("At most 4 bridges between two islands. Loops are forbidden.");
  });

  test("the solution is written as the rules ask and read back", () => {
    const solved = bridges.solve(instance);
    if (solved.status !== "unique") throw new Error(solved.status);
    expect(bridges.renderAnswer(instance, solved.solution)).toBe(answer);
    expect(read(instance, answer)).toEqual(solved.solution);
  });

  test("the rules name every symbol", () => {
    for (const symbol of "-=~%|#!$") expect(bridges.rules).toContain(symbol);
  });

  test("spacing, fences and case are forgiven", () => {
    const board = read(instance, answer);
    expect(read(instance, answer.replaceAll(" ", ""))).toEqual(board);
    expect(read(instance, `\n\n\`\`\`text\n${answer.replaceAll("\n", "  \r\n\n")}\n\`\`\`\n`)).toEqual(board);
    const ten = bridges.readId("3x3m4:Aa6c2a2");
    expect(read(ten, "a%6\n!..\n2.2")).toEqual(read(ten, "A%6\n!..\n2.2"));
  });

  test.each([
    ["", "expected 7 rows, found 0"],
    [answer.split("\n").slice(1).join("\n"), "expected 7 rows, found 6"],
    [`${answer}\n. . . . . . .`, "expected 7 rows, found 8"],
    [answer.replace(". 2 =", ". ="), "row 1: expected 7 cells, found 6"],
    [answer.replace("2 = = = =", "2 ＝ ＝ ＝ ＝"), 'row 1, column 3: "＝" is not a symbol'],
    [answer.replace("3", "３"), 'row 1, column 7: "３" is not a symbol'],
    [answer.replace("3", "0"), 'row 1, column 7: "0" is not a symbol'],
    [answer.replace("3", "H"), "is not a symbol"],
    ["x".repeat(1_000_000), "1000000 characters long"],
  ])("unreadable: %#", (text, message) => {
    expect(bridges.readAnswer(instance, text)).toEqual({ unreadable: expect.stringContaining(message) });
  });
});

describe("verdict", () => {
  test.each([
    ["an island rewritten to fit", ". 2 - - - - 2", "row 1, column 7: the given 3 was changed to 2"],
    ["an island painted over", ". = = = = = 3", "row 1, column 2: the given 2 was changed to ="],
    ["an island added", ". 2 = 2 = = 3", "row 1, column 3 belongs to none that does"],
    ["a bridge with a hole", ". 2 = . = = 3", "row 1, column 3 belongs to none that does"],
    ["a bridge of two kinds", ". 2 = - = = 3", "a bridge must run unbroken, with one number of lines"],
    ["a bridge into the edge", "- 2 = = = = 3", "row 1, column 1 belongs to none that does"],
    ["a vertical symbol in a row", ". 2 = | = = 3", "row 1, column 3 belongs to none that does"],
    [
      "too few bridges",
      ". 2 - - - - 3",
      "the island at row 1, column 2: it wants 2 bridges, but it has 1 (and 1 more)",
    ],
    ["too many between two", ". 2 ~ ~ ~ ~ 3", "at most 2 may join two islands: there are more at row 1, column 3"],
  ])("%s is wrong", (_what, row, message) => {
    expect(because(instance, answer.replace(". 2 = = = = 3", row))).toContain(message);
  });

  test("the wrong cells are listed", () => {
    const judgment = bridges.judge(instance, read(instance, answer.replace(". 2 = = = = 3", ". 2 = . = = 3")));
    expect(judgment).toMatchObject({ correct: false, cells: [2, 4, 5].map((column) => ({ row: 0, column })) });
  });

  test("a stray vertical bridge is wrong", () => {
    expect(because(instance, answer.replace("2 = = = = = 4\n.", "2 = = = = = 4\n|"))).toContain("row 4, column 1");
  });

  test("separate groups are wrong even when every count is right", () => {
    const board = bridges.readId("5x3m2:1c1e1c1");
    const judgment = bridges.judge(board, read(board, "1---1\n.....\n1---1"));
    expect(judgment).toEqual({
      correct: false,
      because: "some islands cannot be reached from the others",
      cells: [
        { row: 2, column: 0 },
        { row: 2, column: 4 },
      ],
    });
  });

  test("loops are wrong only where forbidden, and parallel bridges are no loop", () => {
    const ring = "2-2\n|.|\n2-2";
    expect(because(bridges.readId("3x3m2:2a2c2a2"), ring)).toBe("correct");
    const tree = bridges.readId("3x3m2L:2a2c2a2");
    expect(because(tree, ring)).toContain("loops are forbidden");
    expect(because(bridges.readId("3x3m2L:2a4e2"), "2=4\n..#\n..2")).toBe("correct");
  });

  test("both solutions of a board with two are correct", () => {
    const board = bridges.readId("3x3m2:3a3c3a3");
    expect(because(board, "3=3\n|.|\n3=3")).toBe("correct");
    expect(because(board, "3-3\n#.#\n3-3")).toBe("correct");
    expect(because(board, "3=3\n|.#\n3-3")).toContain("it wants 3 bridges, but it has 4");
  });

  test("a board of another size is wrong", () => {
    expect(bridges.judge(instance, { cells: [] })).toMatchObject({ correct: false });
  });

  test("of all boards that can be written on one 3x3 exactly its solutions are accepted", () => {
    const board = bridges.readId("3x3m2:3a3c3a3");
    const free = board.clues.flatMap((clue, cell) => (clue === 0 ? [cell] : []));
    const written = [..."._-=|#"];
    const accepted: string[] = [];
    for (let code = 0; code < written.length ** free.length; code++) {
      const cells = [...bridges.initialCells(board)];
      let rest = code;
      for (const cell of free) {
        cells[cell] = written[rest % written.length];
        rest = Math.floor(rest / written.length);
      }
      if (bridges.judge(board, { cells }).correct) accepted.push(cells.join(""));
    }
    expect(accepted.sort()).toEqual(bruteForceSolutions(board).sort());
  });
});

describe("pictures", () => {
  test("a terminal shows islands, water and bridges", () => {
    expect(bridges.draw(instance, read(instance, answer))).toBe(
      [
        "· 2═════════3",
        "· · · · · · │",
        "2═══════════4",
        "· · · · · · │",
        "· 2─────────3",
        "· │ · · · · │",
        "· 1 · 1─────2",
      ].join("\n"),
    );
    expect(bridges.draw(instance).split("\n")[0]).toBe("· 2 · · · · 3");
    expect(bridges.draw(bridges.readId("3x3m4:Aa6c2a2"), { cells: [..."A%6!..2.2"] })).toBe("A┉┉┉6\n┇ · ·\n2 · 2");
  });

  test("an SVG shows an island for each clue, lines for each bridge, and marks mistakes", () => {
    const givens = bridges.svg(instance);
    expect(givens.match(/<text /g)).toHaveLength(9);
    expect(givens).not.toContain("<path");
    const solved = bridges.svg(instance, read(instance, answer));
    expect(solved.match(/<path /g)).toHaveLength(8);
    expect(solved.match(/M[\d. ]+[HV]/g)).toHaveLength(10);
    expect(bridges.svg(instance, undefined, [{ row: 1, column: 1 }])).toContain('fill-opacity="0.25"');
  });

  test("what a model wrote cannot break out of the SVG", () => {
    const cells = bridges.initialCells(instance).map((symbol, cell) => (cell === 0 ? "<script>&" : symbol));
    expect(bridges.svg(instance, { cells })).not.toContain("<script>");
  });
});
