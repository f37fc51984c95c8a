// The paper's recipe without a server: its settings, its plan, and the whole of it at the smallest size on this machine.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { settingAt } from "../../src/base/setting-path.ts";
import { commandNamed } from "../../src/cli/commands.ts";
import { schemaPaths } from "../../src/cli/settings.ts";
import { paperRecord, shownSetting } from "../../src/problems/paper.ts";
import { paperPuzzles } from "../../src/problems/paper-sets.ts";
import { recipePlan } from "../../src/recipes/plan.ts";
import { recipeSchema, rlOptions, sftOptions } from "../../src/recipes/settings.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { repertoire } from "../cli/in-process.ts";
import { paperArguments, startPaper } from "./paper-child.ts";
import { settingFlags, tinySettings, writeTinyBenchmark, writeTinyModel } from "./tiny-model.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-paper-"));
afterAll(() => rmSync(root, { recursive: true }));
const data = join(root, "data");
mkdirSync(data);
beforeAll(() => writeTinyBenchmark(data));

async function printed(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await (await commandNamed("run")).parseAsync(["paper", ...args], { from: "user" });
    return log.mock.calls.flat().join("\n");
  } finally {
    log.mockRestore();
  }
}

describe("the paper's settings", () => {
  const settings = recipeSchema.parse({});

  it("are the paper's tables", () => {
    expect(sftOptions(settings)).toMatchObject({ epochs: 8, sequencesPerStep: 32, learningRate: 2e-4 });
    const { objective, ...rl } = rlOptions(settings, "vanilla");
    expect(rl).toMatchObject({
      steps: 70,
      problemsPerStep: 128,
      rolloutsPerProblem: 8,
      rolloutsPerUpdate: 1024,
      epochs: 4,
      learningRate: 5e-5,
      schedule: { shape: "cosine", floor: 0.3 },
      sampling: { temperature: 0.8, maxTokens: 28_000 },
    });
    expect(objective).toMatchObject({ algorithm: "gspo", clip: { below: 2.5e-3, above: 5e-3 } });
    expect(objective.kl.coefficient).toBe(1e-3);
    expect(settings.lora).toEqual({ rank: 64, sftAlpha: 64, rlAlpha: 128 });
    expect(settings.evaluation).toMatchObject({ rollouts: 32, temperature: 0.6, maxTokens: 25_000 });
    // Training's own defaults say the same: one of the two would otherwise drift.
    expect(rlOptions(settings, "vanilla")).toEqual(rlOptionsSchema.parse({}));
  });

  it("differ between the two runs in the bonus alone", () => {
    const [vanilla, novelty] = (["vanilla", "novelty"] as const).map((variant) => rlOptions(settings, variant));
    const bonus = { kind: "novelty", weight: 0.1, top: { tokens: 100 }, clip: 2 };
    expect(novelty.objective.advantage).toMatchObject({ estimator: "group", bonus });
    expect({ ...novelty, objective: { ...novelty.objective, advantage: vanilla.objective.advantage } }).toEqual(
      vanilla,
    );
  });

  it("reach training, down to the optimizer and the advantage", () => {
    const changed = recipeSchema.parse({
      optimizer: { beta2: 0.95, epsilon: 1e-10 },
      sft: { weightDecay: 0.01, schedule: "linear" },
      rl: { klClamp: "none", advantageDivisor: "population", advantageEpsilon: 0.1, maxGradientNorm: 2, topP: 0.9 },
      novelty: { scoringTemperature: 0.7 },
    });
    const optimizer = { beta1: 0.9, beta2: 0.95, epsilon: 1e-10 };
    expect(sftOptions(changed)).toMatchObject({ optimizer, weightDecay: 0.01, schedule: { shape: "linear" } });
    expect(rlOptions(changed, "novelty")).toMatchObject({
      optimizer,
      maxGradientNorm: 2,
      sampling: { topP: 0.9 },
      objective: {
        kl: { clamp: "none" },
        advantage: {
          normalization: { divisor: "population", epsilon: 0.1 },
          bonus: { kind: "novelty", scoringTemperature: 0.7 },
        },
      },
    });
  });

  it("say of each where it comes from", () => {
    expect(schemaPaths(recipeSchema).sort()).toEqual(Object.keys(paperRecord).sort());
    for (const [path, { value }] of Object.entries(paperRecord)) expect(settingAt(settings, path), path).toEqual(value);
    const document = readFileSync(join(import.meta.dirname, "../../docs/recipes.md"), "utf8");
    for (const [path, { value, from }] of Object.entries(paperRecord))
      expect(document, path).toContain(`| \`${path}\` | ${shownSetting(path, value)} | ${from} |`);
  });

  it("are refused where they are unknown, wrong or impossible", async () => {
    const refused = (...args: string[]) => expect(printed("--dry-run", "--data", data, ...args)).rejects;
    await refused("--set", "rl.stepz=2").toThrow(/unknown setting "rl.stepz".*rl\.steps/);
    await refused("--set", "rl.steps=many").toThrow(/expected number/);
    await refused("--set", "rl.steps").toThrow(/expected key=value/);
    await refused("--set", "evaluation.benchmarks=[oops").toThrow(/not JSON/);
    await refused("--set", "evaluation.steps.novelty=[7]").toThrow(
      /step 7 of novelty is to be evaluated, but checkpoints are kept every 5/,
    );
    await refused("--set", "evaluation.steps.dapo=[5]").toThrow(/unknown policy .*"dapo".*sft, vanilla, novelty/);
    await refused("--set", "evaluation.steps.sft=best").toThrow(/chosen by SFT itself/);
    await refused("--set", 'variants=[{"name":"sft"}]').toThrow(/a recipe uses that name itself/);
    await refused("--set", 'variants=[{"name":"a"},{"name":"a"}]').toThrow(/the same name/);
    await refused("--set", 'variants=[{"name":"a","objective":{"algorithm":"ppo"}}]').toThrow(/the objective of "a"/);
    await refused("--server", "skyrl-jax").toThrow(/scores at temperature 1 only; add --set rl.scoringTemperature=1/);
    await refused(
      "--server",
      "skyrl-jax",
      "--set",
      "rl.temperature=1",
      "--set",
      "novelty.scoringTemperature=2",
    ).toThrow(/scores at temperature 1 only; add --set novelty.scoringTemperature=1/);
    // Sampled at 1, "sampling" is 1.
    const few = ["rl.steps=5", "rl.problemsPerStep=4", "corpus.puzzles=4", "evaluation.heldOutPerPuzzle=1"];
    const taken = ["--server", "skyrl-jax", ...["rl.temperature=1", ...few].flatMap((set) => ["--set", set])];
    expect(await printed("--dry-run", "--data", data, ...taken)).toMatch(/rl\.scoringTemperature +sampling/);
    await refused("--set", "puzzles.training=[]").toThrow(/Too small/);
    await expect(printed("--data", data)).rejects.toThrow(/cannot be fetched from the hub|--engine is missing/);
  });
});

