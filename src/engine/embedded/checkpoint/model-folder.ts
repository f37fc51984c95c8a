// A model as a Hugging Face folder: config.json, model.safetensors, tokenizer.json and generation_config.json, or a
// PEFT folder with adapter_config.json and adapter_model.safetensors.
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { recoverFolder } from "../../../base/atomic-folder.ts";
import { DataError } from "../../../base/errors.ts";
import { checkFiles, type DamageOptions, recordFiles } from "../../../base/integrity.ts";
import { readJsonFile } from "../../../base/json-file.ts";
import type { ModelTokenizer } from "../../tokenizer.ts";
import { type Adapters, adapterSpecs, checkAdapters } from "../model/adapters.ts";
import { type DecoderConfig, readDecoderConfig } from "../model/decoder-config.ts";
import { type Parameter, type ParameterSpec, type Parameters, parameterSpecs } from "../model/parameters.ts";
import type { Moments } from "../runtime/trained-tensors.ts";
import { type NamedTensor, readSafetensors, writeSafetensors } from "./safetensors.ts";

export async function readConfig(folder: string): Promise<DecoderConfig> {
  const path = join(folder, "config.json");
  if (!existsSync(path)) throw new DataError(`${folder} is not a model folder: it has no config.json`);
  return readDecoderConfig(await readJsonFile(path, z.unknown()), path);
}

export async function readModel(
  folder: string,
): Promise<{ config: DecoderConfig; parameters: Map<string, Parameter> }> {
  const config = await readConfig(folder);
  const tensors = await readWeightFiles(folder);
  return { config, parameters: withSpecs(parameterSpecs(config), (name) => tensors.get(name), folder) };
}

const indexSchema = z.looseObject({ weight_map: z.record(z.string(), z.string()) });

async function readWeightFiles(folder: string): Promise<Map<string, NamedTensor>> {
  const single = join(folder, "model.safetensors");
  if (existsSync(single)) return readSafetensors(single);
  const indexPath = join(folder, "model.safetensors.index.json");
  if (!existsSync(indexPath))
    throw new DataError(`${folder} has no model.safetensors; other weight formats are not read`);
  const { weight_map: files } = await readJsonFile(indexPath, indexSchema);
  const tensors = new Map<string, NamedTensor>();
  for (const file of new Set(Object.values(files))) {
    for (const [name, tensor] of await readSafetensors(join(folder, file))) tensors.set(name, tensor);
  }
  return tensors;
}

function withSpecs(
  specs: readonly ParameterSpec[],
  find: (name: string) => NamedTensor | undefined,
  folder: string,
): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const spec of specs) {
    const tensor = find(spec.name);
    if (tensor === undefined) throw new DataError(`${folder}: the weights have no tensor ${spec.name}`);
    if (tensor.shape.join() !== spec.shape.join()) {
      throw new DataError(
        `${folder}: tensor ${spec.name} is ${tensor.shape.join("x")}, and the config asks for ${spec.shape.join("x")}`,
      );
    }
    parameters.set(spec.name, { ...spec, data: tensor.data });
  }
  return parameters;
}

export async function writeModel(
  folder: string,
  config: DecoderConfig,
  parameters: Parameters,
  tokenizer: ModelTokenizer,
): Promise<void> {
  const marks = { eos_token_id: tokenizer.endOfText, pad_token_id: tokenizer.endOfText };
  await writeJson(join(folder, "config.json"), { ...marks, ...config.source });
  await writeJson(join(folder, "generation_config.json"), { ...marks, ...eosOf(config) });
  await writeTokenizer(folder, tokenizer);
  const specs = parameterSpecs(config);
  await writeSafetensors(
    join(folder, "model.safetensors"),
    new Map(specs.map(({ name }) => [name, parameters.get(name) as Parameter])),
  );
}

function eosOf(config: DecoderConfig): object {
  return config.source.eos_token_id === undefined ? {} : { eos_token_id: config.source.eos_token_id };
}

export async function writeTokenizer(folder: string, tokenizer: ModelTokenizer): Promise<void> {
  await writeJson(join(folder, "tokenizer.json"), tokenizer.files.tokenizer);
  await writeJson(join(folder, "tokenizer_config.json"), tokenizer.files.config);
}

const peftPrefix = "base_model.model.";

const adapterConfigSchema = z.looseObject({
  peft_type: z.literal("LORA"),
  r: z.int().positive(),
  lora_alpha: z.number(),
  target_modules: z.array(z.string()),
});

