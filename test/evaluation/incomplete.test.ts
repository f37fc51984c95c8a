// Evaluations that are incomplete or odd: what the summary and the exit code say of them, also when they were interrupted.
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import { solveCount } from "../../src/evaluation/tally.ts";
import { readEvaluation } from "../../src/report/evaluation-data.ts";
import { comparedAccuracy } from "../../src/results/intervals.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";

let folder: string;
let server: FakeServer;
const printed: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incomplete-"));
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((text: string) => void printed.push(text));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  printed.length = 0;
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const problems = 10;
/** Attempts at ten problems into a folder; the same again adds what is missing. */
async function evaluate(name: string, rollouts: number): Promise<void> {
  const file = join(folder, "sums.jsonl");
  const rows = Array.from({ length: problems }, (_, i) =>
    JSON.stringify({ question: `What is ${i}+${i}?`, gold: 2 * i }),
  );
  await writeFile(file, rows.join("\n"));
  const args = ["--problems", file, "--columns", "problem=question,answer=gold", "--url", server.url, "--model", "m"];
  const more = ["--rollouts", `${rollouts}`, "--no-probe", "--out", join(folder, name)];
  await evaluateCommand().parseAsync([...args, ...more], { from: "user" });
}

const summaryOf = async (name: string) => JSON.parse(await readFile(join(folder, name, "summary.json"), "utf8"));

/** Which of its requests the server spoils: the same for everybody, by seed. */
const spoiled = ({ body }: Asked, share: number) => body.seed % 100 < 100 * share;
const answer = ({ body }: Asked, more: object = {}) => ({
  ...{ say: `So it is \\boxed{${body.seed % 7}}, thought over with seed ${body.seed}.`, ...more },
});

describe("an interrupted evaluation", () => {
  it("says in the end what an undisturbed one says", async () => {
    const repeated = "the very same words whatever the seed may be, so nothing here is another rollout";
    server = await startFakeServer((asked) =>
      spoiled(asked, 0.3)
        ? { say: "", reasoning: `all of it was thought and nothing said, ${asked.body.seed}` }
        : asked.body.seed % 3 === 0
          ? { say: repeated }
          : answer(asked),
    );
    await evaluate("undisturbed", 6);
    for (const rollouts of [2, 4, 6, 6]) await evaluate("resumed", rollouts);
    const summary = await summaryOf("undisturbed");
    expect(await summaryOf("resumed")).toEqual(summary);
    expect(summary.warnings).toEqual([
      expect.stringMatching(/^\d+ of 50 rollouts repeat an earlier one word for word/),
      expect.stringMatching(/^\d+ of 60 rollouts ended by themselves with all of their text in the reasoning/),
    ]);
  });
});

describe("odd ends", () => {
  it("are counted in the summary and in its warnings", async () => {
    const ends: Behavior[] = [
      { say: "half an ans", finish: "content_filter" },
      { say: "It is as it is, is it?", finish: "weird" },
      { say: "" },
    ];
    server = await startFakeServer((asked) => ends[asked.body.seed % 10] ?? answer(asked));
    await evaluate("odd", 6);
    const rollouts = (await readFile(join(folder, "odd", "rollouts.jsonl"), "utf8")).trim().split("\n");
    const finishes = rollouts.map((line) => JSON.parse(line).finish);
    const count = (finish: string) => finishes.filter((one) => one === finish).length;
    const summary = await summaryOf("odd");
    expect(count("content_filter")).toBeGreaterThan(0);
    expect(summary.sets[0].ends).toEqual({ content_filter: count("content_filter"), weird: count("weird") });
    expect(summary.sets[0].states.failed).toBe(count("content_filter"));
    const silent = rollouts.filter((line) => JSON.parse(line).response === "").length;
    expect(summary.warnings.join("\n")).toContain(`${silent} of 60 rollouts are empty`);
    for (const finish of ["content_filter", "weird"])
      expect(summary.warnings.join("\n")).toContain(`${count(finish)} as "${finish}"`);
    expect(summary.warnings.join("\n")).toMatch(
      new RegExp(
        `${count("content_filter")} of 60 .* failed and count nowhere .*: the server ended the reply with "content_f`,
      ),
    );
  });

  it("two models behind one name are a warning", async () => {
    server = await startFakeServer((asked) => {
      const model = spoiled(asked, 0.2) ? "totally-other" : "m";
      const choices = [{ index: 0, delta: { content: answer(asked).say }, finish_reason: "stop" }];
      return { raw: `data: ${JSON.stringify({ model, choices })}\n\ndata: [DONE]\n\n` };
    });
    await evaluate("two", 4);
    expect((await summaryOf("two")).warnings.join("\n")).toMatch(
      /the server answered as 2 models: m \(\d+\), totally-other \(\d+\)/,
    );
  });
});

