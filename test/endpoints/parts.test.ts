// The parts of the client that are pure: event streams, thinking, failures, configuration.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaptiveQueue } from "../../src/endpoints/client.ts";
import { endpointSchema, requestBody, requestUrl } from "../../src/endpoints/endpoint.ts";
import { failureOfStatus, retryAfterSeconds } from "../../src/endpoints/failures.ts";
import { splitThinking } from "../../src/endpoints/reply.ts";
import { EventStreamParser } from "../../src/endpoints/server-sent-events.ts";

describe("event stream", () => {
  const read = (chunks: readonly string[]) => {
    const parser = new EventStreamParser();
    return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  };

  it("reads data, joins its lines, ignores the rest", () => {
    expect(read([": hello\n\nevent: x\ndata: one\n\ndata:two\r\ndata: three\r\n\r\nid: 5\n\ndata: last"])).toEqual([
      "one",
      "two\nthree",
      "last",
    ]);
  });

  it("does not care how the bytes were cut", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "{", '"', " ", "é", "😀"), minLength: 1, maxLength: 8 });
    const ends = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        ends,
        fc.array(fc.nat(200)),
        (events, end, cuts) => {
          const text = events.map((lines) => lines.map((data) => `data: ${data}${end}`).join("") + end).join("");
          const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
          const chunks = [...places, text.length].map((place, i) => text.slice(i === 0 ? 0 : places[i - 1], place));
          expect(read(chunks)).toEqual(events.map((lines) => lines.join("\n")));
        },
      ),
    );
  });
});

describe("thinking", () => {
  it.each([
    ["plain", { answer: "plain" }],
    ["<think>a</think>b", { reasoning: "a", answer: "b" }],
    [" \n<think>\na\n</think>\n\nb", { reasoning: "a", answer: "b" }],
    ["a</think>b", { reasoning: "a", answer: "b" }],
    ["<think>a", { reasoning: "a", answer: "" }],
    ["<think></think>b", { reasoning: "", answer: "b" }],
    ["◁think▷a◁/think▷b", { reasoning: "a", answer: "b" }],
    ["the tag <think> opens and </think> closes", { answer: "the tag <think> opens and </think> closes" }],
    ["", { answer: "" }],
  ])("%j", (text, thought) => expect(splitThinking(text)).toEqual(thought));

  it("never loses what is said after the last tag", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (reasoning, answer) => {
        fc.pre(!/think/.test(reasoning + answer));
        expect(splitThinking(`<think>${reasoning}</think>${answer}`)).toEqual({
          reasoning: reasoning.trim(),
          answer: answer.trimStart(),
        });
      }),
    );
  });
});

describe("failures", () => {
  it.each([
    [500, "broken"],
    [502, "broken"],
    [408, "broken"],
    [429, "throttled"],
    [503, "throttled"],
    [400, "rejected"],
    [413, "rejected"],
    [422, "rejected"],
    [401, "hopeless"],
    [404, "hopeless"],
  ])("%i is %s", (status, kind) => expect(failureOfStatus(status, "", {}).kind).toBe(kind));

  it("finds the message wherever servers put it", () => {
    const message = (body: string) => failureOfStatus(400, body, {}).message;
    for (const body of ['{"error":{"message":"m"}}', '{"error":"m"}', '{"message":"m"}', '{"detail":"m"}', "m"]) {
      expect(message(body)).toBe("the server answered 400: m");
    }
  });

  it("reads when to come back in seconds, in milliseconds and as a date", () => {
    expect(retryAfterSeconds({ "retry-after": "7" })).toBe(7);
    expect(retryAfterSeconds({ "retry-after-ms": "250" })).toBe(0.25);
    const now = () => Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterSeconds({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, now)).toBe(30);
    expect(retryAfterSeconds({ "retry-after": "soon" })).toBeUndefined();
    expect(retryAfterSeconds({})).toBeUndefined();
  });
});

describe("endpoint", () => {
  it("asks to go on with an answer that was begun, as each protocol has it", () => {
    const request = { prompt: "why?", system: "be kind. ", prefix: "Because ", seed: 1, maxTokens: 9 };
    const body = (given: object) =>
      requestBody(endpointSchema.parse({ url: "http://a/v1", model: "m", ...given }), request);
    expect(body({ mode: "completion" })).toMatchObject({ prompt: "be kind. why?Because " });
    const last = { role: "assistant", content: "Because " };
    const chat = body({});
    expect(chat).toMatchObject({ continue_final_message: true, add_generation_prompt: false });
    expect((chat as { messages: object[] }).messages.at(-1)).toEqual(last);
    const marked = body({ url: "https://api.deepseek.com/beta" });
    expect((marked as { messages: object[] }).messages.at(-1)).toEqual({ ...last, prefix: true });
    expect(marked).not.toHaveProperty("continue_final_message");
  });

  it("writes the request of each protocol", () => {
    const request = {
      prompt: "p",
      system: "s",
      seed: 2 ** 32 - 1,
      temperature: 0.6,
      topP: 0.9,
      topK: 5,
      maxTokens: 10,
      stop: ["x"],
    };
    const chat = endpointSchema.parse({ url: "http://localhost:8000/v1/", model: "m" });
    expect(requestUrl(chat)).toBe("http://localhost:8000/v1/chat/completions");
    expect(requestBody(chat, request)).toEqual({
      model: "m",
      seed: 2 ** 31 - 1,
      temperature: 0.6,
      top_p: 0.9,
      top_k: 5,
      max_tokens: 10,
      stop: ["x"],
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "p" },
      ],
    });
    const plain = { ...chat, mode: "completion", stream: false } as const;
    expect(requestUrl(plain)).toBe("http://localhost:8000/v1/completions");
    expect(requestBody(plain, { prompt: "p", seed: 1, temperature: 0, maxTokens: 5 })).toEqual({
      model: "m",
      seed: 1,
      temperature: 0,
      max_tokens: 5,
      stream: false,
      prompt: "p",
    });
  });

  it.each([
    { url: "localhost", model: "m" },
    { url: "file:///x", model: "m" },
    { url: "http://x/v1", model: "" },
    { url: "http://x/v1", model: "m", key: "sk" },
    // Beyond what a timer of Node can wait, it would fire at once.
    { url: "http://localhost/v1", model: "m", deadlineSeconds: 3_000_000 },
  ])("refuses %o", (input) => expect(endpointSchema.safeParse(input).success).toBe(false));
});

describe("adaptive queue", () => {
  it("doubles, halves once for a crowd of complaints, then creeps", () => {
    let now = 0;
    const queue = new AdaptiveQueue({ start: 4, smallest: 2, largest: 64 }, () => now);
    const succeed = (times: number) => {
      for (let i = 0; i < times; i++) queue.succeeded();
    };
    succeed(4);
    expect(queue.concurrency).toBe(8);
    succeed(8);
    expect(queue.concurrency).toBe(16);
    for (let i = 0; i < 5; i++) queue.throttled(1);
    expect(queue.concurrency).toBe(8);
    now = 1500;
    queue.throttled(1);
    expect(queue.concurrency).toBe(4);
    succeed(4);
    expect(queue.concurrency).toBe(5);
    for (let i = 0; i < 9; i++) {
      now += 2000;
      queue.throttled(1);
    }
    expect(queue.concurrency).toBe(2);
  });
});

it.each(["localhost:8000/v1", "my-server", "ftp://host/v1"])(
  "the address %s is answered with one that could be",
  (url) => {
    const { error } = endpointSchema.safeParse({ url, model: "m" });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "expected an address such as http://localhost:8000/v1",
    ]);
  },
);
