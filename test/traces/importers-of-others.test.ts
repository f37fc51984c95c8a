// Formats of trainers, harnesses, interfaces and datasets that are easily misread, written as their own code writes them;
// the sources of the shapes are named in each test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { withoutChannels } from "../../src/imports/harmony.ts";
import { importSlice } from "../../src/imports/import-slice.ts";
import { turnsText } from "../../src/imports/row-values.ts";
import { slicesOf, traceFiles } from "../../src/imports/slice.ts";
import { sourceName, stepInPath } from "../../src/imports/source-name.ts";
import type { Trace } from "../../src/imports/trace.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "importers-of-others-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function traces(name: string, ...records: readonly unknown[]): Promise<Trace[]> {
  const path = join(folder, name);
  const text = name.endsWith(".json") ? JSON.stringify(records[0]) : records.map((r) => JSON.stringify(r)).join("\n");
  await writeFile(path, text);
  const found: Trace[] = [];
  for (const slice of await slicesOf(path)) {
    for await (const item of importSlice(slice, { format: "auto" })) {
      if ("skipped" in item) throw new Error(item.skipped);
      found.push(item.trace);
    }
  }
  return found;
}

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string, more: object = {}) => ({ role: "assistant", content, ...more });

describe("trainers and environments", () => {
  const puzzle = puzzleNamed("undead");
  const { instance, solution } = puzzle.generate(puzzle.readParams("4x4de"), Random.from(2));
  const ground_truth = JSON.stringify({ puzzle: "undead", id: puzzle.writeId(instance) });
  const right = `<answer>${puzzle.renderAnswer(instance, solution)}</answer>`;

  // SkyRL a9564572e, train/utils/trainer_utils.py dump_per_dataset_eval_results and train/evaluate.py
  test("SkyRL's evaluations: the step is in the folder's name, and the metrics beside them are no traces", async () => {
    const row = { input_prompt: "[user] q", output_response: right, score: 2.1, env_class: "repertoire" };
    const rows = join(folder, "dumped_evals");
    for (const step of [5, 10]) {
      await mkdir(join(rows, `global_step_${step}_evals`), { recursive: true });
      const path = (name: string) => join("dumped_evals", `global_step_${step}_evals`, name);
      const extras = { env_extras: { reward_spec: { ground_truth } }, data_source: "repertoire/undead" };
      await writeFile(join(folder, path("aggregated_results.jsonl")), JSON.stringify({ "eval/all/avg_score": 1 }));
      const found = await traces(path("repertoire_undead.jsonl"), { ...row, ...extras });
      expect(found).toMatchObject([{ checkpoint: `step ${step}`, step, correct: true, set: "repertoire/undead" }]);
    }
    const files = (await traceFiles(rows)).map((file) => relative(rows, file));
    expect(files).toEqual([5, 10].map((step) => join(`global_step_${step}_evals`, "repertoire_undead.jsonl")));
  });

  // verifiers 0.3.0, legacy/types.py RolloutOutput and legacy/utils/save_utils.py
  test("verifiers' results.jsonl: problems are told apart, a reward is no grade, a rubric named for it is", async () => {
    const row = (example_id: number, more: object) => ({
      ...{ example_id, task: "gsm8k", prompt: [user("q")], reward: 0.7, answer: "4" },
      ...{ completion: [assistant("It is 4.", { reasoning_content: "hm" })], metrics: {}, is_completed: true },
      ...more,
    });
    const found = await traces(
      "results.jsonl",
      row(0, {}),
      row(1, { correct_answer_reward_func: 1, reward: 1.1 }),
      row(2, { metrics: { exact: 0 }, reward: 1.06 }),
      row(3, { answer: ground_truth, completion: [assistant(right)], reward: 2.1 }),
    );
    expect(found.map(({ problem }) => problem)).toEqual(["gsm8k 0", "gsm8k 1", "gsm8k 2", "gsm8k 3"]);
    expect(found.map(({ correct, recorded }) => [correct, recorded])).toEqual([
      [true, undefined],
      [true, true],
      // Our grade and the record's disagree, and both are kept.
      [true, false],
      [true, undefined],
    ]);
    expect(found[0]).toMatchObject({ response: "<think>hm</think>It is 4.", score: 0.7, set: "gsm8k" });
    expect(await traceFiles(folder)).toContain(join(folder, "results.jsonl"));
  });

  // verifiers 0.3.0, v1/trace.py Trace and v1/cli/output.py: an episode a line
  test("verifiers' episodes", async () => {
    const trace = {
      version: 1,
      task: { type: "PuzzleTask", data: { idx: 7, prompt: "Solve", ground_truth }, key: "k7" },
      agent: { model: "m" },
      nodes: [
        { parent: null, message: user("Solve"), sampled: false },
        { parent: 0, message: assistant("first"), sampled: true },
        { parent: 0, message: assistant("another branch"), sampled: true },
        { parent: 1, message: user("go on"), sampled: false },
        { parent: 3, message: assistant(right, { reasoning_content: "so" }), sampled: true },
      ],
      rewards: { task_reward: { score: 2.1, weight: 1 }, half: { score: 1, weight: 0.5 }, none: null },
      metrics: { exact: 1 },
    };
    const [found] = await traces("traces.jsonl", { id: "e", env: {}, errors: [], traces: [trace] });
    expect(found).toMatchObject({ checkpoint: "m", problem: "k7", correct: true, score: 2.6, prompt: "Solve" });
    expect(found.response).toBe(`<think>first\n\nso</think>${right}`);
  });

  // rLLM 9beb6e0f, rllm/utils/episode_logger.py, types.py Step.from_model_output, workflows/workflow.py line 202 (any reward above 0
  // is "correct")
  test("rLLM's episodes keep their reasoning, and are right where their reward is a grade or their gold says so", async () => {
    const episode = (reward: number | null, is_correct: boolean, step: object, task: object = { question: "q" }) => ({
      ...{ training_step: 3, epoch: 0, episode_id: "t:2", task, task_hash: "abc", is_correct },
      trajectories: [{ reward, steps: [step] }],
    });
    const found = await traces(
      "episodes.jsonl",
      episode(1, true, { model_response: "b", thought: "hm" }),
      episode(0, false, { model_response: "hm, b", thought: "hm" }),
      episode(0.1, true, { model_response: "b" }),
      episode(1.06, true, { model_response: "<answer>?</answer>" }, { question: "q", ground_truth }),
      episode(2.1, true, { model_response: right }, { question: "q", ground_truth }),
    );
    expect(found.map(({ correct }) => correct)).toEqual([true, false, undefined, false, true]);
    expect(found.slice(0, 2).map(({ response }) => response)).toEqual(["<think>hm</think>b", "hm, b"]);
    expect(found[0]).toMatchObject({ step: 3, problem: "abc", score: 1, prompt: "q" });
  });

  // rLLM 9beb6e0f, cookbooks/solver_judge_flow: solvers and a judge in one episode, each rewarded by itself
  test("rLLM's agents are rollouts of their own, with all their steps", async () => {
    const by = (name: string, reward: number, ...said: string[]) => ({
      ...{ name, reward, steps: said.map((model_response) => ({ model_response })) },
    });
    const trajectories = [
      by("solver", 1, "<think>look</think>search", right),
      by("solver", 0, "b"),
      by("judge", 1, "the first"),
    ];
    const task = { id: "t", instruction: "q", metadata: { ground_truth } };
    const found = await traces("flow.jsonl", {
      episode_id: "t:0",
      task,
      task_hash: "abc",
      is_correct: true,
      trajectories,
    });
    expect(found.map(({ problem, response }) => [problem, response])).toEqual([
      ["abc solver", `<think>look\nsearch</think>${right}`],
      ["abc solver", "b"],
      ["abc judge", "the first"],
    ]);
    expect(found.map(({ correct, prompt }) => [correct, prompt])).toEqual([
      [true, "q"],
      [false, "q"],
      [false, "q"],
    ]);
  });

  // NeMo-Gym 07d6b0d07, a line of resources_servers/math_with_judge/data/example_rollouts.jsonl, shortened
  test("NeMo-Gym's rollouts", async () => {
    const row = {
      responses_create_params: { input: [{ ...user("What is 2+2?"), type: "message" }] },
      response: {
        id: "resp_1",
        model: "m",
        object: "response",
        output: [
          { id: "rs", type: "reasoning", summary: [{ text: "adding", type: "summary_text" }], content: null },
          { id: "m1", type: "message", role: "assistant", content: [{ type: "output_text", text: "4" }] },
        ],
      },
      ...{ reward: 1.0, expected_answer: "4", _ng_task_index: 5, _ng_rollout_index: 1 },
    };
    const [plain, ours] = await traces("rollouts-gym.jsonl", row, { ...row, verdict: { verdict: "wrong" } });
    expect(plain).toMatchObject({ checkpoint: "m", problem: "5", attempt: 1, score: 1, prompt: "What is 2+2?" });
    expect(plain.response).toBe("<think>adding</think>4");
    expect([plain.correct, plain.recorded]).toEqual([true, undefined]);
    expect([ours.correct, ours.recorded]).toEqual([true, false]);
    // Older files have no index: a reply's id names the attempt, so that the prompt has to tell the problem.
    const { _ng_task_index, _ng_rollout_index, ...old } = row;
    const attempts = [old, { ...old, response: { ...old.response, id: "resp_2" } }];
    const problems = (await traces("rollouts-old.jsonl", ...attempts)).map(({ problem }) => problem);
    expect(problems[0]).toBe(problems[1]);
    expect(problems[0]).not.toContain("resp_");
  });
});

