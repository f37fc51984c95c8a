// An evaluation's folder as far as accuracy goes: its problems and their tallies. How it reasons is in the analysis.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { Gap } from "../drawing/item.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { RolloutStore, rolloutLog } from "../evaluation/rollout-store.ts";
import { summaryOf, tallyFolder, writtenNotes } from "../evaluation/summarize.ts";
import { type ProblemTally, solveCount } from "../evaluation/tally.ts";
import { problemFacts } from "../problems/problem-facts.ts";
import type { CheckpointRecord } from "../results/records.ts";

type EvaluationData = Pick<CheckpointRecord, "problems" | "tallies" | "summary">;

export async function readEvaluation(
  folder: string,
  policy: string,
  gap: (gap: Gap) => void,
): Promise<EvaluationData | undefined> {
  const missing = [evaluationFiles.problems, basename(rolloutLog(folder))].filter(
    (name) => !existsSync(join(folder, name)),
  );
  for (const name of missing) {
    gap({
      missing: name,
      where: folder,
      remedy: "run the evaluation again; without this file none of its figures can be drawn",
    });
  }
  if (missing.length > 0) return undefined;
  try {
    return await readWhole(folder, policy, gap);
  } catch (error) {
    gap({
      missing: `a readable evaluation (${messageOf(error)})`,
      where: folder,
      remedy: "repair what the message names, or evaluate again",
    });
    return undefined;
  }
}

async function readWhole(folder: string, policy: string, gap: (gap: Gap) => void): Promise<EvaluationData> {
  const asked = await readProblems(folder);
  const problems = new Map(asked.map((problem) => [problem.id, { id: problem.id, ...problemFacts(problem) }]));
  const onUnread = (message: string) =>
    gap({
      missing: `a readable ${evaluationFiles.summary} (${message})`,
      where: folder,
      remedy: `the numbers here are made from its grades; repertoire grade ${folder} writes it again`,
    });
  const broken: string[] = [];
  const onBroken = (message: string) => void broken.push(message);
  const store = await RolloutStore.read(folder, { onBroken });
  try {
    const tally = await tallyFolder({ folder, problems: asked, store }, { onBroken });
    const graded = tally.problems().filter((entry) => solveCount(entry).attempts > 0);
    if (graded.length === 0)
      gap({ missing: evaluationFiles.grades, where: folder, remedy: `repertoire grade ${folder}` });
    for (const warning of tally.warnings)
      gap({ missing: `problems of rollouts (${warning})`, where: folder, remedy: "restore problems.jsonl" });
    if (broken.length > 0)
      gap({
        missing: `${broken.length} records that cannot be read, the first: ${broken[0]}`,
        where: folder,
        remedy: `the rest was read; grades are made anew by \`repertoire grade ${folder} --again\``,
      });
    return {
      problems,
      ...accuracyOf(graded, { policy, servedBy: tally.servedBy, warnings: await writtenNotes(folder, onUnread) }),
    };
  } finally {
    await store.close();
  }
}

function accuracyOf(
  graded: readonly ProblemTally[],
  about: { readonly policy: string; readonly servedBy: readonly string[]; readonly warnings: readonly string[] },
) {
  if (graded.length === 0) return {};
  return { tallies: graded, summary: summaryOf(graded, about) };
}
