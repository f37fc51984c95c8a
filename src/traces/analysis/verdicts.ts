// The one rule of verdicts. Direction and significance come from one estimate, whose interval is over problems; below the
// minimum of problems nothing is said. Beside what is not shown stands how large an effect would have had to be.
import { holm, normalQuantile, studentQuantile, studentTwoSided } from "../../base/statistics.ts";
import type { Estimate } from "./estimates.ts";

/** An interval over fewer problems than this says more about luck than about checkpoints. */
export const minProblems = 8;

export const verdicts = ["shown", "not shown", "reversed", "cannot be tested here"] as const;
export type Verdict = (typeof verdicts)[number];

/** `keeps`: falls by no more than `margin`, the difference that is taken for none. */
export type Direction = "rises" | "falls" | { readonly keeps: number };

export type Judgment = {
  readonly verdict: Verdict;
  /** Two-sided, from the interval: below 0.05 exactly where it leaves out zero (or the margin). */
  readonly p?: number;
  /** The smallest effect that a run of this size would have seen four times in five. */
  readonly detectable?: number;
};

const [level, power] = [0.95, 0.8];

export function judged(estimate: Estimate, problems: number, direction: Direction): Judgment {
  const { value, low, high } = estimate;
  if (problems < minProblems || Number.isNaN(value) || Number.isNaN(low)) return { verdict: "cannot be tested here" };
  const quantile = studentQuantile(level, problems - 1);
  const detectable = ((quantile - normalQuantile(1 - power)) / quantile) * ((high - low) / 2);
  const margin = typeof direction === "object" ? -direction.keeps : 0;
  // Nothing but one value everywhere, and that value none: no question was asked of these traces.
  const errorTowards = value > margin ? value - low : high - value;
  const p = errorTowards > 0 ? studentTwoSided((quantile * Math.abs(value - margin)) / errorTowards, problems - 1) : 0;
  const above = low > margin;
  const below = high < (typeof direction === "object" ? 0 : margin);
  const [right, wrong] = direction === "falls" ? [below, above] : [above, below];
  // A loss that is surely there and surely within the margin is still a loss.
  const verdict = wrong ? "reversed" : right ? "shown" : "not shown";
  return { verdict, p, detectable };
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

/** `12 shown, 3 reversed` */
export const verdictCounts = (all: readonly { readonly verdict: Verdict }[]): string =>
  verdicts
    .flatMap((verdict) => {
      const number = all.filter((one) => one.verdict === verdict).length;
      return number === 0 ? [] : [`${number} ${verdict}`];
    })
    .join(", ");

/** `12 shown, 3 reversed …; adjusted for 40 looks 8 of them stand` */
export function verdictTotals(all: readonly { readonly verdict: Verdict; readonly adjusted?: number }[]): string {
  const said = all.filter(({ verdict }) => verdict === "shown" || verdict === "reversed");
  const standing = said.filter((one) => one.adjusted !== undefined && one.adjusted < 1 - level);
  const looks = all.filter((one) => one.adjusted !== undefined).length;
  return `${verdictCounts(all)}; adjusted for ${looks} looks (Holm) ${standing.length} of ${said.length} stand`;
}
