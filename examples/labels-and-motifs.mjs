// What a trace does, span by span, and which moves follow each other. The labels come from the shipped classifier, which is
// right about two times out of three; report its quality along with its labels.
import {
  chainDepth,
  defaultLabeler,
  labelerWords,
  motifCounts,
  motifText,
  readerOf,
  stepSegmentation,
} from "repertoire/traces";

const response = `<think>
Let me set up notation. Let a and b be the two numbers, where a + b = 18 and ab = 80.

Suppose that one of them is 4. I am not sure that this is true; perhaps it is. Assume for the moment that it holds.

Then b = 80 / 4 = 20, so a + b = 4 + 20 = 24.

Let me check: the sum should be 18, but 24 is not 18. That is a contradiction.

So that was wrong. Let me go back and try something else instead of a = 4.

Suppose instead that it is 8. I am not sure of this either, but maybe this guess is right; assume that it holds.

Then b = 80 / 8 = 10, so a + b = 8 + 10 = 18.

Let me check this: 8 + 10 = 18 and 8 * 10 = 80, both correct.
</think>
The numbers are 8 and 10.`;

// One paragraph is one span here; the default cuts long traces as the paper does, into 80 to 250 tokens.
const reader = await readerOf({ ...defaultLabeler, segmentation: stepSegmentation });
const { spans, sequence, confidences, labeledBy } = await reader.read({ response });
spans.forEach(({ text }, i) => {
  const label = reader.alphabet.labels[sequence[i]];
  console.log(`${label.padEnd(12)} ${confidences[i].toFixed(2)}  ${text.slice(0, 60)}`);
});

console.log(`chain depth ${chainDepth(sequence)}`);
for (const { motif, count } of motifCounts([sequence], 2, reader.alphabet, 1).slice(0, 3))
  console.log(`${motifText(motif)} ${count}`);
console.log(labelerWords(labeledBy));