describe("the plan", () => {
  const settings = recipeSchema.parse({
    puzzles: { training: ["bridges=7x7d0", "undead=4x4de"], larger: ["pattern=5x5"] },
    corpus: { puzzles: 10, attempts: 3, maxTokens: 500 },
    sft: { epochs: 2, validationPerPuzzle: 4 },
    rl: { steps: 5, problemsPerStep: 2, rolloutsPerProblem: 3, epochs: 4, maxTokens: 1_000 },
    evaluation: { rollouts: 8, maxTokens: 100, heldOutPerPuzzle: 6, largerPerPuzzle: 3 },
  });

  it("counts tokens and hours as one would by hand", () => {
    const stages = recipePlan({
      settings,
      sets: paperPuzzles(settings),
      benchmarks: [{ set: "aime-2025", problems: 30 }],
      teacher: "endpoint",
      responseTokens: 800,
      promptTokens: () => 200,
      speed: { sampled: 10, scored: 100, trained: 50 },
    });
    const [teach, sft, vanilla, novelty, base] = stages;
    // 10 puzzles x 3 attempts x 500 tokens, which somebody else samples.
    expect([teach.tokens.sampled, teach.hours]).toEqual([15_000, undefined]);
    // 2 epochs x (30 traces x (200 + 500)); 2 epochs x 8 held-out puzzles x 800.
    expect(sft.tokens).toEqual({ sampled: 12_800, scored: 0, trained: 42_000 });
    expect(sft.hours).toBeCloseTo((12_800 / 10 + 42_000 / 50) / 3600, 10);
    // 5 x 2 x 3 rollouts of 800 after prompts of 200: scored under policy and reference, and under the policy again before
    // the second, third and fourth epoch; trained on four times.
    expect(vanilla.tokens).toEqual({ sampled: 24_000, scored: 5 * 30_000, trained: 4 * 30_000 });
    // The novelty score asks the reference once more, at temperature 1.
    expect(novelty.tokens).toEqual({ ...vanilla.tokens, scored: 6 * 30_000 });
    // 2 x 6 held out + 3 larger + 30 of mathematics, 8 rollouts of at most 100.
    expect(base.tokens.sampled).toBe((12 + 3 + 30) * 8 * 100);
    expect(stages.map(({ name }) => name).slice(4)).toEqual(
      ["base", "sft", "vanilla", "novelty"].map((one) => `evaluate ${one}`),
    );
  });

  it("is printed by --dry-run, with every setting and what was changed, and nothing is made", async () => {
    const folder = join(root, "planned");
    const flags = ["--dry-run", "--folder", folder, "--data", data, "--speed", "sampled=1000,trained=100"];
    const text = await printed(
      ...flags,
      ...settingFlags({ ...tinySettings, "rl.steps": 2, "rl.stepsPerCheckpoint": 1 }),
    );
    expect(text).toMatch(/vanilla +2 steps of 2 x 2 rollouts, each batch used 2 times/);
    expect(text).toMatch(/\* rl\.steps +2 +Table “Stage 2”: total steps/);
    expect(text).toMatch(/ {2}rl\.temperature +0\.8 +Table “Stage 2”: sampling/);
    expect(text).toMatch(/1\.0k tokens\/s sampled, 31\.2k scored, 100 trained on \(as --speed says\)/);
    expect(text).toContain("aime-2025: 1");
    expect(existsSync(folder)).toBe(false);
  });

  it("counts GPUs, and says what to take when there are too many of them or too few", async () => {
    const flags = ["--dry-run", "--data", data, "--speed", "sampled=1000,scored=2000,trained=1000"];
    const tiny = settingFlags(tinySettings);
    const two = await printed(...flags, "--gpus", "2", ...tiny);
    expect(two).toMatch(/2\.0k tokens\/s sampled, 4\.0k scored, 2\.0k trained on \(2 GPUs, each as --speed says\)/);
    expect(two).not.toMatch(/days are long|more than one machine/);
    expect(await printed(...flags, "--gpus", "16", ...tiny)).toMatch(
      /16 are more than one machine has: take SkyRL .* verl/,
    );
    const slow = ["--dry-run", "--data", data, "--speed", "sampled=0.00001"];
    expect(await printed(...slow, ...tiny)).toMatch(/days are long, and \d+ GPUs would be needed for two weeks/);
  });
});

