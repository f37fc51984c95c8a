// Spans of the narrating teacher: every step of its traces knows what it is, so they are labeled by construction.
import type { Random } from "../../base/random.ts";
import { puzzles } from "../../puzzles/catalog.ts";
import { narratedTraces } from "../../teaching/narrated-corpus.ts";
import type { NarrationStyle } from "../../teaching/narrator.ts";
import { segment, stepSegmentation, terseSegmentation } from "../segmentation.ts";
import type { LabeledSpan } from "./labeled-spans.ts";

type NarratedSpansRequest = {
  readonly traces: number;
  readonly style: NarrationStyle;
  readonly random: Random;
};

/** The steps of `traces` verified traces, in order, each with the step before it. */
export function narratedSpans({ traces, style, random }: NarratedSpansRequest): LabeledSpan[] {
  // Small boards of every kind: enough to hear every sentence the teacher knows.
  const sets = puzzles.map((puzzle) => ({ puzzle, params: puzzle.readParams(puzzle.usual.small), weight: 1 }));
  const attempts = narratedTraces({
    sets,
    narration: { style, guessing: 0.4, errorRate: 0.03, repertoire: "full", maxSteps: 200 },
    maxTokens: Number.POSITIVE_INFINITY,
    countTokens: (text) => Math.ceil(text.length / 4),
    random,
    tracesPerPuzzle: 4,
  });
  const spans: LabeledSpan[] = [];
  for (let kept = 0; kept < traces; ) {
    const attempt = attempts.next().value;
    if (!("kept" in attempt)) continue;
    kept += 1;
    const { response, labels } = attempt.kept;
    const steps = segment(response, style === "terse" ? terseSegmentation : stepSegmentation);
    // A step that says nothing leaves no span, and then labels and spans could not be paired.
    if (labels === undefined || steps.length !== labels.length) continue;
    steps.forEach(({ text }, i) => {
      spans.push({
        text,
        previous: i === 0 ? "" : steps[i - 1].text,
        label: labels[i],
        trace: `narrated ${style} ${kept}`,
        domain: `narrated ${style}`,
      });
    });
  }
  return spans;
}
