// TypeScript here, PyTorch there: the engine contract over a real server on this machine's processor, and SFT, GSPO with
// the novelty bonus, saving and going on through the same loops that drive the embedded engine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConformanceSubject, conformanceChecks } from "../../src/engine/conformance.ts";
import { decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { failures, probe } from "../../src/engine/tinker/probe.ts";
import { TinkerEngine } from "../../src/engine/tinker/tinker-engine.ts";
import { loadTokenizer } from "../../src/engine/tokenizer.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { runRlStage } from "../../src/recipes/training-stage.ts";
import type { RlEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { eventsOf, toyProblems, toySequence, tokenizer as toyTokenizer } from "../training/toy-policy.ts";
import { TorchHost, type TorchProgram, withoutTorch } from "./torch-host.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-torch-"));
const tokenizer = wordTokenizer(["aa", "bb", "cc", "dd", "ee", "ff"]);
const shipped = resolve(import.meta.dirname, "../../models/mini-base");
const host = new TorchHost();
let server: TorchProgram | undefined;
let url = "";

function start(name: string, vocabularySize: number, { port = "0", device = "cpu", dtype = "float32" } = {}) {
  const model = join(folder, name);
  mkdirSync(model, { recursive: true });
  const shape = { width: 32, layers: 2, heads: 4, keyHeads: 2, contextLength: 64 };
  const config = decoderConfig({ family: "llama", vocabularySize, ...shape });
  writeFileSync(join(model, "config.json"), JSON.stringify(config.source));
  return serve(model, `${name}-checkpoints`, { port, device, dtype });
}

async function serve(model: string, checkpoints: string, { port = "0", device = "cpu", dtype = "float32" } = {}) {
  // One at a time: who starts another ends the one before.
  if (server !== undefined) host.kill(server);
  const flags = { model, device, dtype, port, threads: "1", checkpoints: join(folder, checkpoints) };
  const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  server = await host.run("repertoire_torch_engine", given);
  return JSON.parse(await server.firstLine).ready as string;
}

function expectNear(given: readonly number[][], wanted: readonly number[][]): void {
  given.forEach((row, i) => {
    row.forEach((value, t) => {
      expect(value).toBeCloseTo(wanted[i][t], 4);
    });
  });
}

