// The probe against servers whose behavior is known: it finds what each does, and training refuses what differs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { capabilities, type ServerKind, serverKinds } from "../../src/engine/tinker/capabilities.ts";
import type { Measured } from "../../src/engine/tinker/measured.ts";
import { probe } from "../../src/engine/tinker/probe.ts";
import { checkServer } from "../../src/engine/tinker/probe-record.ts";
import { compareWithRecord, kindsThatAgree, refuseIfDifferent } from "../../src/engine/tinker/probe-report.ts";
import { toyEngine } from "../training/toy-policy.ts";
import { type Behavior, behaviorOf, SoftmaxServer } from "./softmax-server.ts";

// Many small requests: quick on an idle machine, slow on a busy one, and never a reason to fail.
vi.setConfig({ testTimeout: 180_000 });

let server: SoftmaxServer | undefined;
afterEach(() => server?.stop());

async function measure(kind: ServerKind, behavior: Partial<Behavior> = {}): Promise<Measured> {
  server = await SoftmaxServer.start(behaviorOf(kind, behavior), toyEngine().logits.slice());
  return probe({ url: server.url, loraRank: 8, patienceSeconds: 2 });
}

const values = (measured: Measured) =>
  Object.fromEntries(Object.entries(measured).map(([field, { value }]) => [field, value]));

// Ours scores at temperatures, which this server does not; it is probed over torch-engine.
describe.each(serverKinds.filter((kind) => kind !== "repertoire"))("a %s server", (kind) => {
  it("is found to be what its record says", async () => {
    const measured = await measure(kind);
    const record = capabilities[kind];
    const { reduction, negativeWeights, promptLogprobs, sampledLogprobs, optimizerFields } = record;
    expect(values(measured)).toMatchObject({
      reduction,
      negativeWeights,
      importanceSampling: "linear",
      promptLogprobs,
      sampledLogprobs,
      optimizerFields,
      extendedScoring: false,
      samplesFromTrainingWeights: false,
      seeds: "at-least-int32",
      frozenCheckpoints: record.frozenCheckpoints,
      checkpointNames: record.checkpointNames,
      repeatedSaves: kind.startsWith("skyrl") ? "refused" : expect.any(String),
      unknownFields: record.unknownFields,
      lostModels: "noticed",
      newModels: record.newModels,
      weightDecayReach: record.severalModels ? record.weightDecayReach : undefined,
      loraAlpha: "fixed",
    });
    expect(compareWithRecord(kind, measured).every(({ agrees }) => agrees)).toBe(true);
    expect(kindsThatAgree(measured)).toContain(kind);
    expect(() => refuseIfDifferent("http://here", kind, measured)).not.toThrow();
  });
});

// As GPUs compute: small steps are rounded away, so that twice a step is no step twice as large.
it.each<ServerKind>(["tinker", "skyrl-jax", "skyrl-fsdp"])(
  "a %s server in bf16 is found to be what its record says",
  async (kind) => {
    const measured = await measure(kind, { precision: "bf16" });
    expect(compareWithRecord(kind, measured).filter(({ agrees }) => !agrees)).toEqual([]);
    expect(measured.reduction.value).toBe(capabilities[kind].reduction);
  },
);

it.each<[string, Partial<Behavior>, string]>([
  ["normalizes its weights", { reduction: "sequence-normalized" }, "reduction of cross-entropy"],
  ["leaves the first prompt log-prob out", { promptLogprobs: "without-first" }, "prompt log-probs"],
  ["gives tempered log-probs", { sampledLogprobs: "tempered" }, "log-probs of samples"],
  [
    "fixes its betas",
    { optimizerFields: ["learningRate", "epsilon", "weightDecay", "maxGradientNorm"] },
    "optimizer fields",
  ],
  ["does not clip", { optimizerFields: ["learningRate", "betas", "epsilon", "weightDecay"] }, "optimizer fields"],
  [
    "samples a checkpoint over the live weights",
    { frozenCheckpoints: "over-live-weights" },
    "a checkpoint in sampling",
  ],
  ["leaves gradients to the next model", { newModels: "with-old-gradients" }, "gradient of a new model"],
  ["decays every model", { weightDecayReach: "all-models" }, "weight decay moves"],
  ["does not decay", { optimizerFields: ["learningRate", "betas", "epsilon", "maxGradientNorm"] }, "optimizer fields"],
])("a server taken for hosted Tinker that %s is refused", async (_, behavior, field) => {
  const measured = await measure("tinker", behavior);
  const different = compareWithRecord("tinker", measured).filter(({ agrees }) => !agrees);
  expect(different.map((row) => row.field)).toContain(field);
  expect(() => refuseIfDifferent("http://here", "tinker", measured)).toThrow(
    new RegExp(`http://here is not a tinker server:[\\s\\S]*${field}: expected .*, measured`),
  );
});

it("a server that takes passes in JSON only is refused", async () => {
  await expect(measure("tinker", { bodies: "json" })).rejects.toThrow(/no passes in protobuf.*415/);
});

