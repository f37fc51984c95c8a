// Answers that try to be accepted without being right. What is right is decided here by an independent reading of each
// puzzle's rules, written without the project's own verifiers.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type PuzzleName, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { gradeResponse, gradingKey } from "../../src/puzzles/verification.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

const responsesPerPuzzle = 2_500;

/** Symbols that an attacker might hope pass for others: look-alikes, full-width forms, invisible characters. */
const lookAlikes: Record<string, string[]> = {
  "#": ["＃", "♯", "▓", "X"],
  ".": ["．", "·", "。", "‧"],
  "-": ["−", "–", "－"],
  "=": ["＝", "═"],
  "|": ["｜", "│", "l"],
  "/": ["∕", "／", "⁄"],
  "\\": ["＼", "∖"],
  G: ["Ｇ", "Ԍ"],
  V: ["Ѵ", "Ｖ"],
  Z: ["Ζ", "Ｚ"],
  A: ["Α", "А"],
  B: ["Β", "В"],
};

/** One way to spoil, disguise or decorate a right answer. The result may be right only if its grid still is. */
function mutate(answer: string, other: string, random: Random): string {
  const rows = answer.split("\n").map((row) => row.split(" "));
  const text = (grid: string[][]) => grid.map((row) => row.join(" ")).join("\n");
  const wrap = (inner: string) => `<reasoning>r</reasoning><answer>\n${inner}\n</answer>`;
  const symbols = [...new Set(rows.flat())];
  const row = random.below(rows.length);
  const column = random.below(rows[0].length);
  const changed = (symbol: string) =>
    text(rows.map((cells, r) => cells.map((cell, c) => (r === row && c === column ? symbol : cell))));
  switch (random.below(16)) {
    case 0:
      return wrap(changed(random.pick(symbols)));
    case 1:
      return wrap(changed(random.pick([...symbols, "?", "0", "9", " ", "", "\u200b", "🟦"])));
    case 2: {
      const look = lookAlikes[rows[row][column]];
      return wrap(look ? changed(random.pick(look)) : text(rows));
    }
    case 3:
      return wrap(text(rows.toReversed()));
    case 4:
      return wrap(text(rows.map((cells) => cells.toReversed())));
    case 5:
      return wrap(text(rows.slice(0, -1)));
    case 6:
      return wrap(`${text(rows)}\n${rows[0].join(" ")}`);
    case 7:
      return wrap(text(rows.map((cells) => [...cells, cells[0]])));
    case 8:
      return `<answer>${text(rows)}</answer><answer>${other}</answer>`;
    case 9:
      return `<answer>${text(rows)}`;
    case 10:
      return wrap(`${text(rows)}\n\nor\n\n${other}`);
    case 11:
      return wrap(text(rows).slice(0, random.below(text(rows).length)));
    case 12:
      return wrap(text(rows).toLowerCase());
    case 13:
      return wrap(`${"x".repeat(random.below(2000))}${text(rows)}`);
    case 14:
      return wrap(text([...rows.slice(1), rows[0]]));
    default:
      return wrap(text(rows.map((_, r) => rows[0].map((_, c) => rows[c]?.[r] ?? "."))));
  }
}

/** Exactly one well-formed answer whose cells, read strictly, are the unique solution. Letters of Galaxies may be renamed. */
function isRight(name: PuzzleName, response: string, solution: string): boolean {
  const found = [...response.matchAll(/<answer>([\s\S]*?)<\/answer>/g)];
  if (found.length !== 1 || (response.match(/<answer>/g) ?? []).length !== 1) return false;
  const grid = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => line.replaceAll(/\s/g, ""))
      .filter((line) => line !== "");
  const [given, wanted] = [grid(found[0][1].toUpperCase()), grid(solution.toUpperCase())];
  if (name !== "galaxies") return given.join("\n") === wanted.join("\n");
  if (given.length !== wanted.length || given.some((line, r) => [...line].length !== [...wanted[r]].length))
    return false;
  const pairs = new Set([...given.join("")].map((cell, i) => `${cell}${[...wanted.join("")][i]}`));
  const count = (side: string[]) => new Set(side.join("")).size;
  return pairs.size === count(given) && pairs.size === count(wanted) && /^[A-Z0-9\n]*$/.test(given.join("\n"));
}

