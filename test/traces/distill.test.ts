// From traces to a classifier in one command: which spans are chosen, what is said before it starts, judges of one name on
// two servers, going on after a stop, a page for what is divided, and the trained classifier in use.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Random } from "../../src/base/random.ts";
import { jurorsOf } from "../../src/cli/jury-run.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { NeedSample } from "../../src/traces/judges/need-sample.ts";
import { settlePage } from "../../src/traces/judges/settle-page.ts";

vi.setConfig({ testTimeout: 240_000 });

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "distill-"));

/** Every judge sees the cue; the second server's sees `check` as compute, and the third answers only in prose at first. */
const cues = { check: "verify", compute: "add", backtrack: "wrong" };
const labelOf = (span: string) => Object.entries(cues).find(([, cue]) => span.includes(cue))?.[0] ?? "other";

let asked = 0;
let servers: Server[] = [];
const serve = async (judge: (labels: string[]) => string): Promise<string> => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      asked += 1;
      const { model, messages } = JSON.parse(body);
      const labels = [...messages.at(-1).content.matchAll(/<span>([^<]*)<\/span>/g)].map(([, text]) => labelOf(text));
      response.setHeader("content-type", "application/json");
      const checks = messages[0].content === "all checks";
      const message = { role: "assistant", content: judge(checks ? labels.map(() => "check") : labels) };
      response.end(JSON.stringify({ model, choices: [{ index: 0, message, finish_reason: "stop" }] }));
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

let judges: string[];
beforeAll(async () => {
  const plain = await serve((labels) => JSON.stringify(labels));
  const contrary = await serve((labels) =>
    JSON.stringify(labels.map((label) => (label === "check" ? "compute" : label))),
  );
  const silent = await serve((labels) => (labels.length > 1 ? "Hard to say." : `I cannot tell.`));
  judges = [`model@${plain}`, `model@${contrary}`, `third@${plain}`, `mute@${silent}`];
  const sentence = (label: keyof typeof cues, i: number) =>
    `Now we ${cues[label]} the number ${i} in this row. ${"It goes on for a while about rows and columns. ".repeat(8)}`;
  const rows = Array.from({ length: 12 }, (_, p) => ({
    problem: `p${p}`,
    prompt: "Solve it.",
    response: `<think>${(["check", "compute", "backtrack", "compute"] as const).map((label, i) => sentence(label, p + i)).join("\n\n")}</think>`,
  }));
  writeFileSync(join(folder, "traces.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
});
afterAll(() => {
  for (const server of servers) server.close();
  servers = [];
  rmSync(folder, { recursive: true });
});

const repertoire = (...args: string[]) =>
  new Promise<{ stdout: string; stderr: string; status: number | null }>((done) => {
    const child = spawn(process.execPath, [main, "traces", ...args], { cwd: folder });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("close", (status) => done({ stdout, stderr, status }));
  });

describe("spans by need", () => {
  const labels = ["compute", "check", "plan"];
  const drawn = (counts: readonly number[], size: number, seed: number) => {
    const sample = new NeedSample<{ id: number; label: string; sure: boolean }>(size, Random.from(seed));
    let id = 0;
    counts.forEach((count, label) => {
      for (let i = 0; i < count; i++) {
        const sure = i % 2 === 0;
        sample.add({ id: id++, label: labels[label], sure }, { label: labels[label], confidence: sure ? 0.99 : 0.4 });
      }
    });
    return sample.spans();
  };

  test("as many as asked or all there are, none twice, the same for the same seed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(60), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 1, max: 80 }),
        fc.nat(),
        (counts, size, seed) => {
          const chosen = drawn(counts, size, seed);
          expect(chosen.length).toBe(
            Math.min(
              size,
              counts.reduce((a, b) => a + b, 0),
            ),
          );
          expect(new Set(chosen.map(({ id }) => id)).size).toBe(chosen.length);
          expect(drawn(counts, size, seed)).toEqual(chosen);
        },
      ),
    );
  });

  test("a rare label is asked about far beyond its share, and unsure spans before sure ones", () => {
    const chosen = drawn([2000, 200, 20], 200, 1);
    const of = (label: string) => chosen.filter((span) => span.label === label);
    // Evenly drawn there would be 2 of 200.
    expect(of("plan").length).toBeGreaterThanOrEqual(18);
    expect(of("check").length).toBeGreaterThan(45);
    const unsure = of("compute").filter(({ sure }) => !sure).length;
    expect(unsure / of("compute").length).toBeGreaterThan(0.6);
    // What says how good a classifier is was drawn without regard to it.
    const even = chosen.filter((span) => span.drawn === "random");
    expect(even.length).toBe(60);
    expect(even.filter(({ label }) => label === "compute").length).toBeGreaterThan(45);
    // But nothing is never asked.
    expect(unsure).toBeLessThan(of("compute").length);
  });
});

test("judges of one model on two servers are two judges, and the same one twice is refused", async () => {
  const flags = { judge: ["m@http://a:1/v1", "m@http://b:2/v1", "n@http://a:1/v1"], spansPerRequest: 8 };
  const jury = jurorsOf(flags, paperTaxonomy);
  expect(jury.map(({ name }) => name)).toEqual(["m@a:1/v1", "m@b:2/v1", "n"]);
  await Promise.all(jury.map((judge) => judge.close()));
  const listed = jurorsOf({ ...flags, judge: [], judges: flags.judge }, paperTaxonomy);
  expect(listed.map(({ name }) => name)).toEqual(jury.map(({ name }) => name));
  await Promise.all(listed.map((judge) => judge.close()));
  expect(() => jurorsOf({ ...flags, judge: [] }, paperTaxonomy)).toThrow(/--judge model@url/);
  expect(() => jurorsOf({ ...flags, judge: ["m@http://a:1/v1", "m@http://a:1/v1"] }, paperTaxonomy)).toThrow(
    /given twice/,
  );
});

