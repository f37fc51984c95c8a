// One LLM judge behind an OpenAI-compatible endpoint: asks about batches, and about single spans where a batch went wrong.
import { createHash } from "node:crypto";
import { EndpointClient } from "../../endpoints/client.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { SpanInContext } from "../span-classifier.ts";
import { guidelinesFor } from "./guidelines.ts";
import { judgePrompt, readVerdict } from "./judge-prompt.ts";

type JudgeReply = { readonly label: string } | { readonly failure: string };

export type Judged = { readonly verdicts: readonly JudgeReply[]; readonly cost: number; readonly requests: number };

/** Room for a reasoning model to think before it answers. */
const maxTokens = 4096;

type JudgeOptions = {
  readonly taxonomy?: Taxonomy;
  /** Instead of what the taxonomy says. */
  readonly guidelines?: string;
  readonly name?: string;
  readonly onTrouble?: (message: string) => void;
};

export class Judge {
  readonly name: string;
  readonly guidelines: string;
  readonly #client: EndpointClient;
  readonly #labels: readonly string[];

  constructor(endpoint: Endpoint, options: JudgeOptions = {}) {
    const { taxonomy = paperTaxonomy, guidelines, name = endpoint.model, onTrouble } = options;
    this.name = name;
    this.guidelines = guidelines ?? guidelinesFor(taxonomy);
    this.#labels = taxonomy.labels.map(({ name }) => name);
    this.#client = new EndpointClient(endpoint, process.env, onTrouble);
  }

  /** Changes with every change of wording: votes under different wordings are different votes. */
  get wording(): string {
    return createHash("sha256").update(this.guidelines).digest("hex").slice(0, 8);
  }

  async judge(spans: readonly SpanInContext[], signal?: AbortSignal): Promise<Judged> {
    const first = await this.#ask(spans, 0, signal);
    if (!("failure" in first)) return first;
    if (spans.length === 1) {
      // Once more with another seed; a judge that fails twice has no opinion.
      const second = await this.#ask(spans, 1, signal);
      return "failure" in second
        ? { verdicts: [{ failure: second.failure }], cost: first.cost + second.cost, requests: 2 }
        : { ...second, cost: first.cost + second.cost, requests: 2 };
    }
    const alone = await Promise.all(spans.map((span) => this.judge([span], signal)));
    return {
      verdicts: alone.flatMap(({ verdicts }) => verdicts),
      cost: first.cost + alone.reduce((total, { cost }) => total + cost, 0),
      requests: 1 + alone.reduce((total, { requests }) => total + requests, 0),
    };
  }

  async #ask(
    spans: readonly SpanInContext[],
    seed: number,
    signal?: AbortSignal,
  ): Promise<Judged | { readonly failure: string; readonly cost: number }> {
    const answer = await this.#client.complete(
      { system: this.guidelines, prompt: judgePrompt(spans, this.#labels), seed, temperature: 0, maxTokens },
      signal,
    );
    if (answer.outcome === "failed") return { failure: answer.failure, cost: 0 };
    const cost = answer.cost ?? 0;
    const labels = readVerdict(answer.text, spans.length, this.#labels);
    if ("unusable" in labels) return { failure: labels.unusable, cost };
    return { verdicts: labels.map((label) => ({ label })), cost, requests: 1 };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