describe("two evaluations, one of them incomplete", () => {
  it("are compared by what both were graded on, in the terminal and in the report, under what was lost", async () => {
    server = await startFakeServer((asked) => answer(asked));
    await evaluate("clean", 4);
    await server.close();
    server = await startFakeServer((asked) => (spoiled(asked, 0.3) ? { status: 400 } : answer(asked)));
    await evaluate("lossy", 4);
    printed.length = 0;
    const folders = ["clean", "lossy"].map((name) => join(folder, name));
    await evaluateCommand().parseAsync(["compare", ...folders, "--out", join(folder, "both.json")], { from: "user" });
    const said = printed.join("\n");
    expect(said).toMatch(/lossy: sums: \d+ of 40 .* rollouts failed and count nowhere[\s\S]*problems in both/);
    const both = JSON.parse(await readFile(join(folder, "both.json"), "utf8"));
    expect([both.differences[0].difference, both.unlocked, both.regressed]).toEqual([0, [], []]);
    const [clean, lossy] = await Promise.all(folders.map((one) => readEvaluation(one, "m", () => {})));
    const reported = comparedAccuracy(clean!.tallies!.map(solveCount), lossy!.tallies!.map(solveCount));
    expect(reported?.differences[0]).toEqual(both.differences[0]);
  });
});

describe("the exit code", () => {
  it.each([
    [0.05, undefined],
    [0.4, 3],
  ])("where a share of %f of the requests fails is %s", async (share, code) => {
    server = await startFakeServer((asked) => (spoiled(asked, share) ? { status: 400 } : answer(asked)));
    await evaluate("lossy", 8);
    const { failed } = (await summaryOf("lossy")).sets[0].states;
    expect(failed / 80 >= 0.2).toBe(code === 3);
    expect(failed).toBeGreaterThan(0);
    expect(process.exitCode).toBe(code);
    expect(printed.join("\n").includes(`${failed} of 80 rollouts failed; run the same command again`)).toBe(code === 3);
  });
});

describe("a record that is too large to be read", () => {
  it("is unreadable, and the folder can be used", async () => {
    server = await startFakeServer(answer);
    await evaluate("huge", 1);
    const log = join(folder, "huge", "rollouts.jsonl");
    const [first] = (await readFile(log, "utf8")).split("\n");
    const huge = { ...JSON.parse(first), attempt: 1, response: `\\boxed{1}${" x".repeat(17_000_000)}` };
    // As if it had been recorded while the evaluation was under way.
    await rm(join(folder, "huge", "files.json"));
    await appendFile(log, `${JSON.stringify(huge)}\n`);
    await evaluate("huge", 2);
    const { sets } = await summaryOf("huge");
    expect(sets[0].verdicts.unreadable).toBe(1);
    expect(await readFile(join(folder, "huge", "grades.jsonl"), "utf8")).toContain("more than 32000000 are not graded");
  });
});

describe("the description of a run", () => {
  it("is among the files whose damage is named, also after the evaluation has grown", async () => {
    server = await startFakeServer(answer);
    for (const rollouts of [1, 2]) await evaluate("described", rollouts);
    const file = join(folder, "described", "run.json");
    const shown = () =>
      evaluateCommand().parseAsync(["compare", join(folder, "described"), join(folder, "described")], { from: "user" });
    await shown();
    await writeFile(file, (await readFile(file, "utf8")).replace('"temperature": 0.6', '"temperature": 0.7'));
    await expect(shown()).rejects.toThrow(/run\.json is damaged: its content is not what it was/);
  });
});
