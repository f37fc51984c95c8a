// The classifier on disk: a description that people can read, and the weights, eight bits each, compressed.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { DataError, messageOf } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
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

/** The classifier that comes with the project. */
export const shippedClassifier = new URL("../../../models/span-classifier/", import.meta.url);

export async function saveClassifier(
  folder: string,
  {
    model,
    description,
  }: { model: LinearModel; description: Omit<ModelDescription, "features" | "buckets" | "scale" | "bias"> },
): Promise<void> {
  const whole: ModelDescription = {
    ...description,
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
  const path = join(folder, fileNames.description);
  if (!existsSync(path))
    throw new DataError(`${folder} holds no span classifier (${fileNames.description} is missing)`);
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new DataError(`${path} cannot be read: ${messageOf(error)}`);
  }
  const description = modelDescriptionSchema.safeParse(read);
  if (!description.success) throw new DataError(`${path}: ${z.prettifyError(description.error)}`);
  const { taxonomy, features, buckets, scale, bias } = description.data;
  const classes = alphabetOf(taxonomy).labels.length;
  if (bias.length !== classes || features !== featuresVersion || buckets !== featureBuckets) {
    throw new DataError(`${folder} was trained for other features or labels; train it again with this version`);
  }
  const weights = await promisify(gunzip)(await readFile(join(folder, fileNames.weights)));
  if (weights.length !== buckets * classes) {
    throw new DataError(`${folder}: ${weights.length} weights, expected ${buckets * classes}; the file is damaged`);
  }
  return {
    description: description.data,
    model: {
      classes,
      weights: new Int8Array(weights.buffer, weights.byteOffset, weights.length),
      scale,
      bias: Float64Array.from(bias),
    },
  };
}
