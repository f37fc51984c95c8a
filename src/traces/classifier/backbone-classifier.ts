// A language model that was taught to answer with labels, as a span classifier: its description on disk beside where its
// weights lie, and the asking. Weights stay where the engine put them; opening them is the caller's affair.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Taxonomy, taxonomySchema } from "../../rollouts/taxonomy.ts";
import type { LabelerDescription } from "../labeler.ts";
import { alphabetOf } from "../sequence.ts";
import type { SpanClassifier, SpanInContext, SpanLabel } from "../span-classifier.ts";
import { labelLogprobs } from "./backbone-training.ts";
import { classifierQualitySchema } from "./quality.ts";
import { SpanPrompts } from "./span-prompt.ts";
import { decided } from "./training.ts";
import { isWordless } from "./wordless.ts";

const fileName = "backbone.json";

const backboneDescriptionSchema = z.object({
  name: z.string(),
  version: z.string(),
  about: z.string(),
  taxonomy: taxonomySchema,
  /** Folder of the checkpoint, beside this file or absolute. */
  checkpoint: z.string(),
  lengths: z.object({ question: z.number(), previous: z.number(), text: z.number(), window: z.number() }),
  temperature: z.number(),
  quality: classifierQualitySchema.optional(),
  /** How it came to be: data, split, settings, versions. */
  record: z.looseObject({}),
});
type BackboneDescription = z.infer<typeof backboneDescriptionSchema>;

export const isBackboneFolder = (folder: string): boolean => existsSync(join(folder, fileName));

export const readBackbone = (folder: string): Promise<BackboneDescription> =>
  readJsonFile(join(folder, fileName), backboneDescriptionSchema);

export const writeBackbone = (folder: string, description: BackboneDescription): Promise<void> =>
  writeFileAtomically(join(folder, fileName), `${JSON.stringify(description, null, 2)}\n`);

export class BackboneClassifier implements SpanClassifier {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  readonly #engine: Engine;
  readonly #prompts: SpanPrompts;
  readonly #temperature: number;

  constructor(engine: Engine, { name, version, about, taxonomy, quality, lengths, temperature }: BackboneDescription) {
    this.taxonomy = taxonomy;
    this.description = { kind: "classifier", name, version, about, taxonomy: taxonomy.name, quality };
    this.#engine = engine;
    this.#prompts = new SpanPrompts(engine.tokenizer, alphabetOf(taxonomy), lengths);
    this.#temperature = temperature;
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    const scores = await labelLogprobs(this.#engine, this.#prompts, spans);
    return scores.map((logits, i) =>
      isWordless(spans[i].text)
        ? { label: this.taxonomy.break, confidence: 1 }
        : decided(logits, this.#temperature, alphabetOf(this.taxonomy)),
    );
  }

  close(): Promise<void> {
    return this.#engine.dispose();
  }
}
