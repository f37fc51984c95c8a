// The grader behind a deadline: the same verdicts, in order, and a thread that is stuck costs its own answer only.
import { afterEach, describe, expect, it } from "vitest";
import { gradeMath, type MathOptionsInput } from "../../../src/grading/math/index.ts";
import { MathGrader, type MathGraderOptions } from "../../../src/grading/math/math-grader.ts";
import { pairs } from "./pairs.ts";

const open: MathGrader[] = [];
const grader = (options?: MathGraderOptions): MathGrader => {
  const made = new MathGrader(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Double sums over sines, each against each: two hundred milliseconds and more, which is as far as the grader's own bounds let anything go. */
const slow = Array.from({ length: 9 }, (_, i) => `\\sum_{i=1}^{30n}\\sum_{j=1}^{30}\\sin(i+j+${i})`).join(", ");

describe("MathGrader", () => {
  it("gives the verdicts of gradeMath in the order of the tasks", async () => {
    const tasks = Object.values(pairs)
      .flatMap(({ equal, different }) => [...equal, ...different])
      .slice(0, 150)
      .map(([gold, response]) => ({ gold, response }));
    const verdicts = await grader({ workers: 2 }).gradeAll(tasks);
    expect(verdicts).toEqual(
      tasks.map(({ gold, response }) => ({ ...gradeMath(gold, response), ms: expect.any(Number) })),
    );
  });

  it("passes options on", async () => {
    const one = grader({ workers: 1, spares: 0 });
    expect(await one.grade("\\frac13", "0.333", { decimalPlaces: 3 })).toMatchObject({ verdict: "equal" });
    expect(await one.grade("\\frac13", "0.333")).toMatchObject({ verdict: "different" });
  });

  it("rejects options that do not exist", async () => {
    const misspelled = { decimalplaces: 3 } as MathOptionsInput;
    await expect(grader({ workers: 1, spares: 0 }).grade("1", "1", misspelled)).rejects.toThrow("unknown option");
  });

  // On a busy machine a moment's work can wait longer than the deadline too: then once more.
  it("kills a thread that passes the deadline and grades the rest", { retry: 10 }, async () => {
    const one = grader({ workers: 1, spares: 1, deadlineMs: 100 });
    await one.grade("1", "1");
    const verdicts = await one.gradeAll([
      { gold: "1", response: "\\boxed{1}" },
      { gold: slow, response: `\\boxed{${slow.split(", ").reverse().join(", ")}}` },
      { gold: "2", response: "\\boxed{2}" },
      { gold: "3", response: "\\boxed{4}" },
    ]);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["equal", "undecided", "equal", "different"]);
    expect(verdicts[1].because).toBe("it took longer than 100 ms");
  });

  it("goes on after many deadlines in a row", { retry: 10 }, async () => {
    const one = grader({ workers: 2, spares: 1, deadlineMs: 100 });
    const tasks = Array.from({ length: 8 }, (_, i) =>
      i % 2 === 0 ? { gold: slow, response: `\\boxed{${slow}, 0}` } : { gold: `${i}`, response: `\\boxed{${i}}` },
    );
    const verdicts = await one.gradeAll(tasks);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(tasks.map((_, i) => (i % 2 === 0 ? "undecided" : "equal")));
  });

  it("serves many callers at once", async () => {
    const [first, second] = [grader({ workers: 1 }), grader({ workers: 1 })];
    const asked = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? first : second).grade(`${i}`, `\\boxed{${i}}`));
    expect((await Promise.all(asked)).every(({ verdict }) => verdict === "equal")).toBe(true);
  });

  it("rejects what is left when it is closed, and everything after", async () => {
    const one = new MathGrader({ workers: 1, spares: 0 });
    const asked = one.grade("1", "1");
    const closed = one.close();
    await expect(asked).rejects.toThrow("closed before");
    await closed;
    await expect(one.grade("1", "1")).rejects.toThrow("is closed");
  });
});
