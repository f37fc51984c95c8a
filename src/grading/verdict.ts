// What grading an attempt says. A verdict never hides why.

export type Verdict =
  | { readonly verdict: "correct" }
  /** The answer was read and breaks a rule. */
  | { readonly verdict: "wrong"; readonly because: string }
  /** No answer could be read; this is not the same as a wrong one. */
  | { readonly verdict: "unreadable"; readonly because: string };

export const correct: Verdict = { verdict: "correct" };
export const wrong = (because: string): Verdict => ({ verdict: "wrong", because });
export const unreadable = (because: string): Verdict => ({ verdict: "unreadable", because });
