// Rollouts of environments: verifiers (results of its legacy environments, episodes of version 1), SkyRL's evaluations,
// rLLM's episodes. A reward there is whatever its environment adds up, so it is kept as a score and is no grade.

import { goldOf } from "./gold-grading.ts";
import { type Row, type RowContext, type RowFormat, type Unusable, unusable } from "./row-format.ts";
import {
  completionText,
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  textOf,
  thinkingAndText,
  turnsText,
  zeroOrOne,
} from "./row-values.ts";
import { stepName } from "./step-name.ts";
import type { Trace } from "./trace.ts";

const checkpointOf = ({ source, named }: RowContext, model: unknown) => (named ? source : (textOf(model) ?? source));

/** `results.jsonl`: example_id, task, prompt, completion, answer, reward, and a column a rubric function. */
export const verifiersResults: RowFormat = {
  name: "verifiers",
  recognizes: (row) => ("example_id" in row && "completion" in row && "reward" in row ? 1 : 0),
  traces(row, context) {
    const failure = objectOf(row.error) ?? textOf(row.error);
    if (failure !== undefined) return unusable("the rollout failed (it has an error)");
    const response = completionText(row.completion);
    if (response === undefined) return unusable("no assistant message in completion");
    const set = textOf(row.task) ?? textOf(row.env_id);
    const trace: Trace = {
      checkpoint: checkpointOf(context, row.model),
      problem: [set, numberOf(row.example_id) ?? textOf(row.example_id)].filter((part) => part !== undefined).join(" "),
      set,
      gold: goldOf(row.answer ?? objectOf(row.info)?.ground_truth),
      correct: gradeAmong({ ...row, ...objectOf(row.metrics) }),
      score: scoreOf(row.reward),
      prompt: promptText(row.prompt),
      response,
    };
    return [trace];
  },
};

/** `traces.jsonl` of verifiers 1 (and prime-rl): an episode a line, with the traces of its agents; a bare trace is read, too. */
export const verifiersEpisodes: RowFormat = {
  name: "verifiers-v1",
  recognizes: (row) => {
    const [first = row] = (listOf(row.traces) ?? []).map(objectOf);
    return first !== undefined && "nodes" in first && "task" in first ? 1 : 0;
  },
  traces(row, context) {
    const traces = (listOf(row.traces) ?? [row]).map(objectOf).filter((trace) => trace !== undefined);
    // Several agents may work at one task, as solvers and a judge do; each is asked something of its own.
    const agents = new Set(traces.map((trace) => textOf(objectOf(trace.agent)?.name)));
    const work = objectOf(objectOf(row.run)?.work);
    const found = traces.flatMap((trace) => episodeTrace(trace, work, agents.size > 1, context) ?? []);
    return found.length === 0 ? unusable("no trace in which a model says something") : found;
  },
};

function episodeTrace(
  trace: Row,
  work: Row | undefined,
  several: boolean,
  context: RowContext,
): Trace | Unusable | undefined {
  const [failure] = trace.ok === false ? (listOf(trace.errors) ?? []).map(objectOf) : [];
  if (failure !== undefined) return unusable(`the rollout failed: ${textOf(failure.type) ?? "an error"}`);
  const nodes = (listOf(trace.nodes) ?? []).map(objectOf);
  const spoken = (node: Row | undefined) => node?.sampled === true && objectOf(node.message)?.role === "assistant";
  // Nodes are a tree; the branch that spoke last is the rollout.
  const branch: Row[] = [];
  for (let at = nodes.findLastIndex(spoken), before = at + 1; at < before && nodes[at] !== undefined; ) {
    branch.push(nodes[at]!);
    before = at;
    at = numberOf(nodes[at]?.parent) ?? -1;
  }
  branch.reverse();
  const response = turnsText(branch.filter(spoken).map(({ message }) => messageText(message)));
  if (response === undefined) return undefined;
  const task = objectOf(trace.task);
  const data = objectOf(task?.data) ?? {};
  // The user of an environment may open the conversation.
  const opening = branch.slice(0, branch.findIndex(spoken)).map(({ message }) => message);
  const prompt = promptText(data.prompt) ?? (opening.length === 0 ? undefined : promptText(opening));
  const rewards = Object.entries(objectOf(trace.rewards) ?? {}).flatMap(([name, value]) => {
    const reward = objectOf(value);
    const score = numberOf(reward?.score);
    return score === undefined ? [] : [{ name, score, value: score * (numberOf(reward?.weight) ?? 1) }];
  });
  const numbers = Object.fromEntries(rewards.map(({ name, score }) => [name, score]));
  const agent = objectOf(trace.agent);
  const step = numberOf(work?.step);
  const problem =
    textOf(task?.key) ??
    textOf(data.name) ??
    numberOf(data.idx)?.toString() ??
    (prompt === undefined ? "task" : promptName(prompt));
  return {
    checkpoint:
      step === undefined
        ? checkpointOf(context, agent?.model ?? objectOf(agent?.config)?.model)
        : stepName(context.named ? context.source : undefined, step),
    step,
    ...(work !== undefined && { stage: work.type === "eval" ? "evaluation" : "training" }),
    problem: several ? `${problem} ${textOf(agent?.name) ?? "agent"}` : problem,
    set: textOf(task?.type),
    gold: goldOf(data.ground_truth ?? data.answer),
    correct: gradeAmong({ ...objectOf(trace.metrics), ...numbers }),
    score: rewards.length === 0 ? undefined : rewards.reduce((sum, { value }) => sum + value, 0),
    prompt,
    response,
  };
}

