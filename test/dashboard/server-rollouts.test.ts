// Lists, filters, searches and motifs against the same questions asked of the files by the slowest means.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutRow, RolloutsReply, TraceReply } from "../../src/dashboard/api.ts";
import { reasoningText } from "../../src/grading/tags.ts";
import { type Primitive, primitives } from "../../src/rollouts/primitives.ts";
import { terseLabels } from "../../src/teaching/terse-language.ts";
import { sequenceOf, writeSequence } from "../../src/traces/sequence.ts";
import { writeLargeRun } from "./large-run.ts";
import { ServedFolder } from "./served-folder.ts";

type Plain = {
  readonly source: string;
  readonly row: number;
  readonly problem: string;
  readonly set?: string;
  readonly verdict: string;
  readonly tokens: number;
  readonly step?: number;
  readonly reward: number;
  readonly response: string;
  readonly labels: readonly Primitive[];
  readonly letters: string;
};

const run = "large";
const sources = ["vanilla", "evaluations/base", "evaluations/sft", "evaluations/vanilla", "evaluations/novelty"];
let served: ServedFolder;
let all: Plain[];

beforeAll(async () => {
  served = await ServedFolder.start((folder) =>
    writeLargeRun(join(folder, run), { rollouts: 5_000, longTraces: 3, longCharacters: 100_000 }),
  );
  await served.indexed(run);
  all = (await Promise.all(sources.map((source) => readPlainly(join(served.folder, run), source)))).flat();
});
afterAll(() => served.close());

