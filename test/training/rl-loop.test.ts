import { describe, expect, it } from "vitest";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import type { RolloutLabeler } from "../../src/rollouts/taxonomy.ts";
import { noveltyScore } from "../../src/training/novelty.ts";
import type { RlEvent, RlState, RlStepEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { type RlOptionsInput, rlOptionsSchema } from "../../src/training/rl-options.ts";
import { times } from "./close.ts";
import { eventsOf, toyEngine, toyProblems, toySequence } from "./toy-policy.ts";

const base: RlOptionsInput = {
  steps: 12,
  problemsPerStep: 12,
  rolloutsPerProblem: 8,
  rolloutsPerUpdate: 48,
  epochs: 2,
  learningRate: 0.1,
  sampling: { temperature: 1, maxTokens: 6 },
  stepsPerCheckpoint: 4,
};

const labeler: RolloutLabeler = {
  id: "toy",
  taxonomy: paperTaxonomy,
  labels: (text) =>
    text.split(" ").flatMap((word) => (word === "hyp" ? ["hypothesize"] : word === "back" ? ["backtrack"] : [])),
};

async function start(options: RlOptionsInput, from?: RlState, engine = toyEngine()) {
  if (from === undefined) await engine.save("sft");
  const loop = rlLoop({
    engine,
    problems: toyProblems(400),
    reference: "sft",
    options: rlOptionsSchema.parse({ ...base, ...options }),
    labeler,
    from,
    clock: () => 0,
  });
  return { engine, loop };
}

const steps = (events: readonly RlEvent[]) => events.filter((event): event is RlStepEvent => event.type === "rl-step");

describe("RL loop", () => {
  it.each([
    ["GSPO", {}],
    [
      "GSPO with the novelty bonus",
      {
        objective: {
          algorithm: "gspo",
          advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 3 } } },
        },
      },
    ],
    ["GRPO", { objective: { algorithm: "grpo" } }],
    ["DAPO with dynamic sampling", { objective: { algorithm: "dapo" } }],
    ["CISPO", { objective: { algorithm: "cispo" } }],
    ["an entropy bonus", { objective: { algorithm: "gspo", entropy: { kind: "fixed", coefficient: 0.001 } } }],
    ["entropy-shaped advantages", { objective: { algorithm: "gspo", exploration: { kind: "entropy-advantage" } } }],
  ] as [string, RlOptionsInput][])("%s learns to answer", async (_, options) => {
    const { loop } = await start(options);
    const events = await eventsOf(loop);
    const all = steps(events);
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(all[0].solveRate).toBeLessThan(0.5);
    expect(Math.max(...all.map(({ solveRate }) => solveRate))).toBeGreaterThan(all[0].solveRate + 0.2);
  });

  it("measures a bonus against the model before SFT when told to, and says where there is none", async () => {
    const options = rlOptionsSchema.parse({
      ...base,
      steps: 1,
      sampling: { temperature: 1, maxTokens: 3 },
      objective: {
        algorithm: "gspo",
        advantage: { estimator: "group", bonus: { kind: "novelty", reference: "base", top: { tokens: 2 } } },
      },
    });
    const engine = toyEngine();
    await engine.save("before");
    const taught = toySequence("A", "a b c");
    for (let turn = 0; turn < 5; turn++) {
      await engine.accumulate([{ ...taught, weights: times(4, 1) }]);
      await engine.step({ learningRate: 0.3 });
    }
    await engine.save("sft");
    const shared = { engine, problems: toyProblems(24), reference: "sft", options, clock: () => 0 };
    const events = await eventsOf(rlLoop({ ...shared, base: "before" }));
    const rollouts = events.flatMap((event) => (event.type === "rl-rollouts" ? event.rollouts : []));
    const of = async (checkpoint: string, response: string, problem: string) => {
      const sequence = toySequence(problem[0], response);
      const [{ logprobs }] = await engine.logprobs([sequence], { checkpoint });
      return Array.from(logprobs).slice(0, response.split(" ").length);
    };
    // Three words that are themselves: what a response says is then what was sampled.
    const words = /^(?:(?:a|b|c|hyp|back) ?){3}$/;
    const cut = rollouts.filter(({ response, novelty }) => words.test(response) && novelty !== undefined);
    expect(cut.length).toBeGreaterThan(3);
    let apart = 0;
    for (const { response, problem, novelty } of cut) {
      const score = async (checkpoint: string) => noveltyScore(await of(checkpoint, response, problem), { tokens: 2 });
      expect(novelty!.score).toBeCloseTo(await score("before"), 6);
      apart = Math.max(apart, Math.abs(novelty!.score - (await score("sft"))));
    }
    expect(apart).toBeGreaterThan(0.1);
    await expect(eventsOf(rlLoop(shared))).rejects.toThrow(/no model before SFT/);
  });

  it("tells everything about a step, and the parts of the reward add up", async () => {
    const { loop } = await start({
      objective: {
        algorithm: "gspo",
        advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 3 } } },
      },
    });
    const [first] = steps(await eventsOf(loop, (event) => event.type === "rl-step"));
    expect(first.problems).toBe(12);
    expect(first.rollouts).toBe(96);
    const { exact, completion, format, bonus, total } = first.reward;
    expect(total).toBeCloseTo(exact + completion + format + bonus, 12);
    expect(first.solveRate).toBeCloseTo(exact, 12);
    expect(Object.keys(first.solveRateByFamily)).toEqual(["A", "B", "C"]);
    expect(first.updates).toHaveLength(4); // 96 rollouts, 48 an update, two epochs
    expect(first.updates[0].ratio.mean).toBeCloseTo(1, 12); // nothing has changed when the first update is made
    expect(first.primitives!.hypothesize).toBeGreaterThan(0);
  });

  it("stopped after any checkpoint and resumed, it leaves the same events as if it had never stopped", async () => {
    const options: RlOptionsInput = {
      objective: { algorithm: "gspo", entropy: { kind: "fixed", coefficient: 0.01 } },
    };
    const whole = await eventsOf((await start(options)).loop);
    const stopped = await start(options);
    const before = await eventsOf(stopped.loop, (event) => event.type === "rl-checkpoint");
    const { state } = before.at(-1) as Extract<RlEvent, { type: "rl-checkpoint" }>;
    const after = await eventsOf((await start(options, JSON.parse(JSON.stringify(state)), stopped.engine)).loop);
    expect([...before, ...after]).toEqual(whole);
  });

  it("saves what it has trained when it ends early, and never ends without a checkpoint", async () => {
    // From some moment on nothing is right any more: no group tells right from wrong, between two checkpoints.
    const engine = toyEngine();
    await engine.save("start");
    let gradings = 0;
    const problems = toyProblems(400).map((problem) => ({
      ...problem,
      grade: (response: string) => problem.grade(gradings++ < 500 ? response : "no answer"),
    }));
    const options = rlOptionsSchema.parse({
      ...base,
      objective: { algorithm: "dapo" },
      steps: 60,
      stepsPerCheckpoint: 1000,
    });
    const events = await eventsOf(rlLoop({ engine, problems, reference: "start", options, clock: () => 0 }));
    const end = events.at(-1) as Extract<RlEvent, { type: "rl-end" }>;
    expect(end).toMatchObject({ type: "rl-end", because: expect.stringMatching(/no group left/) });
    expect(end.steps).toBe(steps(events).length);
    expect(end.checkpoint).toBe(`step-${end.steps}`);
    expect(events.at(-2)).toMatchObject({
      type: "rl-checkpoint",
      state: { checkpoint: end.checkpoint, step: end.steps },
    });
  });

  it("dynamic sampling asks its problems again when all were asked, but none twice for one step", async () => {
    const engine = toyEngine();
    await engine.save("start");
    const options = rlOptionsSchema.parse({ ...base, objective: { algorithm: "dapo" }, steps: 8 });
    const problems = toyProblems(options.problemsPerStep * 3);
    const events = await eventsOf(rlLoop({ engine, problems, reference: "start", options, clock: () => 0 }));
    expect(events.at(-1)).toMatchObject({ type: "rl-end", steps: 8, because: "all steps done" });
    expect(steps(events).flatMap(({ warnings }) => warnings)).toContainEqual(
      expect.stringMatching(/dynamic sampling starts over/),
    );
    const asked = events.flatMap((event) =>
      event.type === "rl-rollouts" ? [event.rollouts.map((r) => r.problem)] : [],
    );
    expect(asked.flat().length).toBeGreaterThan(problems.length * options.rolloutsPerProblem);
    for (const step of asked) {
      const times = new Map<string, number>();
      for (const id of step) times.set(id, (times.get(id) ?? 0) + 1);
      expect(new Set(times.values())).toEqual(new Set([options.rolloutsPerProblem]));
    }
  });

  it("ends with a checkpoint even where there was nothing to learn from at all", async () => {
    const engine = toyEngine();
    await engine.save("start");
    const options = rlOptionsSchema.parse({ ...base, objective: { algorithm: "dapo" } });
    const hopeless = toyProblems(12).map((problem) => ({ ...problem, grade: () => problem.grade("no answer") }));
    const events = await eventsOf(rlLoop({ engine, problems: hopeless, reference: "start", options, clock: () => 0 }));
    expect(events.at(-1)).toMatchObject({ type: "rl-end", steps: 0, checkpoint: "step-0" });
    await engine.load("step-0");
  });

  it("DAPO's penalty on length acts at the length that is sampled, or is refused", async () => {
    const overlong = (more: object) =>
      ({
        objective: { algorithm: "dapo", advantage: { estimator: "group", overlong: { kind: "penalty", ...more } } },
      }) as RlOptionsInput;
    const { loop } = await start(overlong({}));
    const [first] = steps(await eventsOf(loop, (event) => event.type === "rl-step"));
    expect(first.truncatedShare).toBeGreaterThan(0);
    expect(first.reward.bonus).toBeLessThan(0);
    const late = await start(overlong({ maxTokens: 20_480, buffer: 4096 }));
    await expect(eventsOf(late.loop)).rejects.toThrow(
      /overlong penalty begins after 16384 tokens and responses end at 6/,
    );
  });

  it("calls entropy what is entropy: of the policy that drew, or where an objective asks for distributions", async () => {
    const updatesOf = async (options: RlOptionsInput) =>
      steps(await eventsOf((await start(options)).loop, (event) => event.type === "rl-step"))[0].updates;
    const plain = await updatesOf({});
    expect(plain.map(({ entropy }) => entropy !== undefined)).toEqual([true, false, false, false]);
    const asked = await updatesOf({ objective: { algorithm: "gspo", entropy: { kind: "fixed", coefficient: 1e-9 } } });
    for (const { entropy } of asked) expect(entropy).toBeCloseTo(plain[0].entropy!, 0);
    for (const { loss } of asked) expect(Number.isFinite(loss)).toBe(true);
  });

  it("says before anything is sampled what would fail later, or never act", async () => {
    const refused = async (options: RlOptionsInput, because: RegExp) => {
      const { engine, loop } = await start(options);
      engine.sample = () => Promise.reject(new Error("something was sampled"));
      await expect(eventsOf(loop)).rejects.toThrow(because);
    };
    const group = (advantage: object): RlOptionsInput => ({
      objective: { algorithm: "gspo", advantage: { estimator: "group", ...advantage } },
    });
    for (const advantage of [{ bonus: { kind: "novelty" } }, { reward: "agreement" }])
      await refused({ ...group(advantage), rolloutsPerProblem: 1 }, /each has one; raise rolloutsPerProblem/);
    // The context ends a response long before so many tokens: 16, with a prompt of one.
    const sampling = { temperature: 1, maxTokens: 500 };
    await refused(
      { ...group({ overlong: { kind: "penalty", maxTokens: 500 } }), sampling },
      /begins after 400 tokens and responses end at 15, so it would never act/,
    );
  });

  it("refuses to use a problem twice", async () => {
    const { loop } = await start({ steps: 50 });
    await expect(eventsOf(loop)).rejects.toThrow(/need 600 problems, there are 400/);
  });

  it("an unknown key is an error", () => {
    expect(() => rlOptionsSchema.parse({ learningrate: 1 })).toThrow(/learningrate/);
  });

  it("warns when recovery moves vanish", async () => {
    const { loop } = await start({ steps: 20, alarms: { recoveryShare: 0.9 } });
    const warnings = steps(await eventsOf(loop)).flatMap((event) => event.warnings);
    expect(warnings.join()).toMatch(/recovery is vanishing/);
  });
});
