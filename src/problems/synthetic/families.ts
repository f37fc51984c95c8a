// The families of synthetic mathematics: three that are worked out forwards, four that need a search.
import { between, type Family, largestNumber, noNumber, type Trial, type WorkedProblem } from "./family.ts";

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
      solution: {
        steps: [
          { compute: `${b} * ${c} = ${product}`, check: `${product} / ${b} = ${c}` },
          {
            compute: `${left} ${sign} ${right} = ${value}`,
            check: plus ? `${value} - ${right} = ${left}` : `${value} + ${right} = ${left}`,
          },
        ],
      },
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
      solution: {
        steps: [
          { compute: `${total} - ${shift} = ${product}`, check: `${product} + ${shift} = ${total}` },
          { compute: `${product} / ${slope} = ${x}`, check: `${slope} * ${x} = ${product}` },
        ],
      },
    };
  },
};

const remainder: Family = {
  name: "remainder",
  nature: "direct",
  make: (level, random) => {
    const modulus = between(random, 2, [5, 7, 9][level - 1]);
    const number = between(random, modulus + 1, [30, 60, 99][level - 1]);
    const [times, rest] = [Math.floor(number / modulus), number % modulus];
    const multiple = times * modulus;
    return {
      question: `what is ${number} mod ${modulus} ?`,
      answer: String(rest),
      solution: {
        steps: [
          { compute: `${times} * ${modulus} = ${multiple}` },
          { compute: `${number} - ${multiple} = ${rest}`, check: `${multiple} + ${rest} = ${number}` },
        ],
      },
    };
  },
};

/** Candidates are the smaller divisors of the product. */
const sumAndProduct: Family = {
  name: "sum and product",
  nature: "search",
  make: (level, random) => {
    const [small, large] = drawPair(random, [12, 20, 33][level - 1]);
    const [sum, product] = [small + large, small * large];
    const trials: Trial[] = [];
    for (let a = 1; a * a <= product; a++) {
      if (product % a !== 0) continue;
      const b = product / a;
      trials.push({
        guess: `a = ${a}`,
        work: [`${product} / ${a} = ${b}`, `${a} + ${b} = ${a + b}`],
        check: `${a + b} = ${sum}`,
        holds: a === small,
        rest: [],
        answer: `${a} , ${b}`,
      });
    }
    return {
      question: `two numbers have sum ${sum} and product ${product} , which ?`,
      answer: `${small} , ${large}`,
      solution: { trials },
    };
  },
};

/** One plus the product is a number too, when 1 is tried. */
function drawPair(random: Parameters<Family["make"]>[1], top: number): readonly [number, number] {
  for (;;) {
    const [one, other] = [between(random, 1, 9), between(random, 1, top)];
    if (one * other < largestNumber) return one < other ? [one, other] : [other, one];
  }
}

// biome-ignore format: a table
const coprimeModuli: readonly (readonly [number, number])[] = [
  [2, 3], [2, 5], [3, 4], [3, 5], [4, 5], [2, 7], [3, 7], [5, 6], [4, 7], [5, 7], [2, 9], [3, 8], [5, 8], [4, 9], [6, 7], [5, 9],
];

/** Candidates are the numbers with the second remainder, from the smallest on. */
const congruences: Family = {
  name: "congruences",
  nature: "search",
  make: (level, random) => {
    const [a, b] = random.pick(coprimeModuli.slice(0, [5, 10, 16][level - 1]));
    const n = between(random, 0, a * b - 1);
    const trials = Array.from({ length: a }, (_, i): Trial => {
      const tried = (n % b) + i * b;
      return {
        guess: `n = ${tried}`,
        work: [`${tried} mod ${a} = ${tried % a}`],
        check: `${tried % a} = ${n % a}`,
        holds: tried === n,
        rest: [],
        answer: String(tried),
      };
    });
    return {
      question: `n mod ${a} = ${n % a} and n mod ${b} = ${n % b} , what is the smallest n ?`,
      answer: String(n),
      solution: { trials },
    };
  },
};

/** The smallest positive a: one of each q consecutive values works, because p and q are coprime. */
const diophantine: Family = {
  name: "diophantine",
  nature: "search",
  make: (level, random) => {
    const [p, q] = random.pick(coprimeModuli.slice(1, [4, 6, 9][level - 1]));
    const x = between(random, 1, q);
    const y = between(random, 1, Math.min(3 + 3 * level, Math.floor((largestNumber - p * x) / q)));
    const total = p * x + q * y;
    const trials: Trial[] = [];
    for (let tried = 1; tried <= q && p * tried < total; tried++) {
      const rest = total - p * tried;
      const times = Math.floor(rest / q);
      trials.push({
        guess: `a = ${tried}`,
        work: [`${p} * ${tried} = ${p * tried}`, `${total} - ${p * tried} = ${rest}`, `${rest} mod ${q} = ${rest % q}`],
        check: `${rest % q} = 0`,
        holds: tried === x,
        rest: [`${rest} / ${q} = ${times}`],
        answer: `${tried} , ${times}`,
      });
    }
    return {
      question: `${p} a + ${q} b = ${total} with a , b above 0 , which a is smallest and which b ?`,
      answer: `${x} , ${y}`,
      solution: { trials },
    };
  },
};

const signs = ["+", "-", "*"] as const;
type Sign = (typeof signs)[number];

const applied = (left: number, sign: Sign, right: number): number =>
  sign === "+" ? left + right : sign === "-" ? left - right : left * right;

const isNumber = (value: number): boolean => value >= 0 && value <= largestNumber;

/** Left to right, `3 _ 4 _ 2 = 14`: exactly one pair of signs makes the target, and on the way there all are numbers. */
const missingSigns: Family = {
  name: "missing signs",
  nature: "search",
  make: (level, random): WorkedProblem => {
    for (;;) {
      const [a, b, c] = [0, 1, 2].map(() => between(random, 2, [4, 6, 9][level - 1]));
      const pairs = signs.flatMap((first) => signs.map((second) => ({ first, second })));
      const resultOf = ({ first, second }: (typeof pairs)[number]) => applied(applied(a, first, b), second, c);
      const unique = pairs.filter(
        (pair) =>
          isNumber(applied(a, pair.first, b)) &&
          isNumber(resultOf(pair)) &&
          pairs.every((other) => other === pair || resultOf(other) !== resultOf(pair)),
      );
      if (unique.length === 0) continue;
      const chosen = random.pick(unique);
      const target = resultOf(chosen);
      const trials = pairs.map((pair): Trial => {
        const [between, value] = [applied(a, pair.first, b), resultOf(pair)];
        const first = `${a} ${pair.first} ${b} = ${isNumber(between) ? between : noNumber}`;
        const second = `${between} ${pair.second} ${c} = ${isNumber(value) ? value : noNumber}`;
        return {
          guess: `${pair.first} ${pair.second}`,
          work: isNumber(between) ? [first, second] : [first],
          ...(isNumber(between) && isNumber(value) && { check: `${value} = ${target}` }),
          holds: pair === chosen,
          rest: [],
          answer: `${pair.first} ${pair.second}`,
        };
      });
      return {
        question: `from left to right , ${a} _ ${b} _ ${c} = ${target} , which signs ?`,
        answer: `${chosen.first} ${chosen.second}`,
        solution: { trials },
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
