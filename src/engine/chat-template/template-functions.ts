// The filters, tests and functions that chat templates use.
import { DataError, unknownName } from "../../base/errors.ts";
import { spendText } from "./template-budget.ts";
import {
  type Callable,
  capitalized,
  contains,
  equal,
  isList,
  items,
  json,
  member,
  said,
  TemplateRecord,
  titled,
  truthy,
  type Value,
} from "./template-values.ts";

type Named = ReadonlyMap<string, Value>;
type Filter = (value: Value, values: readonly Value[], named: Named) => Value;

const counted = (value: Value): number => (typeof value === "string" ? [...value].length : items(value).length);

/** The items on which a test comes out as wanted, or on an attribute of which it does. */
const chosen =
  (wanted: boolean, by: "item" | "attribute"): Filter =>
  (value, given) => {
    const [test, ...rest] = by === "item" ? given : given.slice(1);
    return items(value).filter((item) => {
      const own = by === "item" ? item : member(item, given[0]);
      return (test === undefined ? truthy(own) : runTest(said(test), own, rest)) === wanted;
    });
  };

const filters: Readonly<Record<string, Filter>> = {
  trim: (value) => said(value).trim(),
  length: counted,
  count: counted,
  upper: (value) => said(value).toUpperCase(),
  lower: (value) => said(value).toLowerCase(),
  capitalize: (value) => capitalized(said(value)),
  title: (value) => titled(said(value)),
  string: (value) => said(value),
  safe: (value) => value,
  int: (value) => Math.trunc(Number(said(value))) || 0,
  float: (value) => Number(said(value)) || 0,
  abs: (value) => Math.abs(Number(value)),
  list: (value) => [...items(value)],
  first: (value) => items(value)[0],
  last: (value) => items(value).at(-1),
  reverse: (value) => (typeof value === "string" ? [...value].reverse().join("") : [...items(value)].reverse()),
  unique: (value) => items(value).filter((item, i, all) => all.findIndex((other) => equal(other, item)) === i),
  join: (value, [separator = ""], named) => {
    const attribute = named.get("attribute");
    return items(value)
      .map((item) => said(attribute === undefined ? item : member(item, attribute)))
      .join(said(separator));
  },
  default: (value, [otherwise = "", always = false], named) =>
    value === undefined || (truthy(named.get("boolean") ?? always) && !truthy(value)) ? otherwise : value,
  replace: (value, [from, to]) => said(value).replaceAll(said(from), said(to)),
  tojson: (value, [first], named) => {
    const indent = named.get("indent") ?? first;
    return json(value, typeof indent === "number" ? indent : undefined);
  },
  items: (value) => (value instanceof TemplateRecord ? [...value.entries].map(([key, entry]) => [key, entry]) : []),
  dictsort: (value) =>
    value instanceof TemplateRecord
      ? [...value.entries]
          .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
          .map(([key, entry]) => [key, entry])
      : [],
  map: (value, [name, ...rest], named) => {
    const attribute = named.get("attribute");
    if (attribute !== undefined) return items(value).map((item) => member(item, attribute));
    return items(value).map((item) => runFilter(said(name), item, rest, new Map()));
  },
  selectattr: chosen(true, "attribute"),
  rejectattr: chosen(false, "attribute"),
  select: chosen(true, "item"),
  reject: chosen(false, "item"),
  indent: (value, [width = 4, first = false], named) => {
    const pad = " ".repeat(Number(named.get("width") ?? width));
    const text = said(value).replace(/\n(?=[^\n])/g, `\n${pad}`);
    return truthy(named.get("first") ?? first) ? pad + text : text;
  },
};
const filterNames: Readonly<Record<string, string>> = { d: "default", e: "safe", escape: "safe" };

export function runFilter(name: string, value: Value, values: readonly Value[], named: Named): Value {
  const known = filterNames[name] ?? name;
  if (!Object.hasOwn(filters, known)) throw unknownName("filter in the chat template", name, Object.keys(filters));
  if (typeof value === "string") spendText(value);
  return filters[known](value, values, named);
}

const tests: Readonly<Record<string, (value: Value, values: readonly Value[]) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === "number" && !Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  mapping: (value) => value instanceof TemplateRecord,
  iterable: (value) => isList(value) || typeof value === "string" || value instanceof TemplateRecord,
  callable: (value) => typeof value === "function",
  true: (value) => value === true,
  false: (value) => value === false,
  odd: (value) => Number(value) % 2 === 1,
  even: (value) => Number(value) % 2 === 0,
  divisibleby: (value, [by]) => Number(value) % Number(by) === 0,
  equalto: (value, [other]) => equal(value, other),
  ne: (value, [other]) => !equal(value, other),
  sameas: (value, [other]) => value === other,
  in: (value, [container]) => contains(container, value),
  lower: (value) => said(value) === said(value).toLowerCase(),
  upper: (value) => said(value) === said(value).toUpperCase(),
};
const testNames: Readonly<Record<string, string>> = {
  ...{ sequence: "iterable", eq: "equalto", "==": "equalto", "!=": "ne" },
};

export function runTest(name: string, value: Value, values: readonly Value[]): boolean {
  const known = testNames[name] ?? name;
  if (!Object.hasOwn(tests, known)) throw unknownName("test in the chat template", name, Object.keys(tests));
  return tests[known](value, values);
}

const longestRange = 100_000;

/** What any template may call. There is no clock among them: the same messages always give the same prompt. */
export const templateFunctions: Readonly<Record<string, Callable>> = {
  namespace: (_, named) => new TemplateRecord(named),
  dict: (_, named) => new TemplateRecord(named),
  range: (values) => {
    const [start, stop, step = 1] = values.length === 1 ? [0, Number(values[0])] : values.map(Number);
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (!(length <= longestRange)) throw new DataError(`the chat template asks for a range of ${length}`);
    return Array.from({ length }, (_, i) => start + i * step);
  },
  raise_exception: ([message]) => {
    throw new DataError(`the chat template refuses these messages: ${said(message)}`);
  },
};
