// What each route may be asked, checked before anything is done. Also part of the client, whose exports answer by
// themselves: nothing of Node, and the small form of zod, because the whole of it would be half of the client.
import * as z from "zod/mini";
import { primitives } from "../rollouts/primitives.ts";
import { trigramCategories } from "../traces/categories.ts";
import type { Motif } from "../traces/motifs.ts";
import { readSequence } from "../traces/sequence.ts";
import { stateNames, verdictNames } from "./rollout-columns.ts";

const id = z.string().check(z.minLength(1), z.maxLength(1000));
const whole = (least: number, most: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^-?\d{1,12}$/, "expected a whole number")), z.transform(Number)),
    z.number().check(z.gte(least), z.lte(most)),
  );
const bound = z.optional(whole(0, 1e12));
/** Once, several times or not at all. */
const many = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.transform((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value])),
    z.array(item).check(z.maxLength(64, "at most 64 of these")),
  );

/** `compute→check` or `CK`. */
const motifSchema = z.pipe(
  z.string().check(z.minLength(1), z.maxLength(200)),
  z.transform((text: string, context): Motif => {
    const names = /^[PSEHCKBZO]+$/.test(text)
      ? Array.from(readSequence(text), (code) => primitives[code])
      : text.split("→");
    const unknown = names.find((name) => !(primitives as readonly string[]).includes(name));
    if (unknown !== undefined) {
      const expected = `expected primitives joined by → (${primitives.join(", ")}) or letters of PSEHCKBZO`;
      context.issues.push({
        code: "custom",
        input: text,
        message: `unknown primitive ${JSON.stringify(unknown)}; ${expected}`,
      });
      return z.NEVER;
    }
    return names as Motif;
  }),
);

export const rolloutQuerySchema = z.strictObject({
  run: id,
  source: many(id),
  verdict: many(z.enum(verdictNames)),
  state: many(z.enum(stateNames)),
  primitive: many(z.enum(primitives)),
  without: many(z.enum(primitives)),
  motif: z.optional(motifSchema),
  category: z.optional(z.enum(trigramCategories)),
  problem: z.optional(id),
  set: z.optional(id),
  puzzle: z.optional(id),
  minTokens: bound,
  maxTokens: bound,
  minStep: bound,
  maxStep: bound,
  minDepth: bound,
  maxDepth: bound,
  text: z.optional(z.string().check(z.minLength(2, "search for at least 2 characters"), z.maxLength(200))),
  sort: z._default(z.enum(["log", "tokens", "reward", "depth", "spans", "step", "novelty"]), "log"),
  order: z._default(z.enum(["asc", "desc"]), "asc"),
  offset: z.prefault(whole(0, 1e9), "0"),
  limit: z.prefault(whole(1, 500), "100"),
});
export type RolloutQuery = z.output<typeof rolloutQuerySchema>;

export const motifsQuerySchema = z.strictObject({
  run: id,
  source: many(id),
  length: z.prefault(whole(2, 15), "3"),
  set: z.optional(id),
});
export type MotifsQuery = z.output<typeof motifsQuerySchema>;

export const motifQuerySchema = z.strictObject({
  run: id,
  motif: z.union([z.enum(trigramCategories), motifSchema]),
  source: many(id),
  set: z.optional(id),
  offset: z.prefault(whole(0, 1e9), "0"),
  limit: z.prefault(whole(1, 100), "20"),
});
export type MotifQuery = z.output<typeof motifQuerySchema>;

export const traceQuerySchema = z.strictObject({ run: id, source: id, row: whole(0, 1e9) });
export type TraceQuery = z.output<typeof traceQuerySchema>;
export const runQuerySchema = z.strictObject({ run: id });
export const trainingQuerySchema = z.strictObject({ run: id, stage: id, after: z.optional(whole(-1, 1e9)) });
export const problemQuerySchema = z.strictObject({ run: id, problem: id });
export const twoCheckpointsSchema = z.strictObject({ run: id, first: id, second: id, set: z.optional(id) });
export type TwoCheckpoints = z.output<typeof twoCheckpointsSchema>;
export const juryQuerySchema = z.strictObject({ jury: id });
export const nothingSchema = z.strictObject({});
export const relabelSchema = z.strictObject({
  jury: id,
  span: z.string().check(z.minLength(1), z.maxLength(4000)),
  label: z.nullable(z.enum(primitives)),
});

/** An address's query as the record that the schemas read; a key that is given twice and may not be is an error there. */
export function queryRecord(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Array.from(new Set(search.keys()), (key) => {
      const values = search.getAll(key);
      return [key, values.length > 1 ? values : values[0]];
    }),
  );
}
