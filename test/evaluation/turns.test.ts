// `evaluate --turns`: what the model is told between turns, and what is recorded and counted of a play.
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { repertoire } from "../cli/in-process.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";

let folder: string;
let server: FakeServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "turns-"));
});
afterEach(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const undead = puzzleNamed("undead");
function solution(name: string, prompt: string): string {
  const lines = readFileSync(join(folder, name, "problems.jsonl"), "utf8")
    .trim()
    .split("\n");
  const asked = lines.map((line) => JSON.parse(line)).find((problem) => problem.prompt === prompt);
  const instance = undead.readId(asked.instance);
  const solved = undead.solve(instance);
  if (solved.status !== "unique") throw new Error(asked.instance);
  return undead.renderAnswer(instance, solved.solution);
}

const evaluate = (name: string, ...more: readonly string[]) =>
  repertoire(
    ...["evaluate", "--url", server.url, "--model", "m", "--rollouts", "3", "--no-probe", "--out", join(folder, name)],
    ...(more.includes("--problems") ? [] : ["--problems", "puzzles:undead=4x4", "--count", "2"]),
    ...more,
  );

/** Unreadable, wrong, right. */
const player =
  (name: string) =>
  ({ body: { messages = [] } }: Asked): Behavior => {
    const right = solution(name, messages[0].content);
    const said = messages.filter(({ role }) => role === "assistant").length;
    if (said === 0) return { say: "I see no board.", reasoning: "none" };
    const wrong = right.replace(/[GVZ]/, (letter) => (letter === "G" ? "V" : "G"));
    return { say: `<answer>\n${said === 2 ? right : wrong}\n</answer>`, reasoning: `turn ${said + 1}` };
  };

it("a play goes on until the board is right or the turns are over, and is one rollout", async () => {
  const behave = { now: player("played") };
  server = await startFakeServer((request) => behave.now(request));
  const { stdout } = await evaluate("played", "--turns", "3");
  const { asked } = server;
  expect(stdout).toContain("pass@1 by turn: 1: 0.0, 2: 0.0, 3: 100.0");
  expect(asked).toHaveLength(2 * 3 * 3);
  const histories = asked.flatMap(({ body }) => (body.messages?.length === 5 ? [body.messages] : []));
  expect(histories).toHaveLength(6);
  for (const [, first, why, second, rules] of histories) {
    expect(first).toEqual({ role: "assistant", content: "I see no board." });
    expect(why.content).toMatch(/^That cannot be read as an answer: .*\n\nYou have 2 more turns\. /);
    expect(second.content).toMatch(/^<answer>/);
    expect(rules.content).toMatch(/^That is not the solution:\n- .*(\n- .*)*\n\nYou have one more turn\. /);
  }
  expect(new Set(asked.map(({ body }) => body.seed)).size).toBe(asked.length);
  const rollouts = (await readFile(join(folder, "played", "rollouts.jsonl"), "utf8")).trim().split("\n");
  expect(rollouts).toHaveLength(6);
  for (const line of rollouts) {
    const rollout = JSON.parse(line);
    expect(rollout).toMatchObject({ state: "complete", turns: 3, response: expect.stringMatching(/^<answer>/) });
    expect(rollout.reasoning).toMatch(
      /^none\n\nI see no board\.\n\nturn 2\n\n<answer>[\sGVZ/\\\\.]*<\/answer>\n\nturn 3$/,
    );
  }
  const { sets } = JSON.parse(await readFile(join(folder, "played", "summary.json"), "utf8"));
  expect(sets[0]).toMatchObject({ solvedByTurn: [0, 0, 1], verdicts: { correct: 6 } });

  behave.now = player("short");
  const short = await evaluate("short", "--turns", "2");
  expect(short.stdout).toContain("pass@1 by turn: 1: 0.0, 2: 0.0");
  const other = await evaluate("short", "--turns", "3");
  expect(other.stderr).toContain("turns");
});

it("a conversation that has become too long ends with the board before it", async () => {
  server = await startFakeServer(({ body }) =>
    body.messages!.length > 1
      ? { status: 400, body: JSON.stringify({ error: { message: "maximum context length is 10 tokens" } }) }
      : { say: "<answer>\nno\n</answer>" },
  );
  await evaluate("long", "--turns", "4");
  const rollouts = (await readFile(join(folder, "long", "rollouts.jsonl"), "utf8")).trim().split("\n");
  for (const line of rollouts)
    expect(JSON.parse(line)).toMatchObject({ state: "truncated", turns: 1, response: "<answer>\nno\n</answer>" });
});

it("what has no verifier, or no conversation, is refused before anything is asked", async () => {
  server = await startFakeServer(() => ({ say: "" }));
  const sums = await evaluate("sums", "--turns", "2", "--problems", "synthetic");
  expect(sums.stderr).toContain("only puzzles have one");
  const plain = await evaluate("plain", "--turns", "2", "--mode", "completion");
  expect(plain.stderr).toContain("--mode chat");
  expect(server.asked).toHaveLength(0);
});
