// `--accept-damage`: the flag of every command that reads what another has finished, and what is said when it is used.
import type { AcceptDamage, Damage } from "../base/integrity.ts";
import type { DamageWatch } from "../recipes/accepted-damage.ts";
import { recordIncident } from "../runs/incidents.ts";
import { flag } from "./flags.ts";
import { warn } from "./progress.ts";

export const acceptDamageFlag = flag(
  "--accept-damage",
  "continue with files that have changed since they were finished; the report will say so",
);

export const warnDamage = ({ file, problem }: Damage): void =>
  warn(`${file} is damaged: ${problem}; continuing with what is there`);

export function damageWatch(folder: string, { acceptDamage }: { readonly acceptDamage?: true }): DamageWatch {
  return { folder, stage: folder, acceptDamage, emit: warnDamage };
}

/** For checkpoints that are loaded all the same: said, and kept among the incidents of a run. */
export function acceptedFor(
  folder: string,
  { acceptDamage }: { readonly acceptDamage?: true },
): AcceptDamage | undefined {
  if (!acceptDamage) return undefined;
  return async (damage) => {
    warnDamage(damage);
    await recordIncident(folder, { type: "damage-accepted", ...damage });
  };
}
