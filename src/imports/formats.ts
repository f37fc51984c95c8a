// The formats that are read, a line of a table each: its name, the paths by which it is recognized, and where each fact stands.
// The first that fits a row reads it. Sources of the shapes are named with their tests.
import { inspectSamples, lightevalDetails, lmEvaluationSamples, modelInPath } from "./harness-rows.ts";
import { anthropicMessages, chatReplies, responsesReplies, turnsBeside } from "./model-replies.ts";
import { ownRollouts, teacherCorpus } from "./own-rollouts.ts";
import { firstOf, usualColumns } from "./read-row.ts";
import { type Row, type RowFormat, unusable } from "./row-format.ts";
import { listOf, numberIn, objectOf, textOf, valueAt } from "./row-values.ts";
import { nemoBatch, rllmEpisode, tinkerTree, trackioTrace, verifiersEpisode } from "./trainer-rows.ts";

/** Columns of datasets and of functions that log what they were given. */
const { gold } = usualColumns;
/** What is nobody's answer but the right one. */
const references = "gold|gold_answer|gt|ground_truth|expected_answer|reference_answer|reference|correct_answer";

export const rowFormats: readonly RowFormat[] = [
  ownRollouts,
  teacherCorpus,
  // verl, `trainer.rollout_data_dir`; `acc` where a reward function returns it and the trainer writes it down.
  {
    name: "verl",
    has: ["input", "output", "score", "step"],
    columns: {
      ...{
        response: "output",
        prompt: "input",
        gold: "gts|ground_truth",
        correct: "acc",
        score: "score",
        step: "step",
      },
      ...{ set: "data_source", id: "uid" },
    },
  },
  // EasyR1, `generations.log`.
  {
    name: "easyr1",
    has: ["prompt", "output", "ground_truth", "score", "step"],
    looks: (row) => typeof row.score === "string" && Object.keys(row).length === 5,
    columns: { response: "output", prompt: "prompt", gold: "ground_truth", score: "score", step: "step" },
  },
  // verl's and EasyR1's validation as a table of wandb's: a row a step, three or four columns a sample.
  {
    name: "verl-table",
    has: ["step", "input_1", "output_1", "score_1"],
    unfold: (row) =>
      Object.keys(row).flatMap((name) => {
        const i = /^input_(\d+)$/.exec(name)?.[1];
        if (i === undefined || row[`output_${i}`] === null) return [];
        const [response, gold, score] = ["output", "label", "score"].map((what) => row[`${what}_${i}`]);
        return [{ step: row.step, prompt: row[name], response, gold, score }];
      }),
  },
  // verifiers, `results.jsonl`, and prime-rl's samples on its hub.
  {
    name: "verifiers",
    has: ["example_id|env_name", "completion", "reward"],
    numbered: true,
    columns: {
      ...{ response: "completion", prompt: "prompt", problem: "example_id|problem_id", step: "step" },
      ...{ set: "of|env_name|task|env_id", checkpoint: "model" },
      ...{ gold: "answer|info.ground_truth|info.answer", metrics: "*|metrics", score: "reward", failure: "error" },
      state: "is_truncated",
    },
    unfold: (row, { task }) => [{ ...row, of: task && [...new Set([task, row.task])].filter(Boolean).join(" ") }],
  },
  // AReaL, `rollout.dump_to_file`: `rollout/<version>/<task>.jsonl`; a task is a prompt's group, and its number no problem's.
  {
    name: "areal",
    has: ["task_id", "prompt", "completion", "tail_version"],
    columns: { response: "completion", prompt: "prompt", score: "reward", step: "tail_version" },
  },
  // TRL and ms-swift, `log_completions`: a column for each reward function, and what they logged besides.
  {
    name: "trl",
    has: ["prompt", "completion", "step|gen_step|advantage|advantages"],
    columns: {
      ...{
        response: "completion",
        prompt: "prompt",
        step: "step|gen_step|global_step",
        metrics: "*",
        score: "reward|the reward",
      },
      ...{ gold, set: "data_source|dataset" },
    },
    scoreIsAside: ({ rewards = [] }) => rewards.some(({ column }) => isAside(column)),
    unfold: (row, { rewards = [] }) => [{ ...row, "the reward": weightedReward(row, rewards) }],
  },
  // slime, `--dump-details`, `--save-debug-rollout-data …_{rollout_id}.pt`, or its samples as JSON lines.
  {
    name: "slime",
    has: ["prompt", "response", "reward", "status", "group_index|label"],
    columns: {
      ...{ response: "response", prompt: "prompt", gold: "label", metrics: "reward", score: "reward", state: "status" },
      ...{ tokens: "response_length", step: "rollout_id|step" },
    },
    unfold: (row, { file }) => [{ step: numberIn(/(\d+)\.[a-z.]+$/i.exec(file)?.[1]), ...row }],
  },
  // OpenRLHF's samples as a table of wandb's, of which each is one text.
  {
    name: "openrlhf",
    has: ["global_step", "text", "reward"],
    looks: (row) => Object.keys(row).length === 3,
    columns: { response: "said", prompt: "asked", score: "reward", step: "global_step" },
    unfold: (row) => {
      const turns =
        textOf(row.text)?.split(/(?:^|\n|<\|im_start\|>|<\|start_header_id\|>)assistant(?:<\|end_header_id\|>)?\n+/) ??
        [];
      const said = turns.pop();
      if (turns.length === 0) return unusable("a prompt and its response in one text, without a turn of an assistant");
      return [{ ...row, said, asked: turns.join("\n") }];
    },
  },
  { name: "nemo-rl", has: ["content", "rewards"], looks: ofOne("content", "rewards"), unfold: nemoBatch },
  // lm-evaluation-harness, `--log_samples`.
  { name: "lm-eval", has: ["doc_id", "resps"], numbered: true, unfold: lmEvaluationSamples },
  {
    name: "lighteval",
    has: ["doc|__doc__", "model_response|__model_response__"],
    numbered: true,
    unfold: lightevalDetails,
  },
  { name: "inspect", has: ["id", "epoch", "output", "input"], numbered: true, unfold: inspectSamples },
  {
    name: "opencompass",
    has: ["origin_prompt", "prediction"],
    columns: { response: "prediction", prompt: "asked", gold: "gold", set: "set", checkpoint: "model" },
    unfold: (row, context) => {
      const turns = listOf(row.origin_prompt)?.map(objectOf);
      const asked = turns?.map((turn) => textOf(turn?.prompt) ?? textOf(turn?.content) ?? "").join("\n");
      const model = modelInPath(context);
      return [{ ...row, asked: asked ?? row.origin_prompt, model, set: context.file.replace(/(_\d+)?\.json$/, "") }];
    },
  },
  // EvalScope's predictions have the reasoning, its reviews the score.
  {
    name: "evalscope",
    has: ["model_output", "messages"],
    columns: { ...turnsBeside.columns, set: "set", checkpoint: "model|model_output.model|folder" },
    unfold: (row, context) => turnsBeside.unfold(row, "model_output", context),
  },
  {
    name: "evalscope-reviews",
    has: ["sample_score"],
    numbered: true,
    columns: {
      ...{ messages: "messages", response: "said", set: "set", checkpoint: "folder", id: "index", gold: "target" },
      ...{
        prompt: "input",
        attempt: "sample_score.generation_index",
        metrics: "sample_score.score.value",
        score: "value",
      },
    },
    unfold: (row, context) => {
      const { folder, set } = turnsBeside.place(context);
      const said = listOf(row.messages) === undefined ? valueAt(row, "sample_score.score.prediction") : undefined;
      const [value] = Object.values(objectOf(valueAt(row, "sample_score.score.value")) ?? {});
      return [{ ...row, said, folder, set, value }];
    },
  },
  // The harness of Qwen2.5-Math and of ToRA: as many texts, predictions and scores as samples.
  {
    name: "qwen-math",
    has: ["question", "gt", "code", "pred|report|score"],
    columns: {
      ...{ response: "code", prompt: "question", gold: "gt", correct: "score", set: "dataset|set" },
    },
    unfold: (row, { folders, file }) => [{ set: /^test|_seed\d/.test(file) ? folders[0] : undefined, ...row }],
  },
  // reasoning-gym's evaluation, also as reasoning-gym-eval publishes it; only a score of 1 is right.
  {
    name: "reasoning-gym",
    has: ["question", "expected_answer", "completions|full_model_response"],
    rightAt1: true,
    columns: {
      response: "completions.full_model_response|full_model_response",
      ...{ prompt: "question", score: "completions.score|score", set: "dataset|name", checkpoint: "model" },
    },
  },
  // verifiers 1 and prime-rl, `traces.jsonl`: an episode a line, or a bare trace.
  {
    name: "verifiers-v1",
    has: ["traces|nodes"],
    looks: (row) => {
      const [first = row] = (listOf(row.traces) ?? []).map(objectOf);
      return (first !== undefined && "nodes" in first && "task" in first) || failedEpisode(row);
    },
    unfold: (row) =>
      failedEpisode(row) ? unusable("the rollout failed: an episode without a trace") : verifiersEpisode(row),
  },
  // SkyRL, `dumped_evals/global_step_N_evals/<source>.jsonl`; with rewards by token its score is a list.
  {
    name: "skyrl",
    has: ["input_prompt", "output_response"],
    columns: {
      ...{
        response: "output_response",
        prompt: "input_prompt",
        set: "data_source",
        score: "score",
        state: "stop_reason",
      },
      gold: "env_extras.reward_spec.ground_truth|env_extras.reward_model.ground_truth|env_extras.ground_truth",
    },
  },
  // rLLM, a file an episode.
  { name: "rllm", has: ["trajectories", "is_correct"], unfold: rllmEpisode },
  // tinker-cookbook: the conversations that it logged, its numbers without words, and its evaluations.
  { name: "tinker-logtree", has: ["title", "root.tag", "root.children"], unfold: tinkerTree },
  {
    name: "tinker-summaries",
    has: ["split", "iteration", "group_idx", "traj_idx", "total_reward"],
    unfold: () =>
      unusable(
        "numbers without words: conversations are in the _logtree.json beside them, of as many groups as were logged",
      ),
  },
  {
    name: "tinker-trajectories",
    has: ["benchmark", "turns", "reward", "idx|example_id"],
    numbered: true,
    columns: {
      ...{ messages: "turns", problem: "example_id|idx", set: "benchmark", metrics: "metrics", score: "reward" },
      ...{ gold: "logs.expected|logs.expected_answer|logs.reference_answer|logs.gold", failure: "error" },
    },
  },
  // Trackio's traces, by its table, in Parquet or from its interface.
  {
    name: "trackio",
    has: ["messages", "metadata", "key", "run_name|run|run_id"],
    columns: { ...usualColumns, checkpoint: "checkpoint", metrics: "*" },
    unfold: trackioTrace,
  },
  // What was asked in a batch: the answers, in a file beside it, are read with it.
  {
    name: "batch-requests",
    has: ["custom_id", "body|params"],
    looks: (row) => row.response === undefined && row.result === undefined,
    unfold: () => unusable("a request of a batch, which is read with its answer"),
  },
  // OpenAI's Responses (bare, in batches, and in NeMo-Gym's rollouts) and Anthropic's messages (bare and in batches).
  responsesReplies,
  anthropicMessages,
  // `from` and `value`; ShareGPT's own dump has `items`, LMSYS and WildChat `conversation`.
  {
    name: "sharegpt",
    has: ["conversations|conversation|items|messages"],
    looks: (row) => {
      const turns = row.conversations ?? row.conversation ?? row.items ?? row.messages;
      const first = objectOf(listOf(turns)?.[0]) ?? {};
      return "from" in first ? "value" in first : row.messages === undefined && "role" in first && "content" in first;
    },
    columns: {
      ...usualColumns,
      response: undefined,
      messages: "turns",
      problem: "problem|problem_id",
      id: "conversation_id|id",
    },
    unfold: (row) => {
      const turns = listOf(row.conversations ?? row.conversation ?? row.items ?? row.messages) ?? [];
      return [{ ...row, turns: textOf(row.system) ? [{ role: "system", content: row.system }, ...turns] : turns }];
    },
  },
  // Alpaca's input is what its instruction is about.
  {
    name: "alpaca",
    has: ["instruction", "input", "output|response"],
    columns: { ...usualColumns, prompt: "asked", response: "response|output" },
    unfold: (row) => [{ ...row, asked: `${textOf(row.instruction)}\n${textOf(row.input) ?? ""}`.trim() }],
  },
  // MathArena's runs: a file a problem in the folder of a model, a conversation a run.
  {
    name: "matharena",
    has: ["problem", "gold_answer", "messages", "answers", "correct"],
    columns: { ...usualColumns, problem: "problem", messages: "talk", response: undefined, correct: "right" },
    unfold: (row, { folders, named, source }) =>
      (listOf(row.messages) ?? []).map((talk, attempt) => ({
        ...{ ...row, talk, attempt, right: listOf(row.correct)?.[attempt], set: folders[1] },
        checkpoint: named ? source : folders[0],
      })),
  },
  // Chat completions, bare and in batches, and conversations.
  chatReplies,
  // Anything else with a response under one of the usual names.
  {
    name: "records",
    has: [usualColumns.response],
    // A document's list of records without a word of what was asked is a list of rollouts; a message has a speaker.
    looks: (row) => {
      const said = firstOf(row, usualColumns.response);
      const asks = [usualColumns.prompt, usualColumns.problem, usualColumns.id, "task"];
      const asked = asks.some((paths) => firstOf(row, paths) !== undefined);
      if (said === row.content && !(asked && row.role === undefined)) return false;
      return typeof said !== "number" && (asked || objectOf(listOf(said)?.[0]) === undefined);
    },
    columns: usualColumns,
    unfold: (row, { columns }) =>
      (columns?.response === undefined ? doubt(row) : undefined) ?? [
        // A number is a class, as preferences have it, or a flag.
        { ...row, ...referenceless(row, "label"), ...referenceless(row, "correct_answer"), ...choiceless(row) },
      ],
  },
  // A question and an answer that thinks aloud, or beside another reference: what is referred to does neither.
  {
    name: "answers",
    has: ["answer", usualColumns.prompt],
    looks: (row) =>
      typeof row.answer === "string" &&
      (/<\/(?:think|reasoning)>/.test(row.answer) || (/\s/.test(row.answer) && firstOf(row, references) !== undefined)),
    columns: { ...usualColumns, response: "answer", gold: references },
  },
];

