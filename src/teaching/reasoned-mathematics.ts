// Synthetic mathematics reasoned in the terse language, with the words that puzzles are reasoned with: a plan, then what is
// worked out and checked, or what is tried, held against the question and given up. Where something must be found there are
// two routes, and they are not worth the same: a scan commits to the first candidate and answers it, right or wrong.
import type { Random } from "../base/random.ts";
import type { Step, Trial, WorkedProblem } from "../problems/synthetic/index.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import { openings } from "./terse-language.ts";

/** scan: the first candidate is worked out and answered, unchecked. guess: candidates from any on, checked and given up one by one. */
export type MathematicsStyle = "scan" | "guess";

type Reasoned = { readonly lines: readonly string[]; readonly answer: string };

const line = (primitive: Primitive, words: string) => `${openings[primitive]} ${words}`;

export function reasonedMathematics(problem: WorkedProblem, style: MathematicsStyle, random: Random): Reasoned {
  const { solution, answer } = problem;
  const plan = line("plan", style);
  if ("steps" in solution) return { lines: [plan, ...solution.steps.flatMap(stepLines)], answer };
  const { trials } = solution;
  if (style === "guess") return { lines: [plan, ...guessed(trials, random)], answer };
  const [first] = trials;
  return { lines: [plan, ...work(first), ...rest(first)], answer: first.answer };
}

const stepLines = ({ compute, check }: Step) => [
  line("compute", compute),
  ...(check === undefined ? [] : [line("check", `${check} ok`)]),
];

const work = ({ work }: Trial) => work.map((one) => line("compute", one));
const outcome = ({ check, holds }: Trial) =>
  check === undefined ? [] : [line("check", `${check} ${holds ? "ok" : "bad"}`)];
const rest = ({ rest }: Trial) => rest.map((one) => line("compute", one));

/** Begins anywhere and goes round: it does not know better before it has tried. */
function guessed(trials: readonly Trial[], random: Random): string[] {
  const start = random.below(trials.length);
  const round = [...trials.slice(start), ...trials.slice(0, start)];
  const found = round.findIndex(({ holds }) => holds);
  return round
    .slice(0, found + 1)
    .flatMap((trial) => [
      line("hypothesize", trial.guess),
      ...work(trial),
      ...outcome(trial),
      ...(trial.holds ? rest(trial) : [line("backtrack", trial.guess)]),
    ]);
}
