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

/**
 * The labels of an answer, or why it cannot be used. Prose and lists of other things around the labels are forgiven, and so are
 * records with a `label` and labels by number; a wrong count and a label of the judge's own are not.
 */
export function readVerdict(
  answer: string,
  spans: number,
  allowed: readonly string[],
): string[] | { readonly unusable: string } {
  const because = (reason: string) => ({ unusable: `${reason} in ${quoted(answer)}` });
  let strange: string | undefined;
  for (const labels of labelLists(answer)) {
    const stranger = labels.find((label) => !allowed.includes(label));
    strange ??= stranger;
    // A list without one label, such as a reference in brackets, is about something else.
    if (!labels.some((label) => allowed.includes(label))) continue;
    if (stranger !== undefined) return because(`unknown label ${JSON.stringify(stranger)}`);
    return labels.length === spans ? labels : because(`${labels.length} labels for ${spans} spans`);
  }
  if (strange !== undefined) return because(`unknown label ${JSON.stringify(strange)}`);
  // A single span may be answered with a bare word.
  const word = answer
    .trim()
    .toLowerCase()
    .replace(/[."'`*]/g, "");
  if (spans === 1 && allowed.includes(word)) return [word];
  return answer.trim() === "" ? { unusable: "an empty answer" } : because("no list of labels");
}

/** What may be the labels: from the first bracket to the last, else lists and then records, the last one first. */
function* labelLists(answer: string): Generator<string[]> {
  const whole = answer.slice(answer.indexOf("["), answer.lastIndexOf("]") + 1);
  const lists = (answer.match(/\[[^[\]]*\]/g) ?? []).reverse();
  const records = (answer.match(/\{[^{}]*\}/g) ?? []).reverse();
  for (const text of [whole, ...lists, ...records]) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      continue;
    }
    const entries = Array.isArray(parsed) || hasLabel(parsed) ? [parsed].flat() : Object.values(parsed as object);
    yield entries.map((entry) =>
      String(hasLabel(entry) ? entry.label : entry)
        .trim()
        .toLowerCase(),
    );
  }
}

const hasLabel = (entry: unknown): entry is { readonly label: unknown } =>
  typeof entry === "object" && entry !== null && "label" in entry;

/** The end of an answer, where its labels should be. */
const quoted = (answer: string) => JSON.stringify(answer.length <= 120 ? answer : `…${answer.slice(-120)}`);
