// Servers that do not do what they are asked are found out.
import { afterEach, describe, expect, it } from "vitest";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import {
  DuplicateWatch,
  knownIgnored,
  probeParameters,
  textFingerprint,
} from "../../src/endpoints/ignored-parameters.ts";
import { type Asked, type FakeServer, startFakeServer } from "./fake-server.ts";

let server: FakeServer;
let client: EndpointClient;
afterEach(async () => {
  await client?.close();
  await server?.close();
});

async function probe(say: (asked: Asked) => string) {
  server = await startFakeServer((asked) => ({ say: say(asked) }));
  client = new EndpointClient(endpointSchema.parse({ url: server.url, model: "m" }), {});
  return probeParameters(client);
}

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

describe("duplicate watch", () => {
  const see = (watch: DuplicateWatch, problem: string, attempt: number, text: string) =>
    watch.see(problem, attempt, textFingerprint(text));

  it("says nothing when rollouts differ, and nothing of different problems with the same answer", () => {
    const watch = new DuplicateWatch();
    for (const problem of ["p", "q"]) for (let i = 0; i < 4; i++) see(watch, problem, i, `${filler} ${i}`);
    expect(watch.warning(0.6)).toBeUndefined();
    expect(watch.duplicates()).toEqual([]);
  });

  it("names what repeats", () => {
    const watch = new DuplicateWatch();
    [filler, `${filler} other`, filler, filler].forEach((text, attempt) => {
      see(watch, "p", attempt, text);
    });
    expect(watch.duplicates()).toEqual([{ problem: "p", attempts: [0, 2, 3] }]);
    expect(watch.warning(0.6)).toBe(
      "2 of 3 rollouts repeat an earlier one word for word although their seeds differ: the server seems to ignore seed or temperature, and pass@k for k > 1 is too low",
    );
    expect(watch.warning(0)).toContain("at temperature 0 that is expected");
  });

  it("accuses no server where most rollouts differ", () => {
    const watch = new DuplicateWatch();
    for (let attempt = 0; attempt < 8; attempt++) see(watch, "p", attempt, `${filler} ${attempt === 7 ? 0 : attempt}`);
    expect(watch.warning(0.6)).toMatch(/^1 of 7 rollouts repeat .*: a model that is sure of itself does that/);
  });

  it("short answers may repeat", () => {
    const watch = new DuplicateWatch();
    for (let i = 0; i < 9; i++) see(watch, "p", i, "42");
    expect(watch.warning(1)).toBeUndefined();
  });
});
