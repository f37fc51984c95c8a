// What a rollout from another trainer is graded against: read from the ground truth that our datasets carry, or from
// a plain gold answer of mathematics. Text from outside is data; what cannot be read is said, never guessed.
import { z } from "zod";
import { type PuzzleName, puzzleNames } from "../puzzles/catalog.ts";

/** `split`: that it is asked to validate, which changes no verdict. */
export type Question = { readonly split?: "test" } & (
  | { readonly kind: "puzzle"; readonly puzzle: PuzzleName; readonly id: string }
  | {
      readonly kind: "mathematics";
      readonly answer: string;
      readonly decimals?: number;
      /** Synthetic mathematics is graded by its own grammar. */
      readonly set?: "synthetic";
    }
  /** Its owner's grader decides, which the server was started with. */
  | {
      readonly kind: "question";
      readonly id: string;
      readonly answer?: string;
      readonly data?: Record<string, unknown>;
    }
);

export type ReadQuestion = Question | { readonly kind: "unknown"; readonly because: string };

const split = z.literal("test").optional();
const puzzleTruth = z.object({ puzzle: z.enum(puzzleNames), id: z.string().min(1), split });
const questionTruth = z.object({
  split,
  question: z.string().min(1),
  answer: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
const mathematicsTruth = z.object({
  split,
  answer: z.string(),
  decimals: z.number().int().nonnegative().max(30).optional(),
  set: z.literal("synthetic").optional(),
});

const unknown = (because: string): ReadQuestion => ({ kind: "unknown", because });

/**
 * `{"puzzle","id"}` or `{"answer"}` as a record or as JSON text; with a data source `repertoire/<puzzle>`, the puzzle's
 * id alone; any other text is a gold answer of mathematics.
 */
export function readQuestion(truth: unknown, dataSource?: string): ReadQuestion {
  if (typeof truth === "number") return { kind: "mathematics", answer: String(truth) };
  if (typeof truth !== "string") return fromRecord(truth);
  if (truth.trimStart().startsWith("{")) {
    const record = parsedRecord(truth);
    if (record !== undefined) return fromRecord(record);
  }
  const named = puzzleNames.find((name) => dataSource === `repertoire/${name}`);
  if (named !== undefined) return { kind: "puzzle", puzzle: named, id: truth };
  if (truth.trim() === "") return unknown("the ground truth is empty");
  return { kind: "mathematics", answer: truth, ...(dataSource === "repertoire/synthetic" && { set: "synthetic" }) };
}

/** Undefined for braces that are not JSON: `{1, 2}` is a set, and a gold answer. */
function parsedRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromRecord(record: unknown): ReadQuestion {
  const puzzle = puzzleTruth.safeParse(record);
  if (puzzle.success) return { kind: "puzzle", ...puzzle.data };
  const own = questionTruth.safeParse(record);
  if (own.success) {
    const { question: id, ...rest } = own.data;
    return { kind: "question", id, ...rest };
  }
  const mathematics = mathematicsTruth.safeParse(record);
  if (mathematics.success) return { kind: "mathematics", ...mathematics.data };
  return unknown(
    `the ground truth is neither {"puzzle": one of ${puzzleNames.join(", ")}, "id"} nor {"answer"} nor {"question"} nor the text of a gold answer`,
  );
}