describe.each(puzzleNames)("%s", (name) => {
  it(`${responsesPerPuzzle} spoilt answers: none is accepted wrongly, none takes long`, () => {
    const puzzle = puzzleNamed(name);
    const random = Random.from("adversarial").child(name);
    const problems = Array.from({ length: 25 }, (_, i) => {
      const { instance, solution } = puzzle.generate(puzzle.readParams(puzzle.usual.small), random.child("problem", i));
      return { key: gradingKey(puzzle, instance, solution), answer: puzzle.renderAnswer(instance, solution) };
    });
    let accepted = 0;
    for (let i = 0; i < responsesPerPuzzle; i++) {
      const { key, answer } = problems[i % problems.length];
      const response = mutate(answer, problems[(i + 1) % problems.length].answer, random.child("mutation", i));
      const { result, seconds } = processorTime(() => gradeResponse(key, response));
      const { verdict, parts } = result;
      expect(seconds, response).toBeLessThan(moment);
      const right = isRight(name, response, answer);
      expect(verdict.verdict === "correct", response).toBe(right);
      expect(parts.exact).toBe(right ? 1 : 0);
      if (!right) expect(parts.completion).toBeLessThan(1);
      accepted += Number(right);
    }
    // Some mutations leave the answer as it was; the test would be empty if none did or all did.
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(responsesPerPuzzle / 2);
  });

  it("no hedge is paid, whatever stands between its answers; and the same answer again is none", () => {
    const puzzle = puzzleNamed(name);
    const random = Random.from("hedges").child(name);
    const between = [
      "",
      "\n",
      " or ",
      "</reasoning>",
      "<reasoning>r</reasoning>",
      "</reasoning></reasoning>",
      "<reasoning>",
      "</think>x</think>",
    ];
    for (let i = 0; i < 20; i++) {
      const [one, two] = [0, 1].map((draw) =>
        puzzle.generate(puzzle.readParams(puzzle.usual.small), random.child(i, draw)),
      );
      const key = gradingKey(puzzle, one.instance, one.solution);
      const right = puzzle.renderAnswer(one.instance, one.solution);
      const cells = right.split("\n").map((row) => row.split(" "));
      const wrong = cells
        .toReversed()
        .map((row) => row.toReversed().join(" "))
        .join("\n");
      if (wrong === right || puzzle.renderAnswer(two.instance, two.solution) === right) continue;
      const tagged = (text: string) => `<answer>${text}</answer>`;
      // What is thought is not said, in the tags of any model; and what is only thought is no answer.
      for (const [open, close] of [
        ["<think>", "</think>"],
        ["[THINK]", "[/THINK]"],
        ["<seed:think>", "</seed:think>"],
        ["<|START_THINKING|>", "<|END_THINKING|>"],
        ["◁think▷", "◁/think▷"],
      ]) {
        const verdictOf = (response: string) => gradeResponse(key, response).verdict.verdict;
        expect(verdictOf(`${open}${tagged(wrong)}, the <answer> tag${close}${tagged(right)}`)).toBe("correct");
        expect(verdictOf(`${open}${tagged(right)}${close}${tagged(wrong)}`)).not.toBe("correct");
        expect(verdictOf(`${open}${tagged(right)}${close}`)).toBe("unreadable");
        expect(verdictOf(`${tagged(wrong)}${open}t${close}${tagged(right)}`)).toBe("unreadable");
      }
      for (const start of ["", "<reasoning>r</reasoning>", "<think>r</think>"]) {
        for (const join of between) {
          for (const pair of [
            [right, wrong],
            [wrong, right],
          ]) {
            // What a model thinks aloud after a prompt that opened <think> is no answer; only the last part is.
            if (start === "" && join.startsWith("</think>")) continue;
            const { verdict, parts } = gradeResponse(key, start + pair.map(tagged).join(join));
            expect([verdict.verdict, parts.exact], `${start} ${join}`).toEqual(["unreadable", 0]);
          }
          if (join === "" || join === "\n") {
            const again = gradeResponse(key, start + [right, ` ${right}\n`].map(tagged).join(join));
            expect(again.verdict.verdict).toBe("correct");
          }
        }
      }
      const json = (text: string) => JSON.stringify(text.split("\n"));
      for (const [inner, verdict] of [
        [`{"board":${json(right)}}`, "correct"],
        [json(right), "correct"],
        [`{"board":${json(wrong)},"board":${json(right)}}`, "unreadable"],
        [`{"board":${json(right)},"other":${json(wrong)}}`, "unreadable"],
        [`{"bo\\u0061rd":${json(wrong)},"board":${json(right)}}`, "unreadable"],
        [`${json(wrong)}${json(right)}`, "unreadable"],
      ] as const)
        expect(gradeResponse(key, tagged(inner)).verdict.verdict, inner).toBe(verdict);
    }
  });

  it("a megabyte of anything is refused quickly", () => {
    const puzzle = puzzleNamed(name);
    const { instance, solution } = puzzle.generate(
      puzzle.readParams(puzzle.usual.small),
      Random.from("megabyte").child(name),
    );
    const key = gradingKey(puzzle, instance, solution);
    const answer = puzzle.renderAnswer(instance, solution);
    for (const filler of ["A", " ", "\n", "# ", "<answer>", "</answer>", "1 2 3\n", "🧛", "<reasoning>"]) {
      const response = `<answer>${filler.repeat(Math.ceil(1_000_000 / filler.length))}${answer}</answer>`;
      const { result, seconds } = processorTime(() => gradeResponse(key, response));
      const { verdict } = result;
      // Blank space around a right answer is whitespace, which is forgiven where it is read at all.
      if (filler.trim() !== "") expect(verdict.verdict).not.toBe("correct");
      expect(seconds, JSON.stringify(filler)).toBeLessThan(moment);
    }
  });

  it("what lazy answers pay: never exact, and little in sum", () => {
    const puzzle = puzzleNamed(name);
    for (let i = 0; i < 20; i++) {
      const { instance, solution } = puzzle.generate(
        puzzle.readParams(puzzle.usual.small),
        Random.from("lazy").child(name, i),
      );
      const key = gradingKey(puzzle, instance, solution);
      const { width, height } = puzzle.size(instance);
      const answer = puzzle.renderAnswer(instance, solution);
      const boards = [puzzle.initialCells(instance), ...new Set(answer.split(/\s+/))].map((cells) =>
        Array.from({ length: height }, (_, r) =>
          Array.from({ length: width }, (_, c) => (typeof cells === "string" ? cells : cells[r * width + c])).join(" "),
        ).join("\n"),
      );
      for (const board of boards) {
        const { parts } = gradeResponse(key, `<reasoning></reasoning><answer>${board}</answer>`);
        expect(parts.exact).toBe(0);
        expect(parts.reward).toBeLessThan(0.8);
      }
    }
  });
});
