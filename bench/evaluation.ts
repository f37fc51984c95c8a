// Are the intervals of pass@k what they say? Simulates whole evaluations with known truth and counts how often each
// interval holds it. Slow (about two minutes): `npx tsx bench/evaluation.ts [repetitions]`.
import { Random } from "../src/base/random.ts";
import { logGamma } from "../src/base/statistics/special-functions.ts";
import { newProblemsIntervals, sameProblemsInterval } from "../src/evaluation/intervals.ts";
import type { SolveCount } from "../src/evaluation/pass-at-k.ts";

const repetitions = Number(process.argv[2] ?? 1500);
const nominal = 0.95;
/** Solve rates as hard mathematics has them: many problems near never, a few near always. */
const shape = { a: 0.25, b: 0.6 };

type Setting = { readonly problems: number; readonly attempts: number; readonly k: number };
const settings: readonly Setting[] = [
  { problems: 30, attempts: 32, k: 1 },
  { problems: 30, attempts: 32, k: 8 },
  { problems: 30, attempts: 32, k: 32 },
  { problems: 100, attempts: 32, k: 1 },
  { problems: 100, attempts: 32, k: 8 },
  { problems: 100, attempts: 32, k: 32 },
  { problems: 100, attempts: 64, k: 32 },
];

/** Gamma draws by Marsaglia and Tsang's method, with the usual boost below shape 1. */
function gamma(random: Random, alpha: number): number {
  if (alpha < 1) return gamma(random, alpha + 1) * random.uniform() ** (1 / alpha);
  const d = alpha - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

function beta(random: Random): number {
  const [x, y] = [gamma(random, shape.a), gamma(random, shape.b)];
  return x / (x + y);
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);
/** E[1 − (1−p)^k] over all problems. */
const truePassAtK = (k: number) => 1 - Math.exp(logBeta(shape.a, shape.b + k) - logBeta(shape.a, shape.b));

let worst = 0;
console.log(
  `coverage of ${100 * nominal}% intervals, ${repetitions} repetitions, solve rates Beta(${shape.a}, ${shape.b})`,
);
console.log("problems  n   k   new problems (width)   same problems, new rollouts");
for (const { problems, attempts, k } of settings) {
  const random = Random.from(`coverage ${problems} ${attempts} ${k}`);
  let [held, heldSame, width, same] = [0, 0, 0, 0];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const rates = Array.from({ length: problems }, () => beta(random));
    const counts: SolveCount[] = rates.map((rate) => {
      let correct = 0;
      for (let i = 0; i < attempts; i++) if (random.chance(rate)) correct += 1;
      return { attempts, correct };
    });
    const [interval] = newProblemsIntervals(counts, [k], { replicates: 1000 });
    const truth = truePassAtK(k);
    if (interval.low <= truth && truth <= interval.high) held += 1;
    width += (interval.high - interval.low) / repetitions;
    const fixed = sameProblemsInterval(counts, k);
    if (fixed !== undefined) {
      const fixedTruth = rates.reduce((total, rate) => total + 1 - (1 - rate) ** k, 0) / problems;
      same += 1;
      if (fixed.low <= fixedTruth && fixedTruth <= fixed.high) heldSame += 1;
    }
  }
  const covered = held / repetitions;
  const coveredSame = same === 0 ? undefined : heldSame / same;
  worst = Math.max(worst, Math.abs(covered - nominal), coveredSame === undefined ? 0 : Math.abs(coveredSame - nominal));
  console.log(
    `${String(problems).padStart(6)} ${String(attempts).padStart(4)} ${String(k).padStart(3)}   ` +
      `${(100 * covered).toFixed(1)}% (${width.toFixed(3)})          ` +
      `${coveredSame === undefined ? "undefined (n = k)" : `${(100 * coveredSame).toFixed(1)}%`}`,
  );
}
console.log(`furthest from nominal: ${(100 * worst).toFixed(1)} points`);
if (worst > 0.02) process.exitCode = 1;
