// The paper in miniature, top to bottom: teacher traces, SFT, GSPO without and with the novelty bonus, evaluation. Every
// stage is a run folder of its own inside the recipe's folder; what is finished is not done again.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import type { EvaluationSummary } from "../../evaluation/summary.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import { type RejectionCounts, readTeacherTrace, type TeacherTrace } from "../../teaching/corpus.ts";
import { checkedCorpus, corpusFiles, finishCorpus } from "../../teaching/corpus-folder.ts";
import type { Analysis } from "../../traces/analysis/analysis.ts";
import { sftLoop } from "../../training/sft-loop.ts";
import { acceptingDamage } from "../accepted-damage.ts";
import { runAnalysisStage } from "../analysis-stage.ts";
import type { EngineHost } from "../engine-host.ts";
import { judge, trainVariant } from "../recipe-stages.ts";
import { runSftStage, type StageEvent } from "../training-stage.ts";
import { stageTitle, type Variant } from "../variants.ts";
import { lessonSequence } from "./base-model.ts";
import { type MiniConfig, rlOptions, sftOptions, variantsOf } from "./config.ts";
import { type MiniSets, miniCorpus, miniSets, prompted } from "./sets.ts";
import { worlds } from "./world.ts";

/** What a watcher hears: which stage is at work, how far it is, and what its loop tells. */
export type MiniEvent = StageEvent | { readonly type: "corpus"; readonly counts: RejectionCounts };

export type MiniResult = {
  /** In the order in which the policies were made. */
  readonly summaries: Readonly<Record<string, EvaluationSummary>>;
  readonly analysis: Analysis;
};

export type MiniRun = {
  readonly folder: string;
  readonly config: MiniConfig;
  /** Where the base came from, if it is not the shipped one; a run goes on from the one it began with. */
  readonly base?: string;
  readonly host: EngineHost;
  readonly emit: (event: MiniEvent) => void;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

export async function runMini(run: MiniRun): Promise<MiniResult> {
  const recipe = await openRunFolder(run.folder, {
    kind: "recipe",
    config: { recipe: "mini", ...run.config, ...(run.base !== undefined && { base: run.base }) },
    now: run.now(),
  });
  try {
    const sets = miniSets(run.config);
    const sft = await trainSft(run, sets, await teach(run));
    const reference = run.host.checkpointPath("sft", sft);
    const checkpoints: Record<string, string | undefined> = { base: undefined, sft: reference };
    for (const variant of variantsOf(run.config)) {
      const last = await trainRl(run, sets, variant, reference);
      checkpoints[variant.name] = run.host.checkpointPath(variant.name, last);
    }
    const summaries: Record<string, EvaluationSummary> = {};
    for (const [policy, from] of Object.entries(checkpoints))
      summaries[policy] = await evaluate(run, sets, policy, from);
    const analysis = await runAnalysisStage({ folder: run.folder, emit: run.emit, now: run.now() });
    return { summaries, analysis };
  } finally {
    await recipe.release();
  }
}

// ---- Teaching ----------------------------------------------------------------------------------------------------

async function teach({ folder, config, emit, host, acceptDamage }: MiniRun): Promise<readonly TeacherTrace[]> {
  const path = join(folder, corpusFiles.traces);
  const total = config.corpus.traces;
  const already = existsSync(join(folder, corpusFiles.counts));
  emit({ type: "stage", stage: "teach", title: "Teacher traces", total, done: already ? total : 0 });
  if (!already) {
    const engine = await host.open("teach");
    let done = 0;
    const { traces, counts } = miniCorpus(config, engine.tokenizer, () => {
      if (++done % 50 === 0) emit({ type: "progress", stage: "teach", done });
    });
    await engine.dispose();
    await writeFileAtomically(path, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(""));
    await finishCorpus(folder, { counts });
  }
  const { counts } = await acceptingDamage({ folder, stage: "teach", acceptDamage, emit }, (options) =>
    checkedCorpus(folder, options),
  );
  emit({ type: "corpus", counts });
  emit({ type: "finished", stage: "teach", already });
  const traces: TeacherTrace[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) throw new DataError(`${path} line ${read.line}: ${read.error}`);
    traces.push(readTeacherTrace(read.value, `${path} line ${read.line}`));
  }
  return traces;
}

// ---- Training ----------------------------------------------------------------------------------------------------

function trainSft(run: MiniRun, sets: MiniSets, traces: readonly TeacherTrace[]): Promise<string> {
  const options = sftOptions(run.config);
  return runSftStage({
    name: "sft",
    title: "SFT on verified traces",
    folder: join(run.folder, "sft"),
    config: { ...options, corpus: run.config.corpus },
    total: options.epochs * Math.ceil(traces.length / options.sequencesPerStep),
    open: () => run.host.open("sft"),
    loop: (engine, state) => {
      const corpus = traces.map((trace) => lessonSequence(engine.tokenizer, trace));
      const validation = sets.validation.map((problem) => prompted(engine.tokenizer, problem));
      return sftLoop(engine, corpus, validation, options, state, run.signal);
    },
    emit: run.emit,
    now: run.now(),
    acceptDamage: run.acceptDamage,
  });
}

function trainRl(run: MiniRun, sets: MiniSets, variant: Variant, reference: string): Promise<string> {
  const { name, title } = variant;
  const rl = { name, title, stageTitle: stageTitle(variant), options: rlOptions(run.config, variant) };
  return trainVariant({ ...run, language: "terse" }, rl, reference, (engine) =>
    sets.training.map((problem) => prompted(engine.tokenizer, problem)),
  );
}

// ---- Evaluation --------------------------------------------------------------------------------------------------

function evaluate(run: MiniRun, sets: MiniSets, policy: string, from: string | undefined): Promise<EvaluationSummary> {
  const { evaluation, size, seed } = run.config;
  const { maxTokens } = worlds[size];
  return judge(
    { ...run, language: "terse" },
    { policy, from },
    {
      asked: [
        { problems: sets.heldOut, rollouts: evaluation.heldOutRollouts },
        { problems: sets.search, rollouts: evaluation.searchRollouts },
        { problems: sets.larger, rollouts: evaluation.otherRollouts },
        { problems: sets.mathematics, rollouts: evaluation.otherRollouts },
      ],
      sampling: { temperature: evaluation.temperature, maxTokens },
      seed,
      identity: { evaluation, maxTokens, seed },
    },
  );
}
