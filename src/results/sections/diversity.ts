// Whether attempts at one problem differ, what of it training takes away, and which problems it can no longer reach.
import { type Item, missing } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, tableBody } from "../../drawing/table.ts";
import { answerDiversity, overProblems, support } from "../../evaluation/diversity.ts";
import { type Context, labeledBy } from "../context.ts";
import { estimated, overProblems as interval } from "../intervals.ts";

export function diversityItems(context: Context): Item[] {
  return [...diversityTable(context), supportTable(context)];
}

const two = (value: number) => value.toFixed(2);

/** Graders that do not say the answers they read leave nothing to count. */
function diversityTable(context: Context): Item[] {
  const [id, title] = ["answer-diversity", "How different attempts at one problem are"];
  const rows = context.sets.flatMap((set) =>
    context.data.checkpoints.flatMap((record): Cell[][] => {
      const own = (record.tallies ?? []).filter((tally) => tally.set === set);
      const found = own.flatMap((tally) => answerDiversity(tally) ?? []);
      if (found.length === 0) return [];
      const cell = (read: (one: (typeof found)[number]) => number, most: number, text = two) =>
        numberCell(estimated(overProblems(found.map(read), most)), text);
      const ways = context.scope(set)?.contrasts.find(({ checkpoint }) => checkpoint === record.key)?.rightWays;
      return [
        [
          set,
          record.name,
          cell(({ distinct }) => distinct, Number.POSITIVE_INFINITY),
          cell(({ entropy }) => entropy, Number.POSITIVE_INFINITY),
          cell(({ wrong }) => wrong, 1, percentage),
          cell(({ mixed }) => mixed, 1, percentage),
          numberCell(ways && estimated(ways.difference), percentage),
          count(found.length),
        ],
      ];
    }),
  );
  if (rows.length === 0) return [];
  const table: Item = {
    id,
    title,
    caption:
      "Answers: how many different ones a problem gets, and their entropy in bits. Of two attempts at a problem, the chance in percent that both are wrong and answer differently (fewer wrong answers is no loss), that one of them is right, and that both are right in two ways: with other moves in their traces, as a share of pairs that are right (fewer right ways is a loss). After arXiv:2604.16027.",
    body: tableBody(
      ["set", "checkpoint", "answers", "entropy", "wrong, differently", "one right", "right ways", "problems"],
      rows,
    ),
    n: "problems, as in the table",
    interval,
    labeled: labeledBy(context, context.labeled),
  };
  return [table];
}

function supportTable(context: Context): Item {
  const [id, title] = ["support", "Problems that are reached at all"];
  const rows = context.sets.flatMap((set) =>
    context.transitions.flatMap(([first, second]): Cell[][] => {
      const found = context.compare(first, second, set);
      if (found === undefined) return [];
      const { kept, lost, gained } = support(found.split);
      const share = (one: typeof kept) => numberCell(estimated(one), percentage);
      const most = found.differences.at(-1)?.k;
      return [
        [
          ...[set, `${first.name} → ${second.name}`, most === undefined ? null : count(most)],
          ...[share(kept), share(lost), share(gained), count(found.problems)],
        ],
      ];
    }),
  );
  if (rows.length === 0) return missing(id, title, "graded evaluations of two checkpoints on the same problems");
  return {
    id,
    title,
    caption:
      "Of the problems that both were asked, in percent: solved at least once by both (kept), by the first alone (lost), by the second alone (gained), within the largest number of attempts k.",
    body: tableBody(["set", "from → to", "k", "kept", "lost", "gained", "problems"], rows),
    n: "problems, as in the table",
    interval,
  };
}
