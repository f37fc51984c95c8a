// What a checkpoint's files were when they were saved, kept among them and checked before any of them is loaded: one weight
// that changed on a disk would train on in silence.
import { readdir } from "node:fs/promises";
import { recoverFolder } from "../../../base/atomic-folder.ts";
import { checkFiles, type DamageOptions, recordFiles } from "../../../base/integrity.ts";

/** People give a model another chat template or stop token, and adapters another place of their base. */
const editedByHand = new Set(["generation_config.json", "tokenizer_config.json", "adapter_config.json"]);

export async function recordCheckpoint(folder: string): Promise<void> {
  const names = await readdir(folder);
  await recordFiles(
    folder,
    names.filter((name) => !editedByHand.has(name)),
  );
}

/** Puts back what a killed writer had moved aside, and checks that the files are those that were written. */
export async function checkCheckpoint(folder: string, damage: DamageOptions): Promise<void> {
  await recoverFolder(folder);
  await checkFiles(folder, damage);
}
