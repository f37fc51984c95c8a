// What a row may be, and where it may lie: Python's numbers, tables laid out in one row or one document, seeds side by side. The shapes
// are those that the peers' code of August 2026 writes; each test names it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { importSlice } from "../../src/imports/import-slice.ts";
import { parsedJson } from "../../src/imports/json-values.ts";
import { planSlices } from "../../src/imports/plan.ts";
import { recordsIn } from "../../src/imports/tables.ts";
import type { Trace } from "../../src/imports/trace.ts";

const home = mkdtempSync(join(tmpdir(), "repertoire-rows-"));
afterAll(() => rmSync(home, { recursive: true }));

function put(path: string, ...rows: readonly unknown[]): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  const texts = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  writeFileSync(join(home, path), texts.join("\n"));
}

async function read(folder: string, name?: string): Promise<(Trace | string)[]> {
  const found: (Trace | string)[] = [];
  for (const { slice, options } of await planSlices([{ path: join(home, folder), name }], { format: "auto" }))
    for await (const item of importSlice(slice, options)) found.push("trace" in item ? item.trace : item.skipped);
  return found;
}
const traces = async (folder: string, name?: string) => (await read(folder, name)) as Trace[];
const checkpoints = async (folder: string, name?: string) =>
  [...new Set((await traces(folder, name)).map(({ checkpoint }) => checkpoint))].sort();

// verl 1dda039b9, trainer/ppo/v1/trainer_base.py _write_generations: json.dumps as it is
test("a score that is not a number costs itself and not its rollout", async () => {
  const row = (score: string, output: string) =>
    `{"input": "q", "output": ${JSON.stringify(output)}, "gts": "a word", "score": ${score}, "step": 1, "acc": true}`;
  const output = 'a "quoted" NaN, a \\ and -Infinity\\';
  put("verl/1.jsonl", row("NaN", output), row("-Infinity", "b"), row("0.5", "c"));
  const found = await traces("verl");
  expect(found.map(({ response }) => response)).toEqual([output, "b", "c"]);
  expect(found.map(({ score, correct }) => [score, correct])).toEqual([
    [undefined, true],
    [undefined, true],
    [0.5, true],
  ]);
  for (const text of ['{"a": NaNa}', '{"a": "NaN}', "NaN,"]) expect(() => parsedJson(text)).toThrow(SyntaxError);
  expect(parsedJson('[NaN, "\\\\", -Infinity, "\\"NaN", Infinity]')).toEqual([null, "\\", null, '"NaN', null]);
});

// ms-swift 3602360a5, rlhf_trainers/grpo_trainer.py log: one line a step
test("a row that is a table gives a rollout for each of its entries", async () => {
  const table = {
    step: ["3", "3"],
    prompt: ["p", "q"],
    completion: ["r", "s"],
    MathAccuracy: [1, 0],
    advantages: [0.7, -0.7],
  };
  put("swift/completions.jsonl", table);
  expect(await traces("swift")).toMatchObject([
    { checkpoint: "step 3", step: 3, prompt: "p", response: "r", correct: true, score: 1 },
    { checkpoint: "step 3", step: 3, prompt: "q", response: "s", correct: false, score: 0 },
  ]);
  // Messages are one prompt and one completion, however many there are.
  const message = (role: string, content: string) => ({ role, content });
  const one = { step: 1, prompt: [message("user", "p")], completion: [message("assistant", "r")], accuracy_reward: 1 };
  put("chat/completions.jsonl", one);
  expect(await traces("chat")).toMatchObject([{ prompt: "p", response: "r", correct: true }]);
});

test("tables of one document: wandb's, and pandas' five", () => {
  const rows = [
    { question: "p", response: "r" },
    { question: "q", response: "s" },
  ];
  const [columns, data] = [["question", "response"], rows.map(({ question, response }) => [question, response])];
  for (const document of [
    rows,
    { columns, data },
    { columns, index: [0, 1], data },
    { schema: { fields: [] }, data: rows },
    { 0: rows[0], 1: rows[1] },
    { question: { 0: "p", 1: "q" }, response: { 0: "r", 1: "s" } },
    { question: ["p", "q"], response: ["r", "s"] },
  ])
    expect(recordsIn(document)).toEqual(rows);
  const conversation = { messages: [{ role: "user", content: "q" }], tools: [{ name: "t" }] };
  expect(recordsIn(conversation)).toEqual([conversation]);
});

// NeMo-RL 7ea279abf, algorithms/grpo.py and utils/logger.py log_batched_dict_as_jsonl; the environment always has the last word
test("NeMo-RL's batches of one: the step is in the file's name, validation is told from training", async () => {
  const spoken = (role: string, content: string) => ({ role, content });
  put("nemo/train_data_step2.jsonl", { content: [["q", "r", "Environment: correct"]], rewards: [1], idx: 0 });
  put("nemo/train_data_step3.jsonl", { content: [["s", "q", "r", "no", "t", "yes"]], rewards: [0.5], idx: 0 });
  const log = [spoken("user", "q"), spoken("assistant", "r"), spoken("environment", "yes")];
  put("nemo/val_data_step3.jsonl", { content: [log], rewards: [1], idx: 0 });
  expect(await traces("nemo")).toMatchObject([
    { checkpoint: "step 2", step: 2, stage: "training", prompt: "q", response: "r", score: 1 },
    { checkpoint: "step 3", step: 3, stage: "training", prompt: "s\nq", response: "<think>r</think>t", score: 0.5 },
    { checkpoint: "step 3", step: 3, stage: "evaluation", prompt: "q", response: "r", score: 1 },
  ]);
});

