// What training changed: the two checkpoints between which most happened, as a chart, in numbers, and in the spans that the
// changes are made of. What the third sentence of a conclusion rests on.
import { type Item, missing, type Section } from "../../drawing/item.ts";
import { barsPanel, type Measured } from "../../drawing/panel.ts";
import { type Cell, numberCell, tableBody } from "../../drawing/table.ts";
import { displayName } from "../../runs/recipe-names.ts";
import { type Comparison, changeWords, signIsLost } from "../../traces/analysis/comparison.ts";
import { depthMeasure, recoveryMeasure } from "../../traces/analysis/measures.ts";
import { minProblems, tableTotals } from "../../traces/analysis/verdicts.ts";
import { movedLabels, told } from "../conclusion.ts";
import { type Context, labeledBy, nameIn } from "../context.ts";
import { overProblems, toldVerdict, wouldShow } from "../intervals.ts";

export function changedSection(context: Context): Section {
  return {
    id: "changed",
    title: "What training changed",
    intro: "Two checkpoints on the same problems: of all that were compared, those between which most happened.",
    items: [changesFigure(context), changesTable(context), spansTable(context)],
  };
}

type ToldChange = Comparison["changes"][number];

function toldComparison(context: Context) {
  const { analysis } = context.data;
  if (analysis === undefined) return undefined;
  const { comparison, scope } = told(analysis);
  if (comparison === undefined) return undefined;
  const { first, second, onlyShared, sharedProblems, traces } = comparison;
  const between = [first, second].map((key) => nameIn(context, key));
  const asked = onlyShared ? `${sharedProblems} problems of both` : "problems of one source";
  return { analysis, comparison, between, n: `${asked} (${scope.scope.name}); ${traces[0]} and ${traces[1]} traces` };
}

const needsTwo = `two checkpoints with ${minProblems} problems in common`;

/**
 * In percent of the mean of both, so that rare moves are seen beside common ones. What counts cannot be beyond twice the mean: an
 * interval of a move that hardly anybody makes would leave no room for the others.
 */
function ofBoth({ first, second }: ToldChange, { value, low, high }: { value: number; low: number; high: number }) {
  const mean = (first + second) / 2;
  const share = (part: number) => Math.max(-2, Math.min(2, part / mean));
  return mean === 0 ? undefined : ({ value: share(value), low: share(low), high: share(high) } satisfies Measured);
}

export function changesFigure(context: Context): Item {
  const [id, title] = ["changes", "Which moves became more and fewer"];
  const found = toldComparison(context);
  if (found === undefined) return missing(id, title, needsTwo);
  const { analysis, comparison, between, n } = found;
  return {
    ...changesItem(
      comparison,
      analysis.taxonomy.labels.map(({ name }) => name),
    ),
    n,
    labeled: labeledOf(context, comparison),
    title: `${title}: ${between.join(" → ")}`,
  };
}

const labeledOf = (context: Context, { first, second }: Comparison) =>
  labeledBy(context, [{ key: first }, { key: second }]) ?? labeledBy(context, context.labeled);

/** Of any comparison, wherever one is shown. */
export function changesItem(
  { first, second, changes, passes, sharedProblems }: Comparison,
  labels: readonly string[],
): Item {
  const shown = [...labels, recoveryMeasure, depthMeasure].flatMap((name) =>
    changes.filter(({ measure }) => measure === name),
  );
  const series = [
    {
      name: changes.some(({ difference }) => difference.raw) ? "corrected for the labeler’s errors" : "as labeled",
      ink: "text",
      read: (one: ToldChange) => ofBoth(one, one.difference),
    },
    {
      name: "as labeled",
      ink: "at-sft",
      hollow: true,
      read: (one: ToldChange) => one.difference.raw && ofBoth(one, one.difference.raw),
    },
  ].filter(({ read }) => shown.some(read));
  const panel = barsPanel(
    "Change, in percent of the mean of both",
    shown.map(({ measure }) => measure),
    "less ← → more",
    series,
    ({ read }) => shown.map(read),
  );
  return {
    id: "changes",
    title: `Which moves became more and fewer: ${displayName(first)} → ${displayName(second)}`,
    caption: `${passes.map(passWords).join("")}Bars up: more of it after training; down: less. ±200% is a move that only one of them makes; no interval is drawn beyond. An interval that crosses zero is within noise.`,
    body: {
      kind: "panels",
      columns: 1,
      panelHeight: 220,
      legend: series.map(({ name, ink, hollow }) => ({ name, ink, ...(hollow && { hollow }) })),
      panels: [{ ...panel, y: { ...panel.y, format: "percent" } }],
    },
    n: `${sharedProblems} problems`,
    interval: intervalOf(changes),
  };
}

