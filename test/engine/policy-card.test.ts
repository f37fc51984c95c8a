// A model's card is found from the model, from a checkpoint of any depth, from an evaluation and through an adapter's base.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type PolicyCard, policyCardFile, readPolicyCard, writePolicyCard } from "../../src/engine/policy-card.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-card-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const terse: PolicyCard = { promptStyle: "terse", chat: "plain", language: "terse" };
const mini = resolve(import.meta.dirname, "../../models/mini-base");

it("the shipped miniature says that it reads and writes the terse language", async () => {
  expect(await readPolicyCard(mini)).toEqual(terse);
});

it("a checkpoint and an evaluation have the card of their run, unless they have one of their own", async () => {
  const run = join(root, "a", "b", "run");
  const [checkpoint, evaluation] = [join(run, "sft", "checkpoints", "epoch-1"), join(run, "evaluations", "sft")];
  for (const folder of [checkpoint, evaluation]) mkdirSync(folder, { recursive: true });
  expect(await readPolicyCard(checkpoint)).toBeUndefined();
  await writePolicyCard(run, terse);
  expect(await readPolicyCard(checkpoint)).toEqual(terse);
  expect(await readPolicyCard(evaluation)).toEqual(terse);
  await writePolicyCard(checkpoint, { ...terse, language: "english" });
  expect(await readPolicyCard(checkpoint)).toEqual({ ...terse, language: "english" });
});

it("an adapter without a run has the card of its base", async () => {
  const adapter = join(root, "c", "d", "e", "f", "adapter");
  mkdirSync(adapter, { recursive: true });
  writeFileSync(join(adapter, "adapter_config.json"), JSON.stringify({ base_model_name_or_path: mini, r: 8 }));
  expect(await readPolicyCard(adapter)).toEqual(terse);
});

it("an unknown word in a card is refused by its file and the words that are known", async () => {
  const folder = join(root, "odd");
  mkdirSync(folder);
  writeFileSync(join(folder, policyCardFile), JSON.stringify({ ...terse, language: "klingon" }));
  await expect(readPolicyCard(folder)).rejects.toThrow(/odd\/policy-card\.json.*\n?.*"english"\|"terse"/s);
});
