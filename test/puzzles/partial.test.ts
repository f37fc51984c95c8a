// Boards of several turns: a whole one is worth what it is worth as an answer, in whatever form.
import { describe, expect, it } from "vitest";
import { catalog, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { jsonBoard } from "../../src/puzzles/json-answer.ts";
import { partialKey, turnRewards } from "../../src/puzzles/partial.ts";

describe.each(puzzleNames)("%s", (name) => {
  const puzzle = puzzleNamed(name);
  const instance = puzzle.readId(puzzle.example);
  const solved = puzzle.solve(instance);
  if (solved.status !== "unique") throw new Error(`${puzzle.example} has no single solution`);
  const answer = puzzle.renderAnswer(instance, solved.solution);
  const key = partialKey(puzzle, instance);

  it.each([
    ["as the prompt says", answer],
    ["in lower case", answer.toLowerCase()],
    ["as JSON", jsonBoard(answer)],
    ["in a fence with JSON", `\`\`\`json\r\n${jsonBoard(answer)}\r\n\`\`\``],
    ["without blanks", answer.replaceAll(" ", "")],
  ])("the solution %s is solved", (_, text) => {
    const { grades, rewards } = turnRewards(key, [text]);
    expect(grades[0]).toMatchObject({ state: "solved", wrong: 0, open: 0, cells: [] });
    expect(rewards).toEqual([2]);
  });

  it("one cell open is on track, one cell wrong is not, also as JSON", () => {
    const rows = answer.split("\n").map((row) => row.split(" "));
    const start = puzzle.initialCells(instance);
    const at = puzzle.answerCells(instance, solved.solution).findIndex((symbol, cell) => symbol !== start[cell]);
    const [row, column] = [Math.floor(at / rows[0].length), at % rows[0].length];
    const other = rows.flat().find((symbol) => symbol !== rows[row][column])!;
    const withCell = (symbol: string) =>
      jsonBoard(
        rows.map((cells, r) => cells.map((c, x) => (r === row && x === column ? symbol : c)).join(" ")).join("\n"),
      );
    const [open, wrong] = turnRewards(key, [withCell("?"), withCell(other)]).grades;
    expect(open).toMatchObject({ state: "on-track", open: 1, wrong: 0 });
    expect(wrong).toMatchObject({ state: "off-track", open: 0, cells: [{ row, column }] });
  });
});

it("Galaxies are solved by any names, and letters that only look the same in upper case are others", () => {
  const key = partialKey(catalog.galaxies, catalog.galaxies.readId("5x5:kcbkzddl"));
  const answer = "A A B C D\nA A B C D\nE E F F D\nE E F F G\nE E F F G";
  const renamed = answer.replaceAll("A", "S").replaceAll("G", "I");
  expect(turnRewards(key, [renamed]).grades[0]).toMatchObject({ state: "solved" });
  expect(turnRewards(key, [renamed.replaceAll("S", "ſ")]).grades[0]).toMatchObject({ state: "off-track" });
});
