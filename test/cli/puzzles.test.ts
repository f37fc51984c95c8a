// The puzzle commands as programs and people use them; where pipes, memory or several writers matter, as processes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { repertoireReading } from "./in-process.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "repertoire-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** In this process, with lines on standard input. */
async function repertoire(args: readonly string[], input?: string) {
  const ended = await repertoireReading(input, ...args);
  return { ...ended, records: () => linesOf(ended.stdout) };
}

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const jsonLines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const here = (name: string) => join(folder, name);

const bridgesId = "7x7m2:a2d3g2e4h2d3h1a1b2";

describe("puzzles", () => {
  it("solve --json answers line by line, and a bad line becomes a record while the rest goes on", async () => {
    const lines = [
      { id: bridgesId, puzzle: "bridges" },
      { id: bridgesId }, // the id says whose it is
      "not json",
      { id: "7x7m2:!!!", puzzle: "bridges" },
      { id: "5x5:1/1/3/4/3/1.3/3/3/1/1" },
      { nothing: true },
    ].map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    const { records, status } = await repertoire(["puzzles", "solve", "--json"], `${lines.join("\n")}\n`);
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

  it("generate, then verify what was generated", async () => {
    const flags = ["--params", "4x4dn", "--count", "5", "--seed", "3", "--json"];
    const made = (await repertoire(["puzzles", "generate", "undead", ...flags])).records();
    expect(made).toHaveLength(5);
    for (const record of made)
      expect(Object.keys(record)).toEqual(["puzzle", "id", "difficulty", "rating", "prompt", "solution"]);
    const answers = made.flatMap(({ puzzle, id, solution }) => [
      { puzzle, id, answer: solution },
      { puzzle, id, response: `<reasoning>so</reasoning><answer>${solution}</answer>` },
      { puzzle, id, answer: solution.replace("Z", "G") },
      { puzzle, id, response: "I give up" },
    ]);
    const verdicts = (await repertoire(["puzzles", "verify", "--json"], jsonLines(answers))).records();
    const expected = [
      ...[
        { verdict: "correct", exact: 1, completion: 1 },
        { verdict: "correct", exact: 1, completion: 1 },
      ],
      ...[
        { verdict: "wrong", exact: 0 },
        { verdict: "unreadable", because: "no <answer> tag" },
      ],
    ];
    expect(verdicts).toMatchObject(made.flatMap(() => expected));
    expect(verdicts[1].reward).toBeCloseTo(2.1, 12);
  });

  it("a dataset may carry each board as a picture", async () => {
    const command = ["puzzles", "generate", "slitherlink", "--size", "5x5", "--count", "2", "--picture"];
    await repertoire([...command, "--out", here("boards.jsonl")]);
    const rows = linesOf(readFileSync(here("boards.jsonl"), "utf8"));
    expect(rows).toHaveLength(2);
    for (const { picture } of rows) {
      expect(picture).toMatch(/^data:image\/png;base64,/);
      const bytes = Buffer.from(picture.split(",")[1], "base64");
      expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
      expect(bytes.readUInt32BE(16)).toBeGreaterThan(5 * 36);
    }
    expect((await repertoire(command)).stderr).toContain("--out");
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

  it("datasets are written, resumed after an interruption, and never overwritten", async () => {
    const write = (out: string) => {
      const flags = ["--params", "6x6i30e10m2d0", "--count", "250", "--split", "train", "--out", here(out)];
      return repertoire(["puzzles", "generate", "bridges", ...flags]);
    };
    expect((await write("whole.jsonl")).status).toBe(0);
    const whole = readFileSync(here("whole.jsonl"), "utf8");
    const rows = linesOf(whole);
    expect(rows).toHaveLength(250);
    expect(new Set(rows.map(({ canonical }) => canonical)).size).toBe(250);
    expect(rows[0]).toMatchObject({
      data_source: "repertoire/bridges",
      ability: "puzzle",
      reward_model: { style: "rule" },
      extra_info: { split: "train", index: 0 },
    });
    // As a crash leaves it: some rows, and the last one torn.
    const torn = `${whole.split("\n").slice(0, 120).join("\n")}\n{"id": "half`;
    writeFileSync(here("torn.jsonl.unfinished.jsonl"), torn);
    expect((await write("torn.jsonl")).stderr).toContain("already has 120 puzzles");
    expect(readFileSync(here("torn.jsonl"), "utf8")).toBe(whole);
    expect(await write("whole.jsonl")).toMatchObject({ status: 1, stderr: expect.stringContaining("exists") });
  });

  it("Parquet holds the same rows", async () => {
    const flags = ["--params", "5x5dn", "--count", "20", "--out", here("g.parquet")];
    expect((await repertoire(["puzzles", "generate", "galaxies", ...flags])).status).toBe(0);
    expect(existsSync(here("g.parquet.unfinished.jsonl"))).toBe(false);
    const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
    const { compressors } = await import("hyparquet-compressors");
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(here("g.parquet")), compressors });
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatchObject({
      puzzle: "galaxies",
      prompt: [{ role: "user", content: expect.stringContaining("Galaxies") }],
    });
  });

  it("show draws a board, a picture, and the mistakes of an answer", async () => {
    expect((await repertoire(["puzzles", "show", bridgesId])).stdout).toContain("2");
    expect((await repertoire(["puzzles", "show", bridgesId, "--solution", "--svg", "-"])).stdout).toMatch(/^<svg/);
    writeFileSync(here("answer.txt"), "nonsense");
    expect(await repertoire(["puzzles", "show", bridgesId, "--answer", here("answer.txt")])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot be read"),
    });
  });

  it("one command mixes kinds by weight, and each kind has the puzzles it has alone", async () => {
    const generated = async (...flags: string[]) =>
      (await repertoire(["puzzles", "generate", ...flags, "--seed", "m", "--json"])).records();
    const kinds = ["--mix", "bridges=5x5,easy*3", "--mix", "pattern=5x5", "--mix", "galaxies=5x5,easy"];
    const mixed = await generated(...kinds, "--count", "60");
    const ids = (name: string) => mixed.filter(({ puzzle }) => puzzle === name).map(({ id }) => id);
    expect(ids("bridges").length).toBeGreaterThan(25);
    expect(ids("bridges").length).toBeLessThan(45);
    const alone = await generated("pattern", "--size", "5x5", "--count", String(ids("pattern").length));
    expect(ids("pattern")).toEqual(alone.map(({ id }) => id));
  });

  it("a limit on time is one, and later lines are answered", async () => {
    const hard = "30x30:" + Array(60).fill("1.1.1.1.1.1").join("/");
    const lines = jsonLines([{ id: hard, puzzle: "pattern" }, { id: bridgesId }]);
    const [late, answered] = (await repertoire(["puzzles", "solve", "--json", "--time-limit", "0.5"], lines)).records();
    expect(answered).toMatchObject({ id: bridgesId, status: "unique" });
    expect(["gave-up", "multiple"]).toContain(late.status);
    const large = await repertoire(["puzzles", "generate", "pattern", "--size", "1000x1000", "--time-limit", "0.5"]);
    expect(large).toMatchObject({ status: 1, stderr: expect.stringContaining("not done within 0.5 seconds") });
  });

  it("a solution to draw has a limit on time, too", async () => {
    // A million cells of which a line says almost nothing.
    const id = `1000x1000:${Array(2000).fill("1").join("/")}`;
    const limits = ["--solution", "--time-limit", "0.5"];
    const told = "no solution to draw: not done within 0.5 seconds; give it more with --time-limit";
    const shown = await repertoire(["puzzles", "show", id, "--puzzle", "pattern", ...limits]);
    expect(shown).toMatchObject({ status: 1, stdout: "", stderr: `OutOfTime: ${told}\n` });
    const lines = jsonLines([{ id, puzzle: "pattern" }, { id: bridgesId }]);
    const [hard, easy] = (await repertoire(["puzzles", "show", "--json", ...limits], lines)).records();
    expect(hard).toEqual({ line: 1, id, error: told });
    expect(easy).toMatchObject({ id: bridgesId, drawing: expect.stringContaining("═") });
  });

  it("several turns, every broken rule, and solutions by number", async () => {
    const id = "5x5:1/1/3/4/3/1.3/3/3/1/1";
    const solution = ["# . # # #", ". . # # #", ". . # # #", ". . . # .", ". # . . ."];
    const turns = [
      ["# ? ? ? ?", ...Array(4).fill("? ? ? ? ?")],
      ["# . # # #", "# ? ? ? ?", ...Array(3).fill("? ? ? ? ?")],
      solution,
    ];
    const lines = jsonLines([
      { id, turns: turns.map((rows) => rows.join("\n")) },
      { id, answer: solution.toReversed().join("\n") },
      { id, answer: JSON.stringify({ board: solution }) },
      { id, answer: `{"board":["x"],"board":${JSON.stringify(solution)}}` },
    ]);
    const [first, second, third, fourth] = (await repertoire(["puzzles", "verify", "--json"], lines)).records();
    expect(first.turns.map(({ state }: { state: string }) => state)).toEqual(["on-track", "off-track", "solved"]);
    expect(first.turns[0].reward).toBeCloseTo(1 / 25, 12);
    expect(first.turns[1]).toMatchObject({ right: 5, wrong: 1, cells: [{ row: 1, column: 0 }] });
    expect(first.reward).toBeCloseTo(2, 12);
    expect(second.violations.length).toBeGreaterThan(2);
    expect(second.violations[0]).toMatchObject({ rule: "row", cells: expect.any(Array) });
    expect(third.verdict).toBe("correct");
    expect(fourth.verdict).toBe("unreadable");
    const counted = await repertoire(["puzzles", "solve", "4x4:1/1/1/1/1/1/1/1", "--count", "100"]);
    expect(counted.stdout).toContain("24 solutions");
  });

  it("addresses of puzz.link become ids, one by one", async () => {
    const at = (path: string) => `https://puzz.link/p?${path}`;
    writeFileSync(here("list.txt"), `${at("slither/5/5/cbcbcddad")}\n${at("akari/5/5/a")}\n`);
    expect((await repertoire(["puzzles", "import", here("list.txt"), at("hitori/2/2/1221")])).records()).toEqual([
      { name: "slither/5/5/cbcbcddad", puzzle: "slitherlink", id: "5x5t0:2b1b2b1b2b3b3b0b3" },
      { name: "akari/5/5/a", error: expect.stringContaining("akari is no puzzle here") },
      { name: "hitori/2/2/1221", puzzle: "hitori", id: "2x2:1221" },
    ]);
    const none = await repertoire(["puzzles", "import", at("constructor/5/5/a")]);
    expect([none.status, none.stdout]).toEqual([1, expect.stringContaining("constructor is no puzzle here")]);
  });

  it.each([
    [["puzzles", "generate", "pattern", "--params", "4x4", "--test-share", "10%"], "from 0 to 1"],
    [["puzzles", "generate", "pattern", "--params", "4x4", "--count", ""], "whole number"],
    [["puzzles", "generate", "pattern", "--params", "1000000x1"], "no side may be over 1000"],
    [["puzzles", "generate", "undead", "--size", "5x5", "--difficulty", "unreasonable"], "easy, normal, tricky"],
    [["puzzles", "verify", "2x2:2/2/2/2", "--answer", "/no/file"], "cannot be read"],
    [["puzzles", "verify", "2x2:2/2/2/2", "--answer", "a", "--response", "b"], "either --answer or --response"],
    [["puzzles", "solve", "--json", "2x2:2/2/2/2"], "leave out 2x2:2/2/2/2"],
    [
      ["puzzles", "generate", "brigdes", "--params", "7x7"],
      "bridges, flowfree, galaxies, hitori, nurikabe, pattern, slitherlink, undead",
    ],
    [["puzzles", "generate", "galaxies", "--params", "3x3du"], "GenerationError"],
    [["puzzles", "generate", "bridges", "--params", "banana"], "PuzzleFormatError"],
    [["puzzles", "generate", "bridges", "--params", "7x7", "--count", "-1"], "whole number"],
    [["puzzles", "solve"], "give one or more ids"],
    [["nonsense"], "unknown command"],
  ])("%j says what is wrong", async (args, message) => {
    const { status, stderr } = await repertoire(args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});

describe("a dataset that several commands write at once", () => {
  it("is written by one of them, and the others say so", async () => {
    const out = join(folder, "at-once.jsonl");
    const args = ["puzzles", "generate", "undead", "--params", "4x4de", "--count", "600", "--out", out];
    const run = () =>
      new Promise<{ status: number | null; said: string }>((done) => {
        const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "ignore", "pipe"] });
        let said = "";
        child.stderr.on("data", (chunk) => (said += chunk));
        child.on("close", (status) => done({ status, said }));
      });
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.filter(({ status }) => status === 0)).toHaveLength(1);
    // Whoever comes when it is being written is told by whom; whoever comes later, that it is there.
    for (const { status, said } of runs)
      if (status !== 0) expect(said).toMatch(/at-once\.jsonl (is being written by process \d+|exists)/);
    const lines = readFileSync(out, "utf8").trim().split("\n");
    expect(new Set(lines).size).toBe(600);
    expect(lines).toHaveLength(600);
    expect(existsSync(`${out}.lock`)).toBe(false);
  });
});
