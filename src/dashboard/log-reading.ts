// Logs into numbers: reads what was appended to a log of rollouts, of grades or of teacher traces, and labels stretches
// of it. Runs in a worker thread (indexing-worker.ts), so that a hundred thousand rollouts never stop a page.
import { parsedJson } from "../base/json-file.ts";
import type { Language } from "../engine/language.ts";
import { exactTeacher, withReasoning } from "../imports/trace.ts";
import { gradedKeySchema, type Rollout, rolloutSchema } from "../rollouts/rollout.ts";
import { type LogFile, openLog } from "../runs/packed-log.ts";
import { teacherTraceSchema } from "../teaching/corpus.ts";
import { type LabelerDescription, labelerId } from "../traces/labeler.ts";
import type { ReadTrace, TraceReader, Unread } from "../traces/trace-reader.ts";
import {
  type Batch,
  type GradeBatch,
  gradeColumnTypes,
  type RolloutBatch,
  rolloutColumnTypes,
  type SequenceBatch,
  stateNames,
  verdictNames,
} from "./rollout-columns.ts";

/** What a line of a log is. */
export type LogKind = "rollout" | "teacher";

export type ReadLog<Read> = {
  readonly batch: Read;
  /** Where the last whole line ends: the next reading starts here. */
  readonly end: number;
  /** Whole lines that are not records. */
  readonly unreadable: number;
  /** False where more can be read at once: batches are bounded. */
  readonly complete: boolean;
};

/** Records in one reading; more come with the next one. */
const recordsPerBatch = 10_000;

export function readRollouts(path: string, kind: LogKind, start: number): Promise<ReadLog<RolloutBatch>> {
  return readLog(path, start, rolloutColumnTypes, (line) => {
    const rollout = parsedRollout(line.bytes.toString("utf8"), kind);
    return rollout && { problem: rollout.problem, numbers: rolloutNumbers(rollout, line) };
  });
}

