// `repertoire traces` as programs and people use it, and all cores at once.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { parseInput, planSlices } from "../../src/imports/plan.ts";
import type { LabeledText } from "../../src/traces/label-slice.ts";
import { defaultLabeler } from "../../src/traces/labeler-spec.ts";
import { readTraces } from "../../src/traces/read-traces.ts";
import { sequenceOf, writeSequence } from "../../src/traces/sequence.ts";
import { repertoireReading } from "../cli/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "traces-cli-"));
const before = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

async function repertoire(args: string[], input?: string) {
  const told = await repertoireReading(input, "traces", ...args);
  const records = told.stdout.trim().split("\n");
  return { ...told, records: records.map((line) => (line.startsWith("{") ? JSON.parse(line) : line)) };
}

const lines = (records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;

const moves = [
  "How should I go about this? My plan is to work modulo 7 first, and then to lift the solution.",
  "The possible cases are:\n1. n is even\n2. n is odd",
  "So 3x = 12, which gives x = 4.",
  "Let me double-check that: plugging 4 back in gives 12, as before.",
  "That leads to a contradiction, so this does not work. Let me go back and try another approach.",
];

/** The same for the same draws. */
function response(random: Random, spans: number): string {
  const made = Array.from({ length: spans }, () => random.pick(moves));
  return `<reasoning>${made.map((text) => `${text} ${"More of the same follows here, so that it is long. ".repeat(5)}`).join("\n\n")}</reasoning>`;
}

const rows = (checkpoint: string, problems: number) =>
  Array.from({ length: problems }, (_, p) => ({
    problem: `p${p}`,
    model: checkpoint,
    response: response(Random.from(`${checkpoint} ${p}`), 3 + (p % 5)),
    correct: p % 2 === 0,
  }));

describe("line by line", () => {
  test("label answers for a span and for a whole response, and may abstain; a bad line is an error", async () => {
    const input = lines([
      { id: 1, previous: "So x = 4.", text: "Let me double-check: 4 + 8 = 12, as required. Yes, correct." },
      { id: 2, response: "<reasoning>plan scan\ncheck R1 ok</reasoning>" },
      { id: 3, text: "hm" },
      { id: 4, text: ". . ." },
    ]);
    const { records } = await repertoire(["label", "--json", "--segmentation", "terse"], `${input}{\n`);
    expect(records[4]).toEqual({ line: 5, error: expect.stringContaining("not JSON") });
    expect(records[0]).toEqual({ id: 1, label: "check", confidence: expect.any(Number) });
    expect(records[1]).toMatchObject({ id: 2, labels: ["plan", "check"] });
    for (const least of ["0.999999", "sure"])
      expect((await repertoire(["label", "--json", "--abstain-below", least], input)).records.slice(2)).toEqual([
        { id: 3, label: null, abstained: true, confidence: expect.any(Number) },
        // Breaks are found by rule.
        { id: 4, label: "other", confidence: 1 },
      ]);
  });
});

describe("files", () => {
  writeFileSync(join(folder, "sft.jsonl"), lines(rows("sft", 20)));
  writeFileSync(
    join(folder, "gspo.jsonl"),
    `${lines(rows("gspo", 20))}{"broken\n${JSON.stringify({ problem: "p0", response: "" })}\n`,
  );

  test("analyze writes its folder, says what it skipped, and shows a finished one again", async () => {
    const args = ["analyze", "sft=sft.jsonl", "gspo=gspo.jsonl", "--out", "analysis", "--replicates", "50"];
    const first = await repertoire(args);
    // A machine that is busy for half a minute hears how far it is.
    expect(first.stderr.replace(/^ +MB: \d+ of \d+.*\n/gm, "")).toMatch(
      /^41 rollouts \(records: response=response, .*\), kept in analysis\ngrades: 40 by their own program, 1 ungraded\nskipped 1: not JSON/,
    );
    expect(first.stdout).toContain("41 traces");
    expect(first.stdout).toContain("labels by repertoire span classifier");
    expect(first.stdout).toContain("1 without any reasoning");
    expect(first.stdout).toContain("From SFT to gspo, on the 20 problems that both were asked");
    for (const name of [
      "run.json",
      "import.json",
      "evaluations/sft/problems.jsonl",
      "analysis/analysis.json",
      "analysis/traces.parquet",
      "analysis/motifs.parquet",
      "analysis/measures.parquet",
      "analysis/pairs.json",
    ]) {
      expect(existsSync(join(folder, "analysis", name)), name).toBe(true);
    }
    expect((await repertoire(args)).stdout).toBe(first.stdout);
    // What is derived is made again, and never refused.
    const other = await repertoire([...args, "--replicates", "60"]);
    expect(other.status).toBe(0);
    expect(other.stderr).toContain("analyzing again: it was drawn with other options");
    const columns = await repertoire([...args, "--columns", "correct=no_such_column"]);
    expect(columns.stderr).toContain("reading again: it is read in another way");
    const query = await repertoire([
      ...args,
      "--query",
      "SELECT checkpoint, count(*) AS n FROM traces GROUP BY 1 ORDER BY 1",
    ]);
    expect(query.records).toEqual([
      { checkpoint: "gspo", n: 21 },
      { checkpoint: "sft", n: 20 },
    ]);
  });

  test("compare speaks of two checkpoints, from a folder or from files", async () => {
    const fromFolder = await repertoire([
      "compare",
      "analysis",
      "--first",
      "sft",
      "--second",
      "gspo",
      "--replicates",
      "50",
    ]);
    expect(fromFolder.stdout).toContain("From SFT to gspo");
    expect(fromFolder.stdout).toContain("solved by only second");
    const fromFiles = await repertoire(["compare", "sft=sft.jsonl", "gspo=gspo.jsonl", "--replicates", "50"]);
    expect(fromFiles.stdout).toBe(fromFolder.stdout);
    const unknown = await repertoire(["compare", "analysis", "--first", "base"]);
    expect(unknown.stderr).toContain('no checkpoint "base"; there are: sft, gspo');
  });

  test("compare shows pairs to read from a folder, and says what it needs otherwise", async () => {
    // The same traces with more checks at their end open alike and go deeper, so that there are pairs.
    const checks = "\n\nLet me double-check: 4 + 8 = 12, as required. Yes, correct.".repeat(6);
    const deeper = rows("sft", 20).map((row) => ({
      ...row,
      response: row.response.replace("</reasoning>", `${checks}</reasoning>`),
    }));
    writeFileSync(join(folder, "deeper.jsonl"), lines(deeper));
    await repertoire(["analyze", "one=sft.jsonl", "two=deeper.jsonl", "--out", "twins", "--replicates", "20"]);
    const [{ kind, problem, firstSpans }] = JSON.parse(
      readFileSync(join(folder, "twins", "analysis", "pairs.json"), "utf8"),
    );
    const { stdout } = await repertoire(["compare", "twins", "--replicates", "20", "--pairs", "1"]);
    expect(stdout).toContain(`${kind} · ${problem}`);
    const strip = writeSequence(sequenceOf(firstSpans.map(({ label }: LabeledText) => label)));
    expect(stdout.split("\n").filter((line) => line === strip)).not.toHaveLength(0);
    // Pairs are of the problems that are compared, not of all that the analysis holds, and are there when the file has gone.
    rmSync(join(folder, "deeper.jsonl"));
    const limited = ["compare", "twins", "--replicates", "20", "--pairs", "9", "--json", "--problem", problem];
    const [{ pairs }] = (await repertoire(limited)).records;
    expect(new Set(pairs.map((pair: { problem: string }) => pair.problem))).toEqual(new Set([problem]));
    const none = await repertoire(["compare", "twins", "--replicates", "20", "--pairs", "1", "--problem", "p1"]);
    expect(none.stdout).toContain("The analysis chose no pair");
    const refused = await repertoire([
      "compare",
      "sft=sft.jsonl",
      "gspo=gspo.jsonl",
      "--replicates",
      "20",
      "--pairs",
      "1",
    ]);
    expect(refused.stderr).toContain("--pairs needs an analysis");
  });

  test("traces that nobody graded are not shown as failures", async () => {
    writeFileSync(join(folder, "ungraded.jsonl"), lines(rows("sft", 5).map(({ correct: _, ...row }) => row)));
    const { stdout } = await repertoire(["analyze", "new=ungraded.jsonl", "--out", "ungraded", "--replicates", "20"]);
    expect(stdout).toMatch(/pass@1 +–/);
    expect(stdout).toContain("5 ungraded");
  });

  test("label shows a trace with its strip", async () => {
    const { stdout } = await repertoire(["label", "sft.jsonl", "--traces", "1"]);
    expect(stdout).toMatch(/^[PSEHCKBZO]{2,}$/m);
    expect(stdout).toContain("p0 · solved");
  });

  test("label --json gives every trace of a file with its spans", async () => {
    const { records, status } = await repertoire(["label", "sft.jsonl", "--json"]);
    expect([records.length, status]).toEqual([20, 0]);
    expect(records[0]).toMatchObject({ checkpoint: "sft", problem: "p0", correct: true });
    expect(records[0].spans[0]).toMatchObject({ label: expect.any(String), text: expect.any(String) });
  });

  test("a missing file, an empty one and a folder without traces say so", async () => {
    expect((await repertoire(["analyze", "nowhere.jsonl", "--out", "x1"])).stderr).toContain(
      "nowhere.jsonl does not exist",
    );
    writeFileSync(join(folder, "empty.jsonl"), "");
    const empty = await repertoire(["analyze", "empty.jsonl", "--out", "x2"]);
    expect(empty.stderr).toContain("DataError: no trace could be read: nothing in it");
    expect(empty.status).toBe(1);
    // Trial and error leaves nothing behind that the next try would trip over.
    expect(existsSync(join(folder, "x2"))).toBe(false);
  });

  test("look says what a dump shows in three sentences, and again from the run when the dump is gone", async () => {
    const look = (...args: string[]) => repertoireReading(undefined, "look", ...args);
    const dump = (step: number, right: number) =>
      rows("sft", 20).map(({ response }, i) => ({
        ...{ input: `What is ${i}?`, output: `${response}The answer is \\boxed{${i < right ? 7 : 8}}.`, gts: "7" },
        ...{ score: i < right ? 1 : 0, step },
      }));
    mkdirSync(join(folder, "steps"));
    for (let step = 1; step <= 8; step++)
      writeFileSync(join(folder, "steps", `${step}.jsonl`), lines(dump(step, step < 5 ? 4 : 16)));
    const first = await look("steps", "--out", "looked", "--replicates", "200");
    expect(first.stderr).toContain("160 graded here by their gold answers");
    expect(first.stdout).toMatch(/step 8|steps 6–8/);
    expect(first.stdout).toMatch(
      /From steps 1–3 to steps 6–8, on 20 problems of both: the first attempt rose \(20\.0% → 80\.0%/,
    );
    rmSync(join(folder, "steps"), { recursive: true });
    expect((await look("looked", "--replicates", "200")).stdout.split("\n").slice(0, 4)).toEqual(
      first.stdout.split("\n").slice(0, 4),
    );
  });

  test("an analysis notices that its inputs have grown", async () => {
    const [first, more] = [rows("sft", 4), rows("sft", 6)];
    writeFileSync(join(folder, "growing.jsonl"), lines(first));
    const args = ["analyze", "growing.jsonl", "--out", "growing", "--replicates", "20"];
    expect((await repertoire(args)).stdout).toContain("4 traces");
    writeFileSync(join(folder, "growing.jsonl"), lines(more));
    const again = await repertoire(args);
    expect(again.stderr).toContain("has grown");
    expect(again.stdout).toContain("6 traces");
  });

  test("query limits a finished analysis without reading the traces again", async () => {
    const sets = rows("sft", 8).map((row, i) => ({ ...row, set: i < 5 ? "one" : "two" }));
    writeFileSync(join(folder, "sets.jsonl"), lines(sets));
    await repertoire(["analyze", "sets.jsonl", "--out", "sets", "--replicates", "20"]);
    rmSync(join(folder, "sets.jsonl"));
    expect((await repertoire(["query", "sets", "--set", "two"])).stdout).toContain("two: 3 traces");
    expect((await repertoire(["query", "sets", "--problem", "p1", "--problem", "p6"])).stdout).toContain(
      "p1, p6: 2 traces",
    );
    expect((await repertoire(["query", "sets", "--set", "three"])).stderr).toContain(
      "no trace matches these filters; sets: everything, one, two",
    );
    expect((await repertoire(["query", "sets", "SELECT count(*) AS n FROM traces"])).records).toEqual([{ n: 8 }]);
  });
});

test("threads give what one thread gives, in the same order", async () => {
  // Two files make two slices, so that two threads have work.
  const inputs = ["sft=sft.jsonl", "gspo=gspo.jsonl"].map((text) => parseInput(text.replace("=", `=${folder}/`)));
  const planned = await planSlices(inputs, { format: "auto" });
  const alone = await readTraces(planned, { labeler: defaultLabeler, workers: 1 });
  const together = await readTraces(planned, { labeler: defaultLabeler, workers: 2 });
  expect(together.records).toEqual(alone.records);
  expect(together.skipped).toEqual(alone.skipped);
  expect(alone.records).toHaveLength(41);
});
