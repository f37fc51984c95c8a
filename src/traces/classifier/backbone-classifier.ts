// A language model that was taught to answer with labels, as a span classifier: its description on disk beside where its
// weights lie, and the asking. Weights stay where the engine put them; opening them is the caller's affair.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
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
import { labelOf } from "./training.ts";

const fileName = "backbone.json";
/** While the engine reads one, the next is cut into tokens and a third is on its way. */
const callsInFlight = 3;
const spansPerCall = 1024;

const backboneDescriptionSchema = z.object({
  name: z.string(),
  version: z.string(),
  about: z.string(),
  taxonomy: taxonomySchema,
  /** Folder of the checkpoint, beside this file or absolute. */
  checkpoint: z.string(),
  lengths: z.object({ question: z.number(), previous: z.number(), text: z.number(), window: z.number() }),
  /** Whether its texts begin as its tokenizer begins one; they did not at first. */
  begun: z.boolean().default(false),
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
  readonly #waiting: {
    readonly spans: readonly SpanInContext[];
    readonly resolve: (scores: readonly Float64Array[]) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  #asking = 0;

  constructor(
    engine: Engine,
    { name, version, about, taxonomy, quality, lengths, begun, temperature }: BackboneDescription,
  ) {
    this.taxonomy = taxonomy;
    this.description = { kind: "classifier", name, version, about, taxonomy: taxonomy.name, quality };
    this.#engine = engine;
    this.#prompts = new SpanPrompts(engine.tokenizer, alphabetOf(taxonomy), lengths, begun);
    this.#temperature = temperature;
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    const { labels } = alphabetOf(this.taxonomy);
    const scores = await this.#scores(spans);
    return scores.map((logits, i) => labelOf(spans[i], logits, this.#temperature, labels, this.taxonomy));
  }

  /** Traces that ask while answers are out wait, and are asked together: a GPU wants many spans at once. */
  #scores(spans: readonly SpanInContext[]): Promise<readonly Float64Array[]> {
    const asked = new Promise<readonly Float64Array[]>((resolve, reject) => {
      this.#waiting.push({ spans, resolve, reject });
    });
    if (this.#asking < callsInFlight) this.#askAll();
    return asked;
  }

  async #askAll(): Promise<void> {
    this.#asking += 1;
    for (;;) {
      // Those who ask in the same turn are asked with the first.
      await nextTurn();
      const together = this.#together();
      if (together.length === 0) break;
      try {
        const scores = await labelLogprobs(
          this.#engine,
          this.#prompts,
          together.flatMap(({ spans }) => spans),
        );
        let start = 0;
        for (const { spans, resolve } of together) resolve(scores.slice(start, (start += spans.length)));
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    this.#asking -= 1;
  }

  #together() {
    let [traces, spans] = [0, 0];
    while (traces < this.#waiting.length && spans < spansPerCall) spans += this.#waiting[traces++].spans.length;
    return this.#waiting.splice(0, traces);
  }

  close(): Promise<void> {
    return this.#engine.dispose();
  }
}
