// Which rollouts match, in what order, and how many of each kind: one pass over flat arrays, so that a hundred thousand
// rows answer while a finger is still on the key.
import { puzzleIdentity } from "../problems/problem-id.ts";
import type { Alphabet, PrimitiveSequence } from "../traces/sequence.ts";
import type { RolloutsReply } from "./api.ts";
import type { RolloutQuery } from "./queries.ts";
import { type RolloutColumns, stateNames, verdictNames } from "./rollout-columns.ts";

/** What filters know about problems besides their ids. */
export type ProblemFacts = ReadonlyMap<
  string,
  { readonly set: string; readonly puzzle?: string; readonly asked?: string }
>;

/** A source as filters see it; `found` has a 1 for each row in which a text was found, `noted` for each that people wrote on. */
export type FilteredSource = {
  readonly id: string;
  readonly columns: RolloutColumns;
  readonly found?: Uint8Array;
  readonly noted?: Uint8Array;
};

/** Rows of several sources: row `rows[i]` of source `sources[i]`. */
export type Matches = { readonly sources: Uint16Array; readonly rows: Uint32Array };

export function matchingRollouts(
  sources: readonly FilteredSource[],
  query: RolloutQuery,
  facts: ProblemFacts,
): Matches {
  const parts = sources.map((source) => matchingRows(source, query, facts));
  const total = parts.reduce((sum, rows) => sum + rows.length, 0);
  const matches = { sources: new Uint16Array(total), rows: new Uint32Array(total) };
  let at = 0;
  parts.forEach((rows, i) => {
    matches.sources.fill(i, at, at + rows.length);
    matches.rows.set(rows, at);
    at += rows.length;
  });
  return sorted(sources, matches, query);
}

function matchingRows(
  { columns, found, noted }: FilteredSource,
  query: RolloutQuery,
  facts: ProblemFacts,
): Uint32Array {
  const { hidden, verdict, state, tokens, step, depth, contains, categories, problem } = columns.columns;
  const verdicts = mask(query.verdict.map((name) => verdictNames.indexOf(name)));
  const states = mask(query.state.map((name) => stateNames.indexOf(name)));
  const allowed = allowedProblems(columns, query, facts);
  const { codeOf } = columns.alphabet;
  const motif = query.motif?.map(codeOf);
  const must = bitsOf([...query.primitive.map(codeOf), ...(motif ?? [])]);
  const mustNot = bitsOf(query.without.map(codeOf));
  const { category, minTokens, maxTokens, minStep, maxStep, minDepth, maxDepth } = query;
  const needsLabels =
    [category, motif, minDepth, maxDepth].some((wanted) => wanted !== undefined) || must !== 0 || mustNot !== 0;
  const rows = needsLabels ? columns.labeled : columns.rows;
  const out = new Uint32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    if (hidden[row] === 1 || (verdicts & (1 << verdict[row])) === 0 || (states & (1 << state[row])) === 0) continue;
    if (allowed !== undefined && allowed[problem[row]] === 0) continue;
    if (found !== undefined && found[row] !== 1) continue;
    if (noted !== undefined && noted[row] !== 1) continue;
    if (needsLabels && ((contains[row] & must) !== must || (contains[row] & mustNot) !== 0)) continue;
    if (category !== undefined && (categories[row] & (1 << category)) === 0) continue;
    if (outside(tokens[row], minTokens, maxTokens) || outside(step[row], minStep, maxStep)) continue;
    if (needsLabels && outside(depth[row], minDepth, maxDepth)) continue;
    if (motif !== undefined && firstOccurrence(columns.sequenceOf(row), motif, 0) === -1) continue;
    out[count++] = row;
  }
  return out.subarray(0, count);
}

/** No choice means all. */
const mask = (bits: readonly number[]): number => (bits.length === 0 ? -1 : bitsOf(bits));

const bitsOf = (bits: readonly number[]): number => bits.reduce((all, bit) => all | (1 << bit), 0);

/** A value that is not known lies outside every range that is asked for. */
const outside = (value: number, least: number | undefined, most: number | undefined): boolean =>
  (least !== undefined && value < least) || (most !== undefined && (value > most || value < 0));

