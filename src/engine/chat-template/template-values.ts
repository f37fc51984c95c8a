// Values as a chat template knows them: Python's, as far as templates can tell. What is missing is `undefined` and says
// nothing; None is `null` and says its name.
import { DataError } from "../../base/errors.ts";
import { spend, spendText } from "./template-budget.ts";

export type Callable = (values: readonly Value[], named: ReadonlyMap<string, Value>) => Value;
export type Value = string | number | boolean | null | undefined | readonly Value[] | TemplateRecord | Callable;

/** A dict, or a namespace that `set` may write into. */
export class TemplateRecord {
  readonly entries: Map<string, Value>;
  constructor(entries: Iterable<readonly [string, Value]> = []) {
    this.entries = new Map(entries);
  }
}

/** From JSON: messages, tokens. */
export function templateValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(templateValue);
  if (typeof value === "object" && value !== null)
    return new TemplateRecord(Object.entries(value).map(([key, entry]) => [key, templateValue(entry)]));
  return value as Value;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export function truthy(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (value instanceof TemplateRecord) return value.entries.size > 0;
  return Boolean(value);
}

export function said(value: Value): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : spendText(written(value));
}

/** As Python's repr. */
function written(value: Value): string {
  spend();
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const escaped = value.replace(/[\\\n\t\r]/g, (c) => ({ "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" })[c]!);
    return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
  }
  if (isList(value)) return `[${value.map(written).join(", ")}]`;
  if (value instanceof TemplateRecord)
    return `{${[...value.entries].map(([key, entry]) => `${written(key)}: ${written(entry)}`).join(", ")}}`;
  return String(value);
}

export function equal(a: Value, b: Value): boolean {
  spend();
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (a instanceof TemplateRecord && b instanceof TemplateRecord) {
    return (
      a.entries.size === b.entries.size && [...a.entries].every(([key, entry]) => equal(entry, b.entries.get(key)))
    );
  }
  return a === b;
}

export function contains(container: Value, item: Value): boolean {
  if (typeof container === "string") return typeof item === "string" && spendText(container).includes(item);
  if (isList(container)) return container.some((one) => equal(one, item));
  if (container instanceof TemplateRecord) return typeof item === "string" && container.entries.has(item);
  if (container === undefined) return false;
  throw new DataError(`the chat template looks for something in ${said(container)}`);
}

export function items(value: Value): readonly Value[] {
  if (isList(value)) {
    spend(value.length);
    return value;
  }
  if (typeof value === "string") {
    spend(value.length);
    return [...value];
  }
  if (value instanceof TemplateRecord) {
    spend(value.entries.size);
    return [...value.entries.keys()];
  }
  if (value === undefined) return [];
  throw new DataError(`the chat template goes through ${said(value)}, which has no items`);
}

export function member(of: Value, key: Value): Value {
  if (of instanceof TemplateRecord) {
    const own = typeof key === "string" ? of.entries.get(key) : undefined;
    return own ?? (typeof key === "string" && !of.entries.has(key) ? recordMethod(of, key) : own);
  }
  if (isList(of)) return typeof key === "number" ? of.at(key) : undefined;
  if (typeof of === "string") return typeof key === "number" ? of.at(key) : stringMethod(spendText(of), String(key));
  if (of === undefined) throw new DataError(`the chat template asks for ${said(key)} of something that is not there`);
  return undefined;
}

export function slice(of: Value, [start, stop, step = 1]: readonly (number | undefined)[]): Value {
  if (step === 0 || Number.isNaN(step)) throw new DataError("the chat template takes a slice with a step of 0");
  const all = items(of);
  const bound = (given: number | undefined, absent: number) =>
    given === undefined
      ? absent
      : Math.max(step < 0 ? -1 : 0, Math.min(given < 0 ? all.length + given : given, all.length));
  const chosen: Value[] = [];
  if (step > 0) for (let i = bound(start, 0); i < bound(stop, all.length); i += step) chosen.push(all[i]);
  else {
    const first = Math.min(bound(start, all.length - 1), all.length - 1);
    for (let i = first; i > bound(stop, -1); i += step) chosen.push(all[i]);
  }
  return typeof of === "string" ? chosen.join("") : chosen;
}

function recordMethod({ entries }: TemplateRecord, name: string): Value {
  const methods: Readonly<Record<string, Callable>> = {
    get: ([key, otherwise = null]) => (entries.has(String(key)) ? entries.get(String(key)) : otherwise),
    items: () => [...entries].map(([key, value]) => [key, value]),
    keys: () => [...entries.keys()],
    values: () => [...entries.values()],
  };
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

function stringMethod(text: string, name: string): Value {
  const methods: Readonly<Record<string, Callable>> = {
    strip: ([set]) => stripped(stripped(text, set, "start"), set, "end"),
    lstrip: ([set]) => stripped(text, set, "start"),
    rstrip: ([set]) => stripped(text, set, "end"),
    split: ([separator, limit]) => split(text, separator, limit),
    startswith: ([start]) => [start].flat().some((one) => text.startsWith(said(one as Value))),
    endswith: ([end]) => [end].flat().some((one) => text.endsWith(said(one as Value))),
    replace: ([from, to]) => text.replaceAll(said(from), said(to)),
    upper: () => text.toUpperCase(),
    lower: () => text.toLowerCase(),
    title: () => titled(text),
    capitalize: () => capitalized(text),
    join: ([list]) => items(list).map(said).join(text),
    find: ([part]) => text.indexOf(said(part)),
    count: ([part]) => text.split(said(part)).length - 1,
  };
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
export const titled = (text: string) => text.replace(/\p{L}+/gu, capitalized);

function stripped(text: string, set: Value, end: "start" | "end"): string {
  if (set === undefined || set === null) return end === "start" ? text.trimStart() : text.trimEnd();
  const characters = new Set(said(set));
  let [from, to] = [0, text.length];
  if (end === "start") while (from < to && characters.has(text[from])) from += 1;
  else while (to > from && characters.has(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

function split(text: string, separator: Value, limit: Value): Value {
  if (separator === undefined || separator === null) return text.split(/\s+/).filter((word) => word !== "");
  const parts = text.split(said(separator));
  if (typeof limit !== "number" || limit < 0 || parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(said(separator))];
}

/** As json.dumps writes it: a space after commas and colons, letters as they are. */
export function json(value: Value, indent?: number, depth = 1): string {
  spend();
  const pad = indent === undefined ? "" : `\n${" ".repeat(indent * depth)}`;
  const end = indent === undefined ? "" : `\n${" ".repeat(indent * (depth - 1))}`;
  const comma = indent === undefined ? ", " : ",";
  if (isList(value)) {
    const parts = value.map((item) => pad + json(item, indent, depth + 1));
    return parts.length === 0 ? "[]" : `[${parts.join(comma)}${end}]`;
  }
  if (value instanceof TemplateRecord) {
    const parts = [...value.entries].map(
      ([key, entry]) => `${pad}${JSON.stringify(key)}: ${json(entry, indent, depth + 1)}`,
    );
    return parts.length === 0 ? "{}" : `{${parts.join(comma)}${end}}`;
  }
  if (value === undefined || typeof value === "function")
    throw new DataError("the chat template writes a value that is not JSON");
  return JSON.stringify(value);
}
