// What a run lacks, by what is known of it before anything of it is read.
import { recipeStages } from "../runs/recipe-names.ts";
import type { Gap, RunState } from "./api.ts";
import type { OpenedAnalysis } from "./opened-analysis.ts";
import type { FoundRun } from "./run-discovery.ts";

export function missingStages({ id: run, kind, stages, description }: FoundRun, state: RunState): Gap[] {
  if (kind !== "recipe" || state === "running") return [];
  const there = new Set(stages.map(({ id }) => id));
  return recipeStages(stages, description?.config)
    .filter((id) => !there.has(id))
    .map((id) => ({
      missing: `the stage ${id}`,
      where: run,
      remedy: "run the recipe again in the same folder: it resumes where it stopped",
    }));
}

export const brokenStages = ({ stages }: FoundRun): Gap[] =>
  stages.flatMap(({ id, problem }) =>
    problem === undefined
      ? []
      : [
          {
            missing: `a readable stage (${problem})`,
            where: id,
            remedy: "repair what the message names, or run the stage again",
          },
        ],
  );

/** An analysis whose labeler is not here: what it counted stands, what is shown of single rollouts is another's. */
export const otherLabeler = ({ analysis, stage, plan }: OpenedAnalysis): Gap => ({
  missing: `the labeler of the analysis (taxonomy ${analysis.taxonomy.name})`,
  where: stage,
  remedy: `start the dashboard with --classifier ${plan.classifier ?? "and its folder"}; until then rollouts have another labeler's labels`,
});
