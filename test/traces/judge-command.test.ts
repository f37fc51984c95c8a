// From traces to a classifier: what a jury's votes will cost, judges of one name on two servers, going on after a stop, a page for
// what is divided, and the classifier that is trained on what they agree on.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jurorsOf } from "../../src/cli/traces-judge.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { settlePage } from "../../src/traces/judges/settle-page.ts";
import { repertoire } from "../cli/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "judge-"));
const before = process.cwd();

/** Every judge sees the cue, but two of them call a check something else, and the last one answers only in prose. */
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
  process.chdir(folder);
  const plain = await serve((labels) => JSON.stringify(labels));
  const contrary = await serve((labels) =>
    JSON.stringify(labels.map((label) => (label === "check" ? "compute" : label))),
  );
  const silent = await serve((labels) => (labels.length > 1 ? "Hard to say." : `I cannot tell.`));
  const third = await serve((labels) =>
    JSON.stringify(labels.map((label) => (label === "check" ? "backtrack" : label))),
  );
  judges = [`model@${plain}`, `model@${contrary}`, `third@${third}`, `mute@${silent}`];
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
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const traces = (...args: string[]) => repertoire("traces", ...args);

test("judges of one model on two servers are two judges, and the same one twice is refused", async () => {
  const flags = { judge: ["m@http://a:1/v1", "m@http://b:2/v1", "n@http://a:1/v1"], spansPerRequest: 8 };
  const jury = jurorsOf(flags, paperTaxonomy);
  expect(jury.map(({ name }) => name)).toEqual(["m@a:1/v1", "m@b:2/v1", "n"]);
  await Promise.all(jury.map((judge) => judge.close()));
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
    return JSON.parse((await traces("judge", "traces.jsonl", ...flags)).stdout).votesByLabel;
  };
  const plainly = await judged("plainly");
  // The server says check for everything under these.
  expect(await judged("all checks")).toMatchObject({ check: 8, compute: 0 });
  const before = asked;
  expect(await judged("plainly")).toEqual(plainly);
  expect(asked).toBe(before);
});

describe("the command", () => {
  const flags = () => ["judge", "traces.jsonl", "--sample", "40", "--out", "labels", "--price", "1,2"];
  const jury = () => judges.flatMap((judge) => ["--judge", judge]);
  const learn = () => {
    const made = ["--folds", "2", "--narrated", "0"];
    return traces("train-classifier", "--data", "labels/consensus.jsonl", "--out", "classifier", ...made);
  };

  test("says what it will cost and asks nobody", async () => {
    const before = asked;
    const dry = await traces(...flags(), ...jury(), "--dry-run");
    expect(dry.stderr).toMatch(
      /20 requests, \d+ thousand prompt tokens .* about \d+\.\d+ at the price given, \d+\.\d+ if one answer in ten cannot be used/,
    );
    expect(asked).toBe(before);
  });

  test("votes, agreement, an example of what could not be read, a classifier; and again only what is missing", async () => {
    const first = await traces(...flags(), ...jury());
    expect(first.stderr).toMatch(
      /mute gave no usable label for 40 spans, for example: no list of labels in "I cannot tell\."/,
    );
    expect(first.stdout).toMatch(/4 judges, 40 spans with all votes: \d.*Fleiss/);
    expect(first.stdout).not.toMatch(/NaN/);
    expect(first.status).toBe(0);
    const agreement = JSON.parse(readFileSync(join(folder, "labels/agreement.json"), "utf8"));
    expect(agreement.judges.filter((name: string) => name.startsWith("model@127.0.0.1:"))).toHaveLength(2);
    // Every judge calls the checks something else: no majority, and nobody is right about them.
    const unlabeled = readFileSync(join(folder, "labels/consensus.jsonl"), "utf8").match(/"label":null/g)!.length;
    expect(first.stdout).toContain(` ${unlabeled} without a majority`);
    const learned = await learn();
    expect(learned.status).toBe(0);
    expect(learned.stdout).toContain(`${unlabeled} more without a majority count as wrong`);
    const before = asked;
    const second = await traces(...flags(), ...jury());
    // The mute judge is asked again for its 40 spans: five batches of eight, the first of them by halves down to single spans, those twice,
    // the others no further than that shows of what use they are. Nobody else is asked.
    expect(asked - before).toBe(5 + (2 + 4 + 8 * 2));
    expect(second.status).toBe(0);
    const label = await traces("label", "traces.jsonl", "--traces", "1", "--classifier", "classifier");
    expect(label.stdout).toMatch(/labels by span classifier \(\d+% /);
  });

  test("what is settled by hand is learned, and an analysis by the classifier is made again", async () => {
    const analyze = () =>
      traces("analyze", "traces.jsonl", "--classifier", "classifier", "--out", "analysis", "--replicates", "20");
    await analyze();
    expect((await analyze()).stderr).not.toMatch(/no longer/);
    const [divided] = readFileSync(join(folder, "labels/disagreements.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    writeFileSync(join(folder, "labels/settled.jsonl"), `${JSON.stringify({ span: divided.id, label: "plan" })}\n`);
    await traces(...flags(), ...jury());
    await learn();
    const consensus = readFileSync(join(folder, "labels/consensus.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(consensus.find(({ id }: { id: string }) => id === divided.id).label).toBe("plan");
    expect((await analyze()).stderr).toMatch(/classifier is no longer what it was/);
    writeFileSync(join(folder, "labels/settled.jsonl"), '{"span":"x","label":"planning"}\n');
    const bad = await traces(...flags(), ...jury());
    expect(bad.stderr).toMatch(/settled\.jsonl line 1 settles nothing/);
  });
});
