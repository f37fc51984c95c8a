// Replies that are odd rather than broken, from a real HTTP server: each is recorded as what it is, or is no reply at all.
import { afterEach, describe, expect, it } from "vitest";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { type EndpointInput, endpointSchema } from "../../src/endpoints/endpoint.ts";
import { type Behavior, type FakeServer, startFakeServer } from "./fake-server.ts";

let server: FakeServer;
let client: EndpointClient;
const said: string[] = [];
afterEach(async () => {
  await client.close();
  await server.close();
  said.length = 0;
});

const request = { prompt: "What is 6 · 7?", seed: 5, temperature: 0.6, maxTokens: 100 };

async function ask(behavior: Behavior, options: Partial<EndpointInput> = {}) {
  server = await startFakeServer(() => behavior);
  const endpoint = { url: server.url, model: "m", backoffSeconds: 0.01, retries: 1, ...options };
  client = new EndpointClient(endpointSchema.parse(endpoint), {}, (message) => said.push(message));
  return client.complete(request);
}

const events = (...documents: readonly object[]) =>
  documents.map((document) => `data: ${JSON.stringify(document)}\n\n`).join("");
const piece = (content: string | null, more: object = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });
const stop = (finish_reason = "stop") => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
const done = "data: [DONE]\n\n";

describe("how a reply ended", () => {
  it.each([
    ["withheld by a filter", events(piece("The ans"), stop("content_filter")) + done, "content_filter", "The ans"],
    ["withheld in capitals", events(piece("The ans"), stop("SAFETY")) + done, "SAFETY", "The ans"],
    ["refused", events(piece("I can"), stop("refusal")) + done, "refusal", "I can"],
    ["a call of a tool", events(piece("I look it up."), stop("tool_calls")) + done, "tool_calls", "I look it up."],
    ["the older kind of call", events(piece(null), stop("function_call")) + done, "function_call", ""],
    ["a pause for tools", events(piece("So far"), stop("pause_turn")) + done, "pause_turn", "So far"],
    ["a guardrail", events(piece("Sorry"), stop("guardrail-intervened")) + done, "guardrail-intervened", "Sorry"],
    ["nothing at all", events(piece(null), stop()) + done, "stop", ""],
  ])("%s is no answer, fails at once and keeps what came", async (_, raw, finish, text) => {
    const completion = await ask({ raw });
    expect(completion).toMatchObject({ outcome: "failed", tries: 1, rejected: true, reply: { finish, text } });
    expect((completion as { failure: string }).failure).toMatch(new RegExp(`"${finish}"`));
  });

  it.each([
    ["stop", false],
    ["eos_token", false],
    ["length", true],
    ["model_length", true],
    ["MAX_TOKENS", true],
    ["max_output_tokens", true],
    ["model_context_window_exceeded", true],
    ["COMPLETE", false],
    ["some new word", false],
  ])("%s is an answer, cut at the limit: %s", async (finish, truncated) => {
    expect(await ask({ say: "It is 42", finish })).toMatchObject({ outcome: "answered", finish, truncated });
  });

  it("an answer of no words is an answer: the model said its end at once", async () => {
    expect(await ask({ raw: events(piece(""), stop()) + done })).toMatchObject({ outcome: "answered", text: "" });
  });

  it.each([
    ["by [DONE] alone", events(piece("It is")) + done],
    ["in a document without a reason", JSON.stringify({ choices: [{ message: { content: "It is 42" } }] })],
    ["because the server ran out", events(piece("It is"), stop("insufficient_system_resource")) + done],
  ])("%s is no end: it is asked again", async (_, raw) => {
    expect(await ask({ raw }, { stream: raw.startsWith("data") })).toMatchObject({ outcome: "failed", tries: 2 });
  });

  it("packed without being asked is no reply, and no bytes of it are written down", async () => {
    const completion = await ask({ status: 200, body: "\x1f\x8b\b\0", headers: { "content-encoding": "gzip" } });
    expect(completion).toMatchObject({
      outcome: "failed",
      failure: expect.stringContaining("packed its reply (gzip)"),
    });
  });

  it("what follows the reason is not of the reply, and counts that are none are not counted", async () => {
    const usage = { prompt_tokens: -1, completion_tokens: 1.5 };
    const raw = events(piece("It is 42"), stop(), piece(" or 43"), { choices: [], usage }) + done;
    const completion = await ask({ raw });
    expect(completion).toMatchObject({ outcome: "answered", text: "It is 42" });
    expect(completion).not.toHaveProperty("promptTokens");
    expect(completion).not.toHaveProperty("completionTokens");
  });

  it("what follows [DONE] is not of the reply, and is not waited for", async () => {
    const reply = events(piece("It is 42"), stop()) + done;
    expect(await ask({ raw: reply + events(piece(" or 43")) })).toMatchObject({ text: "It is 42" });
    await client.close();
    await server.close();
    const lasting = await ask({ raw: reply, open: true }, { silenceSeconds: 600 });
    expect(lasting).toMatchObject({ outcome: "answered", text: "It is 42" });
  });
});

