// The evaluation loop and the store against a real server that misbehaves in every way at once.
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { type EndpointInput, endpointSchema } from "../../src/endpoints/endpoint.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { endpointSampler } from "../../src/evaluation/endpoint-sampler.ts";
import { engineSampler } from "../../src/evaluation/engine-sampler.ts";
import { RolloutStore, rolloutFiles } from "../../src/evaluation/rollout-store.ts";
import type { Sampler } from "../../src/evaluation/sampler.ts";
import { missingTasks, sampleIntoStore } from "../../src/evaluation/sampling-loop.ts";
import { samplingWarnings } from "../../src/evaluation/sampling-warnings.ts";
import type { Rollout } from "../../src/rollouts/rollout.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";
import { ScriptedEngine } from "../engine/scripted.ts";
import { impatient, numberedProblems, testSettings } from "./numbered-problems.ts";

let folder: string;
const cleanup: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evaluation-"));
});
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task();
  await rm(folder, { recursive: true, force: true });
});

async function serve(behave: (asked: Asked) => Behavior): Promise<FakeServer> {
  const server = await startFakeServer(behave);
  cleanup.push(() => server.close());
  return server;
}

function samplerAt(url: string, options: Partial<EndpointInput> = {}): Sampler {
  const endpoint = { url, model: "m", ...impatient, ...options };
  const client = new EndpointClient(endpointSchema.parse(endpoint), {});
  cleanup.push(() => client.close());
  return endpointSampler(client, testSettings);
}

/** Samples what is missing into the folder, as the command does. */
async function evaluate(sampler: Sampler, problems: number, rolloutsPerProblem: number, signal?: AbortSignal) {
  const store = await RolloutStore.open(folder);
  let plan: object | undefined;
  try {
    const input = { problems: numberedProblems(problems), rolloutsPerProblem, sampler, seed: 1 };
    const end = await sampleIntoStore(store, { ...input, signal, onPlan: (told) => (plan = told) });
    return { plan, entries: [...store.entries()], end };
  } finally {
    await store.close();
  }
}

