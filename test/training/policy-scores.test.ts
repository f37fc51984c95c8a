// Where the sampler's log-probs may stand for a pass over the rollouts: only when they agree on those that are compared.
import { describe, expect, it } from "vitest";
import type { Engine, Sample } from "../../src/engine/engine.ts";
import { comparedRollouts } from "../../src/training/policy-scores.ts";
import type { RlStepEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { eventsOf, toyEngine, toyProblems } from "./toy-policy.ts";

const base = {
  steps: 2,
  problemsPerStep: 6,
  rolloutsPerProblem: 8,
  epochs: 2,
  sampling: { temperature: 0.8, maxTokens: 4 },
  learningRate: 0.05,
  stepsPerCheckpoint: 2,
};

/** The toy's engine, which counts the sequences that are scored under the live policy, and whose sampler may be off. */
async function run(settings: object, off = 0) {
  const toy = toyEngine();
  await toy.save("start");
  const scored: number[] = [];
  const prompts: Set<string>[] = [];
  const shifted = (sample: Sample): Sample => ({
    ...sample,
    logprobs: sample.logprobs.map((value) => value + off),
    temperedLogprobs: sample.temperedLogprobs.map((value) => value + off),
  });
  const engine = new Proxy(toy as Engine, {
    get(target, name) {
      if (name === "sample")
        return async (...given: Parameters<Engine["sample"]>) => (await target.sample(...given)).map(shifted);
      if (name === "logprobs")
        return (...given: Parameters<Engine["logprobs"]>) => {
          if (given[1]?.checkpoint === undefined) {
            scored.push(given[0].length);
            prompts.push(new Set(given[0].map(({ tokens, promptLength }) => tokens.slice(0, promptLength).join())));
          }
          return target.logprobs(...given);
        };
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const options = rlOptionsSchema.parse({ ...base, ...settings });
  const events = await eventsOf(
    rlLoop({ engine, problems: toyProblems(12), reference: "start", options, clock: () => 0 }),
  );
  const steps = events.filter((event): event is RlStepEvent => event.type === "rl-step");
  return { steps, scored, prompts };
}

describe("a sampler that is taken at its word", () => {
  it("saves the pass over a batch, and training is the same", async () => {
    const paper = await run({});
    const cheap = await run({ samplerWithin: 1e-4 });
    // Two steps: 48 rollouts before the update, and again before the second epoch.
    expect(paper.scored).toEqual([48, 48, 48, 48]);
    expect(cheap.scored).toEqual([comparedRollouts, 48, comparedRollouts, 48]);
    // The few that are compared are of every problem.
    expect(cheap.prompts[0]).toEqual(paper.prompts[0]);
    cheap.steps.forEach((step, i) => {
      expect(step.reward).toEqual(paper.steps[i].reward);
      step.updates.forEach((update, u) => {
        expect(update.gradientNorm).toBeCloseTo(paper.steps[i].updates[u].gradientNorm!, 5);
      });
    });
  });

  it("is not, where it is further off than the bound: all rollouts are scored, and the step says so", async () => {
    const { steps, scored } = await run({ samplerWithin: 1e-3 }, 0.01);
    expect(scored).toEqual([comparedRollouts, 48, 48, comparedRollouts, 48, 48]);
    expect(steps[0].warnings).toContainEqual(
      "sampler and policy are 1.0e-2 apart per token, more than 0.001: all rollouts were scored",
    );
    expect((await run({ samplerWithin: 0.02 }, 0.01)).scored[1]).toBe(48);
  });

  it("is not, where the objective needs entropies or another temperature", async () => {
    const { scored } = await run({ samplerWithin: 1e-4, scoringTemperature: 0.5 });
    expect(scored[0]).toBe(48);
    const raw = await run({ samplerWithin: 1e-4, scoringTemperature: 1 });
    expect(raw.scored[0]).toBe(comparedRollouts);
  });
});
