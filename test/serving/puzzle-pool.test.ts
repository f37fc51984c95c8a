// The pool of threads that grade puzzles: a rollout that cannot be graded in time costs its own score and no other.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { catalog } from "../../src/puzzles/catalog.ts";
import { PuzzleKeys, type ScoringTask } from "../../src/serving/puzzle-keys.ts";
import { startPuzzlePool } from "../../src/serving/puzzle-pool.ts";

const { pattern } = catalog;
const made = pattern.generate(pattern.readParams("5x5"), Random.from(1));
const task: ScoringTask = {
  puzzle: "pattern",
  id: pattern.writeId(made.instance),
  response: `<reasoning></reasoning><answer>${pattern.renderAnswer(made.instance, made.solution)}</answer>`,
  reward: "paper",
};
/** Every line says "1": as many solutions as there are permutations, and a long way to two of them. The board can be read. */
const emptyBoard = Array.from({ length: 220 }, () => Array.from({ length: 220 }, () => ".").join(" ")).join("\n");
const slow: ScoringTask = {
  puzzle: "pattern",
  id: `220x220:${Array.from({ length: 440 }, () => "1").join("/")}`,
  response: `<reasoning></reasoning><answer>${emptyBoard}</answer>`,
  reward: "paper",
};

describe("the puzzle pool", () => {
  // An easy rollout takes milliseconds: however busy the machine, far less than a quarter of a hard one's seconds.
  it("kills the thread that is stuck, fails that rollout alone, and grades the rest", async () => {
    const started = performance.now();
    new PuzzleKeys().score(slow);
    const alone = performance.now() - started;
    const pool = await startPuzzlePool({ workers: 1, deadlineMs: alone / 4, memoryMb: 1024 });
    try {
      const scores = await pool.run([task, task, slow, task], new AbortController().signal);
      expect(scores.map(({ verdict }) => verdict)).toEqual(["correct", "correct", "failed", "correct"]);
      expect(scores[2].because).toContain("longer than");
      expect(pool.killed).toBeGreaterThan(0);
    } finally {
      await pool.close();
    }
  });

  it("drops what nobody waits for any more", async () => {
    const pool = await startPuzzlePool({ workers: 1, deadlineMs: 10_000, memoryMb: 256 });
    try {
      const stop = new AbortController();
      const dropped = pool.run([task], stop.signal);
      stop.abort(new Error("too late"));
      await expect(dropped).rejects.toThrow("too late");
      expect(await pool.run([task], new AbortController().signal)).toMatchObject([{ score: 2.1 }]);
      expect(pool.waiting).toBe(0);
    } finally {
      await pool.close();
    }
  });

  it("forgets the puzzles that were not asked about for longest", () => {
    const keys = new PuzzleKeys(60);
    const ids = [1, 2, 3, 4].map((draw) =>
      pattern.writeId(pattern.generate(pattern.readParams("5x5"), Random.from(draw)).instance),
    );
    for (const id of ids) keys.score({ ...task, id });
    expect(keys.size).toBe(2);
    expect(keys.score(task)).toMatchObject({ score: 2.1 });
  });
});
