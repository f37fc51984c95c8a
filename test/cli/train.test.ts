// SFT and then RL from its checkpoint, as one would on this machine: adapters on a model with a chat template.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandNamed } from "../../src/cli/commands.ts";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import { printed } from "../fixtures/printed.ts";
import { writeTinyModel } from "../recipes/tiny-model.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-train-"));
afterAll(() => rmSync(root, { recursive: true }));
const at = (...path: string[]) => join(root, ...path);
const events = (stage: string) =>
  readFileSync(at(stage, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const train = (...args: string[]) =>
  printed(async () => (await commandNamed("train")).parseAsync(args, { from: "user" }));

beforeAll(async () => {
  await writeTinyModel(at("tiny"), "llama");
  const narrate = ["narrate", "--puzzle", "pattern=3x3", "--count", "4", "--style", "plain", "--guessing", "0"];
  await printed(async () =>
    (await commandNamed("teach")).parseAsync([...narrate, "--out", at("corpus.jsonl")], { from: "user" }),
  );
  const validation = { sampling: { temperature: 0, maxTokens: 4 } };
  writeFileSync(at("sft.json"), JSON.stringify({ epochs: 2, sequencesPerStep: 2, learningRate: 0.01, validation }));
  const sampling = { maxTokens: 4 };
  const sizes = { steps: 2, problemsPerStep: 2, rolloutsPerProblem: 2, rolloutsPerUpdate: 4, epochs: 1 };
  writeFileSync(at("rl.json"), JSON.stringify({ ...sizes, sampling, stepsPerCheckpoint: 1 }));
});

describe("repertoire train", () => {
  const model = ["--model", at("tiny"), "--lora-rank", "4", "--puzzle", "pattern=3x3"];

  it("RL begins at SFT's checkpoint and measures against it, adapters folded in", async () => {
    const said = await train(
      "sft",
      ...model,
      "--corpus",
      at("corpus.jsonl"),
      "--held-out",
      "1",
      "--config",
      at("sft.json"),
      "--out",
      at("sft"),
    );
    const [, endpoint] = /the best epoch is (\S+)/.exec(said)!;
    const losses = events("sft").flatMap(({ type, loss }) => (type === "sft-step" ? [loss] : []));
    expect(losses.at(-1)).toBeLessThan(losses[0]);
    await train("rl", ...model, "--from", endpoint, "--novelty", "--config", at("rl.json"), "--out", at("rl"));
    const [first] = events("rl");
    expect([first.type, first.updates[0].kl, first.updates[0].ratio.mean]).toEqual(["rl-step", 0, 1]);
    // The prompt went through the model's template: more tokens than the bare text, and the marks among them.
    const [rollout] = readFileSync(at("rl", "rollouts.jsonl"), "utf8").split("\n");
    const { promptTokens, labeledBy } = JSON.parse(rollout);
    // A model that does not say it speaks the terse language is never read by its grammar.
    expect(labeledBy).toMatch(/^classifier:/);
    expect(first.labeledBy).toBe(labeledBy);
    expect(promptTokens).toBeGreaterThan(300);

    // An evaluation of the adapters that RL left asks in the same way.
    const asking = ["--problems", "puzzles:pattern:3x3", "--count", "1", "--rollouts", "1", "--max-tokens", "3"];
    const evaluated = ["--checkpoint", at("rl", "checkpoints", "step-2"), "--out", at("evaluation")];
    await printed(() => evaluateCommand().parseAsync([...asking, ...evaluated], { from: "user" }));
    const [asked] = readFileSync(at("evaluation", "rollouts.jsonl"), "utf8").split("\n");
    expect(Math.abs(JSON.parse(asked).promptTokens - promptTokens)).toBeLessThan(10);
  });

  it("RL on questions of one's own, graded by a module, mixed with puzzles, at rewards of one's own", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ question: `Count to ${i}.`, level: i % 2 }));
    writeFileSync(at("counts.jsonl"), rows.map((row) => `${JSON.stringify(row)}\r\n`).join(""));
    writeFileSync(
      at("grade.mjs"),
      "export const grade = ({ data }) => ({ correct: data.level === 1, reward: 5 * data.level })",
    );
    const sources = ["--problems", at("counts.jsonl"), "--problems", "puzzles", "--grader", at("grade.mjs")];
    const reward = ["--reward", '{"exact":3,"completion":0,"format":0}'];
    const args = ["rl", ...model, ...sources, ...reward, "--config", at("rl.json"), "--out", at("mixed")];
    const said = await train(...args);
    expect(said).toMatch(/counts\.jsonl: \d+ questions to train on, \d+ held out by their text/);
    const readRollouts = (run: string) =>
      readFileSync(at(run, "rollouts.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const rollouts = readRollouts("mixed");
    expect(rollouts.map(({ problem }) => problem.split("/")[0])).toEqual([
      ...["counts", "counts", "pattern", "pattern", "counts", "counts", "pattern", "pattern"],
    ]);
    for (const { problem, grade } of rollouts) {
      const allowed = problem.startsWith("counts/") ? [0, 5] : [0, 3];
      expect(allowed).toContain(grade.reward.total);
    }
    // An SFT epoch may be chosen by the questions that are held out.
    const questions = ["--problems", at("counts.jsonl"), "--grader", at("grade.mjs"), "--held-out-share", "0.5"];
    const sft = [
      "--corpus",
      at("corpus.jsonl"),
      "--validation",
      "5",
      "--config",
      at("sft.json"),
      "--out",
      at("chosen"),
    ];
    await train("sft", ...model, ...questions, ...sft);
    const epochs = events("chosen").filter(({ type }) => type === "sft-epoch");
    expect(epochs.map(({ rollouts, passAt1ByFamily }) => [rollouts, Object.keys(passAt1ByFamily)])).toEqual([
      ...[0, 1].map(() => [5, ["counts"]]),
    ]);

    const refused = (...more: string[]) => expect(train("rl", ...model, "--out", at("none"), ...more)).rejects;
    await refused("--reward", "generous").toThrow(/unknown reward "generous"; expected one of: paper, balanced/);
    await refused("--reward", '{"exakt":1}').toThrow(/exakt/);
    await refused("--problems", at("counts.jsonl")).toThrow(/no column for the answer/);
    await refused("--problems", at("counts.jsonl"), "--grader", at("none.mjs")).toThrow(/there is no such file/);
  });
});
