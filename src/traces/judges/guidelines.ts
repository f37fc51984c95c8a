// What judges are told: the nine primitives, how to decide between two, and the form of the answer. Replaceable, because
// a jury's prompt is refined until its judges agree.
import { type Primitive, primitives } from "../../rollouts/primitives.ts";

export const definitions: Readonly<Record<Primitive, string>> = {
  plan: "decides how to go about it: a strategy, the next sub-goal, which method to use",
  setup: "prepares: restates what is given, introduces names, coordinates or objects, recalls a rule or theorem to use",
  enumerate: "lists cases, candidates or options, or walks along such a list without working deeply on any entry",
  hypothesize: "puts something forward to be tested: a supposition, a tentative value, another reading of the question",
  compute: "carries the work forward: calculates, derives, deduces, transforms",
  check: "verifies: tests a result against the conditions, recomputes, tries an example, asks whether it is right",
  backtrack: "gives a line of work up and goes back or changes course",
  summarize: "gathers what is known so far, or states the final answer",
  other: "no reasoning: filler, formatting, talk about how to write the answer",
};

export const defaultGuidelines = `You label pieces of a chain of thought. Each piece is a span of text, shown with the end of the text before it. Give every span exactly one label: what the span as a whole does.

${primitives.map((primitive) => `- ${primitive}: ${definitions[primitive]}`).join("\n")}

When two labels seem to fit:
- Judge the span as a whole, not its first words.
- A doubt that only leads to verifying again is check; a doubt that ends with dropping the current line is backtrack.
- Repeating the question is setup. A tentative reading of the question that is then argued for is hypothesize.
- Deducing inside an assumed case is compute, unless the assumption itself is the point; then it is hypothesize.
- A final answer with little new work is summarize.`;
