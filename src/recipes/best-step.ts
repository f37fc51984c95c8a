// The best step of an RL run among the checkpoints that it kept: by pass@1 on held-out puzzles that choose and do not judge,
// or by how many rollouts were right while it trained, which costs nothing. Of equals the earliest.
import { join } from "node:path";
import { DataError } from "../base/errors.ts";
import { mean } from "../base/statistics/descriptive.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import { type ChosenStep, writeChosenStep } from "../runs/chosen-steps.ts";
import { readEvents } from "../runs/training-log.ts";
import type { RlEvent } from "../training/rl-events.ts";

export function keptSteps({ steps, stepsPerCheckpoint }: { steps: number; stepsPerCheckpoint: number }): number[] {
  const kept = Array.from({ length: Math.floor(steps / stepsPerCheckpoint) }, (_, i) => (i + 1) * stepsPerCheckpoint);
  return kept.at(-1) === steps ? kept : [...kept, steps];
}

export async function chosenStep(
  folder: string,
  policy: string,
  by: ChosenStep["by"],
  kept: readonly number[],
  asked: (step: number) => Promise<EvaluationSummary>,
): Promise<ChosenStep> {
  const trained = await trainedSteps(join(folder, policy));
  const reached = kept.filter((step) => step <= trained.length);
  if (reached.length === 0) throw new DataError(`${policy} kept no checkpoint to choose among`);
  const scores = [];
  for (const [i, step] of reached.entries()) {
    const since = i === 0 ? 0 : reached[i - 1];
    const score = by === "training" ? mean(trained.slice(since, step)) : passAt1(await asked(step), policy);
    scores.push({ step, score });
  }
  const chosen = { policy, by, scores, step: best(scores) };
  await writeChosenStep(folder, chosen);
  return chosen;
}

/** The earliest of those with the largest score. */
export function best(scores: ChosenStep["scores"]): number {
  return scores.reduce((found, one) => (one.score > found.score ? one : found)).step;
}

function passAt1({ sets }: EvaluationSummary, policy: string): number {
  const counted = sets.flatMap(({ problems, passAtK }) => {
    const first = passAtK.find(({ k }) => k === 1);
    return first === undefined ? [] : [{ problems, value: first.value }];
  });
  const all = counted.reduce((sum, { problems }) => sum + problems, 0);
  if (all === 0)
    throw new DataError(
      `there are no validation puzzles to choose the best step of ${policy}; raise sft.validationPerPuzzle, or set evaluation.best.by=training`,
    );
  return counted.reduce((sum, { problems, value }) => sum + problems * value, 0) / all;
}

/** Of each step the share of rollouts that were right. */
async function trainedSteps(folder: string): Promise<number[]> {
  const rates: number[] = [];
  for await (const read of readEvents(folder)) {
    const event = read as RlEvent;
    if (event.type === "rl-step") rates.push(event.solveRate);
  }
  return rates;
}
