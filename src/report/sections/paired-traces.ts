// Traces to read: two checkpoints on the same problem, as colour strips with the text beside. Chosen by rule, not by taste.
import { trigramCategoryCounts } from "../../traces/categories.ts";
import { chainDepth } from "../../traces/depth.ts";
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
        score: (first, second) =>
          first.correct && second.correct ? chainDepth(second.sequence) - chainDepth(first.sequence) : 0,
      }),
      await pairItem(context, recovering, {
        id: "traces-recovery",
        title: "Recovery where the other checkpoint fails",
        needs:
          "a problem that the second checkpoint solves with a recovery motif and an attempt of the first that fails without one",
        score: (first, second) => {
          const [before, after] = [first, second].map(({ sequence }) => trigramCategoryCounts(sequence).recovery);
          return first.correct === false && second.correct && before === 0 ? after : 0;
        },
      }),
    ],
  };
}

type Rule = {
  readonly id: string;
  readonly title: string;
  readonly needs: string;
  /** The pair with the highest score above zero is shown. */
  readonly score: (first: TraceRecord, second: TraceRecord) => number;
};

async function pairItem(
  context: Context,
  checkpoints: readonly [CheckpointRecord, CheckpointRecord] | undefined,
  rule: Rule,
): Promise<Item> {
  const chosen = checkpoints && bestPair(...checkpoints, rule.score);
  if (checkpoints === undefined || chosen === undefined) return missing(rule.id, rule.title, rule.needs);
  const sides = checkpoints.map((checkpoint, i) => ({ checkpoint, trace: chosen[i] }));
  const problem = oneLine(chosen[0].problem);
  const strips = sides.map(({ checkpoint, trace }) => ({
    name: checkpoint.name,
    note: `attempt ${trace.attempt}, ${trace.correct ? "solved" : "not solved"}, depth ${chainDepth(trace.sequence)}`,
    sequence: trace.sequence,
  }));
  const texts = await Promise.all(
    sides.map(({ checkpoint, trace }) => checkpoint.spansOf(trace.problem, trace.attempt)),
  );
  return {
    type: "figure",
    id: rule.id,
    title: rule.title,
    caption: `Problem: ${problem}`,
    svg: stripsSvg(`${rule.title}: ${problem}`, strips),
    beside: `<div class="pair">${sides.map(({ checkpoint }, i) => traceText(checkpoint.name, texts[i])).join("")}</div>`,
    n: "one pair of traces, the first by the rule that the title states",
    labelled: labelledBy(context.labelled),
  };
}

function bestPair(
  first: CheckpointRecord,
  second: CheckpointRecord,
  score: (first: TraceRecord, second: TraceRecord) => number,
): readonly [TraceRecord, TraceRecord] | undefined {
  const byProblem = new Map<string, TraceRecord[]>();
  for (const trace of first.traces ?? [])
    byProblem.set(trace.problem, [...(byProblem.get(trace.problem) ?? []), trace]);
  let best: readonly [TraceRecord, TraceRecord] | undefined;
  let highest = 0;
  for (const after of second.traces ?? [])
    for (const before of byProblem.get(after.problem) ?? []) {
      const reached = score(before, after);
      if (reached <= highest) continue;
      highest = reached;
      best = [before, after];
    }
  return best;
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
