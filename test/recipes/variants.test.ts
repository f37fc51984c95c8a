// RL runs of a recipe as a list: what a variant's objective becomes, and which part it plays.
import { describe, expect, it } from "vitest";
import { settingAt } from "../../src/base/setting-path.ts";
import { checkpointColorNames } from "../../src/drawing/palette.ts";
import { best, keptSteps } from "../../src/recipes/best-step.ts";
import { miniPreset, paperPreset, pilotsPreset, presetSettings } from "../../src/recipes/presets.ts";
import { recipeSchema, rlOptions } from "../../src/recipes/settings.ts";
import { givenTitle, stageTitle } from "../../src/recipes/variants.ts";
import { evaluationName, policyLooks, policyOf, recipeStages, roleOfObjective } from "../../src/runs/recipe-names.ts";
import { comparedPairs } from "../../src/traces/analysis/scope-analysis.ts";
import { objectiveSchema } from "../../src/training/objective.ts";

const withVariant = (objective: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  rlOptions(recipeSchema.parse({ ...more, variants: [{ name: "own", objective }] }), "own").objective;

describe("a variant's objective", () => {
  it("keeps of the recipe's GSPO what it does not change", () => {
    const more = { rl: { kl: 0.05, clipAbove: 0.1 }, novelty: { weight: 0.3, tokens: 7 } };
    expect(withVariant({ kl: { coefficient: 0 } }, more)).toMatchObject({
      algorithm: "gspo",
      clip: { below: 2.5e-3, above: 0.1 },
      kl: { coefficient: 0, clamp: "verl" },
    });
    expect(withVariant({ advantage: { bonus: { kind: "novelty", clip: 5 } } }, more)).toMatchObject({
      kl: { coefficient: 0.05 },
      advantage: {
        normalization: { divisor: "sample" },
        bonus: { kind: "novelty", weight: 0.3, top: { tokens: 7 }, clip: 5 },
      },
    });
  });

  it("of another algorithm has that one's own values", () => {
    expect(withVariant({ algorithm: "dapo" })).toEqual(objectiveSchema.parse({ algorithm: "dapo" }));
  });

  it("is the miniature's, too", () => {
    const own = presetSettings(miniPreset);
    const settings = recipeSchema.parse({
      ...own,
      rl: { ...own.rl, advantageFloor: 0, kl: 0.3 },
      novelty: { share: 0.2 },
    });
    const [vanilla, novelty] = settings.variants.map(({ name }) => rlOptions(settings, name).objective);
    expect(vanilla).toEqual(objectiveSchema.parse({ algorithm: "gspo", kl: { coefficient: 0.3 } }));
    expect(novelty.advantage).toMatchObject({ bonus: { kind: "novelty", weight: 0.1, top: { share: 0.2 } } });
  });
});

describe("a bonus in a word", () => {
  const settings = (...variants: object[]) => recipeSchema.parse({ novelty: { weight: 0.3 }, variants });
  const own = (variant: object) => {
    const { objective } = rlOptions(settings({ name: "own", ...variant }), "own");
    const role = roleOfObjective({ objective });
    return { bonus: objective.advantage.bonus, role };
  };

  it("is the recipe's own, and plays its part", () => {
    expect(own({ bonus: "novelty" })).toEqual({
      ...own({ objective: { advantage: { bonus: { kind: "novelty" } } } }),
      role: "novelty",
    });
    expect(own({ bonus: "novelty" }).bonus).toMatchObject({ weight: 0.3, score: "top-tokens", reference: "start" });
  });

  it.each([
    ["random", { score: "random", weight: 0.3 }],
    ["shuffled", { score: "shuffled", weight: 0.3 }],
    ["length", { score: "length", weight: 0.3 }],
    ["mean-nll", { score: "mean-nll", weight: 0.3 }],
    ["negative", { score: "top-tokens", weight: -0.3 }],
    ["all-rollouts", { rollouts: "all", weight: 0.3 }],
    ["base-reference", { reference: "base", weight: 0.3 }],
    ["motifs", { score: "motifs", weight: 0.3 }],
  ])("%s is a control: it plays neither the bonus's part nor vanilla GSPO's", (bonus, expected) => {
    expect(own({ bonus })).toMatchObject({ bonus: { kind: "novelty", ...expected }, role: undefined });
    const [variant] = settings({ name: "own", bonus }).variants;
    expect(givenTitle(variant)).toMatch(/bonus|novelty/i);
    expect(stageTitle(variant)).toBe(givenTitle(variant));
  });

  it("self-consistency pays for agreement, has no bonus and plays nobody's part", () => {
    const { advantage } = rlOptions(settings({ name: "own", bonus: "self-consistency" }), "own").objective;
    expect(advantage).toMatchObject({ reward: "agreement", bonus: { kind: "none" } });
    expect(own({ bonus: "self-consistency" }).role).toBeUndefined();
  });

  it("goes with changes of the objective beside it", () => {
    const variant = { bonus: "random", objective: { kl: { coefficient: 0.5 }, advantage: { bonus: { clip: 9 } } } };
    expect(own(variant).bonus).toMatchObject({ score: "random", clip: 9 });
    expect(rlOptions(settings({ name: "own", ...variant }), "own").objective.kl.coefficient).toBe(0.5);
  });

  it("is not needed by whoever says novelty, and vanilla GSPO is not run under that name", () => {
    const named = rlOptions(settings({ name: "novelty" }), "novelty").objective;
    expect(roleOfObjective({ objective: named })).toBe("novelty");
    expect(stageTitle(settings({ name: "novelty" }).variants[0])).toBe("GSPO with the novelty bonus");
    const bonus = { advantage: { bonus: { kind: "novelty" } } };
    const control = { advantage: { bonus: { kind: "novelty", score: "random" } } };
    for (const [name, objective, message] of [
      ["novelty", { kl: { coefficient: 0 } }, /without the novelty bonus/],
      ["novelty", control, /without the novelty bonus/],
      ["vanilla", bonus, /with the novelty bonus/],
    ] as const)
      expect(() => rlOptions(settings({ name, objective }), name)).toThrow(message);
    for (const name of ["vanilla", "novelty"])
      expect(stageTitle(settings({ name, bonus: "random" }).variants[0])).toBe("Bonus of random z");
    expect(givenTitle(settings({ name: "novelty", bonus: "random" }).variants[0])).toBe("Bonus of random z");
  });
});

describe("parts of the story", () => {
  const rl = (name: string, objective: Record<string, unknown>, title?: string) => ({
    kind: "rl",
    name,
    config: { objective: objectiveSchema.parse({ algorithm: "gspo", ...objective }), ...(title && { title }) },
  });
  const bonus = { advantage: { bonus: { kind: "novelty" as const } } };

  it("are read from what was trained, whatever it is called", () => {
    const look = policyLooks([
      rl("short", {}),
      rl("curious", { advantage: { estimator: "group", ...bonus.advantage } }, "Curious"),
      rl("noisy", { entropy: { kind: "fixed", coefficient: 0.1 } }, "Noisy"),
    ]);
    expect(["base", "sft", "short", "curious", "noisy"].map((name) => look(name).role)).toEqual([
      ...["base", "sft", "vanilla", "novelty", undefined],
    ]);
    expect(look("curious-step-10").role).toBeUndefined();
    expect(["short", "curious-step-10", "noisy-greedy"].map((name) => look(name).title)).toEqual([
      ...["short", "Curious step 10", "Noisy greedy"],
    ]);
    expect(policyLooks([])("vanilla")).toEqual({ title: "Vanilla GSPO", role: "vanilla" });
  });

  it("of two plain runs go to the one that is called so", () => {
    const look = policyLooks([rl("first", {}), rl("vanilla", {})]);
    expect([look("first").role, look("vanilla").role]).toEqual([undefined, "vanilla"]);
    expect(roleOfObjective({ objective: { algorithm: "grpo" } })).toBeUndefined();
  });

  it("and what a finished recipe has are not four names", () => {
    expect(recipeStages([{ id: "sft", kind: "sft" }])).toEqual([
      ...["sft", "vanilla", "novelty"],
      ...["base", "sft", "vanilla", "novelty"].map((name) => `evaluations/${name}`),
    ]);
    expect(recipeStages([], { from: "elsewhere" })).not.toContain("sft");
    const there = [
      { id: "dapo", kind: "rl" },
      { id: "evaluations/base", kind: "evaluate" },
    ];
    expect(recipeStages(there)).toEqual([
      "sft",
      "dapo",
      ...["base", "sft", "dapo"].map((name) => `evaluations/${name}`),
    ]);
  });

  it("names of further evaluations say whose they are", () => {
    expect(evaluationName("a-b", { checkpoint: "step-10", greedy: true, sampling: "t0.8" })).toBe(
      "a-b-step-10-greedy-at-t0.8",
    );
    for (const name of ["a-b", "a-b-step-10", "a-b-greedy", "a-b-at-t0.8", "a-b-step-10-greedy-at-t0.8-n4"])
      expect(policyOf(name)).toBe("a-b");
  });
});

describe("the best step", () => {
  it("is the earliest with the largest score, among the kept ones", () => {
    expect(keptSteps({ steps: 12, stepsPerCheckpoint: 5 })).toEqual([5, 10, 12]);
    expect(keptSteps({ steps: 10, stepsPerCheckpoint: 5 })).toEqual([5, 10]);
    expect(keptSteps({ steps: 3, stepsPerCheckpoint: 5 })).toEqual([3]);
    const scores = [0.1, 0.5, 0.5, 0.2].map((score, i) => ({ step: 5 * (i + 1), score }));
    expect(best(scores)).toBe(10);
  });
});

it.each([miniPreset, pilotsPreset, paperPreset])("$name is settings of the one recipe", (preset) => {
  const settings = recipeSchema.parse(presetSettings(preset));
  for (const [path, { value, from }] of Object.entries(preset.record)) {
    expect(settingAt(settings, path), path).toEqual(value);
    expect(from, path).not.toBe("");
  }
});

it("the pilots are the paper's alternatives", () => {
  const settings = recipeSchema.parse(presetSettings(pilotsPreset));
  const objectives = settings.variants.map(({ name }) => rlOptions(settings, name).objective);
  const kinds = objectives.map(({ exploration, entropy, kl, advantage }) => [
    ...[exploration.kind, entropy.kind, kl.coefficient],
    advantage.estimator === "group" && advantage.bonus.kind,
  ]);
  expect(kinds).toEqual([
    ["none", "none", 0.001, "none"],
    ["none", "fixed", 0.001, "none"],
    ["entropy-advantage", "none", 0, "none"],
    ["entropy-advantage", "none", 0.001, "none"],
    ["none", "none", 0.001, "novelty"],
  ]);
});

it("RL runs are compared with SFT, and with the plain one of them, whatever they are called", () => {
  const names = ["base", "sft", "dapo", "zero", "zero-step-10", "zero-greedy"];
  expect(comparedPairs(names, { vanilla: "zero" })).toEqual([
    ...[
      ["base", "sft"],
      ["sft", "zero"],
      ["sft", "dapo"],
      ["zero", "dapo"],
      ["base", "zero"],
      ["base", "dapo"],
    ],
  ]);
  expect(comparedPairs(["base", "sft", "vanilla", "novelty"])).toEqual([
    ...[
      ["base", "sft"],
      ["sft", "vanilla"],
      ["sft", "novelty"],
    ],
    ...[
      ["vanilla", "novelty"],
      ["base", "vanilla"],
      ["base", "novelty"],
    ],
  ]);
  const steps = Array.from({ length: 40 }, (_, i) => `run ${i}`);
  expect(comparedPairs(["sft", ...steps])).toHaveLength(1);
});

it("models that have nothing to do with each other are compared with the first, and steps of training by their ends", () => {
  const models = ["a", "b", "c", "d", "e", "f", "g", "h"];
  expect(comparedPairs(models)).toEqual(models.slice(1).map((name) => ["a", name]));
  const steps = (run: string) => [1, 2, 3, 4].map((step) => `${run}step ${step}`);
  expect(comparedPairs([...steps("x "), ...steps("y ")])).toEqual([
    ["x step 1", "x step 4"],
    ["x step 1", "y step 4"],
  ]);
  expect(comparedPairs([...steps(""), ...steps("y ")])).toEqual([
    ["step 1", "step 4"],
    ["step 1", "y step 4"],
  ]);
});

describe("colors of variants", () => {
  const variant = (name: string, color?: string) => ({ name, ...(color && { color }) });
  const parse = (...variants: object[]) => recipeSchema.safeParse({ variants });

  it("are of the palette, and no two the same", () => {
    expect(parse(variant("one", "pink"), variant("two", "lime")).success).toBe(true);
    expect(parse(variant("one", "mauve")).error?.message).toContain("pink");
    expect(parse(variant("one", "pink"), variant("two", "pink")).error?.message).toContain("the same color");
  });

  it("differ by default, whatever was chosen", () => {
    const roles = ["base", "sft", "vanilla", "novelty", ...Array(6).fill(undefined)];
    const chosen = roles.map((_, i) => (i === 5 ? "red" : undefined));
    for (const colors of [checkpointColorNames(roles), checkpointColorNames(roles, chosen)])
      expect(new Set(colors).size).toBe(roles.length);
    expect(checkpointColorNames(roles, chosen)[5]).toBe("at-vanilla");
  });

  it("and titles are looks: they may change when what was trained may not", () => {
    const runs = [{ kind: "rl", name: "own", config: { title: "Before", objective: { algorithm: "dapo" } } }];
    expect(policyLooks(runs)("own")).toEqual({ title: "Before" });
    expect(policyLooks(runs, { own: { title: "Now", color: "pink" } })("own")).toEqual({ title: "Now", color: "pink" });
  });
});
