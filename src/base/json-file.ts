// One JSON file, whole and in the form a schema says, or an error that names the file and what to do.
import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { DataError, messageOf, schemaProblems, type UserError } from "./errors.ts";

type JsonFault = { readonly error?: new (message: string) => UserError; readonly remedy?: string };

export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  { error: Fault = DataError, remedy }: JsonFault = {},
): Promise<T> {
  const fault = (what: string) => new Fault(remedy === undefined ? `${path} ${what}` : `${path} ${what}; ${remedy}`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw fault(`cannot be read: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw fault(`is not what it should be: ${schemaProblems(parsed.error)}`);
  return parsed.data;
}

/** A text as a schema reads it; undefined where it is no JSON, or says something else. */
export function parsedJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
