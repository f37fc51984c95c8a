// How hard an instance is: the weakest of four kinds of reasoning that solves it. Each is run until it finds nothing
// more, and none of them depends on the order in which it looks, so the label is a property of the instance.
//
//   easy          Sliding. Push a line's runs as far as they go to one end, past cells known to be empty, then to the
//                 other: what a run covers both times is full, what no run can reach is empty. And counting: when all
//                 full cells of a line are found the rest is empty, and the other way round.
//   normal        Line logic. Whatever all placements of a line agree on: the most that one line can say. This is
//                 where Tatham's own puzzles end.
//   tricky        Contradiction. Suppose one cell is full (or empty) and follow line logic; if a line breaks, it was not.
//   unreasonable  Suppositions within suppositions, or more.
import { defaultBudget, type Effort, inRounds, type SolveBudget } from "../puzzle.ts";
import type { PatternInstance } from "./instance.ts";
import { empty, full, type Mark, opposite, unknown } from "./mark.ts";
import { PropagationState } from "./propagation-state.ts";
import { searchSheet } from "./search.ts";

/** Which kind of reasoning it takes, and how much; undefined without a single solution, or where the budget ends first. */
export function patternEffort(instance: PatternInstance, budget: SolveBudget = defaultBudget): Effort | undefined {
  const easy = PropagationState.of(instance);
  const given = easy.marked;
  if (easy.deduce("sliding") >= 0) return undefined;
  const slid = easy.solved;
  const looksBySliding = easy.looks;
  easy.lookAtAllLines();
  if (easy.deduce("placements") >= 0) return undefined;
  const looks = slid ? looksBySliding : easy.looks;
  const deduced = { steps: easy.marked - given, chain: inRounds(looks, easy.lineCount) };
  if (easy.solved) return { difficulty: slid ? "easy" : "normal", ...deduced, guesses: 0, searchSteps: 0 };
  const settling = settleByContradiction(easy);
  if (settling.broken) return undefined;
  const guesses = settling.vain + settling.refuted;
  if (easy.solved) return { difficulty: "tricky", ...deduced, guesses, searchSteps: 0 };
  const outcome = searchSheet(easy, budget.searchSteps);
  if ("gaveUp" in outcome || outcome.found.length !== 1) return undefined;
  return { difficulty: "unreasonable", ...deduced, guesses, searchSteps: outcome.guesses };
}

type Settling = {
  /** Both values of a cell break a line: there is no solution. */
  readonly broken: boolean;
  /** How often neither value of a cell broke anything: how hard it was to find where to go on. */
  readonly vain: number;
  /** How often one did, so that the cell was settled. */
  readonly refuted: number;
};

/** Tries both values of every open cell until no supposition breaks a line any more. */
export function settleByContradiction(state: PropagationState): Settling {
  let vain = 0;
  let refuted = 0;
  // After a full round without news nothing changes; any news starts the count again.
  for (let cell = 0, sinceNews = 0; sinceNews < state.area && !state.solved; cell = (cell + 1) % state.area) {
    sinceNews++;
    if (state.values[cell] !== unknown) continue;
    let wrong: Mark | undefined;
    for (const value of [full, empty] as const) {
      const before = state.marked;
      state.mark(cell, value);
      const broken = state.deduce("placements") >= 0;
      state.undoTo(before);
      if (!broken) continue;
      wrong = value;
      break;
    }
    if (wrong === undefined) {
      vain++;
      continue;
    }
    sinceNews = 0;
    refuted++;
    state.mark(cell, opposite(wrong));
    if (state.deduce("placements") >= 0) return { broken: true, vain, refuted };
  }
  return { broken: false, vain, refuted };
}
