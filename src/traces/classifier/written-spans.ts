// Spans written for training where real traces are short of examples: plans, enumerations, returns and talk about the
// answer's form, about many subjects and in many wordings, so that the classifier learns the move and not the subject.
import type { Random } from "../../base/random.ts";
import type { Primitive } from "../../rollouts/primitives.ts";
import type { LabeledSpan } from "./labeled-spans.ts";

type Subject = {
  readonly goal: string;
  readonly thing: string;
  readonly things: string;
  readonly method: string;
  readonly other: string;
  readonly fact: string;
  readonly clash: string;
  readonly cases: readonly string[];
};

const subjects: readonly Subject[] = [
  {
    goal: "the number of solutions modulo 7",
    thing: "residue",
    things: "residues",
    method: "reducing modulo 7",
    other: "a direct count",
    fact: "3x + 2 = 5, so x = 1",
    clash: "x would be both odd and even",
    cases: ["x = 0", "x = 1", "x = 2", "x = 3", "x = 6"],
  },
  {
    goal: "the angle between the two lines",
    thing: "coordinate system",
    things: "points",
    method: "putting the centre at the origin",
    other: "plain trigonometry",
    fact: "cos θ = -7/18",
    clash: "the lengths do not agree",
    cases: ["the angle is acute", "the angle is right", "the angle is obtuse"],
  },
  {
    goal: "the minimum of the expression",
    thing: "bound",
    things: "critical points",
    method: "AM-GM on each factor",
    other: "Lagrange multipliers",
    fact: "f(1) = 784 and f(2) = 864",
    clash: "equality cannot hold in both places",
    cases: ["a = b", "a < b", "a > b"],
  },
  {
    goal: "who is the knight and who is the knave",
    thing: "speaker",
    things: "statements",
    method: "assuming one speaker is honest",
    other: "a truth table",
    fact: "A's statement is false, so B is a knave",
    clash: "the same person would both lie and tell the truth",
    cases: ["A is a knight and B is a knave", "A is a knave and B is a knight", "both are knights", "both are knaves"],
  },
  {
    goal: "a filling of the grid",
    thing: "row",
    things: "clues",
    method: "starting with the fullest row",
    other: "working column by column",
    fact: "row 2 has exactly one free cell",
    clash: "column 3 would hold two of them",
    cases: ["cell (1,2) is filled", "cell (1,2) is empty", "cell (2,2) is filled"],
  },
  {
    goal: "an order of crossings within the time",
    thing: "crossing",
    things: "crossings",
    method: "sending the two slowest together",
    other: "letting the fastest escort everybody",
    fact: "that makes 3 + 1 + 10 = 14 minutes",
    clash: "the total comes to 20 and the limit is 17",
    cases: ["A and B go first", "A and C go first", "C and D go first"],
  },
  {
    goal: "exactly four litres in one jug",
    thing: "jug",
    things: "states",
    method: "pouring from the large jug into the small one",
    other: "filling the small jug repeatedly",
    fact: "the large jug now holds 6 and the small one is full",
    clash: "every amount stays a multiple of 6",
    cases: ["(0, 12)", "(6, 6)", "(6, 0)", "(0, 6)"],
  },
  {
    goal: "the probability that switching wins",
    thing: "door",
    things: "doors",
    method: "conditioning on the first choice",
    other: "Bayes' rule",
    fact: "P = 1/4 · 1 + 3/4 · 1/2 = 5/8",
    clash: "the probabilities add up to more than 1",
    cases: ["the prize is behind door 1", "the prize is behind door 2", "the prize is behind door 3"],
  },
  {
    goal: "how many bridges each island needs",
    thing: "island",
    things: "islands",
    method: "looking at the islands in the corners first",
    other: "counting from the largest number down",
    fact: "the 4 in the corner needs both of its double bridges",
    clash: "the 3 on the left would be left with nothing",
    cases: ["one bridge to the right", "two bridges to the right", "no bridge to the right"],
  },
  {
    goal: "a closed form for the sequence",
    thing: "recurrence",
    things: "terms",
    method: "writing down a recurrence",
    other: "a generating function",
    fact: "a(4) = 2·a(3) + 1 = 15",
    clash: "the fifth term comes out as 29, not 31",
    cases: ["n is even", "n is odd", "n is a multiple of 3"],
  },
  {
    goal: "the number of arrangements",
    thing: "arrangement",
    things: "arrangements",
    method: "counting the complement",
    other: "treating the two as one block",
    fact: "9!/(5!·2!·2!) = 756",
    clash: "some arrangements are counted twice",
    cases: ["the two sit together", "they are one seat apart", "they face each other"],
  },
  {
    goal: "where the ghost and the vampire stand",
    thing: "line of sight",
    things: "mirrors",
    method: "following each line of sight from its border clue",
    other: "guessing the row with the fewest free cells",
    fact: "the line from the top sees two monsters",
    clash: "the count on the right would be 3 instead of 2",
    cases: ["a ghost", "a vampire", "a zombie"],
  },
];

type Voice = {
  readonly say: (...ways: readonly string[]) => string;
  readonly subject: Subject;
  readonly random: Random;
};

