// The one rule of verdicts. Direction and significance come from one estimate, whose interval is over problems; below the
// minimum of problems nothing is said. Beside what is not shown stands how large an effect would have had to be.
import {
  holm,
  mean,
  normalQuantile,
  standardDeviation,
  studentQuantile,
  studentTwoSided,
} from "../../base/statistics.ts";
import type { Estimate } from "./estimates.ts";

/** An interval over fewer problems than this says more about luck than about checkpoints. */
export const minProblems = 8;

export const verdicts = ["shown", "not shown", "reversed", "cannot be tested here"] as const;
export type Verdict = (typeof verdicts)[number];

/** `keeps`: falls by no more than that difference, which is taken for none; `alike`: neither rises nor falls by more. */
export type Direction = "rises" | "falls" | { readonly keeps: number } | { readonly alike: number };

export type Judgment = {
  readonly verdict: Verdict;
  /** Two-sided, from the interval: below 0.05 exactly where there is a verdict. */
  readonly p?: number;
  /** The smallest effect that a run of this size would have seen four times in five. */
  readonly detectable?: number;
};

const [level, power] = [0.95, 0.8];

/** `problems`: or seeds, over which the interval is. */
export function judged(estimate: Estimate, problems: number, direction: Direction, fewest = minProblems): Judgment {
  const { value, low, high } = estimate;
  if (problems < fewest || Number.isNaN(value) || Number.isNaN(low)) return { verdict: "cannot be tested here" };
  const quantile = studentQuantile(level, problems - 1);
  const detectable = ((quantile - normalQuantile(1 - power)) / quantile) * ((high - low) / 2);
  // Of a value that is not the bound itself: nothing but one value everywhere has no error.
  const against = (bound: number): number => {
    const error = value > bound ? value - low : high - value;
    if (error <= 0) return value === bound ? 1 : 0;
    return studentTwoSided((quantile * Math.abs(value - bound)) / error, problems - 1);
  };
  const alone = byCorrectionAlone(estimate) && (low > 0 || high < 0);
  const beyond = { right: !alone && low > 0, wrong: !alone && high < 0 };
  const none = alone ? 1 : against(0);
  if (direction === "rises" || direction === "falls") {
    const [right, wrong] = direction === "rises" ? [beyond.right, beyond.wrong] : [beyond.wrong, beyond.right];
    return { verdict: right ? "shown" : wrong ? "reversed" : "not shown", p: none, detectable };
  }
  const margin = "keeps" in direction ? direction.keeps : direction.alike;
  const above = "keeps" in direction ? Number.POSITIVE_INFINITY : margin;
  const inside = Math.max(against(-margin), above === margin ? against(margin) : 0);
  const right = low > -margin && high < above;
  // A loss that is surely there and surely within the margin is still a loss.
  const wrong = "keeps" in direction ? beyond.wrong : !right && (beyond.wrong || beyond.right);
  const verdict = wrong ? "reversed" : right ? "shown" : "not shown";
  const p = wrong ? none : value > -margin && value < above ? inside : 1;
  return { verdict, p, detectable };
}

/** A change of which the labels as given show nothing is not told: it rests on the labeler's confusions alone. */
const byCorrectionAlone = ({ raw, value }: Estimate): boolean =>
  raw !== undefined && (Math.sign(raw.value) !== Math.sign(value) || Math.abs(raw.value) < 0.005);

/** Student's t over runs that differ in the seed alone. Where they do not differ at all, nothing says how far others would. */
export function overSeeds(values: readonly number[]): Estimate {
  const value = mean(values);
  const error = standardDeviation(values) / Math.sqrt(values.length);
  // Equal values differ in their last digits when their mean is taken.
  const reach = error > 1e-12 * Math.abs(value) ? studentQuantile(level, values.length - 1) * error : Number.NaN;
  return { value, low: value - reach, high: value + reach };
}

/** What changed in one run, and by the labels as given where it is corrected for their mistakes. */
type SeedChange = { readonly value: number; readonly raw?: { readonly value: number } };

/** The same rule where the seed is what is drawn again, not the problem. `most`: no difference is larger. */
export function judgedOverSeeds(
  changes: readonly SeedChange[],
  direction: Direction,
  most = Number.POSITIVE_INFINITY,
): Judgment & { readonly estimate: Estimate } {
  const { value, low, high } = overSeeds(changes.map((one) => one.value));
  const given = changes.some(({ raw }) => raw) && overSeeds(changes.map((one) => (one.raw ?? one).value));
  const judgment = judged({ value, low, high, ...(given && { raw: given }) }, changes.length, direction, 2);
  return { estimate: { value, low: Math.max(-most, low), high: Math.min(most, high) }, ...judgment };
}

/** Holm's, over all that could be tested: of as many looks as these, at most one in twenty would show something by luck. */
export function adjusted(ps: readonly (number | undefined)[]): (number | undefined)[] {
  const known = ps.flatMap((p, i) => (p === undefined ? [] : [{ p, i }]));
  const corrected = holm(known.map(({ p }) => p));
  const found = new Array<number | undefined>(ps.length).fill(undefined);
  known.forEach(({ i }, place) => {
    found[i] = corrected[place];
  });
  return found;
}

type VerdictWords = Readonly<Record<Verdict, string>>;
const verdictWords = Object.fromEntries(verdicts.map((verdict) => [verdict, verdict])) as VerdictWords;

/** `12 shown, 3 reversed` */
export const verdictCounts = (all: readonly { readonly verdict: Verdict }[], words = verdictWords): string =>
  verdicts
    .flatMap((verdict) => {
      const number = all.filter((one) => one.verdict === verdict).length;
      return number === 0 ? [] : [`${number} ${words[verdict]}`];
    })
    .join(", ");

type Adjusted = { readonly verdict: Verdict; readonly adjusted?: number };

const isSaid = ({ verdict }: Adjusted): boolean => verdict === "shown" || verdict === "reversed";

/** Also after adjustment. */
export const stands = (one: Adjusted): boolean => isSaid(one) && one.adjusted !== undefined && one.adjusted < 1 - level;

/** `12 shown, 3 reversed …; adjusted for 40 looks 8 of them stand` */
export function verdictTotals(all: readonly Adjusted[], words = verdictWords): string {
  const looks = all.filter((one) => one.adjusted !== undefined).length;
  if (looks === 0) return verdictCounts(all, words);
  return `${verdictCounts(all, words)}; adjusted for ${looks} looks (Holm) ${all.filter(stands).length} of ${all.filter(isSaid).length} stand`;
}

/** Of one table, whose looks are all that are adjusted for. */
export function tableTotals(judgments: readonly Judgment[], words: VerdictWords): string {
  const corrected = adjusted(judgments.map(({ p }) => p));
  return verdictTotals(
    judgments.map((one, i) => ({ ...one, adjusted: corrected[i] })),
    words,
  );
}
