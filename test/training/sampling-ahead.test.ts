import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import type { Sample, SampleRequest } from "../../src/engine/engine.ts";
import { ScriptedEngine } from "../../src/engine/scripted.ts";
import { collectAhead } from "../../src/rollouts/collect.ts";
import type { RlEvent, RlState, RlStepEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { type RlOptionsInput, rlOptionsSchema } from "../../src/training/rl-options.ts";
import { eventsOf, tokenizer, toyEngine, toyProblems } from "./toy-policy.ts";

const base: RlOptionsInput = {
  steps: 6,
  problemsPerStep: 6,
  rolloutsPerProblem: 4,
  rolloutsPerUpdate: 24,
  epochs: 1,
  learningRate: 0.1,
  sampling: { temperature: 1, maxTokens: 6 },
  stepsPerCheckpoint: 4,
  samplingAhead: { problems: 3, tokens: 2 },
};

/** Remembers what was asked and drawn, and the table it was drawn from. */
class Watched extends ScriptedEngine {
  readonly calls: { requests: readonly SampleRequest[]; samples: Sample[]; logits: Float64Array }[] = [];
  override async sample(...given: Parameters<ScriptedEngine["sample"]>): Promise<Sample[]> {
    const samples = await super.sample(...given);
    this.calls.push({ requests: given[0], samples, logits: this.logits.slice() });
    return samples;
  }
}

const watched = (seed = 3) => new Watched({ tokenizer, seed, contextLength: 16 });

async function run(options: RlOptionsInput, engine: ScriptedEngine = watched(), from?: RlState): Promise<RlEvent[]> {
  if (from === undefined) await engine.save("sft");
  const parsed = rlOptionsSchema.parse({ ...base, ...options });
  return eventsOf(
    rlLoop({ engine, problems: toyProblems(144), reference: "sft", options: parsed, from, clock: () => 0 }),
  );
}

/** Log-prob by hand: a row of the table, chosen by the last token. */
function logprob(logits: Float64Array, last: number, next: number): number {
  const size = tokenizer.vocabularySize;
  const row = logits.slice(last * size, (last + 1) * size);
  return row[next] - Math.log(row.reduce((sum, x) => sum + Math.exp(x), 0));
}

const isStep = (event: RlEvent): event is RlStepEvent => event.type === "rl-step";

describe("sampling ahead", () => {
  it("the first update's ratios are those of the tokens that an older policy drew, and of no others", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 99 }),
        async (problems, tokens, seed) => {
          const engine = watched(seed);
          const events = await run({ samplingAhead: { problems, tokens }, seed }, engine);
          const steps = events.filter(isStep);
          for (const [step, { updates }] of steps.entries()) {
            const { requests, samples, logits } = engine.calls[step];
            // Four steps, then a checkpoint: nothing is begun across it, nor after the last step.
            const begins = step === 3 || step === 5 ? 0 : problems * 4;
            const own = requests.length - begins;
            for (const request of requests.slice(own)) expect(request.maxTokens).toBe(Math.min(tokens, 6));
            const before = engine.calls[step - 1];
            const begun = step === 0 || step === 4 ? 0 : problems * 4;
            const first = before && begun > 0 ? before.samples.slice(-begun) : [];
            let open = 0;
            let ratios = 24 - begun;
            first.forEach((sample, i) => {
              const { prompt } = before.requests[before.requests.length - begun + i];
              const whole = [...prompt, ...sample.tokens];
              let length = sample.tokens.length;
              if (sample.finish === "length" && length < 6) {
                expect(requests[open].prompt).toEqual(whole);
                expect(requests[open].maxTokens).toBe(6 - length);
                length += samples[open++].tokens.length;
              }
              let moved = 0;
              for (let t = prompt.length; t < whole.length; t++) {
                moved += logprob(logits, whole[t - 1], whole[t]) - logprob(before.logits, whole[t - 1], whole[t]);
              }
              ratios += Math.exp(moved / length);
            });
            expect(own - open).toBe(24 - begun);
            expect(updates[0].ratio.mean).toBeCloseTo(ratios / 24, 5);
          }
        },
      ),
      { numRuns: 25 },
    ));

  it("every problem is asked once, in order, and as often as without it", async () => {
    const asked = async (options: RlOptionsInput) =>
      (await run(options)).flatMap((event) =>
        event.type === "rl-rollouts"
          ? event.rollouts.map(({ problem, attempt }) => `${event.step} ${problem} ${attempt}`)
          : [],
      );
    expect(await asked({})).toEqual(await asked({ samplingAhead: undefined }));
  });

  it("learns, and a run that resumes from a checkpoint tells the same", async () => {
    const larger = { steps: 12, problemsPerStep: 12, rolloutsPerProblem: 8, rolloutsPerUpdate: 48, epochs: 2 };
    const rates = (await run(larger)).filter(isStep).map(({ solveRate }) => solveRate);
    expect(rates[0]).toBeLessThan(0.5);
    expect(Math.max(...rates)).toBeGreaterThan(rates[0] + 0.2);
    const engine = watched();
    await engine.save("sft");
    const parsed = rlOptionsSchema.parse({ ...base, steps: 10 });
    const input = { engine, problems: toyProblems(60), reference: "sft", options: parsed, clock: () => 0 };
    const before = await eventsOf(rlLoop(input), (event) => event.type === "rl-checkpoint");
    const saved = before.find((event) => event.type === "rl-checkpoint")!;
    const after = await eventsOf(rlLoop({ ...input, from: saved.state }));
    const full = await eventsOf(rlLoop({ ...input, engine: await fresh() }));
    expect([...before, ...after]).toEqual(full);
  });

  it.each([
    ["dynamic sampling", { objective: { algorithm: "dapo" } }],
    ["greedy", { sampling: { temperature: 0, maxTokens: 6 } }],
    ["scoring temperature", { sampling: { temperature: 0.8, maxTokens: 6 }, scoringTemperature: 0.5 }],
    ["stop string", { sampling: { temperature: 1, maxTokens: 6, stopStrings: ["a"] } }],
    ["fewer than the 7", { samplingAhead: { problems: 7, tokens: 2 } }],
  ] as [string, RlOptionsInput][])("is refused where it cannot be corrected: %s", async (said, options) => {
    await expect(run(options)).rejects.toThrow(said);
  });

  it("a response that was cut is read as one text, without the token that ended it", async () => {
    const [problem] = toyProblems(1);
    const sampling = { temperature: 1, maxTokens: 6 };
    const random = Random.from(5);
    const ahead = { problems: [problem], random, tokens: 2 };
    const { begun } = await collectAhead(toyEngine(), [], { rolloutsPerProblem: 30, sampling, random, ahead });
    const { groups } = await collectAhead(toyEngine(), [problem], { rolloutsPerProblem: 30, sampling, random, begun });
    for (const [i, { sample, aheadTokens }] of groups[0].entries()) {
      expect(aheadTokens).toBe(begun[i].tokens.length);
      expect(sample.tokens.slice(0, aheadTokens)).toEqual(begun[i].tokens);
      const spoken = sample.tokens.filter((token) => token !== tokenizer.endOfText);
      expect(sample.text).toBe(tokenizer.decode(spoken));
      expect(sample.finish).toBe(sample.tokens.includes(tokenizer.endOfText) ? "stop" : "length");
      expect(sample.temperedLogprobs).toHaveLength(sample.tokens.length);
    }
  });
});

async function fresh(): Promise<Watched> {
  const engine = watched();
  await engine.save("sft");
  return engine;
}
