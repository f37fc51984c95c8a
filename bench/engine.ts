// The embedded engine beside PyTorch on the same processor, the same model and the same number of threads, in one run:
// each round asks both for the same work in turn, and the best round of each counts. Prints ratios; seconds of a shared
// machine mean little. `npm run bench:engine [-- --rounds 5] [-- --threads 2]`, with REPERTOIRE_PYTHON naming a Python
// that has torch.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { GraphBuilder } from "../src/engine/embedded/graph/builder.ts";
import { gemm } from "../src/engine/embedded/graph/operators.ts";
import { Session, tensorMaker } from "../src/engine/embedded/onnx/session.ts";
import { createEmbeddedEngine, decoderConfig, type EmbeddedEngine, wordTokenizer } from "../src/engine/index.ts";

type Shape = {
  readonly vocabulary: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly context: number;
  readonly batch: number;
  readonly length: number;
};

type Outcome = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly tokens: number;
  readonly peakMegabytes: number;
};

type Task =
  | { readonly task: "train" | "score" }
  | { readonly task: "decode"; readonly sequences: number; readonly prompt: number; readonly new: number }
  | { readonly task: "matmul"; readonly size: number; readonly repeats: number };

const shapes: readonly Shape[] = [
  { vocabulary: 512, width: 256, layers: 6, heads: 4, feedForward: 704, context: 512, batch: 16, length: 256 },
  { vocabulary: 512, width: 128, layers: 6, heads: 4, feedForward: 352, context: 512, batch: 32, length: 384 },
];
const decode = { task: "decode", sequences: 64, prompt: 16, new: 240 } as const;
const peak = { task: "matmul", size: 1024, repeats: 20 } as const;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    threads: { type: "string", default: String(availableParallelism()) },
    contestant: { type: "string" },
    width: { type: "string" },
  },
});
const threads = Number(values.threads);

async function compare(): Promise<void> {
  const python = process.env.REPERTOIRE_PYTHON ?? "python3";
  if (
    spawnSync(python, ["-c", "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"]).status !== 0
  ) {
    console.error(`${python} has no torch; set REPERTOIRE_PYTHON to a Python that has, to compare with PyTorch.`);
    process.exit(1);
  }
  for (const shape of shapes.filter(({ width }) => values.width === undefined || width === Number(values.width))) {
    const self = fileURLToPath(import.meta.url);
    const ours = new Contestant(
      spawn(process.execPath, [
        "--import",
        import.meta.resolve("tsx"),
        self,
        "--threads",
        String(threads),
        "--contestant",
        JSON.stringify(shape),
      ]),
    );
    const peer = new Contestant(spawn(python, [join(import.meta.dirname, "engine-torch.py")]));
    const { version } = (await peer.ask({ task: "start", shape, threads })) as unknown as { version: string };
    console.log(
      `\nd=${shape.width}, ${shape.layers} layers, ${shape.heads} heads, ${shape.batch}x${shape.length} tokens, ${threads} threads, beside ${version}`,
    );
    const fastest = await peakRate(ours, peer);
    const work: Record<string, Task> = { train: { task: "train" }, score: { task: "score" }, decode };
    const memory: Record<string, readonly [number, number]> = {};
    for (const [name, task] of Object.entries(work)) {
      const best = await race(ours, peer, task, Number(values.rounds));
      memory[name] = [best.ours.peakMegabytes, best.peer.peakMegabytes];
      report(name, shape, best, fastest);
    }
    for (const name of ["train", "decode"]) {
      const [own, others] = memory[name];
      console.log(
        `  peak memory${name === "train" ? ", training" : ", everything"}: ${own.toFixed(0)} MB, ${(own / others).toFixed(2)}x PyTorch's ${others.toFixed(0)} MB`,
      );
    }
    ours.end();
    peer.end();
  }
}

type Best = { readonly ours: Outcome; readonly peer: Outcome };

/** Rounds in turn, each contestant idle while the other works; the first round warms up and does not count. */
async function race(ours: Contestant, peer: Contestant, task: Task, rounds: number): Promise<Best> {
  let best: Best | undefined;
  for (let round = 0; round <= rounds; round++) {
    const outcome = { ours: (await ours.ask(task)) as Outcome, peer: (await peer.ask(task)) as Outcome };
    if (round === 1) best = outcome;
    if (best !== undefined) best = { ours: faster(best.ours, outcome.ours), peer: faster(best.peer, outcome.peer) };
  }
  return best as Best;
}

function faster(a: Outcome, b: Outcome): Outcome {
  return {
    seconds: Math.min(a.seconds / a.tokens, b.seconds / b.tokens) * b.tokens,
    cpuSeconds: Math.min(a.cpuSeconds / a.tokens, b.cpuSeconds / b.tokens) * b.tokens,
    tokens: b.tokens,
    peakMegabytes: Math.max(a.peakMegabytes, b.peakMegabytes),
  };
}

async function peakRate(ours: Contestant, peer: Contestant): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    for (const contestant of [ours, peer]) {
      const { seconds } = (await contestant.ask(peak)) as Outcome;
      fewest = Math.min(fewest, seconds);
    }
  }
  return (2 * peak.size ** 3 * peak.repeats) / fewest;
}

