// What happened, in at most three sentences with numbers: what the last checkpoint solves, how it reasons, what changed on
// the way there. Everything is taken from the analysis as it stands.
import type { Comparison } from "../traces/analysis/comparison.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import { depthMeasure, recoveryMeasure } from "../traces/analysis/measures.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { minProblems } from "../traces/analysis/verdicts.ts";
import type { Alphabet } from "../traces/sequence.ts";

const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
const range = ({ low, high }: Estimate, text: (value: number) => string) =>
  Number.isFinite(low) && Number.isFinite(high) ? ` [${text(low)}, ${text(high)}]` : "";
const plain = (value: number) => value.toFixed(2);
const points = (value: number) => (100 * value).toFixed(1).replace("-", "−");

/** The comparison that says most: the ends of a training run, else the pair on the same problems in which most changed. */
export function tellingComparison(comparisons: readonly Comparison[]): Comparison | undefined {
  const told = comparisons.filter(({ sharedProblems }) => sharedProblems >= minProblems);
  const ends = told.find(({ first, second }) => /steps \d/.test(first) && /steps \d/.test(second));
  const changed = ({ changes }: Comparison) =>
    changes.filter(({ change }) => change === "rose" || change === "fell").length;
  return ends ?? [...told].sort((a, b) => changed(b) - changed(a))[0];
}

export function conclusion(
  { checkpoints, comparisons }: ScopeAnalysis,
  { labels }: Pick<Alphabet, "labels">,
): string[] {
  const compared = tellingComparison(comparisons);
  const last = checkpoints.find(({ checkpoint }) => checkpoint === compared?.second) ?? checkpoints.at(-1);
  if (last === undefined) return [];
  const ks = Object.keys(last.passAtK).map(Number);
  const most = Math.max(1, ...ks);
  const first = last.passAtK[1];
  const solves =
    first === undefined
      ? `${last.checkpoint}: nobody graded its ${last.traces} traces; --columns correct=<column> or gold answers would`
      : `${last.checkpoint} solves ${percent(first.value)}${range(first, percent)} of ${last.problems} problems at the first attempt` +
        (most > 1 ? ` and ${percent(last.passAtK[most].value)}${range(last.passAtK[most], percent)} in ${most}` : "");
  const [depth, recovery] = [last.measures[depthMeasure], last.measures[recoveryMeasure]];
  const reasons =
    `Its traces go ${depth.value.toFixed(1)}${range(depth, (value) => value.toFixed(1))} steps deep without a break ` +
    `and make ${plain(recovery.value)}${range(recovery, plain)} moves of recovery each`;
  return [
    `${solves}.`,
    `${reasons}.`,
    ...(compared === undefined ? [alone(checkpoints.length)] : [changes(compared, labels)]),
  ];
}

const alone = (checkpoints: number): string =>
  checkpoints < 2
    ? "One checkpoint alone: a second one would say what training changed."
    : `None of the compared pairs has ${minProblems} problems in common, so nothing is said of what changed; traces compare takes any two.`;

const mostNamed = 3;

function changes({ first, second, passes, changes, sharedProblems }: Comparison, labels: readonly string[]): string {
  const [pass] = passes;
  const solved =
    pass === undefined
      ? ""
      : `the first attempt ${pass.change === "within noise" ? "did not change beyond noise" : pass.change} (${percent(pass.first)} → ${percent(pass.second)}, ${points(pass.difference.value)}${range(pass.difference, points)} points); `;
  const moved = changes
    .filter(({ measure, change }) => labels.includes(measure) && (change === "rose" || change === "fell"))
    .sort((a, b) => relative(b) - relative(a))
    .slice(0, mostNamed)
    .map(
      ({ measure, change, first: before, second: after }) =>
        `${measure} ${change} (${plain(before)} → ${plain(after)} per trace)`,
    );
  const moves = moved.length === 0 ? "no move of reasoning changed beyond noise" : moved.join(", ");
  return `From ${first} to ${second}, on ${sharedProblems} problems of both: ${solved}${moves}.`;
}

const relative = ({ first, second }: { readonly first: number; readonly second: number }): number =>
  Math.abs(Math.log((second + 0.05) / (first + 0.05)));
