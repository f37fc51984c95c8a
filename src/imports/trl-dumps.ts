// What TRL's completions do not say themselves. A batch is written down once for every step that trains on it (with four iterations,
// four files with the same rows): it was generated once, and counts once. And a table has the reward functions' columns first and
// then whatever they logged besides (`log_extra`), and says nowhere which is which. The trainer's settings say how many there are;
// where they do not, the advantages tell: within a group they rise and fall with the reward that was trained on, and with no other sum.
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parquetRowGroups, parquetRows } from "./parquet-rows.ts";
import type { Row } from "./row-format.ts";
import { numberIn } from "./row-values.ts";
import type { Slice } from "./slice.ts";
import { sliceRows } from "./slice-rows.ts";
import { rewardWeightsNear } from "./trainer-settings.ts";

const dump = /^completions_(\d+)\.parquet$/;

/** The name of the dump before this one, where both hold the same completions in the same order. */
export async function repeatedDump(path: string): Promise<string | undefined> {
  const own = dump.exec(basename(path));
  if (own === null) return undefined;
  const numbers = (await readdir(dirname(path))).flatMap((name) => {
    const found = dump.exec(name);
    return found === null ? [] : [{ name, step: Number(found[1]) }];
  });
  const before = numbers.filter(({ step }) => step < Number(own[1])).sort((a, b) => b.step - a.step)[0];
  if (before === undefined) return undefined;
  const [here, there] = await Promise.all([completions(path), completions(join(dirname(path), before.name))]);
  return here.length > 0 && here.length === there.length && here.every((text, i) => text === there[i])
    ? before.name
    : undefined;
}

async function completions(path: string): Promise<string[]> {
  const groups = await parquetRowGroups(path);
  const found: string[] = [];
  for await (const { row } of parquetRows(path, 0, groups.at(-1)?.end ?? 0))
    found.push(JSON.stringify([row.prompt, row.completion]));
  return found;
}

type RewardColumn = { readonly column: string; readonly weight: number };

const notRewards = /^(?:(?:gen_|global_)?step|prompt|completion|advantages?|entropy|images?)$/;
const rowsLookedAt = 512;

export async function trlRewards(slice: Slice): Promise<readonly RewardColumn[] | undefined> {
  const rows: Row[] = [];
  for await (const placed of sliceRows(slice)) {
    if ("row" in placed) rows.push(placed.row);
    if (rows.length === rowsLookedAt) break;
  }
  return rewardColumns(rows, await rewardWeightsNear(slice.path));
}

export function rewardColumns(
  rows: readonly Row[],
  weights: readonly number[] | "equal" | undefined,
): readonly RewardColumn[] | undefined {
  // A function that does not apply to a row leaves null or NaN, which TRL passes over.
  const isNumeric = (column: string) =>
    rows.every(
      ({ [column]: cell }) => cell === null || cell === undefined || Number.isNaN(cell) || numberIn(cell) !== undefined,
    );
  const numeric = [...new Set(rows.flatMap(Object.keys))].filter((name) => !notRewards.test(name) && isNumeric(name));
  if (Array.isArray(weights))
    return numeric.slice(0, weights.length).map((column, i) => ({
      column,
      weight: (weights as readonly number[])[i],
    }));
  const equally = (columns: readonly string[]) => columns.map((column) => ({ column, weight: 1 }));
  if (numeric.length === 1) return equally(numeric);
  const groups = groupsOf(rows);
  const fits = (columns: readonly string[]) => groups.every((group) => agrees(group, columns) !== false);
  const told = groups.some((group) => spread(group.map(advantageOf)) > smallest);
  if (weights !== "equal" && !told) return undefined;
  const fitting = numeric.map((_, i) => numeric.slice(0, i + 1)).filter(fits);
  const [fewest = [], most = fewest] = [fitting[0], fitting.at(-1)];
  // What is the same throughout every group moves no advantage: a reward, or a note about the problem.
  const doubtful = most
    .slice(fewest.length)
    .filter((name) => !/reward/i.test(name) && spread(rows.map((row) => numberIn(row[name]) ?? 0)) > smallest);
  return most.length === 0 || doubtful.length > 0 ? undefined : equally(most);
}

const smallest = 1e-6;

const advantageOf = (row: Row) => numberIn(row.advantage ?? row.advantages) ?? 0;
const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

/** Completions of one prompt stand together. */
function groupsOf(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let last: string | undefined;
  for (const row of rows) {
    const prompt = JSON.stringify(row.prompt);
    if (prompt === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = prompt;
  }
  // The last one may have been cut off where looking ended.
  return rows.length === rowsLookedAt ? groups.slice(0, -1) : groups;
}

/** Whether advantages rise and fall with the sum, however they are scaled. */
function agrees(group: readonly Row[], columns: readonly string[]): boolean {
  const centered = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const sums = centered(group.map((row) => columns.reduce((sum, name) => sum + (numberIn(row[name]) ?? 0), 0)));
  const advantages = centered(group.map(advantageOf));
  const [size, wanted] = [Math.hypot(...sums), Math.hypot(...advantages)];
  if (size < 1e-5 || wanted < 1e-5) return size < 1e-5 && wanted < 1e-2;
  const along = sums.reduce((sum, value, i) => sum + value * advantages[i], 0) / (size * wanted);
  return along > 0.9999;
}
