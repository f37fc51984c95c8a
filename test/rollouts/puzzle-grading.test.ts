import { describe, expect, it } from "vitest";
import { catalog } from "../../src/puzzles/catalog.ts";
import { puzzleGrader } from "../../src/rollouts/puzzle-grading.ts";

describe("grades of puzzle responses", () => {
  const instance = "2x2:2/1/2/1";
  const grade = puzzleGrader({
    kind: "puzzle",
    id: `pattern ${instance}`,
    prompt: "",
    puzzle: "pattern",
    instance,
    set: "test",
    difficulty: "",
  });
  const said = (answer: string) => grade(`<reasoning>\nso\n</reasoning>\n<answer>\n${answer}\n</answer>`);

  it("two spellings of one board are one answer", () => {
    const spaced = said("# #\n. #");
    const tight = said("##\n.#");
    expect(spaced.answer).toBe(tight.answer);
    expect(said("##\n#.").answer).not.toBe(tight.answer);
  });

  it("a right answer says the board that solves the puzzle", () => {
    const { pattern } = catalog;
    const read = pattern.readId(instance);
    const solved = pattern.solve(read);
    if (solved.status !== "unique") throw new Error("the example has one solution");
    const answer = pattern.renderAnswer(read, solved.solution);
    expect(said(answer)).toMatchObject({ verdict: "correct", answer });
  });

  it("what cannot be read is no answer", () => {
    expect(said("who knows").answer).toBeUndefined();
    expect(grade("no tags at all").answer).toBeUndefined();
  });
});
