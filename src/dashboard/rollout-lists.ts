// Replies that list rollouts: windows onto what matches, tables of motifs, and the rows of a problem. Pure, over columns.
import { categoryAt, categoryCounts, categoryMeasure } from "../traces/categories.ts";
import { motifCounts, motifLengths, motifText, noiseThreshold, nonOverlappingCount } from "../traces/motifs.ts";
import { type Alphabet, type PrimitiveSequence, writeSequence } from "../traces/sequence.ts";
import type { MotifRow, MotifsReply, RolloutRow, RolloutsReply, Source } from "./api.ts";
import type { MotifsQuery, RolloutQuery, WantedMotif } from "./queries.ts";
import { mostCategories, type RolloutColumns } from "./rollout-columns.ts";
import { type FilteredSource, facetsOf, firstOccurrence, type Matches, type ProblemFacts } from "./rollout-filter.ts";

/** Letters of a sequence that a list's strip shows. */
const longestStrip = 400;

export function rolloutRow(source: string, columns: RolloutColumns, row: number): RolloutRow {
  const { attempt, step, reward, tokens, novelty, surprisal, bytes, spans, depth } = columns.columns;
  return {
    row,
    source,
    problem: columns.problemOf(row),
    attempt: attempt[row],
    state: columns.stateOf(row),
    verdict: columns.verdictOf(row),
    bytes: bytes[row],
    ...(step[row] >= 0 && { step: step[row] }),
    ...(!Number.isNaN(reward[row]) && { reward: rounded(reward[row]) }),
    ...(tokens[row] >= 0 && { tokens: tokens[row] }),
    ...(!Number.isNaN(novelty[row]) && { novelty: rounded(novelty[row]) }),
    ...(!Number.isNaN(surprisal[row]) && { surprisal: rounded(surprisal[row]) }),
    ...(row < columns.labeled && {
      sequence: writeSequence(columns.sequenceOf(row).subarray(0, longestStrip), columns.alphabet),
      spans: spans[row],
      depth: depth[row],
    }),
  };
}

/** Columns are single precision; more digits than they have would be noise. */
const rounded = (value: number): number => Number(value.toPrecision(6));

export function rolloutsReply(
  sources: readonly FilteredSource[],
  matches: Matches,
  { offset, limit }: Pick<RolloutQuery, "offset" | "limit">,
  alphabet: Alphabet,
): RolloutsReply {
  const { total, indexed } = coverage(sources);
  const end = Math.min(matches.rows.length, offset + limit);
  const rows: RolloutRow[] = [];
  for (let i = offset; i < end; i++) {
    const { id, columns } = sources[matches.sources[i]];
    rows.push(rolloutRow(id, columns, matches.rows[i]));
  }
  return { offset, rows, matching: matches.rows.length, total, indexed, facets: facetsOf(sources, matches, alphabet) };
}

/** Rows that can be listed, and how many of all rows are labeled. */
function coverage(sources: readonly FilteredSource[]): { readonly total: number; readonly indexed: number } {
  let total = 0;
  let indexed = 0;
  for (const { columns } of sources) {
    total += columns.listed;
    // Hidden rows are labeled too; what counts is whether everything is.
    indexed += columns.labeled === columns.rows ? columns.listed : Math.min(columns.labeled, columns.listed);
  }
  return { total, indexed };
}

// ---- Motifs ----------------------------------------------------------------------------------------------------------

const mostFrequent = 200;

type MotifSource = FilteredSource & Pick<Source, "name" | "role" | "labeled">;

export function motifsReply(
  sources: readonly MotifSource[],
  query: MotifsQuery,
  facts: ProblemFacts,
  alphabet: Alphabet,
): MotifsReply {
  const sequences = sources.map((source) => labeledSequences(source, query.set, facts));
  const noise = noiseThreshold(query.length);
  const rows = (names: readonly string[], count: (sequence: PrimitiveSequence) => readonly number[]): MotifRow[] => {
    const totals = sequences.map((own) => totalCounts(own, names.length, count));
    return names.map((motif, i) => ({
      motif,
      rates: totals.map((counts, s) => rateOf(counts[i], sequences[s].length)),
    }));
  };
  return {
    length: query.length,
    lengths: motifLengths(alphabet),
    sources: sources.map(({ id, name, role }, i) => ({ id, name, ...(role && { role }), traces: sequences[i].length })),
    named: rows(
      alphabet.motifs.map(({ name }) => name),
      (sequence) => alphabet.motifs.map(({ codes }) => nonOverlappingCount(sequence, codes)),
    ),
    categories: rows(alphabet.categories.slice(0, mostCategories).map(categoryMeasure), (sequence) =>
      categoryCounts(sequence, alphabet),
    ),
    frequent: frequentMotifs(sequences, query.length, noise, alphabet),
    noise,
    labeled: [...new Set(sources.flatMap(({ labeled }) => labeled ?? []))],
    ...coverage(sources),
  };
}

