// One LLM judge behind an OpenAI-compatible endpoint: asks about batches, and about halves of them down to single spans where one went wrong.
import { createHash } from "node:crypto";
import { EndpointClient } from "../../endpoints/client.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { SpanInContext } from "../span-classifier.ts";
import { guidelinesFor, judgePrompt, readVerdict } from "./judge-prompt.ts";

/** Silent: no answer came, however often it was asked for; otherwise what came could not be used. */
type JudgeReply = { readonly label: string } | { readonly failure: string; readonly silent?: true };

export type JudgeResult = {
  readonly verdicts: readonly JudgeReply[];
  readonly cost: number;
  readonly requests: number;
};

/** Room for a reasoning model to think before it answers. */
const maxTokens = 4096;

type JudgeOptions = {
  readonly taxonomy?: Taxonomy;
  /** Instead of what the taxonomy says. */
  readonly guidelines?: string;
  readonly name?: string;
  readonly onWarning?: (message: string) => void;
};

export class Judge {
  readonly name: string;
  readonly guidelines: string;
  readonly #client: EndpointClient;
  readonly #labels: readonly string[];
  /** Whether it has ever given a label, and the first batch that failed, asked for piece by piece. */
  #useful = false;
  #trial: Promise<unknown> | undefined;
  /** Until the server says that its model takes none but its own. */
  #temperature: number | undefined = 0;

  constructor(endpoint: Endpoint, options: JudgeOptions = {}) {
    const { taxonomy = paperTaxonomy, guidelines, name = endpoint.model, onWarning } = options;
    this.name = name;
    this.guidelines = guidelines ?? guidelinesFor(taxonomy);
    this.#labels = taxonomy.labels.map(({ name }) => name);
    this.#client = new EndpointClient(endpoint, process.env, onWarning);
  }

  /** Changes with every change of wording: votes under different wordings are different votes. */
  get wording(): string {
    return createHash("sha256").update(this.guidelines).digest("hex").slice(0, 8);
  }

  /** `piece` is a part of a batch that failed. */
  async judge(spans: readonly SpanInContext[], signal?: AbortSignal, piece = false): Promise<JudgeResult> {
    const first = await this.#ask(spans, 0, signal);
    if (!("failure" in first)) return first;
    const { cost, ...failed } = first;
    // A judge that did not answer, however often it was asked, is not asked for smaller pieces; one that refused may take them.
    if (failed.silent) return { verdicts: spans.map(() => failed), cost, requests: 1 };
    if (spans.length === 1) {
      // Once more with another seed; a judge that fails twice has no opinion.
      const { cost: again, ...second } = await this.#ask(spans, 1, signal);
      return { verdicts: "failure" in second ? [second] : second.verdicts, cost: cost + again, requests: 2 };
    }
    // Pieces cost many times what the batch did: while it has given no label, those of one batch are asked for and no others.
    if (!piece && this.#trial !== undefined) {
      await this.#trial;
      if (!this.#useful) return { verdicts: spans.map(() => failed), cost, requests: 1 };
    }
    // Halves, not single spans: every request pays for the guidelines again, and most of a batch is nobody's trouble.
    const middle = Math.ceil(spans.length / 2);
    const asked = Promise.all(
      [spans.slice(0, middle), spans.slice(middle)].map((half) => this.judge(half, signal, true)),
    );
    this.#trial ??= asked;
    const halves = await asked;
    return {
      verdicts: halves.flatMap(({ verdicts }) => verdicts),
      cost: cost + halves.reduce((total, { cost }) => total + cost, 0),
      requests: 1 + halves.reduce((total, { requests }) => total + requests, 0),
    };
  }

  async #ask(
    spans: readonly SpanInContext[],
    seed: number,
    signal?: AbortSignal,
  ): Promise<JudgeResult | { readonly failure: string; readonly silent?: true; readonly cost: number }> {
    const temperature = this.#temperature;
    const answer = await this.#client.complete(
      { system: this.guidelines, prompt: judgePrompt(spans, this.#labels), seed, temperature, maxTokens },
      signal,
    );
    if (answer.outcome === "failed") {
      if (temperature === undefined || !answer.rejected || !answer.failure.includes("temperature"))
        return { failure: answer.failure, ...(!answer.rejected && { silent: true }), cost: 0 };
      this.#temperature = undefined;
      return this.#ask(spans, seed, signal);
    }
    const cost = answer.cost ?? 0;
    const labels = readVerdict(answer.text, spans.length, this.#labels);
    if ("unusable" in labels) {
      const cut = answer.truncated ? ` (cut off at ${answer.completionTokens ?? maxTokens} tokens)` : "";
      return { failure: `${labels.unusable}${cut}`, cost };
    }
    this.#useful = true;
    return { verdicts: labels.map((label) => ({ label })), cost, requests: 1 };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
