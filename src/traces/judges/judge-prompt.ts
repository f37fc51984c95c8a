// The question to a judge about a batch of spans, and the reading of its answer.
import type { SpanInContext } from "../span-classifier.ts";

/** How much of the span before is shown. */
const contextCharacters = 400;

export function judgePrompt(spans: readonly SpanInContext[], labels: readonly string[]): string {
  const shown = spans.map(({ text, previous }, i) => {
    const before = previous === "" ? "(start of the trace)" : `…${previous.slice(-contextCharacters)}`;
    return `<item number="${i + 1}">\n<before>${before}</before>\n<span>${text}</span>\n</item>`;
  });
  return `${shown.join("\n\n")}

Answer with one line of JSON and nothing else: a list with ${spans.length} label${spans.length === 1 ? "" : "s"}, in order, each one of ${labels.join(", ")}. For example: ${JSON.stringify(spans.map((_, i) => labels[i % labels.length]))}`;
}

/** The labels of an answer, or why it cannot be used. Prose around the list and records with a `label` are forgiven, a wrong count is not. */
export function readVerdict(
  answer: string,
  spans: number,
  allowed: readonly string[],
): string[] | { readonly unusable: string } {
  const lists = answer.match(/\[[^[\]]*\]/g) ?? [];
  for (const list of lists.reverse()) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(list);
    } catch {
      continue;
    }
    if (!Array.isArray(parsed)) continue;
    const labels = parsed.map((entry) =>
      String(entry?.label ?? entry)
        .trim()
        .toLowerCase(),
    );
    const stranger = labels.find((label) => !allowed.includes(label));
    if (stranger !== undefined) return { unusable: `unknown label ${JSON.stringify(stranger)} in ${quoted(answer)}` };
    if (labels.length !== spans) return { unusable: `${labels.length} labels for ${spans} spans in ${quoted(answer)}` };
    return labels;
  }
  // A single span may be answered with a bare word.
  const word = answer
    .trim()
    .toLowerCase()
    .replace(/[."'`*]/g, "");
  if (spans === 1 && allowed.includes(word)) return [word];
  return { unusable: answer.trim() === "" ? "an empty answer" : `no list of labels in ${quoted(answer)}` };
}

/** The end of an answer, where its labels should be. */
const quoted = (answer: string) => JSON.stringify(answer.length <= 120 ? answer : `…${answer.slice(-120)}`);
