// TypeScript here, PyTorch there: the engine contract over a real server on this machine's processor, and SFT, GSPO with
// the novelty bonus, saving and going on through the same loops that drive the embedded engine.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConformanceSubject, conformanceChecks } from "../../src/engine/conformance.ts";
import { decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { TinkerEngine } from "../../src/engine/tinker/tinker-engine.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import type { RlEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { eventsOf, toyProblems, toySequence, tokenizer as toyTokenizer } from "../training/toy-policy.ts";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const missing =
  spawnSync(python, ["-c", "import torch, transformers, safetensors, numpy"], { stdio: "ignore" }).status === 0
    ? undefined
    : `${python} has no torch, transformers and safetensors; set REPERTOIRE_PYTHON to one that has`;
if (missing !== undefined) console.log(`skipping the torch-engine: ${missing}`);

const folder = mkdtempSync(join(tmpdir(), "repertoire-torch-"));
const tokenizer = wordTokenizer(["aa", "bb", "cc", "dd", "ee", "ff"]);
let server: ChildProcess | undefined;
let url = "";

function start(name: string, vocabularySize: number): Promise<string> {
  const model = join(folder, name);
  spawnSync("mkdir", ["-p", model]);
  const config = decoderConfig({
    family: "llama",
    vocabularySize,
    width: 32,
    layers: 2,
    heads: 4,
    keyHeads: 2,
    contextLength: 64,
  });
  writeFileSync(join(model, "config.json"), JSON.stringify(config.source));
  const args = [
    "-m",
    "repertoire_torch_engine",
    "--model",
    model,
    "--device",
    "cpu",
    "--port",
    "0",
    "--threads",
    "1",
    "--checkpoints",
    join(folder, `${name}-checkpoints`),
  ];
  server = spawn(python, args, {
    cwd: resolve(import.meta.dirname, "../../integrations/torch-engine"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done, fail) => {
    createInterface(server!.stdout!).once("line", (line) => done(JSON.parse(line).ready));
    server!.once("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
}

afterAll(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(missing !== undefined)("torch-engine", () => {
  beforeAll(async () => {
    url = await start("conformance", tokenizer.vocabularySize);
  }, 120_000);

  const connect = (loraRank: number, own = tokenizer) =>
    TinkerEngine.connect({
      url,
      kind: "repertoire",
      baseModel: "tiny",
      loraRank,
      seed: 1,
      tokenizer: own,
      contextLength: 64,
    });

  const subject: ConformanceSubject = {
    create: () => connect(0),
    prompts: [tokenizer.encode("aa bb cc"), tokenizer.encode("dd")],
    tolerance: 1e-4,
    without: { "stop strings": "the protocol stops at tokens" },
  };
  for (const check of conformanceChecks(subject)) {
    it.skipIf(check.skipped !== undefined)(check.name, check.run, 60_000);
  }
});

describe.skipIf(missing !== undefined)("the loops over torch-engine", () => {
  beforeAll(async () => {
    server?.removeAllListeners("exit");
    server?.kill();
    url = await start("loops", toyTokenizer.vocabularySize);
  }, 120_000);

  it("SFT, then GSPO with KL and the novelty bonus on adapters, saved and gone on with", async () => {
    const engine = await TinkerEngine.connect({
      url,
      kind: "repertoire",
      baseModel: "tiny",
      loraRank: 8,
      seed: 1,
      tokenizer: toyTokenizer,
      contextLength: 64,
    });
    const corpus = Array.from({ length: 12 }, (_, i) => toySequence("ABC"[i % 3], i % 4 === 0 ? "a b" : "abc"[i % 3]));
    const tokens = corpus.reduce((sum, sequence) => sum + sequence.tokens.length - sequence.promptLength, 0);
    const losses: number[] = [];
    for (let step = 0; step < 12; step++) {
      const scores = await engine.accumulate(
        corpus.map((sequence) => ({
          ...sequence,
          weights: new Float32Array(sequence.tokens.length - sequence.promptLength).fill(1 / tokens),
        })),
      );
      losses.push(-scores.reduce((sum, { logprobs }) => sum + logprobs.reduce((a, b) => a + b, 0), 0) / tokens);
      await engine.step({ learningRate: 2e-2, maxGradientNorm: 1 });
    }
    expect(losses.at(-1)!).toBeLessThan(losses[0] - 0.5);
    await engine.save("sft");

    const options = rlOptionsSchema.parse({
      objective: {
        algorithm: "gspo",
        advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 2 } } },
      },
      steps: 4,
      problemsPerStep: 6,
      rolloutsPerProblem: 4,
      rolloutsPerUpdate: 24,
      epochs: 2,
      learningRate: 5e-3,
      sampling: { temperature: 0.8, maxTokens: 6 },
      stepsPerCheckpoint: 2,
    });
    const loop = (from?: Extract<RlEvent, { type: "rl-checkpoint" }>["state"]) =>
      rlLoop({ engine, problems: toyProblems(60), reference: "sft", options, from, clock: () => 0 });
    const before = await eventsOf(loop(), (event) => event.type === "rl-checkpoint");
    const { state } = before.at(-1) as Extract<RlEvent, { type: "rl-checkpoint" }>;
    const after = await eventsOf(loop(state));
    const steps = [...before, ...after].filter((event) => event.type === "rl-step");
    expect(steps.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
    expect(steps[0].updates[0].kl).toBeCloseTo(0, 4); // the policy is its reference before the first update
    expect(steps[3].updates[0].kl!).toBeGreaterThan(0);
    await engine.dispose();
  }, 180_000);
});
