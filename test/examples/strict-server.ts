// A chat-completions server for the examples, over real HTTP and as strict as OpenAI's published reference of the endpoint
// (2026-11): another path, method, model, content type or field is refused, and streams are chunks that end with [DONE].
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const requestSchema = z.strictObject({
  model: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() })).min(1),
  seed: z.number().int().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  stop: z.array(z.string()).max(4).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});

export type StrictServer = {
  readonly url: string;
  readonly refused: string[];
  readonly close: () => Promise<void>;
};

export async function startStrictServer(model: string, answer: (prompt: string) => string): Promise<StrictServer> {
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const refuse = (status: number, message: string) => {
      refused.push(message);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }));
    };
    const body = await bodyOf(request);
    if (request.url !== "/v1/chat/completions") return refuse(404, `unknown address ${request.url}`);
    if (request.method !== "POST") return refuse(405, `method ${request.method}`);
    if (!request.headers["content-type"]?.startsWith("application/json")) return refuse(415, "not application/json");
    const read = requestSchema.safeParse(JSON.parse(body));
    if (!read.success) return refuse(400, z.prettifyError(read.error));
    if (read.data.model !== model) return refuse(404, `the model ${read.data.model} does not exist`);
    const { stream, stream_options: streamOptions, messages } = read.data;
    if (streamOptions !== undefined && !stream) return refuse(400, "stream_options without stream");

    const content = answer(messages[messages.length - 1].content);
    const usage = { prompt_tokens: 1, completion_tokens: content.length, total_tokens: content.length + 1 };
    const head = { id: "chatcmpl-1", created: 1, model };
    if (!stream) {
      response.writeHead(200, { "content-type": "application/json" });
      const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
      response.end(JSON.stringify({ ...head, object: "chat.completion", choices: [choice], usage }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (rest: object) =>
      response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...rest })}\n\n`);
    const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    send(choice({ role: "assistant", content: "" }, null));
    for (const piece of content.match(/[\s\S]{1,20}/g) ?? []) send(choice({ content: piece }, null));
    send(choice({}, "stop"));
    if (streamOptions?.include_usage) send({ choices: [], usage });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += chunk;
  return all;
}