function report(name: string, shape: Shape, { ours, peer }: Best, fastest: number): void {
  const rate = ({ tokens, seconds }: Outcome) => tokens / seconds;
  const cpuRate = ({ tokens, cpuSeconds }: Outcome) => tokens / cpuSeconds;
  const share = (100 * rate(ours) * operationsPerToken(name, shape)) / fastest;
  console.log(
    `  ${name.padEnd(7)} ${rate(ours).toFixed(0).padStart(7)} tokens/s, ${(rate(ours) / rate(peer)).toFixed(2)}x PyTorch by the clock, ` +
      `${(cpuRate(ours) / cpuRate(peer)).toFixed(2)}x by processor time; ${share.toFixed(0)}% of the matmul peak of ${(fastest / 1e9).toFixed(0)} GFLOP/s`,
  );
}

/** Multiplications and additions of the matrix products, attention counted for what causality leaves. */
function operationsPerToken(name: string, shape: Shape): number {
  const { width, layers, feedForward, vocabulary } = shape;
  const length = name === "decode" ? decode.prompt + decode.new : shape.length;
  const forward =
    2 * (layers * (4 * width ** 2 + 3 * width * feedForward) + vocabulary * width) + 2 * layers * length * width;
  return name === "train" ? 3 * forward : forward;
}

/** A process that takes tasks as JSON lines and answers with JSON lines. */
class Contestant {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#process = child;
    child.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async ask(task: object): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(task)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("a contestant ended before it answered");
    return JSON.parse(value);
  }

  end(): void {
    this.#process.stdin.end();
  }
}

/** The engine's side, in a process of its own so that its memory is its own. */
async function contend(shape: Shape): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-engine-"));
  const tokenizer = wordTokenizer(Array.from({ length: shape.vocabulary - 3 }, (_, i) => `w${i}`));
  const engine = await createEmbeddedEngine({
    model: {
      config: decoderConfig({
        family: "llama",
        vocabularySize: shape.vocabulary,
        width: shape.width,
        layers: shape.layers,
        heads: shape.heads,
        feedForwardWidth: shape.feedForward,
        contextLength: shape.context,
      }),
      tokenizer,
    },
    checkpoints: folder,
    threads,
    slots: decode.sequences,
  });
  const tokens = (row: number, length: number) =>
    Array.from({ length }, (_, t) => 3 + ((row * 7919 + t * t * 31 + t * 17) % (shape.vocabulary - 3)));
  const batch = Array.from({ length: shape.batch }, (_, row) => ({
    tokens: tokens(row, shape.length + 1),
    promptLength: 1,
    weights: new Float32Array(shape.length).fill(1 / (shape.batch * shape.length)),
  }));
  const run: Record<Task["task"], (task: Task) => Promise<number>> = {
    train: async () => {
      await engine.accumulate(batch);
      await engine.step({ learningRate: 1e-4, maxGradientNorm: 1 });
      return shape.batch * shape.length;
    },
    score: async () => {
      await engine.logprobs(batch);
      return shape.batch * shape.length;
    },
    decode: () => decodeWith(engine, tokens(0, decode.prompt)),
    matmul: multiply,
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const task = JSON.parse(line) as Task;
    // A policy is sampled right after a step, so what new weights cost is part of decoding.
    if (task.task === "decode") await engine.step({ learningRate: 0 });
    const cpu = process.cpuUsage();
    const start = performance.now();
    const counted = await run[task.task](task);
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const peakMegabytes = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, tokens: counted, peakMegabytes }));
  }
  await engine.dispose();
  rmSync(folder, { recursive: true });
}

/**
 * PyTorch's loop draws every token of every row, so these are responses that do not end before their last token: a seed
 * draws the same response in every round.
 */
async function decodeWith(engine: EmbeddedEngine, prompt: readonly number[]): Promise<number> {
  lastingSeeds ??= await seedsThatLast(engine, prompt);
  const samples = await engine.sample(requestsOf(prompt, lastingSeeds));
  return samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
}

let lastingSeeds: readonly number[] | undefined;

async function seedsThatLast(engine: EmbeddedEngine, prompt: readonly number[]): Promise<number[]> {
  const seeds: number[] = [];
  for (let from = 0; seeds.length < decode.sequences; from += decode.sequences) {
    const tried = Array.from({ length: decode.sequences }, (_, i) => from + i);
    const samples = await engine.sample(requestsOf(prompt, tried));
    seeds.push(...tried.filter((_, i) => samples[i].tokens.length === decode.new));
  }
  return seeds.slice(0, decode.sequences);
}

const requestsOf = (prompt: readonly number[], seeds: readonly number[]) =>
  seeds.map((seed) => ({ prompt, seed, maxTokens: decode.new, temperature: 1 }));

async function multiply(task: Task): Promise<number> {
  if (task.task !== "matmul") return 0;
  const g = new GraphBuilder("matmul");
  g.output("y", gemm(g, g.input("a", [task.size, task.size]), g.input("b", [task.size, task.size])));
  const session = await Session.create(g.build(), { threads });
  const make = await tensorMaker();
  const square = () => make.float(new Float32Array(task.size ** 2).fill(0.5), [task.size, task.size]);
  const feeds = { a: square(), b: square() };
  const y = square();
  for (let i = 0; i < task.repeats; i++) await session.run(feeds, [], { y });
  await session.dispose();
  return 0;
}

if (values.contestant === undefined) await compare();
else await contend(JSON.parse(values.contestant) as Shape);
