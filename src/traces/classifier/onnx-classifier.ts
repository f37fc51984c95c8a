// A Hugging Face sequence classifier from a local folder: config.json with its labels, tokenizer.json, and the model as
// ONNX (model.onnx, or onnx/model.onnx as exporters write it).
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { Tokenizer } from "@huggingface/tokenizers";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { turnOffTelemetry } from "../../base/no-telemetry.ts";
import { optionalPackage } from "../../base/optional-package.ts";
import { inputFile } from "../../imports/inputs.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import { type Taxonomy, taxonomySchema } from "../../rollouts/taxonomy.ts";
import type { LabelerDescription } from "../labeler.ts";
import type { SpanClassifier, SpanInContext, SpanLabel } from "../span-classifier.ts";
import { versionOf } from "./model-file.ts";
import { classifierQualitySchema } from "./quality.ts";
import { labelOf } from "./training.ts";

const configSchema = z.looseObject({
  id2label: z.record(z.string(), z.string()),
  max_position_embeddings: z.number().optional(),
  pad_token_id: z.number().nullish(),
});

/** `repertoire.json` beside the model, optional: how a span is shown to it, and how good it was measured to be. */
const onnxExtras = "repertoire.json";

const extrasSchema = z.object({
  name: z.string().optional(),
  about: z.string().optional(),
  /** With {question}, {place}, {previous} and {text}; otherwise the span before and the span are encoded as a pair. */
  template: z.string().optional(),
  /** How many tokens it was trained to read. */
  longest: z.int().positive().optional(),
  /** Logits are divided by it, so that confidences mean what they say. */
  temperature: z.number().positive().optional(),
  quality: classifierQualitySchema.optional(),
  /** What its labels mean, where they are not the paper's. */
  taxonomy: taxonomySchema.optional(),
});
type OnnxExtras = z.infer<typeof extrasSchema>;

/** Characters of the question's beginning and of the end of the span before; of a long span both ends. */
const shown = { question: 400, previous: 500, text: 2400 };

/** A span as a template shows it; nothing in a text is taken for a place to fill. */
export function filledTemplate(template: string, { question = "", place, previous, text }: SpanInContext): string {
  const half = shown.text / 2;
  const parts: Readonly<Record<string, string>> = {
    question: question.slice(0, shown.question),
    place: place === undefined ? "unknown" : `${Math.ceil(place * 10)} of 10`,
    previous: previous.slice(-shown.previous),
    text: text.length <= shown.text ? text : `${text.slice(0, half)} … ${text.slice(-half)}`,
  };
  return template.replace(/\{(question|place|previous|text)\}/g, (_, name: string) => parts[name]);
}

const modelFiles = ["model.onnx", join("onnx", "model.onnx")];

/** Whether a folder holds a sequence classifier as exporters write it. */
export const isOnnxFolder = (folder: string): boolean => modelFiles.some((file) => existsSync(join(folder, file)));

const spansAtOnce = 16;
const longestInput = 1024;

type Loaded = {
  readonly tokenizer: Tokenizer;
  readonly session: InferenceSession;
  readonly runtime: { readonly Tensor: typeof Tensor };
  /** By the model's own numbers. */
  readonly labels: readonly string[];
  readonly template?: string;
  readonly longest: number;
  readonly temperature: number;
  readonly padding: number;
};

export class OnnxClassifier implements SpanClassifier {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  readonly #loaded: Loaded;

  private constructor(description: LabelerDescription, taxonomy: Taxonomy, loaded: Loaded) {
    this.description = description;
    this.taxonomy = taxonomy;
    this.#loaded = loaded;
  }

