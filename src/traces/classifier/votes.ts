// Spans that several readers have voted on, as shares of labels. Readers have habits: what each of them says where the
// reference says something else is counted on spans that both have read, and votes are weighed by that.
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import { type Alphabet, paperAlphabet } from "../sequence.ts";
import { type LabeledSpan, labelSchema, readSpanLines, type SkippedLine } from "./labeled-spans.ts";

const votedSpanSchema = (taxonomy: Taxonomy) =>
  z.object({
    text: z.string().min(1),
    previous: z.string().default(""),
    votes: z.record(z.string(), labelSchema(taxonomy)).refine((votes) => Object.keys(votes).length > 0, "nobody voted"),
    trace_id: z.string().optional(),
    trace: z.string().optional(),
    domain: z.string().default("unknown"),
  });

export type VotedSpan = {
  readonly text: string;
  readonly previous: string;
  /** By reader. One who is sure and one who is not are two readers. */
  readonly votes: Readonly<Record<string, string>>;
  readonly trace: string;
  readonly domain: string;
};

export function readVotedSpans(
  path: string,
  taxonomy: Taxonomy,
): Promise<{ readonly spans: VotedSpan[]; readonly skipped: SkippedLine[] }> {
  return readSpanLines(path, votedSpanSchema(taxonomy), '{"text","previous","votes":{"reader":"label"}}');
}

/** How often a reader says each label (column) where the reference says each (row); every row adds up to one. */
type Habits = readonly (readonly number[])[];

/** Before anything is counted a reader is taken to agree: as many spans of each label as this, and a little of all else. */
const presumedAgreement = 4;
const presumedSlips = 0.25;
/** Readers misread the same spans, so the second of two votes says less than its habits alone would make it. */
const independence = 0.9;

const keyOf = ({ text, previous }: { readonly text: string; readonly previous: string }) => `${previous}\u0000${text}`;

export function readerHabits(
  voted: readonly VotedSpan[],
  reference: readonly LabeledSpan[],
  alphabet: Alphabet = paperAlphabet,
): Map<string, Habits> {
  const { codeOf } = alphabet;
  const labels = new Map(reference.map((span) => [keyOf(span), span.label]));
  const counts = new Map<string, number[][]>();
  const inCommon = new Map<string, number>();
  for (const span of voted) {
    const label = labels.get(keyOf(span));
    for (const [reader, said] of Object.entries(span.votes)) {
      const table = counts.get(reader) ?? presumedTable(alphabet);
      counts.set(reader, table);
      if (label === undefined) continue;
      table[codeOf(label)][codeOf(said)] += 1;
      inCommon.set(reader, (inCommon.get(reader) ?? 0) + 1);
    }
  }
  for (const reader of counts.keys()) {
    if (!inCommon.has(reader))
      throw new DataError(
        `${reader} voted on no span that has a label in --data; let every reader vote on some of them, so that its habits are known`,
      );
  }
  return new Map([...counts].map(([reader, table]) => [reader, table.map(shares)]));
}

/** Spans that have no label of their own, as shares of labels: how common each is, times how likely it draws these votes. */
export function spansFromVotes(
  voted: readonly VotedSpan[],
  reference: readonly LabeledSpan[],
  alphabet: Alphabet = paperAlphabet,
): LabeledSpan[] {
  const { labels, codeOf } = alphabet;
  const habits = readerHabits(voted, reference, alphabet);
  const known = new Set(reference.map(keyOf));
  const common = new Array<number>(labels.length).fill(0);
  for (const { label } of reference) common[codeOf(label)] += 1;
  return voted
    .filter((span) => !known.has(keyOf(span)))
    .map(({ text, previous, votes, trace, domain }) => {
      const likely = shares(
        common.map((count, label) =>
          Object.entries(votes).reduce(
            (product, [reader, said]) => product * habits.get(reader)![label][codeOf(said)] ** independence,
            count,
          ),
        ),
      );
      const label = labels[likely.indexOf(Math.max(...likely))];
      return { text, previous, label, shares: likely, trace, domain, confidence: "medium" };
    });
}

function presumedTable({ labels }: Alphabet): number[][] {
  return labels.map((_, row) => labels.map((_, column) => (row === column ? presumedAgreement : 0) + presumedSlips));
}

function shares(counts: readonly number[]): number[] {
  const total = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => count / total);
}
