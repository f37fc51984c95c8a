// A second vocabulary, without a judge and without weights: the four habits of Gandhi et al. 2025 (arXiv:2503.01307), found by
// the words in which people announce them. Coarse where the paper's nine are fine, and wrong in other places: what both
// vocabularies say of a change is not an artifact of one of them.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { doesNoReasoning } from "./classifier/no-reasoning.ts";
import type { LabelerDescription } from "./labeler.ts";
import type { SpanClassifier, SpanInContext, SpanLabel } from "./span-classifier.ts";

/** The first whose words occur names a span: who turns back after a check has turned back. */
const pivots = {
  backtracking: [
    /\b(?:go(?:ing)? back to|back to (?:the (?:start|beginning|drawing)|square one)|start(?:ing)? over|scrap (?:that|this|it)|scratch that|undo|abandon|i['’]?m (?:really )?stuck|the same problem\.)/,
    /\b(?:(?:that|this|it|which) (?:does(?: not|n['’]t)|did(?: not|n['’]t)|won['’]t|will not) work|not working|a dead end|leads nowhere)\b/,
    /\b(?:(?:a different|another|alternative) (?:approach|strategy)|(?:that|this) approach (?:is|was|isn['’]t|does)|approach this differently)\b/,
    /\b(?:let me|let['’]?s|let us|i (?:should|need to|must)) (?:rethink|reconsider|re-?start|re-?do|try (?:again|another|a different|something else)|backtrack|look (?:it )?up)\b/,
  ],
  verification: [
    /\b(?:let me|let['’]?s|let us|i(?:['’]ll| will| should| can)|to|we can) (?:just |quickly |now )?(?:re-?check|double[- ]?check|check|verify|confirm|make sure|test|validate)\b/,
    /\b(?:double[- ]?check|verif(?:y|ying|ication)|sanity check|checks? out|plug(?:ging)? (?:it |this |that |them )?(?:back )?in|substitut(?:e|ing) back|just to be|(?:that|this)(?:['’]s| is| seems) (?:correct|consistent|satisfied|okay)|(?:did ?n['’]t|did not) make a mistake|(?:maybe|perhaps) i (?:made a mistake|messed up))\b/,
    /(?:^|[.!?]\s+|\n)(?:check(?:ing)?\b|confirm\b|correct\.|yes, that|hold on)/,
    /\b(?:is|are) (?:that|this|these|it) (?:right|correct|consistent|valid)\?|(?:that|this) can['’]t be right/,
  ],
  "backward-chaining": [
    /\bwork(?:ing)? backwards?\b/,
    /\b(?:start(?:ing)? (?:from|with)|reason(?:ing)? from) the (?:answer|target|goal|end|result|conclusion)\b/,
    /\b(?:to|in order to) (?:get|reach|obtain|arrive at|end up with|make|have) [^.\n]{1,60}, (?:we|i|you) (?:need|would need|must|['’]d need)\b/,
  ],
  subgoal: [
    /(?:^|[.!?:]\s+|\n)(?:first|next|then|now),? (?:i|we) (?:need to|have to|should|must|want to|can|remember)\b/,
    /\b(?:the (?:first|next|final|last) (?:step|goal|task) (?:is|will be|would be)|break (?:this|it|that|the problem|things) (?:down|into|up)|(?:approach|plan|strategy|idea|goal|way) is to|think about how|should start|step by step|we can use)\b/,
    /\b(?:let me|let['’]?s|i(?:['’]ll| will)) (?:start|begin) (?:by|with)\b/,
  ],
} as const;
const habits = Object.keys(pivots) as (keyof typeof pivots)[];

type Habit = (typeof habits)[number] | "onward" | "formatting";

const patterns = habits.map((habit) => ({
  habit,
  pattern: new RegExp(pivots[habit].map(({ source }) => source).join("|"), "i"),
}));

export function habitOf({ text, previous }: Pick<SpanInContext, "text" | "previous">): Habit {
  if (doesNoReasoning(text, previous)) return "formatting";
  return patterns.find(({ pattern }) => pattern.test(text))?.habit ?? "onward";
}

export const habitsTaxonomy: Taxonomy = {
  name: "the four habits",
  labels: [
    {
      name: "subgoal",
      letter: "G",
      meaning: "sets itself a part of the way",
      color: { light: "#332296", dark: "#7c9dfc" },
    },
    {
      name: "backward-chaining",
      letter: "R",
      meaning: "reasons from what is wanted",
      color: { light: "#8a9a36", dark: "#a8b754" },
    },
    { name: "onward", letter: "F", meaning: "carries on", color: { light: "#77b3e1", dark: "#9cdcfc" } },
    { name: "verification", letter: "V", meaning: "checks what it has", color: { light: "#1a6e3c", dark: "#288f50" } },
    {
      name: "backtracking",
      letter: "B",
      meaning: "gives up a line and turns back",
      color: { light: "#ac319f", dark: "#d568c5" },
    },
    { name: "formatting", letter: "O", meaning: "does no reasoning", color: { light: "#6b7280", dark: "#9ca3af" } },
  ],
  break: "formatting",
  exploit: ["onward", "verification"],
  recover: ["backtracking"],
  motifs: {},
  categories: [
    { name: "recovery", length: 3, holds: ["backtracking"] },
    { name: "verification", length: 3, holds: ["verification"] },
  ],
};

const letterOf = new Map(habitsTaxonomy.labels.map(({ name, letter }) => [name, letter]));

/** A letter a span, as sequences are written. */
export const writtenHabits = (spans: readonly { readonly text: string }[]): string =>
  spans.map(({ text }, i) => letterOf.get(habitOf({ text, previous: i === 0 ? "" : spans[i - 1].text }))).join("");

/** By the measure of the paper's vocabulary that a habit stands for; none of the four is a hypothesis. */
const habitOfMeasure: Readonly<Record<string, Habit>> = {
  backtrack: "backtracking",
  "recovery trigrams": "backtracking",
  check: "verification",
  "verification trigrams": "verification",
};

/** The same measure in words that nobody judged, as a column of its own; undefined where there is none. */
export const habitMeasure = (measure: string): string | undefined =>
  measure in habitOfMeasure ? `${habitOfMeasure[measure]} by its words` : undefined;

/** How often each habit with a measure occurs in a written trace, by the column's name. */
export const habitCounts = (written: string): Record<string, number> =>
  Object.fromEntries(
    [...new Set(Object.values(habitOfMeasure))].map((habit) => [
      `${habit} by its words`,
      written.split(letterOf.get(habit)!).length - 1,
    ]),
  );

/** As `--classifier habits`: every table under this vocabulary. */
export const habitClassifier: SpanClassifier = {
  taxonomy: habitsTaxonomy,
  description: {
    kind: "classifier",
    name: "habits",
    version: "1",
    about: "the four habits by the words that announce them",
    taxonomy: habitsTaxonomy.name,
  } satisfies LabelerDescription,
  label: async (spans: readonly SpanInContext[]): Promise<SpanLabel[]> =>
    spans.map((span) => ({ label: habitOf(span), confidence: 1 })),
};
