// Which rollouts people wrote on.
import type { RolloutRow, TraceNote } from "./api.ts";
import type { RolloutColumns } from "./rollout-columns.ts";
import type { ProblemFacts } from "./rollout-filter.ts";

type Keyed = Pick<TraceNote, "source" | "problem" | "attempt" | "step">;

export const noteKey = ({ source, problem, attempt, step }: Keyed): string =>
  JSON.stringify([source, problem, attempt, step ?? null]);

export type NotesByKey = ReadonlyMap<string, TraceNote>;

export const notesByKey = (notes: readonly TraceNote[]): NotesByKey =>
  new Map(notes.map((note) => [noteKey(note), note]));

type WantedNotes = { readonly noted: readonly ("bookmark" | "note")[]; readonly tag: readonly string[] };

/** 1 for each row of a source that has all that is wanted; undefined where nothing is. */
export function notedRows(
  source: string,
  columns: RolloutColumns,
  notes: readonly TraceNote[],
  { noted, tag }: WantedNotes,
): Uint8Array | undefined {
  if (noted.length === 0 && tag.length === 0) return undefined;
  const rows = new Uint8Array(columns.rows);
  const wanted = notes.filter(
    (note) =>
      note.source === source &&
      (!noted.includes("bookmark") || note.bookmarked) &&
      (!noted.includes("note") || note.text !== "") &&
      tag.every((one) => note.tags.includes(one)),
  );
  if (wanted.length === 0) return rows;
  const keys = new Set(wanted.map(noteKey));
  const codes = new Set(wanted.map(({ problem }) => columns.problemCode(problem)));
  const { problem, attempt, step } = columns.columns;
  for (let row = 0; row < columns.rows; row++) {
    if (!codes.has(problem[row])) continue;
    const own = { source, problem: columns.problemOf(row), attempt: attempt[row], ...stepOf(step[row]) };
    if (keys.has(noteKey(own))) rows[row] = 1;
  }
  return rows;
}

const stepOf = (step: number) => (step >= 0 ? { step } : {});

/** A row with what people wrote on it, and with what was asked where its id does not say it. */
export function withWords(row: RolloutRow, notes: NotesByKey, facts: ProblemFacts): RolloutRow {
  const note = notes.get(noteKey(row));
  const asked = facts.get(row.problem)?.asked;
  return {
    ...row,
    ...(asked && { asked }),
    ...(note && { note: { text: note.text, tags: note.tags, bookmarked: note.bookmarked } }),
  };
}
