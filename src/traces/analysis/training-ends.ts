// The two ends of a training run in words. Its steps are asked different problems, a few each, so that single steps can
// hardly be compared; its first steps together and its last steps together can.
import { type Comparison, comparison } from "./comparison.ts";
import { seriesOf } from "./training-series.ts";
import { minProblems } from "./verdicts.ts";
import { type Workspace, workspace } from "./workspace.ts";

/** With fewer steps each is a checkpoint of its own; where they ask different problems, the halves of so many can be compared. */
const [minSteps, minInHalves] = [7, 4];
/** At each end: a quarter of the steps, and never fewer than this, because a single step is mostly luck. */
const [endShare, minAtEnd] = [0.25, 3];

/** The problems of all steps are of one source, so that other problems may stand for them. */
const otherProblems = true;

type End = { readonly name: string; readonly steps: ReadonlySet<number> };

/** The end of each training run against its start, and the ends of several against each other. A few steps tell less than validation. */
export function trainingEnds({ records, alphabet, labelers, replicates }: Workspace, validated: boolean): Comparison[] {
  const stepsOf = new Map<string, Map<number, Set<string>>>();
  for (const record of records)
    if (record.step !== undefined) {
      const series = seriesOf(record);
      const asked = stepsOf.get(series) ?? new Map<number, Set<string>>();
      stepsOf.set(series, asked.set(record.step, (asked.get(record.step) ?? new Set()).add(record.problem)));
    }
  const runs = [...stepsOf].flatMap(([series, found]) => {
    const steps = [...found.keys()].sort((a, b) => a - b);
    const few = steps.length < minSteps;
    const [first, last] = [steps[0], steps[steps.length - 1]].map((step) => found.get(step)!);
    const again = [...last].filter((problem) => first.has(problem)).length >= minProblems;
    if (few && (steps.length < minInHalves || again || validated)) return [];
    const width = few ? Math.floor(steps.length / 2) : Math.max(minAtEnd, Math.ceil(endShare * steps.length));
    const end = (own: readonly number[]): End => ({
      name: `${series === "training" ? "" : `${series} `}steps ${own[0]}–${own[own.length - 1]}`,
      steps: new Set(own),
    });
    return [{ series, start: end(steps.slice(0, width)), end: end(steps.slice(-width)) }];
  });
  if (runs.length === 0) return [];
  const pooled = records.flatMap((record) => {
    const { step } = record;
    const run = step === undefined ? undefined : runs.find(({ series }) => series === seriesOf(record));
    const end = run && [run.start, run.end].find(({ steps }) => steps.has(step!));
    return end === undefined ? [] : [{ ...record, checkpoint: end.name }];
  });
  const work = workspace(pooled, alphabet, labelers, replicates);
  return [
    ...runs.map(({ start, end }) => comparison(work, start.name, end.name, otherProblems)),
    ...runs.slice(1).map(({ end }) => comparison(work, runs[0].end.name, end.name, otherProblems)),
  ];
}
