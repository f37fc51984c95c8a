// What an evaluation and a comparison say, as tables in a terminal.
import type { Interval } from "../base/statistics/proportion-intervals.ts";
import type { AccuracyComparison } from "../evaluation/comparison.ts";
import { type EvaluationSummary, passAt, type SetSummary } from "../evaluation/summary.ts";
import { textTable } from "./text-table.ts";

const percent = (value: number) => (100 * value).toFixed(1);
const between = (interval: Interval | undefined) =>
  interval === undefined ? "" : ` [${percent(interval.low)}, ${percent(interval.high)}]`;

/** Powers of two that every set has attempts for, and its largest k. */
function usualKs({ attempts }: SetSummary): number[] {
  const ks: number[] = [];
  for (let k = 1; k < attempts.fewest; k *= 2) ks.push(k);
  return attempts.fewest === 0 ? [] : [...ks, attempts.fewest];
}

export function summaryTable(summary: EvaluationSummary, ks?: readonly number[]): string {
  const parts = summary.sets.map((set) => {
    const rows = (ks ?? usualKs(set)).map((k) => {
      const { value, newProblems, sameProblems, ifUndecidedRight } = passAt(set, k);
      return [
        `pass@${k}`,
        percent(value),
        between(newProblems).trim(),
        between(sameProblems).trim() || (set.attempts.fewest === k ? "needs n > k" : ""),
        ifUndecidedRight === undefined ? "" : percent(ifUndecidedRight),
      ];
    });
    if (set.majority !== undefined) {
      rows.push(["majority", percent(set.majority.value), between(set.majority.newProblems).trim(), "", ""]);
    }
    const undecided = set.verdicts.undecided > 0;
    const columns = [
      "",
      "%",
      "new problems",
      "same problems, new rollouts",
      ...(undecided ? ["if undecided were right"] : []),
    ];
    const { fewest, most } = set.attempts;
    const attempts = fewest === most ? `${most}` : `${fewest} to ${most}`;
    const { truncated, failed } = set.states;
    const { correct, wrong, unreadable } = set.verdicts;
    const heading = `${set.set}: ${set.problems} problems, ${attempts} attempts each, ${set.solved} solved at least once`;
    const counts =
      `  correct ${correct}  wrong ${wrong}  unreadable ${unreadable}  undecided ${set.verdicts.undecided}` +
      `  ·  truncated ${truncated}  failed ${failed}`;
    const tokens =
      set.responseTokens === undefined
        ? []
        : [
            `  tokens per response: mean ${Math.round(set.responseTokens.mean)}, median ${Math.round(set.responseTokens.median)}, 90% below ${Math.round(set.responseTokens.p90)}`,
          ];
    const subjects = (set.subjects ?? []).map((own) => `${own.subject} ${percent(own.passAt1)} (${own.problems})`);
    const bySubject = subjects.length === 0 ? [] : [`  pass@1 by subject: ${subjects.join(", ")}`];
    const cost = set.cost === undefined ? [] : [`  cost ${set.cost.toFixed(4)}`];
    const { solvedByTurn = [] } = set;
    const byTurn = solvedByTurn.map((share, i) => `${i + 1}: ${percent(share)}`);
    const turns = byTurn.length === 0 ? [] : [`  pass@1 by turn: ${byTurn.join(", ")}`];
    const table =
      rows.length === 0
        ? []
        : [
            indented(
              textTable(
                columns,
                rows.map((row) => row.slice(0, columns.length)),
              ),
            ),
          ];
    return [heading, counts, ...tokens, ...cost, ...table, ...turns, ...bySubject].join("\n");
  });
  return parts.join("\n\n");
}

const indented = (text: string) =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");

export function comparisonTable(comparison: AccuracyComparison, names: readonly [string, string]): string {
  const [first, second] = names;
  const signed = (value: number) => `${value >= 0 ? "+" : ""}${percent(value)}`;
  const differences = textTable(
    ["", first, second, "difference", "95% over problems"],
    comparison.differences.map(({ k, first: a, second: b, difference, newProblems }) => [
      `pass@${k}`,
      percent(a),
      percent(b),
      signed(difference),
      `[${signed(newProblems.low)}, ${signed(newProblems.high)}]`,
    ]),
  );
  const { split, unlocked, regressed } = comparison;
  const sets = textTable(
    ["solved at least once by", "problems"],
    [
      ["both", `${split.both.length}`],
      [`only ${second}`, `${split.onlySecond.length}`],
      [`only ${first}`, `${split.onlyFirst.length}`],
      ["neither", `${split.neither.length}`],
    ],
  );
  const significant = comparison.changes.filter((change) => change.benjaminiHochberg < 0.05);
  const certain = comparison.changes.filter((change) => change.holm < 0.05);
  return [
    `${comparison.problems} problems in both`,
    ...leftOutWords(comparison, names),
    differences,
    sets,
    `unlocked ${unlocked.length}, regressed ${regressed.length} (exact test that both are equally likely: p = ${comparison.unlockedAgainstRegressed.toPrecision(2)})`,
    `problems whose solve rate changed beyond chance: ${certain.length} by Holm, ${significant.length} by Benjamini–Hochberg (5%)`,
    ...(significant.length === 0
      ? []
      : [
          textTable(
            ["problem", first, second, "p", "Holm"],
            significant
              .slice(0, 20)
              .map(({ problem, first: a, second: b, p, holm }) => [
                problem,
                `${a.correct}/${a.attempts}`,
                `${b.correct}/${b.attempts}`,
                p.toPrecision(2),
                holm.toPrecision(2),
              ]),
          ),
        ]),
  ].join("\n\n");
}

/** Who was not asked, or not graded, and what of the others is left out to compare equal numbers of attempts. */
function leftOutWords(
  { unpaired, askedOtherwise, unmatchedAttempts }: AccuracyComparison,
  [first, second]: readonly [string, string],
) {
  const named = (problems: readonly string[]) =>
    `${problems.slice(0, mostNamed).join(", ")}${problems.length > mostNamed ? ", …" : ""}`;
  const otherwise =
    askedOtherwise.length === 0
      ? []
      : [`${askedOtherwise.length} problems that are other questions under the same id: ${named(askedOtherwise)}`];
  const told = [
    { name: first, problems: unpaired.first, attempts: unmatchedAttempts.first, other: second },
    { name: second, problems: unpaired.second, attempts: unmatchedAttempts.second, other: first },
  ].flatMap(({ name, problems, attempts, other }) => {
    const without =
      problems.length === 0
        ? []
        : [`${problems.length} problems of ${name} without a graded attempt of ${other}: ${named(problems)}`];
    return attempts === 0 ? without : [...without, `${attempts} attempts of ${name} that ${other} has not graded`];
  });
  const all = [...otherwise, ...told];
  return all.length === 0 ? [] : [`left out: ${all.join("; ")}`];
}

const mostNamed = 8;
