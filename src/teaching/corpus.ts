// A corpus for SFT: verified teacher traces, each with where it came from. Rejection sampling keeps a trace only if its
// answer verifies and it is short enough; a mathematics problem is an error, because the isolation is the point.
import { z } from "zod";
import { DataError, schemaProblems } from "../base/errors.ts";
import { puzzleNames } from "../puzzles/catalog.ts";
import { primitives } from "../rollouts/primitives.ts";

const traceSourceSchema = z.discriminatedUnion("teacher", [
  z.object({
    teacher: z.literal("narrator"),
    style: z.enum(["terse", "plain", "prose"]),
    guessing: z.number(),
    errorRate: z.number(),
    repertoire: z.enum(["full", "direct"]),
  }),
  z.object({
    teacher: z.literal("endpoint"),
    model: z.string(),
    temperature: z.number().optional(),
    cost: z.number().optional(),
  }),
  z.object({ teacher: z.literal("imported"), from: z.string() }),
]);
export type TraceSource = z.infer<typeof traceSourceSchema>;

export const teacherTraceSchema = z.object({
  problem: z.string(),
  puzzle: z.enum(puzzleNames),
  /** Simon Tatham's `params:desc`. */
  instance: z.string(),
  prompt: z.string(),
  /** With its tags, exactly as the student is to write it. */
  response: z.string(),
  tokens: z.number().int(),
  source: traceSourceSchema,
  /** The label of each step, where the teacher knows it. */
  labels: z.array(z.enum(primitives)).optional(),
});
export type TeacherTrace = z.infer<typeof teacherTraceSchema>;

/** `failed`: the server gave no answer at all; asking again may help. */
export const rejectionReasons = ["wrong", "unreadable", "too long", "gave up", "failed"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export type RejectionCounts = { kept: number } & Record<RejectionReason, number>;

export const noRejections = (): RejectionCounts => ({
  kept: 0,
  wrong: 0,
  unreadable: 0,
  "too long": 0,
  "gave up": 0,
  failed: 0,
});

const aboutMathematics = z.union([
  z.looseObject({ kind: z.literal("mathematics") }),
  z.looseObject({ problem: z.looseObject({ kind: z.literal("mathematics") }) }),
  // As mathematics sets are usually written: a question and a gold answer, and no puzzle.
  z.looseObject({ puzzle: z.undefined().optional(), answer: z.union([z.string(), z.number()]) }),
]);

/** Reads one record of a corpus; names what is wrong with it, mathematics above all. */
export function readTeacherTrace(value: unknown, where: string): TeacherTrace {
  if (aboutMathematics.safeParse(value).success) {
    throw new DataError(`${where}: a mathematics problem in a training corpus; post-training uses puzzles only`);
  }
  const parsed = teacherTraceSchema.safeParse(value);
  if (!parsed.success) throw new DataError(`${where}: not a teacher trace: ${schemaProblems(parsed.error)}`);
  return parsed.data;
}
