// A server's reply put together: from one JSON document or from the pieces of a stream, with everything that a record
// should keep. What servers disagree on (names of fields, null content) is settled here.
import { z } from "zod";
import { splitThinking } from "./thinking.ts";

const usageSchema = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  /** DeepSeek's name for the same. */
  prompt_cache_hit_tokens: z.number().nullish(),
});

const textsSchema = z.looseObject({
  content: z.string().nullish(),
  /** OpenAI's place for the words of a model that will not answer. */
  refusal: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
});

const documentSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        /** Streams send `delta`, documents `message`, the completion protocol `text`. */
        delta: textsSchema.nullish(),
        message: textsSchema.nullish(),
        text: z.string().nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish(),
  error: z.unknown().optional(),
});

export type Reply = {
  readonly text: string;
  readonly reasoning?: string;
  /** In the server's word; absent when it never said. */
  readonly finish?: string;
  readonly truncated: boolean;
  readonly promptTokens?: number;
  readonly cachedPromptTokens?: number;
  readonly completionTokens?: number;
  readonly servedBy?: string;
};

/** A reply that is no reply; worth asking again. */
export class BrokenReply extends Error {}

export class ReplyAssembly {
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  #finish: string | undefined;
  #usage: z.infer<typeof usageSchema> | undefined;
  #servedBy: string | undefined;
  #done = false;

  /** The data of one event of a stream, or a whole document. */
  add(data: string): void {
    if (data.trim() === "[DONE]") {
      this.#done = true;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      throw new BrokenReply(`the server sent something that is not JSON: ${data.slice(0, 200)}`);
    }
    const document = documentSchema.safeParse(value);
    if (!document.success) throw new BrokenReply(`the server's reply has another form: ${data.slice(0, 200)}`);
    const { choices, usage, model, error } = document.data;
    if (error !== undefined && error !== null)
      throw new BrokenReply(`the server reported: ${JSON.stringify(error).slice(0, 500)}`);
    if (model) this.#servedBy ??= model;
    if (usage) this.#usage = usage;
    const choice = choices?.[0];
    if (choice === undefined) return;
    const texts = choice.delta ?? choice.message;
    const said = texts?.content ?? texts?.refusal ?? choice.text;
    if (said) this.#text.push(said);
    const thought = texts?.reasoning ?? texts?.reasoning_content;
    if (thought) this.#reasoning.push(thought);
    if (choice.finish_reason) this.#finish = choice.finish_reason;
  }

  get begun(): boolean {
    return this.#text.length > 0 || this.#reasoning.length > 0;
  }

  finish(): Reply {
    // A stream that neither said why it ended nor that it ended was cut.
    if (this.#finish === undefined && !this.#done) throw new BrokenReply("the reply was cut off before its end");
    if (this.#finish === "error" || this.#finish === "abort") {
      throw new BrokenReply(`the server gave up on the reply (${this.#finish})`);
    }
    const text = this.#text.join("");
    const apart = this.#reasoning.join("");
    const { reasoning, answer } = apart === "" ? splitThinking(text) : { reasoning: apart, answer: text };
    const usage = this.#usage;
    const cached = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
    return {
      text: answer,
      ...(reasoning !== undefined && { reasoning }),
      ...(this.#finish !== undefined && { finish: this.#finish }),
      truncated: this.#finish === "length" || this.#finish === "max_tokens",
      ...(usage?.prompt_tokens != null && { promptTokens: usage.prompt_tokens }),
      ...(cached != null && { cachedPromptTokens: cached }),
      ...(usage?.completion_tokens != null && { completionTokens: usage.completion_tokens }),
      ...(this.#servedBy !== undefined && { servedBy: this.#servedBy }),
    };
  }
}
