// What is said of rows that no format fits: the nearest one and what it misses, and a ready flag for reading them all the same.
import { rowFormats } from "./formats.ts";
import { alternatives, usualColumns } from "./read-row.ts";
import type { Row } from "./row-format.ts";
import { gradeOf, listOf, numberOf, objectOf, textOf, valueAt, valueIn } from "./row-values.ts";

export function unknownRow(row: Row): string {
  const names = Object.keys(row).slice(0, 12).join(", ");
  const tokens = Object.keys(row).find((name) => /token/.test(name) && typeof listOf(row[name])?.[0] === "number");
  if (tokens !== undefined)
    return `tokens without their text (${tokens}); decode them with the model's tokenizer first`;
  const near = nearest(row);
  const columns = proposedColumns(row);
  const answers = columns?.startsWith("response=answer,") ? "if answer is what a model wrote, " : "";
  const how = `${answers}name the columns${columns === undefined ? "" : `: --columns ${columns}`}`;
  return `no known format (the record has ${names})${near === undefined ? "" : `; ${near}`}; ${how}`;
}

/** What a row of a known shape lacks, with a flag where a column that is there may be meant. */
export function withProposal(because: string, row: Row): string {
  const columns = because.startsWith("the response is") ? proposedColumns(row) : undefined;
  return columns === undefined ? because : `${because}; name the columns: --columns ${columns}`;
}

/** The format that misses least, where it has at least half of its paths and two of them. */
function nearest(row: Row): string | undefined {
  const near = rowFormats
    .filter(({ has }) => has.length > 1)
    .map(({ name, has }) => {
      const missing = has.filter((paths) => alternatives(paths).every((path) => valueAt(row, path) === undefined));
      return { name, missing, there: has.length - missing.length };
    })
    .filter(({ missing, there }) => missing.length > 0 && there >= 2 && there >= missing.length)
    .sort((a, b) => a.missing.length - b.missing.length || b.there - a.there)[0];
  return near && `nearest is ${near.name}, which also has ${near.missing.map(either).join(" and ")}`;
}

const either = (paths: string): string => alternatives(paths).join(" or ");

const named = (path: string): string => path.split(".").at(-1)!.toLowerCase();
const asks = /prompt|question|problem|query|instruction|input|task/;
const rights = /gold|truth|expected|reference|target|solution|ref$/;
const golds = new RegExp(`${rights.source}|^(?:${usualColumns.gold})$`);
const names = /(?:^|_)(?:id|uid|idx|index)$/;
const grades = /correct|right|solved|pass|acc|verdict|grade|success|ok$/;
const scores = /score|reward/;

/** By names that hold such a word and what they hold: proposed, and never taken. */
function proposedColumns(row: Row): string | undefined {
  const fields = fieldsOf(row);
  const texts = fields.filter(({ value }) => typeof value === "string" && value.length > 0);
  const longest = (some: typeof texts) =>
    [...some].sort((a, b) => String(b.value).length - String(a.value).length)[0]?.path;
  const usual = new Set(alternatives(usualColumns.response));
  const isAsked = ({ path, value }: Field) => asks.test(named(path)) || String(value).trimEnd().endsWith("?");
  const others = texts.filter((field) => !isAsked(field) && !rights.test(named(field.path)));
  const response =
    others.find(({ path }) => usual.has(named(path)))?.path ??
    longest(others.filter(({ value }) => /\s/.test(String(value))));
  if (response === undefined) return undefined;
  const left = texts.filter(({ path }) => path !== response);
  const prompt =
    longest(left.filter((field) => isAsked(field) && !names.test(named(field.path)))) ??
    longest(left.filter(({ path, value }) => /\s/.test(String(value)) && !rights.test(named(path))));
  const first = (words: RegExp, holds: (value: unknown) => unknown) =>
    fields.find(({ path, value }) => path !== response && words.test(named(path)) && holds(value) !== undefined)?.path;
  const told = {
    ...{ response, prompt, problem: prompt === undefined ? first(names, (value) => value) : undefined },
    ...{ gold: first(golds, (value) => textOf(value) ?? numberOf(value)), correct: first(grades, gradeOf) },
    score: first(scores, numberOf),
  };
  const pairs = Object.entries(told).filter(([, path]) => path !== undefined);
  return pairs.map(([what, path]) => `${what}=${path}`).join(",");
}

type Field = { readonly path: string; readonly value: unknown };

/** Texts, numbers and truth values, two records deep, and of the first of a list. */
function fieldsOf(row: Row, before = "", depth = 0): Field[] {
  return Object.entries(row).flatMap(([name, cell]) => {
    const value = valueIn(cell);
    const [path, inner] = [`${before}${name}`, objectOf(value) ?? objectOf(listOf(value)?.[0])];
    if (/[,=]/.test(path)) return [];
    return inner !== undefined && depth < 2 ? fieldsOf(inner, `${path}.`, depth + 1) : [{ path, value }];
  });
}
