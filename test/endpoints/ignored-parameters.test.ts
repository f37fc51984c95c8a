// Servers that do not do what they are asked are found out.
import { afterEach, describe, expect, it } from "vitest";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import {
  knownIgnored,
  probeContinuation,
  probeParameters,
  repetitionWarning,
  textFingerprint,
} from "../../src/endpoints/ignored-parameters.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "./fake-server.ts";

let server: FakeServer;
let client: EndpointClient;
afterEach(async () => {
  await client?.close();
  await server?.close();
});

async function serve(behave: (asked: Asked) => Behavior): Promise<EndpointClient> {
  server = await startFakeServer(behave);
  client = new EndpointClient(endpointSchema.parse({ url: server.url, model: "m" }), {});
  return client;
}

const probe = async (say: (asked: Asked) => string) => probeParameters(await serve((asked) => ({ say: say(asked) })));

const filler = "a b c d e f g h i j k l m n o p q r s t u v w";

describe("probe", () => {
  it("an honest server", async () => {
    const report = await probe(({ body }) => `${filler} ${body.temperature === 0 ? "greedy" : body.seed}`);
    expect(report).toEqual({ seedsDiffer: true, seedRepeats: true, temperatureHonored: true, notes: [] });
  });

  it("a server that always says the same", async () => {
    const report = await probe(() => filler);
    expect(report).toMatchObject({ seedsDiffer: false, temperatureHonored: false });
    expect(report.notes.join()).toContain("two seeds gave the same text");
  });

  it("a server that ignores temperature and seed but samples", async () => {
    let count = 0;
    const report = await probe(() => `${filler} ${count++}`);
    expect(report).toMatchObject({ seedsDiffer: true, seedRepeats: false, temperatureHonored: false });
    expect(report.notes).toHaveLength(2);
  });

  it("leaves open what it cannot see", async () => {
    expect(await probe(() => "x")).toEqual({
      seedsDiffer: undefined,
      seedRepeats: undefined,
      temperatureHonored: undefined,
      notes: [],
    });
  });

  it("services that say so themselves", () => {
    expect(knownIgnored("https://api.deepseek.com/v1", "deepseek-reasoner")).toHaveLength(1);
    expect(knownIgnored("https://api.deepseek.com/v1", "deepseek-chat")).toEqual([]);
    expect(knownIgnored("http://localhost:8000/v1", "deepseek-r1")).toEqual([]);
  });
});

describe("whether a server goes on with an answer that was begun", () => {
  it("it does, it begins anew, it refuses, nobody knows", async () => {
    const found = async (behavior: Behavior) => {
      const result = await probeContinuation(await serve(() => behavior));
      await client.close();
      await server.close();
      return result;
    };
    expect(await found({ say: " seven, eight" })).toBeUndefined();
    expect(await found({ say: "One, two, three" })).toMatchObject({ surely: true });
    expect(await found({ say: "Sure! Here" })).toMatchObject({ surely: false });
    const refused = await found({ status: 400, body: '{"error":{"message":"unknown field continue_final_message"}}' });
    expect(refused).toMatchObject({ surely: true, because: expect.stringContaining("continue_final_message") });
  });

  it("what follows is kept whole, thinking and all", async () => {
    const asked = { prompt: "why?", prefix: "<think>Well", seed: 1, maxTokens: 50 };
    const said = await (await serve(() => ({ say: "so.</think>Because." }))).complete(asked);
    expect(said).toMatchObject({ outcome: "answered", text: "so.</think>Because." });
    expect(said).not.toHaveProperty("reasoning");
    await client.close();
    await server.close();
    const apart = await (await serve(() => ({ reasoning: "so.", say: "Because." }))).complete(asked);
    expect(apart).toMatchObject({ text: "so.\n</think>\n\nBecause." });
  });
});

describe("repeated rollouts", () => {
  const warningOf = (texts: readonly string[], temperature = 0.6, problems = ["p"]) =>
    repetitionWarning(
      problems.flatMap((problem) => texts.map((text) => ({ problem, fingerprint: textFingerprint(text) }))),
      temperature,
    );

  it("are none when rollouts differ, also where different problems have the same answer", () => {
    const texts = [0, 1, 2, 3].map((i) => `${filler} ${i}`);
    expect(warningOf(texts, 0.6, ["p", "q"])).toBeUndefined();
  });

  it("are counted by problem", () => {
    const texts = [filler, `${filler} other`, filler, filler];
    expect(warningOf(texts)).toBe(
      "2 of 3 rollouts repeat an earlier one word for word although their seeds differ: the server seems to ignore seed or temperature, and pass@k for k > 1 is too low",
    );
    expect(warningOf(texts, 0.6, ["p", "q"])).toMatch(/^4 of 6 /);
    expect(warningOf(texts, 0)).toContain("at temperature 0 that is expected");
  });

  it("accuse no server where most rollouts differ", () => {
    const texts = Array.from({ length: 8 }, (_, i) => `${filler} ${i === 7 ? 0 : i}`);
    expect(warningOf(texts)).toMatch(/^1 of 7 rollouts repeat .*: a model that is sure of itself does that/);
  });

  it("are none where answers are short", () => {
    expect(warningOf(new Array(9).fill("42"), 1)).toBeUndefined();
  });
});
