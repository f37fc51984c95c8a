// The paper in miniature, top to bottom: teacher traces, SFT, GSPO without and with the novelty bonus, evaluation. Every
// stage is a run folder of its own inside the recipe's folder; what is finished is not done again.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import type { Engine } from "../../engine/engine.ts";
import { engineSampler } from "../../evaluation/engine-sampler.ts";
import { evaluationFiles, writeProblems } from "../../evaluation/evaluation-folder.ts";
import { gradeRollouts } from "../../evaluation/grades.ts";
import { sampleIntoStore } from "../../evaluation/recorded-sampling.ts";
import { RolloutStore } from "../../evaluation/rollout-store.ts";
import { writeSummary } from "../../evaluation/summarise.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../../evaluation/summary.ts";
import type { Problem } from "../../problems/problem.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import { TrainingLog, trainingFiles } from "../../runs/training-log.ts";
import { type RejectionCounts, readTeacherTrace, type TeacherTrace } from "../../teaching/corpus.ts";
import { terseLabels } from "../../teaching/terse-language.ts";
import type { RlEvent, RlState } from "../../training/rl-events.ts";
import { rlLoop } from "../../training/rl-loop.ts";
import { type SftEvent, type SftState, sftLoop } from "../../training/sft-loop.ts";
import type { EngineHost } from "../engine-host.ts";
import { lessonSequence } from "./base-model.ts";
import { type MiniConfig, type PolicyName, policies, rlOptions, sftOptions } from "./config.ts";
import { type MiniSets, miniCorpus, miniSets, prompted } from "./sets.ts";

/** What a watcher hears: which stage is at work, how far it is, and what its loop tells. */
export type MiniEvent =
  | {
      readonly type: "stage";
      readonly stage: string;
      readonly title: string;
      readonly total: number;
      readonly done: number;
    }
  | { readonly type: "progress"; readonly stage: string; readonly done: number }
  | { readonly type: "told"; readonly stage: string; readonly event: SftEvent | RlEvent }
  | { readonly type: "corpus"; readonly counts: RejectionCounts }
  | { readonly type: "finished"; readonly stage: string; readonly already: boolean };

export type MiniResult = { readonly summaries: Readonly<Record<PolicyName, EvaluationSummary>> };

export type MiniRun = {
  readonly folder: string;
  readonly config: MiniConfig;
  readonly host: EngineHost;
  readonly tell: (event: MiniEvent) => void;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
};

export async function runMini(run: MiniRun): Promise<MiniResult> {
  const recipe = await openRunFolder(run.folder, {
    kind: "recipe",
    config: { recipe: "mini", ...run.config },
    now: run.now(),
  });
  try {
    const sets = miniSets(run.config);
    const sft = await trainSft(run, sets, await teach(run));
    const reference = run.host.reference("sft", sft);
    const vanilla = await trainRl(run, sets, "vanilla", reference);
    const novelty = await trainRl(run, sets, "novelty", reference);
    const checkpoints: Record<PolicyName, string | undefined> = {
      base: undefined,
      sft: reference,
      vanilla: run.host.reference("vanilla", vanilla),
      novelty: run.host.reference("novelty", novelty),
    };
    const summaries = {} as Record<PolicyName, EvaluationSummary>;
    for (const policy of policies) summaries[policy] = await evaluate(run, sets, policy, checkpoints[policy]);
    return { summaries };
  } finally {
    await recipe.release();
  }
}

// ---- Teaching ----------------------------------------------------------------------------------------------------

