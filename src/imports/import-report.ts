// What an import leaves beside its parts: what was read from where, how, and whose the grades are.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../base/errors.ts";
import { readJsonFile } from "../base/json-file.ts";
import { inputFileSchema } from "./inputs.ts";
import { skipReasonSchema } from "./skips.ts";

export const importFile = "import.json";

const importSchema = z.object({
  /** As the reading was asked for: another request reads again. */
  reading: z.record(z.string(), z.unknown()),
  /** By their places when they were read; they may have gone since. */
  inputs: z.array(inputFileSchema),
  formats: z.record(z.string(), z.number()),
  traces: z.number(),
  graded: z.object({
    byRecord: z.number(),
    byGold: z.number(),
    /** By scores that are all 0 or 1, where nothing else grades. */
    byScore: z.number(),
    /** Of those that both graded: how many verdicts differ, and some of them. */
    both: z.number(),
    disagree: z.number(),
    disagreeing: z.array(z.string()),
    ungraded: z.number(),
  }),
  /** No score is anything but 0 and 1, or -1 and 1. */
  scoresGrade: z.boolean(),
  /** Every id is of one rollout and prompts repeat: problems are told by what was asked. */
  byPrompt: z.boolean(),
  /** Checkpoints that were asked other questions by the same names. */
  apart: z.array(z.string()),
  skipped: z.array(skipReasonSchema),
  damaged: z.number(),
  /** Folders of its parts. */
  parts: z.array(z.string()),
});
export type ImportReport = z.infer<typeof importSchema>;

/** What an import left, where one was finished; one that cannot be read is made again like one that is not there. */
export async function readImport(folder: string): Promise<ImportReport | undefined> {
  const path = join(folder, importFile);
  if (!existsSync(path)) return undefined;
  try {
    return await readJsonFile(path, importSchema);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}
