// The grammar of the terse language as a labeler: every opening word starts a span, and says what the span does.

import { reasoningPart } from "../../grading/reasoning.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import { terseSpans } from "../../teaching/terse-language.ts";
import type { LabeledTrace, Labeler } from "../labeler.ts";
import { sequenceOf } from "../sequence.ts";

export const grammarLabeler: Labeler<LabeledTrace> = {
  description: {
    kind: "grammar",
    name: "the grammar of the terse language",
    version: "1",
    about: "opening words, one a step, that nothing else in the language uses",
    taxonomy: paperTaxonomy.name,
  },
  taxonomy: paperTaxonomy,
  read: readTerse,
};

function readTerse(response: string): LabeledTrace {
  const { start, end } = reasoningPart(response);
  const found = terseSpans(response, start, end);
  return {
    spans: found.map((span) => ({
      start: span.start,
      end: span.end,
      text: response.slice(span.start, span.end),
      tokens: Math.ceil((span.end - span.start) / 4),
    })),
    sequence: sequenceOf(found.map(({ label }) => label)),
    confidences: new Float32Array(found.length).fill(1),
  };
}