describe("interfaces", () => {
  test("OpenAI's Responses, bare and in batch results", async () => {
    const body = {
      ...{ id: "resp_1", object: "response", model: "o", output: [] as unknown[] },
      output: [
        { type: "reasoning", content: [{ type: "reasoning_text", text: "think" }], summary: [{ text: "short" }] },
        { type: "function_call", name: "f", arguments: "{}" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "said" }] },
      ],
    };
    const batch = { custom_id: "p1", response: { status_code: 200, body }, error: null };
    expect(await traces("responses.jsonl", body, batch)).toMatchObject([
      { checkpoint: "o", problem: "resp_1", response: "<think>think</think>said" },
      { checkpoint: "o", problem: "p1", response: "<think>think</think>said" },
    ]);
  });

  test("Anthropic's messages, bare and in batch results", async () => {
    const message = {
      ...{ id: "msg_1", type: "message", role: "assistant", model: "claude" },
      content: [
        { type: "thinking", thinking: "hm", signature: "x" },
        { type: "text", text: "yes" },
      ],
    };
    const found = await traces("anthropic.jsonl", message, { custom_id: "p2", result: { type: "succeeded", message } });
    expect(found).toMatchObject([
      { checkpoint: "claude", problem: "msg_1", response: "<think>hm</think>yes" },
      { checkpoint: "claude", problem: "p2", response: "<think>hm</think>yes" },
    ]);
    await expect(traces("expired.jsonl", { custom_id: "p", result: { type: "expired" } })).rejects.toThrow("expired");
  });

  test("ShareGPT's conversations", async () => {
    const conversations = [
      { from: "human", value: "q" },
      { from: "gpt", value: "<think>a</think>b" },
    ];
    const [one] = await traces("sharegpt.json", [{ id: "s1", conversations }]);
    expect(one).toMatchObject({
      problem: expect.stringMatching(/^prompt /),
      response: "<think>a</think>b",
      prompt: "q",
    });
  });

  test("turns between calls of tools are thinking, and results of tools are no part of the problem", async () => {
    const call = (n: number) => assistant("Let me compute.", { reasoning_content: `plan ${n}`, tool_calls: [{}] });
    const tool = (content: string) => ({ role: "tool", content });
    const end = assistant("4", { reasoning_details: [{ type: "reasoning.text", text: "seen" }] });
    const chat = (n: number) => ({ messages: [user("q"), call(n), tool(`result ${n}`), end] });
    const earlier = { messages: [user("q0"), assistant("a0"), user("q1"), assistant("a1")] };
    const [one, two, last] = await traces("tools.jsonl", chat(1), chat(2), earlier);
    expect(one.response).toBe("<think>plan 1\nLet me compute.\n\nseen</think>4");
    expect(one).toMatchObject({ problem: two.problem, prompt: "q" });
    expect(last).toMatchObject({ response: "a1", prompt: "q0\nq1" });
    // What ends without an answer; examples in a request.
    const ended = { messages: [user("q"), assistant("a"), user("thanks")] };
    const shots = { messages: [user("e"), assistant("example"), user("q")], response: "a" };
    expect(await traces("ends.jsonl", ended, shots)).toMatchObject([
      { prompt: "q", response: "a" },
      { prompt: "e\nq", response: "a" },
    ]);
    const text = (of: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text: of }] });
    const output = [
      text("I look it up."),
      { type: "function_call" },
      { type: "reasoning", summary: [{ text: "hm" }] },
      text("4"),
    ];
    expect(await traces("calls.jsonl", { id: "r", model: "o", output })).toMatchObject([
      { response: "<think>I look it up.\n\nhm</think>4" },
    ]);
    const from = (speaker: string, value: string) => ({ from: speaker, value });
    const conversations = [from("human", "q"), from("function_call", "{}"), from("observation", "3"), from("gpt", "4")];
    expect(await traces("shared.jsonl", { system: "Be brief.", conversations })).toMatchObject([
      { prompt: "Be brief.\nq", response: "<think>{}</think>4" },
    ]);
    const result = { role: "user", content: [{ type: "tool_result", content: "3" }] };
    const thinking = { role: "assistant", content: [{ type: "thinking", thinking: "plan" }, { type: "tool_use" }] };
    expect(await traces("blocks.jsonl", { messages: [user("q"), thinking, result, assistant("4")] })).toMatchObject([
      { prompt: "q", response: "<think>plan</think>4" },
    ]);
    // A turn that was cut off stays open.
    expect(turnsText(["a", "<think>b"])).toBe("<think>a\n\nb");
    expect(turnsText(["a", "b</think>c"])).toBe("<think>a\n\nb</think>c");
  });

  test("gpt-oss's channels are cut: analysis is thinking, final is the answer", async () => {
    const text =
      "<|channel|>analysis<|message|>We add.<|end|><|start|>assistant<|channel|>commentary to=f <|constrain|>json<|message|>{}<|call|>" +
      "<|start|>assistant<|channel|>final<|message|>It is 4.<|return|>";
    expect(withoutChannels(text)).toBe("<think>We add.\n\n{}</think>It is 4.");
    const opened = "We add.<|end|><|start|>assistant<|channel|>final<|message|>It is 4.<|return|>";
    expect(withoutChannels(opened)).toBe("<think>We add.</think>It is 4.");
    expect(withoutChannels("analysisWe add.assistantfinalIt is 4.")).toBe("<think>We add.</think>It is 4.");
    const bare = "analysisOne.assistantcommentary to=functions.f json{}assistantanalysisTwo.assistantfinalIt is 4.";
    expect(withoutChannels(bare)).toBe("<think>One.\n\n{}\n\nTwo.</think>It is 4.");
    expect(withoutChannels("<|channel|>analysis<|message|>We ad")).toBe("<think>We ad");
    // Sky-T1's marks, in OpenThoughts and Bespoke-Stratos.
    const thought = "<|begin_of_thought|>\n\nWe add.\n\n<|end_of_thought|>\n\n";
    expect(withoutChannels(`${thought}<|begin_of_solution|>4<|end_of_solution|>`)).toBe(
      "<think>\n\nWe add.\n\n</think>\n\n4",
    );
    expect(withoutChannels("<|begin_of_thought|>We ad")).toBe("<think>We ad");
    for (const plain of ["analysis of the board shows", "no channels", "<think>a</think>b"])
      expect(withoutChannels(plain)).toBe(plain);
    expect(await traces("harmony.jsonl", { problem: "p", response: text })).toMatchObject([
      { response: "<think>We add.\n\n{}</think>It is 4." },
    ]);
  });
});

