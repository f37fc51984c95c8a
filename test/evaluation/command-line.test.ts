// `repertoire evaluate` and `repertoire grade` as a user types them, against a server of flesh and bytes.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { evaluateCommand } from "../../src/cli/evaluate.ts";
import { gradeCommand } from "../../src/cli/grade.ts";
import { type Asked, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";

let folder: string;
let server: FakeServer;
let printed: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "command-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void printed.push(text));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const questions = [
  { question: "What is 1/2 + 1/4?", gold: "\\frac{3}{4}" },
  { question: "What is 2^10?", gold: "1024" },
  { question: "Lost?", gold: null },
];

/** Knows the first answer always, in two spellings, and the second for even seeds. */
const answers = ({ body }: Asked) => {
  const asked = body.messages![0].content;
  if (asked.includes("random lowercase letters"))
    return { say: `${"a b c d e f g h i j k l m n o p q r s t u v w"} ${body.temperature === 0 ? 0 : body.seed}` };
  const even = body.seed % 2 === 0;
  const answer = asked.includes("1/2") ? (even ? "0.75" : "\\frac34") : even ? "1024" : "1000";
  return { say: `After some thought (seed ${body.seed}), the answer is $\\boxed{${answer}}$.` };
};

async function evaluate(...args: string[]): Promise<void> {
  const file = join(folder, "questions.jsonl");
  await writeFile(file, questions.map((row) => JSON.stringify(row)).join("\n"));
  const columns = ["--columns", "problem=question,answer=gold"];
  const all = ["--problems", file, ...columns, "--url", server.url, "--model", "m", ...args];
  await evaluateCommand().parseAsync(all, { from: "user" });
}

const grade = (...args: string[]) => gradeCommand().parseAsync(args, { from: "user" });

