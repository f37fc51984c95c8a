// Every place in a run that holds rollouts, as a source: logs of evaluations, of training and of teachers, and the
// checkpoints of an analysis.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../engine/language.ts";
import { rolloutFiles } from "../evaluation/rollout-store.ts";
import { corpusFile } from "../runs/run-parts.ts";
import { analyzedSources } from "./analyzed-source.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { type LogLabeling, type LogPlace, LogSource } from "./log-source.ts";
import type { OpenedAnalysis } from "./opened-analysis.ts";
import type { RolloutSource } from "./rollout-source.ts";
import type { FoundRun, FoundStage } from "./run-discovery.ts";

type SourceOptions = {
  /** The served folder. */
  readonly home: string;
  readonly thread: IndexingThread;
  readonly labeling: LogLabeling;
  /** What the model of each stage speaks, where its run says so. */
  readonly languages: ReadonlyMap<string, Language>;
  readonly analysis?: OpenedAnalysis;
};

/** `tell` is called whenever more of a source is known. */
export function openSources(
  { kind, stages }: FoundRun,
  { home, thread, labeling, languages, analysis }: SourceOptions,
  tell: (source: RolloutSource) => void,
): RolloutSource[] {
  // The traces of a recipe's analysis are its own rollouts, which are there already.
  if (kind === "analyze") return analysis === undefined ? [] : analyzedSources(analysis, home, tell);
  return stages.flatMap((stage): RolloutSource[] => {
    const place = stage.problem === undefined ? logPlace(stage, languages.get(stage.id)) : undefined;
    if (place === undefined) return [];
    const source: LogSource = new LogSource(place, thread, labeling, () => tell(source));
    return [source];
  });
}

function logPlace(
  { id, name, role, checkpoint, folder, kind }: FoundStage,
  language: Language | undefined,
): LogPlace | undefined {
  const own = { id, stage: id, name, checkpoint, folder, ...(role && { role }), ...(language && { language }) };
  if (kind === "evaluate") return { ...own, kind: "evaluation", log: rolloutFiles.log };
  if (kind === "rl") return { ...own, kind: "training", log: rolloutFiles.log };
  if (kind === "teach" && existsSync(join(folder, corpusFile))) return { ...own, kind: "teacher", log: corpusFile };
  return undefined;
}
