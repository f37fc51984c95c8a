// Where a server is and how to ask it. Keys are named by the environment variable that holds them, so that no
// configuration, record or log ever contains one.
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";

/** Per million tokens, in whatever currency the reader thinks in. */
const priceSchema = z.strictObject({
  prompt: z.number().nonnegative(),
  completion: z.number().nonnegative(),
  /** Prompt tokens that the server had in its cache; the full price where it is not given. */
  cachedPrompt: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** Timers of Node overflow at 2³¹ milliseconds and would then fire at once. */
const longestTimer = 2_000_000;

export const endpointSchema = z.strictObject({
  /** Up to and with the version: `http://localhost:8000/v1`. */
  url: z.url({ protocol: /^https?$/, error: "expected an address such as http://localhost:8000/v1" }),
  model: z.string().min(1),
  /** `chat` lets the server apply its template; `completion` sends the prompt as it is. */
  mode: z.enum(["chat", "completion"]).default("chat"),
  /** The environment variable with the key; none for a server that asks for none. */
  keyVariable: z.string().min(1).optional(),
  stream: z.boolean().default(true),
  price: priceSchema.optional(),
  /** One HTTP request, from sending to the last byte. Long reasoning takes hours. */
  deadlineSeconds: z
    .number()
    .positive()
    .max(longestTimer)
    .default(4 * 3600),
  /** Longest silence inside a stream that has begun. */
  silenceSeconds: z.number().positive().max(longestTimer).default(900),
  /** After a broken connection, a server error, a cut stream. */
  retries: z.number().int().nonnegative().default(6),
  /** First wait before asking again; doubles each time up to a minute. */
  backoffSeconds: z.number().positive().default(1),
  concurrency: z
    .strictObject({
      start: z.number().int().positive().default(16),
      smallest: z.number().int().positive().default(1),
      largest: z.number().int().positive().default(256),
    })
    .prefault({}),
});
export type Endpoint = z.output<typeof endpointSchema>;
export type EndpointInput = z.input<typeof endpointSchema>;

/** What one rollout asks for. */
export type CompletionRequest = {
  readonly prompt: string;
  readonly system?: string;
  /** What the answer begins with already; the reply has what follows, thinking and all. */
  readonly prefix?: string;
  /** Turns of a chat that came after the prompt: what the model said, and what it was told. */
  readonly said?: readonly { readonly response: string; readonly reply: string }[];
  readonly seed: number;
  /** The server's own where it is not given. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
};

export function endpointKey(endpoint: Endpoint, environment: NodeJS.ProcessEnv): string | undefined {
  if (endpoint.keyVariable === undefined) return undefined;
  const key = environment[endpoint.keyVariable];
  if (key === undefined || key === "") {
    throw new ConfigurationError(
      `the environment variable ${endpoint.keyVariable} is not set; export it, or leave the key out for a server that asks for none`,
    );
  }
  return key;
}

/** What servers differ in: whether a stream may be asked to end with its token counts, and what the limit of tokens is called. */
export type Dialect = { readonly usage: boolean; readonly limit: "max_tokens" | "max_completion_tokens" };

/** What is understood almost everywhere. */
export const usualDialect: Dialect = { usage: true, limit: "max_tokens" };

/** What to say instead, where a refusal names what it is about. OpenAI's reasoning models know no `max_tokens`. */
export function otherDialect({ usage, limit }: Dialect, refusal: string): Partial<Dialect> | undefined {
  if (usage && refusal.includes("stream_options")) return { usage: false };
  if (limit === "max_tokens" && refusal.includes("max_completion_tokens")) return { limit: "max_completion_tokens" };
  return undefined;
}

/** The request as the protocol writes it. */
export function requestBody(
  endpoint: Endpoint,
  request: CompletionRequest,
  { usage, limit }: Dialect = usualDialect,
): object {
  const { prompt, system, prefix, said = [], seed, temperature, topP, topK, maxTokens, stop } = request;
  const shared = {
    model: endpoint.model,
    // Many servers read seeds as signed 32-bit numbers.
    seed: seed & 0x7fffffff,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    [limit]: maxTokens,
    ...(stop !== undefined && { stop }),
    stream: endpoint.stream,
    ...(endpoint.stream && usage && { stream_options: { include_usage: true } }),
  };
  if (endpoint.mode === "completion") return { ...shared, prompt: `${system ?? ""}${prompt}${prefix ?? ""}` };
  const messages = [
    ...(system === undefined ? [] : [{ role: "system", content: system }]),
    { role: "user", content: prompt },
    ...said.flatMap(({ response, reply }) => [
      { role: "assistant", content: response },
      { role: "user", content: reply },
    ]),
  ];
  return { ...shared, ...(prefix === undefined ? { messages } : continued(endpoint.url, messages, prefix)) };
}

/** Services that want the message itself marked, and refuse what they do not know. */
const marksPrefix = /(?:^|\.)(?:deepseek\.com|mistral\.ai)$/;

/** An assistant's last message that is to be gone on with: marked as one, or as vLLM and SGLang call it. */
function continued(url: string, messages: readonly object[], prefix: string): object {
  const last = { role: "assistant", content: prefix };
  if (marksPrefix.test(new URL(url).hostname)) return { messages: [...messages, { ...last, prefix: true }] };
  return { messages: [...messages, last], add_generation_prompt: false, continue_final_message: true };
}

/** A query stays a query; user and password go into a header. */
export function requestUrl(endpoint: Endpoint): string {
  const url = new URL(endpoint.url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${endpoint.mode === "chat" ? "chat/completions" : "completions"}`;
  url.username = "";
  url.password = "";
  return url.href;
}

/** By the key, or by user and password where the address holds them. */
export function authorization(
  endpoint: Pick<Endpoint, "url">,
  key: string | undefined,
): { readonly authorization?: string } {
  if (key !== undefined) return { authorization: `Bearer ${key}` };
  const { username, password } = new URL(endpoint.url);
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** What a server must not make us write down by repeating it. */
export function secretsOf(endpoint: Endpoint, key: string | undefined): string[] {
  const url = new URL(endpoint.url);
  const basic = authorization(endpoint, undefined).authorization?.slice("Basic ".length);
  const given = [key, basic, url.password, decodeURIComponent(url.password), ...url.searchParams.values()];
  return given.filter((secret) => secret !== undefined && secret !== "") as string[];
}
