// Shapes that stand beside those that programs are known to write: other names, other nesting, other places. Whatever a row says
// of prompt, grade, score, step and checkpoint arrives, and what does not arrive is said.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { type Imported, importSlice } from "../../src/imports/import-slice.ts";
import { inputFile } from "../../src/imports/inputs.ts";
import { planSlices } from "../../src/imports/plan.ts";
import type { ColumnMapping } from "../../src/imports/row-format.ts";
import { slicesOf, traceFiles } from "../../src/imports/slice.ts";
import { sourceName } from "../../src/imports/source-name.ts";
import { rewardColumns } from "../../src/imports/trl-dumps.ts";
import { checkpointsOf } from "../../src/traces/analysis/workspace.ts";
import type { TraceRecord } from "../../src/traces/trace-record.ts";

const home = mkdtempSync(join(tmpdir(), "repertoire-neighbors-"));
afterAll(() => rmSync(home, { recursive: true }));

function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
  return join(home, path);
}

let files = 0;
async function read(rows: readonly object[], columns?: ColumnMapping, name?: string): Promise<Imported[]> {
  const path = put(`${files++}/rows.jsonl`, rows.map((row) => JSON.stringify(row)).join("\n"));
  const found: Imported[] = [];
  for (const slice of await slicesOf(path))
    for await (const item of importSlice(slice, { format: "auto", columns, name })) found.push(item);
  return found;
}
const told = (items: readonly Imported[], parts = 5) =>
  items.map((item) => {
    if ("skipped" in item) return item.skipped;
    const { response, correct, score, checkpoint, step } = item.trace;
    return [response, correct, score, checkpoint, step].slice(0, parts);
  });

test("lists of generations have their grades and scores under any of their usual names", async () => {
  const problem = "Find all integers n such that n divides 6, and explain why there are no others, with a proof.";
  const rows = await read([{ problem, generations: ["a", "b"], scores: [0.5, 1], is_correct: [false, true] }]);
  expect(told(rows)).toEqual([
    ["a", false, 0.5, "rows", undefined],
    ["b", true, 1, "rows", undefined],
  ]);
  // A problem in words is the prompt.
  expect(rows[0]).toMatchObject({ trace: { prompt: problem, problem: expect.stringMatching(/^prompt /) } });
  expect(told(await read([{ question: "q", responses: ["a", "b"], grades: ["correct", "wrong"] }]), 2)).toEqual([
    ["a", true],
    ["b", false],
  ]);
  expect(told(await read([{ question: "q", outputs: ["a", null], rewards: [1, 0] }]), 3)).toEqual([
    ["a", undefined, 1],
    "the response is null, not text",
  ]);
});

