// Traces to read: two checkpoints on the same problem, as color strips with the text beside. The analysis chose the pairs,
// by the rules of the paper's appendix.

import type { PairToRead } from "../../traces/analysis/analysis-folder.ts";
import type { LabeledText } from "../../traces/label-slice.ts";
import { sequenceOf } from "../../traces/sequence.ts";
import { stripsSvg } from "../charts/strips.ts";
import { type Context, labeledBy } from "../context.ts";
import { type Item, missing } from "../item.ts";
import { labelColor } from "../palette.ts";
import type { CheckpointRecord } from "../records.ts";
import { escaped, oneLine } from "../safe-text.ts";
import type { Section } from "./section.ts";

export function pairedTracesSection(context: Context): Section {
  const [sft, vanilla, novelty] = ["sft", "vanilla", "novelty"].map(context.role);
  const fallback = context.transitions.at(-1);
  return {
    id: "traces",
    title: "Traces to read",
    intro:
      "Two checkpoints on the same problem. Each cell is a span, the letter says what it does, and the dashed box is the longest exploit run. Both texts follow, span by span.",
    items: [
      pairItem(context, "depth", sft && vanilla ? [sft, vanilla] : fallback, {
        id: "traces-depth",
        title: "The same opening, a longer chain",
        needs:
          "two labeled checkpoints that both solve a problem from the same opening, each as deep as is usual for it",
      }),
      pairItem(context, "recovery", vanilla && novelty ? [vanilla, novelty] : fallback, {
        id: "traces-recovery",
        title: "Recovery where the other checkpoint fails",
        needs:
          "a problem that only the second checkpoint solves, in a trace that visibly recovers, from the opening of a failure of the first",
      }),
    ],
  };
}

/** Two pairs are enough to see that the first is no accident. */
const pairsShown = 2;

function pairItem(
  context: Context,
  kind: PairToRead["kind"],
  checkpoints: readonly [CheckpointRecord, CheckpointRecord] | undefined,
  about: { readonly id: string; readonly title: string; readonly needs: string },
): Item {
  const pairs = context.data.pairs
    .filter(
      (pair) =>
        pair.kind === kind &&
        pair.first.checkpoint === checkpoints?.[0].key &&
        pair.second.checkpoint === checkpoints[1].key,
    )
    .slice(0, pairsShown);
  if (checkpoints === undefined || pairs.length === 0) return missing(about.id, about.title, about.needs);
  const { taxonomy, alphabet } = context;
  const shown = pairs.flatMap((pair) => [
    { checkpoint: checkpoints[0], trace: pair.first, depth: pair.firstDepth, spans: pair.firstSpans },
    { checkpoint: checkpoints[1], trace: pair.second, depth: pair.secondDepth, spans: pair.secondSpans },
  ]);
  const problems = pairs.map(({ problem }) => oneLine(problem));
  const strips = shown.map(({ checkpoint, trace, depth, spans }) => ({
    name: checkpoint.name,
    note: `attempt ${trace.attempt}, ${trace.correct ? "solved" : "not solved"}, depth ${depth}`,
    sequence: sequenceOf(
      spans.map(({ label }) => label),
      alphabet,
    ),
  }));
  const texts = shown.map(({ checkpoint, trace, spans }) =>
    traceText(`${checkpoint.name} · ${oneLine(trace.problem)}`, spans, context),
  );
  return {
    type: "figure",
    id: about.id,
    title: about.title,
    caption: `${problems.length === 1 ? "Problem" : "Problems, from above"}: ${problems.join("; ")}`,
    svg: stripsSvg(`${about.title}: ${problems.join("; ")}`, strips, taxonomy),
    beside: `<div class="pair">${texts.join("")}</div>`,
    n: `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"} of traces, chosen by rule (docs/traces.md)`,
    labeled: labeledBy(context, checkpoints),
  };
}

/** A page should stay a page: very long traces are cut, and say so. */
const maxSpans = 400;

function traceText(name: string, spans: readonly LabeledText[], { alphabet }: Context): string {
  const lines = spans.slice(0, maxSpans).map(({ text, label }) => {
    const mark = `<b class="mark ink-${labelColor(label)}" title="${label}">${alphabet.letters[alphabet.codeOf(label)]}</b>`;
    return `<li>${mark}<span>${escaped(text)}</span></li>`;
  });
  const more = spans.length > maxSpans ? `<li><i>… ${spans.length - maxSpans} more spans</i></li>` : "";
  return `<section class="trace" tabindex="0" aria-label="${escaped(`trace of ${name}`)}"><h4>${escaped(name)}</h4><ol>${lines.join("")}${more}</ol></section>`;
}
