// An OpenAI-compatible server for tests, over real HTTP: it answers as told, or stalls, throttles, breaks and cuts.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = {
  readonly path: string;
  readonly authorization?: string;
  readonly body: {
    readonly model: string;
    readonly seed: number;
    readonly temperature: number;
    readonly max_tokens: number;
    readonly stream: boolean;
    readonly stream_options?: unknown;
    readonly prompt?: string;
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
  };
  /** Counts requests with this seed, from 1. */
  readonly nth: number;
};

export type Behavior =
  | {
      readonly say: string | null;
      readonly reasoning?: string;
      /** Under which name the reasoning goes. */
      readonly field?: "reasoning" | "reasoning_content";
      readonly finish?: string;
      /** Stop in the middle of the stream, without a word. */
      readonly cut?: true;
      /** Say half, then nothing more, with the line open. */
      readonly hang?: true;
      readonly delay?: number;
      /** Milliseconds between pieces. */
      readonly pace?: number;
      readonly noUsage?: true;
    }
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | { readonly stall: true }
  /** Open: the connection stays so behind it. */
  | { readonly raw: string; readonly open?: true }
  | { readonly reset: true };

export type FakeServer = {
  readonly url: string;
  readonly asked: Asked[];
  /** Most requests open at the same time. */
  readonly mostAtOnce: () => number;
  readonly close: () => Promise<void>;
};

export async function startFakeServer(behave: (asked: Asked) => Behavior): Promise<FakeServer> {
  const asked: Asked[] = [];
  const timesAsked = new Map<number, number>();
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
    });
    const body = JSON.parse(await text(request)) as Asked["body"];
    const nth = (timesAsked.get(body.seed) ?? 0) + 1;
    timesAsked.set(body.seed, nth);
    const entry = { path: request.url ?? "", authorization: request.headers.authorization, body, nth };
    asked.push(entry);
    await act(behave(entry), entry, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += chunk;
  return all;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function act(behavior: Behavior, { body, path }: Asked, response: ServerResponse): Promise<void> {
  if ("stall" in behavior) return;
  if ("reset" in behavior) {
    response.destroy();
    return;
  }
  if ("raw" in behavior) {
    response.writeHead(200, { "content-type": body.stream ? "text/event-stream" : "application/json" });
    response.write(behavior.raw);
    if (!behavior.open) response.end();
    return;
  }
  if ("status" in behavior) {
    response.writeHead(behavior.status, { "content-type": "application/json", ...behavior.headers });
    response.end(behavior.body ?? JSON.stringify({ error: { message: `status ${behavior.status}` } }));
    return;
  }
  if (behavior.delay) await pause(behavior.delay);
  const chat = path.endsWith("/chat/completions");
  const words = behavior.say?.match(/\s*\S+\s*/g) ?? [];
  const usage = {
    prompt_tokens: 11,
    completion_tokens: words.length,
    prompt_tokens_details: { cached_tokens: 4 },
  };
  const finish_reason = behavior.finish ?? "stop";
  const reasoning = behavior.reasoning === undefined ? {} : { [behavior.field ?? "reasoning"]: behavior.reasoning };
  const envelope = { id: "x", object: "completion", model: `served-${body.model}` };
  if (!body.stream) {
    const message = { role: "assistant", content: behavior.say, ...reasoning };
    const choice = chat ? { message, finish_reason } : { text: behavior.say, finish_reason };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...envelope, choices: [choice], ...(behavior.noUsage ? {} : { usage }) }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice: object) => response.write(`data: ${JSON.stringify({ ...envelope, choices: [choice] })}\n\n`);
  response.write(": keep-alive\n\n");
  if (behavior.reasoning !== undefined) send({ delta: reasoning, finish_reason: null });
  if (behavior.say === null || behavior.say === "")
    send(
      chat ? { delta: { content: behavior.say }, finish_reason: null } : { text: behavior.say, finish_reason: null },
    );
  const spoken = behavior.cut || behavior.hang ? words.slice(0, Math.ceil(words.length / 2)) : words;
  for (const word of spoken) {
    send(chat ? { delta: { content: word }, finish_reason: null } : { text: word, finish_reason: null });
    if (behavior.pace) await pause(behavior.pace);
  }
  if (behavior.hang) return;
  if (behavior.cut) {
    response.end();
    return;
  }
  send(chat ? { delta: {}, finish_reason } : { text: "", finish_reason });
  if (body.stream_options && !behavior.noUsage) {
    response.write(`data: ${JSON.stringify({ ...envelope, choices: [], usage })}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}
