// Which rollouts match, in what order, and how many of each kind: one pass over plain records.
import { puzzleIdentity } from "../problems/problem-id.ts";
import { categoryCounts } from "../traces/categories.ts";
import { type Alphabet, readSequence } from "../traces/sequence.ts";
import type { RolloutsReply, TraceNote } from "./api.ts";
import type { RolloutQuery } from "./queries.ts";
import { type IndexedRollout, stateNames, verdictNames } from "./rollout-index.ts";
import { noteKey } from "./trace-notes.ts";

/** What filters know about problems besides their ids. */
export type ProblemFacts = ReadonlyMap<
  string,
  { readonly set: string; readonly puzzle?: string; readonly asked?: string }
>;

/** Rows of a source; `found` where a text was searched for. */
export type Part = { readonly rows: readonly IndexedRollout[]; readonly found?: ReadonlySet<number> };

type Test = (row: IndexedRollout) => boolean;

export function matchingRollouts(
  parts: readonly Part[],
  query: RolloutQuery,
  facts: ProblemFacts,
  notes: readonly TraceNote[],
  alphabet: Alphabet,
): IndexedRollout[] {
  const test = testOf(query, facts, notes, alphabet);
  const matching = parts.flatMap(({ rows, found }) =>
    rows.filter((row) => !row.hidden && (found === undefined || found.has(row.row)) && test(row)),
  );
  return sorted(matching, query);
}

function testOf(query: RolloutQuery, facts: ProblemFacts, notes: readonly TraceNote[], alphabet: Alphabet): Test {
  const { verdict, state, problem, set, puzzle, category, noted, tag } = query;
  const { codeOf } = alphabet;
  const bits = (labels: readonly string[]) => labels.reduce((all, label) => all | (1 << codeOf(label)), 0);
  const letters = query.motif?.map((label) => alphabet.letters[codeOf(label)]).join("");
  const [must, mustNot] = [bits(query.primitive), bits(query.without)];
  const tests: Test[] = [];
  if (verdict.length > 0) tests.push((row) => verdict.includes(row.verdict));
  if (state.length > 0) tests.push((row) => state.includes(row.state));
  if (problem !== undefined) tests.push((row) => row.problem === problem);
  if (set !== undefined) tests.push((row) => facts.get(row.problem)?.set === set);
  if (puzzle !== undefined)
    tests.push((row) => (facts.get(row.problem)?.puzzle ?? puzzleIdentity(row.problem)?.puzzle) === puzzle);
  if (noted.length > 0 || tag.length > 0) tests.push(isNoted(notes, query));
  if (must !== 0) tests.push(({ contains }) => (contains & must) === must);
  if (mustNot !== 0) tests.push(({ contains, spans }) => spans !== undefined && (contains & mustNot) === 0);
  for (const [key, least, most] of [
    ["tokens", query.minTokens, query.maxTokens],
    ["step", query.minStep, query.maxStep],
    ["depth", query.minDepth, query.maxDepth],
    ["reward", query.minReward, query.maxReward],
  ] as const)
    if (least !== undefined || most !== undefined)
      // A value that is not known lies outside every range that is asked for.
      tests.push(({ [key]: value = Number.NaN }) => value >= (least ?? -Infinity) && value <= (most ?? Infinity));
  // Motifs are contiguous, and a break stands for itself.
  if (letters !== undefined) tests.push(({ sequence }) => sequence?.includes(letters) === true);
  if (category !== undefined)
    tests.push(({ sequence = "" }) => categoryCounts(readSequence(sequence, alphabet), alphabet)[category] > 0);
  return (row) => tests.every((holds) => holds(row));
}

function isNoted(notes: readonly TraceNote[], { noted, tag }: Pick<RolloutQuery, "noted" | "tag">): Test {
  const wanted = notes.filter(
    (note) =>
      (!noted.includes("bookmark") || note.bookmarked) &&
      (!noted.includes("note") || note.text !== "") &&
      tag.every((one) => note.tags.includes(one)),
  );
  const [problems, keys] = [new Set(wanted.map(({ problem }) => problem)), new Set(wanted.map(noteKey))];
  return (row) => problems.has(row.problem) && keys.has(noteKey(row));
}

function sorted(rows: IndexedRollout[], { sort, order }: RolloutQuery): IndexedRollout[] {
  if (sort === "log") return order === "asc" ? rows : rows.reverse();
  const sign = order === "asc" ? 1 : -1;
  const rankOf =
    sort === "verdict" ? new Map<string, number>(verdictNames.map((name, i) => [name, i])) : ranks(rows, sort);
  const keyed = rows.map((row) => {
    const value = row[sort];
    return { row, key: typeof value === "string" ? rankOf!.get(value)! : value };
  });
  // What is not known comes last, whichever way; equals stay as they are given.
  keyed.sort((a, b) =>
    a.key === undefined || b.key === undefined
      ? Number(a.key === undefined) - Number(b.key === undefined)
      : sign * (a.key - b.key),
  );
  return keyed.map(({ row }) => row);
}

/** Problems by name, numbers in them by their size; sources in their own order. */
function ranks(rows: readonly IndexedRollout[], sort: string): ReadonlyMap<string, number> | undefined {
  if (sort !== "problem" && sort !== "source") return undefined;
  const names = [...new Set(rows.map((row) => row[sort]))];
  if (sort === "problem") names.sort(new Intl.Collator("en", { numeric: true }).compare);
  return new Map(names.map((name, rank) => [name, rank]));
}

/** Bars of the histogram of rewards. */
const bins = 12;

export function facetsOf(
  sources: readonly string[],
  rows: readonly IndexedRollout[],
  all: readonly Part[],
  { labels }: Alphabet,
): RolloutsReply["facets"] {
  const zeros = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const facets = {
    ...{ sources: zeros(sources), verdicts: zeros(verdictNames), states: zeros(stateNames) },
  };
  const byLabel = labels.map(() => 0);
  const range = rewardRange(all);
  const rewards = range && new Array<number>(bins).fill(0);
  for (const { source, verdict, state, contains, reward } of rows) {
    facets.sources[source] += 1;
    facets.verdicts[verdict] += 1;
    facets.states[state] += 1;
    for (let code = 0, bits = contains; bits !== 0 && code < byLabel.length; code++, bits >>>= 1)
      byLabel[code] += bits & 1;
    if (rewards && reward !== undefined)
      rewards[Math.min(bins - 1, Math.floor((bins * (reward - range[0])) / (range[1] - range[0])))] += 1;
  }
  const primitives = Object.fromEntries(labels.map((label, i) => [label, byLabel[i]]));
  return { ...facets, primitives, ...(rewards && { rewards: { low: range[0], high: range[1], counts: rewards } }) };
}

/** Of everything that is asked, so that a filter does not move the bars that it is chosen by. */
function rewardRange(parts: readonly Part[]): readonly [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { rows } of parts)
    for (const { reward } of rows)
      if (reward !== undefined) [low, high] = [Math.min(low, reward), Math.max(high, reward)];
  return low < high ? [low, high] : undefined;
}