describe("harnesses and datasets", () => {
  // OpenCompass a5acc4bb, openicl/icl_inferencer/icl_base_inferencer.py
  test("OpenCompass' predictions", async () => {
    const origin_prompt = [{ role: "HUMAN", prompt: "1+1?" }];
    const found = await traces("math500.json", {
      0: { origin_prompt, prediction: "<think>x</think>2", gold: "2" },
      1: { origin_prompt: "plain", prediction: ["a", "b"], gold: "c" },
    });
    expect(found.map(({ response, prompt }) => [response, prompt])).toEqual([
      ["<think>x</think>2", "1+1?"],
      ["a", "plain"],
      ["b", "plain"],
    ]);
    expect(found.every(({ set }) => set === "math500")).toBe(true);
    await mkdir(join(folder, "predictions/qwen"), { recursive: true });
    const [placed] = await traces("predictions/qwen/gsm8k.json", { 0: { origin_prompt, prediction: "2", gold: "2" } });
    expect(placed).toMatchObject({ checkpoint: "qwen", set: "gsm8k" });
  });

  // EvalScope fde259d2, api/evaluator/cache.py and api/metric/scorer.py
  test("EvalScope's predictions keep their reasoning, and its reviews their grade", async () => {
    const parts = [
      { type: "reasoning", reasoning: "deep" },
      { type: "text", text: "2" },
    ];
    const messages = [user("1+1?"), assistant("2")];
    const [predicted] = await traces("math_500_default.jsonl", {
      ...{ index: 0, model: "m", messages, metadata: {} },
      model_output: { model: "m", choices: [{ message: { role: "assistant", content: parts } }] },
    });
    expect(predicted).toMatchObject({ checkpoint: "m", response: "<think>deep</think>2", prompt: "1+1?" });
    const review = (value: object) => ({ index: 0, target: "2", messages, sample_score: { score: { value } } });
    const reviewed = await traces("reviews.jsonl", review({ acc: 1.0 }), review({ acc: 0.5 }), review({ bleu: 1 }));
    expect(reviewed.map(({ correct, recorded }) => [correct, recorded])).toEqual([
      [true, true],
      [true, undefined],
      [true, undefined],
    ]);
    expect(reviewed[0].problem).toBe(predicted.problem);
  });

  // As in its examples/viz: the model is in the path, and both folders hold the same rollouts.
  test("EvalScope's output folder: each rollout once, under its model", async () => {
    const work = join(folder, "viz");
    for (const name of ["predictions/m1", "reviews/m1", "predictions/m2"])
      await mkdir(join(work, name), { recursive: true });
    const messages = [user("1+1?"), assistant("2")];
    const prediction = { index: 0, messages, model_output: { choices: [{ message: assistant("2") }] } };
    const review = { index: 0, messages, sample_score: { score: { value: { acc: 1 } } } };
    await traces("viz/predictions/m1/a_default.jsonl", prediction);
    const [reviewed] = await traces("viz/reviews/m1/a_default.jsonl", review);
    const [unreviewed] = await traces("viz/predictions/m2/a_default.jsonl", prediction);
    expect([reviewed, unreviewed]).toMatchObject([{ checkpoint: "m1", correct: true }, { checkpoint: "m2" }]);
    const files = (await traceFiles(work)).map((file) => relative(work, file));
    expect(files).toEqual(["predictions/m2/a_default.jsonl", "reviews/m1/a_default.jsonl"]);
  });

  test("Inspect: a mark is no grade, a cipher no thinking, and earlier turns are kept", async () => {
    const cipher = { type: "reasoning", reasoning: "gAAAA", redacted: true, summary: "in short" };
    const final = { role: "assistant", content: [cipher, { type: "text", text: "4" }] };
    const sample = (...values: unknown[]) => ({
      ...{ id: 1, epoch: 1, input: "q", output: { model: "m", choices: [{ message: final }] } },
      messages: [user("q"), assistant("first"), { role: "tool", content: "3" }, final],
      scores: Object.fromEntries(values.map((value, i) => [`s${i}`, { value }])),
    });
    const found = await traces("inspect.jsonl", sample(7), sample(0.4, "C"), sample(0.4, 1), sample(1), sample("I", 1));
    expect(found.map(({ correct }) => correct)).toEqual([undefined, true, undefined, true, false]);
    expect(found[0].response).toBe("<think>first\n\nin short</think>4");
  });

  test("Alpaca's instruction and input are one prompt; lm-eval's arguments may be named; a refusal is an answer", async () => {
    const [one, two, bare] = await traces(
      "alpaca.jsonl",
      { instruction: "Add", input: "1 2", output: "3" },
      { instruction: "Multiply", input: "1 2", output: "2" },
      { instruction: "Say 4", input: "", output: "4" },
    );
    expect([one.prompt, two.prompt, bare.prompt]).toEqual(["Add\n1 2", "Multiply\n1 2", "Say 4"]);
    // lm-eval 4e7e0d47f, loggers/evaluation_tracker.py save_results_samples
    const row = { doc_id: 0, arguments: { gen_args_0: { arg_0: "q", arg_1: {} } }, resps: [["a"]], exact_match: 1 };
    expect(await traces("samples.jsonl", row)).toMatchObject([{ prompt: "q", correct: true }]);
    const content = [{ type: "refusal", refusal: "No." }];
    const refused = { id: "r", model: "o", output: [{ type: "message", role: "assistant", content }] };
    expect(await traces("refused.jsonl", refused)).toMatchObject([{ response: "No." }]);
  });

  test("a score is no grade unless the column says so, or the user does", async () => {
    const rows = [
      { problem: "p", response: "r", score: 1 },
      { problem: "p", response: "r", reward: 1.06 },
    ];
    for (const { correct, score } of await traces("scores.jsonl", ...rows)) {
      expect(correct).toBeUndefined();
      expect(score).toBeGreaterThanOrEqual(1);
    }
    const slices = await slicesOf(join(folder, "scores.jsonl"));
    const options = { format: "auto", columns: { response: "response", problem: "problem", correct: "score" } };
    const items = [];
    for await (const item of importSlice(slices[0], options)) items.push(item);
    expect(items[0]).toMatchObject({ trace: { correct: true } });
  });
});

