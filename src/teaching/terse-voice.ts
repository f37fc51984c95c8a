// Thoughts in the terse language: the line as it is copied first, then what becomes of it, because a small model reads
// better what it has just written.
import { type Assignment, type Constraint, type ConstraintModel, only } from "../puzzles/constraint-model.ts";
import type { Thought } from "./reasoner.ts";
import { openings, spaced } from "./terse-language.ts";

export function terseText(model: ConstraintModel, thought: Thought): string {
  return spaced(`${openings[thought.primitive]} ${words(model, thought)}`);
}

const called = ({ name, clue }: Constraint) => `${name} ${clue} :`;
const filled = (constraint: Constraint, option: Assignment) => constraint.show(option.map(only));

function words(model: ConstraintModel, thought: Thought): string {
  switch (thought.kind) {
    case "plan":
      return thought.next;
    case "introduction":
    case "aside":
      return "";
    case "setup":
      return `${called(thought.constraint)} ${thought.constraint.show(thought.local)}`;
    case "enumerate":
      return `${called(thought.constraint)} ${thought.options.map((option) => filled(thought.constraint, option)).join(" | ")}`;
    case "guess": {
      const { constraint, local, option } = thought;
      return `${called(constraint)} ${constraint.show(local)} > ${filled(constraint, option)}`;
    }
    case "deduce": {
      const { constraint, before, after } = thought;
      return `${called(constraint)} ${constraint.show(before)} > ${constraint.show(after)}`;
    }
    case "check":
      return `${called(thought.constraint)} ${thought.constraint.show(thought.local)} ${thought.holds ? "ok" : "bad"}`;
    case "check-board":
      return `${thought.check.name} : ${thought.check.show(thought.values)} ${thought.holds ? "ok" : "bad"}`;
    case "return": {
      if (thought.guess === undefined) return "all";
      return `${called(thought.guess.constraint)} ${filled(thought.guess.constraint, thought.guess.option)}`;
    }
    case "known":
      return model.showAll(thought.possible);
  }
}
