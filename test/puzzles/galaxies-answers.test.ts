// Answers that try to be taken for right: mutated, truncated, hedged, huge, or written in letters that only look alike.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type GalaxiesInstance, galaxies } from "../../src/puzzles/galaxies/index.ts";
import { gradeResponse, gradingKey } from "../../src/puzzles/verification.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

const small = galaxies.generate({ width: 5, height: 5, difficulty: "normal" }, Random.from("small"));
const large = galaxies.generate({ width: 12, height: 12, difficulty: "normal" }, Random.from("large"));

/** Read the strictest way: one word a cell, nothing else on the line. Undefined when that is not what it is. */
function plainPartition(instance: GalaxiesInstance, text: string): string | undefined {
  const rows = text
    .toLowerCase()
    .split("\n")
    .map((line) => line.split(/[ \t\r\u00a0]/).filter((word) => word !== ""))
    .filter((words) => words.length > 0 && !/^```[a-z0-9_]*$/.test(words.join(" ")));
  const length = instance.dots.length > 26 ? 2 : 1;
  const cells = rows.flatMap((words) =>
    words.length === instance.width
      ? words
      : [...words.join("").matchAll(new RegExp(`.{${length}}`, "gu"))].map(([word]) => word),
  );
  const fits = rows.length === instance.height && cells.length === instance.width * instance.height;
  return fits ? cells.map((cell) => cells.indexOf(cell)).join(" ") : undefined;
}

function judgedCorrect(instance: GalaxiesInstance, text: string): boolean {
  const read = galaxies.readAnswer(instance, text);
  return "board" in read && galaxies.judge(instance, read.board).correct;
}

type Mutation = (text: string, random: Random) => string;

const at = (text: string, random: Random) => random.below(text.length);
const mutations: readonly Mutation[] = [
  (text, random) => text.slice(0, at(text, random)),
  (text, random) => text.slice(at(text, random)),
  (text, random) => {
    const place = at(text, random);
    return text.slice(0, place) + random.pick([..."ABCDEFGHIJKLMNOP0123456789.?#*| -_\\"]) + text.slice(place + 1);
  },
  (text, random) => {
    const place = at(text, random);
    return text.slice(0, place) + random.pick([..."AB \t\r\n\u00a0\u200b\u0410ıſ𝐀"]) + text.slice(place);
  },
  (text, random) => {
    const [one, other] = [at(text, random), at(text, random)].sort((a, b) => a - b);
    return text.slice(0, one) + text[other] + text.slice(one + 1, other) + text[one] + text.slice(other + 1);
  },
  (text, random) => {
    const lines = text.split("\n");
    return random.shuffle(lines).join("\n");
  },
  (text, random) => text.split("\n").toSpliced(random.below(5), 1).join("\n"),
  (text, random) => text.split("\n").toSpliced(random.below(5), 0, text.split("\n")[0]).join("\n"),
  (text) => `${text}\n${text}`,
  (text) => `A row 1 col 1\n${text}`,
  (text) => text.split("\n").reverse().join("\n"),
  (text, random) => text.replaceAll(random.pick([..."ABCDE"]), random.pick([..."ABCDEFXYZ"])),
  (text) => text.replaceAll(" ", ""),
  (text) => text.toLowerCase(),
  (text) => `\`\`\`\n${text}\n\`\`\``,
];

describe("galaxies answers", () => {
  it("takes none of 10,000 mutated answers for right that is not, and none takes long", () => {
    const random = Random.from("mutations");
    let accepted = 0;
    const slow: string[] = [];
    for (let draw = 0; draw < 10_000; draw++) {
      const { instance, solution } = draw % 10 === 0 ? large : small;
      const original = galaxies.renderAnswer(instance, solution);
      let text = original;
      for (let times = 1 + random.below(3); times > 0 && text.length > 0; times--)
        text = random.pick(mutations)(text, random);
      const { result: correct, seconds } = processorTime(() => judgedCorrect(instance, text));
      if (seconds > moment) slow.push(text);
      if (correct) {
        accepted++;
        expect(plainPartition(instance, text)).toBe(plainPartition(instance, original));
      }
    }
    expect(accepted).toBeGreaterThan(100);
    expect(accepted).toBeLessThan(5_000);
    expect(slow).toEqual([]);
  });

  it("reads any text without throwing", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."ABCG  \n"), maxLength: 80 }),
      fc
        .array(fc.string({ unit: fc.constantFrom("A", "B"), minLength: 5, maxLength: 5 }), {
          minLength: 4,
          maxLength: 6,
        })
        .map((rows) => rows.join("\n")),
    );
    let boards = 0;
    fc.assert(
      fc.property(text, (answer) => {
        for (const { instance } of [small, large]) {
          const read = galaxies.readAnswer(instance, answer);
          if ("board" in read) {
            boards += 1;
            expect(read.board.labels).toHaveLength(instance.width * instance.height);
          } else expect(read.unreadable).not.toBe("");
        }
      }),
      { numRuns: 500 },
    );
    expect(boards).toBeGreaterThan(20);
  });

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
