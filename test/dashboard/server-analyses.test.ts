// Rollouts that another trainer wrote and `traces analyze` read: listed, filtered and compared like our own.
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PairsReply, ProblemsReply, RolloutsReply, RunReply, TraceReply } from "../../src/dashboard/api.ts";
import { analyzeTraces } from "../../src/traces/analyze-traces.ts";
import { sequenceOf, writeSequence } from "../../src/traces/sequence.ts";
import { jsonLines, ServedFolder, writeRun } from "./served-folder.ts";

const openings = {
  plan: "Let me think about how to approach this before I start; the plan is to look at small cases first.",
  compute: "So 17 times 23 is 391, and adding 48 gives 439, which leaves 4 when divided by 5, and 4 plus 2 is 6.",
  check: "Let me verify that: 17 times 20 is 340 and 17 times 3 is 51, and 340 plus 51 is 391, so it is right.",
  back: "Wait, that contradicts what we found before, so this cannot work; let me go back and try the other case.",
};
const write = (...steps: (keyof typeof openings)[]) =>
  `<think>${steps.map((step) => `${openings[step]} `.repeat(4)).join("\n\n")}</think>`;

/** What a verl run dumps: one file a step, a line a rollout. */
const dumped = (step: number, right: number) =>
  Array.from({ length: 8 }, (_, i) => ({
    input: `problem ${i % 4}`,
    output: write("plan", "compute", "check", ...(right > 4 ? (["back", "compute"] as const) : []), "check"),
    score: i < right ? 1 : 0,
    // What says whether the answer was right; a score alone is no grade.
    acc: i < right,
    step,
  }));

/** As `traces analyze` leaves it. */
async function analyzed(folder: string, path: string): Promise<void> {
  await writeRun(folder, "analyze", { inputs: [path] });
  await analyzeTraces(folder, {
    inputs: [{ path }],
    reading: { format: "verl" },
    analysis: { seed: "test", replicates: 20, motifsPerLength: 5 },
    workers: 1,
  });
}

let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const dumps = join(folder, "..", "dumps");
    await mkdir(dumps);
    await writeFile(join(dumps, "1.jsonl"), jsonLines(dumped(1, 2)));
    await writeFile(join(dumps, "2.jsonl"), jsonLines(dumped(2, 6)));
    await analyzed(join(folder, "analysis"), dumps);
    await writeRun(join(folder, "unfinished"), "analyze", { inputs: [] });
    // The same with what it was read from inside the served folder.
    const inside = join(folder, "verl");
    await cp(dumps, inside, { recursive: true });
    await analyzed(join(folder, "inside"), inside);
    // And with a link that leads out of it.
    await symlink(dumps, join(folder, "link"));
    await analyzed(join(folder, "linked"), join(folder, "link"));
  });
  await served.indexed("analysis");
});
afterAll(() => served.close());

describe("an analysis", () => {
  it("is a source for each checkpoint, with pass@k from its verdicts", async () => {
    const { sources, run } = await served.get<RunReply>("run", { run: "analysis" });
    expect(run.state).toBe("finished");
    expect(sources.map(({ id, kind, rollouts }) => [id, kind, rollouts])).toEqual([
      [".@step 1", "analysis", 8],
      [".@step 2", "analysis", 8],
    ]);
    expect(sources[0].labeled).toContain("span classifier");
    const { rows } = await served.table("accuracy", { run: "analysis" });
    expect(rows.map(([policy, pass]) => [policy, (pass as { value: number }).value])).toEqual([
      ["step 1", 0.25],
      ["step 2", 0.75],
    ]);
  });

  it("is filtered and counted by problem like any other", async () => {
    const right = await served.get<RolloutsReply>("rollouts", {
      run: "analysis",
      source: ".@step 2",
      verdict: "correct",
    });
    expect(right.matching).toBe(6);
    const { problems, checkpoints } = await served.get<ProblemsReply>("problems", { run: "analysis" });
    expect(checkpoints.map(({ stage }) => stage)).toEqual([".@step 1", ".@step 2"]);
    const total = (column: number) => problems.reduce((sum, { counts }) => sum + (counts[column]?.correct ?? 0), 0);
    expect([total(0), total(1)]).toEqual([2, 6]);
    await served.get("motifs", { run: "analysis" });
  });

  it("has the texts of the pairs it chose, and says why it has no other", async () => {
    const { pairs } = await served.get<PairsReply>("pairs", { run: "analysis", first: ".@step 1", second: ".@step 2" });
    expect(pairs.length).toBeGreaterThan(0);
    const { source, row, sequence } = pairs[0].second;
    const trace = await served.get<TraceReply>("trace", { run: "analysis", source, row });
    expect(trace.text).toContain(openings.back);
    expect(trace.spans).toHaveLength(sequence!.length);
    for (const { start, end } of trace.spans) expect(trace.text.slice(start, end).trim()).not.toBe("");
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "analysis", source });
    const chosen = new Set(pairs.map(({ second }) => second.row));
    const other = rows.find((one) => !chosen.has(one.row))!;
    const unread = await served.get<TraceReply>("trace", { run: "analysis", source, row: other.row });
    expect([unread.text, unread.unavailable]).toEqual([
      "",
      expect.stringContaining("does not lie in the served folder"),
    ]);
    // Only what is there can be searched: all texts begin with a plan, and those of pairs are kept.
    const found = await served.get<RolloutsReply>("rollouts", { run: "analysis", text: "APPROACH" });
    const kept = new Set(
      pairs.flatMap(({ first, second }) => [first, second].map((one) => `${one.source} ${one.row}`)),
    );
    expect([found.matching, found.search?.complete]).toEqual([kept.size, true]);
    const inside = await served.get<RolloutsReply>("rollouts", { run: "inside", text: "approach" });
    expect([inside.matching, inside.search?.complete]).toEqual([16, true]);
    expect(inside.rows[0].excerpt?.match).toBe("approach");
  });

  it("whose input lies in the served folder has the whole of every text, cut and labeled as it was then", async () => {
    await served.indexed("inside");
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "inside" });
    expect(rows).toHaveLength(16);
    for (const { source, row, sequence } of rows) {
      const trace = await served.get<TraceReply>("trace", { run: "inside", source, row });
      expect(trace.text.startsWith("<think>Let me think")).toBe(true);
      expect(writeSequence(sequenceOf(trace.spans.map(({ label }) => label)))).toBe(sequence);
      expect(trace.spans[0].start).toBe("<think>".length);
    }
  });

  it("reads nothing through a link out of the folder", async () => {
    await served.indexed("linked");
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "linked" });
    const texts = await Promise.all(
      rows.map(({ source, row }) => served.get<TraceReply>("trace", { run: "linked", source, row })),
    );
    expect(texts.some(({ text }) => text.startsWith("<think>"))).toBe(false);
    expect(texts.filter(({ unavailable }) => unavailable !== undefined).length).toBeGreaterThan(0);
  });

  it("that is not finished has nothing to show", async () => {
    const { sources, run } = await served.get<RunReply>("run", { run: "unfinished" });
    expect([sources, run.state]).toEqual([[], "empty"]);
  });
});
