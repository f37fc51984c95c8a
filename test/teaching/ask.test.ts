import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { commandNamed } from "../../src/cli/commands.ts";
import { puzzleGrader } from "../../src/rollouts/puzzle-grading.ts";
import { readTeacherTrace } from "../../src/teaching/corpus.ts";
import type { FakeServer } from "../endpoints/fake-server.ts";
import { askedPuzzles, type Mood, moods, startTeacher } from "./teacher-server.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-ask-"));
afterAll(() => rmSync(root, { recursive: true }));
let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  process.exitCode = undefined;
});

const world = "pattern=4x4";
const lines = (...path: string[]) =>
  readFileSync(join(root, ...path), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const counted = (name: string) => JSON.parse(readFileSync(join(root, name, "corpus.json"), "utf8"));

async function teach(count: number, turns: readonly Mood[], slow = 0) {
  const puzzles = askedPuzzles(world, count);
  server = await startTeacher(puzzles, turns, slow);
  return puzzles;
}

const flags = (name: string, count: number, ...more: string[]) => [
  ...["ask", "--count", String(count), "--url", server!.url, "--model", "r1", "--out", join(root, name)],
  ...(more.includes("--puzzle") ? more : ["--puzzle", world, ...more]),
];

async function ask(name: string, count: number, ...more: string[]): Promise<string> {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const out = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await (await commandNamed("teach")).parseAsync(flags(name, count, ...more), { from: "user" });
    return [...said.mock.calls, ...out.mock.calls].flat().join("\n");
  } finally {
    said.mockRestore();
    out.mockRestore();
  }
}

