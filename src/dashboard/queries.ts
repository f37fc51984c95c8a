// What each route may be asked, checked before anything is done.
import * as z from "zod/mini";
import { categoryMeasure } from "../traces/categories.ts";
import { type Motif, motifOf } from "../traces/motifs.ts";
import type { Alphabet } from "../traces/sequence.ts";
import { stateNames, verdictNames } from "./rollout-index.ts";

const id = z.string().check(z.minLength(1), z.maxLength(1000));
const whole = (least: number, most: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^-?\d{1,12}$/, "expected a whole number")), z.transform(Number)),
    z.number().check(z.gte(least), z.lte(most)),
  );
const bound = z.optional(whole(0, 1e12));
const decimal = z.optional(
  z.pipe(z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,12})?$/, "expected a number")), z.transform(Number)),
);
/** Once, several times or not at all. */
const many = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.transform((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value])),
    z.array(item).check(z.maxLength(64, "at most 64 of these")),
  );

type Wanted<Value> = { readonly value: Value } | { readonly complaint: string };

/** A text that must mean something in the run's taxonomy. */
const meant = <Value>(read: (text: string) => Wanted<Value>) =>
  z.pipe(
    z.string().check(z.minLength(1), z.maxLength(200)),
    z.transform((text: string, context): Value => {
      const found = read(text);
      if ("value" in found) return found.value;
      context.issues.push({ code: "custom", input: text, message: found.complaint });
      return z.NEVER;
    }),
  );

/** `compute→check` or `CK`. */
function readMotif(text: string, { labels, letters }: Alphabet): Wanted<Motif> {
  const spelled = Array.from(text, (letter) => labels[letters.indexOf(letter)]);
  const names = spelled.every((name) => name !== undefined) ? spelled : motifOf(text);
  const unknown = names.find((name) => !labels.includes(name));
  if (unknown === undefined) return { value: names };
  const expected = `expected primitives joined by → (${labels.join(", ")}) or letters of ${letters}`;
  return { complaint: `unknown primitive ${JSON.stringify(unknown)}; ${expected}` };
}

/** Its place among the taxonomy's. */
function readCategory(text: string, { categories }: Alphabet): Wanted<number> {
  const names = categories.map(categoryMeasure);
  const value = names.indexOf(text);
  if (value !== -1) return { value };
  return { complaint: `unknown category ${JSON.stringify(text)}; expected one of: ${names.join(", ")}` };
}

function readLabel(text: string, { labels }: Alphabet): Wanted<string> {
  if (labels.includes(text)) return { value: text };
  return { complaint: `unknown primitive ${JSON.stringify(text)}; expected one of: ${labels.join(", ")}` };
}

/** What a list can be sorted by: what stands in the log, and the columns of the page. */
const sortKeys = [
  "log",
  "tokens",
  "reward",
  "depth",
  "spans",
  "step",
  "novelty",
  "verdict",
  "source",
  "problem",
] as const;

export const rolloutQuerySchema = (alphabet: Alphabet) =>
  z.strictObject({
    run: id,
    source: many(id),
    verdict: many(z.enum(verdictNames)),
    state: many(z.enum(stateNames)),
    primitive: many(meant((text) => readLabel(text, alphabet))),
    without: many(meant((text) => readLabel(text, alphabet))),
    motif: z.optional(meant((text) => readMotif(text, alphabet))),
    category: z.optional(meant((text) => readCategory(text, alphabet))),
    problem: z.optional(id),
    set: z.optional(id),
    puzzle: z.optional(id),
    minTokens: bound,
    maxTokens: bound,
    minStep: bound,
    maxStep: bound,
    minDepth: bound,
    maxDepth: bound,
    minReward: decimal,
    maxReward: decimal,
    text: z.optional(z.string().check(z.minLength(2, "search for at least 2 characters"), z.maxLength(200))),
    noted: many(z.enum(["bookmark", "note"])),
    tag: many(id),
    sort: z._default(z.enum(sortKeys), "log"),
    order: z._default(z.enum(["asc", "desc"]), "asc"),
    offset: z.prefault(whole(0, 1e9), "0"),
    limit: z.prefault(whole(1, 500), "100"),
  });
export type RolloutQuery = z.output<ReturnType<typeof rolloutQuerySchema>>;

export const traceQuerySchema = z.strictObject({ run: id, source: id, row: whole(0, 1e9) });
export type TraceQuery = z.output<typeof traceQuerySchema>;
export const runQuerySchema = z.strictObject({ run: id });
/** Which run is meant, before its labels say what else may be asked. */
export const namedRunSchema = z.object({ run: id });
export const problemQuerySchema = z.strictObject({ run: id, problem: id });
export const sqlQuerySchema = z.strictObject({ run: id, sql: z.string().check(z.minLength(1), z.maxLength(6_000)) });
export const twoCheckpointsSchema = z.strictObject({ run: id, first: id, second: id, set: z.optional(id) });
export type TwoCheckpoints = z.output<typeof twoCheckpointsSchema>;
export const comparisonQuerySchema = z.strictObject({ run: id, first: id, second: id, scope: z.optional(id) });
export type ComparisonQuery = z.output<typeof comparisonQuerySchema>;
/** As many as a page can tell apart; each costs the reading of its files. */
export const mostSideBySide = 24;
export type ItemsQuery = z.output<typeof itemsQuerySchema>;
export const itemsQuerySchema = z.strictObject({
  run: z.pipe(
    many(id),
    z
      .array(z.string())
      .check(
        z.minLength(1, "name at least one run"),
        z.maxLength(mostSideBySide, `at most ${mostSideBySide} runs stand side by side`),
      ),
  ),
  group: many(z.string().check(z.maxLength(200))),
  checkpoint: z.optional(id),
});
const longestNote = 20_000;
export const noteSchema = z.strictObject({
  run: id,
  source: id,
  row: z.number().check(z.int(), z.gte(0), z.lte(1e9)),
  text: z.string().check(z.maxLength(longestNote, `a note has at most ${longestNote} characters`)),
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(60), z.regex(/^[^,\s][^,\n]*$/, "a tag has no comma in it")))
    .check(z.maxLength(20, "at most 20 tags")),
  bookmarked: z.boolean(),
});
export const nothingSchema = z.strictObject({});
/** What is wrong with a query, in a line. */
export const complaintOf = ({ issues }: z.core.$ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "query"}: ${message}`)
    .join("; ")
    .slice(0, 1_000);

/** An address's query as the record that the schemas read; a key that is given twice and may not be is an error there. */
export function queryRecord(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Array.from(new Set(search.keys()), (key) => {
      const values = search.getAll(key);
      return [key, values.length > 1 ? values : values[0]];
    }),
  );
}
