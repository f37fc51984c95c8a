// A list of rollouts as a file: a line of JSON each, with its text, its labels and what people wrote on it.

import { withReasoning } from "../imports/trace.ts";
import { labelerWords } from "../traces/labeler.ts";
import { labelsOf } from "../traces/sequence.ts";
import type { DownloadedRollout, RolloutRow } from "./api.ts";
import { type NotesByKey, noteKey } from "./note-marks.ts";
import type { ProblemFacts } from "./rollout-filter.ts";
import { rolloutRow } from "./rollout-lists.ts";
import type { Read, RolloutSource } from "./rollout-source.ts";

const batchRows = 64;

export type Wanted = { readonly source: RolloutSource; readonly row: number };

/** In the order of what is wanted, a few at a time: a list may be longer than memory. */
export async function* downloadedLines(
  wanted: readonly Wanted[],
  facts: ProblemFacts,
  notes: NotesByKey,
): AsyncGenerator<string> {
  for (let at = 0; at < wanted.length; at += batchRows) {
    const batch = wanted.slice(at, at + batchRows);
    const reads = new Map<RolloutSource, { readonly rows: number[]; read: readonly Read[] }>();
    for (const { source, row } of batch) {
      const own = reads.get(source);
      if (own === undefined) reads.set(source, { rows: [row], read: [] });
      else own.rows.push(row);
    }
    for (const [source, own] of reads) own.read = await source.read(own.rows);
    for (const { source, row } of batch) {
      const { rows, read } = reads.get(source)!;
      yield `${JSON.stringify(downloaded(source, row, read[rows.indexOf(row)], facts, notes))}\n`;
    }
  }
}

function downloaded(
  source: RolloutSource,
  row: number,
  read: Read,
  facts: ProblemFacts,
  notes: NotesByKey,
): DownloadedRollout {
  const { place, columns } = source;
  const { problem, attempt, step, verdict, reward, tokens, depth }: RolloutRow = rolloutRow(place.id, columns, row);
  const note = notes.get(noteKey({ source: place.id, problem, attempt, step }));
  const set = facts.get(problem)?.set;
  const found = "unavailable" in read ? undefined : read;
  const by = found?.labeledBy ?? (source.labelers.length === 1 ? source.labelers[0] : undefined);
  return {
    ...{ checkpoint: place.checkpoint, source: place.id, problem, attempt },
    ...(step !== undefined && { step }),
    ...(set && { set }),
    verdict,
    ...((verdict === "correct" || verdict === "wrong" || verdict === "unreadable") && {
      correct: verdict === "correct",
    }),
    ...(reward !== undefined && { score: reward }),
    ...(tokens !== undefined && { tokens }),
    ...(found?.rollout.prompt !== undefined && { prompt: found.rollout.prompt }),
    ...(found && { response: withReasoning(found.rollout.reasoning, found.rollout.response) }),
    labels: row < columns.labeled ? labelsOf(columns.sequenceOf(row), columns.alphabet) : [],
    ...(by && { labeledBy: labelerWords(by) }),
    ...(depth !== undefined && { depth }),
    ...(note && note.text !== "" && { note: note.text }),
    ...(note && note.tags.length > 0 && { tags: note.tags }),
    ...(note?.bookmarked && { bookmarked: true }),
  };
}
