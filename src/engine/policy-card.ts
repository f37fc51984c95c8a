// How a policy is asked and in which language it answers: one record, kept as `policy-card.json` in a model's folder, in
// every checkpoint that is trained from it and in the run that trained it. Whoever samples, scores or labels reads it here.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { languages } from "./language.ts";

export const promptStyles = ["full", "board", "terse"] as const;
export const chatForms = ["model", "plain", "chatml"] as const;

const policyCardSchema = z.strictObject({
  /** Puzzles with their rules, as the board alone, or in the terse language of small models. */
  promptStyle: z.enum(promptStyles),
  /** By the model's own chat template, as plain text, or in ChatML. */
  chat: z.enum(chatForms),
  /** What it reasons in: the terse language, whose steps name their primitive, or English. */
  language: z.enum(languages),
});

export type PolicyCard = z.infer<typeof policyCardSchema>;

/** What holds for a model that says nothing of itself: anybody's instruction-tuned model. */
export const defaultPolicyCard: PolicyCard = { promptStyle: "full", chat: "model", language: "english" };

export const policyCardFile = "policy-card.json";

/** A checkpoint lies at most so deep in its run: run/evaluations/name, run/stage/checkpoints/name. */
const deepestInRun = 3;

const adapterSchema = z.looseObject({ base_model_name_or_path: z.string() });

/**
 * The card of a model, a checkpoint, a run or an evaluation, by its folder: its own, else that of the run it lies in, else
 * that of the model an adapter was trained over; absent where nobody wrote one.
 */
export async function readPolicyCard(folder: string): Promise<PolicyCard | undefined> {
  let place = resolve(folder);
  for (let depth = 0; depth <= deepestInRun; depth++) {
    const file = join(place, policyCardFile);
    if (existsSync(file)) return readJsonFile(file, policyCardSchema);
    place = dirname(place);
  }
  const adapter = join(folder, "adapter_config.json");
  if (!existsSync(adapter)) return undefined;
  const { base_model_name_or_path: base } = await readJsonFile(adapter, adapterSchema);
  return resolve(base) === resolve(folder) ? undefined : readPolicyCard(base);
}

export function writePolicyCard(folder: string, card: PolicyCard): Promise<void> {
  return writeFileAtomically(join(folder, policyCardFile), `${JSON.stringify(card, null, 2)}\n`);
}