it("says which kind a server is, when it is another", async () => {
  const measured = await measure("skyrl-jax");
  expect(() => refuseIfDifferent("http://here", "repertoire", measured)).toThrow(/behaves like --server skyrl-jax/);
});

it("a refusal is not for ever: the server is measured again when it was refused before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repertoire-probe-"));
  const places = { run: join(folder, "server-probe.json"), kept: join(folder, "probes") };
  const check = (url: string) => checkServer(places, { url, kind: "tinker", baseModel: "softmax", loraRank: 8 });
  server = await SoftmaxServer.start(behaviorOf("skyrl-jax"), toyEngine().logits.slice());
  await expect(check(server.url)).rejects.toThrow(/is not a tinker server/);
  const asked = server.asked.length;
  await expect(check(server.url)).rejects.toThrow(/is not a tinker server/);
  expect(server.asked.length).toBeGreaterThan(1.5 * asked);
  rmSync(folder, { recursive: true });
});

it("is done once for a server and a rank, and kept without the key", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repertoire-probe-"));
  const file = join(folder, "server-probe.json");
  server = await SoftmaxServer.start(behaviorOf("tinker"), toyEngine().logits.slice());
  const told: string[] = [];
  const emit = (message: string) => told.push(message);
  const check = (kind: ServerKind, loraRank = 8) =>
    checkServer(
      { run: file, kept: join(folder, "probes") },
      { url: server!.url, key: "secret", kind, baseModel: "softmax", loraRank, emit },
    );
  await check("tinker");
  expect(told).toHaveLength(1);
  expect(readFileSync(file, "utf8")).not.toContain("secret");
  const asked = server.asked.length;
  await check("tinker");
  expect(server.asked).toHaveLength(asked);
  await check("tinker", 4);
  expect(server.asked.length).toBeGreaterThan(asked);
  rmSync(folder, { recursive: true });
});

it("is done once for all runs on a server that says the same of itself, for a day", async () => {
  const folder = mkdtempSync(join(tmpdir(), "repertoire-probe-"));
  server = await SoftmaxServer.start(behaviorOf("tinker"), toyEngine().logits.slice());
  const { url } = server;
  const kept = join(folder, "probes");
  const told: string[] = [];
  const emit = (message: string) => void told.push(message);
  const check = (run: string, baseModel = "softmax") =>
    checkServer({ run: join(folder, `${run}.json`), kept }, { url, kind: "tinker", baseModel, loraRank: 8, emit });
  await check("first");
  await check("second");
  expect(told).toHaveLength(1);
  const record = (run: string) => JSON.parse(readFileSync(join(folder, `${run}.json`), "utf8"));
  expect(record("second")).toEqual(record("first"));
  const [file] = readdirSync(kept);
  const yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(join(kept, file), yesterday, yesterday);
  await check("third");
  expect(told).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

it("tells nothing about gradients that it cannot compare", async () => {
  const measured = await measure("skyrl-fsdp", { reportsGradientNorm: false });
  expect(measured.reduction.value).toBeUndefined();
  expect(measured.reduction.because).toMatch(/fixes its epsilon and reports no gradient norm/);
  const row = compareWithRecord("skyrl-fsdp", measured).find(({ field }) => field === "reduction of cross-entropy");
  expect(row).toMatchObject({ agrees: true, measured: undefined });
});

it("a peaked model is no reason to refuse a sound server", async () => {
  // The sequence is likely already: a step that is as many times too large as the sequence is long leaves the linear range.
  const peaked = toyEngine().logits.slice();
  const words = Math.sqrt(peaked.length);
  for (const [token, next] of [
    [1, 2],
    [2, 1],
  ])
    peaked[token * words + next] += 3;
  server = await SoftmaxServer.start(behaviorOf("skyrl-jax"), peaked);
  const sequence = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
  const measured = await probe({ url: server.url, loraRank: 8, patienceSeconds: 2, sequence });
  expect(measured.importanceSampling).toMatchObject({ value: "linear" });
  expect(() => refuseIfDifferent("http://here", "skyrl-jax", measured)).not.toThrow();
});

it("tries large seeds only where the client would send them", async () => {
  server = await SoftmaxServer.start(behaviorOf("skyrl-jax"), toyEngine().logits.slice());
  const measured = await probe({ url: server.url, loraRank: 8, patienceSeconds: 2, largestSeed: 2 ** 32 - 1 });
  expect(measured.seeds.value).toBe("int32");
  expect(compareWithRecord("repertoire", measured)).toContainEqual(
    expect.objectContaining({ field: "seeds", agrees: false }),
  );
});

it("a rank that the server has no room for is refused as such", async () => {
  server = await SoftmaxServer.start(behaviorOf("skyrl-jax", { largestRank: 32 }), toyEngine().logits.slice());
  await expect(probe({ url: server.url, loraRank: 64, patienceSeconds: 2 })).rejects.toThrow(
    /no adapters of rank 64 .*LoRA rank 64 must be between 1 and 32.*"max_lora_rank":64/,
  );
});
