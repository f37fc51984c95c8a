// What each route may be asked, checked before anything is done. Also read by a static export, so nothing of Node.
import { z } from "zod";
import { primitives } from "../rollouts/primitives.ts";
import { trigramCategories } from "../traces/categories.ts";
import type { Motif } from "../traces/motifs.ts";
import { readSequence } from "../traces/sequence.ts";
import { stateNames, verdictNames } from "./rollout-columns.ts";

const id = z.string().min(1).max(1000);
const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d{1,12}$/, "expected a whole number")
    .transform(Number)
    .pipe(z.number().int().min(least).max(most));
const bound = whole(0, 1e12).optional();
/** Once, several times or not at all. */
const many = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(64, "at most 64 of these"),
  );

/** `compute→check` or `CK`, as the codes of its primitives. */
const motifSchema = z
  .string()
  .min(1)
  .max(200)
  .transform((text, context): Motif => {
    const names = /^[PSEHCKBZO]+$/.test(text)
      ? Array.from(readSequence(text), (code) => primitives[code])
      : text.split("→");
    const unknown = names.find((name) => !(primitives as readonly string[]).includes(name));
    if (unknown !== undefined) {
      const expected = `expected primitives joined by → (${primitives.join(", ")}) or letters of PSEHCKBZO`;
      context.addIssue({ code: "custom", message: `unknown primitive ${JSON.stringify(unknown)}; ${expected}` });
      return z.NEVER;
    }
    return names as Motif;
  });

export const rolloutQuerySchema = z.strictObject({
  run: id,
  source: many(id),
  verdict: many(z.enum(verdictNames)),
  state: many(z.enum(stateNames)),
  primitive: many(z.enum(primitives)),
  without: many(z.enum(primitives)),
  motif: motifSchema.optional(),
  category: z.enum(trigramCategories).optional(),
  problem: id.optional(),
  set: id.optional(),
  puzzle: id.optional(),
  minTokens: bound,
  maxTokens: bound,
  minStep: bound,
  maxStep: bound,
  minDepth: bound,
  maxDepth: bound,
  text: z.string().min(2, "search for at least 2 characters").max(200).optional(),
  sort: z.enum(["log", "tokens", "reward", "depth", "spans", "step", "novelty"]).default("log"),
  order: z.enum(["asc", "desc"]).default("asc"),
  offset: whole(0, 1e9).default(0),
  limit: whole(1, 500).default(100),
});
export type RolloutQuery = z.output<typeof rolloutQuerySchema>;

export const motifsQuerySchema = z.strictObject({
  run: id,
  source: many(id),
  length: whole(2, 15).default(3),
  set: id.optional(),
});
export type MotifsQuery = z.output<typeof motifsQuerySchema>;

export const motifQuerySchema = z.strictObject({
  run: id,
  motif: z.union([z.enum(trigramCategories), motifSchema]),
  source: many(id),
  set: id.optional(),
  offset: whole(0, 1e9).default(0),
  limit: whole(1, 100).default(20),
});
export type MotifQuery = z.output<typeof motifQuerySchema>;

export const traceQuerySchema = z.strictObject({ run: id, source: id, row: whole(0, 1e9) });
export type TraceQuery = z.output<typeof traceQuerySchema>;
export const runQuerySchema = z.strictObject({ run: id });
export const trainingQuerySchema = z.strictObject({ run: id, stage: id, after: whole(-1, 1e9).optional() });
export const problemQuerySchema = z.strictObject({ run: id, problem: id });
export const twoCheckpointsSchema = z.strictObject({ run: id, first: id, second: id, set: id.optional() });
export type TwoCheckpoints = z.output<typeof twoCheckpointsSchema>;
export const juryQuerySchema = z.strictObject({ jury: id });
export const nothingSchema = z.strictObject({});
export const relabelSchema = z.strictObject({
  jury: id,
  span: z.string().min(1).max(4000),
  label: z.enum(primitives).nullable(),
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
