// What judges are told: a taxonomy's labels, how to decide between two, and the form of the answer. Replaceable, because a
// jury's prompt is refined until its judges agree.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";

export function guidelinesFor({ labels, guidelines }: Taxonomy): string {
  const definitions = labels.map(({ name, definition, meaning }) => `- ${name}: ${definition ?? meaning}`);
  const opening =
    "You label pieces of a chain of thought. Each piece is a span of text, shown with the end of the text before it. Give every span exactly one label: what the span as a whole does.";
  return [opening, definitions.join("\n"), ...(guidelines === undefined ? [] : [guidelines])].join("\n\n");
}
