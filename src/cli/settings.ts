// `--set rl.steps=30`, repeated: settings of a recipe changed by their path. The schema says what is unknown or wrong.
import { z } from "zod";
import { ConfigurationError, messageOf } from "../base/errors.ts";

export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  start: Readonly<Record<string, unknown>>,
  changes: readonly string[],
): z.output<Schema> {
  const settings: Record<string, unknown> = { ...start };
  for (const change of changes) {
    const [, path, value] = /^([\w.]+)=(.+)$/.exec(change) ?? [];
    if (path === undefined)
      throw new ConfigurationError(`--set ${change}: expected key=value, for example rl.steps=30`);
    const keys = path.split(".");
    let at = settings;
    for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>;
    at[keys[keys.length - 1]] = settingValue(value, change);
  }
  const parsed = schema.safeParse(settings);
  if (!parsed.success) throw new ConfigurationError(`--set: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Numbers and lists are what they look like; everything else is text. */
function settingValue(text: string, change: string): unknown {
  if (text.startsWith("[")) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ConfigurationError(`--set ${change}: not a list in JSON (${messageOf(error)})`);
    }
  }
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Every setting by its path, in the order of the schema. */
export function settingPaths(settings: object, prefix = ""): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? settingPaths(value, `${prefix}${key}.`)
      : [[prefix + key, value]],
  );
}
