// What one step of RL looked like, in numbers: rewards by part, solve rates, the state of the repertoire, and warnings.
import { type Primitive, primitives, recoveryPrimitives } from "../rollouts/primitives.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import type { GroupSignal } from "./group-signal.ts";
import { mean } from "./moments.ts";
import type { RecoveryDiagnostics, RlState, RlStepEvent } from "./rl-events.ts";
import type { ScoredGroup, ScoredRollout } from "./rl-loop.ts";
import type { RlOptions } from "./rl-options.ts";
import { rolloutSignals } from "./signal-spread.ts";

/** A rollout as it is written down. */
export function rolloutRecord(
  rollout: ScoredRollout,
  signal: GroupSignal,
  index: number,
  step: number,
  readPrimitives?: (response: string) => readonly Primitive[],
): Rollout {
  const { problem, attempt, seed, sample, grade } = rollout;
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
    surprise: rollout.reference && surpriseOf(rollout.reference.logprobs),
    tokenNll: attempt === 0 ? rollout.reference && tokenNllOf(rollout.reference.logprobs) : undefined,
    primitives: readPrimitives && [...readPrimitives(sample.text)],
  };
}

function surpriseOf(reference: ArrayLike<number>): Rollout["surprise"] {
  const { meanNll, topNll } = rolloutSignals(reference);
  return { mean: meanNll, top: [...topNll] };
}

/** Thousandths of a nat are more than a colour can show. */
function tokenNllOf(reference: ArrayLike<number>): number[] {
  return Array.from(reference, (logprob) => Math.round(-1000 * logprob) / 1000);
}

type StepInput = {
  readonly groups: readonly ScoredGroup[];
  readonly records: readonly Rollout[];
  readonly start: RlState["start"];
  readonly alarms: RlOptions["alarms"];
  readonly notes: readonly string[];
};

export function stepReport(input: StepInput): Omit<RlStepEvent, "type" | "step" | "updates" | "learningRate"> {
  const { groups, records } = input;
  const rollouts = groups.flatMap((group) => group.rollouts);
  const right = (rollout: ScoredRollout) => rollout.grade.verdict === "correct";
  const share = (predicate: (group: ScoredGroup) => boolean) => groups.filter(predicate).length / groups.length;
  const part = (read: (reward: NonNullable<Rollout["grade"]>["reward"]) => number | undefined) =>
    mean(records.map((record) => read(record.grade!.reward) ?? 0));
  const families = [...new Set(rollouts.map(({ problem }) => problem.family))].sort();
  const lengths = rollouts.map(({ sample }) => sample.tokens.length);
  const entropy = meanEntropy(rollouts);
  const counts = primitiveMeans(records);
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
    recovery: recoveryDiagnostics(records),
    warnings: [...input.notes, ...alarms(input, entropy, counts)],
  };
}

function meanEntropy(rollouts: readonly ScoredRollout[]): number {
  let total = 0;
  let tokens = 0;
  for (const { sampled } of rollouts) {
    const { entropies, logprobs } = sampled;
    // An engine that gives no distributions still tells how surprised it was by what it drew.
    for (let t = 0; t < logprobs.length; t++) total += entropies?.[t] ?? -logprobs[t];
    tokens += logprobs.length;
  }
  return tokens === 0 ? 0 : total / tokens;
}

function primitiveMeans(records: readonly Rollout[]): Record<Primitive, number> | undefined {
  if (records.some((record) => record.primitives === undefined)) return undefined;
  const count = (primitive: Primitive) =>
    mean(records.map((record) => record.primitives!.filter((label) => label === primitive).length));
  return Object.fromEntries(primitives.map((primitive) => [primitive, count(primitive)])) as Record<Primitive, number>;
}

function recoveryDiagnostics(records: readonly Rollout[]): RecoveryDiagnostics | undefined {
  if (records.some((record) => record.primitives === undefined)) return undefined;
  const recovers = (record: Rollout) =>
    record.primitives!.some((label) => recoveryPrimitives.includes(label as Primitive));
  const right = (record: Rollout) => record.grade?.verdict === "correct";
  const meanOf = (values: readonly number[]) => (values.length === 0 ? undefined : mean(values));
  const accuracy = (chosen: readonly Rollout[]) => meanOf(chosen.map((record) => Number(right(record))));
  const surprise = (chosen: readonly Rollout[]) =>
    meanOf(chosen.filter(right).flatMap((record) => record.novelty?.z ?? []));
  const withRecovery = records.filter(recovers);
  const without = records.filter((record) => !recovers(record));
  return {
    tracesWithRecovery: withRecovery.length / records.length,
    accuracyWithRecovery: accuracy(withRecovery),
    accuracyWithoutRecovery: accuracy(without),
    noveltyZWithRecovery: surprise(withRecovery),
    noveltyZWithoutRecovery: surprise(without),
  };
}

function alarms({ start, alarms }: StepInput, entropy: number, counts?: Record<Primitive, number>): string[] {
  if (start === undefined) return [];
  const warnings: string[] = [];
  const times = (entropy / start.entropy).toFixed(2);
  if (entropy < alarms.entropyCollapse * start.entropy) warnings.push(`entropy is collapsing: ${times} of its start`);
  if (entropy > alarms.entropyBlowUp * start.entropy) warnings.push(`entropy is blowing up: ${times} of its start`);
  const recovery = counts && counts.hypothesize + counts.backtrack;
  if (recovery !== undefined && start.recovery && recovery < alarms.recoveryShare * start.recovery) {
    const left = Math.round((100 * recovery) / start.recovery);
    warnings.push(`recovery is vanishing: hypothesize and backtrack are at ${left}% of their start`);
  }
  return warnings;
}
