// The paper's nine primitives as a taxonomy: the default everywhere. Plain data, so that a browser can have it.
import { type Primitive, primitives } from "./primitives.ts";
import type { Taxonomy } from "./taxonomy.ts";

/** Meaning as the paper gives it, definition as a judge needs it. Any two colors are at least 16 apart in CIE L*a*b*. */
const paperLabels: Readonly<Record<Primitive, Omit<Taxonomy["labels"][number], "name">>> = {
  plan: {
    letter: "P",
    meaning: "chooses a high-level approach",
    definition: "decides how to go about it: a strategy, the next sub-goal, which method to use",
    color: { light: "#332296", dark: "#7c9dfc" },
  },
  setup: {
    letter: "S",
    meaning: "introduces notation or auxiliaries",
    definition:
      "prepares: restates what is given, introduces names, coordinates or objects, recalls a rule or theorem to use",
    color: { light: "#1a6e3c", dark: "#288f50" },
  },
  enumerate: {
    letter: "E",
    meaning: "lists cases or candidates",
    definition: "lists cases, candidates or options, or walks along such a list without working deeply on any entry",
    color: { light: "#8a9a36", dark: "#a8b754" },
  },
  hypothesize: {
    letter: "H",
    meaning: "makes a tentative claim to test",
    definition:
      "puts something forward to be tested: a supposition, a tentative value, another reading of the question",
    color: { light: "#ac319f", dark: "#d568c5" },
  },
  compute: {
    letter: "C",
    meaning: "calculates or manipulates",
    definition: "carries the work forward: calculates, derives, deduces, transforms",
    color: { light: "#77b3e1", dark: "#9cdcfc" },
  },
  check: {
    letter: "K",
    meaning: "verifies against the constraints",
    definition:
      "verifies: tests a result against the conditions, recomputes, tries an example, asks whether it is right",
    color: { light: "#1c9091", dark: "#59dcb0" },
  },
  backtrack: {
    letter: "B",
    meaning: "rejects a line and returns",
    definition: "gives a line of work up and goes back or changes course",
    color: { light: "#ec420e", dark: "#f76d2e" },
  },
  summarize: {
    letter: "Z",
    meaning: "consolidates partial results",
    definition: "gathers what is known so far, or states the final answer",
    color: { light: "#dccd78", dark: "#f1e690" },
  },
  other: {
    letter: "O",
    meaning: "filler or formatting",
    definition: "no reasoning: filler, formatting, talk about how to write the answer",
    color: { light: "#bbbeb6", dark: "#8598a3" },
  },
};

/** What may stand between two checks: not another check (a sticky check is no pattern), nor a recovery primitive. */
const allowedMiddle = ["plan", "setup", "enumerate", "compute", "summarize", "other"] satisfies Primitive[];

export const paperTaxonomy: Taxonomy = {
  name: "paper",
  labels: primitives.map((name) => ({ name, ...paperLabels[name] })),
  break: "other",
  exploit: ["compute", "check", "setup"],
  exploitStrict: ["compute", "check"],
  recover: ["hypothesize", "backtrack"],
  motifs: {
    "compute→check": ["compute", "check"],
    "check→compute→check": ["check", "compute", "check"],
    "check→compute→check→compute→check": ["check", "compute", "check", "compute", "check"],
  },
  categories: [
    { name: "recovery", length: 3, holds: ["hypothesize", "backtrack"] },
    { name: "exploitation", pattern: ["compute", "check", "compute"] },
    { name: "verification", pattern: ["check", allowedMiddle, "check"] },
    { name: "exploitation", pattern: ["check", "compute", "check", "compute", "check"] },
    { name: "verification", pattern: ["check", allowedMiddle, "check", allowedMiddle, "check"] },
  ],
  guidelines: `When two labels seem to fit:
- Judge the span as a whole, not its first words.
- A doubt that only leads to verifying again is check; a doubt that ends with dropping the current line is backtrack.
- Repeating the question is setup. A tentative reading of the question that is then argued for is hypothesize.
- Deducing inside an assumed case is compute, unless the assumption itself is the point; then it is hypothesize.
- A final answer with little new work is summarize.`,
};
