// Paired comparison of two checkpoints, on tables worked by hand and by brute force.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { compareCheckpoints, evenSplitTest } from "../../src/evaluation/comparison.ts";

const counts = (rows: readonly (readonly [string, number])[], attempts = 32) =>
  rows.map(([problem, correct]) => ({ problem, attempts, correct }));

describe("comparison of two checkpoints", () => {
  const first = counts([
    ["a", 4],
    ["b", 0],
    ["c", 1],
    ["d", 0],
    ["gone", 3],
  ]);
  const second = counts([
    ["a", 6],
    ["b", 12],
    ["c", 0],
    ["d", 0],
    ["new", 1],
  ]);
  const comparison = compareCheckpoints(first, second, () => [1, 32]);

  it("splits problems as the paper does and names the unpaired", () => {
    expect(comparison.split).toEqual({ both: ["a"], onlyFirst: ["c"], onlySecond: ["b"], neither: ["d"] });
    expect(comparison.unlocked).toEqual(["b"]);
    expect(comparison.regressed).toEqual(["c"]);
    expect(comparison.unpaired).toEqual({ first: ["gone"], second: ["new"] });
    expect(comparison.problems).toBe(4);
  });

  it("differences are of the paired problems only", () => {
    const [one] = comparison.differences;
    expect(one.first).toBeCloseTo(5 / 128, 12);
    expect(one.second).toBeCloseTo(18 / 128, 12);
    expect(one.difference).toBeCloseTo(13 / 128, 12);
    expect(comparison.differences[1]).toMatchObject({ k: 32, first: 0.5, second: 0.5, difference: 0 });
  });

  it("tests each problem and corrects for their number", () => {
    const [strongest] = comparison.changes;
    expect(strongest.problem).toBe("b");
    // SciPy 1.17: stats.fisher_exact([[0, 32], [12, 20]]).pvalue
    expect(strongest.p).toBeCloseTo(0.0001375018751300864, 12);
    expect(strongest.holm).toBeCloseTo(4 * strongest.p, 12);
    expect(comparison.changes.find((change) => change.problem === "c")!.p).toBe(1);
  });

  it("one in 32 unlocked proves nothing about that problem", () => {
    const { changes } = compareCheckpoints(counts([["x", 0]]), counts([["x", 1]]), () => [1]);
    expect(changes[0].p).toBe(1);
  });

  it("the interval of the difference holds it and shrinks when both sides agree", () => {
    const many = Array.from({ length: 60 }, (_, i) => [`p${i}`, i % 7] as const);
    const better = many.map(([problem, correct]) => [problem, correct + 2] as const);
    const [difference] = compareCheckpoints(counts(many), counts(better), () => [1]).differences;
    // Every problem gains exactly two of 32, so no draw of problems can change the mean; a share of others could be otherwise.
    const reach = (1 - 0.025 ** (1 / 60)) * (2 / 32);
    expect(difference.newProblems.low).toBeCloseTo(2 / 32 - reach, 12);
    expect(difference.newProblems.high).toBeCloseTo(2 / 32 + reach, 12);
  });

  it("no difference anywhere is not proof that there is none", () => {
    const nothing = Array.from({ length: 40 }, (_, i) => [`p${i}`, 0] as const);
    const [difference] = compareCheckpoints(counts(nothing), counts(nothing), () => [1]).differences;
    expect(difference.newProblems.high).toBeCloseTo(1 - 0.025 ** (1 / 40), 12);
    expect(difference.newProblems.low).toBeCloseTo(-(1 - 0.025 ** (1 / 40)), 12);
  });

  it("refuses runs that share nothing, and k beyond the attempts", () => {
    expect(() => compareCheckpoints(first, counts([["z", 1]]), () => [1])).toThrow("share no problem");
    expect(() => compareCheckpoints(first, second, () => [64])).toThrow(
      /pass@64 needs 64 graded attempts at every problem that both have, and \w+ has 32: sample/,
    );
  });

  describe("problems of one id", () => {
    const asking = (template: (question: string) => string, questions: readonly string[]) =>
      questions.map((question, i) => ({ problem: `q${i}`, attempts: 2, correct: 1, asked: template(question) }));
    const plain = (question: string) => `${question}\nThink.`;
    const sums = ["what is 1 + 2?", "what is 3 + 4?", "what is 5 + 6?"];
    const of = (second: readonly object[]) => compareCheckpoints(asking(plain, sums), second as typeof first);
    const products = sums.map((sum) => sum.replace("+", "*"));

    it("that ask something else in each are no common problems", () => {
      const [, ...others] = products;
      expect(of(asking(plain, [sums[0], ...others]))).toMatchObject({ problems: 1, askedOtherwise: ["q1", "q2"] });
      expect(of(asking(plain, [...sums.slice(0, 2), products[2]])).askedOtherwise).toEqual(["q2"]);
      expect(() => of(asking(plain, products))).toThrow(/share no problem .*\(q0 is another question in each\)/);
      expect(() => of(asking((text) => `Please: ${text}`, products))).toThrow(/q0 is another question/);
    });

    it("are the same with another template around all of them or those of one set, and other spaces", () => {
      const other = asking((text) => `Please answer.\n\n${text}`, sums).slice(1);
      expect(of([...asking(plain, sums).slice(0, 1), ...other])).toMatchObject({ problems: 3, askedOtherwise: [] });
      expect(of(asking((text) => `Please answer.\n\n${text}`, sums))).toMatchObject({
        problems: 3,
        askedOtherwise: [],
      });
      expect(of(asking((text) => `${text}  \n think.`, sums))).toMatchObject({ problems: 3, askedOtherwise: [] });
    });
  });

  it("leaves out problems that one side has no graded attempt at, and names them", () => {
    const { problems, unpaired, split } = compareCheckpoints(
      [...counts([["a", 2]]), { problem: "failed", attempts: 0, correct: 0 }],
      counts([
        ["a", 2],
        ["failed", 32],
      ]),
    );
    expect([problems, split.onlySecond, unpaired]).toEqual([1, [], { first: [], second: ["failed"] }]);
  });

  it("with equal answers and some requests failed, nothing was gained or lost", () => {
    const random = Random.from("failures");
    const graded = (rights: readonly boolean[], keep: () => boolean) =>
      new Map([...rights.entries()].filter(([attempt]) => attempt === 0 || keep()));
    const count = (problem: string, own: ReadonlyMap<number, boolean>) => ({
      problem,
      attempts: own.size,
      correct: [...own.values()].filter(Boolean).length,
      graded: own,
    });
    const answers = Array.from({ length: 40 }, (_, i) => ({
      problem: `p${i}`,
      rights: Array.from({ length: 4 }, () => random.chance(0.2)),
    }));
    const whole = answers.map(({ problem, rights }) =>
      count(
        problem,
        graded(rights, () => true),
      ),
    );
    const damaged = answers.map(({ problem, rights }) =>
      count(
        problem,
        graded(rights, () => random.chance(0.7)),
      ),
    );
    const found = compareCheckpoints(whole, damaged);
    expect(damaged.some(({ attempts }) => attempts < 4)).toBe(true);
    expect([found.unlocked, found.regressed, found.differences.map(({ difference }) => difference)]).toEqual([
      [],
      [],
      found.differences.map(() => 0),
    ]);
    expect(found.unmatchedAttempts).toEqual({
      first: 160 - damaged.reduce((total, { attempts }) => total + attempts, 0),
      second: 0,
    });
  });

  it("swapping the two turns the signs", () => {
    const back = compareCheckpoints(second, first, () => [1]);
    expect(back.differences[0].difference).toBeCloseTo(-comparison.differences[0].difference, 12);
    expect(back.unlocked).toEqual(comparison.regressed);
  });
});

describe("even split test", () => {
  it("agrees with adding up the binomial", () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), (one, other) => {
        const total = one + other;
        let probability = 0;
        let ways = 1;
        for (let x = 0; x <= total; x++) {
          if (Math.abs(x - total / 2) >= Math.abs(one - total / 2) - 1e-9) probability += ways / 2 ** total;
          ways = (ways * (total - x)) / (x + 1);
        }
        expect(evenSplitTest(one, other)).toBeCloseTo(total === 0 ? 1 : Math.min(1, probability), 9);
      }),
    );
  });
  it("nothing changed is no evidence at all", () => expect(evenSplitTest(0, 0)).toBe(1));
  it("the paper's 29 unlocked against 5 regressed is not chance", () =>
    expect(evenSplitTest(29, 5)).toBeLessThan(1e-4));
});
