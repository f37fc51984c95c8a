// Which rollouts are wanted: in the address, and as the question that the server understands.

import type { Query, QueryChange } from "./address.ts";
import type { Values } from "./data/question.ts";
import type { Labels } from "./label-looks.ts";

/** Several values in one place of an address; commas and percent signs inside them are written out. */
export const listText = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");

export function listOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text.split(",").map((value) => value.replaceAll("%2C", ",").replaceAll("%25", "%"));
}

/** Kept as lists. */
const lists = ["source", "verdict", "state", "primitive", "without", "noted", "tag"] as const;
const single = [
  "motif",
  "category",
  "problem",
  "set",
  "puzzle",
  "minTokens",
  "maxTokens",
  "minStep",
  "maxStep",
  "minDepth",
  "maxDepth",
  "minReward",
  "maxReward",
  "text",
  "sort",
  "order",
] as const;

export type ListFilter = (typeof lists)[number];

/** `compute→check`, `compute -> check`, `compute check` or letters; what is no motif stays as it is, to be refused. */
export function motifOfText(text: string, { named, lettered }: Labels): string {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s*(?:→|->|,|\s)\s*/);
  if (words.every((word) => named(word) !== undefined)) return words.join("→");
  const letters = text.trim().toUpperCase();
  return [...letters].every((letter) => lettered(letter) !== undefined) ? letters : text.trim();
}

/** The labels of a motif as the server is asked for it. */
export const motifLabels = (motif: string, { named, lettered }: Labels): string[] =>
  named(motif.split("→")[0]) === undefined
    ? [...motif].map((letter) => lettered(letter)?.name ?? letter)
    : motif.split("→");

/** What the server is asked; what it refuses it says itself. A search begins with the second letter. */
export function filterValues(run: string, query: Query, labels: Labels): Values {
  const values: Record<string, string | readonly string[]> = { run };
  for (const key of lists) {
    const wanted = listOf(query[key]);
    if (wanted.length > 0) values[key] = wanted;
  }
  for (const key of single) {
    const value = query[key];
    if (value === undefined || value === "") continue;
    if (key === "text" && value.length < 2) continue;
    values[key] = key === "motif" ? motifOfText(value, labels) : value;
  }
  return values;
}

/** The part of an address that is a filter, without what only the list itself needs. */
export function filterOnly(query: Query): QueryChange {
  return Object.fromEntries([...lists, ...single].map((key) => [key, query[key]]));
}

export const isFiltered = (query: Query): boolean =>
  [...lists, ...single].some((key) => key !== "sort" && key !== "order" && (query[key] ?? "") !== "");

export const noFilter: QueryChange = Object.fromEntries(
  [...lists, ...single].filter((key) => key !== "sort" && key !== "order").map((key) => [key, undefined]),
);
