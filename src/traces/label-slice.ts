// One slice from bytes to records: read, labeled, counted what could not be used. The texts of single traces are found
// again by the same code, so that what is shown is what was counted.

import { reasoningBlocks, tagOddity } from "../grading/reasoning.ts";
import { type Imported, type ImportOptions, importSlice } from "../imports/import-slice.ts";
import { noOddities, type Oddities } from "../imports/read-slice.ts";
import { SkipCounts, type SkipReason } from "../imports/skips.ts";
import type { Slice } from "../imports/slice.ts";
import type { Trace } from "../imports/trace.ts";
import { writtenHabits } from "./habits.ts";
import { isExact, type LabelerDescription, labelerId } from "./labeler.ts";
import { labelsOf, writeSequence } from "./sequence.ts";
import { signsOfTrace } from "./step-signs.ts";
import type { ReadTrace, TraceReader } from "./trace-reader.ts";
import type { TraceRecord } from "./trace-record.ts";

/** Traces read before the first of them is done: labelers that are asked over a network answer many at once. */
const tracesAhead = 128;

type UnnumberedRecord = Omit<TraceRecord, "attempt"> & { readonly attempt?: number };

export type SliceResult = {
  readonly records: UnnumberedRecord[];
  readonly labelers: readonly LabelerDescription[];
  readonly skipped: SkipReason[];
  readonly oddities: Oddities;
  readonly spans: number;
};

export async function labelSlice(
  slice: Slice,
  index: number,
  options: ImportOptions,
  reader: TraceReader,
): Promise<SliceResult> {
  const skips = new SkipCounts();
  const oddities = noOddities();
  const records: UnnumberedRecord[] = [];
  const labelers = new Map<string, LabelerDescription>();
  let spanCount = 0;
  let ordinal = 0;
  const waiting: { readonly trace: Trace; readonly read: Promise<ReadTrace> }[] = [];
  const settle = async () => {
    const { trace, read: pending } = waiting.shift()!;
    const read = await pending;
    if (read.sequence.length === 0) oddities.empty += 1;
    spanCount += read.sequence.length;
    labelers.set(labelerId(read.labeledBy), read.labeledBy);
    records.push(recordOf(trace, read, reader, index, ordinal++));
  };
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) {
      skips.add(imported.skipped, imported.where);
      continue;
    }
    const { trace, damaged } = imported;
    if (damaged) oddities.damaged += 1;
    const tags = tagOddity(trace.response);
    if (tags !== undefined) oddities[tags] += 1;
    if (trace.correct === undefined) oddities.ungraded += 1;
    const read = reader.read(trace);
    // Whoever awaits it hears of its failure; those behind it in the row must not be called unhandled.
    read.catch(() => undefined);
    waiting.push({ trace, read });
    if (waiting.length === tracesAhead) await settle();
  }
  while (waiting.length > 0) await settle();
  return {
    records,
    labelers: [...labelers.values()],
    skipped: skips.reasons(),
    oddities,
    spans: spanCount,
  };
}
function recordOf(
  trace: Trace,
  read: ReadTrace,
  reader: TraceReader,
  slice: number,
  ordinal: number,
): UnnumberedRecord {
  const { checkpoint, step, problem, attempt, set, kind, puzzle, size, correct, score } = trace;
  const { response, responseTokens, stage = "evaluation" } = trace;
  const { spans, sequence, abstained } = read;
  const confidence = meanConfidence(read);
  return {
    ...{ checkpoint, step, problem, attempt, set, kind, puzzle, size, correct, score },
    stage,
    sequence: writeSequence(sequence, reader.alphabet),
    ...(!isExact(read.labeledBy) && { habits: writtenHabits(spans) }),
    ...(sequence.length === 0 && isBareAnswer(response) && { bare: true }),
    tokens: responseTokens ?? (spans.length > 0 ? sumTokens(spans) : Math.ceil(response.length / 4)),
    labeledBy: labelerId(read.labeledBy),
    ...(!Number.isNaN(confidence) && { confidence }),
    abstained,
    ...(step !== undefined && signsOfTrace(trace)),
    slice,
    ordinal,
  };
}

/** It closed its reasoning without a word and said something after it. */
function isBareAnswer(response: string): boolean {
  const blocks = reasoningBlocks(response);
  const last = blocks.at(-1);
  return (
    last !== undefined &&
    blocks.every(({ start, end, tags }) => tags === "closed" && response.slice(start, end).trim() === "") &&
    response.slice(last.after).trim() !== ""
  );
}

const sumTokens = (spans: readonly { readonly tokens: number }[]) =>
  spans.reduce((total, { tokens }) => total + tokens, 0);

function meanConfidence({ confidences }: ReadTrace): number {
  let total = 0;
  for (let i = 0; i < confidences.length; i++) total += confidences[i];
  return confidences.length === 0 ? 0 : total / confidences.length;
}

export type LabeledText = { readonly text: string; readonly label: string; readonly confidence?: number };

/** Text and labels of single traces of a slice, by ordinal: what reading pairs need. */
export async function tracesOfSlice(
  slice: Slice,
  ordinals: ReadonlySet<number>,
  options: ImportOptions,
  reader: TraceReader,
): Promise<Map<number, LabeledText[]>> {
  const found = new Map<number, LabeledText[]>();
  let ordinal = 0;
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) continue;
    if (ordinals.has(ordinal)) found.set(ordinal, await labeledText(imported, reader));
    ordinal += 1;
    if (found.size === ordinals.size) break;
  }
  return found;
}

async function labeledText(
  { trace }: Extract<Imported, { trace: Trace }>,
  reader: TraceReader,
): Promise<LabeledText[]> {
  const { spans, sequence, confidences } = await reader.read(trace);
  return labelsOf(sequence, reader.alphabet).map((label, i) => ({
    // Labels that were recorded without their places have no text of their own.
    text: spans[i]?.text ?? "",
    label,
    ...(!Number.isNaN(confidences[i]) && { confidence: confidences[i] }),
  }));
}
