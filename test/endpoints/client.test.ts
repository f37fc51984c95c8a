// The client against a real HTTP server that behaves as servers do, well and badly.
import { afterEach, describe, expect, it, vi } from "vitest";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { type EndpointInput, endpointSchema } from "../../src/endpoints/endpoint.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "./fake-server.ts";

let server: FakeServer;
let client: EndpointClient;

async function serve(
  behave: (asked: Asked) => Behavior,
  options: Partial<EndpointInput> = {},
  environment: NodeJS.ProcessEnv = {},
  onTrouble?: (message: string) => void,
): Promise<void> {
  server = await startFakeServer(behave);
  const endpoint = endpointSchema.parse({ url: server.url, model: "m", backoffSeconds: 0.01, ...options });
  client = new EndpointClient(endpoint, environment, onTrouble);
}

afterEach(async () => {
  await client.close();
  await server.close();
});

const request = { prompt: "What is 6 · 7?", seed: 5, temperature: 0.6, maxTokens: 1000 };

describe("a reply", () => {
  it.each([
    ["chat", true, "/v1/chat/completions"],
    ["chat", false, "/v1/chat/completions"],
    ["completion", true, "/v1/completions"],
    ["completion", false, "/v1/completions"],
  ] as const)("%s, stream %s", async (mode, stream, path) => {
    await serve(() => ({ say: "It is 42 ." }), {
      mode,
      stream,
      price: { prompt: 1, completion: 2, cachedPrompt: 0.5 },
    });
    const completion = await client.complete(request);
    expect(completion).toMatchObject({
      outcome: "answered",
      text: "It is 42 .",
      finish: "stop",
      truncated: false,
      promptTokens: 11,
      cachedPromptTokens: 4,
      completionTokens: 4,
      servedBy: "served-m",
      tries: 1,
    });
    // 7 fresh prompt tokens at 1, 4 cached at 0.5, 4 completion tokens at 2, per million.
    expect((completion as { cost: number }).cost).toBeCloseTo(17e-6, 15);
    const [asked] = server.asked;
    expect(asked.path).toBe(path);
    expect(asked.body).toMatchObject({ model: "m", seed: 5, temperature: 0.6, max_tokens: 1000, stream });
    if (mode === "chat") expect(asked.body.messages).toEqual([{ role: "user", content: request.prompt }]);
    else expect(asked.body.prompt).toBe(request.prompt);
  });

  it.each([
    ["reasoning", { say: "42", reasoning: "six sevens", field: "reasoning" }],
    ["reasoning_content", { say: "42", reasoning: "six sevens", field: "reasoning_content" }],
    ["<think>", { say: "<think>\nsix sevens</think>\n42" }],
    ["<think> taken by the template", { say: "six sevens</think> 42" }],
    ["another model's tags", { say: "◁think▷six sevens◁/think▷42" }],
  ] as const)("has its reasoning apart: %s", async (_, behavior) => {
    await serve(() => behavior);
    expect(await client.complete(request)).toMatchObject({ text: "42", reasoning: "six sevens" });
  });

  it("with null content and a spent budget is truncated, not empty and not an error", async () => {
    for (const stream of [true, false]) {
      await serve(() => ({ say: null, reasoning: "hm, let me see", finish: "length" }), { stream });
      expect(await client.complete(request)).toMatchObject({
        outcome: "answered",
        text: "",
        reasoning: "hm, let me see",
        truncated: true,
      });
      if (stream) {
        await client.close();
        await server.close();
      }
    }
  });

  it("whose thinking never ends has no answer", async () => {
    await serve(() => ({ say: "<think> and then", finish: "length" }));
    expect(await client.complete(request)).toMatchObject({ text: "", reasoning: "and then", truncated: true });
  });

  it("without token counts has no cost instead of a cost of nothing", async () => {
    await serve(() => ({ say: "42", noUsage: true }), { price: { prompt: 1, completion: 1 } });
    const completion = await client.complete(request);
    expect(completion).not.toHaveProperty("cost");
    expect(completion).not.toHaveProperty("promptTokens");
  });

  it("comes even from a server that does not know how to count in a stream", async () => {
    await serve(({ body }) =>
      body.stream_options
        ? { status: 400, body: '{"error":{"message":"Unknown field: stream_options"}}' }
        : { say: "42" },
    );
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", text: "42", tries: 1 });
    await client.complete({ ...request, seed: 6 });
    expect(server.asked).toHaveLength(3);
  });

  it("comes from a model that knows the limit of tokens by its newer name alone", async () => {
    await serve(({ body }) =>
      "max_tokens" in body
        ? {
            status: 400,
            body: `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`,
          }
        : { say: "42" },
    );
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", text: "42", tries: 1 });
    await client.complete({ ...request, seed: 6 });
    expect(server.asked).toHaveLength(3);
    expect(server.asked.at(-1)?.body).toMatchObject({ max_completion_tokens: request.maxTokens });
  });
});

