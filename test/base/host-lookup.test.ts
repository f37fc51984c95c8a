// Names that cannot be looked up, asked for by everything here that waits for servers. The resolver is told what to say:
// what a real one says of an unknown name depends on the network.
import dns from "node:dns";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hopelessLookup, rememberHost } from "../../src/base/http/host-lookup.ts";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { Connection } from "../../src/engine/tinker/connection.ts";
import { OwnGraders } from "../../src/rollouts/own-grader.ts";

type Said = "ENOTFOUND" | "EAI_AGAIN" | "found";

const lookupError = (code: string, hostname: string) =>
  Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname, syscall: "getaddrinfo" });

/** Answers from the script, its last word for ever; returns the names that were asked for. */
function resolver(...script: [Said, ...Said[]]): string[] {
  const asked: string[] = [];
  const answer = (hostname: string, _: unknown, callback: (error: Error | null, found?: unknown) => void) => {
    const said = script[Math.min(asked.push(hostname), script.length) - 1];
    if (said === "found") callback(null, [{ address: "127.0.0.1", family: 4 }]);
    else callback(lookupError(said, hostname));
  };
  vi.spyOn(dns, "lookup").mockImplementation(answer as typeof dns.lookup);
  return asked;
}

let server: Server | undefined;

/** Answers everybody with the same JSON and hangs up, so that each request looks the name up again. */
async function serving(reply: unknown): Promise<number> {
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(reply));
  });
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await new Promise((done) => (server === undefined ? done(undefined) : server.close(done)));
  server = undefined;
});

const clients: Record<
  string,
  { reply: unknown; open: (url: string) => { ask: () => Promise<unknown>; close: () => Promise<void> } }
> = {
  "an endpoint": {
    reply: { choices: [{ message: { content: "42" }, finish_reason: "stop" }] },
    open: (url) => {
      const client = new EndpointClient(endpointSchema.parse({ url: `${url}/v1`, model: "m", backoffSeconds: 0.01 }));
      const request = { prompt: "6 · 7?", seed: 1, maxTokens: 10 };
      return {
        ask: async () => {
          const completion = await client.complete(request);
          return completion.outcome === "answered" ? completion.text : completion;
        },
        close: () => client.close(),
      };
    },
  },
  "an engine": {
    reply: "42",
    open: (url) => {
      const connection = new Connection({ url, patienceSeconds: 0.5, futureSeconds: 1 });
      return { ask: () => connection.get("healthz"), close: () => connection.close() };
    },
  },
  "a grader": {
    reply: { correct: true, answer: "42" },
    open: (url) => {
      const graders = new OwnGraders();
      const problem = { kind: "question", id: "q/1", set: "q", prompt: "6 · 7?", grader: url } as const;
      return { ask: async () => (await graders.grade(problem, "42")).answer, close: () => graders.close() };
    },
  },
};

describe.each(Object.entries(clients))("%s", (name, { reply, open }) => {
  const host = (kind: string) => `${kind}-of-${name.replaceAll(" ", "-")}.example`;

  it("with an unknown name fails at once and says what to check", async () => {
    const asked = resolver("ENOTFOUND");
    const { ask, close } = open(`http://${host("mistake")}:9`);
    await expect(ask()).rejects.toThrow(
      `${host("mistake")} is an unknown host name; check the address and the network`,
    );
    expect(asked).toEqual([host("mistake")]);
    await close();
  });

  it("that was reached before is waited for when its name is gone, by new clients too", async () => {
    const url = `http://${host("restart")}:${await serving(reply)}`;
    resolver("found", "ENOTFOUND", "EAI_AGAIN", "found");
    for (let client = 0; client < 2; client++) {
      const { ask, close } = open(url);
      expect(await ask()).toBe("42");
      await close();
    }
  });

  it("is asked again while the resolver cannot tell", async () => {
    const url = `http://${host("slow")}:${await serving(reply)}`;
    const asked = resolver("EAI_AGAIN", "EAI_AGAIN", "found");
    const { ask, close } = open(url);
    expect(await ask()).toBe("42");
    expect(asked).toHaveLength(3);
    await close();
  });
});

it("a resolver that cannot tell is asked for seconds, not for minutes", () => {
  const unsure = lookupError("EAI_AGAIN", "unsure.example");
  expect([0, 4.9, 5].map((waited) => hopelessLookup(unsure, waited))).toEqual([
    undefined,
    undefined,
    "unsure.example could not be looked up; check the address and the network",
  ]);
  rememberHost("http://unsure.example:8000/v1");
  expect(hopelessLookup(unsure, 600)).toBeUndefined();
  expect(hopelessLookup(new Error("something else"), 600)).toBeUndefined();
});