test("a list of records is a response each, with what each says of itself; a path reaches through the list", async () => {
  const sampled = [
    { text: "a", correct: true, score: 2, model: "m" },
    { text: "b", correct: false, grader: { name: "x" } },
  ];
  const row = { prompt: "q", model: "n", samples: sampled };
  expect(told(await read([row]))).toEqual([
    ["a", true, 2, "m", undefined],
    ["b", false, undefined, "n", undefined],
  ]);
  const nested = {
    q: "q",
    tries: [
      { out: "a", judge: { ok: 1 } },
      { out: "b", judge: { ok: 0 } },
    ],
  };
  const columns = { prompt: "q", response: "tries.out", correct: "tries.judge.ok" };
  expect(told(await read([nested], columns), 2)).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

test("rows that ask the same again are further attempts, not copies", async () => {
  const row = { question: "q", responses: ["a", "b"] };
  const attempts = (await read([row, row])).map((item) => "trace" in item && item.trace.attempt);
  expect(attempts).toEqual([undefined, undefined, undefined, undefined]);
});

test("numbers in texts, checkpoints that are numbers, graders within records", async () => {
  const row = { prompt: "q", response: "r" };
  expect(told(await read([{ ...row, correct: "1.0", score: " 0.25 ", step: "7" }]))).toEqual([
    ["r", true, 0.25, "step 7", 7],
  ]);
  expect(told(await read([{ ...row, checkpoint: 200 }]), 4)).toEqual([["r", undefined, undefined, "200"]]);
  expect(told(await read([{ ...row, reward: { score: 0.7, acc: 1, format: 0.5 } }]), 3)).toEqual([["r", true, 0.7]]);
  expect(told(await read([{ ...row, grader: { name: "v", result: { correct: false } } }]), 2)).toEqual([["r", false]]);
  // A column that is there and empty does not hide the next one.
  expect(told(await read([{ ...row, correct: null, is_correct: true }]), 2)).toEqual([["r", true]]);
  // Steps of one model are checkpoints of it; a name that says its step already is not told twice.
  expect(told(await read([{ ...row, model: "q", step: 3 }]), 5)).toEqual([["r", undefined, undefined, "q step 3", 3]]);
  expect(told(await read([{ ...row, model: "q-3", step: 3 }]), 5)).toEqual([["r", undefined, undefined, "q-3", 3]]);
});

test("columns that the user names are believed in every format, and one that no record has is said", async () => {
  const dump = { input: "q", output: "r", score: 1, step: 3, quality: 0.2 };
  expect(told(await read([dump], { correct: "score" }))).toEqual([["r", true, 1, "step 3", 3]]);
  expect(told(await read([dump], { score: "quality" }), 3)).toEqual([["r", undefined, 0.2]]);
  const [, missing] = told(await read([dump], { correct: "nosuch" }));
  expect(missing).toContain("no record has the column nosuch that --columns names; they have input, output");
});

test("conversations under their other names, with other speakers, scores and steps", async () => {
  const talk = (human: string, model: string) => [
    { from: human, value: "q" },
    { from: model, value: "r" },
  ];
  for (const row of [
    { conversations: talk("Human", "bot") },
    {
      conversation: [
        { role: "user", content: "q" },
        { role: "assistant", content: "r" },
      ],
      conversation_id: "c",
    },
    { items: talk("human", "gpt"), id: "i" },
    { messages: talk("human", "gpt") },
  ])
    expect(await read([row])).toMatchObject([{ trace: { prompt: "q", response: "r" } }]);
  expect(told(await read([{ conversations: talk("human", "gpt"), score: 0.5, step: 2 }]))).toEqual([
    ["r", undefined, 0.5, "step 2", 2],
  ]);
  expect(told(await read([{ conversations: talk("human", "oracle") }]))).toEqual([
    'a speaker that is not known: "oracle"',
  ]);
});

test("several choices of one reply have a grade each", async () => {
  const choice = (content: string) => ({ message: { role: "assistant", content } });
  const row = { prompt: "q", choices: [choice("a"), choice("b")], correct: [true, false] };
  expect(told(await read([row]), 2)).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

test("an Inspect scorer with several values, and scores of the harnesses", async () => {
  const message = { role: "assistant", content: "r" };
  const sample = (value: unknown) => ({
    ...{ id: 1, epoch: 1, input: "q", output: { model: "m", choices: [{ message }] } },
    scores: { grader: { value } },
  });
  expect(told(await read([sample({ format: 0.5, correct: 1 })]), 3)).toEqual([["r", true, 0.5]]);
  expect(told(await read([sample({ a: "C", b: 0.4 })]), 3)).toEqual([["r", true, 0.4]]);
  expect(told(await read([{ doc_id: 1, resps: [["r"]], exact_match: 0.5 }]), 3)).toEqual([["r", undefined, 0.5]]);
});

test("several generations are graded one by one, and a metric that says all or none stands beside", async () => {
  const row = (metric: object, choices: string[] = ["1/2"]) => ({
    doc: { id: "7", query: "q", task_name: "aime", choices, gold_index: [0] },
    model_response: { text: ["so $\\boxed{0.5}$", "so $\\boxed{2}$", "$\\frac12$ it is: \\boxed{\\frac{1}{2}}"] },
    metric,
  });
  const grades = async (metric: object, choices?: string[]) =>
    (await read([row(metric, choices)])).map((item) => "trace" in item && [item.trace.correct, item.trace.recorded]);
  const ours = (recorded?: boolean) => [true, false, true].map((correct) => [correct, recorded]);
  expect(await grades({ "avg@n:n=3": 2 / 3 })).toEqual(ours());
  expect(await grades({ "pass@k:k=2&n=3": 1, "pass@k:k=1&n=3": 2 / 3 })).toEqual(ours());
  expect(await grades({ "math_pass@1:3_samples": 0 })).toEqual(ours(false));
  expect(await grades({ "avg@n:n=3": 1 })).toEqual(ours(true));
  // The best of them: of a 0 every one, of a 1 nobody knows which.
  expect(await grades({ extractive_match: 1 })).toEqual(ours());
  expect(await grades({ extractive_match: 0 })).toEqual(ours(false));
  // Without a gold answer, rows of one kind alone would say less than nothing.
  expect(await grades({ "avg@n:n=3": 1 }, [])).toEqual(Array(3).fill([undefined, undefined]));
  const one = { ...row({ "pass@k:k=1&n=1": 1 }, []), model_response: { text: ["r"] } };
  expect(told(await read([one]), 3)).toEqual([["r", true, 1]]);
});

test("lm-eval's models are told by where samples lie, and shards are one source", async () => {
  const samples = "samples_gsm8k_2026-11-01T10-00-00.5.jsonl";
  expect(await sourceName(`out/Qwen__Qwen3-8B/${samples}`)).toBe("Qwen/Qwen3-8B");
  put("lm/__models__a/results_2026-11-01T10-00-00.5.json", '{"model_name":"/models/a"}');
  expect(await sourceName(join(home, "lm/__models__a", samples))).toBe("/models/a");
  put(`lm/step-100/${samples}`, "");
  expect(await sourceName(join(home, "lm/step-100", samples))).toBe("step-100");
  // Twice the same task in one folder: of two models, for all that is known.
  put("lm/two/samples_gsm8k_2026-11-02T10-00-00.5.jsonl", "");
  put(`lm/two/${samples}`, "");
  expect(await sourceName(join(home, "lm/two", samples))).toBe("samples_gsm8k_2026-11-01T10-00-00.5");
  expect(await sourceName("d/train-00001-of-00004.parquet")).toBe("train");
  expect(await sourceName("d/gspo_rank_3.jsonl")).toBe("gspo");
  expect(await sourceName("gspo/part-0.jsonl.gz")).toBe("gspo");
  expect(await sourceName("d/rollouts.jsonl.zst")).toBe("rollouts");
});

test("validation beside training is told from it: steps are of training, and validation is what is compared", async () => {
  const row = (step: number) => `${JSON.stringify({ input: "q", output: "r", score: 1, step })}\n`;
  put("verl/rollouts/1.jsonl", row(1));
  put("verl/rollouts/4.jsonl", row(4));
  put("verl/validation/4.jsonl", row(4));
  put("prime/step_1/train/all/traces.jsonl", row(1));
  put("prime/step_1/eval/all/traces.jsonl", row(1));
  put("evals-of-mine/1.jsonl", row(1));
  const stages = async (path: string) => {
    const planned = await planSlices([{ path: join(home, path) }], { format: "auto" });
    const found: (string | undefined)[] = [];
    for (const { slice, options } of planned)
      for await (const item of importSlice(slice, options)) if ("trace" in item) found.push(item.trace.stage);
    return found;
  };
  expect(await stages("verl")).toEqual(["training", "training", "evaluation"]);
  expect(await stages("prime")).toEqual(["evaluation", "training"]);
  // Alone, each is what it was: nothing is beside it to be told from.
  expect(await stages("verl/rollouts")).toEqual([undefined, undefined]);
  expect(await stages("verl/validation")).toEqual([undefined]);
  expect(await stages("evals-of-mine")).toEqual([undefined]);
});

test("files of a folder are read whatever their names, through links; what cannot be read is named", async () => {
  const row = { prompt: "q", response: "r" };
  const line = JSON.stringify(row);
  const folder = "names";
  for (const name of ["run_1.jsonl", "results_step100.jsonl", "problems_solved.jsonl", "x.ndjson"])
    put(`${folder}/${name}`, line);
  put(`${folder}/results.json`, ` [${line}]`);
  put(`${folder}/packed.json.gz`, gzipSync(`[${line},${line}]`));
  put(`${folder}/results_2026.json`, '{"results":{}}');
  put(`${folder}/table.arrow`, "prompt,response\nq,r\n");
  symlinkSync(put("elsewhere/blob", line), join(home, folder, "linked.jsonl"));
  put("elsewhere/deep/more.jsonl", line);
  symlinkSync(join(home, "elsewhere/deep"), join(home, folder, "deep"));
  symlinkSync(join(home, folder), join(home, folder, "loop"));
  symlinkSync(join(home, "gone"), join(home, folder, "broken.jsonl"));
  const found = await traceFiles(join(home, folder));
  const names = found.map((path) => path.slice(join(home, folder).length + 1));
  expect(names).toEqual(
    // biome-ignore format: a list
    ["broken.jsonl", "deep/more.jsonl", "linked.jsonl", "packed.json.gz", "problems_solved.jsonl", "results_step100.jsonl", "results.json", "run_1.jsonl", "table.arrow", "x.ndjson"],
  );
  const items: Imported[] = [];
  for (const path of found)
    for (const slice of await slicesOf(path))
      for await (const item of importSlice(slice, { format: "auto" })) items.push(item);
  expect(items.filter((item) => "trace" in item)).toHaveLength(9);
  const [broken, table] = items.flatMap((item) => ("skipped" in item ? [item.skipped] : []));
  expect(broken).toContain("ENOENT");
  expect(table).toBe("arrow is not read; write it as JSON lines or Parquet");
});

test("TRL's score is the reward that was trained on, not what reward functions logged besides", () => {
  /** A step as TRL writes it: two functions, and a column of `log_extra` behind them. */
  const group = (prompt: string, exact: number[], format: number[], extra: Record<string, readonly number[]>) => {
    const total = exact.map((value, i) => value + format[i]);
    const mean = total.reduce((sum, value) => sum + value, 0) / total.length;
    const deviation = Math.sqrt(total.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (total.length - 1));
    return total.map((value, i) => ({
      ...{ step: 1, prompt, completion: "c", exact: exact[i], format: format[i] },
      ...Object.fromEntries(Object.entries(extra).map(([name, values]) => [name, values[i]])),
      advantage: (value - mean) / (deviation + 1e-4),
    }));
  };
  const rows = [
    ...group("a", [1, 0, 1], [0.5, 1, 0], { length: [120, 80, 95], parsed: [1, 1, 0] }),
    ...group("b", [0, 0, 0], [1, 1, 1], { length: [10, 80, 7], parsed: [1, 0, 0] }),
  ];
  const both = [
    { column: "exact", weight: 1 },
    { column: "format", weight: 1 },
  ];
  expect(rewardColumns(rows, "equal")).toEqual(both);
  expect(rewardColumns(rows, undefined)).toEqual(both);
  expect(rewardColumns(rows, [2, 0.1])).toEqual([
    { column: "exact", weight: 2 },
    { column: "format", weight: 0.1 },
  ]);
  // Nothing logged besides: all columns. A note about the problem moves no advantage, so nobody can tell it from a reward.
  const plain = [...group("a", [1, 0, 1], [0.5, 1, 0], {}), ...group("b", [0, 1, 1], [1, 1, 0], {})];
  expect(rewardColumns(plain, "equal")).toEqual(both);
  const noted = [
    ...group("a", [1, 0, 1], [0.5, 1, 0], { hardness: [3, 3, 3] }),
    ...group("b", [0, 1, 1], [1, 1, 0], { hardness: [7, 7, 7] }),
  ];
  expect(rewardColumns(noted, "equal")).toBeUndefined();
  // Weights that nobody knows: no sum of the columns explains the advantages.
  const weighted = rows.map((row) => ({ ...row, advantage: 3 * row.exact - row.format }));
  expect(rewardColumns(weighted, undefined)).toBeUndefined();
});

test("checkpoints are shown from what training started from, whatever the order of the rows", () => {
  const names = ["grpo-final", "ckpt-900-hf", "ckpt-100-hf", "SFT", "ckpt-1000-hf", "Base-model", "base-grpo"];
  const records = names.map((checkpoint) => ({ checkpoint }) as TraceRecord);
  expect([...checkpointsOf(records).keys()]).toEqual(
    // biome-ignore format: a list
    ["Base-model", "SFT", "grpo-final", "ckpt-100-hf", "ckpt-900-hf", "ckpt-1000-hf", "base-grpo"],
  );
});

test("a model comes before what was trained from it, as folders are not sorted", () => {
  const records = ["Qwen/Qwen3-8B-rl", "Qwen/Qwen3-8B"].map((checkpoint) => ({ checkpoint }) as TraceRecord);
  expect([...checkpointsOf(records).keys()]).toEqual(["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-rl"]);
});

test("a change of the same length in the middle of a large file is noticed", async () => {
  const bytes = Buffer.alloc(400_000, "x");
  const path = put("large.jsonl", bytes);
  const before = await inputFile(path);
  expect(await inputFile(path)).toEqual(before);
  bytes[200_000] = 121;
  writeFileSync(path, bytes);
  expect((await inputFile(path)).sha256).not.toBe(before.sha256);
});
