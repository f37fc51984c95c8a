// Problems as rows of a dataset, in verl's columns, with a ground truth that the reward server reads.
import { ConfigurationError } from "../base/errors.ts";
import { paperValue } from "../problems/paper.ts";
import { noPuzzles, paperPuzzles } from "../problems/paper-sets.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { inTurn } from "../problems/puzzle-problems.ts";
import type { SplitName } from "../puzzles/splits.ts";
import type { TrainerRow } from "./trainers/trainer.ts";

type ExportedSets = Readonly<Record<SplitName, readonly PuzzleProblem[]>>;

type ExportedCounts = {
  readonly seed: number;
  /** `bridges=7x7d0` */
  readonly puzzles: readonly string[];
  readonly trainRows: number;
  readonly testRows: number;
};

/** The puzzles of `run paper`, in the order of its steps. */
export function exportedSets({ seed, puzzles, trainRows, testRows }: ExportedCounts): ExportedSets {
  const { training, heldOut } = paperPuzzles({
    seed,
    puzzles: { training: puzzles, larger: [] },
    // Which puzzles RL gets does not depend on how many SFT takes.
    ...noPuzzles,
    sft: { validationPerPuzzle: paperValue("sft.validationPerPuzzle") },
    rl: { steps: 1, problemsPerStep: trainRows },
    evaluation: { heldOutPerPuzzle: testRows, largerPerPuzzle: 0 },
  });
  const kinds = [...new Set(heldOut.map(({ set }) => set))];
  const test = inTurn(kinds.map((kind) => heldOut.filter(({ set }) => set === kind)));
  return { train: training, test: test.slice(0, testRows) };
}

export function rowOf(problem: Problem, split: SplitName, index: number): TrainerRow {
  const { source, truth } = gradedBy(problem);
  // The reward server's record keeps what validates apart, and hears of it in the ground truth alone.
  const ground_truth = JSON.stringify({ ...truth, ...(split === "test" && { split }) });
  return {
    data_source: `repertoire/${source}`,
    prompt: [{ role: "user", content: problem.prompt }],
    ability: problem.kind,
    reward_model: { style: "rule", ground_truth },
    extra_info: { split, index, id: problem.id },
  };
}

/** What the reward server needs of a problem. A grader of somebody's own is named to the server, never by a row. */
function gradedBy(problem: Problem): { readonly source: string; readonly truth: object } {
  if (problem.kind === "puzzle")
    return { source: problem.puzzle, truth: { puzzle: problem.puzzle, id: problem.instance } };
  if (problem.kind === "question") {
    const { id, answer, data } = problem;
    return { source: "question", truth: { question: id, answer, data } };
  }
  if (problem.kind === "recorded")
    throw new ConfigurationError(
      `${problem.id} was asked by another program and has no answer that can be graded here`,
    );
  const { answer, decimals, set } = problem;
  const synthetic = set === "synthetic";
  return {
    source: synthetic ? "synthetic" : "mathematics",
    truth: { answer, decimals, ...(synthetic && { set }) },
  };
}
