// How trainers and their environments lay out rollouts that are more than a prompt and a response: NeMo-RL's batches of one,
// episodes of verifiers and rLLM, what tinker-cookbook logged, Trackio's traces.
import { type Row, type Unusable, unusable } from "./row-format.ts";
import {
  conversationOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  promptName,
  promptText,
  textOf,
  thinkingAndText,
  turnsText,
  valueIn,
  zeroOrOne,
} from "./row-values.ts";
import { stepName } from "./step-name.ts";

/** `train_data_step3.jsonl` and `val_data_step3.jsonl`: a batch of one a line, so that everything is a list of one. */
export function nemoBatch(row: Row): Row[] {
  const content = listOf(listOf(row.content)?.[0]) ?? [];
  // Of training there are the words alone. The environment has the last of them, and what is before it the model's.
  const bare = content.every((turn) => typeof turn === "string");
  const asked = content.length === 2 ? 1 : 2 - (content.length % 2);
  const messages = bare ? content.map((turn, i) => ({ role: roleAt(i - asked), content: turn })) : content;
  return [{ messages, score: listOf(row.rewards)?.[0] }];
}

const roleAt = (turn: number) => (turn < 0 ? "user" : turn % 2 === 0 ? "assistant" : "environment");

/** An episode, with the traces of its agents. Several may work at one task, as solvers and a judge do; each is asked its own. */
export function verifiersEpisode(row: Row): readonly (Row | Unusable)[] | Unusable {
  const traces = (listOf(row.traces) ?? [row]).map(objectOf).filter((trace) => trace !== undefined);
  const agents = new Set(traces.map((trace) => textOf(objectOf(trace.agent)?.name)));
  const work = objectOf(objectOf(row.run)?.work);
  const found = traces.flatMap((trace): (Row | Unusable)[] => {
    const one = episodeTrace(trace, work, agents.size > 1);
    return one === undefined ? [] : [one];
  });
  return found.length === 0 ? unusable("no trace in which a model says something") : found;
}

function episodeTrace(trace: Row, work: Row | undefined, several: boolean): Row | Unusable | undefined {
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
  const agent = objectOf(trace.agent);
  const step = numberOf(work?.step);
  const problem = textOf(task?.key) ?? textOf(data.name) ?? numberOf(data.idx)?.toString();
  return {
    // Steps of training are of the run, and not of the model's name in it.
    checkpoint: step === undefined ? (agent?.model ?? objectOf(agent?.config)?.model) : undefined,
    step,
    stage: work && (work.type === "eval" ? "evaluation" : "training"),
    problem: ofAgent(problem ?? (prompt && promptName(prompt)) ?? "task", several && (textOf(agent?.name) ?? "agent")),
    ...{ set: task?.type, gold: data.ground_truth ?? data.answer, prompt, response },
    state: trace.is_truncated,
    metrics: { ...objectOf(trace.metrics), ...Object.fromEntries(rewards.map(({ name, score }) => [name, score])) },
    score: rewards.length === 0 ? undefined : rewards.reduce((sum, { value }) => sum + value, 0),
  };
}

const ofAgent = (problem: string, agent: unknown): string => (agent ? `${problem} ${agent}` : problem);

/** A file an episode, with its trajectories. `is_correct` is the workflow's, which takes any reward above 0 for right unless it
 *  is told otherwise: with rewards between 0 and 1, or above, it is no grade. */
export function rllmEpisode(row: Row): readonly Row[] | Unusable {
  const trajectories = (listOf(row.trajectories) ?? []).map(objectOf).filter((one) => one !== undefined);
  const agents = new Set(trajectories.map(({ name }) => name));
  const alone = trajectories.length === 1;
  const rewards = trajectories.map(({ reward }) => numberOf(reward));
  const graded = alone && rewards.every((reward) => reward === undefined || zeroOrOne(reward) !== undefined);
  const task = objectOf(row.task);
  const [id, attempt] = (textOf(row.episode_id) ?? textOf(row.id) ?? "").split(":");
  const step = numberOf(row.training_step);
  const prompt = promptText(task?.question ?? task?.problem ?? task?.instruction ?? row.task);
  const problem = textOf(row.task_hash) ?? (id || (prompt === undefined ? "task" : promptName(prompt)));
  const gold = task?.ground_truth ?? objectOf(task?.metadata)?.ground_truth ?? task?.answer;
  const found = trajectories.flatMap((trajectory) => {
    const response = turnsText((listOf(trajectory.steps) ?? []).map(objectOf).map(stepText));
    if (response === undefined) return [];
    return [
      {
        ...{ step, gold, prompt, response, score: trajectory.reward },
        problem: ofAgent(problem, agents.size > 1 && trajectory.name),
        attempt: alone && step === undefined && /^\d+$/.test(attempt ?? "") ? Number(attempt) : undefined,
        correct: graded ? row.is_correct : undefined,
        state: row.termination_reason,
      },
    ];
  });
  return found.length === 0 ? unusable("no model_response in any step") : found;
}

