// Grading apart from sampling: made once, made again, compared with what it was; and what the numbers say in the end.
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { evaluationFiles, readProblems, writeProblems } from "../../src/evaluation/evaluation-folder.ts";
import { type GradingEvent, gradeRollouts, readGrades } from "../../src/evaluation/grades.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { writeSummary } from "../../src/evaluation/summarize.ts";
import { evaluationSummarySchema, passAt } from "../../src/evaluation/summary.ts";
import type { TimedMathVerdict } from "../../src/grading/math/math-grader.ts";
import type { MathematicsProblem } from "../../src/problems/problem.ts";
import { puzzleProblems } from "../../src/problems/puzzle-problems.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { puzzleResponse } from "../../src/puzzles/prompt.ts";
import { ProblemGraders } from "../../src/rollouts/problem-grading.ts";
import type { Rollout } from "../../src/rollouts/rollout.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "grades-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const problems: MathematicsProblem[] = ["a", "b", "c"].map((id, i) => ({
  kind: "mathematics",
  id,
  set: "sums",
  prompt: `problem ${id}`,
  answer: String(i),
}));

/** Reads what follows "answer:"; "?" cannot be decided. */
class LiteralGrader {
  readonly #equal: (gold: string, answer: string) => boolean;
  asked = 0;
  constructor(equal: (gold: string, answer: string) => boolean = (gold, answer) => gold === answer) {
    this.#equal = equal;
  }
  async grade(gold: string, response: string): Promise<TimedMathVerdict> {
    this.asked += 1;
    const answer = /answer: (\S+)/.exec(response)?.[1];
    const read = { gold, prediction: answer ?? "", at: undefined, ms: 0 };
    if (answer === undefined)
      return { ...read, verdict: "different", because: "no answer", answer: "", source: "none" };
    if (answer === "?") return { ...read, verdict: "undecided", because: "too hard", answer, source: "answer" };
    const verdict = this.#equal(gold, answer) ? "equal" : "different";
    return { ...read, verdict, because: "as it is written", answer, source: "answer" };
  }
  async close() {}
}

const rollout = (
  problem: string,
  attempt: number,
  response: string,
  state: Rollout["state"] = "complete",
): Rollout => ({
  problem,
  attempt,
  policy: "m",
  state,
  response,
  responseTokens: response.length,
  cost: 0.5,
  servedBy: "m-2026",
  ...(state === "failed" && { failure: "gone" }),
});

const responses: Record<string, string[]> = {
  a: ["answer: 0", "answer: 0", "answer: 7", "answer: 7"],
  b: ["answer: 1", "answer: 3", "answer: ?", "no idea"],
  c: ["answer: 5", "answer: 5", "answer: 6", "answer: 02"],
};

async function sampled(): Promise<void> {
  await writeProblems(folder, problems);
  const store = await RolloutStore.open(folder);
  for (const [problem, texts] of Object.entries(responses)) {
    for (const [attempt, text] of texts.entries()) await store.append(rollout(problem, attempt, text));
  }
  await store.close();
}

const withoutMathematics = () =>
  new ProblemGraders({
    mathematics: () => {
      throw new Error("no mathematics here");
    },
  });

async function grade(grader: LiteralGrader, which: "ungraded" | "all" = "ungraded") {
  const store = await RolloutStore.read(folder);
  const events: GradingEvent[] = [];
  try {
    const graders = new ProblemGraders({ mathematics: () => grader });
    const input = { folder, problems, store, graders, which };
    for await (const event of gradeRollouts(input)) events.push(event);
  } finally {
    await store.close();
  }
  return events;
}

async function summarize() {
  const store = await RolloutStore.read(folder);
  try {
    return await writeSummary({ folder, policy: "m", problems: await readProblems(folder), store });
  } finally {
    await store.close();
  }
}

const grades = async () => {
  const all = [];
  for await (const one of readGrades(folder)) all.push(one);
  return all;
};

