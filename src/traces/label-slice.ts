// One slice from bytes to records: read, cut into spans, label, count what could not be used.
import { primitives } from "../rollouts/primitives.ts";
import type { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import { type ImportOptions, importSlice } from "./importers/import-slice.ts";
import type { Slice } from "./importers/slice.ts";
import { reasoningBlock } from "./reasoning-block.ts";
import { type Segmentation, segment } from "./segmentation.ts";
import { breakCode, type PrimitiveSequence, sequenceOf, writeSequence } from "./sequence.ts";
import { SkipCounts, type SkipReason } from "./skips.ts";
import { inContext, type SpanClassifier } from "./span-classifier.ts";
import type { Trace } from "./trace.ts";
import type { TraceRecord } from "./trace-record.ts";

export type LabelOptions = ImportOptions & {
  readonly segmentation: Segmentation;
  /** Labels less sure than this become breaks. */
  readonly abstainBelow: number;
  /** Labels that the record itself gives (a grammar's) are believed rather than made again. */
  readonly trustRecordedLabels: boolean;
};

/** Oddities that do not stop a trace from being read. */
export type Oddities = { damaged: number; unclosed: number; unopened: number; empty: number; ungraded: number };

export const noOddities = (): Oddities => ({ damaged: 0, unclosed: 0, unopened: 0, empty: 0, ungraded: 0 });

export type UnnumberedRecord = Omit<TraceRecord, "attempt"> & { readonly attempt?: number };

export type SliceResult = {
  readonly records: UnnumberedRecord[];
  readonly skipped: SkipReason[];
  readonly oddities: Oddities;
  readonly spans: number;
};

export type TraceLabels = { readonly sequence: PrimitiveSequence; readonly confidences: ArrayLike<number> };

/** Fast and in place where the classifier is the shipped one; span by span through the interface where it is another. */
export function traceLabeller(
  classifier: SpanClassifier | BuiltinClassifier,
): (spans: readonly { readonly text: string }[]) => TraceLabels | Promise<TraceLabels> {
  if ("labelTrace" in classifier) return (spans) => classifier.labelTrace(spans);
  return async (spans) => {
    const labels = await classifier.label(inContext(spans));
    return { sequence: sequenceOf(labels.map(({ label }) => label)), confidences: labels.map((l) => l.confidence) };
  };
}

export async function labelSlice(
  slice: Slice,
  index: number,
  options: LabelOptions,
  classifier: SpanClassifier,
): Promise<SliceResult> {
  const label = traceLabeller(classifier);
  const skips = new SkipCounts();
  const oddities = noOddities();
  const records: UnnumberedRecord[] = [];
  let spanCount = 0;
  let ordinal = 0;
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) {
      skips.add(imported.skipped, imported.where);
      continue;
    }
    const { trace, damaged } = imported;
    if (damaged) oddities.damaged += 1;
    const { tags } = reasoningBlock(trace.response);
    if (tags === "unclosed" || tags === "unopened") oddities[tags] += 1;
    if (trace.correct === undefined) oddities.ungraded += 1;
    const { sequence, tokens, confidence, abstained } = await read(trace, options, label);
    if (sequence.length === 0) oddities.empty += 1;
    spanCount += sequence.length;
    const { response, responseTokens, labels, prompt, ...known } = trace;
    records.push({
      ...known,
      sequence: writeSequence(sequence),
      tokens: responseTokens ?? tokens,
      confidence,
      abstained,
      slice: index,
      ordinal: ordinal++,
    });
  }
  return { records, skipped: skips.reasons(), oddities, spans: spanCount };
}

async function read(
  { response, labels }: Trace,
  { segmentation, abstainBelow, trustRecordedLabels }: LabelOptions,
  label: ReturnType<typeof traceLabeller>,
): Promise<{ sequence: PrimitiveSequence; tokens: number; confidence: number; abstained: number }> {
  if (trustRecordedLabels && labels !== undefined) {
    return { sequence: sequenceOf(labels), tokens: Math.ceil(response.length / 4), confidence: 1, abstained: 0 };
  }
  const spans = segment(response, segmentation);
  const tokens = spans.reduce((total, span) => total + span.tokens, 0);
  const { sequence, confidences } = await label(spans);
  let total = 0;
  let abstained = 0;
  for (let i = 0; i < sequence.length; i++) {
    total += confidences[i];
    if (confidences[i] < abstainBelow && sequence[i] !== breakCode) {
      sequence[i] = breakCode;
      abstained += 1;
    }
  }
  return { sequence, tokens, confidence: sequence.length === 0 ? 0 : total / sequence.length, abstained };
}

/** Text and labels of single traces of a slice, by ordinal: what reading pairs need. */
export async function tracesOfSlice(
  slice: Slice,
  ordinals: ReadonlySet<number>,
  options: LabelOptions,
  classifier: SpanClassifier,
): Promise<Map<number, LabelledText[]>> {
  const label = traceLabeller(classifier);
  const found = new Map<number, LabelledText[]>();
  let ordinal = 0;
  for await (const imported of importSlice(slice, options)) {
    if ("skipped" in imported) continue;
    if (ordinals.has(ordinal)) {
      const spans = segment(imported.trace.response, options.segmentation);
      const { sequence, confidences } = await label(spans);
      found.set(
        ordinal,
        spans.map(({ text }, i) => ({ text, label: primitives[sequence[i]], confidence: confidences[i] })),
      );
    }
    ordinal += 1;
  }
  return found;
}

export type LabelledText = {
  readonly text: string;
  readonly label: (typeof primitives)[number];
  readonly confidence: number;
};
