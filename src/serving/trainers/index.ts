// Every trainer that an export can be written for.
import { unknownName } from "../../base/errors.ts";
import { openrlhf } from "./openrlhf.ts";
import { slime } from "./slime.ts";
import type { TrainerExport } from "./trainer.ts";
import { trl } from "./trl.ts";
import { verl } from "./verl.ts";

export const trainerExports: readonly TrainerExport[] = [verl, trl, openrlhf, slime];

export const trainers: readonly string[] = trainerExports.map(({ name }) => name);

export function trainerNamed(name: string): TrainerExport {
  const found = trainerExports.find((trainer) => trainer.name === name);
  if (found === undefined) throw unknownName("trainer", name, trainers);
  return found;
}
