// Logs as records of an index: reads what was appended to a log of rollouts, of grades or of teacher traces, labels stretches
// of it, and searches its texts. Runs in a worker thread (indexing-worker.ts), so that a hundred thousand rollouts never
// stop a page.

import { parsedJson } from "../base/json-file.ts";
import { placedLines } from "../base/json-lines.ts";
import type { Language } from "../engine/language.ts";
import { exactTeacher, withReasoning } from "../imports/trace.ts";
import { gradedKeySchema, type Rollout, rolloutSchema } from "../rollouts/rollout.ts";
import { logStream, openLog } from "../runs/packed-log.ts";
import { teacherTraceSchema } from "../teaching/corpus.ts";
import { type LabelerDescription, labelerId } from "../traces/labeler.ts";
import { writeSequence } from "../traces/sequence.ts";
import type { TraceReader, Unread } from "../traces/trace-reader.ts";
import type { Place, ReadGrade, ReadRollout } from "./rollout-index.ts";

/** What a line of a log is. */
export type LogKind = "rollout" | "teacher";

export type ReadLog<Read> = {
  readonly records: readonly Read[];
  /** Where the last whole line ends: the next reading starts here. */
  readonly end: number;
  /** Whole lines that are not records. */
  readonly unreadable: number;
  /** False where more can be read at once: batches are bounded. */
  readonly complete: boolean;
};

/** Records in one reading; more come with the next one. */
const recordsPerBatch = 5_000;

export const readRollouts = (path: string, kind: LogKind, start: number): Promise<ReadLog<ReadRollout>> =>
  readLog(path, start, (line) => {
    const rollout = parsedRollout(line, kind);
    if (rollout === undefined) return undefined;
    const { problem, attempt, step, state, grade, recorded, responseTokens, novelty, surprisal } = rollout;
    const reward = grade?.reward.total ?? recorded?.score;
    return {
      ...{ problem, attempt, state, verdict: grade?.verdict ?? "ungraded" },
      ...(step !== undefined && { step }),
      ...(reward !== undefined && { reward }),
      ...(grade && { parts: grade.reward }),
      ...(responseTokens !== undefined && { tokens: responseTokens }),
      ...(novelty && { novelty: novelty.score }),
      ...(surprisal && { surprisal: surprisal.mean }),
    };
  });

export const readGradeLines = (path: string, start: number): Promise<ReadLog<ReadGrade>> =>
  readLog(path, start, (line) => {
    const grade = parsedJson(line, gradedKeySchema);
    if (grade === undefined) return undefined;
    const { problem, attempt, verdict, reward } = grade;
    return { problem, attempt, verdict, reward: reward.total, parts: reward };
  });

async function readLog<Read extends object>(
  path: string,
  start: number,
  read: (line: string) => Read | undefined,
): Promise<ReadLog<Read & Place>> {
  const records: (Read & Place)[] = [];
  let [end, unreadable] = [start, 0];
  for await (const { offset, content, ended } of placedLines(logStream(path, start), start)) {
    // A line that is still being written is left for later.
    if (!ended) break;
    if (records.length === recordsPerBatch) return { records, end, unreadable, complete: false };
    end = offset + content.length + 1;
    if (content.length === 0) continue;
    const record = read(content.toString("utf8"));
    if (record === undefined) unreadable += 1;
    else records.push({ ...record, offset, bytes: content.length });
  }
  return { records, end, unreadable, complete: true };
}

/** A line as a rollout, whatever wrote it; undefined where it is none. */
export function parsedRollout(text: string, kind: LogKind): Rollout | undefined {
  if (kind === "rollout") return parsedJson(text, rolloutSchema);
  const trace = parsedJson(text, teacherTraceSchema);
  if (trace === undefined) return undefined;
  const { problem, prompt, response, tokens, labels, source } = trace;
  return {
    ...{ problem, attempt: 0, prompt, response, state: "complete", responseTokens: tokens },
    policy: source.teacher === "endpoint" ? source.model : source.teacher,
    // Rejection sampling kept it because it was right.
    grade: { verdict: "correct", reward: { exact: 1, total: 1 } },
    ...(labels && { primitives: labels, labeledBy: exactTeacher }),
  };
}