/** What may stand in a plain adapter's config, by key; under any other key nothing may: PEFT knows dozens of variants. */
const plainSettings: Readonly<Record<string, readonly unknown[] | "any">> = {
  ...{ peft_type: "any", task_type: "any", peft_version: "any", auto_mapping: "any", inference_mode: "any" },
  ...{ base_model_name_or_path: "any", revision: "any", r: "any", lora_alpha: "any", lora_dropout: "any" },
  ...{ target_modules: "any", exclude_modules: "any", layers_to_transform: "any", layers_pattern: "any" },
  ...{ megatron_core: "any", qalora_group_size: "any", eva_config: "any" },
  bias: ["none"],
  // Others begin on weights that are not the base's.
  init_lora_weights: [true, "gaussian", "eva", "orthogonal"],
};

const isNothing = (value: unknown): boolean =>
  value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0);

/** The setting that makes another model of the same tensors. */
const oddSetting = (config: object): string | undefined =>
  Object.entries(config).find(([key, value]) => {
    const plain = Object.hasOwn(plainSettings, key) ? plainSettings[key] : [];
    return plain !== "any" && !plain.includes(value) && !isNothing(value);
  })?.[0];

export async function writeAdapters(
  folder: string,
  config: DecoderConfig,
  adapters: Adapters,
  parameters: Parameters,
  baseModel: string,
): Promise<void> {
  await writeJson(join(folder, "adapter_config.json"), {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: baseModel,
    r: adapters.rank,
    lora_alpha: adapters.alpha,
    lora_dropout: 0,
    target_modules: adapters.targets,
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
  });
  const specs = adapterSpecs(config, adapters);
  await writeSafetensors(
    join(folder, "adapter_model.safetensors"),
    new Map(specs.map(({ name }) => [peftPrefix + name, parameters.get(name) as Parameter])),
  );
}

export const isAdapterFolder = (folder: string) => existsSync(join(folder, "adapter_config.json"));

export async function readAdapters(
  folder: string,
  config: DecoderConfig,
): Promise<{ adapters: Adapters; parameters: Map<string, Parameter> }> {
  const path = join(folder, "adapter_config.json");
  const remedy = "only plain LoRA adapters are read";
  const described = await readJsonFile(path, adapterConfigSchema, { remedy });
  const odd = oddSetting(described);
  if (odd !== undefined) throw new DataError(`${path} has ${odd}: ${JSON.stringify(described[odd])}; ${remedy}`);
  const { r: rank, lora_alpha: alpha, target_modules: targets } = described;
  const adapters = checkAdapters({ rank, alpha, targets: targets as Adapters["targets"] });
  const tensors = await readSafetensors(join(folder, "adapter_model.safetensors"));
  const parameters = withSpecs(adapterSpecs(config, adapters), (name) => tensors.get(peftPrefix + name), folder);
  // Whole layers that were trained beside the adapters, adapters of an embedding: without them it is another model.
  const unread = [...tensors.keys()].find((name) => !parameters.has(name.slice(peftPrefix.length)));
  if (unread !== undefined) throw new DataError(`${folder} trains ${unread} as well; ${remedy}`);
  return { adapters, parameters };
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

// ---- The record of a checkpoint ------------------------------------------------------------------------------------
// What its files were when they were saved, checked before any of them is loaded: one changed weight would train on in silence.

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

// ---- Training state ------------------------------------------------------------------------------------------------
// What a checkpoint holds besides, so that training resumes as if it had never stopped.

const stateFile = "training_state.json";
const tensorFile = "optimizer.safetensors";

const stateSchema = z.object({
  version: z.literal(1),
  steps: z.int().nonnegative(),
});

export async function writeTrainingState(
  folder: string,
  steps: number,
  parameters: readonly Parameter[],
  moments: ReadonlyMap<string, Moments>,
): Promise<void> {
  await writeFile(join(folder, stateFile), `${JSON.stringify({ version: 1, steps }, null, 2)}\n`);
  await writeSafetensors(
    join(folder, tensorFile),
    new Map(
      parameters.flatMap(({ name, shape }) => {
        const { momentum, variance } = moments.get(name) as Moments;
        return [
          [`momentum.${name}`, { shape, data: momentum }],
          [`variance.${name}`, { shape, data: variance }],
        ];
      }),
    ),
  );
}

/** Fills the given moments and returns the steps made; a folder without training state (a downloaded model) starts afresh. */
export async function readTrainingState(folder: string, moments: ReadonlyMap<string, Moments>): Promise<number> {
  const path = join(folder, stateFile);
  if (!existsSync(path)) return 0;
  const state = await readJsonFile(path, stateSchema);
  const stored = await readSafetensors(join(folder, tensorFile));
  for (const [name, { momentum, variance }] of moments) {
    for (const [kind, target] of [
      ["momentum", momentum],
      ["variance", variance],
    ] as const) {
      const source = stored.get(`${kind}.${name}`);
      if (source?.data.length !== target.length) {
        throw new DataError(`${folder}: the optimizer's state has no ${kind} for ${name}`);
      }
      target.set(source.data);
    }
  }
  return state.steps;
}