export function readGradeLines(path: string, start: number): Promise<ReadLog<GradeBatch>> {
  return readLog(path, start, gradeColumnTypes, ({ bytes, offset }) => {
    const grade = parsedJson(bytes.toString("utf8"), gradedKeySchema);
    if (grade === undefined) return undefined;
    const { problem, attempt, verdict, reward } = grade;
    const numbers = { attempt, verdict: verdictNames.indexOf(verdict), reward: reward.total, offset };
    return { problem, numbers: { ...numbers, bytes: bytes.length } };
  });
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

function rolloutNumbers(rollout: Rollout, { offset, bytes }: Line) {
  const { attempt, step = -1, state, grade, responseTokens = -1, novelty, surprisal } = rollout;
  const response = textRange(bytes, "response");
  const reasoning = rollout.reasoning === undefined ? { start: 0, end: 0 } : textRange(bytes, "reasoning");
  return {
    attempt,
    step,
    state: stateNames.indexOf(state),
    verdict: verdictNames.indexOf(grade?.verdict ?? "ungraded"),
    reward: grade?.reward.total ?? rollout.recorded?.score ?? Number.NaN,
    tokens: responseTokens,
    novelty: novelty?.score ?? Number.NaN,
    surprisal: surprisal?.mean ?? Number.NaN,
    offset,
    bytes: bytes.length,
    responseStart: response.start,
    responseEnd: response.end,
    reasoningStart: reasoning.start,
    reasoningEnd: reasoning.end,
  };
}

/**
 * Where the text of a key lies in its line, so that search can tell what a match is in without reading the record. Inside
 * a JSON string every quote has a backslash before it, so `"response":"` can only be the key.
 */
export function textRange(
  line: Buffer,
  key: "response" | "reasoning",
): { readonly start: number; readonly end: number } {
  const opening = `"${key}":"`;
  const found = line.indexOf(opening);
  if (found === -1) return { start: 0, end: 0 };
  const start = found + opening.length;
  let end = line.indexOf(quote, start);
  while (end !== -1 && isEscaped(line, end, start)) end = line.indexOf(quote, end + 1);
  return { start, end: end === -1 ? line.length : end };
}

const quote = 34;
const backslash = 92;

function isEscaped(line: Buffer, at: number, start: number): boolean {
  let before = at - 1;
  while (before >= start && line[before] === backslash) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

// ---- Labeling -------------------------------------------------------------------------------------------------------

export type Stretch = {
  readonly path: string;
  readonly kind: LogKind;
  readonly offset: Float64Array;
  readonly bytes: Uint32Array;
  /** What the run says its model speaks. */
  readonly language?: Language;
};

/** With everybody who labeled some of it. */
export type LabeledStretch = SequenceBatch & { readonly labelers: readonly LabelerDescription[] };

export async function labelStretch(stretch: Stretch, reader: TraceReader): Promise<LabeledStretch> {
  const { path, kind, offset, bytes, language } = stretch;
  // One piece of the log, in one reading: its records lie side by side.
  const start = offset[0];
  const last = offset.length - 1;
  const piece = Buffer.allocUnsafe(offset[last] + bytes[last] - start);
  const file = await openLog(path);
  try {
    await file.read(piece, 0, piece.length, start);
  } finally {
    await file.close();
  }
  const lengths = new Uint32Array(offset.length);
  // All are asked before the first is waited for: labelers over a network answer many at once.
  const reads: Promise<{ readonly i: number; readonly read: ReadTrace }>[] = [];
  for (let i = 0; i < offset.length; i++) {
    const at = offset[i] - start;
    const rollout = parsedRollout(piece.toString("utf8", at, at + bytes[i]), kind);
    const text = rollout === undefined ? undefined : unreadOf(rollout, language);
    if (text === undefined || (text.response === "" && text.labels === undefined)) continue;
    reads.push(reader.read(text).then((read) => ({ i, read })));
  }
  const sequences: Uint8Array[] = [];
  const labelers = new Map<string, LabelerDescription>();
  for (const { i, read } of await Promise.all(reads)) {
    const { sequence, labeledBy } = read;
    lengths[i] = sequence.length;
    sequences.push(sequence);
    if (sequence.length > 0) labelers.set(labelerId(labeledBy), labeledBy);
  }
  return { lengths, codes: concatenated(sequences), labelers: [...labelers.values()] };
}

/** A record as the one reader of traces takes it: whose labels it carries is said with them, or they are nobody's. */
export function unreadOf({ reasoning, response, primitives, labeledBy }: Rollout, language?: Language): Unread {
  return {
    response: withReasoning(reasoning, response),
    ...(language && { language }),
    ...(primitives && labeledBy && { labels: primitives, labeledBy }),
  };
}

export function concatenated(sequences: readonly Uint8Array[]): Uint8Array {
  const codes = new Uint8Array(sequences.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const sequence of sequences) {
    codes.set(sequence, at);
    at += sequence.length;
  }
  return codes;
}

// ---- Lines of a growing file -----------------------------------------------------------------------------------------

type Line = { readonly offset: number; readonly bytes: Buffer };
type ColumnTypes = Readonly<Record<string, new (length: number) => { [index: number]: number; length: number }>>;

async function readLog<Types extends ColumnTypes>(
  path: string,
  start: number,
  types: Types,
  read: (
    line: Line,
  ) => { readonly problem: string; readonly numbers: Omit<Record<keyof Types, number>, "problem"> } | undefined,
): Promise<ReadLog<Batch<Types>>> {
  const names = Object.keys(types);
  const values: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const codes = new Map<string, number>();
  let end = start;
  let unreadable = 0;
  let complete = true;
  const file = await openLog(path);
  try {
    for await (const line of linesFrom(file, start)) {
      if (values.problem.length === recordsPerBatch) {
        complete = false;
        break;
      }
      end = line.offset + line.bytes.length + 1;
      if (line.bytes.length === 0) continue;
      const record = read(line);
      if (record === undefined) {
        unreadable += 1;
        continue;
      }
      const code = codes.get(record.problem) ?? codes.size;
      codes.set(record.problem, code);
      const numbers = { ...record.numbers, problem: code } as Record<string, number>;
      for (const name of names) values[name].push(numbers[name]);
    }
  } finally {
    await file.close();
  }
  const columns = Object.fromEntries(
    names.map((name) => {
      const column = new types[name](values[name].length);
      values[name].forEach((value, i) => {
        column[i] = value;
      });
      return [name, column];
    }),
  );
  return {
    batch: { problems: [...codes.keys()], columns: columns as Batch<Types>["columns"] },
    end,
    unreadable,
    complete,
  };
}

const blockBytes = 1 << 20;

/** Lines that end; an unfinished last one is left for later. */
async function* linesFrom(file: LogFile, start: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let offset = start;
  for (let position = start; ; ) {
    const block = Buffer.allocUnsafe(blockBytes);
    const { bytesRead } = await file.read(block, 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const read = block.subarray(0, bytesRead);
    let from = 0;
    for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10, from)) {
      pieces.push(read.subarray(from, end));
      const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      yield { offset, bytes };
      offset += bytes.length + 1;
      pieces = [];
      from = end + 1;
    }
    if (from < read.length) pieces.push(read.subarray(from));
  }
}
