// Labeled spans to learn from, as JSON lines: text, what came before it, the label, and which trace it is from.
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";

/** One of a taxonomy's labels, whatever its case. */
export const labelSchema = ({ labels }: Taxonomy) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(labels.map(({ name }) => name) as [string, ...string[]]));

const labeledSpanSchema = (taxonomy: Taxonomy) =>
  z.object({
    text: z.string().min(1),
    previous: z.string().default(""),
    label: labelSchema(taxonomy),
    /** Spans of one trace are never on both sides of a split. */
    trace_id: z.string().optional(),
    trace: z.string().optional(),
    domain: z.string().default("unknown"),
    /** What was asked, or a name for it: spans of one question are never on both sides of a split. */
    question: z.string().optional(),
    /** Which collection of traces it is from: quality is told by source. */
    source: z.string().optional(),
    /** How it was chosen to be read; anything but `random` says nothing of how often a label occurs. */
    drawn: z.string().default("random"),
    /** Where in its trace the span ends. */
    place: z.number().gt(0).max(1).optional(),
    /** By number, as labeling tools write it; together they are the place. */
    index: z.int().nonnegative().optional(),
    of: z.int().positive().optional(),
    readings: z.array(labelSchema(taxonomy)).optional(),
    /** What it teaches beside the others. */
    weight: z.number().positive().optional(),
  });

/** Nobody has said what it does. */
export type UnreadSpan = {
  readonly text: string;
  readonly previous: string;
  readonly question?: string;
  readonly place?: number;
  readonly trace: string;
  readonly domain: string;
  readonly source?: string;
};

export type LabeledSpan = UnreadSpan & {
  readonly label: string;
  readonly drawn?: string;
  /** What it teaches; 1 where nobody says. */
  readonly weight?: number;
  /** Every label that readers gave it, the one that counts first. */
  readonly readings?: readonly string[];
};

export type SkippedLine = { readonly line: number; readonly because: string };

type Placed = { readonly place?: number; readonly index?: number; readonly of?: number };
const placed = <Span extends Placed>({ index, of, ...span }: Span) => ({
  ...span,
  ...(span.place === undefined && index !== undefined && of !== undefined && { place: Math.min(1, (index + 1) / of) }),
});

/** `undecided`: how many spans drawn at random have the label null, because their readers came to none. */
export async function readLabeledSpans(
  path: string,
  taxonomy: Taxonomy,
): Promise<{ readonly spans: LabeledSpan[]; readonly undecided: number; readonly skipped: SkippedLine[] }> {
  const schema = labeledSpanSchema(taxonomy).extend({ label: labelSchema(taxonomy).nullable() });
  const { spans: all, skipped } = await readSpanLines(path, schema.transform(placed), '{"text","previous","label"}');
  const spans = all.flatMap(({ label, ...span }) => (label === null ? [] : [{ ...span, label }]));
  return { spans, undecided: all.filter(({ label, drawn }) => label === null && drawn === "random").length, skipped };
}

export function readUnreadSpans(
  path: string,
  taxonomy: Taxonomy,
): Promise<{ readonly spans: UnreadSpan[]; readonly skipped: SkippedLine[] }> {
  return readSpanLines(
    path,
    labeledSpanSchema(taxonomy).omit({ label: true }).transform(placed),
    '{"text","previous"}',
  );
}

/** Lines that cannot be used are counted and named, not fatal; a file without one usable line is. */
async function readSpanLines<Span extends { readonly trace?: string; readonly trace_id?: string }>(
  path: string,
  schema: z.ZodType<Span>,
  example: string,
): Promise<{
  readonly spans: (Omit<Span, "trace_id" | "trace"> & { trace: string })[];
  readonly skipped: SkippedLine[];
}> {
  const spans: (Omit<Span, "trace_id" | "trace"> & { trace: string })[] = [];
  const skipped: SkippedLine[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) {
      skipped.push({ line: read.line, because: read.error });
      continue;
    }
    const parsed = schema.safeParse(read.value);
    if (!parsed.success) {
      skipped.push({ line: read.line, because: parsed.error.issues[0].message });
      continue;
    }
    const { trace, trace_id, ...span } = parsed.data;
    spans.push({ ...span, trace: trace ?? trace_id ?? `${path} line ${read.line}` });
  }
  if (spans.length === 0) {
    const why = skipped[0] === undefined ? "it is empty" : `line ${skipped[0].line}: ${skipped[0].because}`;
    throw new DataError(`${path} holds no span to learn from (${why}); expected lines like ${example}`);
  }
  return { spans, skipped };
}