  static async load(folder: string): Promise<OnnxClassifier> {
    const model = modelFiles.map((file) => join(folder, file)).find(existsSync);
    if (model === undefined) throw new DataError(`${folder} holds no model.onnx; export the classifier to ONNX first`);
    const config = await readJsonFile(join(folder, "config.json"), configSchema);
    const extrasFile = join(folder, onnxExtras);
    const extras: OnnxExtras = existsSync(extrasFile) ? await readJsonFile(extrasFile, extrasSchema) : {};
    const taxonomy = extras.taxonomy ?? paperTaxonomy;
    const tokenizerFile = join(folder, "tokenizer.json");
    if (!existsSync(tokenizerFile)) throw new DataError(`${tokenizerFile} does not exist; copy it beside the model`);
    const settings = join(folder, "tokenizer_config.json");
    // Both are large and most programs never need them.
    turnOffTelemetry();
    const { Tokenizer } = await import("@huggingface/tokenizers");
    const runtime = await optionalPackage(
      ["onnxruntime-node"],
      "a classifier in ONNX",
      () => import("onnxruntime-node"),
    );
    const tokenizer = new Tokenizer(
      await readJsonFile(tokenizerFile, z.looseObject({})),
      existsSync(settings) ? await readJsonFile(settings, z.looseObject({})) : {},
    );
    // In a worker thread the other threads have the other cores.
    const session = await runtime.InferenceSession.create(model, isMainThread ? {} : { intraOpNumThreads: 1 });
    const description: LabelerDescription = {
      kind: "classifier",
      name: extras.name ?? basename(folder),
      version: await identity(model, extras),
      about: extras.about ?? `a sequence classifier from ${basename(folder)}`,
      taxonomy: taxonomy.name,
      quality: extras.quality,
    };
    return new OnnxClassifier(description, taxonomy, {
      tokenizer,
      session,
      runtime,
      labels: labelsOf(config.id2label, taxonomy, folder),
      template: extras.template,
      longest: Math.min(extras.longest ?? longestInput, config.max_position_embeddings ?? longestInput),
      temperature: extras.temperature ?? 1,
      padding: config.pad_token_id ?? 0,
    });
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    const encoded = spans.map((span) => this.#encode(span));
    // Batches of similar length: padding is work for nothing.
    const order = encoded.map((_, i) => i).sort((a, b) => encoded[a].length - encoded[b].length);
    const labels = new Array<SpanLabel>(spans.length);
    for (let i = 0; i < order.length; i += spansAtOnce) {
      const rows = order.slice(i, i + spansAtOnce);
      const scores = await this.#batch(rows.map((row) => encoded[row]));
      for (const [j, row] of rows.entries())
        labels[row] = labelOf(spans[row], scores[j], this.#loaded.temperature, this.#loaded.labels, this.taxonomy);
    }
    return labels;
  }

  /** The logits of each row, by the model's own numbers. */
  async #batch(encoded: readonly (readonly number[])[]): Promise<Float64Array[]> {
    const { padding, runtime, session, labels } = this.#loaded;
    const width = Math.max(...encoded.map((ids) => ids.length));
    const ids = new BigInt64Array(encoded.length * width).fill(BigInt(padding));
    const mask = new BigInt64Array(encoded.length * width);
    encoded.forEach((row, i) => {
      row.forEach((id, j) => {
        ids[i * width + j] = BigInt(id);
        mask[i * width + j] = 1n;
      });
    });
    const tensor = (values: BigInt64Array) => new runtime.Tensor("int64", values, [encoded.length, width]);
    const offered: Record<string, Tensor> = {
      input_ids: tensor(ids),
      attention_mask: tensor(mask),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    };
    const feeds = Object.fromEntries(Object.entries(offered).filter(([name]) => session.inputNames.includes(name)));
    const outputs = await session.run(feeds);
    const logits = (outputs.logits ?? outputs[session.outputNames[0]]).data as Float32Array;
    const classes = labels.length;
    return encoded.map((_, i) => Float64Array.from(logits.subarray(i * classes, (i + 1) * classes)));
  }

  /** Too long an input loses its beginning, which is the end of the span before: the span itself matters more. */
  #encode(span: SpanInContext): number[] {
    const { template, tokenizer, longest } = this.#loaded;
    const { ids } =
      template === undefined
        ? tokenizer.encode(span.previous, { text_pair: span.text })
        : tokenizer.encode(filledTemplate(template, span));
    return ids.length <= longest ? ids : [ids[0], ...ids.slice(ids.length - longest + 1)];
  }
}

/** Weights too large for one file lie beside it, and how a span is shown is a part of what it is. */
async function identity(model: string, { template, longest, temperature }: OnnxExtras): Promise<string> {
  const names = (await readdir(dirname(model))).filter((name) => !/\.(json|jsonl|jinja|txt|md)$/.test(name)).sort();
  const files = names.map((name) => join(dirname(model), name)).filter((path) => statSync(path).isFile());
  const digests = await Promise.all(files.map(async (path) => (await inputFile(path)).sha256));
  return versionOf(...digests, JSON.stringify([template, longest, temperature]));
}

function labelsOf(id2label: Readonly<Record<string, string>>, taxonomy: Taxonomy, folder: string): string[] {
  const known = taxonomy.labels.map(({ name }) => name);
  return Object.keys(id2label)
    .sort((a, b) => Number(a) - Number(b))
    .map((id) => {
      const name = id2label[id].toLowerCase();
      if (!known.includes(name)) {
        throw new DataError(
          `${folder}: label ${id} is ${JSON.stringify(id2label[id])}; expected one of: ${known.join(", ")}`,
        );
      }
      return name;
    });
}
