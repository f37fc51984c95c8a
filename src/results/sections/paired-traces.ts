// Traces to read: two checkpoints on the same problem, as color strips with the text beside. The analysis chose the pairs,
// by the rules of the paper's appendix.

import { type Item, missing, type Section, type ShownTrace } from "../../drawing/item.ts";
import { oneLine } from "../../drawing/safe-text.ts";
import type { PairToRead } from "../../traces/analysis/analysis-folder.ts";
import type { LabeledText } from "../../traces/label-slice.ts";
import { type Context, labeledBy } from "../context.ts";
import type { CheckpointRecord } from "../records.ts";

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
  const problems = pairs.map(({ problem }) => oneLine(problem));
  const traces = pairs.flatMap((pair) => [
    shownTrace(context, checkpoints[0], pair.first, pair.firstDepth, pair.firstSpans),
    shownTrace(context, checkpoints[1], pair.second, pair.secondDepth, pair.secondSpans),
  ]);
  return {
    id: about.id,
    title: about.title,
    caption: `${problems.length === 1 ? "Problem" : "Problems, from above"}: ${problems.join("; ")}`,
    n: `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"} of traces, chosen by rule (docs/traces.md)`,
    labeled: labeledBy(context, checkpoints),
    body: { kind: "traces", traces },
  };
}

/** A page should stay a page: very long traces are cut, and say so. */
const maxSpans = 400;

function shownTrace(
  { alphabet }: Context,
  { name }: CheckpointRecord,
  trace: PairToRead["first"],
  depth: number,
  spans: readonly LabeledText[],
): ShownTrace {
  return {
    name,
    note: `attempt ${trace.attempt}, ${trace.correct ? "solved" : "not solved"}, depth ${depth}`,
    problem: oneLine(trace.problem),
    spans: spans.map(({ text, label }, i) => ({
      ...{ label, letter: alphabet.letters[alphabet.codeOf(label)] },
      ...(i < maxSpans && { text }),
    })),
    boxed: longestRun(spans.map(({ label }) => alphabet.taxonomy.exploit.includes(label))),
  };
}

/** The first of the longest: the run whose length is the chain depth. */
export function longestRun(inside: readonly boolean[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= inside.length; i++) {
    if (inside[i]) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return best;
}
