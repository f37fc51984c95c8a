// Log-probs, entropies and gradients equal PyTorch's, and decoding equals the full forward pass of transformers.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAdapters } from "../../src/engine/embedded/checkpoint/model-folder.ts";
import { readSafetensors } from "../../src/engine/embedded/checkpoint/safetensors.ts";
import { mergedParameters } from "../../src/engine/embedded/model/adapters.ts";
import { TrainedTensors } from "../../src/engine/embedded/runtime/trained-tensors.ts";
import {
  expectAgreement,
  families,
  goldenFolder,
  largestDifference,
  readGolden,
  readJson,
  relativeDifference,
  runnable,
} from "./golden.ts";

describe("golden values of PyTorch", () => {
  it.each(families)("%s: log-probs, entropies and the gradient of every parameter", (family) =>
    expectAgreement(join(goldenFolder, family)),
  );

  it("gradients do not depend on how sequences are put together", async () => {
    const { config, parameters, golden } = await readGolden(join(goldenFolder, "qwen3"));
    const together = await (await runnable(config, parameters)).gradients(golden, false);
    const apart = await (await runnable(config, parameters, { rowsPerRun: 16 })).gradients(golden, false);
    for (const [name, { data: gradient }] of together.sums) {
      expect(relativeDifference(apart.sums.get(name)?.data ?? [], gradient), name).toBeLessThan(1e-5);
    }
  });

  it("LoRA: log-probs and gradients of the adapters equal PEFT's, and merging changes nothing", async () => {
    const { config, parameters, golden } = await readGolden(join(goldenFolder, "llama"));
    const { adapters, parameters: lora } = await readAdapters(join(goldenFolder, "lora"), config);
    const expected = await readSafetensors(join(goldenFolder, "lora", "expected.safetensors"));
    const all = new Map([...parameters, ...lora]);
    const { scores, sums } = await (await runnable(config, all, { adapters })).gradients(golden, false);
    expect(sums.size).toBe(12);
    for (const [name, { data: gradient }] of sums) {
      expect(relativeDifference(gradient, expected.get(`gradient.${name}`)?.data ?? []), name).toBeLessThan(1e-5);
    }
    const merged = await (await runnable(config, mergedParameters(all, adapters))).score(golden, false);
    scores.forEach(({ logprobs }, i) => {
      expect(largestDifference(logprobs, expected.get(`logprobs.${i}`)?.data ?? [])).toBeLessThan(1e-4);
      expect(largestDifference(merged[i].logprobs, logprobs)).toBeLessThan(1e-4);
    });
  });

  it("AdamW with clipping takes the steps that torch.optim.AdamW takes", () => {
    const golden = readJson<{
      start: number[];
      steps: { gradient: number[]; norm: number; weight: number[] }[];
    }>(goldenFolder, "adamw.json");
    const weight = { name: "w", shape: [7], role: "projection", data: Float32Array.from(golden.start) } as const;
    const trained = new TrainedTensors([weight], { index: 0, count: 1, lanes: 1 });
    golden.steps.forEach((expected, i) => {
      const gradient = trained.gradients(0).get("w")?.data as Float32Array;
      // torch descends, the engine ascends.
      gradient.set(expected.gradient.map((value) => -value));
      const norm = Math.sqrt(trained.addUpGradient([], i + 1).get(0) as number);
      expect(norm).toBeCloseTo(expected.norm, 5);
      const options = { learningRate: 0.03, beta1: 0.9, beta2: 0.95, epsilon: 1e-6, weightDecay: 0.1 };
      trained.update({ ...options, maxGradientNorm: 1.5 }, i + 1, norm, undefined);
      expect(largestDifference(weight.data, expected.weight)).toBeLessThan(1e-6);
      expect(gradient.every((value) => value === 0)).toBe(true);
    });
  });
});