/** `dumped_evals/global_step_N_evals/<source>.jsonl`: input_prompt, output_response, score, env_extras. */
export const skyrlEvaluations: RowFormat = {
  name: "skyrl",
  recognizes: (row) => ("input_prompt" in row && "output_response" in row ? 1 : 0),
  traces(row, context) {
    const response = textOf(row.output_response);
    const prompt = textOf(row.input_prompt);
    if (response === undefined || prompt === undefined) return unusable("no text in input_prompt or output_response");
    const extras = objectOf(row.env_extras);
    const spec = objectOf(extras?.reward_spec) ?? objectOf(extras?.reward_model);
    // With rewards by token the score is a list.
    const parts = listOf(row.score)?.map((part) => numberOf(part) ?? 0);
    return [
      {
        checkpoint: context.source,
        problem: promptName(prompt),
        set: textOf(row.data_source),
        gold: goldOf(spec?.ground_truth),
        score: parts === undefined ? scoreOf(row.score) : parts.reduce((sum, part) => sum + part, 0),
        prompt,
        response,
      },
    ];
  },
};

/** A file an episode, with its trajectories. `is_correct` is the workflow's, which takes any reward above 0 for right unless it
 *  is told otherwise: with rewards between 0 and 1, or above, it is no grade. */
export const rllmEpisodes: RowFormat = {
  name: "rllm",
  recognizes: (row) => ("trajectories" in row && "is_correct" in row ? 1 : 0),
  traces(row, context) {
    const trajectories = (listOf(row.trajectories) ?? []).map(objectOf).filter((one) => one !== undefined);
    // Several agents may work at one task, as solvers and a judge do; each is asked something of its own.
    const agents = new Set(trajectories.map(({ name }) => name));
    const alone = trajectories.length === 1;
    const rewards = trajectories.map(({ reward }) => numberOf(reward));
    const graded = alone && rewards.every((reward) => reward === undefined || zeroOrOne(reward) !== undefined);
    const task = objectOf(row.task);
    const [id, attempt] = (textOf(row.episode_id) ?? textOf(row.id) ?? "").split(":");
    const step = numberOf(row.training_step);
    const prompt = promptText(task?.question ?? task?.problem ?? task?.instruction ?? row.task);
    const problem = textOf(row.task_hash) ?? (id || (prompt === undefined ? "task" : promptName(prompt)));
    const found = trajectories.flatMap((trajectory): Trace[] => {
      const response = turnsText((listOf(trajectory.steps) ?? []).map(objectOf).map(stepText));
      if (response === undefined) return [];
      return [
        {
          checkpoint: step === undefined ? context.source : stepName(context.named ? context.source : undefined, step),
          step,
          problem: agents.size > 1 ? `${problem} ${trajectory.name}` : problem,
          attempt: alone && step === undefined && /^\d+$/.test(attempt ?? "") ? Number(attempt) : undefined,
          gold: goldOf(task?.ground_truth ?? objectOf(task?.metadata)?.ground_truth),
          correct: graded ? gradeOf(row.is_correct) : undefined,
          score: scoreOf(trajectory.reward),
          prompt,
          response,
        },
      ];
    });
    return found.length === 0 ? unusable("no model_response in any step") : found;
  },
};

/** What the model thought stands beside its words, unless an agent cut it out of them. */
function stepText(step: Row | undefined): string | undefined {
  const said = textOf(step?.model_response) || conversationOf(listOf(step?.chat_completions) ?? []).response;
  const thought = textOf(step?.thought) ?? "";
  return said === undefined || thought === "" || said.includes(thought) ? said : thinkingAndText(thought, said);
}