describe("several choices", () => {
  const other = { index: 1, finish_reason: "stop" };
  const first = { index: 0, finish_reason: "stop" };

  it("the first is the one numbered 0, wherever it stands", async () => {
    const choices = [
      { ...other, message: { content: "It is 43" } },
      { ...first, message: { content: "It is 42" } },
    ];
    expect(await ask({ raw: JSON.stringify({ choices }) }, { stream: false })).toMatchObject({ text: "It is 42" });
  });

  it("interleaved in a stream are kept apart", async () => {
    const raw = events(
      piece("It "),
      { choices: [{ index: 1, delta: { content: "No " } }] },
      piece("is 42"),
      { choices: [{ ...other, delta: { content: "idea" } }] },
      stop(),
    );
    expect(await ask({ raw: raw + done })).toMatchObject({ text: "It is 42", finish: "stop" });
  });

  it("of which none or two are the first are no reply", async () => {
    for (const choices of [
      [{ ...other, message: { content: "It is 43" } }],
      [
        { ...first, message: { content: "It is 42" } },
        { ...first, message: { content: "It is 43" } },
      ],
    ]) {
      expect(await ask({ raw: JSON.stringify({ choices }) }, { stream: false })).toMatchObject({ outcome: "failed" });
      await client.close();
      await server.close();
    }
    await ask({ say: "42" });
  });

  it("a stream that changes its model names both", async () => {
    const raw = events({ ...piece("It is "), model: "m" }, { ...piece("42"), model: "other" }, stop());
    expect(await ask({ raw: raw + done })).toMatchObject({ servedBy: "m, other" });
  });
});

describe("a reply without end", () => {
  const most = 64 * request.maxTokens + 1_000_000;

  it.each([
    ["of many words", events(...Array.from({ length: 12 }, () => piece("x".repeat(most / 10)))), true],
    ["of one line", `data: ${" ".repeat(9 * most)}`, true],
    [
      "in one document",
      JSON.stringify({ choices: [{ message: { content: "x".repeat(most + 1) }, finish_reason: "stop" }] }),
      false,
    ],
  ] as const)("%s is broken at 64 characters a token and a million", async (_, raw, stream) => {
    const completion = await ask({ raw: `${raw}${stream ? events(stop()) : ""}` }, { stream });
    expect(completion).toMatchObject({ outcome: "failed", tries: 2, failure: expect.stringMatching(/1,006,400/) });
  });

  it("a long one within it is an answer", async () => {
    expect(await ask({ raw: events(piece("x".repeat(most)), stop()) })).toMatchObject({ text: "x".repeat(most) });
  });

  it("an endless complaint is read no further than its beginning", async () => {
    const completion = await ask({ status: 400, body: "x".repeat(50_000_000) });
    expect(completion).toMatchObject({ outcome: "failed", failure: `the server answered 400: ${"x".repeat(500)}` });
  });
});

describe("a server that asks for patience", () => {
  it("for longer than can be waited for gets ten minutes, and that is said", async () => {
    for (const asked of ["3600", "10000000000", "Infinity", "Thu, 01 Jan 2099 00:00:00 GMT"]) {
      server = await startFakeServer(() => ({ status: 429, headers: { "retry-after": asked } }));
      client = new EndpointClient(endpointSchema.parse({ url: server.url, model: "m" }), {}, (text) => {
        said.push(text);
        stopping.abort(new Error("heard"));
      });
      const stopping = new AbortController();
      await expect(client.complete(request, stopping.signal)).rejects.toThrow();
      expect(said.at(-1), asked).toMatch(/status 429 \(it asks to wait .*\); trying again in 600 s$/);
      expect(server.asked).toHaveLength(1);
      await client.close();
      await server.close();
    }
    await ask({ say: "42" });
  });
});
