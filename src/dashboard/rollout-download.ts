// A list of rollouts as a file: a line of JSON each, with its text, its labels and what people wrote on it.
import { labelerWords } from "../traces/labeler.ts";
import { labelsOf, readSequence } from "../traces/sequence.ts";
import { type LogSource, type Read, textOf } from "./log-source.ts";
import { type Known, worded } from "./rollout-answers.ts";
import type { IndexedRollout } from "./rollout-index.ts";

const batchRows = 64;

/** In the order of what is wanted, a few at a time: a list may be longer than memory. */
export async function* downloadedLines(
  wanted: readonly IndexedRollout[],
  sources: readonly LogSource[],
  known: Known,
): AsyncGenerator<string> {
  for (let at = 0; at < wanted.length; at += batchRows) {
    const batch = wanted.slice(at, at + batchRows);
    const lines = new Map<IndexedRollout, string>();
    for (const source of sources) {
      const own = batch.filter((row) => row.source === source.place.id);
      const reads = own.length === 0 ? [] : await source.read(own.map(({ row }) => row));
      for (const [i, row] of own.entries())
        lines.set(row, `${JSON.stringify(downloaded(source, row, reads[i], known))}\n`);
    }
    for (const row of batch) yield lines.get(row)!;
  }
}

export type DownloadedRollout = ReturnType<typeof downloaded>;

function downloaded(source: LogSource, row: IndexedRollout, read: Read, known: Known) {
  const { place, index, labelers } = source;
  const { problem, attempt, step, verdict, reward, tokens, depth, note } = worded(known)(row);
  const set = known.facts.get(problem)?.set;
  const found = "unavailable" in read ? undefined : read;
  const by = found?.labeledBy ?? (labelers.length === 1 ? labelers[0] : undefined);
  const graded = verdict === "correct" || verdict === "wrong" || verdict === "unreadable";
  return {
    ...{ checkpoint: place.checkpoint, source: place.id, problem, attempt },
    ...(step !== undefined && { step }),
    ...(set && { set }),
    verdict,
    ...(graded && { correct: verdict === "correct" }),
    ...(reward !== undefined && { score: reward }),
    ...(tokens !== undefined && { tokens }),
    ...(found?.rollout.prompt !== undefined && { prompt: found.rollout.prompt }),
    ...(found && { response: textOf(found) }),
    labels: labelsOf(readSequence(row.sequence ?? "", index.alphabet), index.alphabet),
    ...(by && { labeledBy: labelerWords(by) }),
    ...(depth !== undefined && { depth }),
    ...(note && note.text !== "" && { note: note.text }),
    ...(note && note.tags.length > 0 && { tags: note.tags }),
    ...(note?.bookmarked && { bookmarked: true }),
  };
}
