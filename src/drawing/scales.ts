// From values to places: linear and logarithmic axes with round ticks, and bands for categories.

export type Scale = {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
};

/** Round steps of 1, 2 or 5 that give about `count` ticks. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const step = roundStep((high - low) / count);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function roundStep(rough: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => rough / magnitude <= candidate * 1.1)!;
  return factor * magnitude;
}

/** A range that ends at ticks and is never empty. */
export function roundRange(values: readonly number[], options: { readonly fromZero?: boolean } = {}): [number, number] {
  const known = values.filter(Number.isFinite);
  let low = known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  let high = known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (known.length === 0) return [0, 1];
  if (options.fromZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  const step = roundStep((high - low) / 5);
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

export function linear(domain: readonly [number, number], range: readonly [number, number], count = 5): Scale {
  const [low, high] = domain;
  const [start, end] = range;
  return {
    place: (value) => start + ((value - low) / (high - low)) * (end - start),
    ticks: roundTicks(low, high, count),
  };
}

/** Powers of two, as pass@k is read. */
export function doubling(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [low, high] = domain.map(Math.log2);
  const [start, end] = range;
  const ticks: number[] = [];
  for (let power = Math.ceil(low); 2 ** power <= domain[1]; power++) ticks.push(2 ** power);
  const width = high - low || 1;
  return { place: (value) => start + ((Math.log2(value) - low) / width) * (end - start), ticks };
}

/** Nearer to each other, ticks of two or three digits read the same. */
const narrowestRatio = 1.25;

/**
 * Powers of ten, with 2 and 5 between them where few would be left, and round steps where these are too far apart. What is not
 * above zero has no place.
 */
export function logarithmic(given: readonly [number, number], range: readonly [number, number]): Scale {
  const room = Math.sqrt(Math.max(1, narrowestRatio / (given[1] / given[0])));
  const domain = [given[0] / room, given[1] * room] as const;
  const [low, high] = domain.map(Math.log10);
  const [start, end] = range;
  const factors = high - low > 2.5 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++)
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= domain[0] * (1 - 1e-9) && tick <= domain[1] * (1 + 1e-9)) ticks.push(tick);
    }
  return {
    place: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
    ticks: ticks.length < 2 ? roundTicks(...domain, 5) : ticks,
  };
}

type Bands = { readonly start: (index: number) => number; readonly width: number };

export function bands(count: number, range: readonly [number, number], padding = 0.2): Bands {
  const step = (range[1] - range[0]) / Math.max(1, count);
  return { start: (index) => range[0] + step * (index + padding / 2), width: step * (1 - padding) };
}

/** Where pass@k is drawn. Where nobody solves anything, bands would be all there is to see, on a scale of their own. */
export function passAxis(points: readonly { readonly value: number; readonly high?: number }[]): {
  readonly unsolved: boolean;
  readonly domain: readonly [number, number];
} {
  const unsolved = points.every(({ value }) => value === 0);
  const top = points.reduce((highest, { value, high = value }) => Math.max(highest, high), 0);
  return { unsolved, domain: [0, unsolved || top > 0.5 ? 1 : top > 0.25 ? 0.5 : top > 0.1 ? 0.25 : 0.1] };
}