const intervalOf = (changes: readonly ToldChange[]) =>
  `${overProblems}, paired${changes.some(({ difference }) => difference.raw) ? ", and over the labeler’s errors" : ""}`;

const passWords = ({ k, first, second, difference, change }: Comparison["passes"][number]): string => {
  const [a, b] = [first, second].map((value) => `${(100 * value).toFixed(1)}%`);
  const points = [difference.value, difference.low, difference.high].map((value) =>
    (100 * value).toFixed(1).replace("-", "−"),
  );
  return `pass@${k} ${a} → ${b} (${points[0]} [${points[1]}, ${points[2]}] points, ${change}). `;
};

const signed = (value: number, digits = 2) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

function changesTable(context: Context): Item {
  const [id, title] = ["changes-table", "The same in numbers"];
  const found = toldComparison(context);
  if (found === undefined) return missing(id, title, needsTwo);
  const { comparison, between, n } = found;
  const points = (value: number) => signed(100 * value, 1);
  const plain = (value: number): Cell => ({ value, text: value.toFixed(2) });
  const percent = (value: number): Cell => ({ value, text: `${(100 * value).toFixed(1)}%` });
  const raw = comparison.changes.some(({ difference }) => difference.raw);
  const verdictOf = (one: ToldChange): string =>
    `${one.change === "not measured" ? one.change : toldVerdict(one, changeWords, (value) => value.toFixed(2))}${signIsLost(one.difference) ? ": hidden by the labeler’s mistakes" : ""}`;
  return {
    id,
    title,
    caption: `Per trace, corrected for the labeler’s mistakes where they were measured, and as labeled beside it; pass@k as shares, its change in points. ${wouldShow}`,
    body: tableBody(
      ["what", ...between, "change", ...(raw ? ["as labeled"] : []), "verdict"],
      [
        ...comparison.passes.map((pass): Cell[] => [
          `pass@${pass.k}`,
          percent(pass.first),
          percent(pass.second),
          numberCell(pass.difference, points),
          ...(raw ? [null] : []),
          toldVerdict(pass, changeWords, (value) => `${(100 * value).toFixed(1)} points`),
        ]),
        ...comparison.changes.map((one): Cell[] => [
          one.measure,
          plain(one.first),
          plain(one.second),
          numberCell(one.difference, (value) => signed(value)),
          ...(raw ? [numberCell(one.difference.raw, (value) => signed(value))] : []),
          verdictOf(one),
        ]),
      ],
    ),
    n: `${n}; ${tableTotals([...comparison.passes, ...comparison.changes], changeWords)}`,
    interval: intervalOf(comparison.changes),
    labeled: labeledOf(context, comparison),
  };
}

/** What rose or fell, to be read: three spans each, the least sure first. */
function spansTable(context: Context): Item {
  const [id, title] = ["changes-spans", "Spans behind every rose and fell"];
  const found = toldComparison(context);
  if (found === undefined) return missing(id, title, needsTwo);
  const { analysis, comparison } = found;
  const rows = movedLabels(comparison, analysis).flatMap(({ measure, change }) => {
    const checkpoint = change === "rose" ? comparison.second : comparison.first;
    return (analysis.moved ?? [])
      .filter((span) => span.checkpoint === checkpoint && span.label === measure)
      .map(({ text, confidence, problem, attempt }): Cell[] => [
        `${measure} ${change}`,
        text,
        `${nameIn(context, checkpoint)}, ${problem}, attempt ${attempt}`,
        confidence === undefined ? null : { value: confidence, text: confidence.toFixed(2) },
      ]);
  });
  if (rows.length === 0) return missing(id, title, "a label that rose or fell");
  return {
    id,
    title,
    caption:
      "Of each label that moved, spans of the checkpoint that has more of it; those that its labeler was least sure of come first, because there it errs most. Do they do what the label says?",
    body: tableBody(["change", "span", "of", "sure"], rows),
    n: `${rows.length} spans`,
    labeled: labeledOf(context, comparison),
  };
}
