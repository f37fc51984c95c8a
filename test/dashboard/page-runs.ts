// Run folders for the pages to show: real-shaped, running, broken, hostile and long. Nothing in them was sampled
// from a model.
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { writePolicyCard } from "../../src/engine/policy-card.ts";
import { bridges } from "../../src/puzzles/bridges/index.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { puzzleResponse } from "../../src/puzzles/prompt.ts";
import type { AnyPuzzle } from "../../src/puzzles/puzzle.ts";
import { type Primitive, primitives } from "../../src/rollouts/primitives.ts";
import { lockOf } from "../../src/runs/run-folder.ts";
import { takeLock } from "../../src/runs/writer-lock.ts";
import { terseResponse, writeInventedRun } from "../report/invented-run.ts";
import { jsonLines, writeRun } from "./served-folder.ts";

const terse = { promptStyle: "terse", chat: "plain", language: "terse" } as const;

export const longTraceSpans = 3000;
export const manyRollouts = 4000;

export async function writePageRuns(home: string): Promise<void> {
  await writeInventedRun(join(home, "invented"));
  await writeBoards(join(home, "boards"));
  await writeHostile(home);
  await writeMany(join(home, "many"));
  await writeBroken(join(home, "broken"));
  await beginRunning(join(home, "running"));
}

// ---- Real boards: one answer right, one wrong, one unreadable --------------------------------------------------------

export const patternId = "4x4:1/1.1/2/1.2/1/2/2/3";
export const bridgesId = "5x5m2:2a6a3e1f2b2c2";

function solutionText(puzzle: AnyPuzzle, id: string): string {
  const instance = puzzle.readId(id);
  const solved = puzzle.solve(instance);
  if (solved.status !== "unique") throw new Error(`${id} is ${solved.status}`);
  return puzzle.renderAnswer(instance, solved.solution);
}

async function writeBoards(folder: string) {
  const problem = (name: string, instance: string) => ({
    kind: "puzzle",
    id: `${name} ${instance}`,
    prompt: "solve it",
    puzzle: name,
    instance,
    set: "boards",
  });
  const right = solutionText(pattern, patternId);
  const wrong = right.replace("#", "*").replace(".", "#").replace("*", ".");
  const attempts = [
    { problem: `pattern ${patternId}`, answer: right, verdict: "correct" },
    { problem: `pattern ${patternId}`, answer: wrong, verdict: "wrong" },
    { problem: `pattern ${patternId}`, answer: "I do not know", verdict: "unreadable" },
    { problem: `bridges ${bridgesId}`, answer: solutionText(bridges, bridgesId), verdict: "correct" },
  ];
  const labels: Primitive[] = ["plan", "compute", "hypothesize", "check", "backtrack", "compute", "summarize"];
  const count = new Map<string, number>();
  const keyed = attempts.map((attempt) => {
    const number = count.get(attempt.problem) ?? 0;
    count.set(attempt.problem, number + 1);
    return { ...attempt, attempt: number };
  });
  await writeRun(
    folder,
    "evaluate",
    { policy: "boards" },
    {
      "problems.jsonl": [problem("pattern", patternId), problem("bridges", bridgesId)],
      "rollouts.jsonl": keyed.map(({ problem, attempt, answer }) => ({
        ...{ problem, attempt, policy: "boards", state: "complete", responseTokens: 60 },
        response: terseResponse(labels, answer),
        surprisal: { mean: 0.31, top: [2.2, 1.1, 0.8] },
      })),
      "grades.jsonl": keyed.map(({ problem, attempt, verdict }) => ({
        ...{ problem, attempt, verdict, because: verdict === "wrong" ? "row 1 is wrong" : undefined },
        reward: { exact: verdict === "correct" ? 1 : 0, completion: 0.5, format: 1, total: 0.65 },
      })),
    },
  );
  await writePolicyCard(folder, terse);
}

// ---- Hostile content -------------------------------------------------------------------------------------------------

export const hostileText = '<script>window.hacked = "text"</script><img src=x onerror="window.hacked=1">';
export const hostileName = "<b onclick=alert(1)>..%2f..";
export const hostileProblem = `../../etc/passwd ${hostileText} \u202egnihton\u202c \u0007\u200b`;

