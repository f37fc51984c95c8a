// Which columns of TRL's completions are rewards, and with what weight. A table has the reward functions' columns first and then
// whatever they logged besides (`log_extra`), and says nowhere which is which. The trainer's own log names the functions; where it
// is not at hand, the advantages tell: within a group they rise and fall with the reward that was trained on, and with no other sum.
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { leastSquares } from "../base/statistics/least-squares.ts";
import type { Row } from "./row-format.ts";
import { numberOf } from "./row-values.ts";
import type { Slice } from "./slice.ts";
import { sliceRows } from "./slice-rows.ts";
import { rewardWeightsNear } from "./trainer-settings.ts";

export type RewardColumn = { readonly column: string; readonly weight: number };

const notRewards = new Set(["step", "prompt", "completion", "advantage", "advantages", "entropy", "image", "images"]);
const rowsLookedAt = 512;

export async function trlRewards(slice: Slice): Promise<readonly RewardColumn[] | undefined> {
  const rows: Row[] = [];
  for await (const placed of sliceRows(slice)) {
    if ("row" in placed) rows.push(placed.row);
    if (rows.length === rowsLookedAt) break;
  }
  const weights = await rewardWeightsNear(slice.path);
  const logged = await loggedNear(slice.path);
  if (weights === undefined && logged?.weights !== undefined) return logged.weights;
  return rewardColumns(rows, weights, logged?.functions);
}

export function rewardColumns(
  rows: readonly Row[],
  weights: readonly number[] | "equal" | undefined,
  functions: readonly string[] | undefined,
): readonly RewardColumn[] | undefined {
  // A function that does not apply to a row leaves null or NaN, which TRL passes over.
  const isNumeric = (column: string) =>
    rows.every((row) => row[column] === null || row[column] === undefined || typeof row[column] === "number");
  const numeric = [...new Set(rows.flatMap(Object.keys))].filter((name) => !notRewards.has(name) && isNumeric(name));
  const known = functions === undefined ? undefined : numeric.filter((name) => functions.includes(name));
  if (Array.isArray(weights))
    return (known?.length === weights.length ? known : numeric.slice(0, weights.length)).map((column, i) => ({
      column,
      weight: (weights as readonly number[])[i],
    }));
  const equally = (columns: readonly string[]) => columns.map((column) => ({ column, weight: 1 }));
  if (numeric.length === 1) return equally(numeric);
  const groups = groupsOf(rows);
  const fits = (columns: readonly string[]) => groups.every((group) => agrees(group, columns) !== false);
  const told = groups.some((group) => spread(group.map(advantageOf)) > smallest);
  if (known !== undefined && known.length > 0)
    return weights === "equal" || (told && fits(known)) ? equally(known) : undefined;
  if (weights !== "equal" && !told) return undefined;
  const fitting = numeric.map((_, i) => numeric.slice(0, i + 1)).filter(fits);
  const [fewest = [], most = fewest] = [fitting[0], fitting.at(-1)];
  // What is the same throughout every group moves no advantage: a reward, or a note about the problem.
  const doubtful = most
    .slice(fewest.length)
    .filter((name) => !/reward/i.test(name) && spread(rows.map((row) => numberOf(row[name]) ?? 0)) > smallest);
  return most.length === 0 || doubtful.length > 0 ? undefined : equally(most);
}

const smallest = 1e-6;

const advantageOf = (row: Row) => numberOf(row.advantage ?? row.advantages) ?? 0;
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
  const sums = centered(group.map((row) => columns.reduce((sum, name) => sum + (numberOf(row[name]) ?? 0), 0)));
  const advantages = centered(group.map(advantageOf));
  const [size, wanted] = [Math.hypot(...sums), Math.hypot(...advantages)];
  if (size < 1e-5 || wanted < 1e-5) return size < 1e-5 && wanted < 1e-2;
  const along = sums.reduce((sum, value, i) => sum + value * advantages[i], 0) / (size * wanted);
  return along > 0.9999;
}

const stateSchema = z.object({ log_history: z.array(z.record(z.string(), z.unknown())) });
const largestState = 64 << 20;

type Logged = { readonly functions: readonly string[]; readonly weights?: readonly RewardColumn[] };

/** The reward functions by name, as the trainer logs them (`rewards/<name>/mean`) beside its checkpoints. */
async function loggedNear(path: string): Promise<Logged | undefined> {
  let folder = dirname(path);
  for (let level = 0; level < 3; level++, folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => []);
    const saved = names.filter((name) => /^checkpoint-\d+$/.test(name));
    for (const name of [".", ...saved.sort((a, b) => Number(b.slice(11)) - Number(a.slice(11))).slice(0, 1)]) {
      const found = loggedRewards(await historyIn(join(folder, name, "trainer_state.json")));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

async function historyIn(path: string): Promise<readonly Row[]> {
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined || size > largestState) return [];
  try {
    return stateSchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data?.log_history ?? [];
  } catch (error) {
    // Somebody else's file, perhaps half written: the advantages are asked instead.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const isMean = /^rewards\/(.+?)(?:\/mean)?$/;

/** Each entry logs the mean reward beside the mean of each function: as soon as there are enough, they say the weights. */
export function loggedRewards(history: readonly Row[]): Logged | undefined {
  const means = history.flatMap(Object.keys).filter((key) => isMean.test(key) && !key.endsWith("/std"));
  const columns = [...new Set(means)];
  if (columns.length === 0) return undefined;
  const functions = columns.map((key) => isMean.exec(key)![1]);
  const entries = history
    .map((entry) => [...columns, "reward"].map((key) => numberOf(entry[key])))
    .filter((values): values is number[] => values.every((value) => value !== undefined));
  const [rows, totals] = [entries.map((values) => values.slice(0, -1)), entries.map((values) => values.at(-1)!)];
  const found = entries.length > columns.length ? leastSquares(rows, totals) : undefined;
  const sum = (row: readonly number[]) => row.reduce((total, value, i) => total + value * found![i], 0);
  // A reward that other means do not explain (of rows that a function passed over) tells nothing.
  if (found === undefined || !rows.every((row, i) => Math.abs(sum(row) - totals[i]) < 1e-4)) return { functions };
  return { functions, weights: functions.map((column, i) => ({ column, weight: Number(found[i].toFixed(4)) })) };
}