afterAll(() => {
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(withoutTorch !== undefined).each([
  ["torch-engine", "cpu"],
  ["torch-engine with two replicas", "cpu,cpu"],
])("%s", (_, device) => {
  beforeAll(async () => {
    url = await start(`conformance-${device.length}`, tokenizer.vocabularySize, { device });
  });

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
  it("scores many answers to one prompt, which it runs once, as when each is asked alone", async () => {
    const engine = await connect(0);
    const prompts = [tokenizer.encode("aa bb cc dd"), tokenizer.encode("ff aa")];
    const sequences = prompts.flatMap((prompt) =>
      ["aa", "bb", "cc ee"].map((answer) => ({
        tokens: [...prompt, ...tokenizer.encode(answer)],
        promptLength: prompt.length,
      })),
    );
    const together = await engine.logprobs([...sequences, ...sequences.slice(0, 2)]);
    for (const [i, sequence] of sequences.entries()) {
      const [alone] = await engine.logprobs([sequence]);
      alone.logprobs.forEach((logprob, at) => {
        expect(together[i].logprobs[at]).toBeCloseTo(logprob, 4);
      });
    }
    expect(together[6].logprobs[0]).toBeCloseTo(together[0].logprobs[0], 4);
    await engine.dispose();
  });

  for (const check of conformanceChecks(subject)) {
    it.skipIf(check.skipped !== undefined)(check.name, check.run);
  }
});

describe.skipIf(withoutTorch !== undefined)("torch-engine in bf16, as on a GPU", () => {
  beforeAll(async () => {
    url = await serve(shipped, "bf16-checkpoints", { dtype: "bfloat16" });
  });

  it.each([16, 0])("does what an engine must, at rank %i", async (loraRank) => {
    const results = [];
    for await (const result of probe({ url, kind: "repertoire", loraRank, patienceSeconds: 5 })) results.push(result);
    expect(failures(results)).toEqual([]);
  });
});

describe.skipIf(withoutTorch !== undefined)("OpenAI's endpoints of torch-engine", () => {
  beforeAll(async () => {
    url = await serve(shipped, "openai-checkpoints");
  });

  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };

  it("answer for the model and for every saved checkpoint as the protocol's own samples do", async () => {
    const mini = await loadTokenizer(shipped);
    const prompt = "pattern 3 3 \n R1 1 \n R2 1 1 \n R3 2 \n C1 1 \n C2 1 1 \n C3 2 \n";
    const engine = await TinkerEngine.connect({
      ...{ url, kind: "repertoire", baseModel: "mini-base", loraRank: 4, seed: 1, tokenizer: mini, contextLength: 400 },
    });
    const said = async () => {
      const request = { prompt: mini.encode(prompt), seed: 1, maxTokens: 40, temperature: 0 };
      return (await engine.sample([request]))[0].text;
    };
    const base = await said();
    const tokens = mini.encode(`${prompt} so so so so`);
    const promptLength = mini.encode(prompt).length;
    for (let step = 0; step < 4; step++) {
      await engine.accumulate([
        { tokens, promptLength, weights: new Float32Array(tokens.length - promptLength).fill(1) },
      ]);
      await engine.step({ learningRate: 0.02 });
    }
    await engine.save("asked-by-others");
    const trained = await said();
    await engine.dispose();
    expect(trained).not.toBe(base);

    const listed = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(listed.data.map(({ id }) => id)).toEqual(["mini-base", "asked-by-others"]);
    const asked = { max_tokens: 40, temperature: 0, seed: 1 };
    for (const [model, expected] of [
      ["mini-base", base],
      ["asked-by-others", trained],
    ]) {
      const completion = JSON.parse((await post("completions", { ...asked, model, prompt })).text);
      expect(completion.choices[0].text).toBe(expected);
      expect(completion.usage.prompt_tokens).toBe(promptLength);
      // A model without a chat template reads what is said as it is.
      const messages = [{ role: "user", content: prompt }];
      const chat = JSON.parse((await post("chat/completions", { ...asked, model, messages, logprobs: true })).text);
      expect(chat.choices[0].message).toEqual({ role: "assistant", content: expected });
      expect(chat.choices[0].logprobs.content).toHaveLength(chat.usage.completion_tokens);
      const stream = await post("chat/completions", { ...asked, model, messages, stream: true });
      const chunks = stream.text.split("\n\n").filter((chunk) => chunk.startsWith("data: {"));
      const deltas = chunks.map((chunk) => JSON.parse(chunk.slice(6)).choices[0].delta.content ?? "");
      expect(deltas.join("")).toBe(expected);
      expect(stream.text).toMatch(/data: \[DONE\]\n\n$/);
    }
    const unknown = await post("completions", { ...asked, model: "never-saved", prompt });
    expect([unknown.status, JSON.parse(unknown.text).error.message]).toEqual([
      404,
      expect.stringMatching(/never-saved/),
    ]);
  });
});

describe.skipIf(withoutTorch !== undefined)("the loops over torch-engine", () => {
  beforeAll(async () => {
    url = await start("loops", toyTokenizer.vocabularySize);
  });

  it("merges SFT's adapter and begins a fresh one with another alpha, over the protocol", async () => {
    const shared = { url, kind: "repertoire", baseModel: "tiny", loraRank: 4, tokenizer: toyTokenizer } as const;
    const probe = [toySequence("A", "a b"), toySequence("B C", "c")];
    const live = async (engine: TinkerEngine, checkpoint?: string) =>
      (await engine.logprobs(probe, { checkpoint })).map(({ logprobs }) => [...logprobs]);
    const learn = async (engine: TinkerEngine) => {
      await engine.accumulate([{ ...probe[0], weights: [1, -1, 0.5] }]);
      await engine.step({ learningRate: 0.002 });
    };
    const sft = await TinkerEngine.connect({ ...shared, loraAlpha: 4, seed: 1, contextLength: 64 });
    await learn(sft);
    await sft.save("two-adapters-sft");
    const taught = await live(sft);
    const merged = await sft.mergeAdapter("two-adapters-sft");
    await sft.dispose();

    const moved = [];
    for (const loraAlpha of [4, 16]) {
      const rl = await TinkerEngine.connect({ ...shared, loraAlpha, seed: 2, contextLength: 64, baseWeights: merged });
      // A fresh adapter says nothing yet: the policy begins as SFT left it, and so does the reference.
      expectNear(await live(rl), taught);
      expectNear(await live(rl, merged), taught);
      await learn(rl);
      const after = await live(rl);
      moved.push(after[0][0] - taught[0][0]);
      expectNear(await live(rl, merged), taught);
      await rl.save(`two-adapters-rl-${loraAlpha}`);
      const again = await TinkerEngine.connect({ ...shared, loraAlpha, seed: 3, contextLength: 64 });
      await again.load(`two-adapters-rl-${loraAlpha}`);
      expectNear(await live(again), after);
      await again.dispose();
      await rl.dispose();
    }
    expect(Math.abs(moved[1])).toBeGreaterThan(1.5 * Math.abs(moved[0]));
  });

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
  });

  it("a run goes on when the server is killed and started again, and leaves what an undisturbed run leaves", async () => {
    const options = rlOptionsSchema.parse({
      objective: { algorithm: "gspo", advantage: { estimator: "group" } },
      steps: 4,
      problemsPerStep: 3,
      rolloutsPerProblem: 4,
      rolloutsPerUpdate: 6,
      epochs: 2,
      learningRate: 5e-3,
      sampling: { temperature: 0.8, maxTokens: 6 },
      stepsPerCheckpoint: 2,
    });
    const run = async (name: string, onStep: (step: number) => void) => {
      const recovered: string[] = [];
      await runRlStage({
        name,
        title: name,
        folder: join(folder, name),
        config: {},
        total: options.steps,
        open: () =>
          TinkerEngine.connect({
            url,
            kind: "repertoire",
            baseModel: "tiny",
            loraRank: 8,
            seed: 1,
            tokenizer: toyTokenizer,
            contextLength: 64,
          }),
        loop: async function* (engine, from) {
          if (from === undefined) await engine.save("start");
          yield* rlLoop({ engine, problems: toyProblems(12), reference: "start", options, from, clock: () => 0 });
        },
        emit: (event) => {
          if (event.type === "loop-event" && event.event.type === "rl-step") onStep(event.event.step);
          if (event.type === "recovered") recovered.push(event.resumesFrom);
        },
        now: new Date(0),
      });
      const lines = (file: string) =>
        readFileSync(join(folder, name, file), "utf8")
          .trim()
          .split("\n");
      return {
        recovered,
        records: [...lines("events.jsonl"), ...lines("rollouts.jsonl")].map((line) => JSON.parse(line)),
      };
    };
    const quiet = await run("quiet", () => {});
    let restarted: Promise<unknown> | undefined;
    const disturbed = await run("disturbed", (step) => {
      if (step !== 2 || restarted !== undefined) return;
      host.kill(server!, "SIGKILL");
      server = undefined;
      restarted = start("loops", toyTokenizer.vocabularySize, { port: new URL(url).port });
    });
    await restarted;
    expect(disturbed.recovered).toEqual(["step-2"]);
    expectAlike(disturbed.records, quiet.records);
  });
});

/** Equal but for the rounding of batches that were put together otherwise. */
function expectAlike(one: unknown, other: unknown): void {
  if (typeof one === "number" && typeof other === "number") expect(one).toBeCloseTo(other, 3);
  else if (one !== null && typeof one === "object" && other !== null && typeof other === "object") {
    expect(Object.keys(one)).toEqual(Object.keys(other));
    for (const [key, value] of Object.entries(one)) expectAlike(value, (other as Record<string, unknown>)[key]);
  } else expect(one).toBe(other);
}

describe.skipIf(withoutTorch !== undefined)("torch-engine's arithmetic", () => {
  it("is that of plain transformers and PEFT: windows, checkpointing, replicas, tight caches, merged adapters", async () => {
    const { code, out, errors } = await (await host.run("checks", [])).ended;
    expect(code, errors).toBe(0);
    const records = out.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    expect(records.filter(({ holds }) => !holds)).toEqual([]);
    expect(records).toHaveLength(95);
  });
});
