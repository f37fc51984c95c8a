// Single habits of real servers, each of which once ended a run or spoilt it: seen on SkyRL a956457 (JAX backend).

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { ServerKind } from "../../src/engine/tinker/capabilities.ts";
import { TinkerEngine, type TinkerEngineOptions } from "../../src/engine/tinker/tinker-engine.ts";
import { tokenizer, toyEngine, toySequence } from "../training/toy-policy.ts";
import { type Behavior, behaviorOf, SoftmaxServer } from "./softmax-server.ts";

let server: SoftmaxServer | undefined;
const engines: TinkerEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.dispose();
  await server?.stop();
  server = undefined;
});

async function start(kind: ServerKind, behavior: Partial<Behavior> = {}): Promise<void> {
  server = await SoftmaxServer.start(behaviorOf(kind, behavior), toyEngine().logits.slice());
}

async function connect(kind: ServerKind, options: Partial<TinkerEngineOptions> = {}): Promise<TinkerEngine> {
  const shared = {
    kind,
    baseModel: "softmax",
    loraRank: 8,
    // Most servers have no field for it and refuse a request that holds one.
    loraAlpha: 64,
    seed: 1,
    tokenizer,
    contextLength: 16,
    patienceSeconds: 20,
  };
  const engine = await TinkerEngine.connect({ url: server?.url ?? "", ...shared, ...options });
  engines.push(engine);
  return engine;
}

const sequence = toySequence("A", "a b c");
const learn = async (engine: TinkerEngine, weight = 1) => {
  await engine.accumulate([{ ...sequence, weights: [weight, weight, weight, weight] }]);
  await engine.step({ learningRate: 0.1 });
};
const live = async (engine: TinkerEngine) => [...(await engine.logprobs([sequence]))[0].logprobs];
const frozen = async (engine: TinkerEngine, checkpoint: string) => [
  ...(await engine.logprobs([sequence], { checkpoint }))[0].logprobs,
];

const kinds = ["skyrl-jax", "tinker", "tuft"] as const;

it.each(kinds)("%s: a seed of 32 bits is brought into the server's range", async (kind) => {
  await start(kind);
  const engine = await connect(kind);
  const draw = (seed: number) => engine.sample([{ prompt: tokenizer.encode("A"), seed, maxTokens: 6, temperature: 1 }]);
  expect(await draw(2 ** 32 - 1)).toEqual(await draw(2 ** 31 - 1));
});

it.each(kinds)("%s: a log-prob that is no number is refused before it reaches the weights", async (kind) => {
  await start(kind);
  const engine = await connect(kind);
  await engine.save("start");
  const before = await live(engine);
  server!.diverged = true;
  await expect(live(engine)).rejects.toThrow(/says NaN for the log-prob of response token 3 of sequence 0/);
  await expect(learn(engine)).rejects.toThrow(/says NaN .* lower the learning rate, or load the last checkpoint/);
  await expect(frozen(engine, "start")).rejects.toThrow(/says NaN/);
  server!.diverged = false;
  expect(await live(engine)).toEqual(before);
});

it("skyrl-jax: weight decay that moves every model does not move the reference", async () => {
  await start("skyrl-jax");
  const engine = await connect("skyrl-jax");
  await engine.save("start");
  const before = await frozen(engine, "start");
  await engine.accumulate([{ ...sequence, weights: [1, 1, 1, 1] }]);
  await engine.step({ learningRate: 0.1, weightDecay: 0.5 });
  expect(await frozen(engine, "start")).toEqual(before);
});

it("waits for a place on a full server instead of giving up, and says so once", async () => {
  await start("skyrl-jax", { places: 1 });
  const first = await connect("skyrl-jax");
  const told: string[] = [];
  const second = connect("skyrl-jax", { emit: (message) => told.push(message) });
  setTimeout(() => void first.dispose(), 200);
  await live(await second);
  expect(told).toEqual([expect.stringMatching(/has no room for another model; waiting/)]);
});

it("says at once that an address does not answer, and gives up soon", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => closed.once("listening", done));
  const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((done) => closed.close(done));
  const told: string[] = [];
  await expect(
    connect("tinker", { url, patienceSeconds: 600, firstPatienceSeconds: 1, emit: (message) => told.push(message) }),
  ).rejects.toThrow(/did not answer for 1 s .*is the server running\?/);
  expect(told).toEqual([expect.stringMatching(/does not answer .*trying again for 1 s/)]);
});

it("the first Ctrl-C ends the waiting for a server that is gone", async () => {
  await start("tinker");
  const stop = new AbortController();
  const engine = await connect("tinker", { signal: stop.signal });
  engines.splice(0);
  await engine.accumulate([{ ...sequence, weights: [1, 1, 1, 1] }]);
  await server!.stop();
  server = undefined;
  setTimeout(() => stop.abort(new Error("stopped by hand")), 300);
  await expect(engine.step({ learningRate: 0.1 })).rejects.toThrow(/aborted|stopped by hand/);
});
