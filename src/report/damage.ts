// Before a folder is drawn: are its files what they were when they were finished? Damage is an error, or accepted and then
// named in the report, also where somebody accepted it while the run went on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkFiles, isRecorded } from "../base/integrity.ts";
import type { Gap } from "../drawing/item.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { readIncidents } from "../runs/incidents.ts";

export async function noteDamage(
  folder: string,
  acceptDamage: boolean | undefined,
  gap: (gap: Gap) => void,
): Promise<void> {
  const accept = acceptDamage ? () => {} : undefined;
  for (const { file, problem } of await checkFiles(folder, { accept }))
    gap({
      missing: `what ${file} was (${problem})`,
      where: folder,
      remedy: "accepted by --accept-damage; the rest was read",
    });
  for (const incident of await readIncidents(folder)) {
    if (incident.type !== "damage-accepted") continue;
    const { file, problem } = incident;
    gap({ missing: `what ${file} was (${problem})`, where: folder, remedy: "accepted while the run went on" });
  }
  const finished = existsSync(join(folder, evaluationFiles.summary));
  if (finished && !(await isRecorded(folder, [evaluationFiles.summary])))
    gap({
      missing: "a record of what its files were when it was finished",
      where: folder,
      remedy: `damage cannot be noticed here; \`repertoire grade ${folder}\` writes the record anew`,
    });
}
