// Alarms reach whoever is to be notified: each once, and nothing of the address but its host is ever said.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { alarmTeller } from "../../src/cli/alarm-teller.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import type { Analysis } from "../../src/traces/analysis/analysis.ts";

const printed: string[] = [];
afterEach(() => void vi.restoreAllMocks());

/** Eight steps, of which a share of groups has no gradient. */
const analysis = (allRight: number) => {
  const measures = Object.fromEntries(paperTaxonomy.labels.map(({ name }) => [name, { value: 1 }]));
  const points = Array.from({ length: 8 }, (_, i) => ({ step: i + 1, measures, signs: { allRight, allWrong: 0 } }));
  return { taxonomy: paperTaxonomy, training: [{ series: "training", trends: [], points }] } as unknown as Analysis;
};

test("by a webhook, each once, and again when it was gone; one that cannot be reached is named by its host", async () => {
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void printed.push(text));
  const heard: { readonly body: { readonly text: string }; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    heard.push({ body: JSON.parse(text), headers: request.headers });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const tell = alarmTeller(`http://me:hunter2@127.0.0.1:${port}/hook?key=K3Y`);
  for (const share of [0.9, 0.9, 0.1, 0.9]) await tell("runs/verl", analysis(share));
  expect(heard.map(({ body }) => body)).toEqual(
    Array(2).fill(expect.objectContaining({ run: "runs/verl", about: "groups", step: 8 })),
  );
  expect(heard[0].body.text).toMatch(/^runs\/verl, step 8: 90% of groups have no gradient/);
  expect(heard[0].headers.authorization).toBe(`Basic ${Buffer.from("me:hunter2").toString("base64")}`);
  await new Promise((resolve) => server.close(resolve));
  await alarmTeller(`http://me:hunter2@127.0.0.1:${port}/hook?key=K3Y`)("runs/verl", analysis(0.9));
  expect(printed.at(-1)).toContain(`--notify: 127.0.0.1:${port} could not be reached`);
  expect(printed.join("\n")).not.toMatch(/hunter2|K3Y/);
});