const logged = async () =>
  (await readFile(join(folder, rolloutFiles.log), "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Rollout);

const say = ({ body }: Asked) => ({
  say: `thinking about it with seed ${body.seed} and so on, at length\n<answer>4</answer>`,
});

describe("evaluation loop", () => {
  it("asks for every (problem, attempt) once, each with a seed of its own", async () => {
    const server = await serve(say);
    const { entries, end } = await evaluate(samplerAt(server.url), 5, 4);
    expect(entries).toHaveLength(20);
    expect(new Set(server.asked.map((asked) => asked.body.seed)).size).toBe(20);
    expect(end).toEqual({ sampled: { complete: 20, truncated: 0, failed: 0 }, stopped: false });
  });

  it("more rollouts later only adds, and the old ones stay as they are", async () => {
    const server = await serve(say);
    await evaluate(samplerAt(server.url), 3, 2);
    const before = await readFile(join(folder, rolloutFiles.log), "utf8");
    const { plan, entries } = await evaluate(samplerAt(server.url), 3, 5);
    expect(plan).toMatchObject({ present: 6, missing: 9 });
    expect(entries).toHaveLength(15);
    expect((await readFile(join(folder, rolloutFiles.log), "utf8")).startsWith(before)).toBe(true);
    expect(server.asked).toHaveLength(15);
  });

  it("a finished evaluation asks nothing", async () => {
    const server = await serve(say);
    await evaluate(samplerAt(server.url), 3, 2);
    await evaluate(samplerAt(server.url), 3, 2);
    expect(server.asked).toHaveLength(6);
  });

  it("seeds depend on problem and attempt alone", () => {
    const tasks = (count: number, rolloutsPerProblem: number) =>
      missingTasks({ problems: numberedProblems(count), rolloutsPerProblem, seed: 9 });
    const seedOf = (all: ReturnType<typeof tasks>) =>
      all.find((task) => task.problem.id === "p2" && task.attempt === 1)!.seed;
    expect(seedOf(tasks(3, 2))).toBe(seedOf(tasks(50, 32)));
  });

  it("more rollouts than a machine can list are refused, with their number", () => {
    const asking = () => missingTasks({ problems: numberedProblems(3), rolloutsPerProblem: 1e9, seed: 9 });
    expect(asking).toThrow(/1,000,000,000 rollouts of 3 problems are 3,000,000,000; .*ask for fewer/);
  });

  it("truncated and failed rollouts are states of their own; failed ones are asked for again", async () => {
    let broken = true;
    const server = await serve((asked) => {
      const problem = asked.body.messages![0].content;
      if (problem.includes("what is 1 "))
        return { say: null, reasoning: "still thinking about this one", finish: "length" };
      if (problem.includes("what is 2 ") && broken) return { status: 400, body: '{"error":{"message":"no"}}' };
      return say(asked);
    });
    const first = await evaluate(samplerAt(server.url), 4, 2);
    expect(first.end).toMatchObject({ sampled: { complete: 4, truncated: 2, failed: 2 } });
    const failed = (await logged()).filter((rollout) => rollout.state === "failed");
    expect(failed.map(({ problem, failure }) => [problem, failure])).toEqual([
      ["p2", "the server answered 400: no"],
      ["p2", "the server answered 400: no"],
    ]);
    broken = false;
    const second = await evaluate(samplerAt(server.url), 4, 2);
    expect(second.plan).toMatchObject({ present: 6, failedBefore: 2, missing: 2 });
    expect(second.entries.map(({ state }) => state).sort()).toEqual([
      ...new Array(6).fill("complete"),
      ...new Array(2).fill("truncated"),
    ]);
  });

  it("warns when rollouts repeat each other, also across a restart, but blames no server for draws of this process", async () => {
    const server = await serve(() => ({ say: "always exactly the same words, whatever the seed may be" }));
    const first = await evaluate(samplerAt(server.url), 2, 1);
    expect(samplingWarnings(first.entries, { temperature: 0.6 })).toEqual([]);
    const { entries } = await evaluate(samplerAt(server.url), 2, 2);
    expect(samplingWarnings(entries, { temperature: 0.6 })).toEqual([
      expect.stringContaining("2 of 2 rollouts repeat an earlier one"),
    ]);
    expect(samplingWarnings(entries, { temperature: 0.6, drawsHere: true })).toEqual([]);
  });

  it("warns when answers are empty because everything went into the reasoning", async () => {
    const server = await serve(({ body }) => ({
      say: "",
      reasoning: `thoughts and their answer 42, seed ${body.seed}`,
    }));
    const { entries } = await evaluate(samplerAt(server.url), 3, 1);
    expect(samplingWarnings(entries, { temperature: 0.6 })).toEqual([
      expect.stringContaining("3 of 3 rollouts ended by themselves with all of their text in the reasoning"),
    ]);
  });

  it("records the seed that was sent", async () => {
    const server = await serve(say);
    await evaluate(samplerAt(server.url), 3, 3);
    const sent = server.asked.map(({ body }) => body.seed).sort();
    expect((await logged()).map(({ seed }) => seed).sort()).toEqual(sent);
  });

  it("stops cleanly when asked to, keeps what came, and goes on later", async () => {
    const stop = new AbortController();
    let asked = 0;
    const server = await serve((request) => {
      asked += 1;
      if (asked === 10) stop.abort(new Error("stopped by hand"));
      return { ...say(request), delay: 5 };
    });
    const first = await evaluate(samplerAt(server.url, { concurrency: { start: 2, largest: 2 } }), 40, 1, stop.signal);
    expect(first.end.stopped).toBe(true);
    expect(first.entries.length).toBeGreaterThan(2);
    expect(first.entries.length).toBeLessThan(40);
    const second = await evaluate(samplerAt(server.url), 40, 1);
    expect(second.entries).toHaveLength(40);
    expect(await logged()).toHaveLength(40);
  });

  it("gives up on a server that answers nothing, and keeps the record of that", async () => {
    const server = await serve(() => ({ status: 500, body: '{"error":{"message":"down"}}' }));
    await expect(evaluate(samplerAt(server.url, { retries: 0 }), 200, 1)).rejects.toThrow(
      /64 requests in a row failed, the last because the server answered 500: down; the records are kept/,
    );
    expect((await logged()).length).toBeGreaterThanOrEqual(64);
  });

  it("a wrong key stops everything at once", async () => {
    const server = await serve(() => ({ status: 401 }));
    await expect(evaluate(samplerAt(server.url), 500, 1)).rejects.toThrow(
      "check the model's name, the address and the key",
    );
    expect(server.asked.length).toBeLessThanOrEqual(256);
    expect(await logged()).toHaveLength(0);
  });

  it.each(["a server", "an engine"])(
    "a disk that takes no more stops %s, and its error is the one told",
    async (kind) => {
      const server = await serve(say);
      const engine = new ScriptedEngine({ tokenizer: wordTokenizer(["what", "is", "+", "?"]), seed: 4 });
      const sampler =
        kind === "a server"
          ? samplerAt(server.url, { concurrency: { start: 2, largest: 2 } })
          : engineSampler(engine, { temperature: 1, maxTokens: 12 }, { policy: "scripted" });
      const store = await RolloutStore.open(folder);
      const append = store.append.bind(store);
      store.append = (...rollouts) =>
        store.size < 5 ? append(...rollouts) : Promise.reject(new Error("no space left on device"));
      const input = { problems: numberedProblems(500), rolloutsPerProblem: 1, sampler, seed: 1 };
      await expect(sampleIntoStore(store, input)).rejects.toThrow("no space left on device");
      await store.close();
      expect(server.asked.length).toBeLessThan(20);
    },
  );
});

describe("an engine as the policy", () => {
  it("gives the same records again for the same seed, and failed ones for prompts that do not fit", async () => {
    const words = ["what", "is", "+", "?", ...Array.from({ length: 10 }, (_, i) => String(i))];
    const tokenizer = wordTokenizer(words);
    const sampler = (contextLength: number) =>
      engineSampler(
        new ScriptedEngine({ tokenizer, seed: 4, contextLength }),
        { temperature: 1, maxTokens: 12 },
        { policy: "scripted" },
      );
    const first = await evaluate(sampler(64), 4, 3);
    expect(first.entries).toHaveLength(12);
    const texts = (await logged()).map(({ response }) => response);
    await rm(folder, { recursive: true });
    await evaluate(sampler(64), 4, 3);
    expect((await logged()).map(({ response }) => response)).toEqual(texts);
    await rm(folder, { recursive: true });
    const tight = await evaluate(sampler(4), 4, 1);
    expect(tight.entries.map(({ state }) => state)).toEqual(new Array(4).fill("failed"));
    expect((await logged())[0].failure).toContain("tokens and the context ends at 4");
  });
});

/** Every kind of trouble, decided by the seed and how often it was asked, so that runs are repeatable. */
function troubled(asked: Asked): Behavior {
  const random = Random.from(`trouble ${asked.body.seed} ${asked.nth}`);
  const kind = random.below(100);
  if (kind < 2) return { stall: true };
  if (kind < 8) return { status: 429, headers: { "retry-after": "0.02" } };
  if (kind < 14) return { status: 500 };
  if (kind < 20) return { ...say(asked), cut: true };
  if (kind < 22) return { ...say(asked), hang: true };
  if (kind < 24) return { reset: true };
  if (kind < 29) return { say: null, reasoning: `long thoughts that never end ${asked.body.seed}`, finish: "length" };
  if (kind < 33) return { say: "<think>the same words again and again and again</think>4" };
  return say(asked);
}

describe("everything at once", () => {
  it("1,000 problems on a troubled server: every record is accounted for", async () => {
    const server = await serve(troubled);
    const { entries, end } = await evaluate(samplerAt(server.url), 1000, 1);
    expect(entries).toHaveLength(1000);
    expect(new Set(entries.map(({ problem }) => problem)).size).toBe(1000);
    const { sampled } = end;
    expect(sampled.complete + sampled.truncated + sampled.failed).toBe(1000);
    expect(sampled.truncated).toBeGreaterThan(10);
    // Whatever stalled twice is a failure with its reason, and the next run asks only for those.
    const failures = (await logged()).filter(({ state }) => state === "failed");
    expect(failures.every(({ failure }) => failure !== undefined && failure.length > 0)).toBe(true);
    const again = await evaluate(samplerAt(server.url), 1000, 1);
    expect(again.plan).toMatchObject({ missing: failures.length });
  });

  it("kill -9 in the middle, twice, then resume: complete, nothing twice", async () => {
    const server = await serve(troubled);
    const [problems, rolloutsPerProblem] = [150, 3];
    const run = (killAfter?: number) =>
      new Promise<number | null>((resolve) => {
        const child = spawn(
          process.execPath,
          [
            "--import",
            "tsx",
            new URL("evaluation-child.ts", import.meta.url).pathname,
            folder,
            server.url,
            `${problems}`,
            `${rolloutsPerProblem}`,
          ],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        let kept = 0;
        child.stdout.on("data", (dots: Buffer) => {
          kept += dots.length;
          if (killAfter !== undefined && kept >= killAfter) child.kill("SIGKILL");
        });
        child.on("exit", (code) => resolve(code));
      });
    const sizes: number[] = [];
    for (const after of [100, 150]) {
      expect(await run(after)).toBeNull();
      sizes.push((await RolloutStore.read(folder)).size);
    }
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes[1]).toBeLessThan(problems * rolloutsPerProblem);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(await run()).toBe(0);
    const answered = (await logged()).filter(({ state }) => state !== "failed");
    const keys = answered.map(({ problem, attempt }) => `${problem} ${attempt}`);
    expect(new Set(keys).size).toBe(keys.length);
    const store = await RolloutStore.read(folder);
    expect(store.size).toBe(problems * rolloutsPerProblem);
    await store.close();
  });
});

describe("store", () => {
  const rollout = (problem: string, attempt: number, response = "some text"): Rollout => ({
    problem,
    attempt,
    policy: "m",
    state: "complete",
    response,
  });

  it("finds any text again by its place, with any characters in it", async () => {
    const store = await RolloutStore.open(folder);
    const texts = ["plain", "two\nlines", "é 😀 \u2028", "x".repeat(300_000)];
    for (const [i, text] of texts.entries()) await store.append(rollout("p", i, text));
    for (const [i, text] of texts.entries()) expect((await store.rollout(store.get("p", i)!)).response).toBe(text);
    await store.close();
    const again = await RolloutStore.read(folder);
    for (const [i, text] of texts.entries()) expect((await again.rollout(again.get("p", i)!)).response).toBe(text);
    await again.close();
  });

  it("concurrent appends do not mix", async () => {
    const store = await RolloutStore.open(folder);
    await Promise.all(Array.from({ length: 50 }, (_, i) => store.append(rollout("p", i, `text ${i}`))));
    for (let i = 0; i < 50; i++) expect((await store.rollout(store.get("p", i)!)).response).toBe(`text ${i}`);
    await store.close();
  });

  it("survives a torn last record, a lost index, a lagging index and a foreign index", async () => {
    const log = join(folder, rolloutFiles.log);
    const index = join(folder, rolloutFiles.index);
    const fill = async () => {
      const store = await RolloutStore.open(folder);
      await store.append(rollout("p", 0), rollout("p", 1), rollout("p", 2));
      await store.close();
    };
    const check = async (size: number) => {
      const store = await RolloutStore.open(folder);
      expect(store.size).toBe(size);
      for (const entry of store.entries()) expect((await store.rollout(entry)).attempt).toBe(entry.attempt);
      await store.close();
    };
    await fill();
    await appendFile(log, '{"problem":"p","attempt":3,"poli');
    await check(3);
    await rm(index);
    await check(3);
    const whole = await readFile(index, "utf8");
    await writeFile(index, whole.split("\n").slice(0, 1).join("\n") + "\n");
    await check(3);
    await writeFile(index, whole.replace('"offset":0', '"offset":7'));
    await check(3);
    await truncate(log, (await readFile(log)).indexOf(10) + 1);
    await check(1);
  });

  it("a broken record in the middle is a clear error, and nothing is changed", async () => {
    const log = join(folder, rolloutFiles.log);
    await writeFile(log, `${JSON.stringify(rollout("p", 0))}\n{broken\n${JSON.stringify(rollout("p", 1))}\n`);
    const before = await readFile(log, "utf8");
    await expect(RolloutStore.open(folder)).rejects.toThrow(/rollouts\.jsonl at byte \d+: a broken record/);
    expect(await readFile(log, "utf8")).toBe(before);
  });
});