function allowedProblems(columns: RolloutColumns, query: RolloutQuery, facts: ProblemFacts): Uint8Array | undefined {
  const { problem, set, puzzle } = query;
  if (problem === undefined && set === undefined && puzzle === undefined) return undefined;
  return Uint8Array.from(columns.problems, (id) => {
    const fact = facts.get(id);
    const matches =
      (problem === undefined || id === problem) &&
      (set === undefined || fact?.set === set) &&
      (puzzle === undefined || (fact?.puzzle ?? puzzleIdentity(id)?.puzzle) === puzzle);
    return matches ? 1 : 0;
  });
}

/** Where a motif stands next, from a span on; -1 where it does not. Motifs are contiguous, and a break stands for itself. */
export function firstOccurrence(sequence: PrimitiveSequence, codes: readonly number[], from: number): number {
  for (let start = from; start + codes.length <= sequence.length; start++) {
    let matched = 0;
    while (matched < codes.length && sequence[start + matched] === codes[matched]) matched += 1;
    if (matched === codes.length) return start;
  }
  return -1;
}

function sorted(sources: readonly FilteredSource[], matches: Matches, { sort, order }: RolloutQuery): Matches {
  const count = matches.rows.length;
  if (sort === "log") return order === "asc" ? matches : permuted(matches, (i) => count - 1 - i);
  const keyOf = sort === "source" ? (source: number) => source : sort === "problem" ? problemRanks(sources) : undefined;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const { columns } = sources[matches.sources[i]].columns;
    keys[i] = keyOf?.(matches.sources[i], matches.rows[i]) ?? columns[sort as keyof typeof columns][matches.rows[i]];
  }
  // What is not known comes last, whichever way.
  const last = order === "asc" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) if (Number.isNaN(keys[i]) || (keys[i] === -1 && sort !== "reward")) keys[i] = last;
  const sign = order === "asc" ? 1 : -1;
  const indices = Uint32Array.from({ length: count }, (_, i) => i);
  indices.sort((a, b) => (keys[a] === keys[b] ? a - b : sign * (keys[a] - keys[b])));
  return permuted(matches, (i) => indices[i]);
}

/** Problems by name, numbers in them by their size; the same problem has one rank in every source. */
function problemRanks(sources: readonly FilteredSource[]): (source: number, row: number) => number {
  const names = [...new Set(sources.flatMap(({ columns }) => columns.problems))];
  names.sort(new Intl.Collator("en", { numeric: true }).compare);
  const ranks = new Map(names.map((name, rank) => [name, rank]));
  const ofCode = sources.map(({ columns }) => columns.problems.map((name) => ranks.get(name)!));
  return (source, row) => ofCode[source][sources[source].columns.columns.problem[row]];
}

function permuted({ sources, rows }: Matches, from: (i: number) => number): Matches {
  const result = { sources: new Uint16Array(rows.length), rows: new Uint32Array(rows.length) };
  for (let i = 0; i < rows.length; i++) {
    result.sources[i] = sources[from(i)];
    result.rows[i] = rows[from(i)];
  }
  return result;
}

export function facetsOf(
  sources: readonly FilteredSource[],
  { sources: of, rows }: Matches,
  { labels }: Alphabet,
): RolloutsReply["facets"] {
  const bySource = new Uint32Array(sources.length);
  const byVerdict = new Uint32Array(verdictNames.length);
  const byState = new Uint32Array(stateNames.length);
  const byPrimitive = new Uint32Array(labels.length);
  for (let i = 0; i < rows.length; i++) {
    const { verdict, state, contains } = sources[of[i]].columns.columns;
    bySource[of[i]] += 1;
    byVerdict[verdict[rows[i]]] += 1;
    byState[state[rows[i]]] += 1;
    for (let code = 0, bits = contains[rows[i]]; code < labels.length; code++, bits >>>= 1)
      byPrimitive[code] += bits & 1;
  }
  const named = <Name extends string>(names: readonly Name[], counts: Uint32Array) =>
    Object.fromEntries(names.map((name, i) => [name, counts[i]])) as Record<Name, number>;
  return {
    sources: named(
      sources.map(({ id }) => id),
      bySource,
    ),
    verdicts: named(verdictNames, byVerdict),
    states: named(stateNames, byState),
    primitives: named(labels, byPrimitive),
  };
}
