// Every place in a run that holds rollouts, as a source: logs of evaluations, of training and of teachers, and the
// checkpoints of an analysis.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { rolloutFiles } from "../evaluation/rollout-store.ts";
import { corpusFile } from "../report/training-data.ts";
import { AnalysedSource, analysedCheckpoints } from "./analysed-source.ts";
import { AnalysedTexts } from "./analysed-texts.ts";
import type { IndexingThread } from "./indexing-thread.ts";
import { type LogPlace, LogSource } from "./log-source.ts";
import type { RolloutSource } from "./rollout-source.ts";
import type { FoundRun, FoundStage } from "./run-discovery.ts";

/** `home` is the served folder; `tell` is called whenever more of a source is known. */
export function openSources(
  { stages }: FoundRun,
  { home, thread }: { readonly home: string; readonly thread: IndexingThread },
  tell: (source: RolloutSource) => void,
): RolloutSource[] {
  return stages.flatMap((stage): RolloutSource[] => {
    if (stage.problem !== undefined) return [];
    if (stage.kind === "analyze") return analysed(stage, home, tell);
    const place = logPlace(stage);
    if (place === undefined) return [];
    const source: LogSource = new LogSource(place, thread, () => tell(source));
    return [source];
  });
}

function logPlace({ id, name, role, folder, kind, description }: FoundStage): LogPlace | undefined {
  const language = description.config.recipe === "mini" ? ("terse" as const) : undefined;
  const own = { id, stage: id, name, folder, ...(role && { role }), ...(language && { language }) };
  if (kind === "evaluate") return { ...own, kind: "evaluation", log: rolloutFiles.log };
  if (kind === "rl") return { ...own, kind: "training", log: rolloutFiles.log };
  if (kind === "teach" && existsSync(join(folder, corpusFile))) return { ...own, kind: "teacher", log: corpusFile };
  return undefined;
}

function analysed(
  { id, folder, description }: FoundStage,
  home: string,
  tell: (source: RolloutSource) => void,
): RolloutSource[] {
  const texts = new AnalysedTexts(home, description.config);
  return analysedCheckpoints(folder).map((checkpoint) => {
    const { name } = checkpoint;
    const place = { id: `${id}@${name}`, stage: id, name, folder, kind: "analysis" as const };
    const source: AnalysedSource = new AnalysedSource(place, checkpoint, texts, () => tell(source));
    return source;
  });
}