describe("trouble", () => {
  it.each([
    ["500", { status: 500 }],
    ["a cut stream", { say: "one two three four", cut: true }],
    ["a reset connection", { reset: true }],
    ["an error inside the stream", { raw: 'data: {"error":{"message":"CUDA out of memory"}}\n\n' }],
    ["nonsense", { raw: "data: <html>\n\n" }],
    ["an empty stream", { raw: "" }],
    ["a server that gave up", { say: "one", finish: "abort" }],
  ] as const)("%s is asked again with the same seed", async (_, trouble) => {
    await serve(({ nth }) => (nth < 3 ? trouble : { say: "42" }));
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", text: "42", tries: 3 });
    expect(server.asked.map((asked) => asked.body.seed)).toEqual([5, 5, 5]);
  });

  it("that does not end becomes a failure with its reason", async () => {
    await serve(() => ({ status: 500, body: '{"error":{"message":"worker died"}}' }), { retries: 2 });
    const completion = await client.complete(request);
    expect(completion).toMatchObject({ outcome: "failed", failure: "the server answered 500: worker died", tries: 3 });
  });

  it("is told, each reason once, while it lasts", async () => {
    const told: string[] = [];
    const trouble = (nth: number) => (nth % 2 === 0 ? "worker died" : "out of memory");
    await serve(
      ({ nth }) => (nth < 6 ? { status: 500, body: `{"error":{"message":"${trouble(nth)}"}}` } : { say: "42" }),
      { retries: 8 },
      {},
      (message) => told.push(message),
    );
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", tries: 6 });
    const place = `${new URL(server.url).host}/v1 (m)`;
    expect(told).toEqual([
      `${place}: the server answered 500: out of memory; trying again`,
      `${place}: the server answered 500: worker died; trying again`,
    ]);
  });

  it("a cut document is asked again too", async () => {
    await serve(({ nth }) => (nth === 1 ? { raw: '{"choices":[{"mess' } : { say: "42" }), { stream: false });
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", text: "42", tries: 2 });
  });

  it("a refused request fails at once and alone", async () => {
    await serve(({ body }) =>
      body.seed === 5 ? { status: 400, body: '{"error":{"message":"prompt too long"}}' } : { say: "42" },
    );
    expect(await client.complete(request)).toMatchObject({
      outcome: "failed",
      failure: "the server answered 400: prompt too long",
      tries: 1,
    });
    expect(await client.complete({ ...request, seed: 6 })).toMatchObject({ outcome: "answered" });
  });

  it.each([401, 403, 404, 402])("%i stops everything: no request can succeed", async (status) => {
    await serve(() => ({ status, body: '{"error":{"message":"no"}}' }));
    await expect(client.complete(request)).rejects.toThrow(`the server answered ${status}: no; check the model's name`);
    expect(server.asked).toHaveLength(1);
  });

  it("spent money stops everything although it comes as 429", async () => {
    await serve(() => ({
      status: 429,
      body: '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
    }));
    await expect(client.complete(request)).rejects.toThrow("exceeded your current quota");
  });

  it("429 waits as long as the server says", async () => {
    await serve(({ nth }) => (nth === 1 ? { status: 429, headers: { "retry-after": "0.3" } } : { say: "42" }));
    const started = performance.now();
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", tries: 2 });
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  it("a stall ends at the deadline, is tried once more, then fails", async () => {
    await serve(() => ({ stall: true }), { deadlineSeconds: 0.15 });
    expect(await client.complete(request)).toMatchObject({
      outcome: "failed",
      failure: "no complete answer within 0.15 s",
      tries: 2,
    });
  });

  it("silence inside a stream ends it; a slow stream is left alone", async () => {
    await serve(
      ({ nth }) => (nth === 1 ? { say: "one two three four", hang: true } : { say: "a b c d e f g h", pace: 60 }),
      {
        silenceSeconds: 2,
      },
    );
    expect(await client.complete(request)).toMatchObject({ outcome: "answered", text: "a b c d e f g h", tries: 2 });
  });

  it("Ctrl-C ends what is under way and what is waiting", async () => {
    await serve(() => ({ stall: true }), { concurrency: { start: 2 } });
    const stop = new AbortController();
    const all = Array.from({ length: 10 }, (_, seed) => client.complete({ ...request, seed }, stop.signal));
    await vi.waitUntil(() => server.asked.length === 2, { timeout: 60_000 });
    stop.abort(new Error("stopped by hand"));
    const outcomes = await Promise.allSettled(all);
    expect(
      outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason.message === "stopped by hand"),
    ).toBe(true);
    expect(server.asked.length).toBe(2);
  });

  it("an abort during back-off does not wait it out", async () => {
    await serve(() => ({ status: 500 }), { backoffSeconds: 100 });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    const started = performance.now();
    await expect(client.complete(request, stop.signal)).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});

describe("secrets", () => {
  it("the key goes into the header and nowhere else, even when the server repeats it", async () => {
    const environment = { MY_KEY: "sk-very-secret" };
    await serve(
      ({ authorization }) => ({ status: 400, body: `{"error":{"message":"bad request by ${authorization}"}}` }),
      { keyVariable: "MY_KEY" },
      environment,
    );
    const completion = await client.complete(request);
    expect(server.asked[0].authorization).toBe("Bearer sk-very-secret");
    expect(JSON.stringify([completion, client.endpoint])).not.toContain("sk-very-secret");
    expect(completion).toMatchObject({ failure: "the server answered 400: bad request by Bearer [key]" });
  });

  it("a missing variable is said before anything is asked", async () => {
    await serve(() => ({ say: "42" }));
    const endpoint = endpointSchema.parse({ url: server.url, model: "m", keyVariable: "NOT_THERE" });
    expect(() => new EndpointClient(endpoint, {})).toThrow("the environment variable NOT_THERE is not set");
  });
});

describe("concurrency", () => {
  it("grows while all goes well", async () => {
    await serve(() => ({ say: "ok", delay: 50 }), { concurrency: { start: 2, largest: 16 } });
    await Promise.all(Array.from({ length: 80 }, (_, seed) => client.complete({ ...request, seed })));
    expect(client.concurrency).toBe(16);
    expect(server.mostAtOnce()).toBeGreaterThan(8);
    expect(server.mostAtOnce()).toBeLessThanOrEqual(16);
  });

  it("shrinks when the server asks for less, and everything is answered in the end", async () => {
    let open = 0;
    await serve(
      () => {
        open += 1;
        setTimeout(() => {
          open -= 1;
        }, 20);
        return open > 4 ? { status: 429, headers: { "retry-after": "0.05" } } : { say: "ok", delay: 20 };
      },
      { concurrency: { start: 32, largest: 32 } },
    );
    const completions = await Promise.all(
      Array.from({ length: 60 }, (_, seed) => client.complete({ ...request, seed })),
    );
    expect(completions.every((completion) => completion.outcome === "answered")).toBe(true);
    expect(client.concurrency).toBeLessThan(32);
  });
});
