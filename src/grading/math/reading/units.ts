// Units of measurement: which words are one, and how two of the same dimension convert.
import { multiply, power, type Rational, rational } from "../numbers/rational.ts";

/** A known unit as a factor times base dimensions: km/h is 5/18 of length/time. */
export type Measure = { readonly factor: Rational; readonly dimension: string };

type Row = readonly [dimension: string, numerator: number, denominator: number, names: string];

// Sizes are relative to one unit of the dimension; exact by definition (an inch is 25.4 mm).
const table: readonly Row[] = [
  ["length", 1, 1, "m meter meters metre metres 米"],
  ["length", 1, 100, "cm centimeter centimeters centimetre centimetres 厘米"],
  ["length", 1, 1000, "mm millimeter millimeters millimetre millimetres 毫米"],
  ["length", 1000, 1, "km kilometer kilometers kilometre kilometres kms 千米 公里"],
  ["length", 127, 5000, "inch inches"],
  ["length", 381, 1250, "ft foot feet"],
  ["length", 1143, 1250, "yd yard yards"],
  ["length", 201168, 125, "mi mile miles"],
  ["time", 1, 1, "s sec secs second seconds 秒"],
  ["time", 60, 1, "min mins minute minutes 分钟"],
  ["time", 3600, 1, "h hr hrs hour hours 小时"],
  ["time", 86400, 1, "day days 天"],
  ["time", 604800, 1, "week weeks"],
  ["month", 1, 1, "month months"],
  ["month", 12, 1, "year years yr yrs 年"],
  ["mass", 1, 1, "g gram grams gm 克"],
  ["mass", 1000, 1, "kg kilogram kilograms kgs 千克 公斤"],
  ["mass", 1, 1000, "mg milligram milligrams"],
  ["mass", 1000000, 1, "tonne tonnes"],
  ["pound", 1, 1, "lb lbs pound pounds"],
  ["pound", 1, 16, "oz ounce ounces"],
  ["volume", 1, 1, "l L liter liters litre litres 升"],
  ["volume", 1, 1000, "ml mL milliliter milliliters 毫升"],
  ["dollar", 1, 1, "$ dollar dollars usd USD"],
  ["dollar", 1, 100, "cent cents ¢"],
  ["euro", 1, 1, "€ euro euros"],
  ["sterling", 1, 1, "£"],
  ["yuan", 1, 1, "yuan rmb RMB 元"],
  ["rupee", 1, 1, "₹ rupee rupees"],
  ["yen", 1, 1, "¥ yen"],
  ["power", 1, 1, "W watt watts"],
  ["energy", 1, 1, "J joule joules"],
  ["force", 1, 1, "N newton newtons"],
  ["force", 1000, 1, "kN kilonewton kilonewtons"],
  ["voltage", 1, 1, "V volt volts"],
  ["resistance", 1, 1, "Ω Omega ohm ohms"],
  ["resistance", 1000, 1, "kΩ kOmega kilohm kilohms"],
  ["frequency", 1, 1, "Hz hertz"],
  ["angle", 1, 1, "rad radian radians"],
  ["unit", 1, 1, "unit units"],
];

const measures = new Map<string, Measure>(
  table.flatMap(([dimension, numerator, denominator, names]) =>
    names
      .split(" ")
      .map((name) => [name, { factor: rational(BigInt(numerator), BigInt(denominator)), dimension }] as const),
  ),
);
measures.set("mph", { factor: rational(1397n, 3125n), dimension: "length/time" });
measures.set("kmh", { factor: rational(5n, 18n), dimension: "length/time" });
measures.set("kph", { factor: rational(5n, 18n), dimension: "length/time" });

/** Words that stand behind a number without changing it and convert to nothing. */
const countedThings = new Set(
  `people person students student ways way points point times marbles balls
   coins coin apples games books cards votes seats rows columns digits solutions solution square-units
   rupees pesos pages boxes tiles cells pairs sides vertices edges triangles
   个 种 次 人 度 名 条 张 块 组 对 项 支 辆 本 只 平方厘米 平方米 立方厘米`.split(/\s+/),
);

/** Whether a bare word (not in \text) behind a number is a unit. Single letters never are: they are variables. */
export function isUnitWord(word: string): boolean {
  return (
    word.length > 1 && (measures.has(word) || measures.has(word.toLowerCase()) || countedThings.has(word.toLowerCase()))
  );
}

/** What a written unit measures, or nothing when it is not a unit we can convert: "cm^2", "km/h", "square feet". */
export function measureOf(unit: string): Measure | undefined {
  const cleaned = unit
    .replace(/平方(\S+)/g, "$1^2")
    .replace(/立方(\S+)/g, "$1^3")
    .replace(/\bper\b/g, "/")
    .replace(/\b(?:square|sq)\b\.?\s*([^\s/]+)/g, "$1^2")
    .replace(/\b(?:cubic|cu)\b\.?\s*([^\s/]+)/g, "$1^3")
    .replace(/([^\s/]+)\s+squared\b/g, "$1^2")
    .replace(/([^\s/]+)\s+cubed\b/g, "$1^3")
    .replace(/[.{}]/g, "")
    .trim();
  const exponents = new Map<string, number>();
  let factor = rational(1n);
  // "m/s^2" and "m s^-2" are one unit: whatever follows a slash divides.
  for (const [at, part] of cleaned.split("/").entries()) {
    if (part.trim() === "") return undefined;
    for (const word of part.trim().split(/[\s*·⋅]+/)) {
      const measure = simpleMeasure(word);
      if (measure === undefined) return undefined;
      const sign = at === 0 ? 1 : -1;
      factor = multiply(factor, sign === 1 ? measure.factor : power(measure.factor, -1));
      for (const [dimension, exponent] of measure.exponents)
        exponents.set(dimension, (exponents.get(dimension) ?? 0) + sign * exponent);
    }
  }
  return { factor, dimension: dimensionOf(exponents) };
}

/** `length/time^2`, the same however the unit was written. */
function dimensionOf(exponents: ReadonlyMap<string, number>): string {
  const written = (wanted: 1 | -1) =>
    [...exponents]
      .filter(([, exponent]) => Math.sign(exponent) === wanted)
      .map(([dimension, exponent]) => (exponent === wanted ? dimension : `${dimension}^${Math.abs(exponent)}`))
      .sort()
      .join("·");
  const [above, below] = [written(1), written(-1)];
  return below === "" ? above : `${above}/${below}`;
}

type Simple = { readonly factor: Rational; readonly exponents: readonly (readonly [string, number])[] };

function simpleMeasure(text: string): Simple | undefined {
  const match = /^(.+?)\s*(?:\^\s*(-?\d))?$/u.exec(text);
  if (match === null) return undefined;
  // A capital M is mega, not milli.
  const measure = measures.get(match[1]) ?? (/^M.$/.test(match[1]) ? undefined : measures.get(match[1].toLowerCase()));
  if (measure === undefined) return undefined;
  const exponent = match[2] === undefined ? 1 : Number(match[2]);
  const factor = (whole: Rational) => (exponent === 1 ? whole : power(whole, exponent));
  // A litre is a cubic decimetre, so that cm³ and ml agree.
  if (measure.dimension === "volume")
    return { factor: factor(multiply(measure.factor, rational(1n, 1000n))), exponents: [["length", 3 * exponent]] };
  const [above, below] = measure.dimension.split("/");
  return {
    factor: factor(measure.factor),
    exponents: [[above, exponent], ...(below === undefined ? [] : [[below, -exponent] as const])],
  };
}
