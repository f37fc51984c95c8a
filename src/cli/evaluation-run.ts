// Running an evaluation from the command line: open the folder and the policy, sample what is missing, grade, sum up.
import { existsSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { ConfigurationError, RemoteServiceError } from "../base/errors.ts";
import type { EndpointClient } from "../endpoints/client.ts";
import { probeParameters } from "../endpoints/ignored-parameters.ts";
import { defaultPolicyCard, type PolicyCard, readPolicyCard, writePolicyCard } from "../engine/policy-card.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import {
  evaluationFiles,
  readProblems,
  readSampling,
  reopenEvaluation,
  writeProblems,
  writeSampling,
  writeWanted,
} from "../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Exchange, Sampler, SamplingSettings } from "../evaluation/sampler.ts";
import { refuseTooMany, sampleIntoStore } from "../evaluation/sampling-loop.ts";
import { inTurns, refuseOtherThanPuzzles } from "../evaluation/turns.ts";
import type { Problem } from "../problems/problem.ts";
import { onSide } from "../problems/question-sets.ts";
import { loadProblems } from "../problems/sources.ts";
import { subset } from "../problems/subset.ts";
import { acceptingDamage } from "../recipes/accepted-damage.ts";
import { withStopTokens } from "../recipes/engine-host.ts";
import { chatFormOf, inPromptStyle } from "../recipes/policy-asking.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { commandText } from "./command-text.ts";
import { damageWatch } from "./damage.ts";
import type { EvaluateFlags } from "./evaluate.ts";
import { printSummary, readSummary } from "./evaluation-report.ts";
import { gradeWithBar } from "./grade.ts";
import { interruptible, stoppedExitCode } from "./interruption.ts";
import { type Progress, progressBar, warn } from "./progress.ts";
import { questionReading, warnDropped } from "./question-flags.ts";
import { checkpointOf, clientOf } from "./server-options.ts";

export async function runEvaluation(options: EvaluateFlags): Promise<void> {
  const { out } = options;
  if (out === undefined) throw new ConfigurationError("--out is missing: the folder for the evaluation");
  if (options.problems.length === 0)
    throw new ConfigurationError("--problems is missing: what to evaluate on; --help lists the benchmarks");
  const { temperature, topP, topK, maxTokens, system } = options;
  const sampling: SamplingSettings = { temperature, topP, topK, maxTokens, system };
  const card = await cardOf(options);
  const policy = await openPolicy(options, sampling, card);
  let lost: string | undefined;
  try {
    // Before the folder is taken: a misspelled benchmark must not leave a run that refuses the right one.
    const problems = await askedProblems(out, options, card);
    if (options.turns !== undefined) refuseOtherThanPuzzles(problems);
    refuseTooMany(problems.length, options.rollouts);
    const run = await openRunFolder(out, {
      kind: "evaluate",
      config: configOf(options, sampling, card),
      command: commandText(),
      now: new Date(),
    });
    try {
      if (isOurs(options)) await writePolicyCard(out, card);
      await acceptingDamage(damageWatch(out, options), (damage) => reopenEvaluation(out, damage));
      if (!existsSync(join(out, evaluationFiles.problems))) await writeProblems(out, problems);
      const store = await RolloutStore.open(out);
      try {
        const stopped = await sampleInto(store, problems, policy, options);
        if (stopped) process.exitCode = stoppedExitCode();
        else lost = await failuresOf(store);
        if (options.grade && !stopped) await gradeWithBar({ folder: out, problems, store, which: "ungraded" });
      } finally {
        await store.close();
      }
    } finally {
      await run.release();
    }
  } finally {
    await policy.close();
  }
  if (existsSync(join(out, evaluationFiles.summary))) printSummary(await readSummary(out), options);
  if (lost === undefined) return;
  warn(lost);
  process.exitCode = incompleteExitCode;
}

/** What lacks so much says less than its table seems to. */
const incompleteShare = 0.2;
const incompleteExitCode = 3;

/** What to say of an evaluation that lacks much of its rollouts. One of nothing is none, however politely each request failed. */
async function failuresOf(store: RolloutStore): Promise<string | undefined> {
  const entries = store.entries();
  const failed = entries.filter(({ state }) => state === "failed");
  if (entries.length > 0 && failed.length === entries.length)
    throw new RemoteServiceError(
      `all ${entries.length} rollouts failed (the first: ${failed[0].failure ?? "no reason given"}), so nothing was evaluated; run the same command again to retry`,
    );
  if (failed.length === 0 || failed.length < incompleteShare * entries.length) return undefined;
  return `${failed.length} of ${entries.length} rollouts failed; run the same command again to ask for them`;
}

/** What makes two evaluations the same: not how many rollouts, nor how fast or from which address they come. */
function configOf(options: EvaluateFlags, sampling: SamplingSettings, { promptStyle: puzzlePrompt, chat }: PolicyCard) {
  const { problems, data, columns, prompt, grader, split, heldOutShare, count, model, mode, checkpoint, seed } =
    options;
  const { "": ofAll, ...bySource } = options.subset ?? {};
  const subset = Object.keys(bySource).length === 0 ? ofAll : options.subset;
  return {
    problems,
    data,
    columns,
    prompt,
    grader,
    ...(split !== undefined && { split, heldOutShare }),
    puzzlePrompt,
    count,
    subset,
    turns: options.turns,
    policy: isOurs(options) ? { checkpoint: checkpoint ?? model, chat } : { model, mode },
    sampling,
    seed,
  };
}

type Policy = {
  readonly sampler: Sampler;
  readonly client?: EndpointClient;
  readonly drawsHere?: boolean;
  readonly close: () => Promise<void>;
};

