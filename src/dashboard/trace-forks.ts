// The forks of one rollout, where `traces fork` has been there: what became of it with a move and without it.
import { DataError } from "../base/errors.ts";
import type { Ending } from "../traces/forks/effects.ts";
import { readForkResults } from "../traces/forks/fork-folder.ts";
import type { TraceFork } from "./api/rollouts.ts";

export async function forksOfTrace(
  run: string,
  checkpoint: string,
  problem: string,
  attempt: number,
): Promise<TraceFork[]> {
  // The list of runs says what of a run cannot be read; its traces are shown all the same.
  const results = await readForkResults(run).catch((error: unknown) => {
    if (error instanceof DataError) return [];
    throw error;
  });
  return results
    .filter(({ of }) => of === checkpoint)
    .flatMap(({ by, without, stories }) =>
      stories
        .filter((story) => story.problem === problem && story.attempt === attempt)
        .map(({ first, move, ...ends }) => ({
          ...{ first, move, by, without },
          right: { with: counted(ends.with), without: counted(ends.without) },
        })),
    );
}

const counted = (endings: readonly Ending[]) => ({
  ends: endings.length,
  right: endings.filter(({ right }) => right).length,
});
