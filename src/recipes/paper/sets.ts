// Everything the paper's experiment asks: puzzles to teach and to train on, held-out ones that choose the SFT epoch, and
// what every policy is judged by.
import { Random } from "../../base/random.ts";
import type { HubOptions } from "../../problems/benchmarks/hub.ts";
import { loadBenchmark } from "../../problems/benchmarks/load.ts";
import type { Problem, PuzzleProblem } from "../../problems/problem.ts";
import { subset } from "../../problems/subset.ts";
import { balancedPuzzles, drawnPuzzles, inTurn } from "../puzzle-draw.ts";
import { combinedBenchmarks, type PaperSettings } from "./settings.ts";

export type PaperSets = {
  readonly teaching: readonly PuzzleProblem[];
  readonly training: readonly PuzzleProblem[];
  /** On these the best SFT epoch is chosen. */
  readonly choosing: readonly PuzzleProblem[];
  readonly heldOut: readonly PuzzleProblem[];
  readonly larger: readonly PuzzleProblem[];
};

export function paperPuzzles({ seed, puzzles, corpus, rl, sft, evaluation }: PaperSettings): PaperSets {
  const random = Random.from(seed).child("paper sets");
  // Held-out puzzles that choose the SFT endpoint are not the ones that judge it.
  const heldOut = puzzles.training.map((world) => {
    const own = drawnPuzzles(
      world,
      "test",
      sft.heldOutPerPuzzle + evaluation.heldOutPerPuzzle,
      random.child("held out", world),
    );
    // A small world gives half of its few to each.
    const first = Math.min(sft.heldOutPerPuzzle, Math.floor(own.length / 2));
    return { choosing: own.slice(0, first), judging: own.slice(first, first + evaluation.heldOutPerPuzzle) };
  });
  return {
    teaching: balancedPuzzles(puzzles.training, corpus.puzzles, random.child("teaching")),
    training: balancedPuzzles(puzzles.training, rl.steps * rl.problemsPerStep, random.child("training")),
    choosing: inTurn(heldOut.map(({ choosing }) => choosing)),
    heldOut: heldOut.flatMap(({ judging }) => judging),
    larger: puzzles.larger.flatMap((world) =>
      drawnPuzzles(world, "test", evaluation.largerPerPuzzle, random.child("larger", world)),
    ),
  };
}

/** Benchmarks in the order of the settings; files of a folder, or the hub. */
export async function paperBenchmarks(
  { seed, evaluation }: PaperSettings,
  from: { readonly hub: HubOptions; readonly folder?: string },
): Promise<readonly { readonly set: string; readonly problems: readonly Problem[] }[]> {
  const sets = [];
  for (const set of evaluation.benchmarks) {
    const parts = [];
    for (const name of combinedBenchmarks[set] ?? [set]) parts.push(...(await loadBenchmark(name, from)).problems);
    const chosen =
      set.startsWith("omega-") && parts.length > evaluation.omegaProblems
        ? subset(parts, evaluation.omegaProblems, seed)
        : parts;
    sets.push({ set, problems: chosen.map((problem) => ({ ...problem, set })) });
  }
  return sets;
}
