// Pairs worth reading side by side: those that the run's analysis chose between two checkpoints, else those that its rule
// chooses among what is labeled so far.
import type { PairToRead } from "../traces/analysis/analysis-folder.ts";
import { readingPairs } from "../traces/analysis/reading-pairs.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import type { PairEntry } from "./api.ts";
import type { LogSource } from "./log-source.ts";
import type { IndexedRollout } from "./rollout-index.ts";

type ChosenPair = Pick<PairEntry, "kind" | "problem" | "opening"> & {
  readonly first: IndexedRollout;
  readonly second: IndexedRollout;
};

/** Choosing looks at every couple, so among this many attempts of each side at a problem. */
const attemptsPaired = 16;
const pairOptions = { sharedOpening: 2, pairs: 8 };

export function pairsToRead(
  first: LogSource,
  second: LogSource,
  analyzed: readonly PairToRead[],
  isWanted: (problem: string) => boolean,
): ChosenPair[] {
  const kept = analyzed.flatMap(({ kind, problem, opening, ...pair }): ChosenPair[] => {
    const own = pair.first.checkpoint === first.place.checkpoint && pair.second.checkpoint === second.place.checkpoint;
    if (!own || !isWanted(problem)) return [];
    const one = first.index.ofAttempt(problem, pair.first.attempt);
    const other = second.index.ofAttempt(problem, pair.second.attempt);
    // A row may not be read yet.
    return one === undefined || other === undefined ? [] : [{ kind, problem, opening, first: one, second: other }];
  });
  if (kept.length > 0) return kept;
  const { alphabet } = first.index;
  const pairs = readingPairs(recordsOf(first, isWanted), recordsOf(second, isWanted), alphabet, pairOptions);
  return pairs.map(({ kind, problem, opening, ...pair }) => ({
    ...{ kind, problem, opening },
    ...{ first: first.index.rows[pair.first.ordinal], second: second.index.rows[pair.second.ordinal] },
  }));
}

/** What choosing needs of each trace; `ordinal` finds the row again. */
function recordsOf({ place, index }: LogSource, isWanted: (problem: string) => boolean): TraceRecord[] {
  const ofProblem = new Map<string, number>();
  return index.rows.flatMap(({ row, hidden, problem, attempt, verdict, tokens = 0, sequence = "" }): TraceRecord[] => {
    if (hidden || sequence === "" || !isWanted(problem)) return [];
    const before = ofProblem.get(problem) ?? 0;
    ofProblem.set(problem, before + 1);
    if (before >= attemptsPaired) return [];
    return [
      {
        ...{ checkpoint: place.checkpoint, problem, attempt, stage: "evaluation", labeledBy: "", sequence, tokens },
        ...{ abstained: 0, slice: 0, ordinal: row },
        // Undecided is an attempt that solved nothing, as evaluations count it.
        ...(verdict !== "ungraded" && { correct: verdict === "correct" }),
      },
    ];
  });
}
