// The motifs of each checkpoint with intervals, and their correlation with pass@k across checkpoints.
import { benjaminiHochberg, type Correlation, pearson, spearman } from "../../base/statistics.ts";
import { eachWindow, type Motif, motifCode, motifCounts, motifLengths, motifText, windowPositions } from "../motifs.ts";
import { type Alphabet, type PrimitiveSequence, readSequence } from "../sequence.ts";
import { type Estimate, estimates, meanOf } from "./estimates.ts";
import { drawnSequence } from "./label-error.ts";
import type { Workspace } from "./workspace.ts";

export type MotifRow = {
  readonly checkpoint: string;
  readonly length: number;
  readonly motif: string;
  readonly count: number;
  readonly traces: number;
  /** Mean over traces of count / (L − k + 1); counts are by the labels as given. */
  readonly frequency: Estimate;
};

/** The `perLength` most frequent motifs of each length, noise left out. */
export function motifRows(work: Workspace, checkpoint: string, perLength: number): MotifRow[] {
  const { records, problems, alphabet } = work;
  const read = work.of(checkpoint).filter((i) => records[i].sequence !== "");
  const sequences = read.map((i) => readSequence(records[i].sequence, alphabet));
  const counts = new Float64Array(problems.problems.length);
  for (const i of read) counts[problems.of[i]] += 1;
  return motifLengths(alphabet).flatMap((length) => {
    const top = motifCounts(sequences, length, alphabet).slice(0, perLength);
    if (top.length === 0) return [];
    const intervals = estimates(work, (_, draw) => {
      const sums = top.map(() => new Float64Array(problems.problems.length));
      eachOccurrence(
        draw === undefined ? sequences : read.map((i) => drawnSequence(records[i], draw)),
        top.map(({ motif }) => motif),
        alphabet,
        (which, trace, share) => {
          sums[which][problems.of[read[trace]]] += share;
        },
      );
      return Object.fromEntries(
        top.map(({ motif }, which) => [motifText(motif), meanOf({ sums: sums[which], counts }, 1)]),
      );
    });
    return top.map(({ motif, count, traces }) => ({
      checkpoint,
      length,
      motif: motifText(motif),
      count,
      traces,
      frequency: intervals[motifText(motif)],
    }));
  });
}

/** Mean over sequences of count / (L − k + 1), for many motifs of one length in one pass. */
export function meanFrequencies(
  sequences: readonly PrimitiveSequence[],
  motifs: readonly Motif[],
  alphabet: Alphabet,
): Float64Array {
  const means = new Float64Array(motifs.length);
  eachOccurrence(sequences, motifs, alphabet, (which, _, share) => {
    means[which] += share / sequences.length;
  });
  return means;
}

/** `visit` hears of every occurrence: which motif, in which sequence, and 1 / (L − k + 1) there. All of one length. */
function eachOccurrence(
  sequences: readonly PrimitiveSequence[],
  motifs: readonly Motif[],
  alphabet: Alphabet,
  visit: (which: number, sequence: number, share: number) => void,
): void {
  const numbers = new Map(motifs.map((motif, i) => [motifCode(motif, alphabet), i]));
  const length = motifs[0].length;
  sequences.forEach((sequence, i) => {
    const share = 1 / windowPositions(sequence, length);
    eachWindow(
      sequence,
      length,
      (code) => {
        const which = numbers.get(code);
        if (which !== undefined) visit(which, i, share);
      },
      alphabet,
    );
  });
}

export type PassCorrelation = {
  readonly what: string;
  readonly k: number;
  readonly checkpoints: number;
  readonly pearson?: Correlation;
  readonly spearman?: Correlation;
  /** Spearman's p, Benjamini–Hochberg over everything that was looked at for this k. */
  readonly adjustedP?: number;
};

/** Across checkpoints: does it rise and fall with pass@k? Two checkpoints always lie on a line, so three are the least. */
export function passCorrelations(
  passAtK: readonly number[],
  k: number,
  values: Readonly<Record<string, readonly number[]>>,
): PassCorrelation[] {
  if (passAtK.length < 3) return [];
  const rows = Object.entries(values)
    .filter(([, series]) => series.every((value) => Number.isFinite(value)))
    .map(([what, series]) => ({
      what,
      k,
      checkpoints: passAtK.length,
      pearson: pearson(series, passAtK),
      spearman: spearman(series, passAtK),
    }));
  // A series that never varies has no correlation, and was not looked at.
  const tested = rows.filter((row) => row.spearman !== undefined);
  const adjusted = benjaminiHochberg(tested.map(({ spearman }) => spearman!.p));
  const adjustedOf = new Map(tested.map(({ what }, i) => [what, adjusted[i]]));
  return rows
    .map((row) => ({ ...row, adjustedP: adjustedOf.get(row.what) }))
    .sort((a, b) => Math.abs(b.spearman?.r ?? 0) - Math.abs(a.spearman?.r ?? 0) || (a.what < b.what ? -1 : 1));
}
