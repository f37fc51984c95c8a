// The lessons of the miniature's base: what they are is read off the lessons themselves, by their prompts and answers.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { answerText, reasoningText } from "../../src/grading/tags.ts";
import { isHeldOut } from "../../src/problems/synthetic/index.ts";
import { type BarePuzzles, lessonMix, lessons } from "../../src/recipes/mini/lessons.ts";
import { miniTokenizer } from "../../src/recipes/mini/vocabulary.ts";
import type { Lesson } from "../../src/teaching/pretraining.ts";

const puzzle = /^(bridges|galaxies|pattern|undead) /;

function kindOf({ prompt, response }: Lesson): string {
  if (prompt.startsWith("drill ")) return "drill";
  const tagged = prompt.startsWith("think ");
  const about = puzzle.test(prompt.replace(/^think /, "")) ? "puzzle" : "mathematics";
  return `${tagged ? "tagged " : ""}${about} ${reasoningText(response).trim() === "" ? "bare" : "reasoned"}`;
}

function drawn(barePuzzles: BarePuzzles, count: number): Lesson[] {
  const stream = lessons({ barePuzzles, random: Random.from(5), usesPerPuzzle: 4 });
  return Array.from({ length: count }, () => stream.next().value as Lesson);
}

const shares = (given: readonly Lesson[]) => {
  const counts = new Map<string, number>();
  for (const lesson of given) counts.set(kindOf(lesson), (counts.get(kindOf(lesson)) ?? 0) + 1 / given.length);
  return counts;
};

describe("the lessons", () => {
  const given = drawn("another board's", 4_000);

  it("come in the shares that the mix says", () => {
    const found = shares(given);
    const wanted: Record<string, number> = {
      "tagged puzzle reasoned": 0.36,
      "tagged mathematics reasoned": 0.32,
      drill: 0.18,
      "mathematics bare": 0.06,
      "puzzle bare": 0.06,
      "puzzle reasoned": 0.01,
      "mathematics reasoned": 0.01,
    };
    expect(Object.values(lessonMix).reduce((sum: number, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect([...found.keys()].sort()).toEqual(Object.keys(wanted).sort());
    // Four standard deviations of a share of 4,000, and a little: puzzles that deduction cannot finish give no lesson.
    for (const [kind, share] of Object.entries(wanted))
      expect(Math.abs(found.get(kind)! - share), kind).toBeLessThan(4 * Math.sqrt(share / 4_000) + 0.01);
  });

  it("open every reasoned trace of either domain with the same word", () => {
    for (const lesson of given.filter((one) => kindOf(one).endsWith("reasoned")))
      expect(reasoningText(lesson.response).trim()).toMatch(/^plan (scan|guess)\b/);
  });

  it("hold no question of the held-out side, and only words of the vocabulary", () => {
    const tokenizer = miniTokenizer();
    for (const { prompt, response } of given) {
      const question = prompt.replace(/^think /, "").trim();
      if (/mathematics/.test(kindOf({ prompt, response }))) expect(isHeldOut(question), question).toBe(false);
      expect(tokenizer.encode(`${prompt} ${response}`)).not.toContain(0);
    }
  });

  it("give puzzles bare answers of another board of the same shape, right ones, or none", () => {
    const rows = (lesson: Lesson) => {
      const read = answerText(lesson.response);
      return "text" in read ? read.text.trim().split(/\s*\n\s*/) : [];
    };
    const size = ({ prompt }: Lesson) =>
      prompt
        .match(/^\w+ (\d+) (\d+)/)!
        .slice(1)
        .map(Number);
    const bare = given.filter((lesson) => kindOf(lesson) === "puzzle bare");
    for (const lesson of bare) {
      const [width, height] = size(lesson);
      expect(rows(lesson)).toHaveLength(height);
      for (const row of rows(lesson)) expect(row.split(" ")).toHaveLength(width);
    }
    // An island stands where the prompt says: in the answer of another board it hardly ever does, in the right one always.
    const islandsStand = (lesson: Lesson) =>
      [...lesson.prompt.matchAll(/\n (\d)(\d) (\d)(?= )/g)].every(
        ([, row, column, clue]) => rows(lesson)[Number(row) - 1]?.split(" ")[Number(column) - 1] === clue,
      );
    const bridges = (all: readonly Lesson[]) =>
      all.filter((one) => kindOf(one) === "puzzle bare" && one.prompt.startsWith("bridges"));
    const right = bridges(drawn("right", 4_000));
    expect(right.length).toBeGreaterThan(20);
    expect(right.every(islandsStand)).toBe(true);
    expect(bridges(given).filter(islandsStand).length).toBeLessThan(bridges(given).length / 10);
    expect(shares(drawn("none", 1_500)).has("puzzle bare")).toBe(false);
  });
});
