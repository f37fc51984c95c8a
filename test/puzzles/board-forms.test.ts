// Boards as TopoBench writes them: drawn and read again, in characters and in codes; and nothing in these forms is paid wrongly.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { answerInForm, boardForms, inForm, rowsInForm } from "../../src/puzzles/board-forms.ts";
import { type PuzzleName, puzzleNamed } from "../../src/puzzles/catalog.ts";
import { drawingOf } from "../../src/puzzles/drawn-boards.ts";
import { puzzlePrompt } from "../../src/puzzles/prompt.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";

const sizes: Partial<Record<PuzzleName, readonly string[]>> = {
  bridges: ["5x5i30e10m2d1", "7x5d0"],
  flowfree: ["5x5de", "7x4de"],
  galaxies: ["5x5dn", "4x6dn"],
  pattern: ["5x5", "7x4"],
  slitherlink: ["5x5t0de", "4x6t0dn"],
  undead: ["4x4de", "6x4dn"],
};

/** Drawn by hand. */
const byHand = {
  bridges: ["3x3m2:2a2c1a1", "2.2\n...\n1.1", "2-2\n|.|\n1.1"],
  galaxies: ["3x3:ch", "+-+-+-+\n|  o  |\n+ + + +\n|o    |\n+ + + +\n|     |\n+-+-+-+", undefined],
  pattern: ["2x2:1/1/1/1", "  1  1 \n +--+--+\n1|  |  |\n +--+--+\n1|  |  |\n +--+--+", undefined],
} as const;

describe.each(Object.keys(sizes) as PuzzleName[])("%s", (name) => {
  const puzzle = puzzleNamed(name);
  const problems = sizes[name]!.flatMap((size) =>
    Array.from({ length: 12 }, (_, draw) =>
      puzzle.generate(puzzle.readParams(size), Random.from("forms").child(name, size, draw)),
    ),
  );

  it.each(boardForms)("%s: a board is read as it was drawn, and its answer is right", (form) => {
    for (const { instance, solution } of problems) {
      const rows = rowsInForm(puzzle, form, inForm(puzzle, form, instance))!;
      expect(drawingOf(puzzle)!.read(rows)).toBe(puzzle.writeId(instance));
      const key = gradingKey(puzzle, instance, solution);
      const answer = inForm(puzzle, form, instance, solution);
      for (const text of [answer, `\`\`\`\n${answer}\n\`\`\``, `\n${answer}\n\n`])
        expect(gradeAnswer(key, text).verdict, text).toEqual({ verdict: "correct" });
      if (form === "intformat-json")
        expect(gradeAnswer(key, `{"response": ${answer}}`).verdict).toEqual({ verdict: "correct" });
      expect(puzzlePrompt(puzzle, instance, "full", [form, "example", "unique"])).toContain(
        inForm(puzzle, form, instance),
      );
    }
  });

  it.each(boardForms)("%s: spoilt answers are never paid", (form) => {
    const random = Random.from("spoilt forms").child(name, form);
    let spoiltOnes = 0;
    for (let draw = 0; draw < 600; draw++) {
      const { instance, solution } = problems[draw % problems.length];
      const text = inForm(puzzle, form, instance, solution);
      const places = [...text.matchAll(/[^\s,[\]"]/g)].map(({ index }) => index);
      const at = random.pick(places);
      const symbol = random.pick([...text, ..."x|-#.3A"].filter((one) => /[^\s,[\]"]/.test(one)));
      const spoilt = text.slice(0, at) + symbol + text.slice(at + 1);
      const { verdict, parts } = gradeAnswer(gradingKey(puzzle, instance, solution), spoilt);
      // A title or a line of a table's frame is no part of the answer; cells are.
      const own = answerInForm(puzzle, instance, spoilt);
      const same = own === puzzle.renderAnswer(instance, solution) || answerInForm(puzzle, instance, text) === own;
      expect(verdict.verdict === "correct", `${puzzle.writeId(instance)}\n${spoilt}`).toBe(same);
      if (!same) expect(parts.completion).toBeLessThan(1);
      if (verdict.verdict !== "correct") spoiltOnes++;
    }
    expect(spoiltOnes).toBeGreaterThan(200);
  });
});

it("boards drawn by hand", () => {
  for (const [name, [id, givens, answer]] of Object.entries(byHand)) {
    const puzzle = puzzleNamed(name);
    const instance = puzzle.readId(id);
    if (givens !== undefined) expect(drawingOf(puzzle)!.read(givens.split("\n")), name).toBe(id);
    if (answer !== undefined)
      expect(gradeAnswer(gradingKey(puzzle, instance), answer).verdict).toEqual({ verdict: "correct" });
  }
});

it("codes are TopoBench's", () => {
  const coded = (name: PuzzleName, text: string) => rowsInForm(puzzleNamed(name), "intformat", text);
  expect(coded("bridges", "7,4,E\n2,3,D")).toEqual(["3.|", '"-=']);
  expect(coded("flowfree", "3,2,C")).toEqual(["A.J"]);
  expect(coded("galaxies", "2,3,4,5,0")).toEqual(["+-o| "]);
  expect(coded("slitherlink", "3,6,7,8,2")).toEqual(["03x|-"]);
  expect(coded("pattern", "0,A,B,X,Y,Z,9")).toEqual([" .#+-|9"]);
  expect(coded("undead", "F,E,4,D,I,3,H,2")).toEqual(["G:09\\/Z."]);
  expect(coded("bridges", "7,ZZ")).toBeUndefined();
});

it("a puzzle without drawings says so, and a clue without a code too", () => {
  const hitori = puzzleNamed("hitori");
  const plain = hitori.readId(hitori.example);
  expect(() => puzzlePrompt(hitori, plain, "full", ["drawn"])).toThrow("hitori has no other way");
  const pattern = puzzleNamed("pattern");
  const long = pattern.readId("10x1:1/1/1/1/1/1/1/1/1/1/10");
  expect(() => inForm(pattern, "intformat", long)).toThrow('no code stands for "0"');
});
