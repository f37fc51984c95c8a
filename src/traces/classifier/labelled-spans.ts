// Labelled spans to learn from, as JSON lines: text, what came before it, the label, and which trace it is from.
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import { primitives } from "../../rollouts/primitives.ts";

export const labelledSpanSchema = z
  .object({
    text: z.string().min(1),
    previous: z.string().default(""),
    label: z.string().toLowerCase().pipe(z.enum(primitives)),
    /** Spans of one trace are never on both sides of a split. */
    trace_id: z.string().optional(),
    trace: z.string().optional(),
    domain: z.string().default("unknown"),
    /** The reader's own. */
    confidence: z.enum(["low", "medium", "high"]).default("high"),
  })
  .transform(({ trace_id, trace, ...span }) => ({ ...span, trace: trace ?? trace_id }));

export type LabelledSpan = {
  readonly text: string;
  readonly previous: string;
  readonly label: (typeof primitives)[number];
  readonly trace: string;
  readonly domain: string;
  readonly confidence: "low" | "medium" | "high";
};

export type SkippedLine = { readonly line: number; readonly because: string };

/** Lines that cannot be used are counted and named, not fatal; a file without one usable line is. */
export async function readLabelledSpans(
  path: string,
): Promise<{ readonly spans: LabelledSpan[]; readonly skipped: SkippedLine[] }> {
  const spans: LabelledSpan[] = [];
  const skipped: SkippedLine[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) {
      skipped.push({ line: read.line, because: read.error });
      continue;
    }
    const parsed = labelledSpanSchema.safeParse(read.value);
    if (parsed.success) spans.push({ ...parsed.data, trace: parsed.data.trace ?? `${path} line ${read.line}` });
    else skipped.push({ line: read.line, because: parsed.error.issues[0].message });
  }
  if (spans.length === 0) {
    const why = skipped[0] === undefined ? "it is empty" : `line ${skipped[0].line}: ${skipped[0].because}`;
    throw new DataError(`${path} holds no labelled span (${why}); expected lines like {"text","previous","label"}`);
  }
  return { spans, skipped };
}
