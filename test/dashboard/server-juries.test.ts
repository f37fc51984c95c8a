// The queue of disagreements, and relabels: saved whole, taken up by the jury's next run, and usable to train a classifier.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JuryReply, RunsReply } from "../../src/dashboard/api.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { readLabeledSpans } from "../../src/traces/classifier/labeled-spans.ts";
import { juryOutcome } from "../../src/traces/judges/agreement.ts";
import { readSettled } from "../../src/traces/judges/settled.ts";
import { ServedFolder, writeRun } from "./served-folder.ts";

const span = (n: number) => ({
  ...{ id: `trace · ${n} #0`, text: `span ${n} <script>`, previous: "before", trace: `trace ${n}`, domain: "puzzle" },
  votes: { "judge a": "plan", "judge b": n % 2 ? "setup" : "compute" },
});
const agreement = {
  ...{
    judges: ["judge a", "judge b"],
    spans: 20,
    percent: 60,
    fleissKappa: 0.4,
    failures: 0,
    cost: 0,
    votesByLabel: {},
  },
  pairs: [{ judges: ["judge a", "judge b"], spans: 20, percent: 60, kappa: 0.41, confusion: {} }],
};

let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const disagreements = Array.from({ length: 8 }, (_, n) => span(n));
    await writeRun(join(folder, "jury"), "analyze", { jury: true }, { "disagreements.jsonl": disagreements });
    await writeFile(join(folder, "jury", "agreement.json"), JSON.stringify(agreement));
    await writeRun(join(folder, "young"), "analyze", { jury: true });
    await writeRun(join(folder, "analysis"), "analyze", { inputs: [] });
  });
});
afterAll(() => served.close());

const relabel = (body: unknown, headers: Record<string, string> = { "content-type": "application/json" }) =>
  served.ask("/api/relabel", { method: "POST", headers, body: JSON.stringify(body) });
const jury = () => served.get<JuryReply>("jury", { jury: "jury" });

describe("a jury", () => {
  it("is listed apart from runs, with what is left to look at", async () => {
    const { runs, juries } = await served.get<RunsReply>("runs");
    expect(runs.map(({ id }) => id)).toEqual(["analysis"]);
    expect(juries).toMatchObject([
      { id: "jury", spans: 20, disagreements: 8, relabeled: 0 },
      { id: "young", disagreements: 0 },
    ]);
  });

  it("shows its queue in the order it was written, and how far its judges agree", async () => {
    const reply = await jury();
    expect(reply.queue.map(({ id }) => id)).toEqual(Array.from({ length: 8 }, (_, n) => span(n).id));
    expect(reply.queue[1].votes).toEqual({ "judge a": "plan", "judge b": "setup" });
    expect(reply).toMatchObject({
      percent: 60,
      fleissKappa: 0.4,
      judges: ["judge a", "judge b"],
      writable: true,
      gaps: [],
    });
    const young = await served.get<JuryReply>("jury", { jury: "young" });
    expect(young.gaps.map(({ missing }) => missing)).toEqual(["disagreements.jsonl", "agreement.json"]);
  });

  it("keeps relabels that come at the same time, in a file that trains a classifier", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        relabel({ jury: "jury", span: span(n).id, label: n < 4 ? "check" : "other" }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(Math.max(...answers.map(({ text }) => JSON.parse(text).relabeled))).toBe(8);
    const { spans, skipped } = await readLabeledSpans(join(served.folder, "jury", "settled.jsonl"), paperTaxonomy);
    expect(skipped).toEqual([]);
    expect(new Map(spans.map(({ text, label }) => [text, label]))).toEqual(
      new Map(Array.from({ length: 8 }, (_, n) => [span(n).text, n < 4 ? "check" : "other"])),
    );
    const settled = await readSettled(join(served.folder, "jury"), paperTaxonomy);
    const all = Array.from({ length: 8 }, (_, n) => span(n));
    expect(juryOutcome(all, [], settled)).toMatchObject({ disagreements: [], consensus: { length: 8 } });
    // Nothing half-written stays behind.
    expect((await readdir(join(served.folder, "jury"))).sort()).toEqual([
      "agreement.json",
      "disagreements.jsonl",
      "run.json",
      "settled.jsonl",
    ]);
  });

  it("takes a label back, and goes on from the file after a restart", async () => {
    await relabel({ jury: "jury", span: span(0).id, label: null });
    await relabel({ jury: "jury", span: span(1).id, label: "backtrack" });
    expect((await jury()).queue.slice(0, 3).map(({ relabel }) => relabel)).toEqual([undefined, "backtrack", "check"]);
    const file = join(served.folder, "jury", "settled.jsonl");
    // As if the server had been killed in the middle of somebody else's edit: a line that cannot be read is named.
    await writeFile(file, `${await readFile(file, "utf8")}{"id":"tor`);
    const reply = await jury();
    expect(reply.jury.relabeled).toBe(7);
    expect(reply.gaps.map(({ missing }) => missing)).toEqual(["1 lines of settled.jsonl that cannot be read"]);
  });

  it("keeps what was settled of spans that have left the queue", async () => {
    const folder = join(served.folder, "jury");
    const line = (record: object) => `${JSON.stringify(record)}\n`;
    await writeFile(join(folder, "settled.jsonl"), line({ span: "gone", label: "plan" }));
    await relabel({ jury: "jury", span: span(1).id, label: "setup" });
    const settled = await readSettled(folder, paperTaxonomy);
    expect([...settled.values()].map((one) => [one.span, one.label])).toEqual([
      ["gone", "plan"],
      [span(1).id, "setup"],
    ]);
    await relabel({ jury: "jury", span: span(1).id, label: null });
    expect((await readSettled(folder, paperTaxonomy)).has(span(1).id)).toBe(false);
  });

  it("is read where no two judges have a span in common", async () => {
    const { percent: _, ...none } = agreement;
    const path = join(served.folder, "jury", "agreement.json");
    await writeFile(path, JSON.stringify({ ...none, pairs: [{ judges: ["judge a", "judge b"], spans: 0 }] }));
    const reply = await jury();
    expect(reply.gaps).toEqual([]);
    expect(reply.pairs).toEqual([{ judges: ["judge a", "judge b"], spans: 0 }]);
    await writeFile(path, JSON.stringify(agreement));
  });

  it("accepts nothing else", async () => {
    const label = "plan";
    const refused: [unknown, number][] = [
      [{ jury: "jury", span: "no such span", label }, 404],
      [{ jury: "../jury", span: span(0).id, label }, 404],
      [{ jury: "analysis", span: span(0).id, label }, 404],
      [{ jury: "jury", span: span(0).id, label: "guess" }, 400],
      [{ jury: "jury", span: span(0).id }, 400],
      [{ jury: "jury", span: span(0).id, label, file: "/etc/passwd" }, 400],
      ["x".repeat(70_000), 413],
    ];
    for (const [body, status] of refused)
      expect((await relabel(body)).status, JSON.stringify(body).slice(0, 80)).toBe(status);
    // What a form of another site could send without asking first.
    expect((await relabel({}, { "content-type": "text/plain" })).status).toBe(415);
    expect((await relabel({}, {})).status).toBe(415);
    expect(
      (await served.ask("/api/relabel", { method: "POST", headers: { "content-type": "application/json" }, body: "{" }))
        .status,
    ).toBe(400);
  });
});
