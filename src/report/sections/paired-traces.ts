// Traces to read: two checkpoints on the same problem, as colour strips with the text beside. Chosen by rule, not by taste.
import { trigramCategoryCounts } from "../../traces/categories.ts";
import { chainDepth } from "../../traces/depth.ts";
import type { PrimitiveSequence } from "../../traces/sequence.ts";
import { stripsSvg } from "../charts/strips.ts";
import { type Context, labelledBy } from "../context.ts";
import { type Item, missing } from "../item.ts";
import type { LabelledSpan } from "../labelling.ts";
import { primitiveLetters } from "../primitive-colours.ts";
import type { CheckpointRecord, TraceRecord } from "../records.ts";
import { escaped, oneLine } from "../safe-text.ts";
import type { Section } from "./section.ts";

export async function pairedTracesSection(context: Context): Promise<Section> {
  const [sft, vanilla, novelty] = ["sft", "vanilla", "novelty"].map(context.role);
  const fallback = context.transitions.at(-1);
  const deepening = sft && vanilla ? ([sft, vanilla] as const) : fallback;
  const recovering = vanilla && novelty ? ([vanilla, novelty] as const) : fallback;
  return {
    id: "traces",
    title: "Traces to read",
    intro:
      "Two checkpoints on the same problem. Each cell is a span, the letter says what it does, and the dashed box is the longest exploit run. The text of both stands below, span by span.",
    items: [
      await pairItem(context, deepening, {
        id: "traces-depth",
        title: "The largest gain in depth on a problem that both solve",
        needs: "two labelled checkpoints that both solve a problem, the second with a longer chain",
        read: chainDepth,
        score: (first, second) => (first.correct && second.correct ? second.value - first.value : 0),
      }),
      await pairItem(context, recovering, {
        id: "traces-recovery",
        title: "Recovery where the other checkpoint fails",
        needs:
          "a problem that the second checkpoint solves with a recovery motif and an attempt of the first that fails without one",
        read: (sequence) => trigramCategoryCounts(sequence).recovery,
        score: (first, second) => (first.correct === false && second.correct && first.value === 0 ? second.value : 0),
      }),
    ],
  };
}

type ReadTrace = TraceRecord & { readonly value: number };

type Rule = {
  readonly id: string;
  readonly title: string;
  readonly needs: string;
  /** What the score looks at, read once a trace because every attempt is paired with every other. */
  readonly read: (sequence: PrimitiveSequence) => number;
  /** Pairs with the highest scores above zero are shown. */
  readonly score: (first: ReadTrace, second: ReadTrace) => number;
};

/** Two pairs are enough to see that the first is no accident. */
const pairsShown = 2;

async function pairItem(
  context: Context,
  checkpoints: readonly [CheckpointRecord, CheckpointRecord] | undefined,
  rule: Rule,
): Promise<Item> {
  const pairs = checkpoints === undefined ? [] : bestPairs(...checkpoints, rule).slice(0, pairsShown);
  if (checkpoints === undefined || pairs.length === 0) return missing(rule.id, rule.title, rule.needs);
  const shown = pairs.map((pair) => pair.map((trace, side) => ({ checkpoint: checkpoints[side], trace })));
  const problems = pairs.map(([{ problem }]) => oneLine(problem));
  const strips = shown.flat().map(({ checkpoint, trace }) => ({
    name: checkpoint.name,
    note: `attempt ${trace.attempt}, ${trace.correct ? "solved" : "not solved"}, depth ${chainDepth(trace.sequence)}`,
    sequence: trace.sequence,
  }));
  const texts = await Promise.all(
    shown.flat().map(async ({ checkpoint, trace }) => {
      const spans = await checkpoint.spansOf(trace.problem, trace.attempt);
      return traceText(`${checkpoint.name} · ${oneLine(trace.problem)}`, spans);
    }),
  );
  return {
    type: "figure",
    id: rule.id,
    title: rule.title,
    caption: `${problems.length === 1 ? "Problem" : "Problems, from above"}: ${problems.join("; ")}`,
    svg: stripsSvg(`${rule.title}: ${problems.join("; ")}`, strips),
    beside: `<div class="pair">${texts.join("")}</div>`,
    n: `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"} of traces, the first by the rule that the title states`,
    labelled: labelledBy(context.labelled),
  };
}

type TracePair = readonly [TraceRecord, TraceRecord];

/** The best pair of every problem that has one, best problems first. */
function bestPairs(first: CheckpointRecord, second: CheckpointRecord, { read, score }: Rule): TracePair[] {
  const readTraces = ({ traces = [] }: CheckpointRecord) =>
    traces.map((trace): ReadTrace => ({ ...trace, value: read(trace.sequence) }));
  const byProblem = new Map<string, ReadTrace[]>();
  for (const trace of readTraces(first)) {
    const own = byProblem.get(trace.problem);
    if (own === undefined) byProblem.set(trace.problem, [trace]);
    else own.push(trace);
  }
  const best = new Map<string, { readonly pair: TracePair; readonly score: number }>();
  for (const after of readTraces(second))
    for (const before of byProblem.get(after.problem) ?? []) {
      const reached = score(before, after);
      if (reached > (best.get(after.problem)?.score ?? 0))
        best.set(after.problem, { pair: [before, after], score: reached });
    }
  return [...best.values()].sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

/** A page should stay a page: very long traces are cut, and say so. */
const mostSpans = 400;

function traceText(name: string, spans: readonly LabelledSpan[]): string {
  const lines = spans.slice(0, mostSpans).map(({ text, label }) => {
    const mark =
      label === undefined ? "" : `<b class="mark ink-${label}" title="${label}">${primitiveLetters[label]}</b>`;
    return `<li>${mark}<span>${escaped(text)}</span></li>`;
  });
  const more = spans.length > mostSpans ? `<li><i>… ${spans.length - mostSpans} more spans</i></li>` : "";
  return `<section class="trace" tabindex="0" aria-label="${escaped(`trace of ${name}`)}"><h4>${escaped(name)}</h4><ol>${lines.join("")}${more}</ol></section>`;
}
