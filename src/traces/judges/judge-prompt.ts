// What judges are told (a taxonomy's labels, how to decide between two), the question about a batch of spans, and the reading of
// its answer. The instructions are replaceable, because a jury's prompt is refined until its judges agree.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { SpanInContext } from "../span-classifier.ts";

export function guidelinesFor({ labels, guidelines }: Taxonomy): string {
  const definitions = labels.map(({ name, definition, meaning }) => `- ${name}: ${definition ?? meaning}`);
  const opening =
    "You label pieces of a chain of thought. Each piece is a span of text, shown with the end of the text before it. Give every span exactly one label: what the span as a whole does.";
  return [opening, definitions.join("\n"), ...(guidelines === undefined ? [] : [guidelines])].join("\n\n");
}

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
 * records with a `label`, labels by number, and labels alone on lines or between commas; a wrong count and a label of the
 * judge's own are not.
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
  // Nothing but labels, however they are listed and numbered.
  const words = answer.split(/[\n,;]/).map(labelIn);
  if (words.length === spans && words.every((word) => allowed.includes(word))) return words;
  return answer.trim() === "" ? { unusable: "an empty answer" } : because("no list of labels");
}

/** What may be the labels: from the first bracket to the last, else lists and then records, the last one first. */
function* labelLists(answer: string): Generator<string[]> {
  const whole = answer.slice(answer.indexOf("["), answer.lastIndexOf("]") + 1);
  const lists = (answer.match(/\[[^[\]]*\]/g) ?? []).reverse();
  const records = (answer.match(/\{[^{}]*\}/g) ?? []).reverse();
  const lines = `[${[...records].reverse().join(",")}]`;
  for (const text of [whole, ...lists, lines, ...records]) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      continue;
    }
    const entries = Array.isArray(parsed) || hasLabel(parsed) ? [parsed].flat() : Object.values(parsed as object);
    yield entries.map((entry) => labelIn(String(hasLabel(entry) ? entry.label : entry)));
  }
}

/** Without the number before it and the marks around it. */
const labelIn = (text: string) => text.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, "");

const hasLabel = (entry: unknown): entry is { readonly label: unknown } =>
  typeof entry === "object" && entry !== null && "label" in entry;

/** The end of an answer, where its labels should be. */
const quoted = (answer: string) => JSON.stringify(answer.length <= 120 ? answer : `…${answer.slice(-120)}`);
