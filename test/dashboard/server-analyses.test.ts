// Rollouts that another trainer wrote and `traces analyze` read: listed, filtered and compared like our own.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  PairsReply,
  ProblemsReply,
  QueryReply,
  RolloutsReply,
  RunReply,
  TraceReply,
} from "../../src/dashboard/api.ts";
import { shown } from "../../src/drawing/table.ts";
import { importAndAnalyze } from "../../src/traces/run-analysis.ts";
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

let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const dumps = join(folder, "..", "dumps");
    await mkdir(dumps);
    await writeFile(join(dumps, "1.jsonl"), jsonLines(dumped(1, 2)));
    await writeFile(join(dumps, "2.jsonl"), jsonLines(dumped(2, 6)));
    const analysis = { replicates: 20, motifsPerLength: 5 };
    const imports = { inputs: [{ path: dumps }], reading: { format: "verl" }, workers: 1 };
    await importAndAnalyze(join(folder, "theirs"), imports, { analysis, workers: 1 });
    // Whoever reads the run later has no need of what it was made from.
    await rm(dumps, { recursive: true });
    await writeRun(join(folder, "unfinished"), "import", { inputs: [] });
  });
  await served.indexed("theirs");
});
afterAll(() => served.close());

const [first, second] = ["evaluations/step-1", "evaluations/step-2"];

describe("rollouts of another trainer", () => {
  it("are a source for each checkpoint, with pass@k from their verdicts", async () => {
    const { sources, run } = await served.get<RunReply>("run", { run: "theirs" });
    expect(run.state).toBe("finished");
    expect(sources.map(({ id, name, kind, rollouts }) => [id, name, kind, rollouts])).toEqual([
      [first, "step 1", "evaluation", 8],
      [second, "step 2", "evaluation", 8],
    ]);
    expect(sources[0].labeled).toContain("span classifier");
    const { rows } = await served.table("accuracy", { run: "theirs" });
    expect(rows.map(([policy, pass]) => [policy, (pass as { value: number }).value])).toEqual([
      ["step 1", 0.25],
      ["step 2", 0.75],
    ]);
  });

  it("are filtered and counted by problem like any other", async () => {
    const right = await served.get<RolloutsReply>("rollouts", { run: "theirs", source: second, verdict: "correct" });
    expect(right.matching).toBe(6);
    const { problems, checkpoints } = await served.get<ProblemsReply>("problems", { run: "theirs" });
    expect(checkpoints.map(({ stage }) => stage)).toEqual([first, second]);
    const total = (column: number) => problems.reduce((sum, { counts }) => sum + (counts[column]?.correct ?? 0), 0);
    expect([total(0), total(1)]).toEqual([2, 6]);
    expect(problems.map(({ asked }) => asked).sort()).toEqual([0, 1, 2, 3].map((i) => `problem ${i}`));
  });

  it("have the text of every trace after the dump is gone, labeled as it was counted", async () => {
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "theirs" });
    expect(rows).toHaveLength(16);
    for (const { source, row, sequence } of rows) {
      const trace = await served.get<TraceReply>("trace", { run: "theirs", source, row });
      expect(trace.text.startsWith("<think>Let me think")).toBe(true);
      expect(writeSequence(sequenceOf(trace.spans.map(({ label }) => label)))).toBe(sequence);
      expect(trace.spans[0].start).toBe("<think>".length);
    }
    const found = await served.get<RolloutsReply>("rollouts", { run: "theirs", text: "APPROACH" });
    expect([found.matching, found.search?.complete]).toEqual([16, true]);
    expect(found.rows[0].excerpt?.match).toBe("approach");
    const { pairs } = await served.get<PairsReply>("pairs", { run: "theirs", first, second });
    expect(pairs.length).toBeGreaterThan(0);
  });

  it("answer questions in SQL, and say of one that means nothing what is wrong with it", async () => {
    const sql = "SELECT checkpoint, avg(correct) AS solved FROM traces GROUP BY 1 ORDER BY 1";
    const { table, rows } = await served.get<QueryReply>("query", { run: "theirs", sql });
    expect([rows, table.columns]).toEqual([2, ["checkpoint", "solved"]]);
    expect(table.rows.map((cells) => cells.map(shown))).toEqual([
      ["step 1", "0.25"],
      ["step 2", "0.75"],
    ]);
    const asked = served.get("query", { run: "theirs", sql: "SELECT deepness FROM traces" });
    await expect(asked).rejects.toThrow(/400: .*deepness/);
    await expect(served.get("query", { run: "unfinished", sql })).rejects.toThrow(/404: .*traces analyze/);
  });

  it("that are not there yet have nothing to show", async () => {
    const { sources, run } = await served.get<RunReply>("run", { run: "unfinished" });
    expect([sources, run.state]).toEqual([[], "empty"]);
  });
});