describe("grading", () => {
  it("writes a verdict for every answered rollout and resumes where it stopped", async () => {
    await sampled();
    const grader = new LiteralGrader();
    expect((await grade(grader)).at(-1)).toEqual({ type: "grading-end", graded: 12, changes: 0 });
    expect((await grades()).map(({ verdict }) => verdict)).toEqual([
      ...["correct", "correct", "wrong", "wrong"],
      ...["correct", "wrong", "undecided", "unreadable"],
      ...["wrong", "wrong", "wrong", "wrong"],
    ]);
    const store = await RolloutStore.open(folder);
    await store.append(rollout("a", 4, "answer: 0"), rollout("b", 4, "", "failed"));
    await store.close();
    expect((await grade(grader)).at(-1)).toMatchObject({ graded: 1 });
    expect(grader.asked).toBe(13);
    expect(await grades()).toHaveLength(13);
  });

  it("again, with a better grader: says which verdicts changed, and samples nothing", async () => {
    await sampled();
    await grade(new LiteralGrader());
    const rollouts = await readFile(join(folder, "rollouts.jsonl"), "utf8");
    const events = await grade(new LiteralGrader((gold, answer) => Number(gold) === Number(answer)), "all");
    expect(events.at(-1)).toEqual({ type: "grading-end", graded: 12, changes: 1 });
    const changes = (await readFile(join(folder, evaluationFiles.gradeChanges), "utf8")).trim().split("\n");
    expect(changes.map((line) => JSON.parse(line))).toMatchObject([
      { problem: "c", attempt: 3, from: "wrong", to: "correct" },
    ]);
    expect((await grades()).find(({ problem, attempt }) => problem === "c" && attempt === 3)!.verdict).toBe("correct");
    expect(await readFile(join(folder, "rollouts.jsonl"), "utf8")).toBe(rollouts);
  });

  it("again, interrupted: the old grades are still there, whole", async () => {
    await sampled();
    await grade(new LiteralGrader());
    const before = await readFile(join(folder, evaluationFiles.grades), "utf8");
    class Breaking extends LiteralGrader {
      override async grade(gold: string, response: string) {
        if (gold === "2") throw new Error("the disk is full");
        return super.grade(gold, response);
      }
    }
    await expect(grade(new Breaking(), "all")).rejects.toThrow("the disk is full");
    expect(await readFile(join(folder, evaluationFiles.grades), "utf8")).toBe(before);
    expect((await grade(new LiteralGrader(), "all")).at(-1)).toMatchObject({ graded: 12, changes: 0 });
  });

  it("a broken file of grades is said, and made anew by grading again", async () => {
    await sampled();
    await grade(new LiteralGrader());
    await appendFile(join(folder, evaluationFiles.grades), "{nope\n");
    await expect(summarize()).rejects.toThrow("line 13: not JSON");
    await grade(new LiteralGrader(), "all");
    expect((await summarize()).sets[0].problems).toBe(3);
  });

  it("a rollout of an unknown problem is an error", async () => {
    await sampled();
    const store = await RolloutStore.open(folder);
    await store.append(rollout("zzz", 0, "answer: 1"));
    await store.close();
    await expect(grade(new LiteralGrader())).rejects.toThrow(
      "a rollout has the problem zzz, which this evaluation does not have",
    );
  });

  it("puzzles are graded by their rules", async () => {
    const [problem] = puzzleProblems({ puzzle: "galaxies", params: "3x3", count: 1, random: Random.from(1) });
    const puzzle = puzzleNamed("galaxies");
    const instance = puzzle.readId(problem.instance);
    const solved = puzzle.solve(instance);
    if (solved.status !== "unique") throw new Error("not a puzzle");
    const grader = withoutMathematics().of(problem);
    const right = puzzleResponse("easy", puzzle.renderAnswer(instance, solved.solution));
    expect(await grader(right)).toMatchObject({ verdict: "correct", reward: { exact: 1 } });
    expect(await grader("nothing")).toMatchObject({ verdict: "unreadable" });
  });

  it("synthetic mathematics is graded exactly", async () => {
    const grader = withoutMathematics().of({ ...problems[0], set: "synthetic", answer: "3 , 4" });
    const verdict = async (text: string) => (await grader(text)).verdict;
    expect(await verdict("<answer>3,4</answer>")).toBe("correct");
    expect(await verdict("<answer> 4 , 3 </answer>")).toBe("wrong");
    expect(await verdict("3 , 4")).toBe("unreadable");
  });
});

