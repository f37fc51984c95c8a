// The classifier on disk: a description that people can read, and the weights, eight bits each, compressed.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import { taxonomySchema } from "../../rollouts/taxonomy.ts";
import { alphabetOf } from "../sequence.ts";
import { featureBuckets, featuresVersion } from "./features.ts";
import type { LinearModel } from "./linear-model.ts";
import { classifierQualitySchema } from "./quality.ts";

const fileNames = { description: "classifier.json", weights: "weights.bin.gz" } as const;

const modelDescriptionSchema = z.object({
  name: z.string(),
  version: z.string(),
  about: z.string(),
  /** What its labels are; files of version 0.1 name the paper's nine. */
  taxonomy: taxonomySchema.default(paperTaxonomy),
  /** Which features the weights belong to; others would be nonsense with them. */
  features: z.number(),
  buckets: z.number(),
  scale: z.number(),
  bias: z.array(z.number()),
  temperature: z.number(),
  trainedOn: z.record(z.string(), z.number()),
  quality: classifierQualitySchema.optional(),
  /** On fresh traces of the narrating teacher, by style. */
  narratedMacroF1: z.record(z.string(), z.number()).optional(),
});
export type ModelDescription = z.infer<typeof modelDescriptionSchema>;

export type StoredClassifier = { readonly description: ModelDescription; readonly model: LinearModel };

/** One that was just trained; its version follows from its weights. */
export type TrainedClassifier = {
  readonly model: LinearModel;
  readonly description: Omit<ModelDescription, "version" | "features" | "buckets" | "scale" | "bias">;
};

/** Two classifiers of one name are told apart by this: labels of the one are not taken for the other's. */
export function versionOf(...identity: readonly (string | NodeJS.ArrayBufferView)[]): string {
  const digest = createHash("sha256");
  for (const part of identity) digest.update(part);
  return digest.digest("hex").slice(0, 8);
}

export const isClassifierFolder = (folder: string): boolean => existsSync(join(folder, fileNames.description));

/** The classifier that comes with the project. */
export const shippedClassifier = new URL("../../../models/span-classifier/", import.meta.url);

export async function saveClassifier(folder: string, { model, description }: TrainedClassifier): Promise<void> {
  const whole: ModelDescription = {
    ...description,
    version: versionOf(model.weights, model.bias, String(description.temperature)),
    features: featuresVersion,
    buckets: featureBuckets,
    scale: model.scale,
    bias: [...model.bias],
  };
  const packed = await promisify(gzip)(new Uint8Array(model.weights.buffer), { level: 9 });
  await writeFileAtomically(join(folder, fileNames.weights), packed);
  await writeFileAtomically(join(folder, fileNames.description), `${JSON.stringify(whole, null, 2)}\n`);
}

export async function loadClassifier(folder: string): Promise<StoredClassifier> {
  if (!isClassifierFolder(folder))
    throw new DataError(`${folder} holds no span classifier (${fileNames.description} is missing)`);
  const description = await readJsonFile(join(folder, fileNames.description), modelDescriptionSchema);
  const { taxonomy, features, buckets, scale, bias } = description;
  const classes = alphabetOf(taxonomy).labels.length;
  if (bias.length !== classes || features !== featuresVersion || buckets !== featureBuckets) {
    throw new DataError(`${folder} was trained for other features or labels; train it again with this version`);
  }
  const weights = await promisify(gunzip)(await readFile(join(folder, fileNames.weights)));
  if (weights.length !== buckets * classes) {
    throw new DataError(`${folder}: ${weights.length} weights, expected ${buckets * classes}; the file is damaged`);
  }
  return {
    description,
    model: {
      classes,
      weights: new Int8Array(weights.buffer, weights.byteOffset, weights.length),
      scale,
      bias: Float64Array.from(bias),
    },
  };
}