/** What the model thought stands beside its words, unless an agent cut it out of them. */
function stepText(step: Row | undefined): string | undefined {
  const said = textOf(step?.model_response) || conversationOf(listOf(step?.chat_completions) ?? []).response;
  const thought = textOf(step?.thought) ?? "";
  return said === undefined || thought === "" || said.includes(thought) ? said : thinkingAndText(thought, said);
}

/** A page of tinker-cookbook as a tree: of each rollout a conversation that asks, one that answers, and a table of its reward. */
export function tinkerTree(row: Row): readonly Row[] | Unusable {
  const found: Record<string, unknown>[] = [];
  let asked: unknown;
  let pair: string | undefined;
  const visit = (value: unknown, depth: number): void => {
    const node = objectOf(value);
    if (node === undefined || depth > deepestTree) return;
    const data = objectOf(node.data);
    const messages = data?.type === "conversation" ? (listOf(data.messages) ?? []) : [];
    const { prompt, response } = conversationOf(messages);
    if (response !== undefined) found.push({ prompt: prompt ?? asked, response });
    else if (prompt !== undefined) asked = prompt;
    const cells = (listOf(node.children) ?? []).map(objectOf).filter((cell) => cell?.tag === "td");
    const [name, said] = cells.map((cell) => textOf(listOf(cell?.children)?.[0]));
    const last = found.at(-1);
    // Of a rollout's own table; those behind all rollouts of a group say the same again.
    pair = name === undefined ? undefined : tableFacts.get(name);
    if (pair !== undefined && last !== undefined && !(pair in last)) last[pair] = unescaped(said ?? "");
    for (const child of listOf(node.children) ?? []) visit(child, depth + 1);
  };
  visit(row.root, 0);
  return found.length === 0 ? unusable("no conversation was logged in it") : found;
}

const tableFacts = new Map([
  ["reference_answer", "gold"],
  ["correct", "correct"],
  ["reward", "score"],
]);
const deepestTree = 500;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => entities[name]);

/**
 * Messages and metadata, as JSON text where a table holds them. verl traces whole operations: of its agent loops the output has the
 * texts, and what else it calls is no rollout.
 */
export function trackioTrace(row: Row): readonly Row[] | Unusable {
  const metadata = objectOf(valueIn(row.metadata)) ?? {};
  const messages = valueIn(row.messages);
  const { key, step, id } = row;
  const run = textOf(row.run_name) ?? textOf(row.run);
  // A run's name may end in a number of its own.
  const checkpoint = numberOf(step) === undefined ? run : stepName(run, Number(step));
  const told = { step, ...metadata, id, checkpoint };
  if (metadata.backend !== "trackio")
    return [{ ...told, messages, set: metadata.data_source ?? metadata.dataset ?? setOf(key) }];
  if (metadata.status === "error")
    return unusable(`the rollout failed: ${textOf(metadata.exception_type) ?? "an error"}`);
  const output = objectOf(metadata.output);
  const response = textOf(output?.response_text);
  if (!/AgentLoop\.run$/.test(textOf(metadata.op) ?? "")) return unusable("a call within a rollout, and no rollout");
  if (response === undefined) return unusable("tokens without their text; set rollout.trace.token2text=True");
  const prompt = textOf(output?.prompt_text);
  const stage = metadata.validate === true ? "evaluation" : "training";
  return [{ checkpoint, step, stage, prompt, response, score: output?.reward_score }];
}

/** What a trainer calls all of its rollouts says nothing of their task. */
const setOf = (key: unknown): string | undefined => {
  const name = textOf(key) ?? "";
  return /^(?:rollouts?|traces?|samples?|completions?|train|rollout_trace\/.*)$/i.test(name)
    ? undefined
    : name || undefined;
};
