// Evaluations whose files lost lines, were edited or come in another order: named, or the same numbers.
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Random } from "../../src/base/random.ts";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import { gradeCommand } from "../../src/cli/grade.ts";
import { reportCommand } from "../../src/cli/report.ts";
import { intervalOfMean, newProblemsIntervals } from "../../src/evaluation/intervals.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";

let folder: string;
let out: string;
/** One evaluation, which every test gets a copy of. */
let root: string;
let server: FakeServer;
let printed: string[];
const listen = () => {
  printed = [];
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void printed.push(text));
};
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "damage-"));
  out = join(root, "run");
  listen();
  server = await startFakeServer(({ body }) => ({
    say: `So \\boxed{${body.seed % 3 === 0 ? "5" : String(body.seed % 7)}}, after ${body.seed % 11} tries.`,
  }));
  const questions = Array.from({ length: 12 }, (_, i) => ({ problem: `Is it ${i}?`, answer: "5" }));
  await writeFile(join(root, "q.jsonl"), questions.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await evaluate();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "damage-"));
  out = join(folder, "run");
  await cp(join(root, "run"), out, { recursive: true });
  listen();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const evaluate = (...more: string[]) => {
  const address = `${server.url.replace("http://", "http://somebody:hunter2@")}?api_key=sesame`;
  const fixed = ["--problems", join(root, "q.jsonl"), "--url", address, "--model", "m", "--no-probe"];
  return evaluateCommand().parseAsync([...fixed, "--rollouts", "4", "--out", out, ...more], { from: "user" });
};
const grade = (...args: string[]) => gradeCommand().parseAsync([out, ...args], { from: "user" });
const report = (...args: string[]) =>
  reportCommand().parseAsync([out, "--only", "pass-at-k", "--out", join(folder, "report"), ...args], { from: "user" });
const text = (name: string) => readFile(join(out, name), "utf8");
const keep = async (name: string, count: number) =>
  writeFile(join(out, name), (await text(name)).split("\n").slice(0, count).join("\n").concat("\n"));

describe("an evaluation that lost lines", () => {
  it.each([
    ["problems.jsonl", 7, 12],
    ["grades.jsonl", 30, 48],
    ["rollouts.jsonl", 30, 48],
  ])("of %s is refused by whoever reads it, with the file's name", async (name, left, all) => {
    await keep(name, left);
    const message = new RegExp(`${name} is damaged: it has ${left} of ${all} lines`);
    await expect(report()).rejects.toThrow(message);
    await expect(evaluate()).rejects.toThrow(message);
    await expect(grade()).rejects.toThrow(message);
    await expect(evaluateCommand().parseAsync(["compare", out, out], { from: "user" })).rejects.toThrow(message);
  });

  it("is drawn when that is accepted, and the report says so", async () => {
    await keep("grades.jsonl", 30);
    await report("--accept-damage");
    expect(await readFile(join(folder, "report/index.html"), "utf8")).toMatch(
      /grades\.jsonl was \(it has 30 of 48 lines\)/,
    );
    expect(printed.join("\n")).toContain("it has 30 of 48 lines");
  });

  it("gets its grades again, from what is accepted or all anew, and is then whole", async () => {
    const before = await text("summary.json");
    await keep("grades.jsonl", 30);
    await grade("--accept-damage");
    expect(await text("summary.json")).toBe(before);
    await keep("grades.jsonl", 10);
    await grade("--again");
    expect(await text("summary.json")).toBe(before);
    await report();
  });

  it.each([
    ["are gone", () => rm(join(out, "rollouts.jsonl")), "it is missing, and had 48 lines"],
    ["are cut", () => keep("rollouts.jsonl", 30), /it has \d+ of \d+ bytes/],
    [
      "are no JSON",
      async () => writeFile(join(out, "rollouts.jsonl"), Buffer.alloc((await text("rollouts.jsonl")).length)),
      "it does not begin and end as JSON lines do",
    ],
  ])("shows its table, and warns where rollouts %s", async (_, damage, problem) => {
    const show = () => evaluateCommand().parseAsync(["show", out, "--json"], { from: "user" });
    printed = [];
    await show();
    expect(printed.splice(0)).toEqual([JSON.stringify(JSON.parse(await text("summary.json")))]);
    await damage();
    await show();
    expect(printed).toHaveLength(2);
    expect(printed[0]).toContain(`${join(out, "rollouts.jsonl")} is damaged: `);
    expect(printed[0]).toMatch(problem);
  });

  it("of a cut summary says which file", async () => {
    await writeFile(join(out, "summary.json"), '{"version":1');
    const show = (...args: string[]) => evaluateCommand().parseAsync(["show", out, ...args], { from: "user" });
    await expect(show()).rejects.toThrow(/summary\.json is damaged/);
    await expect(show("--accept-damage")).rejects.toThrow(/summary\.json cannot be read/);
  });
});

