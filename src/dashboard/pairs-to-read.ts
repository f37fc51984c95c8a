// Pairs worth reading side by side: those that the run's analysis chose between two checkpoints, else those that its rule
// chooses among what is labeled so far.
import type { PairToRead } from "../traces/analysis/analysis-folder.ts";
import { readingPairs } from "../traces/analysis/reading-pairs.ts";
import { writeSequence } from "../traces/sequence.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import type { PairEntry } from "./api.ts";
import type { RolloutSource } from "./rollout-source.ts";

type ChosenPair = Pick<PairEntry, "kind" | "problem" | "opening"> & {
  readonly firstRow: number;
  readonly secondRow: number;
};

/** Choosing looks at every couple, so among this many attempts of each side at a problem. */
const attemptsPaired = 16;
const pairOptions = { sharedOpening: 2, pairs: 8 };

export function pairsToRead(
  first: RolloutSource,
  second: RolloutSource,
  analyzed: readonly PairToRead[],
  isWanted: (problem: string) => boolean,
): ChosenPair[] {
  const kept = analyzed.flatMap(({ kind, problem, opening, ...pair }): ChosenPair[] => {
    const own = pair.first.checkpoint === first.place.checkpoint && pair.second.checkpoint === second.place.checkpoint;
    if (!own || !isWanted(problem)) return [];
    const [firstRow, secondRow] = [
      first.rowOf(problem, pair.first.attempt),
      second.rowOf(problem, pair.second.attempt),
    ];
    // A row may not be read yet.
    return firstRow === undefined || secondRow === undefined ? [] : [{ kind, problem, opening, firstRow, secondRow }];
  });
  if (kept.length > 0) return kept;
  const { alphabet } = first.columns;
  const pairs = readingPairs(recordsOf(first, isWanted), recordsOf(second, isWanted), alphabet, pairOptions);
  return pairs.map(({ kind, problem, opening, ...pair }) => ({
    ...{ kind, problem, opening, firstRow: pair.first.ordinal, secondRow: pair.second.ordinal },
  }));
}

/** What choosing needs of each trace; `ordinal` finds the row again. */
function recordsOf({ place, columns }: RolloutSource, isWanted: (problem: string) => boolean): TraceRecord[] {
  const records: TraceRecord[] = [];
  const ofProblem = new Map<string, number>();
  const { hidden, attempt, tokens, spans } = columns.columns;
  for (let row = 0; row < columns.labeled; row++) {
    const problem = columns.problemOf(row);
    if (hidden[row] === 1 || spans[row] === 0 || !isWanted(problem)) continue;
    const before = ofProblem.get(problem) ?? 0;
    if (before === attemptsPaired) continue;
    ofProblem.set(problem, before + 1);
    const verdict = columns.verdictOf(row);
    records.push({
      ...{ checkpoint: place.checkpoint, problem, attempt: attempt[row], stage: "evaluation", labeledBy: "" },
      ...{ sequence: writeSequence(columns.sequenceOf(row), columns.alphabet), tokens: Math.max(0, tokens[row]) },
      ...{ abstained: 0, slice: 0, ordinal: row },
      // Undecided is an attempt that solved nothing, as evaluations count it.
      ...(verdict !== "ungraded" && { correct: verdict === "correct" }),
    });
  }
  return records;
}