test("where rows do not say it, the place of a file does: prime-rl's step, verifiers' model, lighteval's model", async () => {
  expect(stepInPath("run/rollouts/step_12/train/all/traces.jsonl")).toEqual({ step: 12 });
  expect(stepInPath("dumped/global_step_3_evals/a.jsonl")).toEqual({ step: 3 });
  expect(stepInPath("run/checkpoint-500/a.jsonl")).toEqual({ step: 500 });
  expect(stepInPath("logs/val_data_step3.jsonl")).toEqual({ step: 3 });
  expect(stepInPath("out/grpo-step-300.jsonl.gz")).toEqual({ step: 300, run: "grpo" });
  expect(stepInPath("models/Qwen-step3-chat/a.jsonl")).toBeUndefined();
  expect(await sourceName("o/details/org/m/2026/details_lighteval|aime24|0_2026.parquet")).toBe("org/m");
  expect(await sourceName("nosuch/results.jsonl")).toBe("results");
  const home = mkdtempSync(join(tmpdir(), "repertoire-places-"));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put("metadata.json", '{"env_id":"math","model":"qwen"}');
  put("results.jsonl", "");
  expect(await sourceName(join(home, "results.jsonl"))).toBe("qwen");
  // Everything is in `all`; what was trained on is written again. Settings are no traces.
  put("configs/trainer.json", "{}");
  put("rollouts/step_0/train/all/traces.jsonl", "");
  put("rollouts/step_0/train/effective/traces.jsonl", "");
  put("old/step_0/train/effective/traces.jsonl", "");
  const files = (await traceFiles(home)).map((path) => path.slice(home.length + 1));
  expect(files.sort()).toEqual(
    ["old/step_0/train/effective/traces.jsonl", "results.jsonl", "rollouts/step_0/train/all/traces.jsonl"].sort(),
  );
  rmSync(home, { recursive: true });
});
