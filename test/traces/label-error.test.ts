// A labeler's mistakes, undone: traces whose true labels are known are labeled by confusions, and what an analysis says of the
// change between two checkpoints is held against the truth.
import { expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { comparePair } from "../../src/traces/analysis/analysis.ts";
import { type Comparison, signIsLost } from "../../src/traces/analysis/comparison.ts";
import { confusionRates, drawnRates } from "../../src/traces/analysis/label-error.ts";
import { measureNames, measuresOf } from "../../src/traces/analysis/measures.ts";
import { paperAlphabet as alphabet, writeSequence } from "../../src/traces/sequence.ts";

type Rates = readonly (readonly number[])[];
type Policy = { readonly searches: number; readonly chain: number };

const { labels, codeOf } = alphabet;
const names = measureNames(alphabet);
/** SFT searches, plain RL goes on computing. */
const policies: readonly Policy[] = [
  { searches: 0.6, chain: 1.2 },
  { searches: 0.2, chain: 2.4 },
];

/** No chain of labels: some traces search and others hardly do, and how long a run gets is a matter of the policy. */
function trueTrace(random: Random, { searches, chain }: Policy): Uint8Array {
  const trace = ["plan", ...(random.chance(0.7) ? ["setup"] : [])];
  const bent = searches * (0.3 + 1.4 * random.uniform());
  for (let part = 3 + random.below(4); part > 0; part--) {
    const search = random.chance(bent);
    if (search) trace.push("hypothesize");
    else if (random.chance(0.6)) trace.push(random.pick(["enumerate", "plan", "summarize"]));
    for (let length = 1 - chain * Math.log(1 - random.uniform()); length > 1; length--)
      trace.push("compute", ...(random.chance(0.4) ? ["check"] : []));
    if (search && random.chance(0.5)) trace.push("backtrack");
  }
  return Uint8Array.from([...trace, "summarize"], codeOf);
}

function drawn(weights: readonly number[], random: Random): number {
  let left = random.uniform() * weights.reduce((a, b) => a + b, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return found === -1 ? weights.length - 1 : found;
}

/** Three spans in five are labeled as they are; the rest goes to labels that look like it, compute most of all. */
const typical: Rates = labels.map((actual, row) =>
  labels.map((given, column) =>
    row === column ? 0.62 : (given === "compute" ? 3 : actual === "other" ? 1 : 0.8) * 0.045,
  ),
);

/** A source likes some labels more than others do, and confuses each in its own way. */
function source(random: Random): number[][] {
  const liked = labels.map(() => Math.exp(0.3 * random.normal()));
  return confusionRates(
    typical.map((row) => row.map((rate, given) => rate * liked[given] * Math.exp(0.25 * random.normal()))),
  );
}

function measured(rates: Rates, spans: number, random: Random): number[][] {
  const matrix = labels.map(() => labels.map(() => 0));
  const often = [4, 10, 3, 14, 36, 14, 6, 10, 1];
  for (let span = 0; span < spans; span++) {
    const actual = drawn(often, random);
    matrix[actual][drawn(rates[actual], random)] += 1;
  }
  return matrix;
}

type Simulated = { readonly comparison: Comparison; readonly truth: ReadonlyMap<string, number> };

const sourcesMeasured = [660, 520, 790, 250, 3000, 200];

/** `own`: the confusions of these traces; without it they are of one more source. */
function simulate(seed: string, problems: number, own?: Rates): Simulated {
  const random = Random.from(seed);
  const sources = sourcesMeasured.map((spans, s) => measured(source(random.child("source", s)), spans, random));
  const rates = own ?? source(random.child("own"));
  const part = (confusion: Rates) => ({ spans: 1, accuracy: 0.6, macroF1: 0.6, mostFrequent: 0.3, confusion });
  const quality = {
    ...{ measured: "by hand", spans: 5000, accuracy: 0.6, macroF1: 0.6, f1: {}, examples: {}, domains: {} },
    confusion: measured(rates, 4000, random.child("measured")),
    ...{ calibrationError: 0, coverage: [] },
    ...(own === undefined && {
      unseenSources: Object.fromEntries(sources.map((confusion, s) => [`s${s}`, part(confusion as number[][])])),
    }),
  };
  const truths = policies.map((policy, which) => {
    const totals = names.map(() => [0, 0]);
    for (let i = 0; i < 3000; i++)
      measuresOf(trueTrace(random.child("truth", which, i), policy), 100).forEach((value, m) => {
        if (!Number.isNaN(value)) totals[m] = [totals[m][0] + value, totals[m][1] + 1];
      });
    return totals.map(([sum, count]) => sum / count);
  });
  const records = policies.flatMap((policy, which) =>
    Array.from({ length: 4 * problems }, (_, i) => {
      const own = random.child("trace", which, i);
      const given = trueTrace(own, policy).map((actual) => drawn(rates[actual], own));
      return {
        ...{ checkpoint: ["sft", "rl"][which], problem: `p${i % problems}`, attempt: Math.floor(i / problems) },
        ...{ stage: "evaluation" as const, sequence: writeSequence(Uint8Array.from(given)), tokens: 100 },
        ...{ labeledBy: "classifier:by hand@0", abstained: 0, slice: 0, ordinal: i },
      };
    }),
  );
  const labeler = {
    ...{
      kind: "classifier" as const,
      name: "by hand",
      version: "0",
      about: "by hand",
      taxonomy: "reasoning primitives",
    },
    quality: quality as never,
  };
  const { comparison } = comparePair(
    records,
    { taxonomy: paperTaxonomy, labelers: [labeler], options: { replicates: 200, motifsPerLength: 1 } },
    ["sft", "rl"],
  );
  return { comparison, truth: new Map(names.map((name, m) => [name, truths[1][m] - truths[0][m]])) };
}

const holds = ({ low, high }: { readonly low: number; readonly high: number }, truth: number) =>
  low <= truth && truth <= high;

/** Runs of the simulation; many by hand (`LABEL_ERROR_RUNS=100`). */
const runs = Number(process.env.LABEL_ERROR_RUNS ?? 4);

test("corrected intervals hold the truth on traces of a source that nobody measured; the labels alone seldom do", () => {
  const all: { readonly name: string; readonly held: boolean; readonly raw: boolean }[] = [];
  for (let run = 0; run < runs; run++) {
    const { comparison, truth } = simulate(`another source ${run}`, 24);
    for (const { measure, difference } of comparison.changes)
      if (difference.raw !== undefined) {
        const actual = truth.get(measure)!;
        all.push({ name: measure, held: holds(difference, actual), raw: holds(difference.raw, actual) });
      }
  }
  const share = (of: (one: (typeof all)[number]) => boolean) => all.filter(of).length / all.length;
  if (runs > 4)
    for (const name of names) {
      const own = all.filter((one) => one.name === name);
      console.log(name, own.filter(({ held }) => held).length, own.filter(({ raw }) => raw).length, own.length);
    }
  expect(share(({ held }) => held)).toBeGreaterThanOrEqual(0.9);
  expect(share(({ raw }) => raw)).toBeLessThan(0.6);
});

test("where the confusions are those of the traces, correction recovers what they hide", () => {
  const { comparison, truth } = simulate("the same source", 90, typical);
  for (const name of ["hypothesize", "backtrack", "chain depth", "recovery trigrams"]) {
    const { difference } = comparison.changes.find(({ measure }) => measure === name)!;
    const actual = truth.get(name)!;
    expect(holds(difference, actual), name).toBe(true);
    expect(Math.abs(difference.value - actual), name).toBeLessThan(Math.abs(difference.raw!.value - actual));
    expect(Math.sign(difference.low), name).toBe(Math.sign(difference.high));
  }
});

test("of two labels that are confused at will nobody says which of them changed, and that is said", () => {
  const [one, other] = [codeOf("hypothesize"), codeOf("compute")];
  const mixed = typical.map((row, actual) =>
    actual === one || actual === other ? row.map((_, given) => (given === one || given === other ? 0.5 : 0)) : row,
  );
  const { comparison } = simulate("mixed up", 24, mixed);
  const lost = comparison.changes.filter(({ difference }) => signIsLost(difference)).map(({ measure }) => measure);
  expect(comparison.changes.find(({ measure }) => measure === "hypothesize")!.change).toBe("within noise");
  if (lost.length > 0)
    expect(comparison.words.at(-1)).toContain(`its mistakes hide in which direction: ${lost.join(", ")}`);
});

test("drawn confusions scatter as much as their spans and their sources differ", () => {
  const spread = (sources: Rates[]) => {
    const whole = [
      [160, 40],
      [20, 180],
    ];
    const draws = Array.from({ length: 400 }, (_, i) => drawnRates({ whole, sources }, Random.from(i))[0][0]).sort();
    return [draws[10], draws[389]];
  };
  const matrix = (right: number) => [
    [100 * right, 100 - 100 * right],
    [10, 90],
  ];
  // A Beta with 100 spans' worth of what 200 clustered ones say: 0.8 ± 0.08.
  const [low, high] = spread([]);
  expect([low, high].map((end) => end.toFixed(1))).toEqual(["0.7", "0.9"]);
  const [wideLow, wideHigh] = spread([0.5, 0.7, 0.8, 0.95].map(matrix));
  // Student's t of three degrees reaches beyond every source that was seen.
  expect(wideLow).toBeLessThan(0.5);
  expect(wideHigh).toBeGreaterThan(0.95);
});
