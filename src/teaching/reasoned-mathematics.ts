// Synthetic mathematics reasoned in the terse language, with the words that puzzles are reasoned with: a plan, then what is
// worked out and checked, or what is tried, held against the question and given up.
import type { Random } from "../base/random.ts";
import type { Step, Trial, WorkedProblem } from "../problems/synthetic/index.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import { openings } from "./terse-language.ts";

/** scan: candidates in order, each worked out, the last one checked. guess: candidates from any on, checked and given up one by one. */
export type MathematicsStyle = "scan" | "guess";

const line = (primitive: Primitive, words: string) => `${openings[primitive]} ${words}`;

export function reasonedMathematics(problem: WorkedProblem, style: MathematicsStyle, random: Random): string[] {
  const { solution } = problem;
  const body =
    "steps" in solution
      ? solution.steps.flatMap(stepLines)
      : style === "scan"
        ? scanned(solution.trials)
        : guessed(solution.trials, random);
  return [line("plan", style), ...body];
}

const stepLines = ({ compute, check }: Step) => [
  line("compute", compute),
  ...(check === undefined ? [] : [line("check", `${check} ok`)]),
];

const work = ({ work }: Trial) => work.map((one) => line("compute", one));
const outcome = ({ check, holds }: Trial) =>
  check === undefined ? [] : [line("check", `${check} ${holds ? "ok" : "bad"}`)];
const rest = ({ rest }: Trial) => rest.map((one) => line("compute", one));

function scanned(trials: readonly Trial[]): string[] {
  const found = trials.findIndex(({ holds }) => holds);
  return [...trials.slice(0, found + 1).flatMap(work), ...outcome(trials[found]), ...rest(trials[found])];
}

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
