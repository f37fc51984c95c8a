// Curves of runs that repeat one experiment: their mean with one standard deviation over runs (n − 1), and each run faint
// behind it. Another's spread than the intervals over problems elsewhere.
import { mean, standardDeviation } from "../base/statistics/descriptive.ts";
import type { LegendEntry, LineMark, Look } from "../drawing/panel.ts";
import type { RunRecord } from "./records.ts";
import { groupNames, runGroups } from "./run-groups.ts";

/** A line, the run that it is of, and what it is called there. */
export type RunLine = Look & { readonly run: string; readonly policy: string };

/** What is drawn: a line of its own, or the mean of several. */
export type LineGroup<Line> = Look & { readonly lines: readonly Line[] };

export function lineGroups<Line extends RunLine>(
  lines: readonly Line[],
  runs: readonly RunRecord[],
): LineGroup<Line>[] {
  const repeated = runGroups(runs).filter(({ length }) => length > 1);
  const names = groupNames(repeated);
  const groups = new Map<string, Line[]>();
  for (const [i, line] of lines.entries()) {
    const group = repeated.findIndex((own) => own.some(({ name }) => name === line.run));
    const key = group === -1 ? `alone ${i}` : `${group} ${line.policy}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups].map(([key, own]) => {
    const [{ name, ink, symbol, dash }] = own;
    if (own.length === 1) return { ...{ name, ink, symbol, dash }, lines: own };
    const about = repeated.length > 1 ? names[Number(key.split(" ")[0])] : `mean of ${own.length} runs`;
    return { ...{ name: `${own[0].policy}, ${about}`, ink, symbol, dash }, lines: own };
  });
}

type Points = LineMark["points"];

/** The mean goes as far as all runs do: a mean over fewer would jump. A share's band ends at 0 and at 1, as the share does. */
export function drawnLines<Line extends RunLine>(
  groups: readonly LineGroup<Line>[],
  pointsOf: (line: Line) => Points,
  { share = false } = {},
): LineMark[] {
  return groups.flatMap(({ lines, name, ink, symbol, dash }): LineMark[] => {
    const look = { ...{ mark: "line" as const, name, ink, symbol }, ...(dash !== undefined && { dash }) };
    if (lines.length === 1) return [{ ...look, points: pointsOf(lines[0]) }];
    const single = lines.map((line) => ({ name: line.name, points: pointsOf(line) }));
    const known = single.filter(({ points }) => points.length > 0);
    if (known.length === 0) return [];
    const values = known.map(({ points }) => new Map(points.map(({ x, value }) => [x, value])));
    const points = known[0].points.flatMap(({ x }) => {
      const own = values.flatMap((one) => one.get(x) ?? []);
      return own.length < known.length ? [] : [{ x, ...spread(own, share) }];
    });
    const faint = known.map((one): LineMark => ({ ...look, ...one, points: one.points.map(bare), faint: true }));
    return [...faint, { ...look, points }];
  });
}

const bare = ({ x, value }: Points[number]) => ({ x, value });

function spread(values: readonly number[], share: boolean) {
  const value = mean(values);
  if (values.length < 2) return { value };
  const [low, high] = [-1, 1].map((sign) => value + sign * standardDeviation(values));
  return share ? { value, low: Math.max(0, low), high: Math.min(1, high) } : { value, low, high };
}

export const groupLegend = (groups: readonly Look[]): LegendEntry[] =>
  groups.map(({ name, ink, symbol }) => ({ name, ink, symbol }));
