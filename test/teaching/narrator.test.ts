import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { reasoningText } from "../../src/grading/tags.ts";
import { type PuzzleName, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { puzzlePrompt } from "../../src/puzzles/prompt.ts";
import { gradeResponse, gradingKey } from "../../src/puzzles/verification.ts";
import { type Primitive, primitives } from "../../src/rollouts/primitives.ts";
import { type NarrationOptions, narrate, terseResponse } from "../../src/teaching/narrator.ts";
import { terseLabels } from "../../src/teaching/terse-language.ts";

const count = 40;

function made(name: PuzzleName, i: number) {
  const puzzle = puzzleNamed(name);
  return puzzle.generate(puzzle.readParams(puzzle.usual.small), Random.from("narrator").child(name, i));
}

const options = (i: number, change: Partial<NarrationOptions> = {}): NarrationOptions => ({
  style: "terse",
  random: Random.from("telling").child(i),
  guessing: 0.5,
  errorRate: 0.03,
  repertoire: "full",
  maxSteps: 400,
  ...change,
});

describe.each(puzzleNames)("%s", (name) => {
  const puzzle = puzzleNamed(name);

  it("is solved aloud, and the answer verifies", () => {
    for (let i = 0; i < count; i++) {
      const { instance, solution } = made(name, i);
      const told = narrate(name, instance, options(i));
      expect(told.answer, puzzle.writeId(instance)).toBeDefined();
      const { verdict } = gradeResponse(gradingKey(puzzle, instance, solution), terseResponse(told));
      expect(verdict).toEqual({ verdict: "correct" });
    }
  });

  it("the model of constraints allows the solution and nothing that breaks a rule", () => {
    for (let i = 0; i < count; i++) {
      const { instance, solution } = made(name, i);
      const model = puzzle.constraints(instance);
      const told = narrate(name, instance, options(i, { guessing: 1, errorRate: 0 }));
      expect(puzzle.readAnswer(instance, told.answer!)).toEqual(
        puzzle.readAnswer(instance, puzzle.renderAnswer(instance, solution)),
      );
      expect(model.start.length).toBeGreaterThan(0);
    }
  });

  it("a terse trace gives back the label of every step", () => {
    for (let i = 0; i < count; i++) {
      const told = narrate(name, made(name, i).instance, options(i));
      expect(terseLabels(reasoningText(terseResponse(told)))).toEqual(told.steps.map(({ primitive }) => primitive));
    }
  });

  it("without guesses and slips it never goes back; eager guessing does", () => {
    const labels = (change: Partial<NarrationOptions>) =>
      Array.from({ length: count }, (_, i) => narrate(name, made(name, i).instance, options(i, change)).steps)
        .flat()
        .map((step) => step.primitive);
    const direct = labels({ repertoire: "direct" });
    for (const searching of ["enumerate", "hypothesize", "backtrack"] as const) expect(direct).not.toContain(searching);
    expect(direct.filter((label) => label === "plan")).toHaveLength(count);
    const eager = labels({ guessing: 1, errorRate: 0 });
    expect(eager).toContain("hypothesize");
    expect(eager).toContain("backtrack");
    expect(eager.filter((label) => label === "hypothesize").length).toBeGreaterThanOrEqual(
      eager.filter((label) => label === "backtrack").length,
    );
  });

  it("opens with a plan whose next word says whether it likes to guess", () => {
    const opening = (guessing: number) => narrate(name, made(name, 0).instance, options(0, { guessing })).steps[0].text;
    expect(opening(0)).toBe("plan scan");
    expect(opening(1)).toBe("plan guess");
  });

  it("checks as it goes: checks stand between computations, on lines just filled, and no line is checked twice in vain", () => {
    let alternations = 0;
    for (let i = 0; i < count; i++) {
      const { steps } = narrate(
        name,
        made(name, i).instance,
        options(i, { guessing: 0, errorRate: 0, repertoire: "direct" }),
      );
      const labels = steps.map(({ primitive }) => primitive).join(" ");
      alternations += labels.split("check compute check").length - 1;
      const checks = steps.filter(({ primitive }) => primitive === "check").map(({ text }) => text);
      expect(new Set(checks).size).toBe(checks.length);
      // Deduction alone never fills a line wrongly.
      expect(checks.every((text) => text.endsWith(" ok"))).toBe(true);
    }
    expect(alternations).toBeGreaterThan(count / 4);
  });

  it("the same random stream tells the same story, another one another", () => {
    const { instance } = made(name, 0);
    const story = (i: number) =>
      narrate(name, instance, options(i, { style: "prose" }))
        .steps.map((step) => step.text)
        .join("\n");
    expect(story(1)).toBe(story(1));
    expect(story(1)).not.toBe(story(2));
  });

  it("looks at the givens alone: the prompt holds everything that its first words do", () => {
    const { instance } = made(name, 0);
    const again = puzzle.readId(puzzle.writeId(instance));
    const told = (given: unknown) => narrate(name, given, options(3)).steps;
    expect(told(again)).toEqual(told(instance));
    expect(puzzlePrompt(puzzle, again)).toBe(puzzlePrompt(puzzle, instance));
  });
});

it("prose has about the mix of primitives of the paper's teacher", () => {
  /** Percent of labels, DSR puzzles in the paper's table. */
  const teacher: Record<Primitive, number> = {
    plan: 4.7,
    setup: 26.8,
    enumerate: 9.6,
    hypothesize: 4.6,
    compute: 17.9,
    check: 23.4,
    backtrack: 3.2,
    summarize: 1.6,
    other: 8.2,
  };
  // Of the paper's own puzzles.
  const labels = (["bridges", "galaxies", "pattern", "undead"] as const).flatMap((name) =>
    Array.from(
      { length: count },
      (_, i) => narrate(name, made(name, i).instance, options(i, { style: "prose", guessing: 1 })).steps,
    ).flat(),
  );
  for (const primitive of primitives) {
    const percent = (100 * labels.filter((step) => step.primitive === primitive).length) / labels.length;
    expect(
      Math.abs(percent - teacher[primitive]),
      `${primitive} ${percent.toFixed(1)}% against ${teacher[primitive]}%`,
    ).toBeLessThan(5);
  }
});
