// Replies that list rollouts: windows onto what matches, tables of motifs, and the rows of a problem. Pure, over columns.
import {
  type TrigramCategory,
  trigramCategories,
  trigramCategory,
  trigramCategoryCounts,
} from "../traces/categories.ts";
import {
  type Motif,
  motifCounts,
  motifText,
  namedMotifs,
  noiseThreshold,
  nonOverlappingCount,
} from "../traces/motifs.ts";
import { type PrimitiveSequence, writeSequence } from "../traces/sequence.ts";
import type { MotifRow, MotifsReply, RolloutRow, RolloutsReply, Source } from "./api.ts";
import type { MotifQuery, MotifsQuery, RolloutQuery } from "./queries.ts";
import type { RolloutColumns } from "./rollout-columns.ts";
import {
  type FilteredSource,
  facetsOf,
  firstOccurrence,
  type Matches,
  motifCodes,
  type ProblemFacts,
} from "./rollout-filter.ts";

/** Letters of a sequence that a list's strip shows. */
const longestStrip = 400;

export function rolloutRow(source: string, columns: RolloutColumns, row: number): RolloutRow {
  const { attempt, step, reward, tokens, novelty, surprise, bytes, spans, depth } = columns.columns;
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
    ...(!Number.isNaN(surprise[row]) && { surprise: rounded(surprise[row]) }),
    ...(row < columns.labelled && {
      sequence: writeSequence(columns.sequenceOf(row).subarray(0, longestStrip)),
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
): RolloutsReply {
  const { total, indexed } = coverage(sources);
  const end = Math.min(matches.rows.length, offset + limit);
  const rows: RolloutRow[] = [];
  for (let i = offset; i < end; i++) {
    const { id, columns } = sources[matches.sources[i]];
    rows.push(rolloutRow(id, columns, matches.rows[i]));
  }
  return { offset, rows, matching: matches.rows.length, total, indexed, facets: facetsOf(sources, matches) };
}

/** Rows that can be listed, and how many of all rows are labelled. */
function coverage(sources: readonly FilteredSource[]): { readonly total: number; readonly indexed: number } {
  let total = 0;
  let indexed = 0;
  for (const { columns } of sources) {
    total += columns.listed;
    // Hidden rows are labelled too; what counts is whether everything is.
    indexed += columns.labelled === columns.rows ? columns.listed : Math.min(columns.labelled, columns.listed);
  }
  return { total, indexed };
}

// ---- Motifs ----------------------------------------------------------------------------------------------------------

const mostFrequent = 200;

export type MotifSource = FilteredSource & Pick<Source, "name" | "role" | "labelled">;

export function motifsReply(sources: readonly MotifSource[], query: MotifsQuery, facts: ProblemFacts): MotifsReply {
  const sequences = sources.map((source) => labelledSequences(source, query.set, facts));
  const categories = sequences.map(categoryCounts);
  const noise = noiseThreshold(query.length);
  return {
    length: query.length,
    sources: sources.map(({ id, name, role }, i) => ({ id, name, ...(role && { role }), traces: sequences[i].length })),
    named: Object.entries(namedMotifs).map(([motif, steps]) => ({
      motif,
      counts: sequences.map((own) => namedCounts(own, steps)),
    })),
    categories: trigramCategories.map((motif) => ({ motif, counts: categories.map((own) => own[motif]) })),
    frequent: frequentMotifs(sequences, query.length, noise),
    noise,
    labelled: [...new Set(sources.flatMap(({ labelled }) => labelled ?? []))],
    ...coverage(sources),
  };
}

function labelledSequences(
  { columns }: FilteredSource,
  set: string | undefined,
  facts: ProblemFacts,
): PrimitiveSequence[] {
  const { hidden } = columns.columns;
  const sequences: PrimitiveSequence[] = [];
  for (let row = 0; row < columns.labelled; row++) {
    if (hidden[row] === 1 || (set !== undefined && facts.get(columns.problemOf(row))?.set !== set)) continue;
    sequences.push(columns.sequenceOf(row));
  }
  return sequences;
}

type Count = { count: number; traces: number };

function namedCounts(sequences: readonly PrimitiveSequence[], motif: Motif): Count {
  const total = { count: 0, traces: 0 };
  for (const sequence of sequences) add(total, nonOverlappingCount(sequence, motif));
  return total;
}

function categoryCounts(sequences: readonly PrimitiveSequence[]): Record<TrigramCategory, Count> {
  const none = (): Count => ({ count: 0, traces: 0 });
  const totals = { recovery: none(), exploitation: none(), verification: none() };
  for (const sequence of sequences) {
    const counts = trigramCategoryCounts(sequence);
    for (const category of trigramCategories) add(totals[category], counts[category]);
  }
  return totals;
}

function add(total: Count, count: number): void {
  total.count += count;
  if (count > 0) total.traces += 1;
}

function frequentMotifs(sequences: readonly PrimitiveSequence[][], length: number, noise: number): MotifRow[] {
  const rows = new Map<string, Count[]>();
  sequences.forEach((own, i) => {
    for (const { motif, count, traces } of motifCounts(own, length, 1)) {
      const name = motifText(motif);
      let counts = rows.get(name);
      if (counts === undefined) rows.set(name, (counts = sequences.map(() => ({ count: 0, traces: 0 }))));
      counts[i] = { count, traces };
    }
  });
  const total = ({ counts }: MotifRow) => counts.reduce((sum, { count }) => sum + count, 0);
  return [...rows]
    .map(([motif, counts]): MotifRow => ({ motif, counts }))
    .filter((row) => total(row) >= noise)
    .sort((a, b) => total(b) - total(a) || (a.motif < b.motif ? -1 : 1))
    .slice(0, mostFrequent);
}

/** Where the first occurrences of a motif or category start in a sequence, without overlap. */
export function occurrencesIn(sequence: PrimitiveSequence, motif: MotifQuery["motif"], most: number): number[] {
  const next = nextOccurrence(motif);
  const length = motifLength(motif);
  const starts: number[] = [];
  for (let at = next(sequence, 0); at !== -1 && starts.length < most; at = next(sequence, at + length)) starts.push(at);
  return starts;
}

export const isCategory = (motif: MotifQuery["motif"]): motif is TrigramCategory => typeof motif === "string";
export const motifLength = (motif: MotifQuery["motif"]): number => (isCategory(motif) ? 3 : motif.length);
export const motifName = (motif: MotifQuery["motif"]): string =>
  isCategory(motif) ? motif : motifText(motif as Motif);

function nextOccurrence(motif: MotifQuery["motif"]): (sequence: PrimitiveSequence, from: number) => number {
  if (!isCategory(motif)) {
    const codes = motifCodes(motif);
    return (sequence, from) => firstOccurrence(sequence, codes, from);
  }
  return (sequence, from) => {
    for (let start = from; start + 3 <= sequence.length; start++)
      if (trigramCategory(sequence, start) === motif) return start;
    return -1;
  };
}
