// What people decided where a jury could not: one file beside its votes, whoever writes it: the page that comes with the votes,
// or an editor. The next run of the jury takes it up; its lines are labeled spans and can train by themselves.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";

export const settledFile = "settled.jsonl";

const settledSchema = z
  .looseObject({ span: z.string().optional(), id: z.string().optional(), label: z.string() })
  .transform(({ id, span = id, ...line }, context): SettledSpan => {
    if (span === undefined) context.addIssue({ code: "custom", message: "no span" });
    return { ...line, span: span ?? "" };
  });
/** And what else the line says of the span. */
export type SettledSpan = { readonly span: string; readonly label: string; readonly [key: string]: unknown };

/** By span; the last word on one counts. */
export async function readSettled(folder: string, { labels }: Taxonomy): Promise<Map<string, SettledSpan>> {
  const settled = new Map<string, SettledSpan>();
  const known = new Set(labels.map(({ name }) => name));
  const path = join(folder, settledFile);
  if (!existsSync(path)) return settled;
  for await (const read of readJsonLinesFile(path)) {
    const line = "value" in read ? settledSchema.safeParse(read.value).data : undefined;
    if (line === undefined || !known.has(line.label))
      throw new DataError(
        `${path} line ${read.line} settles nothing; expected lines like {"span":"…","label":"${labels[0].name}"}`,
      );
    settled.set(line.span, line);
  }
  return settled;
}
