// Every trainer that an export can be written for.
import { unknownName } from "../../base/errors.ts";
import { nemoGym } from "./nemo-gym.ts";
import { openrlhf } from "./openrlhf.ts";
import { primeRl } from "./prime-rl.ts";
import { skyrl } from "./skyrl.ts";
import { slime } from "./slime.ts";
import type { TrainerExport } from "./trainer.ts";
import { trl } from "./trl.ts";
import { verl } from "./verl.ts";

const trainerExports: readonly TrainerExport[] = [verl, trl, openrlhf, slime, skyrl, primeRl, nemoGym];

export const trainers: readonly string[] = trainerExports.map(({ name }) => name);

export function trainerNamed(name: string): TrainerExport {
  const found = trainerExports.find((trainer) => trainer.name === name);
  if (found === undefined) throw unknownName("trainer", name, trainers);
  return found;
}