describe("repertoire evaluate", () => {
  it("samples, grades, sums up, names dropped rows, and shows it all in a table", async () => {
    server = await startFakeServer(answers);
    const out = join(folder, "run");
    await evaluate("--rollouts", "6", "--out", out, "--price", "1,2");
    const text = printed.join("\n");
    expect(text).toContain("questions.jsonl: 1 rows dropped: questions/row 2 (no gold answer)");
    expect(text).toContain("questions: 2 problems, 6 attempts each");
    expect(text).toContain("served as served-m");
    expect(text).toMatch(/pass@1 +\d+\.\d +\[/);
    expect(text).toContain("needs n > k");
    const summary = JSON.parse(await readFile(join(out, "summary.json"), "utf8"));
    expect(summary.sets[0].verdicts).toMatchObject({ unreadable: 0, undecided: 0 });
    expect(summary.sets[0].verdicts.correct).toBeGreaterThanOrEqual(6);
    expect(JSON.parse(await readFile(join(out, "sampling.json"), "utf8")).probe).toEqual({
      seedsDiffer: true,
      seedRepeats: true,
      temperatureHonored: true,
      notes: [],
    });
  });

  it("asking for more adds; the same again asks nothing; anything else is refused", async () => {
    server = await startFakeServer(answers);
    const out = join(folder, "run");
    const asked = () => server.asked.filter(({ body }) => body.max_tokens !== 96).length;
    await evaluate("--rollouts", "2", "--out", out);
    expect(asked()).toBe(4);
    await evaluate("--rollouts", "5", "--out", out);
    expect(asked()).toBe(10);
    await evaluate("--rollouts", "5", "--out", out, "--json");
    expect(asked()).toBe(10);
    expect(JSON.parse(printed.at(-1)!).sets[0].attempts).toEqual({ fewest: 5, most: 5 });
    await expect(evaluate("--rollouts", "5", "--out", out, "--temperature", "1")).rejects.toThrow(
      /holds another run \(sampling differs\)/,
    );
  });

  it.each([
    [["--out", "x"], "--problems is missing"],
    [["--problems", "aime-2025"], "--out is missing"],
    [["--problems", "aime-2025", "--out", "x"], "missing model: give --url"],
    [["--problems", "x", "--out", "x", "--url", "nowhere", "--model", "m"], "--url: expected an address such as http"],
  ])("%j: %s", async (args, message) => {
    await expect(evaluateCommand().parseAsync(args, { from: "user" })).rejects.toThrow(message);
  });

  it("of problems that cannot be read leaves no folder behind, which would refuse the right ones", async () => {
    const out = join(folder, "run");
    const args = ["--problems", "aime-2052", "--url", "http://localhost:1/v1", "--model", "m", "--out", out];
    await expect(evaluateCommand().parseAsync(args, { from: "user" })).rejects.toThrow(/unknown problems "aime-2052"/);
    expect(existsSync(out)).toBe(false);
  });

  it("in which every rollout failed is a failure, and the same command asks again", async () => {
    let down = true;
    server = await startFakeServer((asked) => (down ? { status: 400, say: "no such model" } : answers(asked)));
    const out = join(folder, "run");
    const again = () => evaluate("--rollouts", "2", "--out", out, "--no-probe");
    await expect(again()).rejects.toThrow(/^all 4 rollouts failed \(the first: .*\), so nothing was evaluated/);
    down = false;
    await again();
    expect(printed.join("\n")).toContain("questions: 2 problems, 2 attempts each");
  });

  it("pass@k beyond the attempts is refused in the table", async () => {
    server = await startFakeServer(answers);
    await expect(evaluate("--rollouts", "2", "--out", join(folder, "run"), "--k", "1,32")).rejects.toThrow(
      "pass@32 needs 32 graded attempts",
    );
  });

  it("compares two checkpoints", async () => {
    server = await startFakeServer(answers);
    await evaluate("--rollouts", "8", "--out", join(folder, "good"));
    await server.close();
    server = await startFakeServer(({ body }) => ({
      say: `No idea (${body.seed}), perhaps \\boxed{${body.seed % 3}}? I cannot tell.`,
    }));
    await evaluate("--rollouts", "8", "--out", join(folder, "bad"), "--no-probe");
    const file = join(folder, "comparison.json");
    await evaluateCommand().parseAsync(["compare", join(folder, "bad"), join(folder, "good"), "--out", file], {
      from: "user",
    });
    const text = printed.at(-1)!;
    expect(text).toContain("2 problems in both");
    expect(text).toMatch(/only good +2/);
    expect(text).toContain("unlocked 2, regressed 0");
    const record = JSON.parse(await readFile(file, "utf8"));
    expect(record.unlocked).toEqual([
      expect.stringMatching(/^questions\/[0-9a-f]{16}$/),
      expect.stringMatching(/^questions\//),
    ]);
    expect(record.changes[0].p).toBeLessThan(0.01);
  });
});

describe("repertoire grade", () => {
  it("grades a sampled run, and again with what changed", async () => {
    server = await startFakeServer(answers);
    const out = join(folder, "run");
    await evaluate("--rollouts", "3", "--out", out, "--no-grade", "--no-probe");
    await expect(evaluateCommand().parseAsync(["show", out], { from: "user" })).rejects.toThrow("has no summary yet");
    await grade(out);
    expect(printed.at(-1)).toContain("questions: 2 problems, 3 attempts each");
    await grade(out, "--again");
    expect(printed.at(-1)).toContain("no verdict changed");
    // As if an earlier grader had been wrong about one of them.
    const grades = join(out, "grades.jsonl");
    const lines = (await readFile(grades, "utf8")).trim().split("\n");
    await writeFile(grades, `${[lines[0].replace('"correct"', '"wrong"'), ...lines.slice(1)].join("\n")}\n`);
    await grade(out, "--again");
    expect(printed.at(-1)).toMatch(/1 verdicts changed:\n {2}questions\/[0-9a-f]{16} attempt \d: wrong → correct/);
    const asked = server.asked.length;
    await evaluateCommand().parseAsync(["show", out, "--json"], { from: "user" });
    expect(JSON.parse(printed.at(-1)!).sets[0].attempts.fewest).toBe(3);
    expect(server.asked.length).toBe(asked);
  });

  it("grades one answer for a person", async () => {
    await grade("math", "\\frac{1}{2}", "So the answer is $\\boxed{0.5}$.");
    expect(printed.at(-1)).toContain("equal");
    await grade("math", "\\frac{1}{2}", "So the answer is $\\boxed{0.6}$.");
    expect(printed.at(-1)).toContain("different");
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
  });

  it("says what is missing", async () => {
    await expect(grade()).rejects.toThrow("give the folder of an evaluation");
    await expect(grade(folder)).rejects.toThrow("is not a run folder");
    await expect(grade("math", "1")).rejects.toThrow("give a gold answer and a response");
  });
});
