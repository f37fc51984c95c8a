// `--set rl.steps=30`, repeated: settings of a recipe changed by their path. The schema says what is unknown or wrong.
import { z } from "zod";
import { decimal } from "../base/decimal.ts";
import { ConfigurationError, messageOf, schemaProblems, unknownName } from "../base/errors.ts";
import { putSetting } from "../base/setting-path.ts";

export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  start: Readonly<Record<string, unknown>>,
  changes: readonly string[],
): z.output<Schema> {
  const settings = structuredClone(start) as Record<string, unknown>;
  const known = schemaPaths(schema);
  for (const change of changes) {
    const [, path, value] = /^([\w.]+)=(.+)$/.exec(change) ?? [];
    if (path === undefined)
      throw new ConfigurationError(`--set ${change}: expected key=value, for example rl.steps=30`);
    if (!known.some((one) => path === one || path.startsWith(`${one}.`))) {
      const group = known.filter((one) => one.startsWith(`${path.split(".")[0]}.`));
      throw unknownName("setting", path, group.length > 0 ? group : known);
    }
    putSetting(settings, path, settingValue(value, change));
  }
  const parsed = schema.safeParse(settings);
  if (!parsed.success) throw new ConfigurationError(`--set: ${schemaProblems(parsed.error)}`);
  return parsed.data;
}

/** Every path that a schema knows, those without a value among them. */
export function schemaPaths(schema: unknown, path = ""): string[] {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional)
    inner = inner.unwrap();
  if (!(inner instanceof z.ZodObject)) return [path];
  return Object.entries(inner.shape).flatMap(([key, value]) =>
    schemaPaths(value, path === "" ? key : `${path}.${key}`),
  );
}

/** Numbers, lists and records are what they look like; everything else is text. */
function settingValue(text: string, change: string): unknown {
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ConfigurationError(`--set ${change}: not JSON (${messageOf(error)})`);
    }
  }
  return decimal(text) ?? text;
}
