// How much a candidate novelty signal differs between rollouts of the same problem: the paper's signal table. A signal
// without spread inside groups cannot rank rollouts, whatever its level.

import { z } from "zod";
import { mean } from "../base/statistics/descriptive.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { deviation } from "./advantages.ts";
import type { Logprobs } from "./gspo.ts";
import { noveltyScore } from "./novelty.ts";

const paperTopTokens = [10, 100, 200];

/** Mean surprisal and surprisal of the top tokens, of one response; a rollout's tokens need not be kept for the table. */
export type RolloutSignals = NonNullable<Rollout["surprisal"]>;

export const rolloutSignals = (reference: Logprobs, topTokens: readonly number[] = paperTopTokens): RolloutSignals => ({
  mean: -mean(reference),
  top: topTokens.map((tokens) => noveltyScore(reference, { tokens })),
});

const signalSpreadSchema = z.object({
  signal: z.string(),
  /** Mean over problems of the standard deviation between a problem's rollouts, in nats per token. */
  withinProblem: z.number(),
  /** How many times the spread of the mean NLL this is. */
  amplification: z.number(),
  problems: z.number(),
});
export type SignalSpread = Readonly<z.infer<typeof signalSpreadSchema>>;

/** `traces signal` leaves this beside the evaluation that it scored; the report's table reads it. */
export const signalsFile = "signals.json";

export const recordedSignalsSchema = z.object({
  /** Under which weights. */
  reference: z.string(),
  temperature: z.number(),
  tables: z.array(z.object({ set: z.string(), rollouts: z.number(), rows: z.array(signalSpreadSchema) })),
});
export type RecordedSignals = z.infer<typeof recordedSignalsSchema>;

/** `groups` holds the signals of each problem's rollouts; problems with a single rollout have no spread and are left out. */
export function signalSpread(
  groups: readonly (readonly RolloutSignals[])[],
  topTokens: readonly number[] = paperTopTokens,
): SignalSpread[] {
  const compared = groups.filter((group) => group.length > 1);
  const spreadOf = (read: (signals: RolloutSignals) => number) =>
    mean(compared.map((group) => deviation(group.map(read), "sample")));
  const basis = spreadOf((signals) => signals.mean);
  const row = (signal: string, withinProblem: number): SignalSpread => ({
    signal,
    withinProblem,
    amplification: withinProblem / basis,
    problems: compared.length,
  });
  return [
    row("mean NLL (full response)", basis),
    ...topTokens.map((tokens, i) =>
      row(
        `top-${tokens} NLL`,
        spreadOf((signals) => signals.top[i]),
      ),
    ),
  ];
}
