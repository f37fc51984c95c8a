// What one step of RL looked like, in numbers: rewards by part, solve rates, the state of the repertoire, and warnings.

import { mean } from "../base/statistics/descriptive.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import type { RolloutLabeler, Taxonomy } from "../rollouts/taxonomy.ts";
import { entropyWarning } from "./alarms.ts";
import { recoveryMonitor, recoveryMoves } from "./curves.ts";
import type { GroupSignal, ScoredGroup, ScoredRollout } from "./group-signal.ts";
import type { RlState, RlStepEvent } from "./rl-events.ts";
import type { RlOptions } from "./rl-options.ts";
import { rolloutSignals } from "./signal-spread.ts";

/** A rollout as it is written down. */
export async function rolloutRecord(
  rollout: ScoredRollout,
  signal: GroupSignal,
  index: number,
  step: number,
  labeler?: RolloutLabeler,
): Promise<Rollout> {
  const { problem, attempt, seed, sample, grade } = rollout;
  // A response without a token has no surprisal, which is no number in a file.
  const surprisal = sample.tokens.length > 0 ? rollout.novelty : undefined;
  const bonus = signal.bonuses[index];
  return {
    problem: problem.id,
    attempt,
    policy: `step-${step}`,
    step,
    seed,
    state: sample.finish === "length" ? "truncated" : "complete",
    response: sample.text,
    promptTokens: problem.prompt.length,
    responseTokens: sample.tokens.length,
    finish: sample.finish,
    grade: { ...grade, reward: { ...grade.reward, bonus, total: grade.reward.total + bonus } },
    novelty: signal.novelty && { score: signal.novelty.scores[index], z: signal.novelty.z[index] },
    surprisal: surprisal && { ...rolloutSignals(surprisal), temperature: rollout.noveltyTemperature },
    tokenNll: attempt === 0 ? surprisal && tokenNllOf(surprisal) : undefined,
    ...(labeler && { primitives: [...(await labeler.labels(sample.text, problem.question))], labeledBy: labeler.id }),
  };
}

/** Thousandths of a nat are more than a color can show. */
const tokenNllOf = (reference: ArrayLike<number>): number[] =>
  Array.from(reference, (logprob) => Math.round(-1000 * logprob) / 1000);

type StepInput = {
  readonly groups: readonly ScoredGroup[];
  readonly records: readonly Rollout[];
  /** Of whoever labeled them. */
  readonly taxonomy: Taxonomy | undefined;
  readonly start: RlState["start"];
  readonly alarms: RlOptions["alarms"];
  readonly notes: readonly string[];
};

export function stepReport(input: StepInput): Omit<RlStepEvent, "type" | "step" | "updates" | "learningRate"> {
  const { groups, records, taxonomy } = input;
  const rollouts = groups.flatMap((group) => group.rollouts);
  const right = (rollout: ScoredRollout) => rollout.correct;
  const share = (predicate: (group: ScoredGroup) => boolean) => groups.filter(predicate).length / groups.length;
  const part = (read: (reward: NonNullable<Rollout["grade"]>["reward"]) => number | undefined) =>
    mean(records.map((record) => read(record.grade!.reward) ?? 0));
  const families = [...new Set(rollouts.map(({ problem }) => problem.family))].sort();
  const lengths = rollouts.map(({ sample }) => sample.tokens.length);
  const entropy = meanEntropy(rollouts);
  const counts = taxonomy && primitiveMeans(records, taxonomy);
  return {
    problems: groups.length,
    rollouts: rollouts.length,
    reward: {
      exact: part((reward) => reward.exact),
      completion: part((reward) => reward.completion),
      format: part((reward) => reward.format),
      bonus: part((reward) => reward.bonus),
      total: part((reward) => reward.total),
    },
    solveRate: mean(rollouts.map((rollout) => Number(right(rollout)))),
    solveRateByFamily: Object.fromEntries(
      families.map((family) => [
        family,
        mean(rollouts.filter(({ problem }) => problem.family === family).map((rollout) => Number(right(rollout)))),
      ]),
    ),
    groups: {
      allRight: share((group) => group.rollouts.every(right)),
      allWrong: share((group) => !group.rollouts.some(right)),
      bonusScaleCancels: share((group) => group.signal.bonusScaleCancels),
      withoutBonus: share((group) => group.signal.novelty?.skipped !== undefined),
      leftOut: share((group) => !group.signal.kept),
    },
    entropy,
    responseTokens: { mean: mean(lengths), longest: Math.max(...lengths) },
    truncatedShare: mean(rollouts.map(({ sample }) => Number(sample.finish === "length"))),
    primitives: counts,
    labeledBy: records[0]?.labeledBy,
    warnings: [...input.notes, ...alarms(input, entropy, counts)],
  };
}

function meanEntropy(rollouts: readonly ScoredRollout[]): number {
  let total = 0;
  let tokens = 0;
  for (const { sampled, entropies } of rollouts) {
    // An engine that gives no distributions still tells how surprised it was by what it drew.
    for (let t = 0; t < sampled.length; t++) total += entropies?.[t] ?? -sampled[t];
    tokens += sampled.length;
  }
  return tokens === 0 ? 0 : total / tokens;
}

function primitiveMeans(records: readonly Rollout[], { labels }: Taxonomy): Record<string, number> {
  const count = (name: string) =>
    mean(records.map((record) => (record.primitives ?? []).filter((label) => label === name).length));
  return Object.fromEntries(labels.map(({ name }) => [name, count(name)]));
}

function alarms({ start, alarms, taxonomy }: StepInput, entropy: number, counts?: Record<string, number>): string[] {
  if (start === undefined) return [];
  const warnings: string[] = [];
  const collapse = entropyWarning(start.entropy, entropy, alarms);
  if (collapse !== undefined) warnings.push(collapse);
  const moves = taxonomy && recoveryMoves(counts, taxonomy.recover);
  if (taxonomy !== undefined && moves !== undefined) {
    const { warning } = recoveryMonitor([...start.recovery, moves], taxonomy.recover, alarms.recoveryShare);
    if (warning !== undefined) warnings.push(warning);
  }
  return warnings;
}
