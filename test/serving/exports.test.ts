// Exported folders: rows that the reward server grades, the paper's numbers, scripts that a shell accepts.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { compressors } from "hyparquet-compressors";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../src/problems/problem.ts";
import { exportedSets } from "../../src/serving/export-rows.ts";
import { type ExportRequest, exportFolder, RewardServer, trainers } from "../../src/serving/index.ts";
import { readQuestion } from "../../src/serving/question.ts";
import { trainerNamed } from "../../src/serving/trainers/index.ts";
import { stageOf } from "../../src/serving/trainers/stage.ts";
import type { SettingsInput } from "../../src/serving/trainers/trainer.ts";
import { watchedTable } from "../../src/serving/trainers/watched.ts";
import { type RlOptions, rlOptionsSchema } from "../../src/training/rl-options.ts";
import { missingModules, runPython } from "./python.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "repertoire-export-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const problems = exportedSets({ seed: 3, puzzles: ["bridges=5x5", "undead=4x4"], trainRows: 9, testRows: 4 });
const request = (trainer: string, changes: Partial<ExportRequest> = {}): ExportRequest => ({
  trainer,
  out: join(folder, trainer),
  bonus: trainerNamed(trainer).bonus ? "novelty" : "none",
  problems: () => problems,
  model: "some/model",
  gpus: 8,
  rewardUrl: "http://127.0.0.1:8123",
  ...changes,
});
const input = (trainer: string): SettingsInput => {
  const { bonus, model, gpus } = request(trainer);
  return { bonus, model, gpus, nodes: 1, promptStyle: "full", plain: false, stage: stageOf() };
};
const text = (...path: string[]) => readFile(join(folder, ...path), "utf8");
const jsonLines = async (...path: string[]) =>
  (await text(...path))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("exports", () => {
  it.each(trainers)("%s: data, settings, a launch script that the shell reads, and a README", async (trainer) => {
    await exportFolder(request(trainer));
    const { data, plugins, settings, files } = trainerNamed(trainer);
    const further = Object.keys(files?.({ ...input(trainer), settings: settings(input(trainer)) }) ?? {});
    expect((await readdir(join(folder, trainer))).sort()).toEqual(
      [
        ...["README.md", "launch.sh", "settings.json", `test.${data}`, `train.${data}`],
        ...(plugins.length > 0 ? ["plugin"] : []),
        ...further,
      ].sort(),
    );
    execFileSync("bash", ["-n", join(folder, trainer, "launch.sh")]);
    expect(JSON.parse(await text(trainer, "settings.json"))).toEqual(
      JSON.parse(JSON.stringify(settings(input(trainer)))),
    );
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
    const readme = await text(trainer, "README.md");
    for (const part of ["Checked against", "differs from the paper", "nobody has run"]) expect(readme).toContain(part);
  });

  it("every export says how to watch it, and keeps what its trainer can", async () => {
    for (const trainer of trainers) expect(await text(trainer, "README.md")).toMatch(/traces analyze \S+ --follow/);
    const words = { verl: "trainer.rollout_data_dir", slime: "--dump-details", skyrl: "dump_eval_results" };
    for (const [trainer, word] of Object.entries(words)) expect(await text(trainer, "launch.sh")).toContain(word);
    expect(JSON.parse(await text("trl", "settings.json")).log_completions).toBe(true);
  });

  it("test rows say so in their ground truth, for the record, and are graded as before", async () => {
    const [train] = await jsonLines("trl", "train.jsonl");
    const [tested] = await jsonLines("trl", "test.jsonl");
    expect(JSON.parse(train.ground_truth)).not.toHaveProperty("split");
    expect(readQuestion(tested.ground_truth)).toMatchObject({ kind: "puzzle", split: "test" });
  });

  it("docs/serving.md has the table of what was watched", async () => {
    const docs = await readFile(new URL("../../docs/serving.md", import.meta.url), "utf8");
    for (const line of watchedTable().split("\n")) expect(docs).toContain(line);
  });

  it("a folder of weights is named by its whole path, as launch.sh runs elsewhere", async () => {
    const model = join(folder, "weights");
    await mkdir(model);
    for (const trainer of ["verl", "prime-rl"]) {
      const out = join(folder, `placed-${trainer}`);
      await exportFolder(request(trainer, { out, model: relative(process.cwd(), model) }));
      const written = await readdir(out);
      const texts = await Promise.all(
        written.filter((name) => /\.(sh|json|ya?ml|toml)$/.test(name)).map((name) => readFile(join(out, name), "utf8")),
      );
      expect(texts.some((content) => content.includes(model))).toBe(true);
      expect(texts.filter((content) => content.includes(relative(process.cwd(), model)))).toEqual([]);
    }
    await exportFolder(request("verl", { out: join(folder, "later"), model: "./not-yet" }));
    expect(await text("later", "launch.sh")).toContain(join(process.cwd(), "not-yet"));
  });

  it("rows carry what our server grades by, in each trainer's columns", async () => {
    const server = await RewardServer.start({ port: 0 });
    try {
      const [row] = await jsonLines("slime", "train.jsonl");
      const asked = { prompt: row.prompt, response: "<answer>?</answer>", label: row.label };
      const reply = await fetch(`${server.url}/slime`, { method: "POST", body: JSON.stringify(asked) });
      expect(await reply.json()).toMatchObject({ verdict: "unreadable" });
    } finally {
      await server.drain();
    }
    const rows = await jsonLines("trl", "train.jsonl");
    expect(rows).toHaveLength(9);
    expect(new Set(rows.map((row) => row.ground_truth)).size).toBe(9);
    expect(Object.keys(rows[0])).toEqual(["prompt", "ground_truth", "data_source"]);
    expect(rows[0].prompt[0].role).toBe("user");
    const tested = await jsonLines("trl", "test.jsonl");
    expect(tested.filter((row) => rows.some(({ ground_truth }) => ground_truth === row.ground_truth))).toEqual([]);
  });

  it("verl's Parquet has its nested columns", async () => {
    const file = await asyncBufferFromFile(join(folder, "verl", "train.parquet"));
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows).toHaveLength(9);
    const { data_source, prompt, ability, reward_model, extra_info } = rows[0];
    expect(data_source).toMatch(/^repertoire\/(bridges|undead)$/);
    expect(prompt).toMatchObject([{ role: "user" }]);
    expect(ability).toBe("puzzle");
    expect(reward_model.style).toBe("rule");
    expect(JSON.parse(reward_model.ground_truth)).toMatchObject({ id: expect.any(String) });
    expect(extra_info).toMatchObject({ split: "train" });
  });

  it("the paper's table in verl's and TRL's keys", async () => {
    expect(JSON.parse(await text("verl", "settings.json"))).toMatchObject({
      "actor_rollout_ref.actor.clip_ratio_low": 0.0025,
      "actor_rollout_ref.actor.clip_ratio_high": 0.005,
      "actor_rollout_ref.actor.ppo_mini_batch_size": 128,
      "actor_rollout_ref.actor.ppo_epochs": 4,
      "actor_rollout_ref.actor.kl_loss_coef": 0.001,
      "actor_rollout_ref.actor.optim.lr": 5e-5,
      "actor_rollout_ref.actor.optim.min_lr_ratio": 0.3,
      "actor_rollout_ref.model.lora_rank": 64,
      "actor_rollout_ref.model.lora_alpha": 128,
      "actor_rollout_ref.rollout.n": 8,
      "actor_rollout_ref.rollout.temperature": 0.8,
      "data.train_batch_size": 128,
      "data.max_prompt_length": 3000,
      "data.max_response_length": 28000,
      "trainer.total_training_steps": 70,
      "trainer.v1.trainer_mode": "sync_novelty",
    });
    expect(JSON.parse(await text("trl", "settings.json"))).toMatchObject({
      importance_sampling_level: "sequence",
      epsilon: 0.0025,
      epsilon_high: 0.005,
      beta: 0.001,
      num_iterations: 4,
      gradient_accumulation_steps: 128,
      max_steps: 280,
      novelty: { weight: 0.1, tokens: 100, clip: 2, divisor: "sample" },
    });
  });

  // What each trainer does unless it is told otherwise, read in the versions that `checkedWith` names, is another experiment:
  // TRL drops rollouts by trainer over sampler and weights the KL, OpenRLHF has a beta of 0.95 and warms up; most of them
  // shuffle.
  const stated: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    verl: {
      "data.shuffle": false,
      "actor_rollout_ref.actor.optim.betas": "[0.9,0.999]",
      "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio": 0,
      "actor_rollout_ref.actor.optim.clip_grad": 1,
    },
    trl: {
      shuffle_dataset: false,
      vllm_importance_sampling_correction: false,
      use_bias_correction_kl: false,
      adam_beta2: 0.999,
      warmup_steps: 0,
    },
    openrlhf: { "--actor.adam.betas": [0.9, 0.999], "--actor.adam.eps": 1e-8, "--actor.lr_warmup_ratio": 0 },
    slime: { "--adam-beta2": 0.999, "--adam-eps": 1e-8, "--lr-warmup-iters": 0 },
    skyrl: {
      "trainer.policy.optimizer_config.adam_betas": "[0.9,0.999]",
      "trainer.policy.optimizer_config.num_warmup_steps": 0,
      "trainer.algorithm.kl_estimator_type": "k3",
    },
  };
  it.each(Object.entries(stated))(
    "%s: its own defaults do not make it another experiment",
    async (trainer, expected) => {
      expect(JSON.parse(await text(trainer, "settings.json"))).toMatchObject(expected);
    },
  );

  it("the same in prime-rl's file", async () => {
    expect(parse(await text("prime-rl", "rl.toml"))).toMatchObject({
      trainer: { optim: { betas1: 0.9, betas2: 0.999, max_norm: 1 }, scheduler: { warmup_steps: 0 } },
    });
  });

  const noTrl = missingModules("trl", "torch");
  it.skipIf(noTrl !== undefined)(
    `TRL knows every key of its settings${noTrl ? ` (skipped: ${noTrl})` : ""}`,
    async () => {
      const script =
        "import dataclasses, json, sys; from trl.trainer.grpo_config import GRPOConfig; given = json.load(sys.stdin); " +
        "print(json.dumps({'unknown': sorted(set(given) - {f.name for f in dataclasses.fields(GRPOConfig)})}))";
      const [reply] = await runPython(["-c", script], await text("trl", "settings.json"));
      expect(reply).toEqual({ unknown: ["adapter", "novelty"] });
    },
  );

  it("never overwrites, and leaves nothing behind when refused", async () => {
    await expect(exportFolder(request("trl"))).rejects.toThrow("exists");
    const out = join(folder, "refused");
    await expect(exportFolder(request("openrlhf", { out, bonus: "novelty" }))).rejects.toThrow("--bonus none");
    await expect(exportFolder(request("slime", { out, rewardUrl: 'http://x"; rm -rf ~' }))).rejects.toThrow("expected");
    await expect(exportFolder(request("verl", { out, gpus: 64 }))).rejects.toThrow("--gpus 8 --nodes 8");
    await expect(exportFolder(request("trl", { out, nodes: 2 }))).rejects.toThrow("one machine");
    await expect(exportFolder(request("verl", { out, nodes: 2 }))).rejects.toThrow("reach the reward server");
    const plain = { promptStyle: "terse", chat: "plain", language: "terse" } as const;
    await expect(exportFolder(request("verl", { out, card: plain }))).rejects.toThrow("trl, openrlhf, slime");
    const never = () => {
      throw new Error("asked for problems");
    };
    await expect(exportFolder(request("verl", { out, card: plain, problems: never }))).rejects.toThrow("plain prompts");
    const untested = { out, problems: () => ({ ...problems, test: [] }) };
    await expect(exportFolder(request("verl", untested))).rejects.toThrow("--held-out-share");
    await expect(exportFolder(request("trl", { out, gpus: 3 }))).rejects.toThrow("3 GPUs");
    expect(existsSync(out)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("says so where there are fewer different puzzles than asked for", async () => {
    const few = exportedSets({ seed: 3, puzzles: ["galaxies=3x3"], trainRows: 400, testRows: 1 });
    const { notes } = await exportFolder(request("openrlhf", { out: join(folder, "small"), problems: () => few }));
    const rows = await jsonLines("small", "train.jsonl");
    expect(rows).toHaveLength(400);
    const different = new Set(rows.map(({ label }) => label)).size;
    expect(different).toBeLessThan(400);
    expect(notes[0]).toContain(`${different} different`);
  });

  it("questions of anybody's are rows that our server grades, with its owner's grader where there is one", async () => {
    const grader = join(folder, "grade.mjs");
    await writeFile(grader, "export const grade = ({ answer, response, data }) => response === answer + data.tail;");
    const asked = { kind: "question", prompt: "say it", grader, answer: "yes", data: { tail: "!" } } as const;
    const train: Problem[] = [
      { kind: "mathematics", id: "half", prompt: "1/2?", answer: "\\frac{1}{2}" },
      { kind: "mathematics", id: "made", prompt: "1+1", answer: "2", set: "synthetic" },
      { id: "mine", ...asked },
    ];
    await exportFolder(request("trl", { out: join(folder, "questions"), problems: () => ({ train, test: train }) }));
    const rows = await jsonLines("questions", "train.jsonl");
    expect(rows.map((row) => row.data_source)).toEqual([
      ...["repertoire/mathematics", "repertoire/synthetic", "repertoire/question"],
    ]);
    expect(JSON.stringify(rows)).not.toContain("grade.mjs");
    const server = await RewardServer.start({ port: 0, grader });
    const without = await RewardServer.start({ port: 0 });
    try {
      const ask = async (to: RewardServer, completions: readonly string[], ground_truth: readonly string[]) => {
        const reply = await fetch(`${to.url}/trl`, {
          method: "POST",
          body: JSON.stringify({ completions, ground_truth }),
        });
        return ((await reply.json()) as { scores: { verdict: string; because: string }[] }).scores;
      };
      const truths = rows.map((row) => row.ground_truth);
      const right = await ask(server, ["\\boxed{0.5}", "<answer>2</answer>", "yes!"], truths);
      expect(right.map(({ verdict }) => verdict)).toEqual(["correct", "correct", "correct"]);
      expect(
        (await ask(server, ["\\boxed{3}", "<answer>3</answer>", "yes"], truths)).map(({ verdict }) => verdict),
      ).toEqual(["wrong", "wrong", "wrong"]);
      const [unknown] = await ask(without, ["yes!"], [truths[2]]);
      expect(unknown).toMatchObject({ verdict: "failed", because: expect.stringContaining("--grader") });
      const tested = await jsonLines("questions", "test.jsonl");
      expect((await ask(server, ["yes!"], [tested[2].ground_truth]))[0].verdict).toBe("correct");
    } finally {
      await Promise.all([server.drain(), without.drain()]);
    }
    await expect(RewardServer.start({ port: 0, grader: join(folder, "none.mjs") })).rejects.toThrow("none.mjs");
  });

  it("settings of a stage reach every trainer", async () => {
    const changed = (more: object) =>
      rlOptionsSchema.parse({ steps: 21, sampling: { maxTokens: 12_000 }, ...more }) as RlOptions;
    const gspo = { algorithm: "gspo", kl: { coefficient: 0.02 } };
    /** prime-rl has its own loss; NeMo-Gym runs environments and trains nothing. */
    const options: Readonly<Record<string, RlOptions>> = {
      "prime-rl": changed({ learningRate: 3e-5 }),
      "nemo-gym": changed({}),
    };
    const out = (trainer: string) => join(folder, `changed-${trainer}`);
    for (const trainer of trainers) {
      await exportFolder(
        request(trainer, {
          out: out(trainer),
          options: options[trainer] ?? changed({ learningRate: 3e-5, objective: gspo }),
        }),
      );
      const files = (await readdir(out(trainer))).filter((name) => /^(settings|launch|config|rl)\./.test(name));
      const written = (await Promise.all(files.map((name) => readFile(join(out(trainer), name), "utf8")))).join("\n");
      expect(written, trainer).toContain("12000");
      expect(written, trainer).not.toContain("28000");
      if (trainer === "nemo-gym") continue;
      // SkyRL trains on its rows once, however many there are.
      if (trainer !== "skyrl") expect(written, trainer).toMatch(/\b(21|84|2688|21504)\b/);
      expect(written, trainer).toMatch(/\b(0\.00003|3e-0?5|0\.000003|3e-0?6)\b/);
    }
    const small = stageOf(rlOptionsSchema.parse({ problemsPerStep: 4 }));
    expect(small).toMatchObject({ rolloutsPerStep: 32, rolloutsPerUpdate: 32 });
    const settingsOf = (trainer: string, stage: SettingsInput["stage"], gpus = 8) =>
      trainerNamed(trainer).settings({ ...input(trainer), stage, gpus });
    expect(settingsOf("verl", small)).toMatchObject({ "actor_rollout_ref.actor.ppo_mini_batch_size": 4 });
    for (const trainer of ["verl", "trl"]) expect(() => settingsOf(trainer, small, 5)).toThrow("shared by 5 GPUs");
    for (const [given, because] of [
      [{ problemsPerStep: 6, rolloutsPerUpdate: 32 }, "no whole number of updates"],
      [{ problemsPerStep: 6, rolloutsPerUpdate: 12 }, "would cut a group"],
    ] as const)
      expect(() => stageOf(rlOptionsSchema.parse(given))).toThrow(because);
    expect(() => stageOf(rlOptionsSchema.parse({ objective: { algorithm: "grpo" } }))).toThrow("GSPO");
  });

  it("a setting that a trainer's export has no place for is refused, and a bonus of one's own is said to its plugin", async () => {
    const gspo = (advantage: object, more: object = {}) => ({
      objective: { algorithm: "gspo", advantage },
      ...more,
    });
    const export_ = (trainer: string, given: object) =>
      exportFolder(request(trainer, { out: join(folder, `own-${trainer}`), options: rlOptionsSchema.parse(given) }));
    for (const [trainer, given, path] of [
      ["verl", { schedule: { shape: "linear" } }, "schedule.shape"],
      ["trl", { sampling: { topK: 20, stopStrings: ["."] } }, "sampling.topK, sampling.stopStrings"],
      ["verl", { scoringTemperature: 1 }, "scoringTemperature"],
      ["trl", gspo({ baseline: "leave-one-out" }), "objective.advantage.baseline"],
      ["slime", gspo({ bonus: { kind: "novelty", score: "random" } }), "objective.advantage.bonus.score"],
      ["prime-rl", { objective: { algorithm: "gspo", kl: { coefficient: 0.02 } } }, "objective.kl.coefficient"],
      ["nemo-gym", { learningRate: 1e-5 }, "learningRate"],
      ["openrlhf", { optimizer: { beta2: 0.9 }, epochs: 2, alarms: { recoveryShare: 0.2 }, weightDecay: 0.1 }, ""],
      // Of 32 rollouts a step, 32 are an update in any case.
      ["trl", { problemsPerStep: 4, rolloutsPerUpdate: 32 }, ""],
    ] as const) {
      const refused = `the export for ${trainer} has no place for ${path}:`;
      if (path === "") await export_(trainer, given);
      else await expect(export_(trainer, given), path).rejects.toThrow(refused);
    }
    for (const trainer of ["verl", "slime", "skyrl", "prime-rl"]) {
      await export_(trainer, gspo({ bonus: { kind: "novelty", weight: 0.3, top: { tokens: 50 } } }));
      const launch = await text(`own-${trainer}`, "launch.sh");
      for (const said of ["REPERTOIRE_NOVELTY_WEIGHT:-0.3", "REPERTOIRE_NOVELTY_TOKENS:-50"])
        expect(launch, trainer).toContain(said);
      expect(launch).not.toContain("REPERTOIRE_NOVELTY_CLIP");
    }
  });

  it("a model without a chat template gets its prompts as text, where the trainer takes that", async () => {
    const card = { promptStyle: "terse", chat: "plain", language: "terse" } as const;
    for (const trainer of ["trl", "openrlhf", "slime"]) {
      const out = join(folder, `plain-${trainer}`);
      await exportFolder(request(trainer, { out, card }));
      const [row] = await jsonLines(`plain-${trainer}`, "train.jsonl");
      expect(row.prompt).toBe(problems.train[0].prompt);
      expect(await readFile(join(out, "launch.sh"), "utf8")).not.toContain("chat_template");
    }
  });

  it("several machines: every trainer that can has them in its own words, and the README says what they share", async () => {
    const words = {
      verl: "trainer.nnodes=4",
      openrlhf: "--actor.num_nodes 4",
      slime: "--actor-num-nodes 4",
      skyrl: "policy_num_nodes=4",
    };
    for (const [trainer, word] of Object.entries(words)) {
      const out = join(folder, `four-${trainer}`);
      const model = trainer === "slime" ? "Qwen/Qwen3-8B" : "some/model";
      await exportFolder(request(trainer, { out, model, nodes: 4, rewardUrl: "http://head:8123" }));
      expect(await readFile(join(out, "launch.sh"), "utf8")).toContain(word);
      expect(await readFile(join(out, "README.md"), "utf8")).toMatch(/4 machines[\s\S]*ray start --head/);
    }
  });

  it("quotes a model's path for the shell", async () => {
    await exportFolder(request("trl", { out: join(folder, "odd"), model: "/models/it's $HOME" }));
    const said = execFileSync(
      "bash",
      [
        "-c",
        `accelerate() { printf '%s\\n' "$@"; }; export -f accelerate; bash "$0"`,
        join(folder, "odd", "launch.sh"),
      ],
      { encoding: "utf8" },
    );
    expect(said.split("\n")).toContain("/models/it's $HOME");
  });
});