describe("one bad line", () => {
  it("of grades costs that grade, not the checkpoint", async () => {
    const lines = (await text("grades.jsonl")).split("\n");
    lines[5] = '{"problem":';
    await writeFile(join(out, "grades.jsonl"), lines.join("\n"));
    await report("--accept-damage");
    expect(printed.join("\n")).toContain("1 records that cannot be read");
    expect(existsSync(join(folder, "report/figures/pass-at-k.svg"))).toBe(true);
  });

  it("of the index is not believed over the log", async () => {
    const index = join(out, "rollouts.index.jsonl");
    const given = await readFile(index, "utf8");
    await writeFile(
      index,
      given.replace('"attempt":3', '"attempt":9').replace('"state":"complete"', '"state":"failed"'),
    );
    for (const store of [await RolloutStore.read(out), await RolloutStore.open(out)]) {
      const entries = store.entries();
      expect(entries).toHaveLength(48);
      expect(entries.every(({ attempt, state }) => attempt < 4 && state === "complete")).toBe(true);
      await store.close();
    }
    expect(await readFile(index, "utf8")).toBe(given);
  });
});

describe("the order of records", () => {
  it("changes neither the summary nor a grade", async () => {
    const before = await text("summary.json");
    for (const name of ["rollouts.jsonl", "grades.jsonl"]) {
      const lines = (await text(name)).trim().split("\n");
      await writeFile(join(out, name), `${Random.from("order").shuffle(lines).join("\n")}\n`);
    }
    await rm(join(out, "rollouts.index.jsonl"));
    await grade("--accept-damage");
    expect(await text("summary.json")).toBe(before);
  });

  it("changes no interval", () => {
    const columns = fc.array(fc.tuple(fc.nat(9), fc.nat(5)), {
      minLength: 2,
    });
    const all = (rows: readonly (readonly number[])[]) => {
      return [
        [0, 1].map((column) =>
          intervalOfMean(
            rows.map((row) => row[column]),
            { low: 0, high: 9 },
            { replicates: 50 },
          ),
        ),
        newProblemsIntervals(
          rows.map((row) => ({ attempts: 9, correct: row[0] })),
          [1, 4],
          { replicates: 50 },
        ),
      ];
    };
    fc.assert(
      fc.property(columns, fc.integer(), (rows, seed) => {
        expect(all(Random.from(seed).shuffle([...rows]))).toEqual(all(rows));
      }),
      { numRuns: 30 },
    );
  });
});

describe("secrets in an address", () => {
  it("reach the server and no file", async () => {
    const { authorization, path } = server.asked[0];
    expect(authorization).toBe(`Basic ${Buffer.from("somebody:hunter2").toString("base64")}`);
    expect(path).toContain("/chat/completions?api_key=sesame");
    for (const name of ["run.json", "rollouts.jsonl", "summary.json", "grades.jsonl"])
      expect(await text(name)).not.toMatch(/hunter2|sesame/);
    // The command is that of the process that runs the tests; what is kept of it is tested with `withoutSecrets`.
  });
});
