// The programs in examples/ run as their reader would run them, against the built package under its own name.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { puzzleProblems } from "../../src/problems/puzzle-problems.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { type StrictServer, startStrictServer } from "./strict-server.ts";

const root = resolve(import.meta.dirname, "../..");
const examples = resolve(root, "examples");
const execute = promisify(execFile);

/** What a program prints, line by line. It fails where the program does, or where it complains. */
async function run(program: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await execute(process.execPath, [resolve(examples, program), ...args], { cwd: root });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

let server: StrictServer | undefined;
afterEach(() => server?.close());

it("every program is run here, and is short", () => {
  const here = readFileSync(import.meta.filename, "utf8");
  const programs = readdirSync(examples).filter((name) => name.endsWith(".mjs"));
  expect(programs).toHaveLength(6);
  for (const name of programs) {
    expect(here).toContain(`run("${name}"`);
    const most = name === "puzzle-rl.mjs" ? 150 : 60;
    expect(readFileSync(resolve(examples, name), "utf8").split("\n").length).toBeLessThanOrEqual(most);
  }
});

it("verify-and-reward pays the right answer in full, a near one in part, none nothing", async () => {
  const [, right, near, none] = await run("verify-and-reward.mjs");
  expect(right).toBe("right: correct, reward 2.100");
  // One of 25 cells is wrong; a solution changes every cell of an empty board, so all weigh the same: (24/25)³ + 0.1 for the format.
  expect(near).toMatch(/^one cell wrong: wrong \((?:row|column) \d: its .*, but the answer has .*\), reward 0\.985$/);
  expect(none).toBe("no answer: unreadable (no <answer> tag), reward 0.000");
});

it("puzzle-rl trains the shipped model on puzzles, with rewards, the bonus and a frozen reference", async () => {
  const [before, step, after, ...more] = await run("puzzle-rl.mjs", "1");
  expect(more).toEqual([]);
  for (const [name, line] of Object.entries({ before, after }))
    expect(Number(new RegExp(`^${name}: solves (\\d+)% of puzzles`).exec(line)?.[1])).toBeGreaterThan(5);
  // A model that reasons: it solves some of them, and guesses now and then.
  const [, solved, guesses] = /^step 0: solved (\d+)%, ([\d.]+) hypotheses a trace$/.exec(step) ?? [];
  expect(Number(solved)).toBeGreaterThan(20);
  expect(Number(guesses)).toBeGreaterThan(0);
});

it("grade-mathematics tells equal, different and undecided apart", async () => {
  const lines = await run("grade-mathematics.mjs");
  const verdicts = lines.map((line) => /equal \(|different|undecided|^equal$/.exec(line)?.[0]);
  expect(verdicts).toEqual(["equal (", "equal (", "equal (", "different", "undecided", "equal"]);
});

it("evaluate-server measures pass@k over HTTP", async () => {
  const problems = puzzleProblems({ puzzle: "pattern", params: "5x5", count: 4, random: Random.from("example") });
  const asked = new Map<string, number>();
  // Problem i is answered rightly i times of four: 0, 1, 2, 3.
  server = await startStrictServer("tiny", (prompt) => {
    const i = problems.findIndex((problem) => problem.prompt === prompt);
    expect(i).toBeGreaterThanOrEqual(0);
    const nth = (asked.get(prompt) ?? 0) + 1;
    asked.set(prompt, nth);
    const puzzle = puzzleNamed("pattern");
    const instance = puzzle.readId(problems[i].instance);
    const solved = puzzle.solve(instance);
    if (solved.status !== "unique") throw new Error(`${problems[i].instance} has no unique solution`);
    const board = puzzle.renderAnswer(instance, solved.solution);
    return `<reasoning>Thinking.</reasoning>\n<answer>\n${nth <= i ? board : "no idea"}\n</answer>`;
  });
  // pass@2 by hand: 0, 1 − C(3,2)/C(4,2) = 1/2, 1 − 1/6 = 5/6, 1; their mean is 7/12.
  expect(await run("evaluate-server.mjs", server.url, "tiny")).toEqual([
    "pass@1 37.5%",
    "pass@2 58.3%",
    "pass@4 75.0%",
  ]);
  expect(server.refused).toEqual([]);
});

it("training-loop learns from its reward", async () => {
  const solved = (await run("training-loop.mjs")).map((line) => Number(/solved (\d+)%/.exec(line)?.[1]));
  expect(solved).toHaveLength(4);
  // Eight tokens at first, one of them right.
  expect(solved[0]).toBeLessThan(40);
  expect(solved[3]).toBeGreaterThan(90);
});

it("labels-and-motifs names the moves, counts them and says how good its labels are", async () => {
  const lines = await run("labels-and-motifs.mjs");
  const labels = lines.slice(0, 8).map((line) => line.split(" ")[0]);
  expect(labels).toEqual(expect.arrayContaining(["setup", "compute", "check", "backtrack"]));
  expect(lines[8]).toMatch(/^chain depth \d$/);
  expect(lines.slice(9, 11)).toContain("compute→check 2");
  expect(lines.at(-1)).toMatch(/^labels by .* \(accuracy 0\.\d\d, macro-F1 0\.\d\d/);
});

it("the sample files are what their commands read", async () => {
  const lines = async (name: string, ...args: string[]) => {
    const child = execute(process.execPath, [resolve(root, "dist/cli/main.js"), ...args], { cwd: root });
    child.child.stdin?.end(readFileSync(resolve(examples, name)));
    return (await child).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
  };
  expect(await lines("answers.jsonl", "puzzles", "verify", "--json")).toEqual(["correct", "wrong"]);
  expect(await lines("pairs.jsonl", "grade", "math", "--json")).toEqual(["equal", "equal", "different"]);
});