/** A model of our own, by a checkpoint or on a Tinker server; anything else is asked by its own protocol. */
const isOurs = ({ checkpoint, engine }: EvaluateFlags): boolean => checkpoint !== undefined || engine !== undefined;

/** How the model is asked: as it was trained, where that is known, unless somebody says otherwise. */
async function cardOf(options: EvaluateFlags): Promise<PolicyCard> {
  const { puzzlePrompt, chat, url } = options;
  if (isOurs(options) && url !== undefined)
    throw new ConfigurationError("give either --checkpoint and --engine, or --url, not both");
  const known = isOurs(options) ? await readPolicyCard(checkpointOf(options).card) : undefined;
  const card = known ?? defaultPolicyCard;
  const asked = { ...card, promptStyle: puzzlePrompt ?? card.promptStyle, chat: chat ?? card.chat };
  if (known !== undefined && (asked.promptStyle !== known.promptStyle || asked.chat !== known.chat))
    warn(
      `the checkpoint was trained with --puzzle-prompt ${known.promptStyle} --chat ${known.chat}, which differ from what you gave`,
    );
  return asked;
}

async function openPolicy(options: EvaluateFlags, sampling: SamplingSettings, card: PolicyCard): Promise<Policy> {
  const { url, model, checkpoint, mode } = options;
  if (isOurs(options)) {
    const saved = checkpointOf(options);
    const form = await chatFormOf(saved.tokenizer, card.chat);
    if (options.turns !== undefined && form.from !== "template")
      throw new ConfigurationError(
        "--turns is a conversation, and this model has no chat template; leave it out, or give a model that has one",
      );
    // The engine starts when the folder is known to be right, and stops samples where the model's own turn ends.
    const engine = await saved.open();
    const encode = ({ prompt }: Problem, said: readonly Exchange[] = []) =>
      form.prompt(prompt, sampling.system, said.flatMap(asMessages));
    const stopping = withStopTokens(form.stopTokens, engine);
    const sampler = engineSampler(stopping, sampling, {
      policy: checkpoint ?? model ?? "model",
      encode,
    });
    return { sampler, drawsHere: options.engine === undefined, close: () => engine.dispose() };
  }
  if (options.turns !== undefined && mode !== "chat")
    throw new ConfigurationError("--turns is a conversation: give --mode chat");
  if (url === undefined || model === undefined) {
    throw new ConfigurationError(
      "missing model: give --url and --model for a server, or --checkpoint for a checkpoint",
    );
  }
  const client = clientOf(options, { url, model, mode });
  return { sampler: endpointSampler(client, sampling), client, close: () => client.close() };
}

const asMessages = ({ response, reply }: Exchange) => [
  { role: "assistant" as const, content: response },
  { role: "user" as const, content: reply },
];

/** The problems as they were first asked; later runs of the same folder need neither hub nor generator. */
async function askedProblems(folder: string, options: EvaluateFlags, { promptStyle }: PolicyCard): Promise<Problem[]> {
  if (existsSync(join(folder, evaluationFiles.problems))) return readProblems(folder);
  const { count, seed, split, heldOutShare } = options;
  const reading = questionReading(options);
  const problems: Problem[] = [];
  for (const source of options.problems) {
    const loaded = await loadProblems(source, { ...reading, grader: reading.graderOf(source), count, seed });
    const wanted = split === undefined ? loaded.problems : onSide(loaded, split, heldOutShare);
    const most = options.subset?.[source] ?? options.subset?.[""];
    const chosen = most === undefined ? wanted : subset(wanted, most, seed);
    problems.push(...chosen.map((problem) => inPromptStyle(problem, promptStyle)));
    console.error(pc.dim(`${source}: ${chosen.length} problems from ${loaded.from}`));
    warnDropped(source, loaded.dropped);
  }
  const ids = new Set(problems.map(({ id }) => id));
  if (ids.size < problems.length)
    throw new ConfigurationError("two of the --problems contain the same problem; give each set once");
  // A grader that cannot be loaded is an error before anything is sampled.
  await new ProblemGraders().prepare(problems);
  return problems;
}

async function sampleInto(
  store: RolloutStore,
  problems: readonly Problem[],
  policy: Policy,
  options: EvaluateFlags,
): Promise<boolean> {
  const folder = options.out!;
  const { rollouts: rolloutsPerProblem, seed, temperature } = options;
  const { client, drawsHere } = policy;
  const sampler = options.turns === undefined ? policy.sampler : inTurns(policy.sampler, options.turns);
  const sample = async (signal: AbortSignal): Promise<boolean> => {
    let probe = (await readSampling(folder))?.probe;
    if (client !== undefined && options.probe && temperature > 0 && probe === undefined) {
      probe = await probeParameters(client, signal);
      for (const note of probe?.notes ?? []) warn(note);
    }
    // Before anything is sampled: whoever grades later, or goes on, knows as much.
    await writeSampling(folder, { temperature, drawsHere, probe });
    await writeWanted(folder, problems.length * rolloutsPerProblem);
    let bar: Progress | undefined;
    const { stopped } = await sampleIntoStore(store, {
      ...{ problems, rolloutsPerProblem, sampler, seed, signal },
      onPlan: ({ present, missing }) => {
        if (present > 0 && missing > 0) console.error(pc.dim(`${present} rollouts already sampled`));
        if (missing > 0) bar = progressBar("rollouts", present + missing, present);
      },
      onRollout: () => bar?.advance(),
    });
    return stopped;
  };
  const said = "\nstopping; finished rollouts are kept, run the same command again to resume";
  return interruptible(said, sample);
}
