// From SFT to RL to an evaluation over strict servers, as a user types it: each command takes the name that the one before
// it printed, and asks the model as it was trained.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { commandNamed } from "../../src/cli/commands.ts";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import type { ServerKind } from "../../src/engine/tinker/capabilities.ts";
import { loadTokenizer } from "../../src/engine/tokenizer.ts";
import { printed } from "../fixtures/printed.ts";
import { type Behavior, behaviorOf, SoftmaxServer } from "./softmax-server.ts";

const model = resolve(import.meta.dirname, "../../models/mini-base");
const root = mkdtempSync(join(tmpdir(), "repertoire-anywhere-"));
const at = (...path: string[]) => join(root, ...path);
const json = (...path: string[]) => JSON.parse(readFileSync(at(...path), "utf8"));
const lines = (...path: string[]) =>
  readFileSync(at(...path), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

let server: SoftmaxServer;
afterEach(() => server.stop());
afterAll(() => rmSync(root, { recursive: true }));

const train = (...args: string[]) =>
  printed(async () => (await commandNamed("train")).parseAsync(args, { from: "user" }));

beforeAll(async () => {
  const narrate = ["narrate", "--style", "terse", "--puzzle", "pattern=3x3", "--count", "4", "--tokenizer", model];
  await printed(async () =>
    (await commandNamed("teach")).parseAsync([...narrate, "--out", at("corpus.jsonl")], { from: "user" }),
  );
  const validation = { sampling: { temperature: 0.8, maxTokens: 6 } };
  writeFileSync(at("sft.json"), JSON.stringify({ epochs: 2, sequencesPerStep: 2, learningRate: 0.1, validation }));
  const sizes = { steps: 2, problemsPerStep: 2, rolloutsPerProblem: 2, rolloutsPerUpdate: 4, epochs: 2 };
  // Nothing is solved, so decay alone moves the policy; on a server where it moves every model, the reference must not go along.
  const moving = { learningRate: 0.05, weightDecay: 0.5, stepsPerCheckpoint: 1 };
  const rest = { sampling: { maxTokens: 6 }, scoringTemperature: 1, ...moving };
  writeFileSync(at("rl.json"), JSON.stringify({ ...sizes, ...rest }));
});

/** A table as large as the miniature's vocabulary. */
async function start(kind: ServerKind, behavior: Partial<Behavior> = {}): Promise<string[]> {
  const { vocabularySize } = await loadTokenizer(model);
  const random = Random.from(7);
  const logits = Float64Array.from({ length: vocabularySize ** 2 }, () => 2 * random.uniform() - 1);
  server = await SoftmaxServer.start(behaviorOf(kind, behavior), logits);
  const where = ["--engine", server.url, "--server", kind, "--no-probe", "--context", "400"];
  return ["--model", model, "--puzzle", "pattern=3x3", "--lora-rank", "8", ...where];
}

const sftFlags = (out: string) => [
  "--corpus",
  at("corpus.jsonl"),
  "--held-out",
  "1",
  "--config",
  at("sft.json"),
  "--out",
  out,
];

describe.each(["skyrl-jax", "tinker", "tuft"] as const)("over a strict %s server", (kind) => {
  // Dots in a folder's name are no reason for a server to refuse what is saved from it.
  const [sft, rl] = [`${kind}.sft`, `${kind}.rl`];

  it("SFT, RL from its checkpoint, an evaluation and the signal table, each by the printed name", async () => {
    const shared = await start(kind);
    const trained = await train("sft", ...shared, ...sftFlags(at(sft)));
    const losses = lines(sft, "events.jsonl").flatMap(({ type, loss }) => (type === "sft-step" ? [loss] : []));
    expect(losses.at(-1)).toBeLessThan(losses[0]);
    const [, endpoint] = /the best epoch is (\S+)/.exec(trained)!;

    const reinforced = await train(
      "rl",
      ...shared,
      "--from",
      endpoint,
      "--novelty",
      "--config",
      at("rl.json"),
      "--out",
      at(rl),
    );
    const [first] = lines(rl, "events.jsonl");
    expect([first.updates[0].kl, first.updates[0].ratio.mean]).toEqual([0, 1]);
    // The reference stays where it was while the policy moves away from it.
    expect(first.updates[1].kl).toBeGreaterThan(0);
    const [, last] = /the last checkpoint is (\S+)/.exec(reinforced)!;

    const asked = ["--problems", "puzzles:pattern:3x3", "--count", "2", "--rollouts", "2", "--max-tokens", "5"];
    const told = await printed(() =>
      evaluateCommand().parseAsync([...asked, "--checkpoint", last, "--out", at(`${kind}-evaluation`)], {
        from: "user",
      }),
    );
    expect(lines(`${kind}-evaluation`, "problems.jsonl")[0].prompt).toMatch(/^pattern 3 3 \n R1 /);
    expect(json(`${kind}-evaluation`, "policy-card.json")).toEqual({
      promptStyle: "terse",
      chat: "plain",
      language: "terse",
    });
    expect(told).toMatch(/4 of 4 responses hold no answer that can be read.*--max-tokens/);
    const signal = await printed(async () =>
      (await commandNamed("traces")).parseAsync(["signal", at(`${kind}-evaluation`), "--checkpoint", endpoint], {
        from: "user",
      }),
    );
    expect(signal).toContain("mean NLL");
  });

  it("a run says what it was: other puzzles, adapters or another chat form are another run", async () => {
    const shared = await start(kind);
    expect(json(sft, "run.json").config).toMatchObject({
      puzzles: ["pattern=3x3"],
      asked: { promptStyle: "terse", chat: "plain", language: "terse" },
      // The paper's scale: alpha is the rank in SFT and twice the rank in RL.
      lora: { rank: 8, alpha: 8 },
      engine: kind,
    });
    expect(json(rl, "run.json").config).toMatchObject({ lora: { rank: 8, alpha: 16 }, engine: kind });
    for (const changed of [
      ["--puzzle", "pattern=4x3"],
      ["--lora-rank", "4"],
      ["--chat", "chatml"],
    ])
      await expect(train("sft", ...shared, ...sftFlags(at(sft)), ...changed)).rejects.toThrow(/other|differ|another/);
  });
});

it("a checkpoint that lies elsewhere is named with the flags that reach it", async () => {
  const shared = await start("skyrl-jax");
  const endpoint = at("skyrl-jax.sft", "checkpoints", "epoch-0");
  await expect(train("rl", "--model", model, "--from", endpoint, "--out", at("nowhere"))).rejects.toThrow(
    /is on a server; add --engine http:\S+ --server skyrl-jax/,
  );
  const run = ["rl", ...shared, "--config", at("rl.json"), "--out", at("nowhere")];
  await expect(train(...run, "--from", model)).rejects.toThrow(/weights on this machine/);
  await expect(train(...run, "--from", endpoint, "--lora-rank", "16")).rejects.toThrow(/trained with --lora-rank 8/);
});
