// What trainers, harnesses and services leave behind by default, read with no flag: recognized, its attempts told from its
// problems, graded. Files under fixtures/dumps were made by their programs' own writers; rows here are written as those write.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, test } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { csvRows } from "../../src/imports/csv-rows.ts";
import type { ImportReport } from "../../src/imports/import-report.ts";
import { importRun } from "../../src/imports/import-run.ts";
import { pythonValue } from "../../src/imports/json-values.ts";
import { sqliteRows } from "../../src/imports/sqlite-rows.ts";

const home = mkdtempSync(join(tmpdir(), "repertoire-dumps-"));
afterAll(() => rmSync(home, { recursive: true }));

const fixtures = join(import.meta.dirname, "../fixtures/dumps");

type Files = Readonly<Record<string, string | Uint8Array>>;
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

let folders = 0;
/** A dump read into a run: what its report says, and its parts by name with pass@1 and the most attempts at a problem. */
async function look(files: Files | string) {
  const [dump, out] = [join(home, `${++folders}`), join(home, `${folders}-run`)];
  mkdirSync(dump);
  if (typeof files === "string") cpSync(join(fixtures, files), dump, { recursive: true });
  else
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(dump, name)), { recursive: true });
      writeFileSync(join(dump, name), content);
    }
  const report: ImportReport = await importRun(out, { inputs: [{ path: dump }], workers: 1 });
  const parts = report.parts
    .filter((part) => part.startsWith("evaluations/"))
    .map((part) => {
      const { policy, sets } = JSON.parse(readFileSync(join(out, part, "summary.json"), "utf8"));
      const problems = readFileSync(join(out, part, "problems.jsonl"), "utf8")
        .trim()
        .split("\n").length;
      const [{ passAtK, states }] = sets;
      return { policy, problems, sets: sets.map(({ set }: { set?: string }) => set), passAtK, states };
    });
  return { report, parts };
}

const questions = [
  ["A crate holds 6 rows of 4 jars. How many jars are there?", "24"],
  ["What is 3/4 of 20?", "15"],
] as const;
const says = (answer: string) =>
  `<think>\nI multiply step by step.\n\nCheck: it fits.\n</think>\nIt is \\boxed{${answer}}.`;
/** Two problems, four attempts each, of which one is wrong. */
const rollouts = questions.flatMap(([question, gold], problem) =>
  [0, 1, 2, 3].map((attempt) => {
    const right = attempt !== 1;
    return { question, gold, problem, attempt, right, response: says(right ? gold : "23") };
  }),
);
type Sample = (typeof rollouts)[number];
const each = (row: (one: Sample) => object) => lines(rollouts.map(row));
const grouped = <Made>(row: (group: readonly Sample[]) => Made) =>
  questions.map((_, i) => row(rollouts.filter(({ problem }) => problem === i)));
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });
const talk = ({ question, response }: Sample) => [user(question), assistant(response)];
const reward = ({ right }: Sample) => Number(right);

