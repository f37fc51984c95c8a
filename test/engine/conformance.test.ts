// One suite over every engine: what the contract says holds for all of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, it } from "vitest";
import { type ConformanceSubject, conformanceChecks } from "../../src/engine/conformance.ts";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "../../src/engine/index.ts";
import { ScriptedEngine } from "./scripted.ts";

const tokenizer = wordTokenizer(["aa", "bb", "cc", "dd", "ee", "ff"]);
const prompts = [tokenizer.encode("aa bb cc"), tokenizer.encode("dd")] as const;
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const embedded = (family: "llama" | "qwen3" | "olmo3", replicas: number): ConformanceSubject => ({
  create: () =>
    createEmbeddedEngine({
      model: {
        config: decoderConfig({
          family,
          vocabularySize: tokenizer.vocabularySize,
          width: 32,
          layers: 2,
          heads: 4,
          keyHeads: 2,
          contextLength: 32,
          slidingWindow: family === "olmo3" ? 4 : undefined,
        }),
        tokenizer,
      },
      checkpoints: join(folder, `${family}-${replicas}`),
      seed: 3,
      threads: 2,
      replicas,
    }),
  prompts,
  tolerance: 1e-4,
});

const mini = resolve(import.meta.dirname, "../../models/mini-base");

const subjects: Record<string, ConformanceSubject> = {
  "the scripted engine": {
    create: async () => new ScriptedEngine({ tokenizer, seed: 3, contextLength: 32 }),
    prompts,
    tolerance: 1e-6,
    without: { "decay of matrices": "it is one table of logits" },
  },
  "the embedded engine, Llama-style, two replicas": embedded("llama", 2),
  "the embedded engine, OLMo-3-style, one replica on two threads": embedded("olmo3", 1),
  "the embedded engine, a trained model that is sure of what it says": {
    create: () =>
      createEmbeddedEngine({
        ...{ model: { folder: mini }, checkpoints: join(folder, "trained"), threads: 2 },
      }),
    prompts: [
      [2, 1, 5, 3, 4, 2, 1, 1, 3, 5, 4, 2],
      [3, 5, 1, 4, 2, 2, 5],
    ],
    tolerance: 1e-3,
    maxTokens: 40,
  },
};

describe.each(Object.entries(subjects))("%s", (_, subject) => {
  for (const check of conformanceChecks(subject)) {
    it.skipIf(check.skipped !== undefined)(check.name, check.run);
  }
});