describe("summary", () => {
  it("counts everything, estimates pass@k and says what could mislead", async () => {
    await sampled();
    const store = await RolloutStore.open(folder);
    await store.append(rollout("a", 4, "", "failed"), rollout("c", 4, "answer: 2", "truncated"));
    await store.close();
    await grade(new LiteralGrader());
    const summary = await summarize();
    expect(
      evaluationSummarySchema.parse(JSON.parse(await readFile(join(folder, evaluationFiles.summary), "utf8"))),
    ).toEqual(summary);
    const [set] = summary.sets;
    expect(set).toMatchObject({
      set: "sums",
      problems: 3,
      attempts: { fewest: 4, most: 5 },
      states: { complete: 12, truncated: 1, failed: 1, ungraded: 0 },
      verdicts: { correct: 4, wrong: 7, unreadable: 1, undecided: 1 },
      solved: 3,
    });
    expect(set.passAtK.map(({ k }) => k)).toEqual([1, 2, 3, 4]);
    expect(passAt(set, 1).value).toBeCloseTo((2 / 4 + 1 / 4 + 1 / 5) / 3, 12);
    expect(passAt(set, 1).ifUndecidedRight).toBeCloseTo((2 / 4 + 2 / 4 + 1 / 5) / 3, 12);
    expect(passAt(set, 4).sameProblems).toBeUndefined();
    expect(passAt(set, 3).sameProblems).toBeDefined();
    expect(passAt(set, 1).newProblems!.low).toBeLessThanOrEqual(passAt(set, 1).value);
    // a: two against two is half; b: one vote each for 1 and 3 is half; c: 5 wins.
    expect(set.majority!.value).toBeCloseTo((0.5 + 0.5 + 0) / 3, 12);
    expect(set.cost).toBe(7);
    expect(summary.servedBy).toEqual(["m-2026"]);
    expect(summary.warnings).toEqual([
      "sums: 1 of 14 (7.1%) rollouts failed and count nowhere (most often: gone); run again to ask for them",
      "sums: 1 of 13 (7.7%) were cut at the token limit; they count as attempts",
      "sums: 1 of 13 (7.7%) could not be decided; they do not count as right, and ifUndecidedRight shows what they could change",
      "sums: problems have between 4 and 5 graded attempts; k goes up to the fewest",
    ]);
  });

  it("refuses k beyond the attempts, by name", async () => {
    await sampled();
    await grade(new LiteralGrader());
    const [set] = (await summarize()).sets;
    expect(() => passAt(set, 5)).toThrow("pass@5 needs 5 graded attempts at every problem of sums; the fewest are 4");
  });

  it("is the same whenever it is made, and lists every problem's rate", async () => {
    await sampled();
    await grade(new LiteralGrader());
    expect(await summarize()).toEqual(await summarize());
    const rates = (await readFile(join(folder, evaluationFiles.solveRates), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rates.map(({ problem, attempts, correct }) => [problem, attempts, correct])).toEqual([
      ["a", 4, 2],
      ["b", 4, 1],
      ["c", 4, 0],
    ]);
    // Clopper–Pearson, 0 of 4: 1 − 0.025^(1/4).
    expect(rates[2].high).toBeCloseTo(1 - 0.025 ** 0.25, 9);
  });

  it("before anything is graded there is no pass@k, and it says so", async () => {
    await sampled();
    const summary = await summarize();
    expect(summary.sets[0].passAtK).toEqual([]);
    expect(summary.warnings).toEqual(["sums: 12 rollouts are not graded yet"]);
    expect(existsSync(join(folder, evaluationFiles.grades))).toBe(false);
  });

  it("a folder that is no evaluation is said to be none", async () => {
    await expect(readProblems(folder)).rejects.toThrow("holds no evaluation");
    await writeFile(join(folder, evaluationFiles.problems), '{"id":"x"}\n');
    await expect(readProblems(folder)).rejects.toThrow("problems.jsonl line 1");
  });
});
