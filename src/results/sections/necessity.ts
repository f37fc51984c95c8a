// Whether a move is worth anything where it is made: the question before any claim about a ceiling. Within problems, because
// hard problems ask for moves and are failed for other reasons.
import { type Item, missing } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, tableBody } from "../../drawing/table.ts";
import type { Contrast, Necessity } from "../../traces/analysis/contrasts.ts";
import { judged, minProblems } from "../../traces/analysis/verdicts.ts";
import { type Context, labeledBy } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";

export function necessityTable(context: Context): Item {
  const [id, title] = ["necessity", "What each move is worth within a problem"];
  const rows = context.focus.flatMap((scope) =>
    context.labeled.flatMap((record): Cell[][] => {
      const found = context.scope(scope)?.contrasts.find(({ checkpoint }) => checkpoint === record.key);
      return (found?.necessity ?? [])
        .filter((one) => one.with.traces > 0 && one.without.traces > 0)
        .map((one) => [scope, record.name, one.move, ...cells(one)]);
    }),
  );
  if (rows.length === 0)
    return missing(id, title, "a graded and labeled checkpoint that makes a move in some traces only");
  return {
    id,
    title,
    caption:
      "P(right | move) − P(right | no move) in percentage points, among traces of the same problem, and of the same problem and about the same length (within 25%). Where a move does not go with success, keeping it cannot raise a ceiling, and no claim about the ceiling can be tested there. It is no causal effect.",
    body: tableBody(
      [
        ...["set", "checkpoint", "move", "traces with", "right with", "right without"],
        ...["within problems", "problems", "goes with", "same length", "problems, same length"],
      ],
      rows,
    ),
    n: "problems that have traces of both kinds, as in the table",
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

const rate = ({ traces, solved }: Necessity["with"]): Cell => ({
  value: solved / traces,
  text: percentage(solved / traces),
});

function cells({ with: made, without, within, matched }: Necessity): Cell[] {
  return [
    ...[count(made.traces), rate(made), rate(without)],
    ...[points(within), count(within.problems), words(within), points(matched), count(matched.problems)],
  ];
}

const points = ({ difference }: Contrast): Cell => numberCell(estimated(difference), percentage);

function words({ difference, problems }: Contrast): string {
  const { verdict } = judged(difference, problems, "rises");
  const said = { shown: "success", reversed: "failure", "not shown": "neither, as far as seen" };
  return verdict === "cannot be tested here" ? `fewer than ${minProblems} problems` : said[verdict];
}
