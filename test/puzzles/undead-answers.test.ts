// Undead in language and pictures: what a model sees, what it may answer, and what that earns.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type UndeadInstance, undead } from "../../src/puzzles/undead/index.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";
import { instanceOf, solutionsOf } from "./undead-brute-force.ts";

const instance = undead.readId("4x4:2,3,4,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1,0");
const givens = `Ghosts 2, Vampires 3, Zombies 4
Top: 0 0 0 2    Bottom: 4 2 3 2    Left: 0 1 2 4    Right: 2 1 2 4
/ \\ / .
/ . \\ /
. / . .
. . . .`;
const answer = `/ \\ / Z
/ G \\ /
V / G V
Z Z V Z`;

function verdictOf(of: UndeadInstance, text: string) {
  const read = undead.readAnswer(of, text);
  return "unreadable" in read ? read : undead.judge(of, read.board);
}

describe("reading and writing undead", () => {
  it("shows the board as it is to be shown", () => {
    expect(undead.renderGivens(instance)).toBe(givens);
    expect(undead.renderAnswer(instance, { cells: "/\\/Z/G\\/V/GVZZVZ" })).toBe(answer);
  });

  it("accepts the solution, forgiving space and case", () => {
    for (const text of [
      answer,
      answer.replaceAll(" ", ""),
      `\n\n${answer.toLowerCase().replaceAll("\n", " \r\n\n")}`,
    ]) {
      expect(verdictOf(instance, text)).toEqual({ correct: true });
    }
    expect(verdictOf(instance, `\`\`\`\n${answer}\n\`\`\``)).toEqual({ correct: true });
  });

  it.each([
    ["", "expected 4 rows, found 0"],
    [givens, "expected 4 rows, found 6"],
    [`${answer}\n${answer}`, "expected 4 rows, found 8"],
    [answer.replace("Z", ""), "row 1: expected 4 cells, found 3"],
    [answer.replace("Z", "Ζ"), 'row 1, column 4: expected G, V, Z, /, \\ or ., found "Ζ"'],
    [answer.replace("\\", "＼"), 'row 1, column 2: expected G, V, Z, /, \\ or ., found "＼"'],
    [answer.replace("Z", "constructor"), "row 1: expected 4 cells, found 14"],
    [`${answer}${"Z".repeat(1_000_000)}`, "the answer is 1000031 characters long"],
  ])("cannot read %j", (text, unreadable) => {
    expect(verdictOf(instance, text)).toEqual({ unreadable });
  });

  it("states every rule that decides an answer", () => {
    for (const word of ["mirror", "right angle", "zombie", "vampire", "ghost", "twice", "total", "unchanged"]) {
      expect(undead.rules).toContain(word);
    }
  });
});