describe("a teacher behind a server", () => {
  it("what verifies is kept, and everything else is counted by its reason", async () => {
    const turns = [
      moods.right,
      moods.thinkingInline,
      moods.wrong,
      moods.withoutTags,
      moods.withoutEnd,
      moods.longWinded,
    ];
    const puzzles = await teach(24, turns);
    const text = await ask("reasons", 24, "--max-tokens", "600", "--price", "1,2");
    expect(counted("reasons")).toMatchObject({ kept: 8, wrong: 4, unreadable: 4, "too long": 8, failed: 0 });
    expect(text).toContain("kept 8 of 24: 4 wrong, 4 unreadable, 8 too long");
    const corpus = lines("reasons", "corpus.jsonl").map((line, i) => readTeacherTrace(line, `line ${i}`));
    expect(corpus).toHaveLength(8);
    for (const trace of corpus) {
      const problem = puzzles.find(({ id }) => id === trace.problem)!;
      expect(puzzleGrader(problem)(trace.response).verdict).toBe("correct");
      expect(trace.response).toMatch(/^<reasoning>\n(Let me see\.|Row by row\.)\n<\/reasoning>\n<answer>\n/);
      expect(trace.source).toMatchObject({ teacher: "endpoint", model: "served-r1", temperature: 0.8 });
      expect(trace.prompt).toBe(problem.prompt);
    }
    // The server counts 11 prompt tokens a request and a completion token a word.
    const words = lines("reasons", "rollouts.jsonl").reduce((sum, { responseTokens }) => sum + responseTokens, 0);
    expect(counted("reasons").usage).toMatchObject({ promptTokens: 24 * 11, completionTokens: words });
    expect(counted("reasons").usage.cost).toBeCloseTo((24 * 11 + 2 * words) / 1e6, 12);
  });

  it("a busy server is asked again and more slowly, a broken one again; many are asked at once", async () => {
    await teach(60, [moods.right, moods.busy, moods.broken, moods.cut], 30);
    // One request each, two more for the busy, one more for those that broke off.
    await ask("hard", 60, "--concurrency", "32");
    expect(counted("hard")).toMatchObject({ kept: 60, failed: 0 });
    expect(server!.asked.length).toBe(15 + 3 * 15 + 2 * 15 + 2 * 15);
    await server!.close();
    await teach(40, [moods.right], 100);
    await ask("many", 40, "--concurrency", "24");
    expect(server!.mostAtOnce()).toBeGreaterThan(8);
    expect(server!.mostAtOnce()).toBeLessThanOrEqual(24);
  });

  it("asking again asks only for what is missing or failed; more attempts add to what is there", async () => {
    let refusing = true;
    const moody: Mood = (answer, asked) => (refusing ? moods.refusing() : moods.right(answer, asked));
    await teach(8, [moods.right, moody]);
    const first = await ask("again", 8);
    expect(counted("again")).toMatchObject({ kept: 4, failed: 4 });
    expect(first).toMatch(/4 requests failed \(the last: .*this prompt is refused\); run the same command again/);
    refusing = false;
    server!.asked.length = 0;
    await ask("again", 8);
    expect(server!.asked).toHaveLength(4);
    expect(counted("again")).toMatchObject({ kept: 8, failed: 0 });
    await ask("again", 8, "--attempts", "3");
    expect(server!.asked).toHaveLength(4 + 16);
    expect(lines("again", "corpus.jsonl")).toHaveLength(24);
    expect(new Set(lines("again", "corpus.jsonl").map(({ problem }) => problem)).size).toBe(8);
    await ask("again", 8, "--attempts", "3");
    expect(server!.asked).toHaveLength(20);
    await expect(ask("again", 8, "--temperature", "0.1")).rejects.toThrow(/holds another run \(temperature differs\)/);
  });

  it("a request that never ends is given up after its deadline", async () => {
    await teach(2, [moods.right, () => ({ stall: true })]);
    await ask("late", 2, "--deadline", "0.2");
    expect(counted("late")).toMatchObject({ kept: 1, failed: 1 });
    expect(lines("late", "rollouts.jsonl").find(({ state }) => state === "failed").failure).toMatch(/within 0.2 s/);
  });

  it("a wrong key ends it at once and says what to check; a world with fewer puzzles gives what it has", async () => {
    await teach(2, [() => ({ status: 401, body: JSON.stringify({ error: { message: "bad key" } }) })]);
    await expect(ask("key", 2)).rejects.toThrow(
      /answered 401: bad key; check the model's name, the address and the key/,
    );
    const galaxies = askedPuzzles("galaxies=3x3dn", 60);
    await server!.close();
    server = await startTeacher(galaxies, [moods.right]);
    const text = await ask("few", 60, "--puzzle", "galaxies=3x3dn");
    expect(text).toContain("galaxies=3x3dn: only 14 different training puzzles exist for SFT");
    expect(counted("few").kept).toBe(14);
  });

  it("killed in the middle, nothing that was answered is asked or lost again", async () => {
    const puzzles = askedPuzzles(world, 40);
    server = await startTeacher(puzzles, [moods.right, moods.wrong], 60);
    const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
    const start = () =>
      spawn(process.execPath, [main, "teach", ...flags("killed", 40, "--concurrency", "4")], { stdio: "ignore" });
    const child = start();
    const ended = new Promise((done) => child.once("exit", done));
    while (server.asked.length < 16 && child.exitCode === null) await pause(10);
    child.kill("SIGKILL");
    await ended;
    const answered = lines("killed", "rollouts.jsonl").length;
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(40);
    server.asked.length = 0;
    const again = start();
    expect(await new Promise((done) => again.once("exit", done))).toBe(0);
    expect(server.asked).toHaveLength(40 - answered);
    expect(counted("killed")).toMatchObject({ kept: 20, wrong: 20 });
  });
});

describe("a corpus", () => {
  it("with mathematics in it is refused, however the problem is written", () => {
    const trace = { puzzle: "pattern", instance: "2x2:1/1.1/1", prompt: "p", response: "r", tokens: 1 };
    const source = { teacher: "imported", from: "elsewhere" };
    expect(readTeacherTrace({ ...trace, problem: "x", source }, "line 1")).toMatchObject({ puzzle: "pattern" });
    for (const record of [
      { kind: "mathematics", id: "p", prompt: "?", answer: "4" },
      { problem: { kind: "mathematics", answer: "4" }, response: "4" },
      { problem: "What is 2 + 2?", answer: "4", response: "four" },
      { problem: "What is 2 + 2?", answer: 4, solution: "four" },
    ]) {
      expect(() => readTeacherTrace(record, "corpus.jsonl line 7")).toThrow(
        "corpus.jsonl line 7: a mathematics problem in a training corpus; post-training uses puzzles only",
      );
    }
    expect(() => readTeacherTrace({ ...trace, puzzle: "sudoku", problem: "x", source }, "line 2")).toThrow(
      /line 2: not a teacher trace/,
    );
  });
});