function ofOne(...names: readonly string[]) {
  return (row: Row) => names.every((name) => listOf(row[name])?.length === 1);
}

/** prime-rl writes an episode that broke off without a trace. */
const failedEpisode = (row: Row): boolean => listOf(row.traces)?.length === 0 && (listOf(row.errors)?.length ?? 0) > 0;

/** The reward that was trained on: the weighted sum over functions, where they and their weights are known. */
function weightedReward(row: Row, rewards: readonly { readonly column: string; readonly weight: number }[]) {
  const parts = rewards.flatMap(({ column, weight }) => {
    const reward = numberIn(row[column]);
    return reward === undefined ? [] : [weight * reward];
  });
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

const asideWord =
  /^(?:(?:incorrect|invalid|wrong|mistake|error|fail|format|xml|penalt|length|repetition|language)\w*|not|num|number|count|len|tags?)$/i;

/** A reward function whose name says that it looks at something else than whether the answer is right. */
const isAside = (column: string): boolean =>
  column.split(/[_\W]+|(?<=[a-z])(?=[A-Z])/).some((word) => asideWord.test(word));

const referenceless = (row: Row, name: string) =>
  ["number", "boolean"].includes(typeof row[name]) ? { [name]: undefined } : {};

/** Beside a list of choices a number is the place of one among them. */
const choiceless = (row: Row) =>
  listOf(row.choices ?? row.options) === undefined
    ? {}
    : Object.assign({}, ...["answer", "gold", "target", "label"].map((name) => referenceless(row, name)));

const clear = ["response", "output", "completion", "generation", "model_response", "model_output", "generated_text"];

/** Two texts that may be the response, of which one may be the reference or the question, are not chosen between here. */
function doubt(row: Row) {
  const texts = clear.filter((name) => typeof row[name] === "string");
  const two =
    new Set(texts.map((name) => row[name])).size > 1
      ? texts
      : texts.length === 0 && typeof row.text === "string" && typeof row.answer === "string"
        ? ["text", "answer"]
        : undefined;
  if (two === undefined) return undefined;
  const prompt = two[0] === "text" ? ",prompt=text" : "";
  return unusable(
    `${two.join(" and ")} may each be the response; say which: --columns response=${two.at(-1)}${prompt}`,
  );
}