function labeledSequences(
  { columns }: FilteredSource,
  set: string | undefined,
  facts: ProblemFacts,
): PrimitiveSequence[] {
  const { hidden } = columns.columns;
  const sequences: PrimitiveSequence[] = [];
  for (let row = 0; row < columns.labeled; row++) {
    if (hidden[row] === 1 || (set !== undefined && facts.get(columns.problemOf(row))?.set !== set)) continue;
    sequences.push(columns.sequenceOf(row));
  }
  return sequences;
}

type Count = { count: number; traces: number };

const noCount = (): Count => ({ count: 0, traces: 0 });

const rateOf = ({ count, traces }: Count, of: number) => ({ rate: of === 0 ? 0 : count / of, traces });

function totalCounts(
  sequences: readonly PrimitiveSequence[],
  width: number,
  count: (sequence: PrimitiveSequence) => readonly number[],
): Count[] {
  const totals = Array.from({ length: width }, noCount);
  for (const sequence of sequences) {
    const counts = count(sequence);
    for (let i = 0; i < width; i++) {
      totals[i].count += counts[i];
      if (counts[i] > 0) totals[i].traces += 1;
    }
  }
  return totals;
}

function frequentMotifs(
  sequences: readonly PrimitiveSequence[][],
  length: number,
  noise: number,
  alphabet: Alphabet,
): MotifRow[] {
  const rows = new Map<string, Count[]>();
  sequences.forEach((own, i) => {
    for (const { motif, count, traces } of motifCounts(own, length, alphabet, 1)) {
      const name = motifText(motif);
      let counts = rows.get(name);
      if (counts === undefined) rows.set(name, (counts = sequences.map(noCount)));
      counts[i] = { count, traces };
    }
  });
  const total = (counts: readonly Count[]) => counts.reduce((sum, { count }) => sum + count, 0);
  return [...rows]
    .map(([motif, counts]) => ({ motif, counts, total: total(counts) }))
    .filter((row) => row.total >= noise)
    .sort((a, b) => b.total - a.total || (a.motif < b.motif ? -1 : 1))
    .slice(0, mostFrequent)
    .map(({ motif, counts }) => ({ motif, rates: counts.map((count, i) => rateOf(count, sequences[i].length)) }));
}

/** Where the first occurrences of a motif or category start in a sequence, without overlap. */
export function occurrencesIn(
  sequence: PrimitiveSequence,
  motif: WantedMotif,
  most: number,
  alphabet: Alphabet,
): number[] {
  const next = nextOccurrence(motif, alphabet);
  const length = motifLength(motif, alphabet);
  const starts: number[] = [];
  for (let at = next(sequence, 0); at !== -1 && starts.length < most; at = next(sequence, at + length)) starts.push(at);
  return starts;
}

export const motifLength = (motif: WantedMotif, { categories }: Alphabet): number =>
  "labels" in motif ? motif.labels.length : categories[motif.category].length;
export const motifName = (motif: WantedMotif, { categories }: Alphabet): string =>
  "labels" in motif ? motifText(motif.labels) : categoryMeasure(categories[motif.category]);

function nextOccurrence(motif: WantedMotif, alphabet: Alphabet): (sequence: PrimitiveSequence, from: number) => number {
  if ("labels" in motif) {
    const codes = motif.labels.map(alphabet.codeOf);
    return (sequence, from) => firstOccurrence(sequence, codes, from);
  }
  const category = alphabet.categories[motif.category];
  return (sequence, from) => {
    for (let start = from; start + category.length <= sequence.length; start++)
      if (categoryAt(sequence, start, category.length, alphabet) === category) return start;
    return -1;
  };
}