// verifiers a60a606ec, v1/episode.py and v1/trace.py
test("agents of an episode are asked something each, failed rollouts are named, the run says the step", async () => {
  const trace = (name: string, content: string, more: object = {}) => ({
    task: { type: "Task", key: "k", data: { system_prompt: "be brief" } },
    agent: { name, config: { model: "m" } },
    nodes: [
      { message: { role: "user", content: "open" } },
      { parent: 0, sampled: true, message: { role: "assistant", content } },
    ],
    ...{ rewards: {}, metrics: {}, ok: true, errors: [], ...more },
  });
  const failed = trace("solver", "half a", { ok: false, errors: [{ type: "ProviderError", message: "429" }] });
  const run = { type: "train", id: "r", work: { type: "train", step: 4 } };
  put("episodes/traces.jsonl", { run, traces: [trace("solver", "a"), trace("judge", "b"), failed] });
  const [solver, judge, gone] = await read("episodes");
  expect(solver).toMatchObject({ problem: "k solver", checkpoint: "step 4", stage: "training", prompt: "open" });
  expect(judge).toMatchObject({ problem: "k judge", response: "b" });
  expect(gone).toBe("the rollout failed: ProviderError");
});

// lm-evaluation-harness 4e7e0d47f, evaluator.py: resps of every repeat, the metric of what the filter chose
test("lm-eval's repeats are graded here by the target, which of GSM8K is a whole solution", async () => {
  const row = (target: string) => ({
    ...{ doc_id: 1, target, resps: [["so \\boxed{72}", "so \\boxed{70}"]], filtered_resps: ["72"] },
    ...{ filter: "score-first", exact_match: 1, arguments: { gen_args_0: { arg_0: "q" } } },
  });
  put("lm/samples_gsm8k_2026-11-01T10-00-00.5.jsonl", row("She sold 24 more.\n#### 72"));
  expect((await traces("lm")).map(({ correct }) => correct)).toEqual([true, false]);
});

test("seeds under one folder are runs of their own, and what a step or a file is called tells them apart no more", async () => {
  const verl = (step: number) => ({ input: "q", output: "r", score: 1, step });
  for (const seed of ["a", "b"])
    for (const [kind, step] of [["rollouts", 1] as const, ["rollouts", 2] as const, ["validation", 2] as const])
      put(`seeds/${seed}/${kind}/${step}.jsonl`, verl(step));
  put("seeds/b/rollouts/3.jsonl", verl(3));
  expect(await checkpoints("seeds")).toEqual(["a step 1", "a step 2", "b step 1", "b step 2", "b step 3"]);
  expect(await checkpoints("seeds/b")).toEqual(["step 1", "step 2", "step 3"]);
  expect(await checkpoints("seeds/b", "x")).toEqual(["x step 1", "x step 2", "x step 3"]);
  for (const step of [500, 1000]) put(`hf/checkpoint-${step}/samples.jsonl`, { prompt: "q", response: `${step}` });
  expect(await checkpoints("hf")).toEqual(["step 1000", "step 500"]);
  for (const model of ["base", "tuned"]) put(`models/${model}/out.jsonl`, { prompt: "q", response: model });
  expect(await checkpoints("models")).toEqual(["base", "tuned"]);
  // A number in a model's name is no step of its training.
  put("sizes.jsonl", ...[4, 8].map((step) => ({ prompt: "q", response: "r", model: "Qwen3-8B", step })));
  expect(await checkpoints("sizes.jsonl")).toEqual(["Qwen3-8B step 4", "Qwen3-8B step 8"]);
});

test("logs of numbers and copies beside rollouts are no traces, tokens alone are named", async () => {
  const episode = { prompt: "q", response: "r" };
  put("prime/rollouts/step_1/train/all/traces.jsonl", episode);
  put("prime/token_exports/step_1/rank_0.jsonl", { step: 1, token_ids: [1, 2] });
  put("prime/metrics.jsonl", { step: 1, loss: 0.5 });
  put("prime/run_metadata.jsonl", { run_name: "r", model_name: "m" });
  expect(await traces("prime")).toMatchObject([{ response: "r", step: 1 }]);
  // open-instruct e6c3044aa, rl_utils.py RolloutRecord
  put("tokens.jsonl", { step: 1, prompt_tokens: [1], response_tokens: [2], reward: 1 });
  expect(await read("tokens.jsonl")).toEqual([
    "tokens without their text (prompt_tokens); decode them with the model's tokenizer first",
  ]);
});

test("a task that several prompts share is a set of problems and not one", async () => {
  const row = (prompt: string) => ({ id: prompt, task: "algebra", prompt, response: "r" });
  put("task.jsonl", row("p"), row("q"), { task: "t", response: "r" });
  const problems = (await traces("task.jsonl")).map(({ problem }) => problem);
  expect(new Set(problems).size).toBe(3);
  expect(problems[2]).toBe("t");
});