test("no text of a trace can leave the page's data", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("</script>", "<!--", "\u2028", "<script>"), (text, poison) => {
      const span = {
        id: poison,
        text: `${text}${poison}`,
        previous: poison,
        votes: { [poison]: "check", b: "compute" },
      };
      const page = settlePage([span], paperTaxonomy);
      const [, data] = page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)!;
      expect(JSON.parse(data).spans).toEqual([span]);
      expect(page.match(/<\/script>/g)).toHaveLength(2);
    }),
  );
});

test("votes count under the wording that is asked for, whichever was asked last", async () => {
  const judged = async (guidelines: string) => {
    writeFileSync(join(folder, "guidelines.txt"), guidelines);
    const flags = [
      "--sample",
      "8",
      "--out",
      "wordings",
      "--guidelines",
      "guidelines.txt",
      "--judge",
      judges[0],
      "--json",
    ];
    return JSON.parse((await repertoire("judge", "traces.jsonl", ...flags)).stdout).votesByLabel;
  };
  const plainly = await judged("plainly");
  // The server says check for everything under these.
  expect(await judged("all checks")).toMatchObject({ check: 8, compute: 0 });
  const before = asked;
  expect(await judged("plainly")).toEqual(plainly);
  expect(asked).toBe(before);
});

describe("the command", () => {
  const flags = () => [
    "distill",
    "traces.jsonl",
    "--sample",
    "40",
    "--out",
    "labels",
    "--price",
    "1,2",
    "--folds",
    "2",
  ];
  const jury = () => judges.flatMap((judge) => ["--judge", judge]);
  const rest = ["--written", "0", "--narrated", "0", "--enough-agreement", "0.4"];

  test("says what it will cost and asks nobody; too few judges are refused", async () => {
    const before = asked;
    const dry = await repertoire(...flags(), ...jury(), "--dry-run");
    expect(dry.stderr).toMatch(/40 spans for 4 judges/);
    expect(dry.stderr).toMatch(
      /20 requests, \d+ thousand prompt tokens .* about \d+\.\d+ at the price given, \d+\.\d+ if one answer in ten cannot be used/,
    );
    expect(asked).toBe(before);
    const few = await repertoire(...flags().map((flag) => (flag === "labels" ? "few" : flag)), "--judge", judges[0]);
    expect(few.status).not.toBe(0);
    expect(few.stderr).toMatch(/at least 3/);
  });

  test("votes, agreement, an example of what could not be read, a classifier; and again only what is missing", async () => {
    const first = await repertoire(...flags(), ...jury(), ...rest);
    expect(first.stderr).toMatch(
      /mute gave no usable label for 40 spans, for example: no list of labels in "I cannot tell\."/,
    );
    expect(first.stdout).toMatch(/4 judges, 40 spans with all votes: \d.*Fleiss/);
    expect(first.stdout).not.toMatch(/NaN/);
    expect(first.status).toBe(0);
    const agreement = JSON.parse(readFileSync(join(folder, "labels/agreement.json"), "utf8"));
    expect(agreement.judges.filter((name: string) => name.startsWith("model@127.0.0.1:"))).toHaveLength(2);
    expect(existsSync(join(folder, "labels/classifier/classifier.json"))).toBe(true);
    const before = asked;
    const second = await repertoire(...flags(), ...jury(), ...rest);
    // The mute judge is asked again for its 40 spans: five batches of eight, the first of them by halves down to single spans, those twice,
    // the others no further than that shows of what use they are. Nobody else is asked.
    expect(asked - before).toBe(5 + (2 + 4 + 8 * 2));
    expect(second.status).toBe(0);
    const label = await repertoire("label", "traces.jsonl", "--traces", "1", "--classifier", "labels/classifier");
    expect(label.stdout).toMatch(/labels by span classifier [0-9a-f]{8} /);
  });

  test("what is settled by hand is learned, and an analysis by the classifier is made again", async () => {
    const analyze = () =>
      repertoire(
        "analyze",
        "traces.jsonl",
        "--classifier",
        "labels/classifier",
        "--out",
        "analysis",
        "--replicates",
        "20",
      );
    await analyze();
    expect((await analyze()).stderr).not.toMatch(/no longer/);
    const [divided] = readFileSync(join(folder, "labels/disagreements.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    writeFileSync(join(folder, "labels/settled.jsonl"), `${JSON.stringify({ span: divided.id, label: "plan" })}\n`);
    await repertoire(...flags(), ...jury(), ...rest);
    const consensus = readFileSync(join(folder, "labels/consensus.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(consensus.find(({ id }: { id: string }) => id === divided.id).label).toBe("plan");
    expect((await analyze()).stderr).toMatch(/labels\/classifier is no longer what it was/);
    writeFileSync(join(folder, "labels/settled.jsonl"), '{"span":"x","label":"planning"}\n');
    const bad = await repertoire(...flags(), ...jury(), ...rest);
    expect(bad.stderr).toMatch(/settled\.jsonl line 1 settles nothing/);
  });
});
