// The families of synthetic mathematics: three that are worked out forwards, four that need a search.
import { between, type Family, largestNumber, type WorkedProblem } from "./family.ts";

/** `7 + 5 * 3`: products first. */
const arithmetic: Family = {
  name: "arithmetic",
  nature: "direct",
  make: (level, random) => {
    const top = [5, 7, 9][level - 1];
    const [a, b, c] = [between(random, 1, 4 * top), between(random, 2, top), between(random, 2, top)];
    const product = b * c;
    const plus = a + product <= largestNumber && (a < product || random.chance(0.5));
    const [left, sign, right] = plus ? [a, "+", product] : [Math.max(a, product), "-", Math.min(a, product)];
    const value = plus ? a + product : left - right;
    const expression = plus || a >= product ? `${a} ${sign} ${b} * ${c}` : `${b} * ${c} - ${a}`;
    return {
      question: `what is ${expression} ?`,
      answer: String(value),
      work: [`${b} * ${c} = ${product}`, `${left} ${sign} ${right} = ${value}`],
    };
  },
};

/** `3 x + 4 = 19` */
const linear: Family = {
  name: "linear",
  nature: "direct",
  make: (level, random) => {
    const top = [5, 7, 9][level - 1];
    const [slope, x] = [between(random, 2, top), between(random, 1, top)];
    const shift = between(random, 1, Math.min(4 * top, largestNumber - slope * x));
    const [product, total] = [slope * x, slope * x + shift];
    return {
      question: `solve ${slope} x + ${shift} = ${total} for x`,
      answer: String(x),
      work: [`${total} - ${shift} = ${product}`, `${product} / ${slope} = ${x}`],
    };
  },
};

const remainder: Family = {
  name: "remainder",
  nature: "direct",
  make: (level, random) => {
    const modulus = between(random, 2, [5, 7, 9][level - 1]);
    const number = between(random, modulus + 1, [30, 60, 99][level - 1]);
    const times = Math.floor(number / modulus);
    return {
      question: `what is ${number} mod ${modulus} ?`,
      answer: String(number % modulus),
      work: [`${times} * ${modulus} = ${times * modulus}`, `${number} - ${times * modulus} = ${number % modulus}`],
    };
  },
};

const sumAndProduct: Family = {
  name: "sum and product",
  nature: "search",
  make: (level, random) => {
    const top = [5, 7, 9][level - 1];
    const small = between(random, 1, top);
    const large = between(random, small, top);
    const [sum, product] = [small + large, small * large];
    const work: string[] = [];
    for (let a = 1; a <= small; a++) work.push(`${a} * ${sum - a} = ${a * (sum - a)}`);
    return {
      question: `two numbers have sum ${sum} and product ${product} , which ?`,
      answer: `${small} , ${large}`,
      work,
    };
  },
};

const coprimeModuli: readonly (readonly [number, number])[] = [
  [2, 3],
  [2, 5],
  [3, 4],
  [3, 5],
  [4, 5],
  [3, 7],
  [5, 6],
  [4, 7],
  [5, 7],
];

const congruences: Family = {
  name: "congruences",
  nature: "search",
  make: (level, random) => {
    const [a, b] = random.pick(coprimeModuli.slice(0, 3 * level));
    const n = between(random, 0, a * b - 1);
    const work: string[] = [];
    for (let tried = n % b; tried <= n; tried += b) work.push(`${tried} mod ${a} = ${tried % a}`);
    return {
      question: `n mod ${a} = ${n % a} and n mod ${b} = ${n % b} , what is the smallest n ?`,
      answer: String(n),
      work,
    };
  },
};

const diophantine: Family = {
  name: "diophantine",
  nature: "search",
  make: (level, random) => {
    const [p, q] = random.pick(coprimeModuli.slice(1, 1 + 2 * level));
    const [x, y] = [between(random, 1, q), between(random, 1, 2 + 2 * level)];
    const total = p * x + q * y;
    // The smallest positive x: one of each q consecutive values works, because p and q are coprime.
    const work: string[] = [];
    for (let tried = 1; tried <= x; tried++) work.push(`${total - p * tried} mod ${q} = ${(total - p * tried) % q}`);
    return {
      question: `${p} a + ${q} b = ${total} with a , b above 0 , which a is smallest and which b ?`,
      answer: `${x} , ${y}`,
      work,
    };
  },
};

const signs = ["+", "-", "*"] as const;

const applied = (left: number, sign: (typeof signs)[number], right: number): number =>
  sign === "+" ? left + right : sign === "-" ? left - right : left * right;

/** Left to right, `3 _ 4 _ 2 = 14`: exactly one pair of signs makes the target. */
const missingSigns: Family = {
  name: "missing signs",
  nature: "search",
  make: (level, random): WorkedProblem => {
    for (;;) {
      const [a, b, c] = [0, 1, 2].map(() => between(random, 2, [4, 6, 9][level - 1]));
      const tried = signs.flatMap((first) =>
        signs.map((second) => ({ first, second, value: applied(applied(a, first, b), second, c) })),
      );
      const usable = tried.filter(({ value }) => value >= 0 && value <= largestNumber);
      const unique = usable.filter((one) => tried.filter((other) => other.value === one.value).length === 1);
      if (unique.length === 0) continue;
      const chosen = random.pick(unique);
      const work: string[] = [];
      for (const { first, second, value } of usable) {
        if (work.push(`( ${a} ${first} ${b} ) ${second} ${c} = ${value}`) && value === chosen.value) break;
      }
      return {
        question: `from left to right , ${a} _ ${b} _ ${c} = ${chosen.value} , which signs ?`,
        answer: `${chosen.first} ${chosen.second}`,
        work,
      };
    }
  },
};

export const families: readonly Family[] = [
  arithmetic,
  linear,
  remainder,
  sumAndProduct,
  congruences,
  diophantine,
  missingSigns,
];
