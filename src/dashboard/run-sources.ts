// Every place in a run that holds rollouts, as a source: logs of evaluations, of training and of teachers.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Language } from "../engine/language.ts";
import { rolloutLog } from "../evaluation/rollout-store.ts";
import { corpusFile, importedPart } from "../runs/run-parts.ts";
import { AnalyzedLabels } from "./analyzed-labels.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { type LogLabeling, type LogPlace, LogSource } from "./log-source.ts";
import type { OpenedAnalysis } from "./opened-analysis.ts";
import type { FoundRun, FoundStage } from "./run-discovery.ts";

type SourceOptions = {
  readonly thread: IndexingThread;
  readonly labeling: LogLabeling;
  /** What the model of each stage speaks, where its run says so. */
  readonly languages: ReadonlyMap<string, Language>;
  readonly analysis?: OpenedAnalysis;
};

/** `tell` is called whenever more of a source is known. */
export function openSources(
  { kind, stages }: FoundRun,
  { thread, labeling, languages, analysis }: SourceOptions,
  tell: (source: LogSource) => void,
): LogSource[] {
  // Whoever labeled somebody's rollouts may have taken days, or not be here.
  const labels = kind === "import" && analysis !== undefined ? new AnalyzedLabels(analysis) : undefined;
  return stages.flatMap((stage): LogSource[] => {
    const place = stage.problem === undefined ? logPlace(stage, languages.get(stage.id)) : undefined;
    if (place === undefined) return [];
    const part = importedPart(stage.description);
    const known = part && labels && (() => labels.of(part.stage, String(stage.description.config.policy)));
    const source: LogSource = new LogSource(place, thread, { ...labeling, ...(known && { known }) }, () =>
      tell(source),
    );
    return [source];
  });
}

function logPlace(
  { id, name, title, role, folder, kind, description }: FoundStage,
  language: Language | undefined,
): LogPlace | undefined {
  const own = { id, name: title, checkpoint: name, folder, ...(role && { role }), ...(language && { language }) };
  const log = basename(rolloutLog(folder));
  if (kind === "evaluate") return { ...own, kind: "evaluation", log };
  if (kind === "rl") return { ...own, kind: "training", log };
  if (kind === "import") return { ...own, kind: importedPart(description)?.stage ?? "training", log };
  if (kind === "teach" && existsSync(join(folder, corpusFile))) return { ...own, kind: "teacher", log: corpusFile };
  return undefined;
}