/** By the format that should be recognized: the dump, and whose grades there are. */
const dumps: readonly (readonly [
  title: string,
  format: string,
  files: Files | string,
  by: "gold" | "recorded" | "score",
])[] = [
  ["verl's V1 trainer (1dda039b9)", "verl", "verl-v1", "gold"],
  [
    "Atropos: a group a line",
    "openai",
    {
      "rollouts.jsonl": lines(
        grouped((group) => ({ scores: group.map((one) => 2 * reward(one) - 1), messages: group.map(talk) })),
      ),
    },
    "score",
  ],
  [
    "LLaMA-Factory's predictions",
    "records",
    {
      "generated_predictions.jsonl": each(({ question, response, gold }) => ({
        ...{ prompt: question, predict: response, label: gold },
      })),
    },
    "gold",
  ],
  ["verl's first trainer with DAPO's rewards (1dda039b9)", "verl", "verl-v0", "gold"],
  ["TRL (1.13.0)", "trl", "trl", "gold"],
  ["Trackio's traces in Parquet (0.36)", "trackio", "trackio", "recorded"],
  ["Trackio's database while it is written (0.36)", "trackio", "trackio-db", "recorded"],
  ["tinker-cookbook (9dfcc3a2)", "tinker-logtree", "tinker", "gold"],
  [
    "verl's validation as a table of wandb's",
    "verl-table",
    {
      "media/table/val/generations_0_ab12.table.json": JSON.stringify(wide(0)),
      "media/table/val/generations_5_cd34.table.json": JSON.stringify({ ...wide(0), data: [...wide(0).data] }),
    },
    "score",
  ],
  [
    "verl through Trackio (1dda039b9, utils/rollout_trace.py)",
    "trackio",
    { "verl.jsonl": each((one) => verlTrace(one)) },
    "score",
  ],
  [
    "ms-swift (3602360a5): a line a step",
    "trl",
    {
      "completions.jsonl": lines([
        {
          gen_step: Array(8).fill("4"),
          prompt: rollouts.map(({ question }) => `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`),
          completion: rollouts.map(({ response }) => response),
          MathAccuracy: rollouts.map(reward),
          Format: rollouts.map(() => 1),
          advantages: rollouts.map(() => 0.1),
        },
      ]),
    },
    "recorded",
  ],
  [
    "slime's samples (624b824a8)",
    "slime",
    {
      "rollout_7.jsonl": each((one) => ({
        ...{ group_index: one.problem, index: one.attempt, prompt: one.question, response: one.response },
        ...{ label: one.gold, reward: reward(one), status: "completed", response_length: 30 },
      })),
    },
    "gold",
  ],
  [
    "SkyRL's evaluations (a9564572e)",
    "skyrl",
    {
      "dumped_evals/global_step_5_evals/openai_gsm8k.jsonl": each((one) => ({
        ...{
          input_prompt: one.question,
          output_response: one.response,
          score: [0, 0, reward(one)],
          stop_reason: "stop",
        },
        ...{ env_class: "gsm8k", env_extras: { reward_spec: { ground_truth: one.gold } }, data_source: "openai/gsm8k" },
      })),
      "dumped_evals/global_step_5_evals/aggregated_results.jsonl": lines([{ "eval/all/avg_score": 0.75 }]),
    },
    "gold",
  ],
  [
    "verifiers (0.3.0): its task is in metadata.json",
    "verifiers",
    {
      "metadata.json": JSON.stringify({ env_id: "crates", model: "qwen" }),
      "results.jsonl": each((one) => ({
        ...{ example_id: one.problem, prompt: [user(one.question)], completion: [assistant(one.response)] },
        ...{ answer: one.gold, reward: reward(one) + 0.1, metrics: { correct_answer: reward(one) }, error: null },
      })),
    },
    "gold",
  ],
  [
    "prime-rl's episodes (0.9.1.dev)",
    "verifiers-v1",
    {
      "rollouts/step_3/train/all/traces.jsonl": `${each((one) => ({
        run: { type: "train", work: { type: "train", step: 3 } },
        traces: [
          {
            ...{ task: { type: "Crates", key: `k${one.problem}`, data: { prompt: one.question, answer: one.gold } } },
            ...{ agent: { model: "m" }, ok: true, errors: [], rewards: { right: { score: reward(one), weight: 1 } } },
            nodes: [
              { parent: null, message: user(one.question), sampled: false },
              { parent: 0, message: assistant(one.response), sampled: true },
            ],
          },
        ],
      }))}${lines([{ id: "e", traces: [], errors: [{ type: "EnvError", message: "no sandbox" }] }])}`,
      "rollouts/index.jsonl": lines([{ step: 3, path: "step_3" }]),
    },
    "gold",
  ],
  [
    "NeMo-RL (7ea279abf)",
    "nemo-rl",
    {
      "val_data_step3.jsonl": each((one) => ({
        content: [[...talk(one), { role: "environment", content: "Environment: seen" }]],
        ...{ rewards: [reward(one)], idx: one.attempt },
      })),
    },
    "score",
  ],
  [
    "NeMo-Gym (07d6b0d07)",
    "responses",
    {
      "rollouts.jsonl": each((one) => ({
        ...{ responses_create_params: { input: [user(one.question)] }, expected_answer: one.gold, reward: reward(one) },
        ...{ _ng_task_index: one.problem, _ng_rollout_index: one.attempt },
        response: { model: "m", object: "response", output: [outputText(one.response)] },
      })),
    },
    "gold",
  ],
  [
    "rLLM's episodes (9beb6e0f)",
    "rllm",
    Object.fromEntries(
      rollouts.map((one) => [
        `episodes/e${one.problem}_${one.attempt}.json`,
        JSON.stringify({
          ...{ training_step: 2, episode_id: `t${one.problem}:${one.attempt}`, task_hash: `h${one.problem}` },
          ...{ task: { question: one.question, ground_truth: one.gold }, is_correct: one.right },
          trajectories: [{ name: "solver", reward: reward(one), steps: [{ model_response: one.response }] }],
        }),
      ]),
    ),
    "gold",
  ],
  [
    "tinker-cookbook's evaluations (9dfcc3a2)",
    "tinker-trajectories",
    {
      "gsm8k/trajectories.jsonl": each((one) => ({
        ...{
          idx: one.problem,
          benchmark: "gsm8k",
          example_id: `gsm8k-${one.problem}`,
          reward: reward(one),
          error: null,
        },
        ...{
          turns: talk(one).map((turn) => ({ ...turn, token_count: 9, metadata: {} })),
          metrics: { correct: reward(one) },
        },
        ...{ logs: { expected: one.gold }, time_seconds: 1 },
      })),
    },
    "gold",
  ],
  [
    "Inspect's archive (03d5f579)",
    "inspect",
    {
      "a.eval": zipSync({
        "header.json": bytes({ eval: { task: "crates", model: "openai/o" } }),
        ...Object.fromEntries(
          rollouts.map((one) => [`samples/${one.problem}_epoch_${one.attempt + 1}.json`, bytes(inspectSample(one))]),
        ),
      }),
    },
    "gold",
  ],
  [
    "Inspect's JSON log (03d5f579)",
    "inspect",
    { "a.json": JSON.stringify({ eval: { task: "crates", model: "openai/o" }, samples: rollouts.map(inspectSample) }) },
    "gold",
  ],
  [
    "lm-evaluation-harness (4e7e0d47f) on GSM8K",
    "lm-eval",
    {
      "org__model/samples_gsm8k_2026-11-01T10-00-00.5.jsonl": lines(
        grouped((group) => ({
          ...{
            doc_id: group[0].problem,
            doc: { question: group[0].question },
            target: `6*4=24, or so.\n#### ${group[0].gold}`,
          },
          ...{
            arguments: { gen_args_0: { arg_0: group[0].question } },
            resps: [group.map(({ response }) => response)],
          },
          ...{ filtered_resps: [group[0].gold], filter: "strict-match", exact_match: 1 },
        })),
      ),
    },
    "gold",
  ],
  [
    "lighteval's details (0.13)",
    "lighteval",
    {
      "details/org/m/2026/details_math_2026.parquet": parquet(
        grouped((group) => ({
          doc: {
            query: group[0].question,
            id: `${group[0].problem}`,
            task_name: "math|0",
            choices: [group[0].gold],
            gold_index: [0],
          },
          model_response: { text: group.map(({ response }) => response) },
          metric: { "pass@k:k=1&n=4": 0.75 },
        })),
      ),
    },
    "gold",
  ],
  [
    "OpenCompass (a5acc4bb)",
    "opencompass",
    {
      "predictions/m/math.json": JSON.stringify(
        Object.fromEntries(
          rollouts.map((one, i) => [
            i,
            { origin_prompt: [{ role: "HUMAN", prompt: one.question }], prediction: one.response, gold: one.gold },
          ]),
        ),
      ),
    },
    "gold",
  ],
  [
    "EvalScope's reviews (fde259d2)",
    "evalscope-reviews",
    {
      "predictions/m/math.jsonl": each((one) => ({ index: one.problem, messages: talk(one), model_output: {} })),
      "reviews/m/math.jsonl": each((one) => ({
        ...{ index: one.problem, target: one.gold, messages: talk(one) },
        sample_score: { score: { value: { acc: reward(one) } }, generation_index: one.attempt },
      })),
    },
    "gold",
  ],
  [
    "OpenAI's batches",
    "openai",
    {
      "batch_output.jsonl": each((one) => ({
        ...{ id: `batch_req_${one.problem}${one.attempt}`, custom_id: `q${one.problem}`, error: null },
        response: { status_code: 200, body: { model: "m", choices: [{ index: 0, message: assistant(one.response) }] } },
        ...{ answer: one.gold },
      })),
    },
    "gold",
  ],
  [
    "Anthropic's batches",
    "anthropic",
    {
      "results.jsonl": each((one) => ({
        ...{ custom_id: `q${one.problem}`, expected_answer: one.gold },
        result: { type: "succeeded", message: { ...assistant(one.response), id: "msg", type: "message", model: "m" } },
      })),
    },
    "gold",
  ],
  [
    "Qwen2.5-Math's harness (evaluation/math_eval.py)",
    "qwen-math",
    {
      "out/math/test_cot_-1_seed0_t0.6_s0_e-1.jsonl": lines(
        grouped((group) => ({
          ...{
            idx: group[0].problem,
            question: group[0].question,
            gt_cot: "…",
            gt: group[0].gold,
            answer: group[0].gold,
          },
          ...{ code: group.map(({ response }) => response), pred: group.map(() => "x"), report: group.map(() => null) },
          score: group.map(({ right }) => right),
        })),
      ),
    },
    "gold",
  ],
  [
    "reasoning-gym-eval: lists within lists of one document",
    "reasoning-gym",
    {
      "algebra.json": JSON.stringify({
        metadata: { model: "org/m", eval_repeats: 4 },
        categories: [
          {
            name: "algebra",
            datasets: [
              {
                ...{ name: "crates", average_score: 0.75, config: { seed: 42 } },
                results: grouped((group) => ({
                  ...{ question: group[0].question, expected_answer: group[0].gold, best_score: 1, mean_score: 0.75 },
                  completions: group.map((one) => ({
                    ...{ model_answer: "x", full_model_response: one.response, score: one.right ? 1 : 0.01 },
                  })),
                })),
              },
            ],
          },
        ],
      }),
    },
    "recorded",
  ],
  [
    "EvalScope's reviews of repeats, each sample numbered",
    "evalscope-reviews",
    {
      "reports/m/math.json": JSON.stringify({ name: "math", score: 0.75 }),
      "reviews/m/math.jsonl": each((one) => ({
        ...{ index: 4 * one.problem + one.attempt, target: one.gold, input: one.question },
        sample_score: { score: { value: { acc: reward(one) }, prediction: one.response }, group_id: one.problem },
      })),
    },
    "gold",
  ],
  [
    "TRL's demonstration rewards: 2 for a right answer",
    "trl",
    {
      "completions.csv": `step,prompt,completion,correctness_reward_func,xmlcount_reward_func,advantage\n${rollouts
        .map((one) => `3,"${one.question}","${one.response}",${2 * reward(one)}.0,0.125,${one.right ? 0.5 : -1.5}`)
        .join("\n")}\n`,
    },
    "recorded",
  ],
  [
    "rollouts under their problem",
    "records",
    {
      "rows.jsonl": lines(
        grouped((group) => ({
          ...{ problem_text: group[0].question, correct_answer: group[0].gold },
          rollouts: group.map((one) => ({ content: one.response, reward: reward(one) })),
        })),
      ),
    },
    "gold",
  ],
  [
    "chat records with an id a row",
    "openai",
    {
      "chats.jsonl": each((one) => ({ id: `${one.problem}-${one.attempt}`, messages: talk(one), reward: reward(one) })),
    },
    "score",
  ],
  [
    "records whose ids name rollouts",
    "records",
    {
      "rows.jsonl": each((one) => ({
        ...{
          problem_id: `${one.problem}.${one.attempt}`,
          question: one.question,
          output: one.response,
          answer: one.gold,
        },
      })),
    },
    "gold",
  ],
  [
    "verl's generation: a list of responses beside the prompt and its ground truth",
    "records",
    {
      "generated.parquet": parquet(
        grouped((group) => ({
          ...{ data_source: "math_dapo", prompt: [user(group[0].question)] },
          reward_model: { ground_truth: group[0].gold, style: "rule" },
          responses: group.map(({ response }) => response),
        })),
      ),
    },
    "gold",
  ],
  [
    "AReaL (4aef98d8d): a folder a version of the policy, a file a task",
    "areal",
    Object.fromEntries(
      questions.map((_, task) => [
        `logs/me/exp/trial/rollout/3/${40 + task}.jsonl`,
        lines(
          rollouts
            .filter(({ problem }) => problem === task)
            .map((one) => ({
              ...{ task_id: 40 + task, sample_idx: one.attempt, seqlen: 60, prompt_len: 20, head_version: 2 },
              ...{ tail_version: 3, reward: reward(one), prompt: `<|im_start|>user\n${one.question}<|im_end|>` },
              completion: `${one.response}<|im_end|>`,
            })),
        ),
      ]),
    ),
    "score",
  ],
  [
    "EasyR1's log of validation (b44b311), with its steps in the log beside it",
    "easyr1",
    {
      "ckpt/generations.log": [...rollouts, ...rollouts]
        .map(
          (one) =>
            `[prompt] user\n${one.question}\n[output] ${one.response}\n[ground_truth] ${one.gold}\n[score] ${reward(one)}.0\n\n`,
        )
        .join(""),
      "ckpt/experiment_log.jsonl": lines([
        { step: 0, val: { reward_score: 0.7 } },
        { step: 1, actor: {} },
        { step: 5, val: {} },
      ]),
    },
    "gold",
  ],
  [
    "EasyR1's validation as a table of wandb's, whose scores are no grades",
    "verl-table",
    {
      "media/table/val/generations_5_ab12.table.json": JSON.stringify({
        columns: [
          "step",
          ...rollouts.flatMap((_, i) => ["input", "output", "label", "score"].map((name) => `${name}_${i + 1}`)),
        ],
        data: [[5, ...rollouts.flatMap((one) => [one.question, one.response, one.gold, reward(one) + 0.1])]],
      }),
    },
    "gold",
  ],
  [
    "rLLM's evaluation (9beb6e0f): a file an episode, the model beside them",
    "rllm",
    {
      "gsm8k_qwen/meta.json": JSON.stringify({ dataset: "gsm8k", model: "qwen", agent: "react" }),
      ...Object.fromEntries(
        rollouts.map((one, i) => [
          `gsm8k_qwen/episodes/episode_00000${i}_${one.problem}.json`,
          JSON.stringify({
            ...{ id: `${one.problem}:${one.attempt}`, is_correct: one.right, eval_idx: i },
            task: { id: `${one.problem}`, instruction: one.question, metadata: { ground_truth: one.gold } },
            trajectories: [{ name: "solver", reward: reward(one), steps: [{ model_response: one.response }] }],
          }),
        ]),
      ),
    },
    "gold",
  ],
  [
    "prime-rl's samples on its hub (559b44772)",
    "verifiers",
    {
      "samples.parquet": parquet(
        rollouts.map((one, i) => ({
          ...{
            run_id: "r",
            step: 3,
            problem_id: one.problem,
            sample_id: i,
            prompt: "",
            answer: "",
            env_name: "crates",
          },
          ...{ completion: JSON.stringify([assistant(one.response)]), task: JSON.stringify({ prompt: one.question }) },
          ...{ reward: reward(one), advantage: 0.1, metrics: JSON.stringify({ correct_answer: reward(one) }) },
        })),
      ),
    },
    "recorded",
  ],
  [
    "OpenAI's batches, whose requests lie beside them and whose ids name attempts",
    "openai",
    {
      "requests.jsonl": each((one) => ({
        ...{ custom_id: `${one.problem}-${one.attempt}`, method: "POST", url: "/v1/chat/completions" },
        body: { model: "m", messages: [user(one.question)] },
      })),
      "results.jsonl": each((one) => ({
        ...{ custom_id: `${one.problem}-${one.attempt}`, answer: one.gold },
        response: { status_code: 200, body: { model: "m", choices: [{ index: 0, message: assistant(one.response) }] } },
      })),
    },
    "gold",
  ],
  [
    "MathArena's runs (src/matharena/runs.py): a file a problem, packed",
    "matharena",
    Object.fromEntries(
      grouped((own) => own).map((own) => {
        return [
          `outputs/aime/aime_2025/m/${own[0].problem + 1}.json.gz`,
          gzipSync(
            JSON.stringify({
              ...{ idx: own[0].problem + 1, problem: own[0].question, gold_answer: own[0].gold, N: 4, source: "None" },
              ...{ messages: own.map(talk), answers: own.map(() => "x"), correct: own.map(({ right }) => right) },
            }),
          ),
        ];
      }),
    ),
    "gold",
  ],
  [
    "NeMo-Skills: a file a seed",
    "records",
    Object.fromEntries(
      [0, 1, 2, 3].map((seed) => [
        `output-rs${seed}.jsonl`,
        lines(
          rollouts
            .filter(({ attempt }) => attempt === seed)
            .map((one) => ({
              problem: one.question,
              expected_answer: one.gold,
              generation: one.response,
              is_correct: one.right,
            })),
        ),
      ]),
    ),
    "gold",
  ],
  [
    "SkyThought: records by their ids in a file that is called results",
    "records",
    {
      "m_aime/results.json": JSON.stringify(
        Object.fromEntries(
          grouped((own) => own).map((own, i) => {
            const responses = own.map((one) => ({ content: one.response, correctness: one.right, reason: "" }));
            return [`id ${i}`, { prompt: own[0].question, answer: own[0].gold, responses }];
          }),
        ),
      ),
    },
    "gold",
  ],
  [
    "a document whose records lie below records, in lists of lists",
    "records",
    {
      "out.json": JSON.stringify({
        meta: { temperature: 1 },
        data: {
          rollouts: rollouts.map((one) => ({ prompt: one.question, completion: one.response, ground_truth: one.gold })),
        },
      }),
    },
    "gold",
  ],
  [
    "lists in cells as pandas prints them",
    "records",
    {
      "rows.csv": `question,answer,responses\n${grouped((own) => own)
        .map((own) => {
          const printed = own.map(({ response }) => `'${response.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}'`);
          return [own[0].question, own[0].gold, `[${printed.join(", ")}]`]
            .map((cell) => `"${cell.replaceAll('"', '""')}"`)
            .join(",");
        })
        .join("\n")}\n`,
    },
    "gold",
  ],
  [
    "OpenRLHF's samples, one text each, as a table of wandb's",
    "openrlhf",
    {
      "media/table/train/generated_samples_9_ab.table.json": JSON.stringify({
        columns: ["global_step", "text", "reward"],
        data: rollouts.map((one) => [9, `user\n${one.question}\nassistant\n${one.response}`, reward(one)]),
      }),
    },
    "score",
  ],
  [
    "rLLM's training, a folder a step",
    "rllm",
    Object.fromEntries(
      [1, 2].flatMap((step) =>
        rollouts.map((one) => [
          `train_step_${step}_epoch_0/episode_hash${one.problem}_id${one.problem}_${one.attempt}.json`,
          JSON.stringify({
            ...{ training_step: step, episode_id: `${one.problem}:${one.attempt}`, is_correct: one.right },
            task: { question: one.question, ground_truth: one.gold },
            trajectories: [{ name: "solver", reward: reward(one), steps: [{ model_response: one.response }] }],
          }),
        ]),
      ),
    ),
    "gold",
  ],
  [
    "comma-separated values",
    "records",
    {
      "rows.csv": `question,response,gold,model\r\n${rollouts
        .map(({ question, response, gold }) =>
          [question, response, gold, "m"].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","),
        )
        .join("\r\n")}\r\n`,
    },
    "gold",
  ],
];

function bytes(value: unknown) {
  return new TextEncoder().encode(JSON.stringify(value));
}
function parquet(rows: readonly object[]) {
  const columnData = Object.keys(rows[0]).map((name) => ({
    ...{ name, type: "JSON" as const },
    data: rows.map((row) => (row as Record<string, unknown>)[name]),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
function outputText(text: string) {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}
function inspectSample(one: Sample) {
  return {
    ...{ id: one.problem, epoch: one.attempt + 1, input: one.question, target: one.gold, messages: talk(one) },
    output: { model: "openai/o", choices: [{ message: assistant(one.response) }] },
    scores: { match: { value: one.right ? "C" : "I" } },
  };
}
function wide(step: number) {
  const columns = ["step", ...rollouts.flatMap((_, i) => [`input_${i + 1}`, `output_${i + 1}`, `score_${i + 1}`])];
  return { columns, data: [[step, ...rollouts.flatMap((one) => [one.question, one.response, reward(one)])]] };
}
function verlTrace(one: Sample) {
  const metadata = {
    ...{ op: "SingleTurnAgentLoop.run", backend: "trackio", experiment_name: "e", status: "success", step: 2 },
    output: { prompt_text: one.question, response_text: one.response, reward_score: reward(one) },
  };
  const messages = [{ role: "system", content: "verl rollout trace operation" }, assistant(one.response)];
  const key = "rollout_trace/SingleTurnAgentLoop.run";
  return {
    id: `${one.problem}:${one.attempt}`,
    key,
    run_name: "e",
    step: 2,
    messages,
    metadata: JSON.stringify(metadata),
  };
}

describe("a default dump, with no flag", () => {
  test.each(dumps)("of %s", async (_, format, files, by) => {
    const { report, parts } = await look(files);
    const [name] = Object.keys(report.formats).map((one) => one.split(":")[0]);
    expect([name, Object.keys(report.formats)]).toEqual([format, [expect.stringContaining(format)]]);
    const { byGold, byRecord, byScore, ungraded } = report.graded;
    expect({ gold: byGold, recorded: byRecord, score: byScore }[by]).toBe(report.traces);
    expect(ungraded).toBe(0);
    for (const part of parts) {
      expect(part.policy).not.toMatch(/epoch/);
      expect(part.problems).toBe(2);
      expect(part.passAtK.at(-1).k).toBeGreaterThan(1);
    }
    // Of steps of training there is no evaluation.
    if (parts.length === 0) return;
    const right = parts.map((part) => part.passAtK[0].value);
    expect(right.reduce((sum, value) => sum + value, 0) / right.length).toBeCloseTo(0.75);
  });
});

describe("grades", () => {
  const graded = async (rows: readonly object[]) => (await look({ "rows.jsonl": lines(rows) })).report.graded;

  test("of golds as GSM8K, MATH and DAPO-Math publish them: right is right and wrong is wrong", async () => {
    const golds = [
      ["Half of 48 is 48/2 = <<48/2=24>>24.\nTogether 48+24 = <<48+24=72>>72.\n#### 72", "72"],
      ["We have $2x=3$, so $x=\\frac{3}{2}$. The area is $\\boxed{\\frac{3}{2}}$ square units.", "1.5"],
      ["\\left( 3, \\frac{\\pi}{2} \\right)", "(3, \\pi/2)"],
      ["34", "34"],
      ['["34"]', "34"],
    ] as const;
    const row = (gold: string, answer: string) => ({ prompt: gold, response: says(answer), answer: gold, score: 0.5 });
    const right = await graded(golds.map(([gold, answer]) => row(gold, answer)));
    expect(right).toMatchObject({ byGold: 5, ungraded: 0 });
    const { report, parts } = await look({
      "rows.jsonl": lines(golds.flatMap(([gold, answer]) => [row(gold, answer), row(gold, "41")])),
    });
    expect(report.graded.byGold).toBe(10);
    expect(parts[0].passAtK[0].value).toBe(0.5);
  });

  test("of a trainer whose scores are all 0 or 1 stand beside ours, and where they differ it is said", async () => {
    const { report } = await look("verl-v1");
    // In step 3 it paid for a wrong answer and not for a right one, of each problem.
    expect(report.graded).toMatchObject({ byGold: 24, both: 24, disagree: 4 });
    expect(report.graded.disagreeing[0]).toMatch(/^step 3, prompt .*: recorded as right$/);
  });

  test("are not made from tests of code and other records, which are no answers", async () => {
    for (const gold of [
      '{"inputs": ["1"], "outputs": ["2"]}',
      '[{"kwargs": [{"num_words": 3}]}]',
      "assert f(1) == 2",
    ]) {
      const row = (score: number) => ({ prompt: "Write f.", response: `def f(): return ${score}`, gold, score });
      expect(await graded([row(1), row(0)])).toMatchObject({ byGold: 0, byScore: 2, disagree: 0 });
    }
  });

  test("are not made from names and sentences, which others may say in other words, and are from letters and boxed words", async () => {
    for (const gold of ["Apollo 11", "The battle of 1066.", "COVID-19", "['1912', 'nineteen twelve']"])
      expect(await graded([{ prompt: "q", response: "It was that of 1912.", gold, correct: true }])).toMatchObject({
        ...{ byGold: 0, byRecord: 1, disagree: 0 },
      });
    expect(await graded([{ prompt: "q", choices: ["1", "24"], answer: 1, response: says("B") }])).toMatchObject({
      ungraded: 1,
    });
    const letters = ["B", "(b)", "A", "H_2O"].map((answer) => ({ prompt: answer, response: says(answer), gold: "B" }));
    expect(await graded(letters)).toMatchObject({ byGold: 3, ungraded: 1 });
    for (const gold of ["p - q", "\\text{Evelyn}", "72 eggs", "The answer is 5."])
      expect(await graded([{ prompt: "q", response: says("3"), gold, correct: true }])).toMatchObject({ disagree: 1 });
  });

  test("are no rewards of TRL whose functions say by their names that they look at something else", async () => {
    const logged = (name: string) =>
      graded(
        [0, 1, 1].map((value, i) => ({ step: 1, prompt: "q", completion: `r ${i}`, [name]: value, advantage: 0 })),
      );
    for (const name of [
      "incorrect_answer",
      "num_incorrect",
      "correct_format",
      "think_format_reward",
      "rewards/notCorrect",
    ])
      expect(await logged(name)).toMatchObject({ byScore: 0, ungraded: 3 });
    expect(await logged("my_reward")).toMatchObject({ byScore: 3 });
    expect(await logged("accuracy_reward")).toMatchObject({ byRecord: 3 });
  });

  test("are scores of -1 and 1, and no others between", async () => {
    const row = (score: number) => ({ prompt: "q", response: `r ${score}`, score });
    expect(await graded([row(1), row(-1)])).toMatchObject({ byScore: 2 });
    expect(await graded([row(1), row(-1), row(0)])).toMatchObject({ byScore: 0, ungraded: 3 });
    expect(await graded([row(0), row(0)])).toMatchObject({ byScore: 0, ungraded: 2 });
  });
});

describe("marks in columns named for a grade", () => {
  const marked = async (marks: readonly number[], more: object = {}) => {
    const rows = marks.map((correctness, i) => ({ prompt: "q", response: `r ${i}`, correctness, ...more }));
    const { report, parts } = await look({ "rows.jsonl": lines(rows) });
    return [report.graded.byRecord, parts[0].passAtK[0]?.value];
  };

  test("mean what all of them say: the better of two is right, and of several none is", async () => {
    expect(await marked([0, 1, 1, 1])).toEqual([4, 0.75]);
    expect(await marked([0, 2, 2, 2])).toEqual([4, 0.75]);
    expect(await marked([-1, 1])).toEqual([2, 0.5]);
    expect(await marked([1, 3, 5, 4])).toEqual([0, undefined]);
    expect(await marked([1, 0.5, 0])).toEqual([0, undefined]);
    expect(await marked([2, 2])).toEqual([0, undefined]);
  });

  test("of another grader of another set mean what that one's do", async () => {
    const row = (set: string, mark: number) => ({ set, prompt: set, response: `r ${mark}`, accuracy: mark });
    const { report } = await look({
      "rows.jsonl": lines([row("a", 0), row("a", 1), row("b", 1), row("b", 0.3), row("b", 0)]),
    });
    expect(report.graded).toMatchObject({ byRecord: 2, ungraded: 3 });
  });

  test("stand beside our grade", async () => {
    const row = (answer: string, mark: number) => ({ prompt: "q", response: says(answer), gold: "4", accuracy: mark });
    const { report } = await look({ "rows.jsonl": lines([row("4", 2), row("5", 0), row("6", 2)]) });
    expect(report.graded).toMatchObject({ byGold: 3, both: 3, disagree: 1 });
  });
});

describe("a problem is its task, its id and what was asked", () => {
  const log = (task: string, more: object = {}, ask = (question: string) => question) =>
    JSON.stringify({
      eval: { task, model: "openai/o" },
      samples: rollouts.map((one) => ({
        ...inspectSample(one),
        input: ask(one.question),
        messages: undefined,
        ...more,
      })),
    });

  test("so that logs of several tasks are read whole, each numbering its samples from 1", async () => {
    const { report, parts } = await look({
      "a.json": log("crates"),
      "b.json": log("jars", {}, (one) => `In jars: ${one}`),
    });
    expect(report).toMatchObject({ traces: 16, skipped: [] });
    expect(parts[0]).toMatchObject({ problems: 4, sets: expect.arrayContaining(["crates", "jars"]) });
  });

  test("and a second log of the same task is further attempts, but for what is the same to the letter", async () => {
    const again = { output: { model: "openai/o", choices: [{ message: assistant(says("99")) }] } };
    const { report, parts } = await look({
      "a.json": log("crates"),
      "b.json": log("crates", again),
      "c.json": log("crates"),
    });
    expect(report.skipped).toMatchObject([{ because: expect.stringContaining("same problem and attempt"), count: 8 }]);
    expect(parts[0].problems).toBe(2);
    expect(report.traces).toBeGreaterThan(8);
  });

  test("so that files which each count from 0 are only compared where both ask the same", async () => {
    const asked = (things: readonly string[], around: (thing: string) => string) =>
      lines(things.map((thing, id) => ({ problem_id: id, prompt: around(thing), response: "r" })));
    const chat = (thing: string) => `system\nThink hard about it.\nuser\nHow many are the ${thing}?\nassistant\n`;
    const fruit = ["apples", "bells", "cups", "dogs"];
    const { report } = await look({
      "a.jsonl": asked(fruit, chat),
      "b.jsonl": asked(fruit, (thing) => `Question: How many are the ${thing}?`),
      "c.jsonl": asked(["apple trees", "blue bells", "cup cakes", "hot dogs"], chat),
    });
    expect(report.apart).toEqual(["c"]);
  });

  test("and verifiers' environments are told by the name beside their results", async () => {
    const row = (question: string) => ({ example_id: 0, prompt: question, completion: says("1"), reward: 1 });
    const { parts } = await look({
      ...{ "a/metadata.json": '{"env_id":"one","model":"m"}', "a/results.jsonl": lines([row("p")]) },
      ...{ "b/metadata.json": '{"env_id":"two","model":"m"}', "b/results.jsonl": lines([row("q")]) },
    });
    expect(parts[0]).toMatchObject({ policy: "m", problems: 2 });
  });
});

describe("rollouts under other names", () => {
  const rows = (row: (one: Sample) => object) => rollouts.map(row);
  const plain = lines(rows((one) => ({ prompt: one.question, response: one.response, gold: one.gold })));

  test("of columns are those of programs, whatever their case and their spaces", async () => {
    const { report, parts } = await look({
      "a.csv": `Question,Model Response,Ground-Truth,isCorrect\n${rollouts
        .map((one) => `${one.question},"${one.response}",${one.gold},${one.right}`)
        .join("\n")}`,
    });
    expect(report.graded).toMatchObject({ byGold: 8, both: 8, disagree: 0 });
    expect(parts[0].problems).toBe(2);
  });

  test.each<[string, string | Uint8Array]>([
    ["rollouts", plain],
    ["1.txt", plain],
    ["1.gz", gzipSync(plain)],
    ["1.jsonl", gzipSync(plain)],
    ["1.json.gz", plain],
    [
      "1.jsonl",
      JSON.stringify(
        plain
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ),
    ],
    ["1.json", parquet(rows((one) => ({ prompt: one.question, response: one.response, gold: one.gold })))],
  ])("of files are found by what is in them: %s", async (name, content) => {
    expect((await look({ [name]: content })).report.graded.byGold).toBe(8);
  });

  test("of rLLM's episodes, a file each, are of the folder they lie in", async () => {
    const episode = ({ question, gold, right, response }: Sample) => ({
      ...{ task: { question, ground_truth: gold }, is_correct: right },
      trajectories: [{ name: "a", reward: Number(right), steps: [{ model_response: response }] }],
    });
    const files = rollouts.map((one, i) => [`episode_${i}.json`, JSON.stringify(episode(one))]);
    expect((await look(Object.fromEntries(files))).parts).toMatchObject([{ problems: 2 }]);
  });
});

test("lm-eval's instructions have no answers, its likelihoods are no texts, and its better grade is believed", async () => {
  const row = { doc_id: 1, arguments: [["q", {}]], filtered_resps: ["r"], target: "0" };
  const sampled = async (more: object) =>
    (await look({ "m/samples_t_2026-11-01T10-00-00.5.jsonl": lines([{ ...row, ...more }]) })).report;
  const instructed = { resps: [["Sure."]], prompt_level_strict_acc: true, inst_level_strict_acc: [true, false] };
  expect((await sampled(instructed)).graded).toMatchObject({ byRecord: 1, byGold: 0 });
  expect((await sampled({ resps: [[says("0")]], exact_match: 0, math_verify: 1 })).graded).toMatchObject({
    disagree: 0,
  });
  const likely = { resps: [[["-1.0", "False"]], [["-2.0", "True"]]], acc: 1 };
  await expect(sampled(likely)).rejects.toThrow("no generated text");
});

test("what ended at its budget is told by whoever wrote it", async () => {
  const [one] = rollouts;
  const message = assistant(one.response);
  const cut: readonly (readonly [object, (reason: unknown) => object])[] = [
    [{ group_index: 0, prompt: "q", label: "24", reward: 1 }, (status) => ({ response: one.response, status })],
    [{ input_prompt: "q", score: 1 }, (stop_reason) => ({ output_response: one.response, stop_reason })],
    [{ prompt: "q" }, (finish_reason) => ({ response: one.response, finish_reason })],
    [{ example_id: 1, prompt: "q", reward: 1 }, (told) => ({ completion: "r", is_truncated: told === "length" })],
    [
      { custom_id: "q" },
      (finish_reason) => ({ response: { body: { model: "m", choices: [{ message, finish_reason }] } } }),
    ],
    [
      { id: 1, epoch: 1, input: "q" },
      (stop_reason) => ({ output: { model: "m", choices: [{ message, stop_reason }] } }),
    ],
  ];
  for (const [asked, told] of cut) {
    const rows = ["length", "stop"].map((reason) => ({ ...asked, ...told(reason) }));
    const { parts } = await look({ "rows.jsonl": lines(rows.map((row, i) => ({ ...row, epoch: i + 1 }))) });
    expect(parts[0].states, JSON.stringify(asked)).toMatchObject({ truncated: 1 });
  }
});

describe("what no format fits", () => {
  const said = async (row: object) => {
    const error = await look({ "rows.jsonl": lines([row]) }).catch((one: Error) => one);
    return (error as Error).message;
  };

  test("is said with the nearest format, the column that is missing, and a flag that reads it", async () => {
    const near = await said({ prompt: "q", texts: "It is 4.", step: 3, advantage: 0.1 });
    expect(near).toContain("nearest is trl, which also has completion");
    expect(near).toContain("--columns response=texts,prompt=prompt");
    const far = await said({ meta: { asked: "What is 4+4?", uid: 3 }, sampled: "I get 8.", is_right: 1, truth: "8" });
    expect(far).toContain("--columns response=sampled,prompt=meta.asked,gold=truth,correct=is_right");
  });

  test("is not guessed at: of two texts that may be the response neither is taken", async () => {
    const arena = { question_id: 1, text: "What is two?", model_id: "m", answer: "It is two." };
    expect(await said(arena)).toContain("--columns response=answer,prompt=text");
    expect(await said({ prompt: "q", response: "a", output: "b" })).toContain("response and output may each be");
    expect(await said({ question: "How many?", answer: "She has 72.\n#### 72" })).toContain(
      "if answer is what a model wrote",
    );
    const { report } = await look({ "r1.jsonl": lines([{ question: "q", answer: "<think>hm</think>It is 4." }]) });
    expect(report.formats).toEqual({ "answers: response=answer, prompt=question": 1 });
  });
});

describe("tables", () => {
  test("hold what Python prints, whatever is in it", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "'", '"', "\\", "\n", "]", ",", " "), maxLength: 6 });
    const printed = (one: string) => `'${one.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.boolean(), (texts, numpy) => {
        expect(pythonValue(`[${texts.map(printed).join(numpy ? "\n " : ", ")}]`)).toEqual(texts);
        expect(pythonValue(`{'a': [${texts.map(printed).join(", ")}], 'b': (1, -2.5), 'c': None, 'd': True}`)).toEqual({
          ...{ a: texts, b: [1, -2.5], c: null, d: true },
        });
      }),
    );
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."[{('\":, a1])}") }), (one) => void pythonValue(one)));
  });

  test("of comma-separated values come back as they were written", () => {
    const cell = fc.string({
      unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", ";", "\t"),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), fc.boolean(), (rows, crlf) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = [["x", "y"], ...rows].map((row) => row.map(quoted).join(",")).join(crlf ? "\r\n" : "\n");
        expect([...csvRows(text)]).toEqual(rows.map(([x, y]) => ({ x, y })));
      }),
    );
  });

  test("of a database that is damaged anywhere are read or named, and end", async () => {
    const whole = readFileSync(join(fixtures, "trackio-db/project.db"));
    const path = join(home, "damaged.db");
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const damaged = Buffer.from(cut ? whole.subarray(0, at) : whole);
        if (!cut) damaged[at] = byte;
        writeFileSync(path, damaged);
        try {
          for await (const { row } of sqliteRows(path, ["traces", "metrics"])) expect(typeof row).toBe("object");
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("of a database have what was committed to its log, and nothing that was not", async () => {
    const [path, log] = [join(home, "log.db"), readFileSync(join(fixtures, "trackio-db/project.db-wal"))];
    cpSync(join(fixtures, "trackio-db/project.db"), path);
    const count = async () => {
      let rows = 0;
      for await (const _ of sqliteRows(path, ["traces"])) rows += 1;
      return rows;
    };
    expect(await count()).toBe(4);
    writeFileSync(`${path}-wal`, log);
    expect(await count()).toBe(8);
    writeFileSync(`${path}-wal`, log.subarray(0, log.length - 1));
    expect(await count()).toBe(7);
  });
});