async function writeHostile(home: string) {
  const response = puzzleResponse(
    `Wait, ${hostileText}\n\nSo \u202e reversed \u0000 and \u001b[31m red.\n\n${"]]>--></style></script>"}`,
    hostileText,
  );
  await writeRun(
    join(home, hostileName),
    "evaluate",
    { policy: hostileText },
    {
      "problems.jsonl": [
        { kind: "mathematics", id: hostileProblem, prompt: hostileText, answer: hostileText, set: hostileText },
      ],
      "rollouts.jsonl": [
        { problem: hostileProblem, attempt: 0, policy: hostileText, state: "complete", response, responseTokens: 9 },
      ],
      "grades.jsonl": [
        { problem: hostileProblem, attempt: 0, verdict: "wrong", because: hostileText, reward: { exact: 0, total: 0 } },
      ],
    },
  );
}

// ---- Many rollouts, one of them very long ----------------------------------------------------------------------------

async function writeMany(folder: string) {
  const random = Random.from("many rollouts");
  const problems = Array.from({ length: 40 }, (_, i) => ({
    ...{ kind: "mathematics", id: `sum-${i}`, prompt: `what is ${i} + ${i}`, answer: String(2 * i), set: "sums" },
  }));
  const rollouts: unknown[] = [];
  const grades: unknown[] = [];
  for (let i = 0; i < manyRollouts; i++) {
    const [problem, attempt] = [problems[i % 40].id, Math.floor(i / 40)];
    const draw = random.child(i);
    const spans = i === 0 ? longTraceSpans : 4 + Math.floor(draw.uniform() * 8);
    const labels = Array.from({ length: spans }, (): Primitive => primitives[Math.floor(draw.uniform() * 8)]);
    const answer = i === 123 ? "a needle" : "hay";
    rollouts.push({
      ...{ problem, attempt, policy: "many", state: "complete", responseTokens: spans * 10 },
      response: terseResponse(labels, answer),
    });
    const correct = draw.uniform() < 0.4;
    grades.push({
      ...{ problem, attempt, verdict: correct ? "correct" : "wrong" },
      reward: { exact: correct ? 1 : 0, total: correct ? 1 : 0 },
    });
  }
  const files = { "problems.jsonl": problems, "rollouts.jsonl": rollouts, "grades.jsonl": grades };
  await writeRun(folder, "evaluate", { policy: "many" }, files);
  await writePolicyCard(folder, terse);
}

// ---- Broken ----------------------------------------------------------------------------------------------------------

async function writeBroken(folder: string) {
  await writeRun(folder, "rl", { steps: 4 });
  await writeFile(join(folder, "run.json"), '{"version": 1, "kind": "rl", ');
  await writeFile(join(folder, "events.jsonl"), '{"type":"rl-step","step":0,\nnot json\n');
}

// ---- A run that goes on ----------------------------------------------------------------------------------------------

function rlStep(step: number, hypothesize: number) {
  const counts = Object.fromEntries(primitives.map((primitive) => [primitive, 1]));
  return {
    ...{ type: "rl-step", step, problems: 4, rollouts: 16, solveRate: 0.2 + 0.01 * step, entropy: 0.3 },
    solveRateByFamily: { bridges: 0.3, undead: 0.1 },
    reward: { exact: 0.2, completion: 0.3, format: 0.9, bonus: 0.05, total: 0.5 },
    responseTokens: { mean: 120, longest: 300 },
    ...{ truncatedShare: 0.1, learningRate: 0.0001, groups: { allRight: 0.1, allWrong: 0.4 } },
    updates: [{ kl: 0.004 * step, clipFraction: 0.3, gradientNorm: 0.7 }],
    ...{ primitives: { ...counts, hypothesize, backtrack: hypothesize / 2 }, labeledBy: "classifier:invented@1" },
    warnings: [],
  };
}

async function beginRunning(folder: string) {
  await writeRun(folder, "rl", { steps: 40, objective: { algorithm: "gspo" } });
  // The process that runs the tests stands in for the one that trains.
  await takeLock(lockOf(folder), folder);
  await appendSteps(folder, 0, 3, () => 2);
}

/** What a training loop would write, step by step. */
export async function appendSteps(folder: string, from: number, to: number, hypothesize: (step: number) => number) {
  const events = Array.from({ length: to - from }, (_, i) => rlStep(from + i, hypothesize(from + i)));
  await appendFile(join(folder, "events.jsonl"), jsonLines(events));
}