const writers: Partial<Record<Primitive, (voice: Voice) => string[]>> = {
  plan: ({ say, subject: { goal, things, thing, method, other } }) => [
    say(
      `Okay, how should I go about this?`,
      `Hmm, let me think about how to approach this.`,
      `So what would be a good strategy here?`,
      `Before computing anything, let me decide on a way to do this.`,
      `Now, the question is how to get ${goal}.`,
    ),
    say(
      `The goal is to find ${goal}.`,
      `What I need in the end is ${goal}.`,
      `I want to determine ${goal}, and for that I have to organise the ${things} somehow.`,
      `To get ${goal}, it helps to deal with one ${thing} at a time.`,
    ),
    say(
      `One approach is ${method}; another would be ${other}. I think ${method} is simpler, so I'll start with that.`,
      `Maybe the best way is ${method}. If that gets too messy, I can still fall back on ${other}.`,
      `The key idea is ${method}: first handle the ${things} that are easy, then work through the rest.`,
      `My plan: first ${method}, then use the result for the remaining ${things}, and finally read off ${goal}.`,
      `I could try ${other}, but ${method} looks more efficient. Let me go that way.`,
      `A systematic way is ${method}, step by step, and see what it leaves open.`,
    ),
    say(
      `Let me start there.`,
      `Let's see how far that gets.`,
      `So that will be my first step.`,
      `After that I'll look at the ${things} that remain.`,
      `Next I should work on the first ${thing}.`,
    ),
  ],
  enumerate: ({ say, subject: { cases, things, thing } }) => {
    const marks = say("number", "letter", "dash", "case", "scenario");
    const list = cases.map((text, i) => {
      switch (marks) {
        case "number":
          return `${i + 1}. ${text}`;
        case "letter":
          return `${"abcdef"[i]}) ${text}`;
        case "dash":
          return `- ${text}`;
        case "case":
          return `Case ${i + 1}: ${text}.`;
        default:
          return `Scenario ${i + 1}: ${text}.`;
      }
    });
    return [
      say(
        `Let me list all the possibilities.`,
        `There are ${cases.length} cases to consider:`,
        `So the possible ${things} are the following.`,
        `Let me enumerate the options for this ${thing}.`,
        `Either way, only these combinations can occur:`,
        `The candidates are:`,
      ),
      list.join("\n"),
      say(
        `Those are all the cases.`,
        `No other combination is possible, so I'll go through each of them.`,
        `I need to see which of these are consistent.`,
        `That gives ${cases.length} possibilities in total.`,
        ``,
      ),
    ];
  },
  backtrack: ({ say, subject: { method, other, clash, thing, things } }) => [
    say(
      `But then ${clash}. That's a contradiction.`,
      `Hmm, with this ${clash}, which can't be right.`,
      `Wait, ${clash}. So this doesn't work.`,
      `No, that's wrong: ${clash}.`,
      `This is getting nowhere: ${clash} every time.`,
      `I see the mistake now. I assumed too much about the ${things}, and as a result ${clash}.`,
    ),
    say(
      `So ${method} was the wrong choice, and I have to discard it.`,
      `That means the assumption about this ${thing} must be dropped.`,
      `Let me scrap that and go back to where I still knew what I was doing.`,
      `So this line of reasoning leads to a dead end.`,
      `I'll abandon this approach.`,
      `Undo that. I return to the point before I fixed the first ${thing}.`,
    ),
    say(
      `Instead, let me try ${other}.`,
      `Let me start over, this time with ${other}.`,
      `Going back, the alternative was ${other}; let me take that one.`,
      `A different approach: ${other}.`,
      `Okay, starting again from the ${things} themselves.`,
      `Let me try again with another ${thing}.`,
    ),
  ],
  check: ({ say, subject: { fact, things, goal, cases } }) => [
    say(
      `Let me double-check that.`,
      `Let me verify this before I go on.`,
      `Is that really correct? Let me check.`,
      `To make sure, I go over the ${things} once more.`,
      `Wait, does this satisfy all of the conditions?`,
      `Let me test this with one example, say ${cases[0]}.`,
    ),
    say(
      `I had ${fact}. Plugging that back in gives the same value as before.`,
      `Again, ${fact}, which matches what I found earlier.`,
      `We get ${fact}; yes, that's consistent with all the ${things}.`,
      `Substituting back: ${fact}. Both sides agree.`,
      `Recomputing: ${fact}. Same result as before.`,
    ),
    say(
      `So that checks out.`,
      `Yes, it holds.`,
      `Good, so the value for ${goal} stands.`,
      `That seems right.`,
      `All conditions are satisfied.`,
    ),
  ],
  other: ({ say, subject: { goal } }) => [
    say(
      `Okay.`,
      `Alright, now I'll write the final response.`,
      `Now I need to put this into the requested format.`,
      `The answer has to be given between the tags, so let me format it.`,
      `Let me write this up clearly for the user.`,
      `Time to present the solution.`,
    ),
    say(
      `I should mention ${goal} first and then the explanation, using short paragraphs and a heading.`,
      `The output should be valid JSON with one entry per item, so I will keep the keys exactly as given.`,
      `I'll use bullet points, keep it concise, and put the answer in a box at the end.`,
      `The response should be structured: a short introduction, the steps, and the answer.`,
      `No more reasoning is needed here, only the write-up.`,
      `**Answer**`,
    ),
    say(``, `Done.`, `Let me draft it.`, `Here we go.`),
  ],
};

export const writtenKinds = Object.keys(writers) as Primitive[];

/** `count` spans of each kind, in turn. The span before is a piece of work on the same subject. */
export function writtenSpans(count: number, random: Random): LabeledSpan[] {
  const spans: LabeledSpan[] = [];
  for (const label of writtenKinds) {
    for (let i = 0; i < count; i++) {
      const draws = random.child(label, i);
      const subject = draws.pick(subjects);
      const say = (...ways: readonly string[]) => draws.pick(ways);
      const sentences = writers[label]!({ say, subject, random: draws }).filter((sentence) => sentence !== "");
      const joint = draws.pick([" ", " ", "\n", "\n\n"]);
      spans.push({
        text: sentences.join(joint),
        previous: draws.chance(0.15) ? "" : `${say("So", "Then", "From this,", "Now")} ${subject.fact}.`,
        label,
        trace: `written ${label} ${i}`,
        domain: "written",
      });
    }
  }
  return spans;
}
