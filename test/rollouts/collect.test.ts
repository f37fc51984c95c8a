// Rollouts of a batch: seeds by problem and attempt, also where a problem is in the batch twice.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import type { Engine, Sample, SampleRequest } from "../../src/engine/engine.ts";
import { collectRollouts } from "../../src/rollouts/collect.ts";

const grade = () => ({ verdict: "wrong", reward: { exact: 0, completion: 0, format: 0, total: 0 } }) as const;
const problem = (id: string) => ({ id, family: "f", prompt: [1], grade });

describe("collecting rollouts", () => {
  it("a problem that is asked twice gets other seeds and attempts the second time; the first keeps its own", async () => {
    const asked: SampleRequest[] = [];
    const engine = {
      sample: async (requests: readonly SampleRequest[]) => {
        asked.push(...requests);
        return requests.map(
          (): Sample => ({ tokens: [1], logprobs: [0], text: "x", finish: "stop" }) as unknown as Sample,
        );
      },
    } as unknown as Engine;
    const options = { rolloutsPerProblem: 3, sampling: { temperature: 1, maxTokens: 2 }, random: Random.from(1) };
    const groups = await collectRollouts(engine, ["a", "b", "a"].map(problem), options);
    expect(groups.map((group) => group.map(({ attempt }) => attempt))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(9);
    const [alone] = await collectRollouts(engine, [problem("a")], options);
    expect(alone.map(({ seed }) => seed)).toEqual(groups[0].map(({ seed }) => seed));
  });
});
