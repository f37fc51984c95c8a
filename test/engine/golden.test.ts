// Log-probs, entropies and gradients equal PyTorch's, and decoding equals the full forward pass of transformers.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAdapters } from "../../src/engine/embedded/checkpoint/model-folder.ts";
import { readSafetensors } from "../../src/engine/embedded/checkpoint/safetensors.ts";
import { mergedParameters } from "../../src/engine/embedded/model/adapters.ts";
import { adamwStep, trained } from "../../src/engine/embedded/runtime/adamw.ts";
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
    const tensor = trained({ name: "w", shape: [7], role: "projection", data: Float32Array.from(golden.start) });
    golden.steps.forEach(({ gradient, norm, weight }, i) => {
      // torch descends, the engine ascends.
      tensor.gradient.set(gradient.map((value) => -value));
      const options = { learningRate: 0.03, beta1: 0.9, beta2: 0.95, epsilon: 1e-6, weightDecay: 0.1 };
      expect(adamwStep([tensor], { ...options, maxGradientNorm: 1.5 }, i + 1)).toBeCloseTo(norm, 5);
      expect(largestDifference(tensor.parameter.data, weight)).toBeLessThan(1e-6);
      expect(tensor.gradient.every((value) => value === 0)).toBe(true);
    });
  });
});
