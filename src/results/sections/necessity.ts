// Whether a move is worth anything where it is made: the question before any claim about a ceiling. Within problems, because
// hard problems ask for moves and are failed for other reasons.
import { type Item, missing } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, tableBody } from "../../drawing/table.ts";
import type { Contrast, Necessity } from "../../traces/analysis/contrasts.ts";
import { judged, minProblems, tableTotals } from "../../traces/analysis/verdicts.ts";
import { type Context, labeledBy } from "../context.ts";
import { estimated, overProblems, toldVerdict, wouldShow } from "../intervals.ts";

export function necessityTable(context: Context): Item {
  const [id, title] = ["necessity", "What each move is worth within a problem"];
  const all = context.focus.flatMap((scope) =>
    context.labeled.flatMap((record) =>
      (context.scope(scope)?.contrasts.find(({ checkpoint }) => checkpoint === record.key)?.necessity ?? [])
        .filter((one) => one.with.traces > 0 && one.without.traces > 0)
        .map((one) => ({ ...one, scope, name: record.name })),
    ),
  );
  const found = all.filter(({ within }) => within.problems >= minProblems);
  if (found.length === 0)
    return missing(
      id,
      title,
      `a graded and labeled checkpoint that makes a move in some traces of a problem only, at ${minProblems} problems or more`,
    );
  const judgments = found.flatMap(({ within, matched }) => [judgedContrast(within), judgedContrast(matched)]);
  return {
    id,
    title,
    caption: `P(right | move) − P(right | no move) in percentage points, among traces of the same problem, and of the same problem and about the same length (within 25%). Where a move does not go with success, keeping it cannot raise a ceiling, and no claim about the ceiling can be tested there. It is no causal effect. ${wouldShow}`,
    body: tableBody(
      [
        ...["goes with", "move", "checkpoint", "set", "within problems", "problems"],
        ...["goes with, same length", "at the same length", "problems, same length"],
        ...["traces with", "right with", "right without"],
      ],
      found.map(({ scope, name, move, with: made, without, within, matched }): Cell[] => [
        ...[words(within), move, name, scope, points(within), count(within.problems)],
        ...[words(matched), points(matched), count(matched.problems)],
        ...[count(made.traces), rate(made), rate(without)],
      ]),
    ),
    n: `problems that have traces of both kinds, as in the table${all.length > found.length ? `; without ${all.length - found.length} rows of fewer than ${minProblems} problems` : ""}; it goes with ${tableTotals(judgments, goesWith)}`,
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

const rate = ({ traces, solved }: Necessity["with"]): Cell => ({
  value: solved / traces,
  text: percentage(solved / traces),
});

const points = ({ difference }: Contrast): Cell => numberCell(estimated(difference), percentage);

const goesWith = {
  ...{ shown: "success", reversed: "failure", "not shown": "neither" },
  "cannot be tested here": `under ${minProblems} problems`,
};
const judgedContrast = ({ difference, problems }: Contrast) => judged(difference, problems, "rises");
const words = (one: Contrast): string => toldVerdict(judgedContrast(one), goesWith, percentage);
