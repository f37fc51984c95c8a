// A server's reply put together: from one JSON document or from the pieces of a stream, with everything that a record
// should keep. What servers disagree on (names of fields, null content) is settled here.
import { z } from "zod";
import { reasoningBlocks } from "../grading/reasoning.ts";

/** What is no count is not counted: a record with half a token could not be read again. */
const tokenCount = z.int().nonnegative().nullish().catch(undefined);

const usageSchema = z.looseObject({
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  prompt_tokens_details: z.looseObject({ cached_tokens: tokenCount }).nullish(),
  /** DeepSeek's name for the same. */
  prompt_cache_hit_tokens: tokenCount,
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
        index: z.number().nullish(),
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
  /** In the server's word. */
  readonly finish: string;
  readonly truncated: boolean;
  readonly promptTokens?: number;
  readonly cachedPromptTokens?: number;
  readonly completionTokens?: number;
  readonly servedBy?: string;
};

/** A reply that is no reply; worth asking again. */
export class BrokenReply extends Error {}

/** A reply that ended and is no answer: it was withheld, or is something else. Asked again it would be the same. */
export class NoAnswer extends Error {
  readonly reply: Reply;

  constructor(message: string, reply: Reply) {
    super(message);
    this.reply = reply;
  }
}

/** How a reply ended, by the word of its server: services of several kinds call the same by many names. Without one: `unknown`. */
export type ReplyEnd = "own" | "cut" | "withheld" | "broken" | "unknown";

const endWords: readonly (readonly [ReplyEnd, RegExp])[] = [
  ["own", /^(?:stop|stopped|eos|eos_token|end_turn|stop_sequence|completed?|done)$/],
  /** At the limit of tokens, or of the context. */
  ["cut", /length|(?:max|limit).*token|token.*limit|error_limit|context_window|incomplete/],
  /** The words that stand before these are no answer that was finished. */
  [
    "withheld",
    /filter|safety|sensitive|recitation|blocklist|prohibited|refus|spii|guardrail|toxic|malformed|tool|function|pause/,
  ],
  ["broken", /error|abort|cancel|time_?out|insufficient|interrupt|overload/],
];

export function endOf(finish: string): ReplyEnd {
  const word = finish.toLowerCase().replaceAll(/[\s-]+/g, "_");
  return endWords.find(([, pattern]) => pattern.test(word))?.[0] ?? "unknown";
}

/** No server says more in so many tokens; one that does would fill memory and disk. */
const mostCharacters = (maxTokens: number): number => 64 * maxTokens + 1_000_000;
/** A character takes up to six bytes in JSON, and its event some more. */
export const mostBytes = (maxTokens: number): number => 8 * mostCharacters(maxTokens);
export const tooLong = (maxTokens: number) =>
  new BrokenReply(
    `the reply to a request for ${maxTokens.toLocaleString("en-US")} tokens has more than ${mostCharacters(maxTokens).toLocaleString("en-US")} characters`,
  );

export class ReplyAssembly {
  readonly #maxTokens: number;
  readonly #goesOn: boolean;
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  #characters = 0;
  /** Whether there was an answer, if only one of no words. */
  #answered = false;
  #finish: string | undefined;
  #usage: z.infer<typeof usageSchema> | undefined;
  readonly #servedBy = new Set<string>();
  #done = false;

  /** `goesOn`: what follows a text that was begun, kept whole, because its thinking may have begun there. */
  constructor(maxTokens: number, goesOn = false) {
    this.#maxTokens = maxTokens;
    this.#goesOn = goesOn;
  }

  /** The data of one event of a stream, or a whole document. What follows the end of a stream is not of this reply. */
  add(data: string): void {
    this.#done ||= data.trim() === "[DONE]";
    if (this.#done) return;
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
    if (model) this.#servedBy.add(model);
    if (usage) this.#usage = usage;
    // One was asked for; others that come along are not it, and of two that say they are nobody knows.
    const [choice, ...more] = (choices ?? []).filter(({ index }) => (index ?? 0) === 0);
    if (more.length > 0) throw new BrokenReply("the server sent several first choices at once");
    // What is said behind the end is not of the reply.
    if (choice === undefined || this.#finish !== undefined) return;
    const texts = choice.delta ?? choice.message;
    const said = texts?.content ?? texts?.refusal ?? choice.text;
    const thought = texts?.reasoning ?? texts?.reasoning_content;
    this.#answered ||= typeof said === "string";
    if (said) this.#text.push(said);
    if (thought) this.#reasoning.push(thought);
    this.#characters += (said?.length ?? 0) + (thought?.length ?? 0);
    if (this.#characters > mostCharacters(this.#maxTokens)) throw tooLong(this.#maxTokens);
    if (choice.finish_reason) this.#finish = choice.finish_reason;
  }

  /** Nothing that is still to come belongs to the reply. */
  get done(): boolean {
    return this.#done;
  }

  finish(): Reply {
    const finish = this.#finish;
    // Where nobody says why it ended, half of it may be missing.
    if (finish === undefined) throw new BrokenReply("the reply was cut off before its end: it has no finish_reason");
    const end = endOf(finish);
    if (end === "broken") throw new BrokenReply(`the server gave up on the reply (${finish})`);
    const text = this.#text.join("");
    const apart = this.#reasoning.join("");
    const { reasoning, answer } = this.#goesOn
      ? { reasoning: undefined, answer: apart === "" ? text : `${apart}\n</think>\n\n${text}` }
      : apart === ""
        ? splitThinking(text)
        : { reasoning: apart, answer: text };
    const usage = this.#usage;
    const cached = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens;
    const reply: Reply = {
      text: answer,
      ...(reasoning !== undefined && { reasoning }),
      finish,
      truncated: end === "cut",
      ...(usage?.prompt_tokens != null && { promptTokens: usage.prompt_tokens }),
      ...(cached != null && { cachedPromptTokens: cached }),
      ...(usage?.completion_tokens != null && { completionTokens: usage.completion_tokens }),
      ...(this.#servedBy.size > 0 && { servedBy: [...this.#servedBy].join(", ") }),
    };
    if (end === "withheld") throw new NoAnswer(`the server ended the reply with "${finish}"`, reply);
    if (!this.#answered && text + apart === "" && !reply.truncated)
      throw new NoAnswer(`the server ended the reply with "${finish}" and without an answer`, reply);
    return reply;
  }
}

// ---- Thinking that a server left inside the answer -----------------------------------------------------------------
// Some servers return it apart, some leave the tags in, and some have taken the opening one, because it was part of the prompt.

type SplitReply = { readonly reasoning?: string; readonly answer: string };

export function splitThinking(text: string): SplitReply {
  const block = reasoningBlocks(text).find(({ kind }) => kind === "native");
  if (block === undefined) return { answer: text };
  // A tag after other words is text about tags, not thinking.
  const opening = text.slice(0, block.start).trimStart();
  if (block.tags !== "unopened" && !/^(?:<think(?:ing)?>|◁think▷)$/i.test(opening)) return { answer: text };
  return { reasoning: text.slice(block.start, block.end).trim(), answer: text.slice(block.after).trimStart() };
}