// biome-ignore lint/suspicious/noExplicitAny: what the files hold is what the test is about.
async function records(path: string): Promise<any[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

async function readPlainly(folder: string, source: string): Promise<Plain[]> {
  const grades = new Map(
    (await records(join(folder, source, "grades.jsonl"))).map((grade) => [`${grade.problem} ${grade.attempt}`, grade]),
  );
  const sets = new Map((await records(join(folder, source, "problems.jsonl"))).map(({ id, set }) => [id, set]));
  return (await records(join(folder, source, "rollouts.jsonl"))).map((record, row) => {
    const grade = record.grade ?? grades.get(`${record.problem} ${record.attempt}`);
    const labels = terseLabels(reasoningText(record.response));
    return {
      ...{ source, row, problem: record.problem, set: sets.get(record.problem), step: record.step },
      ...{ verdict: grade.verdict, reward: grade.reward.total, tokens: record.responseTokens },
      ...{ response: record.response, labels, letters: writeSequence(sequenceOf(labels)) },
    };
  });
}

const ask = (query: Record<string, string | number | readonly string[]>) =>
  served.get<RolloutsReply>("rollouts", { run, source: sources, ...query });
const keyOf = ({ source, row }: Pick<RolloutRow, "source" | "row">) => `${source} ${row}`;

describe("rollouts", () => {
  it("lists every record once, in windows that fit together", async () => {
    const seen: string[] = [];
    for (let offset = 0; ; offset += 500) {
      const { rows, matching, total, indexed } = await ask({ offset, limit: 500 });
      expect([matching, total, indexed]).toEqual([all.length, all.length, all.length]);
      if (rows.length === 0) break;
      seen.push(...rows.map(keyOf));
    }
    expect(seen).toEqual(all.map(keyOf));
  });

  it("shows of each what its record says", async () => {
    const { rows } = await ask({ offset: 1_200, limit: 100 });
    rows.forEach((row, i) => {
      const plain = all[1_200 + i];
      expect(row).toMatchObject({
        problem: plain.problem,
        verdict: plain.verdict,
        tokens: plain.tokens,
        sequence: plain.letters,
      });
      expect(row.reward).toBeCloseTo(plain.reward, 5);
    });
  });

  const choice = fc.record(
    {
      verdict: fc.constantFrom("correct", "wrong", "ungraded"),
      primitive: fc.constantFrom(...primitives),
      without: fc.constantFrom(...primitives),
      motif: fc.array(fc.constantFrom(..."PHCKBZ"), { minLength: 1, maxLength: 4 }).map((letters) => letters.join("")),
      set: fc.constantFrom("held out", "larger", "none"),
      minTokens: fc.integer({ min: 50, max: 300 }),
      maxTokens: fc.integer({ min: 100, max: 400 }),
      maxStep: fc.integer({ min: 0, max: 100 }),
      text: fc.constantFrom("hyp 4", "COMP 1", "\nback", "right", "> 7 +", "nothing like it", "reasoning>\nplan"),
    },
    { requiredKeys: [] },
  );

  it("match exactly what a look at every record finds", async () => {
    await fc.assert(
      fc.asyncProperty(choice, async (query) => {
        const expected = all.filter(
          (plain) =>
            (query.verdict === undefined || plain.verdict === query.verdict) &&
            (query.primitive === undefined || plain.labels.includes(query.primitive)) &&
            (query.without === undefined || !plain.labels.includes(query.without)) &&
            (query.motif === undefined || plain.letters.includes(query.motif)) &&
            (query.set === undefined || setOf(plain) === query.set) &&
            (query.minTokens === undefined || plain.tokens >= query.minTokens) &&
            (query.maxTokens === undefined || plain.tokens <= query.maxTokens) &&
            (query.maxStep === undefined || (plain.step !== undefined && plain.step <= query.maxStep)) &&
            (query.text === undefined || plain.response.toLowerCase().includes(query.text.toLowerCase())),
        );
        const reply = await ask({ ...query, limit: 500 });
        expect(reply.matching).toBe(expected.length);
        expect(reply.rows.map(keyOf)).toEqual(expected.slice(0, 500).map(keyOf));
        expect(reply.facets.verdicts.correct).toBe(expected.filter(({ verdict }) => verdict === "correct").length);
        expect(reply.facets.primitives.backtrack).toBe(
          expected.filter(({ labels }) => labels.includes("backtrack")).length,
        );
        if (query.text !== undefined) {
          expect(reply.search).toEqual({ searched: all.length, of: all.length, complete: true });
          for (const { excerpt } of reply.rows) expect(excerpt?.match.toLowerCase()).toBe(query.text.toLowerCase());
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are searched once for all windows that are asked for at the same time", async () => {
    const expected = all.filter(({ response }) => response.includes("comp 33"));
    const windows = await Promise.all([0, 10, 20, 30].map((offset) => ask({ text: "Comp 33", offset, limit: 10 })));
    expect(windows.flatMap(({ rows }) => rows).map(keyOf)).toEqual(expected.slice(0, 40).map(keyOf));
    for (const { search, matching } of windows) expect([matching, search?.complete]).toEqual([expected.length, true]);
  });

  /** Problems of training are those of the evaluations, and so have their sets. */
  const setOf = (plain: Plain) => all.find(({ problem, set }) => problem === plain.problem && set !== undefined)?.set;

  it("sorts by what is asked, with what is not known last", async () => {
    for (const sort of ["tokens", "reward"] as const) {
      for (const order of ["asc", "desc"] as const) {
        const { rows } = await ask({ sort, order, limit: 200 });
        const values = all.map((plain) => plain[sort]).sort((a, b) => (order === "asc" ? a - b : b - a));
        for (const [i, row] of rows.entries()) expect(row[sort]).toBeCloseTo(values[i], 5);
      }
    }
    const { rows } = await ask({ sort: "step", order: "asc", offset: 4_990, limit: 20 });
    expect(rows.every(({ step }) => step === undefined)).toBe(true);
  });
});

describe("rewards", () => {
  it("are a histogram of what is asked, and each bar leaves its own rollouts", async () => {
    const { facets, matching } = await ask({ limit: 1 });
    const { low, high, counts } = facets.rewards!;
    const rewards = all.map(({ reward }) => reward);
    expect([low, high]).toEqual([Math.min(...rewards), Math.max(...rewards)]);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(matching);
    const middle = (low + high) / 2;
    const upper = await ask({ minReward: middle, limit: 1 });
    expect(upper.matching).toBe(rewards.filter((reward) => reward >= middle).length);
    expect(upper.matching).toBe(counts.slice(counts.length / 2).reduce((a, b) => a + b, 0));
    const lower = await ask({ maxReward: low, limit: 1 });
    expect(lower.matching).toBe(rewards.filter((reward) => reward === low).length);
  });
});

describe("a trace", () => {
  it("of 25,000 tokens comes whole, cut into spans that lie in order inside it", async () => {
    const trace = await served.get<TraceReply>("trace", { run, source: "evaluations/long", row: 1 });
    expect(trace.text.length).toBeGreaterThan(100_000);
    expect(trace.spans.length).toBeGreaterThan(100);
    let end = 0;
    for (const span of trace.spans) {
      expect(span.start).toBeGreaterThanOrEqual(end);
      expect(span.end).toBeGreaterThan(span.start);
      end = span.end;
    }
    expect(trace.labeled).toContain("accuracy");
    expect(trace.rollout.sequence).toBe(writeSequence(sequenceOf(trace.spans.map(({ label }) => label))).slice(0, 400));
  });

  it("in the terse language has the grammar's labels, each span opened by its word", async () => {
    const trace = await served.get<TraceReply>("trace", { run, source: "evaluations/sft", row: 7 });
    const plain = all.find(({ source, row }) => source === "evaluations/sft" && row === 7)!;
    expect(trace.text).toBe(plain.response);
    expect(trace.spans.map(({ label }) => label)).toEqual(plain.labels);
    expect(trace.problem).toMatchObject({ kind: "puzzle", puzzle: "pattern" });
    expect(trace.grade?.reward.total).toBe(plain.reward);
  });
});
