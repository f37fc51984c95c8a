import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type GalaxiesInstance, galaxies } from "../../src/puzzles/galaxies/index.ts";
import { gradeResponse, gradingKey } from "../../src/puzzles/verification.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

const small = galaxies.generate({ width: 5, height: 5, difficulty: "normal" }, Random.from("small"));
const large = galaxies.generate({ width: 12, height: 12, difficulty: "normal" }, Random.from("large"));

function judgedCorrect(instance: GalaxiesInstance, text: string): boolean {
  const read = galaxies.readAnswer(instance, text);
  return "board" in read && galaxies.judge(instance, read.board).correct;
}

describe("galaxies answers", () => {
  it.each([
    ["a megabyte of letters", "A".repeat(1_000_000)],
    ["a megabyte of rows", "A A A A A\n".repeat(100_000)],
    ["a megabyte of spaces", " ".repeat(1_000_000)],
    ["a megabyte of fences", "```\n".repeat(250_000)],
    ["nothing", ""],
    ["the givens", galaxies.renderGivens(small.instance)],
    ["the id", galaxies.writeId(small.instance)],
    ["the move", galaxies.writeMove(small.instance, small.solution)],
  ])("refuses %s quickly", (_, text) => {
    for (const { instance } of [small, large]) {
      const { result, seconds } = processorTime(() => galaxies.readAnswer(instance, text));
      expect(result).toHaveProperty("unreadable");
      expect(seconds).toBeLessThan(moment);
    }
  });

  it("refuses letters that look like A … Z or become them in upper case", () => {
    const answer = galaxies.renderAnswer(small.instance, small.solution);
    for (const lookAlike of ["\u0410", "\uff21", "𝐀", "Á", "ª", "Ａ"])
      expect(galaxies.readAnswer(small.instance, answer.replace("A", lookAlike))).toHaveProperty("unreadable");
    const sharp = galaxies.readAnswer(small.instance, answer.replace("A", "ı"));
    expect(sharp).toEqual({ unreadable: 'row 1: "ı" is not the name of a dot' });
  });

  it("does not read one letter a cell where names have two, however the letters add up", () => {
    const single = large.solution.labels.map((label) => label[1]);
    const rows = Array.from({ length: 12 }, (_, row) => single.slice(12 * row, 12 * row + 12).join(" "));
    expect(judgedCorrect(large.instance, rows.join("\n"))).toBe(false);
    expect(galaxies.readAnswer(large.instance, rows.map((row) => `${row} ${row}`).join("\n"))).toEqual({
      unreadable: "row 1: expected 12 cells, found 24",
    });
  });

  it("grades whole responses: right with tags in order, unreadable when it hedges", () => {
    const key = gradingKey(galaxies, small.instance, small.solution);
    const answer = galaxies.renderAnswer(small.instance, small.solution);
    const right = gradeResponse(key, `<reasoning>so</reasoning>\n<answer>\n${answer}\n</answer>`);
    expect(right.verdict).toEqual({ verdict: "correct" });
    expect(right.parts.reward).toBeCloseTo(2.1, 12);
    const hedged = `<answer>${answer}</answer><answer>${answer.replace("A", "B")}</answer>`;
    expect(gradeResponse(key, hedged).verdict.verdict).toBe("unreadable");
  });
});
