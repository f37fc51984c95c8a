// The queue of spans on which judges disagree, and what people say about them: written to the jury's folder, whole at any
// moment, where the next run of the jury takes it up.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { Refusal } from "../base/http/body.ts";
import { parsedJson } from "../base/json-file.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { type Taxonomy, taxonomySchema } from "../rollouts/taxonomy.ts";
import { type SettledSpan, settledFile, settledSchema, settledSpan } from "../traces/judges/settled.ts";
import type { Disagreement, Gap, JuryEntry, JuryReply, RelabelReply, RelabelRequest } from "./api.ts";
import type { FoundRun } from "./run-discovery.ts";

const disagreementSchema = z.object({
  id: z.string(),
  text: z.string(),
  previous: z.string().default(""),
  trace: z.string().optional(),
  domain: z.string().optional(),
  votes: z.record(z.string(), z.string()),
});
type Divided = z.infer<typeof disagreementSchema>;

const agreementSchema = z.object({
  judges: z.array(z.string()),
  spans: z.number(),
  percent: z.number().optional(),
  fleissKappa: z.number().optional(),
  pairs: z.array(
    z.object({
      judges: z.tuple([z.string(), z.string()]),
      spans: z.number(),
      percent: z.number().nullish(),
      kappa: z.number().optional(),
    }),
  ),
});

type Files = {
  readonly agreement: z.infer<typeof agreementSchema> | undefined;
  readonly divided: readonly Divided[];
  readonly relabels: ReadonlyMap<string, SettledSpan>;
  readonly gaps: readonly Gap[];
};

export async function juryEntry(run: FoundRun): Promise<JuryEntry> {
  return entryOf(run, await readJury(run));
}

export async function juryReply(run: FoundRun): Promise<JuryReply> {
  const files = await readJury(run);
  const { agreement, divided, relabels, gaps } = files;
  return {
    jury: entryOf(run, files),
    judges: agreement?.judges ?? [],
    ...(agreement && { percent: agreement.percent }),
    ...(agreement?.fleissKappa !== undefined && { fleissKappa: agreement.fleissKappa }),
    pairs: (agreement?.pairs ?? []).map(({ percent, ...pair }) => ({ ...pair, ...(percent != null && { percent }) })),
    queue: divided.map((span): Disagreement => {
      const relabel = relabels.get(span.id)?.label;
      return { ...span, ...(relabel && { relabel }) };
    }),
    taxonomy: taxonomyOf(run),
    file: `${run.id}/${settledFile}`,
    writable: true,
    gaps,
  };
}

/** What its judges chose from; a jury that names nothing had the paper's primitives. */
const taxonomyOf = ({ description }: FoundRun): Taxonomy =>
  taxonomySchema.safeParse(description?.config.taxonomy).data ?? paperTaxonomy;

export async function relabel(run: FoundRun, { span, label }: RelabelRequest): Promise<RelabelReply> {
  const { divided, relabels } = await readJury(run);
  const { labels: known } = taxonomyOf(run);
  if (label !== null && !known.some(({ name }) => name === label)) {
    const expected = known.map(({ name }) => name).join(", ");
    throw new Refusal(400, `unknown label ${JSON.stringify(label.slice(0, 100))}; expected one of: ${expected}`);
  }
  const own = divided.find(({ id }) => id === span);
  if (own === undefined)
    throw new Refusal(404, `no span ${JSON.stringify(span.slice(0, 100))} in the queue of ${run.id}`);
  const settled = new Map(relabels);
  settled.delete(span);
  if (label !== null) settled.set(span, settledSpan(own, label));
  const lines = [...settled.values()].map((line) => `${JSON.stringify(line)}\n`);
  await writeFileAtomically(join(run.folder, settledFile), lines.join(""));
  return { relabeled: divided.filter(({ id }) => settled.has(id)).length, file: `${run.id}/${settledFile}` };
}

function entryOf({ id, name, description }: FoundRun, { agreement, divided, relabels }: Files): JuryEntry {
  return {
    id,
    name,
    ...(description && { created: description.created }),
    ...(agreement && { spans: agreement.spans }),
    disagreements: divided.length,
    relabeled: divided.filter((span) => relabels.has(span.id)).length,
  };
}

async function readJury(run: FoundRun): Promise<Files> {
  const gaps: Gap[] = [];
  const where = run.id;
  const text = (name: string) => readFile(join(run.folder, name), "utf8").catch(() => undefined);
  const lines = <Record>(name: string, content: string | undefined, schema: z.ZodType<Record>): Record[] => {
    const records = (content ?? "")
      .split("\n")
      .flatMap((line) => (line.trim() === "" ? [] : [parsedJson(line, schema)]));
    const read = records.filter((record) => record !== undefined);
    const unreadable = records.length - read.length;
    if (unreadable > 0)
      gaps.push({ missing: `${unreadable} lines of ${name} that cannot be read`, where, remedy: "the rest was read" });
    return read;
  };
  const queue = await text("disagreements.jsonl");
  if (queue === undefined)
    gaps.push({
      missing: "disagreements.jsonl",
      where,
      remedy: "it is written when the jury has voted; run traces judge again to resume",
    });
  const divided = lines("disagreements.jsonl", queue, disagreementSchema);
  const relabels = lines(settledFile, await text(settledFile), settledSchema);
  return {
    agreement: readAgreement(await text("agreement.json"), where, gaps),
    divided,
    relabels: new Map(relabels.map((line) => [line.span, line])),
    gaps,
  };
}

function readAgreement(text: string | undefined, where: string, gaps: Gap[]): Files["agreement"] {
  if (text === undefined) {
    gaps.push({ missing: "agreement.json", where, remedy: "it is written when the jury has voted" });
    return undefined;
  }
  try {
    return agreementSchema.parse(JSON.parse(text));
  } catch (error) {
    gaps.push({
      missing: `a readable agreement.json (${messageOf(error).slice(0, 200)})`,
      where,
      remedy: "run traces judge again",
    });
    return undefined;
  }
}