async function teach({ folder, config, tell, host }: MiniRun): Promise<readonly TeacherTrace[]> {
  const path = join(folder, "corpus.jsonl");
  const countsPath = join(folder, "corpus.json");
  const total = config.corpus.traces;
  const already = existsSync(countsPath);
  tell({ type: "stage", stage: "teach", title: "Teacher traces", total, done: already ? total : 0 });
  if (!already) {
    const engine = await host.open("teach");
    let done = 0;
    const { traces, counts } = miniCorpus(config, engine.tokenizer, () => {
      if (++done % 50 === 0) tell({ type: "progress", stage: "teach", done });
    });
    await engine.dispose();
    await writeFileAtomically(path, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(""));
    await writeFileAtomically(countsPath, `${JSON.stringify(counts)}\n`);
  }
  tell({ type: "corpus", counts: JSON.parse(await readFile(countsPath, "utf8")) });
  tell({ type: "finished", stage: "teach", already });
  const traces: TeacherTrace[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) throw new Error(`${path} line ${read.line}: ${read.error}`);
    traces.push(readTeacherTrace(read.value, `${path} line ${read.line}`));
  }
  return traces;
}

// ---- Training ----------------------------------------------------------------------------------------------------

type Stage<State, Event> = {
  readonly name: string;
  readonly title: string;
  readonly kind: "sft" | "rl";
  readonly config: Record<string, unknown>;
  readonly total: number;
  readonly from?: string;
  readonly loop: (engine: Engine, state: State | undefined) => AsyncGenerator<Event>;
  /** Units of progress that an event stands for. */
  readonly doneAfter: (event: Event) => number | undefined;
  readonly endpoint: (event: Event) => string | undefined;
};

/** Runs a loop inside its folder until its last event, from wherever it stands; returns the checkpoint it ends in. */
async function trainStage<State, Event extends SftEvent | RlEvent>(
  run: MiniRun,
  stage: Stage<State, Event>,
): Promise<string> {
  const path = join(run.folder, stage.name);
  const folder = await openRunFolder(path, { kind: stage.kind, config: stage.config, now: run.now() });
  try {
    const finished = await lastEndpoint(path, stage);
    run.tell({
      type: "stage",
      stage: stage.name,
      title: stage.title,
      total: stage.total,
      done: finished ? stage.total : 0,
    });
    if (finished !== undefined) {
      run.tell({ type: "finished", stage: stage.name, already: true });
      return finished;
    }
    const log = await TrainingLog.open<State>(path);
    const engine = await run.host.open(stage.name, stage.from);
    let endpoint: string | undefined;
    try {
      for await (const event of stage.loop(engine, log.resumeFrom)) {
        await log.write(event);
        run.tell({ type: "told", stage: stage.name, event });
        const done = stage.doneAfter(event);
        if (done !== undefined) run.tell({ type: "progress", stage: stage.name, done });
        endpoint = stage.endpoint(event) ?? endpoint;
      }
    } finally {
      await engine.dispose();
      await log.close();
    }
    if (endpoint === undefined) throw new Error(`${stage.name} ended without a checkpoint`);
    run.tell({ type: "finished", stage: stage.name, already: false });
    return endpoint;
  } finally {
    await folder.release();
  }
}

async function lastEndpoint<State, Event>(path: string, stage: Stage<State, Event>): Promise<string | undefined> {
  const events = join(path, trainingFiles.events);
  if (!existsSync(events)) return undefined;
  let endpoint: string | undefined;
  for await (const read of readJsonLinesFile(events)) {
    if ("value" in read) endpoint = stage.endpoint(read.value as Event) ?? endpoint;
  }
  return endpoint;
}

function trainSft(run: MiniRun, sets: MiniSets, traces: readonly TeacherTrace[]): Promise<string> {
  const options = sftOptions(run.config);
  const steps = options.epochs * Math.ceil(traces.length / options.sequencesPerStep);
  return trainStage<SftState, SftEvent>(run, {
    name: "sft",
    title: "SFT on verified traces",
    kind: "sft",
    config: { ...options, corpus: run.config.corpus },
    total: steps,
    loop: (engine, state) => {
      const corpus = traces.map((trace) => lessonSequence(engine.tokenizer, trace));
      const choosing = sets.choosing.map((problem) => prompted(engine.tokenizer, problem));
      return sftLoop(engine, corpus, choosing, options, state, run.signal);
    },
    doneAfter: (event) => (event.type === "sft-step" ? event.step + 1 : undefined),
    endpoint: (event) => (event.type === "sft-end" ? event.checkpoint : undefined),
  });
}

