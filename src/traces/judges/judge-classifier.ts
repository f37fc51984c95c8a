// A judge as a span classifier: slow and costly, and as good as its model. For traces few enough to afford it.

import { RemoteServiceError } from "../../base/errors.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { LabelerDescription } from "../labeler.ts";
import type { SpanClassifier, SpanInContext, SpanLabel } from "../span-classifier.ts";
import { Judge } from "./judge.ts";

const spansPerRequest = 8;

export class JudgeClassifier implements SpanClassifier {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  readonly #judge: Judge;
  cost = 0;
  /** Spans that the judge gave no usable label, and one of its answers; they stand as breaks of which nothing is sure. */
  failures = 0;
  example: string | undefined;
  #answered = false;

  constructor(endpoint: Endpoint, taxonomy: Taxonomy = paperTaxonomy, onWarning?: (message: string) => void) {
    this.#judge = new Judge(endpoint, { taxonomy, onWarning });
    this.taxonomy = taxonomy;
    const { host, pathname } = new URL(endpoint.url);
    this.description = {
      kind: "judge",
      taxonomy: taxonomy.name,
      name: `judge ${endpoint.model}`,
      version: this.#judge.wording,
      about: `${endpoint.model} at ${host}${pathname} asked about every span, ${spansPerRequest} at a time`,
    };
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    const batches: SpanInContext[][] = [];
    for (let i = 0; i < spans.length; i += spansPerRequest) batches.push(spans.slice(i, i + spansPerRequest));
    const judged = await Promise.all(batches.map((batch) => this.#judge.judge(batch)));
    for (const { cost } of judged) this.cost += cost;
    const verdicts = judged.flatMap((one) => one.verdicts);
    this.#answered ||= verdicts.some((verdict) => "label" in verdict);
    return verdicts.map((verdict): SpanLabel => {
      // A judge does not say how sure it is.
      if ("label" in verdict) return { label: verdict.label, confidence: 1 };
      // One that has never answered, or answers no more, labels nothing: breaks everywhere would be an analysis of nothing.
      if (verdict.silent || !this.#answered)
        throw new RemoteServiceError(
          `${this.description.name} gave no label: ${verdict.failure}; check the address and the model's name, then give the same command again`,
        );
      this.failures += 1;
      this.example ??= verdict.failure;
      return { label: this.taxonomy.break, confidence: 0 };
    });
  }

  close(): Promise<void> {
    return this.#judge.close();
  }
}
