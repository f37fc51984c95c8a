// The files of a model that a client needs: its tokenizer, its chat template, its configuration. From a folder, or from
// the Hugging Face hub by the model's name; weights are the engine's affair and are not downloaded.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ConfigurationError, messageOf, RemoteServiceError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import type { HubOptions } from "../problems/benchmarks/hub.ts";
import { hubClient } from "../problems/benchmarks/hub-client.ts";

export type ModelFiles = {
  readonly folder: string;
  /** What a server is asked for: the name on the hub, or the folder. */
  readonly name: string;
};

const wanted = [
  "tokenizer.json",
  "tokenizer_config.json",
  "chat_template.jinja",
  "generation_config.json",
  "config.json",
];
const hubName = /^[\w.-]+\/[\w.-]+$/;
const listingSchema = z.object({ revision: z.string() });

export async function modelFiles(model: string, hub: HubOptions): Promise<ModelFiles> {
  return isModelFolder(model) ? { folder: model, name: model } : { folder: await fromHub(model, hub), name: model };
}

/** False for a name on the hub; what is neither that nor a model's folder is refused. */
export function isModelFolder(model: string): boolean {
  if (existsSync(join(model, "tokenizer.json"))) return true;
  if (existsSync(model)) {
    throw new ConfigurationError(`--model ${model}: the folder has no tokenizer.json; copy the model's into it`);
  }
  if (!hubName.test(model)) {
    throw new ConfigurationError(
      `--model ${model}: expected a Hugging Face folder, or a name on the hub such as allenai/OLMo-3-7B-Instruct-SFT`,
    );
  }
  return false;
}

/** Kept by revision, so that a resumed run reads the same template it began with, with or without a network. */
async function fromHub(model: string, hub: HubOptions): Promise<string> {
  const home = join(hub.cache, `models--${model.replace("/", "--")}`);
  const listing = join(home, "main.json");
  const access = { hubUrl: hub.hubUrl, ...(hub.token !== undefined && { accessToken: hub.token }) };
  if (existsSync(listing)) {
    const { revision } = await readJsonFile(listing, listingSchema);
    return join(home, revision);
  }
  const { downloadFile, modelInfo } = await hubClient();
  try {
    const { sha: revision } = await modelInfo({ name: model, additionalFields: ["sha"], ...access });
    const folder = join(home, revision);
    for (const path of wanted) {
      const blob = await downloadFile({ repo: { type: "model", name: model }, path, revision, ...access });
      if (blob !== null) await writeFileAtomically(join(folder, path), new Uint8Array(await blob.arrayBuffer()));
      else if (path === "tokenizer.json") throw new Error("it has no tokenizer.json");
    }
    await writeFileAtomically(listing, JSON.stringify({ revision }));
    return folder;
  } catch (error) {
    throw new RemoteServiceError(
      `the tokenizer of ${model} cannot be fetched from the hub: ${messageOf(error)}; check the network, or give --model a folder`,
    );
  }
}
