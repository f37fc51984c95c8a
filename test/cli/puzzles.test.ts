// The command line as programs and people use it: real processes, real pipes, files in a folder of their own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "repertoire-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function repertoire(args: string[], input = "") {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    input,
    encoding: "utf8",
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  return {
    stdout,
    stderr,
    status,
    records: () =>
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

const bridgesId = "7x7m2:a2d3g2e4h2d3h1a1b2";

describe("puzzles", () => {
  it("solve --json answers line by line, and a bad line becomes a record while the rest goes on", () => {
    const lines = [
      { id: bridgesId, puzzle: "bridges" },
      { id: bridgesId }, // the id says whose it is
      "not json",
      { id: "7x7m2:!!!", puzzle: "bridges" },
      { id: "5x5:1/1/3/4/3/1.3/3/3/1/1" },
      { nothing: true },
    ].map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    const { records, status } = repertoire(["puzzles", "solve", "--json"], `${lines.join("\n")}\n`);
    expect(status).toBe(0);
    const [first, second, third, fourth, fifth, sixth] = records();
    expect(first).toMatchObject({
      id: bridgesId,
      status: "unique",
      difficulty: expect.any(String),
      move: expect.stringMatching(/^S;L/),
    });
    expect(second).toEqual(first);
    expect(third).toEqual({ line: 3, error: expect.stringContaining("not JSON") });
    expect(fourth).toMatchObject({ line: 4, id: "7x7m2:!!!", error: expect.any(String) });
    expect(fifth.solution.split("\n")[0]).toBe("# . # # #");
    expect(sixth).toMatchObject({ line: 6, error: expect.stringContaining("id") });
  });

  it("generate, then verify what was generated, through a pipe", () => {
    const made = repertoire([
      "puzzles",
      "generate",
      "undead",
      "--params",
      "4x4dn",
      "--count",
      "5",
      "--seed",
      "3",
      "--json",
    ]).records();
    expect(made).toHaveLength(5);
    for (const record of made)
      expect(Object.keys(record)).toEqual(["puzzle", "id", "difficulty", "prompt", "solution"]);
    const answers = made.flatMap(({ puzzle, id, solution }) => [
      { puzzle, id, answer: solution },
      { puzzle, id, response: `<reasoning>so</reasoning><answer>${solution}</answer>` },
      { puzzle, id, answer: solution.replace("Z", "G") },
      { puzzle, id, response: "I give up" },
    ]);
    const verdicts = repertoire(
      ["puzzles", "verify", "--json"],
      answers.map((answer) => JSON.stringify(answer)).join("\n"),
    ).records();
    expect(
      verdicts
        .filter((_, i) => i % 4 < 2)
        .every(({ verdict, exact, completion }) => verdict === "correct" && exact === 1 && completion === 1),
    ).toBe(true);
    expect(
      verdicts.filter((_, i) => i % 4 === 2).every(({ verdict, exact }) => verdict === "wrong" && exact === 0),
    ).toBe(true);
    expect(
      verdicts
        .filter((_, i) => i % 4 === 3)
        .every(({ verdict, because }) => verdict === "unreadable" && because === "no <answer> tag"),
    ).toBe(true);
    expect(verdicts[1].reward).toBeCloseTo(2.1, 12);
  });

  it("the same seed makes the same puzzles, another one others", () => {
    const ids = (seed: string) =>
      repertoire(["puzzles", "generate", "pattern", "--params", "6x6", "--count", "3", "--seed", seed, "--json"])
        .records()
        .map(({ id }) => id);
    expect(ids("5")).toEqual(ids("5"));
    expect(ids("5")).not.toEqual(ids("6"));
  });

  it("a reader who waits for each answer gets it at once", async () => {
    const child = spawn(process.execPath, [main, "puzzles", "solve", "--json"], { stdio: ["pipe", "pipe", "inherit"] });
    const answer = () => new Promise<string>((done) => child.stdout.once("data", (data) => done(String(data))));
    for (let i = 0; i < 3; i++) {
      child.stdin.write(`${JSON.stringify({ id: bridgesId, puzzle: "bridges" })}\n`);
      expect(JSON.parse(await answer()).status).toBe("unique");
    }
    child.stdin.end();
    await new Promise((done) => child.once("exit", done));
  });

  it("a long stream runs in constant memory", () => {
    const line = `${JSON.stringify({ puzzle: "pattern", id: "5x5:1/1/3/4/3/1.3/3/3/1/1", answer: "# . # # #\n. . # # #\n. . # # #\n. . . # .\n. # . . ." })}\n`;
    const input = join(folder, "many.jsonl");
    writeFileSync(input, line.repeat(150_000));
    const script = `"${process.execPath}" --max-old-space-size=64 "${main}" puzzles verify --json < "${input}" | grep -c '"verdict":"correct"'`;
    const { stdout, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(Number(stdout)).toBe(150_000);
  });

  it("datasets are written, resumed after an interruption, and never overwritten", () => {
    const args = (out: string) => [
      "puzzles",
      "generate",
      "bridges",
      "--params",
      "6x6i30e10m2d0",
      "--count",
      "250",
      "--split",
      "train",
      "--out",
      out,
    ];
    expect(repertoire(args("whole.jsonl")).status).toBe(0);
    const whole = readFileSync(join(folder, "whole.jsonl"), "utf8");
    const rows = whole
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(250);
    expect(new Set(rows.map(({ canonical }) => canonical)).size).toBe(250);
    expect(rows[0]).toMatchObject({
      data_source: "repertoire/bridges",
      ability: "puzzle",
      reward_model: { style: "rule" },
      extra_info: { split: "train", index: 0 },
    });
    // As a crash leaves it: some rows, and the last one torn.
    writeFileSync(
      join(folder, "torn.jsonl.unfinished.jsonl"),
      `${whole.split("\n").slice(0, 120).join("\n")}\n{"id": "half`,
    );
    const resumed = repertoire(args("torn.jsonl"));
    expect(resumed.stderr).toContain("holds 120 puzzles already");
    expect(readFileSync(join(folder, "torn.jsonl"), "utf8")).toBe(whole);
    expect(repertoire(args("whole.jsonl"))).toMatchObject({ status: 1, stderr: expect.stringContaining("exists") });
  });

  it("Parquet holds the same rows", async () => {
    expect(
      repertoire(["puzzles", "generate", "galaxies", "--params", "5x5dn", "--count", "20", "--out", "g.parquet"])
        .status,
    ).toBe(0);
    expect(existsSync(join(folder, "g.parquet.unfinished.jsonl"))).toBe(false);
    const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
    const { compressors } = await import("hyparquet-compressors");
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, "g.parquet")), compressors });
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatchObject({
      puzzle: "galaxies",
      prompt: [{ role: "user", content: expect.stringContaining("Galaxies") }],
    });
  });

  it("show draws a board, a picture, and the mistakes of an answer", () => {
    expect(repertoire(["puzzles", "show", bridgesId]).stdout).toContain("2");
    expect(repertoire(["puzzles", "show", bridgesId, "--solution", "--svg", "-"]).stdout).toMatch(/^<svg/);
    writeFileSync(join(folder, "answer.txt"), "nonsense");
    expect(repertoire(["puzzles", "show", bridgesId, "--answer", "answer.txt"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot be read"),
    });
  });

  it.each([
    [["puzzles", "generate", "brigdes", "--params", "7x7"], "bridges, galaxies, loopy, pattern, undead"],
    [["puzzles", "generate", "galaxies", "--params", "3x3du"], "GenerationError"],
    [["puzzles", "generate", "bridges", "--params", "banana"], "PuzzleFormatError"],
    [["puzzles", "generate", "bridges", "--params", "7x7", "--count", "-1"], "whole number"],
    [["puzzles", "solve"], "give one or more ids"],
    [["nonsense"], "unknown command"],
  ])("%j says what is wrong", (args, message) => {
    const { status, stderr } = repertoire(args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });

  it.each([
    [["--help"]],
    [["puzzles", "--help"]],
    [["puzzles", "generate", "--help"]],
    [["run", "mini", "--help"]],
    [["evaluate", "--help"]],
  ])("%j helps", (args) => {
    const { status, stdout } = repertoire(args);
    expect(status).toBe(0);
    expect(stdout).toContain("Usage:");
  });
});