describe("judging undead", () => {
  it.each([
    [answer.replace("/ \\", "\\ \\"), "row 1, column 1: the given / was changed to \\", [{ row: 0, column: 0 }]],
    [answer.replace("/ \\", "Z \\"), "row 1, column 1: the given / was changed to Z", [{ row: 0, column: 0 }]],
    [answer.replace("Z", "."), "row 1, column 4: nothing that belongs there", [{ row: 0, column: 3 }]],
    [answer.replace("Z", "/"), "row 1, column 4: nothing that belongs there", [{ row: 0, column: 3 }]],
    [
      answer.replace("G V", "V G"),
      "the line of sight from the right at row 2 to the bottom at column 4: it shows 1 from its start and 2 from its end, but 2 and 1 are seen (and 1 more)",
      [
        { row: 1, column: 1 },
        { row: 2, column: 0 },
        { row: 2, column: 2 },
        { row: 2, column: 3 },
        { row: 3, column: 0 },
        { row: 3, column: 2 },
        { row: 3, column: 3 },
      ],
    ],
  ])("%j is wrong, and why", (text, because, cells) => {
    const verdict = verdictOf(instance, text);
    if (!("because" in verdict)) throw new Error(JSON.stringify(verdict));
    expect(verdict.because).toBe(because);
    expect([...verdict.cells].sort((one, other) => one.row - other.row || one.column - other.column)).toEqual(cells);
  });

  it("counts the monsters of each kind", () => {
    const read = undead.readAnswer(instance, answer.replace("Z Z", "G Z"));
    if ("unreadable" in read) throw new Error(read.unreadable);
    expect(undead.violations(instance, read.board).map(({ because }) => because)).toContain(
      "the totals: there are 2 ghosts, 3 vampires and 4 zombies, but the answer has 3, 3, 3",
    );
  });

  it("keeps given monsters where they were given", () => {
    const withGiven = { ...instance, cells: `/\\/Z${instance.cells.slice(4)}` };
    expect(verdictOf(withGiven, answer)).toEqual({ correct: true });
    const verdict = verdictOf(withGiven, answer.replace("Z", "G"));
    expect(verdict).toMatchObject({ because: "row 1, column 4: the given Z was changed to G" });
  });

  it("accepts every solution of an ambiguous maze", () => {
    const ambiguous = instanceOf([..."GVZVZGZGV"], 3);
    const solutions = solutionsOf(ambiguous);
    expect(solutions.length).toBeGreaterThan(1);
    for (const cells of solutions) expect(undead.judge(ambiguous, { cells })).toEqual({ correct: true });
  });

  it("agrees with brute force on every filling of small mazes", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const generated = undead.generate({ width: 3, height: 3 }, Random.from(seed));
        const right = new Set(solutionsOf(generated.instance));
        const random = Random.from(seed);
        for (let draw = 0; draw < 300; draw++) {
          const cells = generated.instance.cells.replaceAll(".", () => random.pick([..."GVZ"]));
          expect(undead.judge(generated.instance, { cells }).correct).toBe(right.has(cells));
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("what undead answers earn", () => {
  it("is nothing for the givens copied whole, and everything for the solution", () => {
    const key = gradingKey(undead, instance);
    expect(gradeAnswer(key, undead.renderGivens(instance)).parts.completion).toBe(0);
    expect(gradeAnswer(key, answer).parts).toMatchObject({ exact: 1, completion: 1 });
    expect(undead.initialCells(instance)).toEqual([...instance.cells]);
    expect(undead.answerCells(instance, { cells: "/\\/Z/G\\/V/GVZZVZ" })).toHaveLength(16);
  });
});

describe("pictures of undead", () => {
  it("draw a board for a terminal", () => {
    expect(undead.draw(instance)).toBe(`Ghosts 2, Vampires 3, Zombies 4
    0 0 0 2
  ┌─────────┐
0 │ / \\ / · │ 2
1 │ / · \\ / │ 1
2 │ · / · · │ 2
4 │ · · · · │ 4
  └─────────┘
    4 2 3 2`);
    expect(undead.draw(instance, { cells: "/\\/Z/G\\/V/GVZZVZ" })).toContain("4 │ Z Z V Z │ 4");
  });

  it("keep columns straight when a sighting has two digits", () => {
    const lines = undead.draw(instanceOf([..."Z".repeat(33)], 3)).split("\n");
    expect(lines[1]).toBe("    11 11 11");
    expect(lines[3]).toBe("3 │  ·  ·  · │ 3");
  });

  it("are standalone SVG with every mirror, monster, sighting and wrong cell", () => {
    const plain = undead.svg(instance);
    expect(plain).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(plain.match(/stroke-linecap="round"/g)).toHaveLength(7);
    expect(plain.match(/<text/g)).toHaveLength(1 + 16);
    const solved = undead.svg(instance, { cells: "/\\/Z/G\\/V/GVZZVZ" }, [{ row: 3, column: 0 }]);
    expect(solved.match(/<text/g)).toHaveLength(1 + 16 + 9);
    expect(solved.match(/fill-opacity="0.25"/g)).toHaveLength(1);
  });
});
