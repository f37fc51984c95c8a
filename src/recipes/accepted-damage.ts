// Damage that somebody chose to accept: told to whoever watches and kept among the run's incidents, so that a report can say it.
import type { Damage, DamageOptions } from "../base/integrity.ts";
import { recordIncident } from "../runs/incidents.ts";

export type DamageEvent = { readonly type: "damage-accepted"; readonly stage: string } & Damage;

export type DamageWatch = {
  readonly folder: string;
  readonly stage: string;
  /** Without it, damage is an error. */
  readonly acceptDamage?: boolean;
  readonly emit: (event: DamageEvent) => void;
};

export async function acceptingDamage<T>(
  { folder, stage, acceptDamage, emit }: DamageWatch,
  check: (options: DamageOptions) => Promise<T>,
): Promise<T> {
  const accepted: Damage[] = [];
  const result = await check({ accept: acceptDamage ? (damage) => void accepted.push(damage) : undefined });
  for (const damage of accepted) {
    await recordIncident(folder, { type: "damage-accepted", ...damage });
    emit({ type: "damage-accepted", stage, ...damage });
  }
  return result;
}
