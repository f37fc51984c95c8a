// What the RL runs of a recipe are called and drawn in, in a file of its own: looks may change when what was trained may not.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";

const looksSchema = z.record(z.string(), z.object({ title: z.string().optional(), color: z.string().optional() }));

/** By the name of the variant. */
export type VariantLooks = z.infer<typeof looksSchema>;

const fileIn = (recipe: string): string => join(recipe, "looks.json");

export const readVariantLooks = async (recipe: string): Promise<VariantLooks> =>
  existsSync(fileIn(recipe)) ? readJsonFile(fileIn(recipe), looksSchema) : {};

export const writeVariantLooks = (recipe: string, looks: VariantLooks): Promise<void> =>
  writeFileAtomically(fileIn(recipe), `${JSON.stringify(looks, null, 2)}\n`);
