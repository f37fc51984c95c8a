// Reading a request's body within bounds of size and time, and counting the memory that all requests hold together.
import type { IncomingMessage } from "node:http";

/** A request that is answered with a status and a reason instead of a result. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly retryAfterSeconds?: number;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * What a byte of a body costs while its request lives: the text of a body may take two bytes a character, and so may the
 * parsed copy beside it. Counting the body alone let the process grow to five times its limit.
 */
export const memoryPerByte = 4;

type BodyLimits = {
  readonly maxBytes: number;
  readonly deadlineMs: number;
  /** Asks for room for more bytes; throws a Refusal where all requests together hold too much. */
  readonly reserve: (bytes: number) => void;
};

export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if ((request.headers["content-encoding"] ?? "identity") !== "identity")
    throw new Refusal(415, "compressed bodies are not read; send plain JSON");
  const announced = Number(request.headers["content-length"] ?? 0);
  const tooLarge = () => new Refusal(413, `a body may have ${limits.maxBytes} bytes; send fewer rollouts at once`);
  if (announced > limits.maxBytes) throw tooLarge();
  limits.reserve(announced * memoryPerByte);
  const text = await readText(request, limits, announced, tooLarge);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `the body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function readText(
  request: IncomingMessage,
  { maxBytes, deadlineMs, reserve }: BodyLimits,
  announced: number,
  tooLarge: () => Refusal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let reserved = announced;
    const stop = (error: Error) => {
      clearTimeout(clock);
      request.off("data", take);
      chunks.length = 0;
      reject(error);
    };
    const clock = setTimeout(
      () => stop(new Refusal(408, `the body did not arrive within ${deadlineMs} ms`)),
      deadlineMs,
    );
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return stop(tooLarge());
      if (bytes > reserved) {
        try {
          reserve((bytes - reserved) * memoryPerByte);
        } catch (error) {
          return stop(error as Error);
        }
        reserved = bytes;
      }
      chunks.push(chunk);
    };
    request.on("data", take);
    request.on("end", () => {
      clearTimeout(clock);
      const whole = Buffer.concat(chunks);
      chunks.length = 0;
      resolve(whole.toString("utf8"));
    });
    const cut = () => {
      if (!request.complete) stop(new Refusal(400, "the connection closed before the body was whole"));
    };
    request.on("error", cut);
    request.on("close", cut);
  });
}
