// One JSON file, whole and in the form a schema says, or an error that names the file.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { DataError, messageOf } from "./errors.ts";

export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new DataError(`${path} cannot be read: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new DataError(`${path} is not what it should be: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
