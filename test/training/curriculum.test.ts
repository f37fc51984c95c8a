// The curriculum as a function of what was solved, and as a loop meets it.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import type { Grade } from "../../src/rollouts/rollout.ts";
import {
  type CurriculumOutcome,
  curriculumSchema,
  kindWeights,
  nextProgress,
  startOfCurriculum,
} from "../../src/training/curriculum.ts";
import { CurriculumSampler } from "../../src/training/curriculum-sampler.ts";

const levels = [["pattern=4x4,easy"], ["pattern=5x5,easy*3", "bridges=7x7,easy"], ["bridges=7x7,hard"]];
const curriculum = curriculumSchema.parse({ levels, window: 4, promoteAt: 0.75, demoteAt: 0.25, review: 0.2 });
const rate = (kind: string, ...solved: number[]): CurriculumOutcome[] =>
  solved.map((value) => ({ kind, solved: value, attempts: 4 }));

describe("progress", () => {
  it("needs two marks: a level that is left at the rate at which it is entered would never be stayed in", () => {
    expect(curriculumSchema.safeParse({ levels, promoteAt: 0.5, demoteAt: 0.5 }).success).toBe(false);
    expect(curriculumSchema.safeParse({ levels, promoteAt: 0.5, demoteAt: 0.49 }).success).toBe(true);
  });

  it("goes up when the window's mean reaches the mark, and starts a new window", () => {
    const before = nextProgress(curriculum, startOfCurriculum, rate("pattern=4x4,easy", 4, 4, 4));
    expect(before).toMatchObject({ level: 0, recent: [1, 1, 1] });
    expect(nextProgress(curriculum, before, rate("pattern=4x4de", 0))).toMatchObject({ level: 1, recent: [] });
    expect(nextProgress(curriculum, before, rate("pattern=4x4de", 0, 1))).toMatchObject({ level: 1 });
  });
  it("goes down when too little is solved, and nowhere from either end", () => {
    const second = { ...startOfCurriculum, level: 1 };
    expect(nextProgress(curriculum, second, rate("bridges=7x7,easy", 1, 1, 1, 1)).level).toBe(0);
    expect(nextProgress(curriculum, startOfCurriculum, rate("pattern=4x4,easy", 0, 0, 0, 0)).level).toBe(0);
    const last = { ...startOfCurriculum, level: 2 };
    expect(nextProgress(curriculum, last, rate("bridges=7x7,hard", 4, 4, 4, 4)).level).toBe(2);
  });
  it("counts no problem of another level", () => {
    expect(nextProgress(curriculum, startOfCurriculum, rate("bridges=7x7,hard", 4, 4, 4, 4))).toEqual(
      startOfCurriculum,
    );
  });
  it("is the same in one call and in many", () => {
    const random = Random.from("curriculum");
    const outcomes = Array.from({ length: 300 }, () => rate(random.pick(levels.flat()), random.below(5))).flat();
    const whole = nextProgress(curriculum, startOfCurriculum, outcomes);
    let step = startOfCurriculum;
    for (const outcome of outcomes) step = nextProgress(curriculum, step, [outcome]);
    expect(step).toEqual(whole);
  });
});

describe("weights", () => {
  it("are the level's, and a share for what came before", () => {
    expect(Object.fromEntries(kindWeights(curriculum, startOfCurriculum))).toEqual({ "pattern=4x4de": 1 });
    const second = Object.fromEntries(kindWeights(curriculum, { ...startOfCurriculum, level: 1 }));
    expect(second["pattern=5x5de"]).toBeCloseTo(0.6, 12);
    expect(second["bridges=7x7i30e10m2d0"]).toBeCloseTo(0.2, 12);
    expect(second["pattern=4x4de"]).toBeCloseTo(0.2, 12);
  });
});

describe("lessons", () => {
  const graded = (verdict: "correct" | "wrong"): Grade => ({
    verdict,
    reward: { exact: verdict === "correct" ? 1 : 0, total: 0 },
  });
  const lessons = {
    curriculum,
    problem: (kind: string, place: number) => ({
      id: `${kind}#${place}`,
      family: kind,
      prompt: [],
      grade: () => graded("wrong"),
    }),
  };
  it("a policy that solves everything is at the last level soon, no problem comes twice, and a run can go on", () => {
    const run = (plan: CurriculumSampler, from: number, steps: number) => {
      const ids: string[] = [];
      for (let step = 0; step < steps; step++) {
        const problems = plan.problems(from + 8 * step, 8);
        ids.push(...problems.map(({ id }) => id));
        plan.learn(problems.map((problem) => [{ problem, grade: graded("correct") }]));
      }
      return ids;
    };
    const whole = new CurriculumSampler(lessons, Random.from("plan"));
    const ids = run(whole, 0, 10);
    expect(whole.progress.level).toBe(2);
    expect(new Set(ids).size).toBe(80);
    const first = new CurriculumSampler(lessons, Random.from("plan"));
    const begun = run(first, 0, 4);
    const resumed = new CurriculumSampler(lessons, Random.from("plan"), JSON.parse(JSON.stringify(first.progress)));
    expect([...begun, ...run(resumed, 32, 6)]).toEqual(ids);
  });

  it("leave the places of other problems alone, and learn nothing from them", () => {
    const other = { id: "question", family: "questions", prompt: [], grade: () => graded("correct") };
    const mixed = { ...lessons, among: (place: number) => (place % 2 === 0 ? other : undefined) };
    const plan = new CurriculumSampler(mixed, Random.from("plan"));
    const problems = plan.problems(0, 8);
    expect(problems.map(({ id }) => id === other.id)).toEqual([true, false, true, false, true, false, true, false]);
    plan.learn(problems.map((problem) => [{ problem, grade: graded("correct") }]));
    expect(plan.progress.recent.length + (plan.progress.level > 0 ? 4 : 0)).toBe(4);
    expect(Object.values(plan.progress.taken).reduce((sum, taken) => sum + taken, 0)).toBe(4);
  });
});