/** Lines of a log that lie one after another. */
export type Stretch = { readonly path: string; readonly places: readonly Place[] };

/** In one reading; and where in it each line lies. */
async function pieceOf({ path, places }: Stretch) {
  const [{ offset: start }, last] = [places[0], places[places.length - 1]];
  const piece = Buffer.allocUnsafe(last.offset + last.bytes - start);
  const file = await openLog(path);
  try {
    await file.read(piece, 0, piece.length, start);
  } finally {
    await file.close();
  }
  return { piece, ends: places.map(({ offset, bytes }) => ({ from: offset - start, to: offset - start + bytes })) };
}

// ---- Labeling -------------------------------------------------------------------------------------------------------

export type WantedLabels = Stretch & {
  readonly kind: LogKind;
  /** What the run says its model speaks. */
  readonly language?: Language;
};
/** With everybody who labeled some of it. */
export type Labels = { readonly sequences: readonly string[]; readonly labelers: readonly LabelerDescription[] };

export async function labelStretch(wanted: WantedLabels, reader: TraceReader): Promise<Labels> {
  const { kind, language } = wanted;
  const labelers = new Map<string, LabelerDescription>();
  const label = async (line: string): Promise<string> => {
    const rollout = parsedRollout(line, kind);
    const text = rollout && unreadOf(rollout, language);
    if (text === undefined || (text.response === "" && text.labels === undefined)) return "";
    const { sequence, labeledBy } = await reader.read(text);
    if (sequence.length > 0) labelers.set(labelerId(labeledBy), labeledBy);
    return writeSequence(sequence, reader.alphabet);
  };
  // All are asked before the first is waited for: labelers over a network answer many at once.
  const asked: Promise<string>[] = [];
  const { piece, ends } = await pieceOf(wanted);
  for (const { from, to } of ends) asked.push(label(piece.toString("utf8", from, to)));
  return { sequences: await Promise.all(asked), labelers: [...labelers.values()] };
}

/** A record as the one reader of traces takes it: whose labels it carries is said with them, or they are nobody's. */
export function unreadOf({ reasoning, response, primitives, labeledBy }: Rollout, language?: Language): Unread {
  return {
    response: withReasoning(reasoning, response),
    ...(language && { language }),
    ...(primitives && labeledBy && { labels: primitives, labeledBy }),
  };
}

// ---- Search ----------------------------------------------------------------------------------------------------------

/** The values of both keys as JSON has them: inside a string every quote has a backslash before it. */
const texts = /"(?:response|reasoning)":"((?:[^"\\]+|\\.)*)"/g;

/** Bytes that are looked at together: longer strings cost a full collection, which takes as long as the search. */
const togetherBytes = 64 << 10;

/** Which lines hold the words in their response or reasoning, by their places in the stretch; A–Z in either case. */
export async function searchStretch(stretch: Stretch, words: string): Promise<number[]> {
  const folded = foldedAscii(words);
  const bytes = Buffer.from(foldedAscii(JSON.stringify(words).slice(1, -1))).toString("latin1");
  const escaped = bytes.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(
    escaped.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`),
    "g",
  );
  const { piece, ends } = await pieceOf(stretch);
  const found: number[] = [];
  for (let line = 0; line < ends.length; ) {
    const { from: start } = ends[line];
    let after = line;
    while (after < ends.length && (after === line || ends[after].to - start <= togetherBytes)) after += 1;
    const text = piece.toString("latin1", start, ends[after - 1].to);
    // Where the bytes stand, the line is read; most lines do not hold them anywhere.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      while (ends[line].to - start <= match.index) line += 1;
      const { from, to } = ends[line];
      if (holds(piece.toString("utf8", from, to), folded)) found.push(line);
      pattern.lastIndex = to - start;
    }
    line = after;
  }
  return found;
}

function holds(line: string, folded: string): boolean {
  for (const [, text] of line.matchAll(texts)) if (foldedAscii(JSON.parse(`"${text}"`)).includes(folded)) return true;
  return false;
}

const foldedAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
