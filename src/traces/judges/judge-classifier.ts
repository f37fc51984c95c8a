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
  /** Spans that the judge gave no usable label; they stand as breaks, with no confidence. */
  failures = 0;

  #answered = false;

  constructor(endpoint: Endpoint, taxonomy: Taxonomy = paperTaxonomy, onWarning?: (message: string) => void) {
    this.#judge = new Judge(endpoint, { taxonomy, onWarning });
    this.taxonomy = taxonomy;
    this.description = {
      kind: "judge",
      taxonomy: taxonomy.name,
      name: `judge ${endpoint.model}`,
      version: this.#judge.wording,
      about: `${endpoint.model} asked about every span, ${spansPerRequest} at a time`,
    };
  }

  async label(spans: readonly SpanInContext[]): Promise<readonly SpanLabel[]> {
    const batches: SpanInContext[][] = [];
    for (let i = 0; i < spans.length; i += spansPerRequest) batches.push(spans.slice(i, i + spansPerRequest));
    const judged = await Promise.all(batches.map((batch) => this.#judge.judge(batch)));
    const verdicts = judged.flatMap((one) => one.verdicts);
    this.#answered ||= verdicts.some((verdict) => "label" in verdict);
    const [first] = verdicts;
    // One that has never answered labels nothing: breaks everywhere would be an analysis of nothing.
    if (!this.#answered && first !== undefined && "failure" in first)
      throw new RemoteServiceError(
        `${this.description.name} gave no label: ${first.failure}; check the address and the model's name, then give the same command again`,
      );
    return judged.flatMap(({ verdicts, cost }) => {
      this.cost += cost;
      return verdicts.map((verdict): SpanLabel => {
        if ("failure" in verdict) {
          this.failures += 1;
          return { label: this.taxonomy.break, confidence: 0 };
        }
        // A judge does not say how sure it is.
        return { label: verdict.label, confidence: 1 };
      });
    });
  }

  close(): Promise<void> {
    return this.#judge.close();
  }
}
