// What lists, tables and analyses know of a problem: its set, what it is about, and its board.
import type { Problem } from "./problem.ts";
import { boardSize } from "./problem-id.ts";

export type ProblemFacts = {
  readonly set: string;
  /** Absent for questions of anybody's, which are of no kind that analyses pool. */
  readonly kind?: "puzzle" | "mathematics";
  readonly puzzle?: string;
  /** `7x7` */
  readonly size?: string;
  /** Of mathematics; the difficulty of a puzzle. */
  readonly subject?: string;
};

export function problemFacts(problem: Problem): ProblemFacts {
  const { set = "problems" } = problem;
  switch (problem.kind) {
    case "puzzle": {
      const { puzzle, instance, difficulty } = problem;
      const size = boardSize(instance);
      return { set, kind: "puzzle", puzzle, ...(size && { size }), ...(difficulty && { subject: difficulty }) };
    }
    case "mathematics":
      return { set, kind: "mathematics", ...(problem.subject && { subject: problem.subject }) };
    case "question":
      return { set, ...(problem.subject && { subject: problem.subject }) };
    case "recorded": {
      const { domain, puzzle, size, subject } = problem;
      const about = { ...(domain && { kind: domain }), ...(puzzle && { puzzle }), ...(size && { size }) };
      return { set, ...about, ...(subject && { subject }) };
    }
  }
}

/** A question's text as it is compared: blanks and capitals do not make another question. */
export const sameQuestion = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();