describe("the whole recipe on this machine", () => {
  const model = join(root, "tiny");
  const run = (name: string) => ({ folder: join(root, name), model, data, engine: "embedded" });
  const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
  const lines = (...path: string[]) =>
    read(...path)
      .trim()
      .split("\n");
  const configOf = (...path: string[]) => JSON.parse(read(...path, "run.json")).config;
  /** In this process, which starts once; what is killed is a process of its own. */
  async function inProcess(name: string, ...given: [changes?: Readonly<Record<string, unknown>>, flags?: string[]]) {
    const { stdout, stderr, status } = await repertoire(...paperArguments(run(name), ...given));
    return { output: `${stdout}${stderr}`, status };
  }
  beforeAll(() => writeTinyModel(model, "llama"));

  it("killed in the middle of RL it goes on, and leaves what an uninterrupted run leaves", async () => {
    const whole = await inProcess("whole");
    expect(whole.status, whole.output).toBe(0);
    expect(whole.output).toMatch(/Vanilla GSPO +0\.0%/);
    expect(whole.output).toContain("report/index.html");
    expect(readdirSync(join(root, "whole", "evaluations")).sort()).toEqual(["base", "novelty", "sft", "vanilla"]);
    expect(configOf("whole")).toMatchObject({
      ...{ recipe: "paper", engine: "embedded", teacher: "narrated", rl: { steps: 4 } },
    });

    const killed = startPaper(run("killed"));
    while (!existsSync(join(root, "killed", "vanilla", "state.json")) && killed.child.exitCode === null)
      await pause(20);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(read("killed", "vanilla", "events.jsonl")).not.toContain("rl-end");
    const again = startPaper(run("killed"));
    expect(await again.ended, again.output()).toBe(0);
    expect(again.output()).toMatch(/SFT on verified traces .*already done/);
    for (const stage of ["sft", "vanilla", "novelty"])
      expect(read("killed", stage, "events.jsonl")).toBe(read("whole", stage, "events.jsonl"));
    for (const policy of ["base", "sft", "vanilla", "novelty"])
      expect(read("killed", "evaluations", policy, "summary.json")).toBe(
        read("whole", "evaluations", policy, "summary.json"),
      );
  });

  it("RL begins where SFT ended: its reference is the policy, and adapters were folded in", () => {
    const { step, updates } = JSON.parse(lines("whole", "novelty", "events.jsonl")[0]);
    expect([step, updates[0].kl]).toEqual([0, 0]);
    expect(existsSync(join(root, "whole", "vanilla", "checkpoints", "step-4-whole", "model.safetensors"))).toBe(true);
  });

  it("another setting in the same folder is another run and refused", async () => {
    const { output, status } = await inProcess("whole", { "rl.kl": 0.5 });
    expect([status, output]).toEqual([1, expect.stringMatching(/holds another run \(rl differs\)/)]);
  });

  it("more of everything is evaluated in the same folder, nothing is trained again, and then the same finishes at once", async () => {
    const events = read("whole", "vanilla", "events.jsonl");
    const before = read("whole", "evaluations", "sft", "rollouts.jsonl");
    const own = join(root, "own.jsonl");
    writeFileSync(own, `${JSON.stringify({ problem: "What is 3 + 4?", answer: "7" })}\n`);
    const dapo = { algorithm: "grpo", exploration: { kind: "entropy-advantage" } };
    const changes = {
      variants: [
        { name: "vanilla" },
        { name: "novelty", objective: { advantage: { bonus: { kind: "novelty" } } } },
        { name: "dapo", title: "DAPO, ours", objective: dapo },
      ],
      "evaluation.steps": { vanilla: "best", novelty: [2], dapo: [2], sft: [0] },
      "evaluation.benchmarks": ["aime-2025", own],
      "evaluation.greedy": ["held-out", own],
      "evaluation.rollouts": 3,
      "evaluation.rolloutsOf": { [own]: 2 },
      "evaluation.heldOutPerPuzzle": 2,
    };
    const more = await inProcess("whole", changes);
    expect(more.status, more.output).toBe(0);
    expect(more.output).toMatch(/The best step of vanilla is [24], by pass@1 on the validation puzzles \(2: /);
    expect(read("whole", "vanilla", "events.jsonl")).toBe(events);
    for (const name of ["vanilla-step-2", "vanilla-step-4"])
      expect(read("whole", "choosing", name, "summary.json")).toBeTruthy();
    const evaluation = (name: string) => configOf("whole", "evaluations", name);
    expect(evaluation("novelty-step-2")).toMatchObject({ step: 2, temperature: 0.6 });
    expect(evaluation("novelty")).toMatchObject({ step: 4 });
    expect(evaluation("sft-greedy")).toMatchObject({ temperature: 0 });
    for (const name of ["dapo", "dapo-step-2", "sft-epoch-0"])
      expect(read("whole", "evaluations", name, "summary.json")).toBeTruthy();
    expect(JSON.parse(read("whole", "looks.json")).dapo).toEqual({ title: "DAPO, ours" });
    expect(configOf("whole", "dapo")).toMatchObject({ objective: dapo });
    expect(read("whole", "report", "index.html")).toContain("DAPO, ours");
    // What was sampled stays; further attempts and problems come behind it: three each, and two at the question of the file.
    const after = read("whole", "evaluations", "sft", "rollouts.jsonl");
    expect(after.startsWith(before)).toBe(true);
    const asked = lines("whole", "evaluations", "sft", "problems.jsonl").length;
    expect(after.trim().split("\n")).toHaveLength(3 * asked - 1);
    // Two held-out puzzles of two kinds, and that question.
    expect(lines("whole", "evaluations", "sft-greedy", "rollouts.jsonl")).toHaveLength(5);
    // The first settings again: what there is, is enough. Teacher, SFT, two RL runs, four evaluations, the analysis.
    const same = await inProcess("whole");
    expect(same.status, same.output).toBe(0);
    expect(same.output.match(/already done/g)).toHaveLength(9);
    expect(read("whole", "evaluations", "sft", "rollouts.jsonl")).toBe(after);
  });

  it("RL on a file of questions from SFT's checkpoint is one command, judges what the file holds out, and may be asked at another temperature", async () => {
    const questions = join(root, "sums.jsonl");
    const sums = Array.from({ length: 40 }, (_, i) => ({ question: `What is ${i} + 1?`, gold: i + 1 }));
    writeFileSync(questions, sums.map((sum) => `${JSON.stringify(sum)}\n`).join(""));
    const from = join(root, "whole", "sft", "checkpoints", "epoch-1");
    const flags = ["--from", from, "--columns", "problem=question,answer=gold"];
    const changes = { variants: [{ name: "vanilla" }], "rl.problems": [questions, "puzzles"] };
    const control = await inProcess("control", changes, flags);
    expect(control.status, control.output).toBe(0);
    expect(control.output).toMatch(/sums\.jsonl: \d+ questions to train on, \d+ held out by their text/);
    const asked: { problem: string }[] = lines("control", "vanilla", "rollouts.jsonl").map((line) => JSON.parse(line));
    const families = asked.map(({ problem }) => problem.split("/")[0]);
    // Two rollouts of each; a step of two problems has one of each kind.
    expect(families.slice(0, 4)).toEqual(["sums", "sums", "pattern", "pattern"]);
    expect(existsSync(join(root, "control", "sft", "run.json"))).toBe(false);
    const judged = lines("control", "evaluations", "sft", "problems.jsonl").map((line) => JSON.parse(line));
    const trained = new Set(asked.map(({ problem }) => problem));
    const held = judged.filter(({ set }) => set === "sums");
    expect(held.length).toBeGreaterThan(0);
    expect(held.every(({ id, kind }) => kind === "mathematics" && !trained.has(id))).toBe(true);

    const before = read("control", "evaluations", "vanilla", "rollouts.jsonl");
    const warmer = await inProcess("control", { ...changes, "evaluation.temperature": 0.9 }, flags);
    expect(warmer.status, warmer.output).toBe(0);
    expect(configOf("control", "evaluations", "sft-at-t0.9")).toMatchObject({
      policy: "sft-at-t0.9",
      temperature: 0.9,
    });
    expect(read("control", "evaluations", "vanilla", "rollouts.jsonl")).toBe(before);
  });
});
