// An analysis that keeps up with a trainer: what is new is read, what is known is not, and the result is that of a fresh one.
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Analysis } from "../../src/traces/analysis/analysis.ts";
import { readRecords } from "../../src/traces/analysis/analysis-folder.ts";
import type { TrainingPoint } from "../../src/traces/analysis/training-series.ts";
import { type FollowEvent, followTraces } from "../../src/traces/follow-traces.ts";
import { importAndAnalyze } from "../../src/traces/run-analysis.ts";
import { alarmsOfSeries } from "../../src/traces/step-signs.ts";

const openings = {
  compute: "So 17 times 23 is 391, and adding 48 gives 439, which leaves 4 when divided by 5, and 4 plus 2 is 6.",
  guess: "Suppose that the first cell is black; then let us see what follows if we assume this for the row.",
  back: "Wait, that contradicts what we found before, so this cannot work; let me go back and try the other case.",
};
const write = (steps: readonly (keyof typeof openings)[]) =>
  `<think>${steps.map((one) => `${openings[one]} `.repeat(4)).join("\n\n")}</think>`;

/** Recovers at first, and not any more later. */
const dump = (step: number, problems = 10) =>
  Array.from({ length: problems }, (_, i) => ({
    input: `problem ${i}`,
    output: write(step <= 4 ? ["guess", "back", "compute"] : ["compute", "compute"]),
    ...{ score: step / 10, acc: i < step, step },
  }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");

let home: string;
let dumps: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "repertoire-follow-"));
  dumps = join(home, "dumps");
  await mkdir(dumps);
});
afterEach(() => rm(home, { recursive: true }));

const imports = () => ({ inputs: [{ path: dumps }], workers: 1 });
const request = { analysis: { replicates: 50, motifsPerLength: 3 }, workers: 1 };
const fresh = async (name: string) => (await importAndAnalyze(join(home, name), imports(), request)).analysis;

/** `next` writes more after each analysis, until it has nothing more to write. */
async function follow(next: (made: number) => Promise<boolean>, onEvent: (event: FollowEvent) => void = () => {}) {
  const stop = new AbortController();
  const made: Analysis[] = [];
  const options = { signal: stop.signal, everyMs: 20 };
  for await (const analysis of followTraces(join(home, "followed"), imports(), request, options, onEvent)) {
    made.push(analysis);
    if (!(await next(made.length))) stop.abort();
  }
  return made;
}