function trainRl(run: MiniRun, sets: MiniSets, variant: "vanilla" | "novelty", reference: string): Promise<string> {
  const options = rlOptions(run.config, variant);
  return trainStage<RlState, RlEvent>(run, {
    name: variant,
    title: variant === "vanilla" ? "GSPO" : "GSPO with the novelty bonus",
    kind: "rl",
    config: options,
    total: options.steps,
    from: reference,
    loop: (engine, from) =>
      rlLoop({
        engine,
        problems: sets.training.map((problem) => prompted(engine.tokenizer, problem)),
        reference,
        options,
        readPrimitives: terseLabels,
        from,
        signal: run.signal,
        clock: () => performance.now(),
      }),
    doneAfter: (event) => (event.type === "rl-step" ? event.step + 1 : undefined),
    endpoint: (event) => (event.type === "rl-end" ? event.checkpoint : undefined),
  });
}

// ---- Evaluation --------------------------------------------------------------------------------------------------

async function evaluate(
  run: MiniRun,
  sets: MiniSets,
  policy: PolicyName,
  from: string | undefined,
): Promise<EvaluationSummary> {
  const { evaluation, corpus, seed } = run.config;
  const { temperature } = evaluation;
  const path = join(run.folder, "evaluations", policy);
  const asked: readonly { readonly problems: readonly Problem[]; readonly rollouts: number }[] = [
    { problems: sets.heldOut, rollouts: evaluation.heldOutRollouts },
    { problems: sets.search, rollouts: evaluation.searchRollouts },
    { problems: sets.larger, rollouts: evaluation.otherRollouts },
    { problems: sets.mathematics, rollouts: evaluation.otherRollouts },
  ];
  const total = asked.reduce((sum, { problems, rollouts }) => sum + problems.length * rollouts, 0);
  const folder = await openRunFolder(path, {
    kind: "evaluate",
    config: { policy, evaluation, maxTokens: corpus.maxTokens, seed },
    now: run.now(),
  });
  try {
    const summaryPath = join(path, evaluationFiles.summary);
    const stage = `evaluate ${policy}`;
    const already = existsSync(summaryPath);
    run.tell({ type: "stage", stage, title: `Evaluating ${policy}`, total, done: already ? total : 0 });
    if (!already) {
      const problems = asked.flatMap((part) => part.problems);
      await writeProblems(path, problems);
      const store = await RolloutStore.open(path);
      const engine = await run.host.open(policy, from);
      try {
        const sampler = engineSampler(engine, { temperature, maxTokens: corpus.maxTokens }, { policy });
        let done = 0;
        for (const { problems: part, rollouts } of asked) {
          const input = {
            problems: part,
            rolloutsPerProblem: rollouts,
            sampler,
            seed,
            temperature,
            signal: run.signal,
          };
          for await (const event of sampleIntoStore(store, input)) {
            if (event.type === "evaluation-plan") done += event.present;
            if (event.type === "evaluation-rollout" && ++done % 16 === 0) run.tell({ type: "progress", stage, done });
            if (event.type === "evaluation-end" && event.stopped) run.signal?.throwIfAborted();
          }
        }
        const equivalence = () => {
          throw new Error("the miniature's mathematics is graded by its own grammar");
        };
        for await (const _ of gradeRollouts({ folder: path, problems, store, equivalence, which: "ungraded" })) void _;
        await writeSummary({ folder: path, policy, problems, store });
      } finally {
        await engine.dispose();
        await store.close();
      }
    }
    run.tell({ type: "finished", stage, already });
    return evaluationSummarySchema.parse(JSON.parse(await readFile(summaryPath, "utf8")));
  } finally {
    await folder.release();
  }
}
