// Thoughts as sentences, in varied wording: short ones in the plain style, with more around them in prose.
import type { Random } from "../base/random.ts";
import { type Assignment, type Constraint, type ConstraintModel, only } from "../puzzles/constraint-model.ts";
import type { NarrationStyle } from "./narrator.ts";
import type { Thought } from "./reasoner.ts";

type Voice = { readonly model: ConstraintModel; readonly random: Random; readonly style: NarrationStyle };

export function proseText(voice: Voice, thought: Thought): string {
  const sentence = words(voice, thought);
  return sentence[0].toUpperCase() + sentence.slice(1);
}

const filled = ({ prose }: Constraint, option: Assignment) => prose.tell(option.map(only));

function words({ model, random, style }: Voice, thought: Thought): string {
  const say = (...ways: readonly string[]) => random.pick(ways);
  /** What only the long style adds. */
  const more = (...ways: readonly string[]) => (style === "prose" ? ` ${random.pick(ways)}` : "");
  switch (thought.kind) {
    case "aside":
      return {
        start: say(
          "okay, let's get going.",
          "alright.",
          "okay, here is the puzzle.",
          "hm, let me have a look at this one.",
        ),
        middle: say("okay.", "alright, moving along.", "good, onwards.", "so, where was I.", "fine."),
        end: say(
          "now I only have to write the board in the requested format.",
          "I will put this into the answer format now.",
          "time to write out the final board.",
        ),
      }[thought.at];
    case "introduction":
      return `${model.introduction}.${more(
        "These are the givens, and every deduction below has to respect them.",
        "That is the notation I will use throughout.",
        "Let me keep the clues in front of me as I go.",
      )}`;
    case "plan":
      return plan(thought.next, say, more);
    case "setup": {
      const { title, demand, tell } = thought.constraint.prose;
      const state = tell(thought.local);
      return thought.again
        ? say(
            `recall ${title}: ${demand}, and so far it stands at ${state}.`,
            `back to the givens of ${title}: ${demand}. Right now I have ${state}.`,
            `for ${title} the rule is that ${demand}; written down so far: ${state}.`,
          )
        : say(
            `take ${title}: ${demand}. What I have for it: ${state}.`,
            `let me write down ${title}. Here ${demand}. Its state is ${state}.`,
            `consider ${title}, where ${demand}; it currently reads ${state}.`,
            `the clue of ${title} says that ${demand}. I denote what is there by ${state}.`,
          );
    }
    case "enumerate": {
      const { constraint, options } = thought;
      const listed = options.map((option, i) => `(${i + 1}) ${filled(constraint, option)}`).join("; ");
      return say(
        `the possibilities for ${constraint.prose.title} are: ${listed}.`,
        `there are ${options.length} ways to fill ${constraint.prose.title}: ${listed}.`,
        `listing the cases for ${constraint.prose.title}: ${listed}.`,
        `options here: ${listed}. Those are all the candidates for ${constraint.prose.title}.`,
      );
    }
    case "guess": {
      const { constraint, option } = thought;
      const value = filled(constraint, option);
      return (
        say(
          `suppose that in ${constraint.prose.title} we have ${value}.`,
          `let me try ${value} for ${constraint.prose.title} and see where it leads.`,
          `maybe ${constraint.prose.title} is ${value}; I'll assume it for now.`,
          `what if ${constraint.prose.title} were ${value}? Assume so tentatively.`,
        ) +
        more(
          "If it fails I will come back to this point.",
          "This is only a guess, to be tested.",
          "Let's test that assumption.",
        )
      );
    }
    case "deduce": {
      const { constraint, before, after } = thought;
      const { title, demand, tell } = constraint.prose;
      return (
        say(
          `since ${demand}, ${title} goes from ${tell(before)} to ${tell(after)}.`,
          `in ${title}, ${demand}, which forces ${tell(after)}.`,
          `so ${title} becomes ${tell(after)}, because ${demand}.`,
          `from ${tell(before)} and the fact that ${demand} it follows that ${title} is now ${tell(after)}.`,
        ) +
        more("Nothing else fits.", "That is what every remaining arrangement has in common.", "The rest is ruled out.")
      );
    }
    case "check":
      return check(
        thought.constraint.prose.title,
        thought.constraint.prose.demand,
        thought.constraint.prose.tell(thought.local),
        thought.holds,
        say,
      );
    case "check-board":
      return thought.holds
        ? say(`one more check: ${thought.check.question} Yes.`, `verify: ${thought.check.question} It does, good.`)
        : say(
            `one more check: ${thought.check.question} No, it fails.`,
            `verify: ${thought.check.question} It does not.`,
          );
    case "return": {
      if (thought.guess === undefined) {
        return say(
          "this cannot be right, so I made a mistake somewhere. I discard all of it and start over from the clues.",
          "wait, that is impossible and I assumed nothing, so an earlier step was wrong. Scrap this line and begin again.",
        );
      }
      const { constraint, option } = thought.guess;
      const value = filled(constraint, option);
      return say(
        `that is a contradiction, so the assumption ${value} for ${constraint.prose.title} was wrong. I go back to before it.`,
        `this doesn't work: ${constraint.prose.title} cannot be ${value}. Going back and undoing what followed from it.`,
        `dead end. I reject ${value} in ${constraint.prose.title}, return to where I was, and take another way.`,
      );
    }
    case "known":
      return say(
        `to sum up, what I have is:\n${model.tellAll(thought.possible)}`,
        `so altogether the board is:\n${model.tellAll(thought.possible)}`,
        `in summary, everything together gives:\n${model.tellAll(thought.possible)}`,
      );
  }
}

function plan(
  next: "scan" | "guess" | "go-on",
  say: (...ways: string[]) => string,
  more: (...ways: string[]) => string,
): string {
  switch (next) {
    case "scan":
      return (
        say(
          "my plan is to go through the constraints one after another and fill in what each of them forces.",
          "the approach: read every clue in turn, deduce what is certain, and repeat until nothing changes.",
          "first I want to find the clues that decide something by themselves, then work outwards from there.",
        ) + more("If that gets stuck I will try a value and see.", "Only if nothing is forced will I have to guess.")
      );
    case "guess":
      return say(
        "nothing is forced any more, so the next step is to pick the clue with the fewest ways and try one.",
        "deduction alone stalls here; the way forward is to test an assumption.",
      );
    case "go-on":
      return say(
        "next I want to see which of the remaining clues says something new.",
        "the next goal is to find a clue that the last step has made decisive.",
        "I should now work on the clues that touch what I just filled in.",
      );
  }
}

function check(
  title: string,
  demand: string,
  state: string,
  holds: boolean,
  say: (...ways: string[]) => string,
): string {
  return holds
    ? say(
        `check ${title}: ${demand}, and ${state} is consistent with that. Good.`,
        `let me verify ${title}. It reads ${state} and ${demand}. That works.`,
        `double-checking ${title}: ${state}. Indeed ${demand}. Fine.`,
      )
    : say(
        `check ${title}: ${demand}, but it reads ${state}. That does not fit.`,
        `let me verify ${title}. It reads ${state}, yet ${demand}. These contradict each other.`,
        `testing ${title}: ${demand}, and with ${state} this is impossible.`,
      );
}