describe("following a trainer", () => {
  it("waits for the first file, reads each slice once, and ends where a fresh analysis does", async () => {
    const read: number[] = [];
    const events: FollowEvent[] = [];
    let waited = false;
    const made = await follow(
      async (count) => {
        if (count <= 8) await writeFile(join(dumps, `${count + 1}.jsonl`), dump(count + 1));
        return count <= 8;
      },
      (event) => {
        events.push(event);
        if (event.type === "slice" && !event.kept) read.push(event.traces);
        if (event.type === "waiting" && !waited) {
          waited = true;
          void writeFile(join(dumps, "1.jsonl"), dump(1));
        }
      },
    );
    expect(waited).toBe(true);
    expect(made.at(-1)?.input.traces).toBe(90);
    // Nine files, each labeled once.
    expect(read.filter((traces) => traces > 0)).toHaveLength(9);
    expect(made.at(-1)).toEqual({ ...(await fresh("fresh")), inputs: expect.anything() });
    const recordsOf = async (name: string) =>
      (await readRecords(join(home, name, "analysis"))).map(({ slice, ordinal, ...record }) => record);
    expect(await recordsOf("followed")).toEqual(await recordsOf("fresh"));
  });

  it("reads a log that grows, and one that was written anew", async () => {
    const path = join(dumps, "all.jsonl");
    await writeFile(path, dump(1));
    const made = await follow(async (count) => {
      if (count === 1) await appendFile(path, dump(2));
      if (count === 2) await writeFile(path, dump(7, 4));
      return count < 3;
    });
    expect(made.map(({ input }) => input.traces)).toEqual([10, 20, 4]);
    expect(made[2].training[0].points.map(({ step }) => step)).toEqual([7]);
  });

  it("raises the alarm of the monitor, keeps the score of each step, and compares the ends in words", async () => {
    for (let step = 1; step <= 8; step++) await writeFile(join(dumps, `${step}.jsonl`), dump(step));
    const [analysis] = await follow(async () => false);
    const [{ points, series }] = analysis.training;
    expect(series).toBe("training");
    expect(points.map(({ score }) => score)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((step) => expect.closeTo(step / 10)));
    const alarms = (points: TrainingPoint[]) =>
      alarmsOfSeries({ series, points, trends: [] }, analysis.taxonomy).map(({ about }) => about);
    expect(alarms([...points])).toContain("recovery");
    expect(alarms(points.slice(0, 4))).not.toContain("recovery");
    // Steps 1–3 and 6–8: the same ten problems, right in 2 and in 7 of them on average.
    const [ends] = analysis.scopes[0].comparisons;
    expect([ends.first, ends.second, ends.sharedProblems]).toEqual(["steps 1–3", "steps 6–8", 10]);
    expect(ends.passes[0]).toMatchObject({
      k: 1,
      first: expect.closeTo(0.2),
      second: expect.closeTo(0.7),
      change: "rose",
    });
    expect(ends.words.join(" ")).toMatch(/Fell:.*backtrack/);
    expect(JSON.parse(await readFile(join(home, "followed", "analysis", "analysis.json"), "utf8")).scopes).toHaveLength(
      1,
    );

    // Validation beside it: compared for itself, and in no step of training.
    await mkdir(join(dumps, "val"));
    for (const step of [4, 8]) await writeFile(join(dumps, "val", `${step}.jsonl`), dump(step));
    const validated = await fresh("validated");
    expect(validated.training).toEqual(analysis.training);
    expect(validated.scopes[0].checkpoints.map(({ checkpoint, traces }) => [checkpoint, traces])).toEqual([
      ["step 4", 10],
      ["step 8", 10],
    ]);
    expect(validated.scopes[0].comparisons.map(({ first, second }) => [first, second])).toEqual([
      ["steps 1–3", "steps 6–8"],
      ["step 4", "step 8"],
    ]);
    expect(validated.scopes[0].comparisons[0]).toEqual(ends);
  });

  /** As verl's V1 trainer writes them: each step asks problems of its own, and only a score and a gold say what was right. */
  const verl = (step: number, pays = (right: boolean, _: number) => right) =>
    Array.from({ length: 20 }, (_, i) => {
      const right = i % 4 < step / 2;
      const output = `${write(["compute"])} It is \\boxed{${right ? 7 : 8}}.`;
      const asked = {
        input: `problem ${step} ${i % 5}`,
        output: `${i} ${output}`,
        gts: "7",
        step,
        uid: `${step}_${i}`,
      };
      return { ...asked, score: Number(pays(right, i)) };
    })
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");

  it("says where a trainer's scores and our grades disagree, and compares the halves of a few steps", async () => {
    for (let step = 1; step <= 6; step++) await writeFile(join(dumps, `${step}.jsonl`), verl(step));
    const healthy = await fresh("healthy");
    const about = ({ training, taxonomy }: Analysis) =>
      alarmsOfSeries(training[0], taxonomy).map((alarm) => alarm.about);
    expect(about(healthy)).not.toContain("disagreeing");
    const [halves] = healthy.scopes[0].comparisons;
    expect([halves.first, halves.second, halves.sharedProblems]).toEqual(["steps 1–3", "steps 4–6", 0]);
    for (let step = 1; step <= 6; step++)
      await writeFile(
        join(dumps, `${step}.jsonl`),
        verl(step, (right, i) => right || i % 5 === 0),
      );
    expect(about(await fresh("gamed"))).toContain("disagreeing");
  });

  it("compares training where there is a single validation", async () => {
    for (let step = 1; step <= 4; step++) await writeFile(join(dumps, `${step}.jsonl`), verl(step));
    await mkdir(join(dumps, "val"));
    await writeFile(join(dumps, "val", "1.jsonl"), verl(1));
    const [{ checkpoints, comparisons }] = (await fresh("validated once")).scopes;
    expect(checkpoints.map(({ checkpoint }) => checkpoint)).toEqual(["step 1", "step 2", "step 3", "step 4"]);
    expect(comparisons[0]).toMatchObject({ first: "steps 1–2", second: "steps 3–4" });
  });
});
