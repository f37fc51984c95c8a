// Puzzles as rows of a dataset: the problems of `run paper`, in the order of its steps.
import { paperValue } from "../problems/paper.ts";
import { noPuzzles, paperPuzzles } from "../problems/paper-sets.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { type DatasetRow, datasetRow } from "../problems/puzzle-dataset.ts";
import { inTurn } from "../problems/puzzle-draw.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { canonicalId } from "../puzzles/puzzle.ts";
import type { SplitName } from "../puzzles/splits.ts";

type ExportedSets = Readonly<Record<SplitName, readonly PuzzleProblem[]>>;

type ExportedCounts = {
  readonly seed: number;
  /** `bridges=7x7d0` */
  readonly puzzles: readonly string[];
  readonly trainRows: number;
  readonly testRows: number;
};

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

export function rowOf(problem: PuzzleProblem, index: number): DatasetRow {
  const puzzle = puzzleNamed(problem.puzzle);
  const instance = puzzle.readId(problem.instance);
  const solved = puzzle.solve(instance);
  if (solved.status !== "unique") throw new Error(`${problem.id} has no single solution`);
  const { instance: id } = problem;
  const difficulty = problem.difficulty ?? puzzle.difficulty(instance) ?? "unknown";
  const made = { id, canonical: canonicalId(puzzle, instance), difficulty, instance, solution: solved.solution };
  const row = datasetRow({ puzzle }, made, index);
  if (row.split === "train") return row;
  // The reward server's record keeps what validates apart, and hears of it in the ground truth alone.
  const truth = JSON.stringify({ ...JSON.parse(row.reward_model.ground_truth), split: "test" });
  return { ...row, reward_model: { ...row.reward_model, ground_truth: truth } };
}
