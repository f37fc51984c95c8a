// Golden values made by `python integrations/golden/engine.py make test/engine/golden`, and that program itself where a
// Python with torch, transformers and peft is at hand (REPERTOIRE_PYTHON, or python3).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readModel } from "../../src/engine/embedded/checkpoint/model-folder.ts";
import { readSafetensors } from "../../src/engine/embedded/checkpoint/safetensors.ts";
import type { Adapters } from "../../src/engine/embedded/model/adapters.ts";
import type { Parameter } from "../../src/engine/embedded/model/parameters.ts";
import { trainableSpecs } from "../../src/engine/embedded/model/sequence-graphs.ts";
import { type Feeds, tensorMaker } from "../../src/engine/embedded/onnx/session.ts";
import { AttentionInputs } from "../../src/engine/embedded/runtime/attention-inputs.ts";
import { SequenceRunner } from "../../src/engine/embedded/runtime/sequence-runner.ts";

export const goldenFolder = join(import.meta.dirname, "golden");
export const families = ["llama", "qwen3", "olmo3", "llama3-rope"] as const;

export type GoldenCase = {
  readonly temperature: number;
  readonly sequences: readonly {
    readonly tokens: number[];
    readonly promptLength: number;
    readonly weights: number[];
    readonly entropyWeights: number[];
  }[];
};

export function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), "utf8")) as T;
}

export async function readGolden(folder: string) {
  return {
    ...(await readModel(folder)),
    golden: readJson<GoldenCase>(folder, "case.json"),
    expected: await readSafetensors(join(folder, "expected.safetensors")),
  };
}

/** The golden model, made to run: scores and gradients as the engine computes them. */
export async function runnable(
  config: Awaited<ReturnType<typeof readModel>>["config"],
  parameters: ReadonlyMap<string, Parameter>,
  options: { readonly adapters?: Adapters; readonly rowsPerRun?: number } = {},
) {
  const tensors = await tensorMaker();
  const feeds: Feeds = {};
  for (const [name, { data, shape }] of parameters) feeds[name] = tensors.float(data, shape);
  const attention = new AttentionInputs(config, tensors);
  const runner = new SequenceRunner({ config, threads: 2, tensors, attention, ...options });
  const pass = { checkpoint: () => {}, describe: (i: number) => `sequence ${i}` };
  return {
    runner,
    score: (golden: GoldenCase, entropies: boolean) =>
      runner.score(feeds, golden.sequences, { temperature: golden.temperature, entropies, ...pass }),
    gradients: async (golden: GoldenCase, entropies: boolean) => {
      const sums = new Map(
        trainableSpecs(config, options.adapters).map(({ name, shape }) => [
          name,
          { shape, data: new Float32Array(shape.reduce((product, size) => product * size, 1)) },
        ]),
      );
      const weights = {
        logprob: golden.sequences.map((sequence) => sequence.weights),
        entropy: golden.sequences.map((sequence) => sequence.entropyWeights),
      };
      const scores = await runner.accumulate(feeds, sums, golden.sequences, weights, {
        temperature: golden.temperature,
        entropies,
        ...pass,
      });
      return { scores, sums };
    },
  };
}

/** |a − b| / |b| over whole tensors. */
export function relativeDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let size = 0;
  for (let i = 0; i < expected.length; i++) {
    difference += (actual[i] - expected[i]) ** 2;
    size += expected[i] ** 2;
  }
  return actual.length === expected.length ? Math.sqrt(difference / size) : Number.POSITIVE_INFINITY;
}

export function largestDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let largest = actual.length === expected.length ? 0 : Number.POSITIVE_INFINITY;
  for (let i = 0; i < expected.length; i++) largest = Math.max(largest, Math.abs(actual[i] - expected[i]));
  return largest;
}

/** Log-probs and entropies to 1e-4, gradients to 1e-5 of each tensor's size. */
export async function expectAgreement(folder: string): Promise<void> {
  const { config, parameters, golden, expected } = await readGolden(folder);
  const model = await runnable(config, parameters);
  const given = (name: string) => expected.get(name)?.data ?? [];
  const scores = await model.score(golden, true);
  scores.forEach(({ logprobs, entropies }, i) => {
    expect(largestDifference(logprobs, given(`logprobs.${i}`))).toBeLessThan(1e-4);
    expect(largestDifference(entropies ?? [], given(`entropies.${i}`))).toBeLessThan(1e-4);
  });
  for (const [label, entropies] of [
    ["gradient", false],
    ["both", true],
  ] as const) {
    const { sums } = await model.gradients(golden, entropies);
    for (const [name, { data }] of sums) {
      expect(relativeDifference(data, given(`${label}.${name}`)), `${label} ${name}`).toBeLessThan(1e-5);
    }
  }
}

const program = join(import.meta.dirname, "../../integrations/golden/engine.py");

/** A Python that can run the golden program, or why there is none. */
export const python: { readonly command: string } | { readonly missing: string } = (() => {
  const command = process.env.REPERTOIRE_PYTHON ?? "python3";
  const modules = "torch transformers peft safetensors tokenizers";
  const code = `import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in "${modules}".split()))`;
  if (spawnSync(command, ["-c", code]).status === 0) return { command };
  return { missing: `${command} lacks one of ${modules}; set REPERTOIRE_PYTHON to a Python that has them` };
})();

export type Question =
  | { readonly verb: "make"; readonly folder: string }
  | { readonly verb: "logits"; readonly model: string; readonly tokens: readonly number[]; readonly adapter?: string }
  | { readonly verb: "encode"; readonly tokenizer: string; readonly texts: readonly string[] };

/** All questions of a test file go into one process: starting it is what takes long. */
export function askPython(questions: readonly Question[]): unknown[] {
  if (!("command" in python)) throw new Error(python.missing);
  const run = spawnSync(python.command, [program, "serve"], {
    input: JSON.stringify(questions),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as unknown[];
}
