// The conformance suite run through the client over servers whose behavior is known: each passes as what it is, and training
// refuses what differs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type ServerKind, serverKinds } from "../../src/engine/tinker/capabilities.ts";
import { checkServer, failures, otherKinds, probe } from "../../src/engine/tinker/probe.ts";
import { toyEngine } from "../training/toy-policy.ts";
import { type Behavior, behaviorOf, SoftmaxServer } from "./softmax-server.ts";

let server: SoftmaxServer | undefined;
let folder: string | undefined;
afterEach(async () => {
  await server?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

async function start(kind: ServerKind, behavior: Partial<Behavior> = {}) {
  server = await SoftmaxServer.start(behaviorOf(kind, behavior), toyEngine().logits.slice());
  return { url: server.url, kind, loraRank: 8, patienceSeconds: 2 };
}

async function failed(asked: Parameters<typeof probe>[0]): Promise<string[]> {
  const results = [];
  for await (const result of probe(asked)) results.push(result);
  expect(results.length).toBeGreaterThan(15);
  return failures(results).map(({ name, because }) => `${name}: ${because}`);
}

// Ours scores at temperatures, which this server does not; it is probed over torch-engine.
const kinds = serverKinds.filter((kind) => kind !== "repertoire");

it.each(kinds)("a %s server passes as what it is", async (kind) => {
  expect(await failed(await start(kind))).toEqual([]);
});

// As GPUs compute: small steps are rounded away, so that twice a step is no step twice as large.
it.each(kinds)("a %s server in bf16 passes as what it is", async (kind) => {
  expect(await failed(await start(kind, { precision: "bf16" }))).toEqual([]);
});

it.each(["skyrl-jax", "skyrl-fsdp"] as const)(
  "a %s server that reports no norms passes as what it is",
  async (kind) => {
    expect(await failed(await start(kind, { reportsGradientNorm: false }))).toEqual([]);
  },
);

const lacking = (...fields: string[]) => ({
  optimizerFields: (["learningRate", "betas", "epsilon", "weightDecay", "maxGradientNorm"] as const).filter(
    (field) => !fields.includes(field),
  ),
});

it.each<[string, Partial<Behavior>, RegExp]>([
  ["normalizes its weights", { reduction: "sequence-normalized" }, /^gradients add up/],
  ["normalizes, and reports no norms", { reduction: "sequence-normalized", reportsGradientNorm: false }, /^gradients/],
  ["leaves the first prompt log-prob out", { promptLogprobs: "without-first" }, /^a frozen checkpoint/],
  ["gives tempered log-probs", { sampledLogprobs: "tempered" }, /^log-probs of a sample are/],
  ["fixes its betas", lacking("betas"), /^a step without a gradient/],
  ["does not clip", lacking("maxGradientNorm"), /^a gradient is scaled down/],
  ["does not decay", lacking("weightDecay"), /^weight decay pulls/],
  ["samples a checkpoint over the live weights", { frozenCheckpoints: "over-live-weights" }, /^a frozen checkpoint/],
  ["leaves gradients to the next model", { newModels: "with-old-gradients" }, /^a gradient that led to no step/],
])("a server taken for hosted Tinker that %s is refused", async (_, behavior, check) => {
  const found = await failed(await start("tinker", behavior));
  expect(found).toContainEqual(expect.stringMatching(check));
});

it("a server that does not normalize is refused as one that does", async () => {
  const found = await failed({ ...(await start("skyrl-jax", { reduction: "token-sum" })), kind: "skyrl-jax" });
  expect(found).toContainEqual(expect.stringMatching(/^gradients add up/));
});

it("seeds that a server does not take are found out", async () => {
  const asked = await start("tinker");
  expect(await failed({ ...asked, kind: "repertoire" })).toContainEqual(expect.stringMatching(/^different seeds/));
});

it("a server that takes passes in JSON only is refused", async () => {
  expect((await failed(await start("tinker", { bodies: "json" }))).join("\n")).toMatch(/unsupported body/);
});

it("a rank that the server has no room for is refused as such", async () => {
  const asked = await start("skyrl-jax", { largestRank: 32 });
  await expect(failed({ ...asked, loraRank: 64 })).rejects.toThrow(
    /no adapters of rank 64 .*LoRA rank 64 must be between 1 and 32.*"max_lora_rank":64/,
  );
});

it("says which kind a server is, when it is another, and probes it again when it was refused before", async () => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-probe-"));
  const places = { run: join(folder, "server-probe.json"), kept: join(folder, "probes") };
  const asked = { ...(await start("skyrl-jax")), kind: "tuft" } as const;
  expect(await otherKinds(asked)).toEqual(["skyrl-jax"]);
  const check = () => checkServer(places, { ...asked, baseModel: "softmax" });
  await expect(check()).rejects.toThrow(/is not a tuft server:\n[\s\S]*behaves like --server skyrl-jax/);
  const before = server!.asked.length;
  await expect(check()).rejects.toThrow(/is not a tuft server/);
  expect(server!.asked.length).toBeGreaterThan(1.5 * before);
});

it("is done once for a server and a rank, for a day and all runs, and kept without the key", async () => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-probe-"));
  const within = folder;
  const asked = await start("tinker");
  const kept = join(within, "probes");
  const told: string[] = [];
  const emit = (message: string) => void told.push(message);
  const check = (run: string, loraRank = 8) =>
    checkServer(
      { run: join(within, `${run}.json`), kept },
      { ...asked, key: "secret", baseModel: "softmax", loraRank, emit },
    );
  const record = (run: string) => readFileSync(join(within, `${run}.json`), "utf8");
  await check("first");
  expect(record("first")).not.toContain("secret");
  const requests = server!.asked.length;
  await check("first");
  expect(server!.asked).toHaveLength(requests);
  await check("second");
  expect(record("second")).toEqual(record("first"));
  expect(told).toHaveLength(1);
  await check("first", 4);
  expect(told).toHaveLength(2);
  const yesterday = Date.now() / 1000 - 25 * 3600;
  for (const file of readdirSync(kept)) utimesSync(join(kept, file), yesterday, yesterday);
  await check("third");
  expect(told).toHaveLength(3);
});
