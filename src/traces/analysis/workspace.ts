// The records of one scope ready for measuring: columns of measures, problems to resample, members of each checkpoint.
import { recipeOrder } from "../../runs/recipe-names.ts";
import type { LabelerDescription } from "../labeler.ts";
import type { Alphabet } from "../sequence.ts";
import { type ProblemIndex, problemIndex } from "./clusters.ts";
import type { DrawnMeasures, DrawnRecord } from "./label-error.ts";
import { columnsBeside, type MeasureColumns, measureColumns, measureNames } from "./measures.ts";

export type Workspace = {
  readonly records: readonly DrawnRecord[];
  readonly alphabet: Alphabet;
  readonly columns: MeasureColumns;
  /** What is compared beside the measures: spans without a sure label, and what another vocabulary says. */
  readonly beside: MeasureColumns;
  /** For every draw of what the labels may be, for means; `likely` for what is asked of each trace by itself. */
  readonly drawn: readonly MeasureColumns[];
  readonly likely: readonly MeasureColumns[];
  readonly problems: ProblemIndex;
  readonly replicates: number;
  /** In the order in which they are shown. */
  readonly checkpoints: readonly string[];
  /** Places of a checkpoint's records. */
  readonly of: (checkpoint: string) => readonly number[];
  readonly labelers: ReadonlyMap<string, LabelerDescription>;
};

export function workspace(
  records: readonly DrawnRecord[],
  alphabet: Alphabet,
  labelers: ReadonlyMap<string, LabelerDescription>,
  replicates: number,
): Workspace {
  const members = checkpointsOf(records);
  const problems = problemIndex(records);
  return {
    records,
    alphabet,
    columns: measureColumns(records, alphabet),
    beside: columnsBeside(records),
    drawn: drawnColumns(records, "unbiased", measureNames(alphabet)),
    likely: drawnColumns(records, "likely", measureNames(alphabet)),
    problems,
    replicates,
    checkpoints: [...members.keys()],
    of: (checkpoint) => members.get(checkpoint) ?? [],
    labelers,
  };
}

/** Of these records, in their order. */
function drawnColumns(
  records: readonly DrawnRecord[],
  which: keyof DrawnMeasures,
  names: readonly string[],
): MeasureColumns[] {
  const draws = records[0]?.drawn?.measures[which] ?? [];
  const places = draws.length === 0 ? [] : records.map(({ drawn }) => drawn!.place);
  return draws.map((columns) =>
    Object.fromEntries(
      names.map((name, m) => {
        const own = new Float32Array(places.length);
        for (let i = 0; i < places.length; i++) own[i] = columns[m][places[i]];
        return [name, own];
      }),
    ),
  );
}

/** What people call the models that training starts from, in that order, unless a name tells of what was done to them, too. */
const trained = /(^|[^a-z])(rl|[a-z]*po|rloo|reinforce|step|epoch|ckpt|checkpoint|final)([^a-z]|$)/i;
const beginnings = [
  /(^|[^a-z])(base|pretrain(ed)?|init(ial)?|reference|untrained)([^a-z]|$)/i,
  /(^|[^a-z])(sft|cold-?start)([^a-z]|$)/i,
];

/** Its place in the recipe, or what its name says: what training started from, nothing, what was trained. */
function beginningOf(name: string): number {
  const recipe = recipeOrder.indexOf(name);
  if (recipe !== -1) return recipe;
  if (trained.test(name)) return recipeOrder.length + 1;
  const beginning = beginnings.findIndex((pattern) => pattern.test(name));
  return beginning === -1 ? recipeOrder.length : beginning;
}

/**
 * In the order of their making as far as it is known: the recipe's own and what training starts from; then by training step;
 * then those whose names differ in a last number (`ckpt-5`, `ckpt-10-merged`) by that number; else as they appear, which is as
 * the user gave them.
 */
export function checkpointsOf(records: readonly Pick<DrawnRecord, "checkpoint" | "step">[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  records.forEach(({ checkpoint }, i) => {
    const members = found.get(checkpoint);
    if (members === undefined) found.set(checkpoint, [i]);
    else members.push(i);
  });
  const stems: string[] = [];
  const places = [...found].map(([name, members]) => {
    const step = records[members[0]].step;
    const [, before = name, number = "0", after = ""] = name.match(/^(.*?)(\d+)(\D*)$/) ?? [];
    const stem = `${before}\u0000${after}`;
    if (!stems.includes(stem)) stems.push(stem);
    // What has no step was there before the training that has.
    return {
      name,
      keys: [beginningOf(name), step ?? -1, stems.indexOf(stem), Number(number)],
    };
  });
  places.sort((a, b) => a.keys.map((key, i) => key - b.keys[i]).find((difference) => difference !== 0) ?? 0);
  return new Map(places.map(({ name }) => [name, found.get(name)!]));
}
