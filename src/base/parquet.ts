// JSON lines to Parquet, nested records included: the first reading infers the columns from every record, because the first
// rows of a dataset are not always typical; the second writes them, some rows at a time.
import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import type { SchemaElement } from "hyparquet";
import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import { DataError } from "./errors.ts";
import { readJsonLinesFile } from "./json-lines.ts";

/** What all values of one place have in common; `json` where they have nothing. */
type Shape =
  | { readonly kind: "nothing" | "truth" | "whole" | "real" | "text" | "json" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "record"; readonly fields: ReadonlyMap<string, Shape> };

const nothing: Shape = { kind: "nothing" };
const most32 = 2 ** 31 - 1;

function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined) return nothing;
  if (typeof value === "boolean") return { kind: "truth" };
  if (typeof value === "string") return { kind: "text" };
  if (typeof value === "number")
    return { kind: Number.isInteger(value) && Math.abs(value) <= most32 ? "whole" : "real" };
  if (Array.isArray(value)) return { kind: "list", of: value.map(shapeOf).reduce(common, nothing) };
  return { kind: "record", fields: new Map(Object.entries(value).map(([name, own]) => [name, shapeOf(own)])) };
}

function common(one: Shape, other: Shape): Shape {
  if (one.kind === "nothing") return other;
  if (other.kind === "nothing") return one;
  if (one.kind === "list" && other.kind === "list") return { kind: "list", of: common(one.of, other.of) };
  if (one.kind === "record" && other.kind === "record") {
    const names = new Set([...one.fields.keys(), ...other.fields.keys()]);
    const both = (name: string) => common(one.fields.get(name) ?? nothing, other.fields.get(name) ?? nothing);
    return { kind: "record", fields: new Map(Array.from(names, (name) => [name, both(name)])) };
  }
  if (one.kind === other.kind) return one;
  const numbers = ["whole", "real"];
  return { kind: numbers.includes(one.kind) && numbers.includes(other.kind) ? "real" : "json" };
}

/** Parquet knows no record without fields. */
const isJson = (shape: Shape): boolean => shape.kind === "json" || (shape.kind === "record" && shape.fields.size === 0);

function schemaOf(name: string, shape: Shape): SchemaElement[] {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  if (isJson(shape)) return [{ ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" }];
  switch (shape.kind) {
    case "truth":
      return [{ ...optional, type: "BOOLEAN" }];
    case "whole":
      return [{ ...optional, type: "INT32" }];
    case "real":
      return [{ ...optional, type: "DOUBLE" }];
    case "list":
      return [
        { ...optional, num_children: 1, converted_type: "LIST" },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...schemaOf("element", shape.of),
      ];
    case "record":
      return [
        { ...optional, num_children: shape.fields.size },
        ...Array.from(shape.fields, ([field, of]) => schemaOf(field, of)).flat(),
      ];
    default:
      return [{ ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" }];
  }
}

/** A value as its column takes it: what has no shape of its own is written as JSON. */
function shaped(value: unknown, shape: Shape): unknown {
  if (value === null || value === undefined) return undefined;
  if (isJson(shape)) return JSON.stringify(value);
  if (shape.kind === "list") return (value as unknown[]).map((one) => shaped(one, shape.of));
  if (shape.kind !== "record") return value;
  const record = value as Record<string, unknown>;
  return Object.fromEntries(Array.from(shape.fields, ([name, of]) => [name, shaped(record[name], of)]));
}

/** Writes `parquet` whole or not at all. */
export async function jsonLinesToParquet(jsonLines: string, parquet: string): Promise<void> {
  let whole: Shape = { kind: "record", fields: new Map() };
  for await (const record of recordsOf(jsonLines)) whole = common(whole, shapeOf(record));
  const fields = whole.kind === "record" ? whole.fields : new Map<string, Shape>();
  if (fields.size === 0) throw new DataError(`${jsonLines} holds no records, so there is no table of them`);
  const [, ...children] = schemaOf("root", whole);
  const temporary = `${parquet}.${randomBytes(6).toString("hex")}.tmp`;
  const rows = async function* () {
    for await (const record of recordsOf(jsonLines)) yield shaped(record, whole) as Record<string, unknown>;
  };
  try {
    await parquetWriteRows({
      writer: fileWriter(temporary),
      rows: rows(),
      columns: Array.from(fields.keys(), (name) => ({ name })),
      schema: [{ name: "root", num_children: fields.size }, ...children],
      rowGroupSize: 10_000,
    });
    await rename(temporary, parquet);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function* recordsOf(path: string): AsyncGenerator<object> {
  for await (const read of readJsonLinesFile(path)) {
    const value = "value" in read ? read.value : undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new DataError(`${path}:${read.line} is not a record, so there is no table of it`);
    yield value;
  }
}
