// Spans that do no reasoning, whatever weights say: without a word, an answer written out as data, or an answer said again in
// the words it was just said in. The paper's `other` is filler and formatting; a first statement of an answer summarizes.

const wordOrNumber = /[\p{L}\p{N}]/u;
const answerCues = /\b(?:answers?|solution|steps)\b[^.\n]{0,25}\b(?:is|are|be|as)\b|\\boxed|final answer|\*\*answer/gi;
/** A last object of keys and values without a sentence or a formula in it. */
const dataBlock = /\{[^.\\]*:[^.\\]*\}\s*(?:```)?\s*$/;
const words = /[a-z0-9']+/g;

/** Chosen on read spans; the notebook has how, and what they do on others. */
const [mostlyData, mostlyRepeated, minCues, minFours] = [0.6, 0.5, 2, 8];

export function doesNoReasoning(text: string, previous: string): boolean {
  if (!wordOrNumber.test(text)) return true;
  if (isData(text)) return true;
  const cues = text.match(answerCues)?.length ?? 0;
  return cues >= minCues && repeatedShare(text, previous) >= mostlyRepeated;
}

function isData(text: string): boolean {
  const last = text.trimEnd().at(-1);
  if (last !== "}" && last !== "`") return false;
  const block = dataBlock.exec(text)?.[0];
  return block !== undefined && block.length >= mostlyData * text.trim().length;
}

/** The share of runs of four words that were in the span before, or earlier in this one. */
function repeatedShare(text: string, previous: string): number {
  const seen = new Set(fours(previous));
  const here = fours(text);
  let repeated = 0;
  for (const four of here) {
    if (seen.has(four)) repeated += 1;
    seen.add(four);
  }
  return here.length < minFours ? 0 : repeated / here.length;
}

function fours(text: string): string[] {
  const found = text.toLowerCase().match(words) ?? [];
  return found.slice(3).map((_, i) => found.slice(i, i + 4).join(" "));
}
