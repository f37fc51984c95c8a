// Slitherlink answers: the verifier beside a list of all loops, and what is said about each kind of mistake.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";
import { everyLoop } from "./slitherlink-brute-force.ts";

const boards = (area: number) =>
  Array.from({ length: 2 ** area }, (_, bits) =>
    Array.from({ length: area }, (_, cell) => ((bits >> cell) & 1 ? "#" : ".")).join(""),
  );

describe("the verifier", () => {
  it("of all 4x3 boards accepts exactly the loops", () => {
    const blank = { width: 4, height: 3, clues: ".".repeat(12) };
    const loops = new Set(everyLoop(4, 3).map(({ cells }) => cells));
    for (const cells of boards(12)) expect(slitherlink.judge(blank, { cells }).correct, cells).toBe(loops.has(cells));
  });

  it("with clues accepts exactly the loops that have these numbers", () => {
    const random = Random.from("clues");
    for (let draw = 0; draw < 20; draw++) {
      const { numbers } = random.pick(everyLoop(3, 3));
      const clues = numbers.map((number) => (random.chance(0.5) ? String(number) : ".")).join("");
      const right = new Set(
        everyLoop(3, 3)
          .filter((loop) => loop.numbers.every((number, cell) => clues[cell] === "." || clues[cell] === String(number)))
          .map(({ cells }) => cells),
      );
      const instance = { width: 3, height: 3, clues };
      for (const cells of boards(9)) expect(slitherlink.judge(instance, { cells }).correct).toBe(right.has(cells));
    }
  });

  it("names the first broken rule and all its places", () => {
    const instance = slitherlink.readId("4x4t0:3h0f");
    expect(slitherlink.judge(instance, { cells: "##..##.........." })).toMatchObject({
      correct: false,
      because: expect.stringMatching(/^the 3 at row 1, column 1: .*, but 2 are drawn \(and 1 more\)$/),
      cells: [
        { row: 0, column: 0 },
        { row: 2, column: 1 },
      ],
    });
    expect(slitherlink.judge(instance, { cells: `${"#...".repeat(2)}${".".repeat(8)}` })).toEqual({ correct: true });
  });

  it.each([
    ["................", "loop", []],
    ["#....#..........", "touch", ["0 0", "0 1", "1 0", "1 1"]],
    ["#..##...........", "loop", ["0 2", "0 3", "1 3"]],
    ["###.#.#.###.....", "loop", ["0 1", "1 0", "1 1", "1 2", "2 1"]],
  ])("%s is no single loop", (cells, rule, places) => {
    const [broken] = slitherlink.violations({ width: 4, height: 4, clues: ".".repeat(16) }, { cells });
    expect(broken.rule).toBe(rule);
    expect(broken.cells.map(({ row, column }) => `${row} ${column}`)).toEqual(places);
  });
});

describe("reading and paying", () => {
  const { instance, solution } = slitherlink.generate(slitherlink.readParams("5x5t0dn"), Random.from("reading"));
  const answer = slitherlink.renderAnswer(instance, solution);

  it("an answer is read as it was written, with or without spaces", () => {
    expect(slitherlink.readAnswer(instance, answer)).toEqual({ board: solution });
    expect(slitherlink.readAnswer(instance, `\n${answer.replaceAll(" ", "")}\n\n`)).toEqual({ board: solution });
    expect(slitherlink.readAnswer(instance, `\`\`\`\n${answer}\n\`\`\``)).toEqual({ board: solution });
  });

  it("clues repeated or other symbols cannot be read, and it says where", () => {
    expect(slitherlink.readAnswer(instance, answer.replace(/[#.]/, "3"))).toEqual({
      unreadable: 'row 1, column 1: expected # or ., found "3"',
    });
    expect(slitherlink.readAnswer(instance, answer.slice(0, -10))).toHaveProperty("unreadable");
  });

  it("one cell wrong pays part, the solution all, and every cell the same", () => {
    const key = gradingKey(slitherlink, instance, solution);
    expect(gradeAnswer(key, answer).parts).toMatchObject({ exact: 1, completion: 1 });
    const paid = new Set<number>();
    for (let cell = 0; cell < 25; cell++) {
      const cells = [...solution.cells];
      cells[cell] = cells[cell] === "#" ? "." : "#";
      const { verdict, parts } = gradeAnswer(key, slitherlink.renderAnswer(instance, { cells: cells.join("") }));
      expect(verdict.verdict).toBe("wrong");
      paid.add(parts.completion);
    }
    expect([...paid]).toEqual([(24 / 25) ** 3]);
  });
});

describe("pictures", () => {
  const { instance, solution } = slitherlink.generate(slitherlink.readParams("5x4t0dn"), Random.from("pictures"));

  it("a drawing shows every clue, and with a solution a closed loop", () => {
    expect(slitherlink.draw(instance).replaceAll(/[^0-4]/g, "")).toBe(instance.clues.replaceAll(".", ""));
    const drawing = slitherlink.draw(instance, solution);
    // Every end of a line meets another one: no half-drawn corner.
    expect(drawing).not.toMatch(/[╶╷╴╵]/);
    expect(drawing).toMatch(/[┌┐└┘]/);
  });

  it("an SVG has the clues as text and as many pieces of loop as the loop has lines", () => {
    const svg = slitherlink.svg(instance, solution, [{ row: 0, column: 0 }]);
    expect(svg.match(/<text/g)).toHaveLength(instance.clues.replaceAll(".", "").length);
    const loop = /<path d="([^"]*)"[^>]*stroke-width="4"/.exec(svg)![1];
    const yes = slitherlink.writeMove(instance, solution).match(/y/g)!.length;
    expect(loop.match(/M/g)).toHaveLength(yes);
  });
});
