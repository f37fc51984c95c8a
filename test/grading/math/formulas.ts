// Formulas in a whole number n, each as LaTeX and as a program, with wrong ones beside every right one: constants changed, terms
// dropped, and the polynomial through the first values, which is what whoever enumerates small cases comes to.

type Formula = { readonly latex: string; readonly value: (n: bigint) => bigint };

type Family = {
  /** What the constants are in the right formulas. */
  readonly constants: readonly (readonly number[])[];
  readonly make: (...constants: number[]) => Formula;
  /** The same formula with a term less. */
  readonly dropped?: (...constants: number[]) => Formula;
};

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
const least = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x < y ? x : y));
const size = (a: bigint): bigint => (a < 0n ? -a : a);
const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

function binomial(n: bigint, k: bigint): bigint {
  if (k < 0n || k > n) return 0n;
  let result = 1n;
  for (let i = 1n; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

function factorial(n: bigint): bigint {
  let result = 1n;
  for (let i = 2n; i <= n; i++) result *= i;
  return result;
}

function sum(from: bigint, to: bigint, term: (k: bigint) => bigint): bigint {
  let result = 0n;
  for (let k = from; k <= to; k++) result += term(k);
  return result;
}

const of =
  (make: (...constants: bigint[]) => (n: bigint) => bigint, latex: (...constants: number[]) => string) =>
  (...constants: number[]): Formula => ({ latex: latex(...constants), value: make(...constants.map(BigInt)) });

const tex = String.raw;
const floor = (a: number): string => tex`\lfloor n/${a}\rfloor`;

export const formulaFamilies: Readonly<Record<string, Family>> = {
  "powers of a prime in n!": {
    constants: [
      [2, 4, 8],
      [3, 9, 27],
      [5, 25, 125],
      [7, 49, 343],
      [11, 121, 1331],
      [13, 169, 2197],
    ],
    make: of(
      (a, b, c) => (n) => n / a + n / b + n / c,
      (a, b, c) => [a, b, c].map(floor).join("+"),
    ),
    dropped: of(
      (a, b) => (n) => n / a + n / b,
      (a, b) => [a, b].map(floor).join("+"),
    ),
  },
  "greatest common divisors": {
    constants: [[6], [12], [15], [30], [60], [97], [100], [144]],
    make: of(
      (a) => (n) => gcd(n, a),
      (a) => tex`\gcd(n, ${a})`,
    ),
  },
  "least common multiples": {
    constants: [[4], [6], [12], [18], [35], [100]],
    make: of(
      (a) => (n) => (n * a) / gcd(n, a),
      (a) => tex`\operatorname{lcm}(n, ${a})`,
    ),
  },
  remainders: {
    constants: [[7], [12], [13], [25], [60], [100], [365]],
    make: of(
      (a) => (n) => n % a,
      (a) => tex`n \bmod ${a}`,
    ),
  },
  "binomials of few": {
    constants: [[2], [3], [5], [8], [12], [15], [20]],
    make: of(
      (a) => (n) => binomial(n, a),
      (a) => tex`\binom{n}{${a}}`,
    ),
  },
  "shifted binomials": {
    constants: [
      [1, 2],
      [2, 3],
      [3, 3],
      [5, 4],
      [9, 6],
      [11, 11],
    ],
    make: of(
      (a, b) => (n) => binomial(n + a, b),
      (a, b) => tex`\binom{n+${a}}{${b}}`,
    ),
  },
  powers: {
    constants: [
      [2, 1],
      [2, 3],
      [3, 1],
      [3, 5],
      [5, 2],
      [7, 4],
      [10, 9],
    ],
    make: of(
      (a, b) => (n) => a ** n - b,
      (a, b) => tex`${a}^n-${b}`,
    ),
    dropped: of(
      (a) => (n) => a ** n,
      (a) => tex`${a}^n`,
    ),
  },
  factorials: {
    constants: [[1], [2], [7], [24], [120]],
    make: of(
      (a) => (n) => factorial(n) - a,
      (a) => tex`n!-${a}`,
    ),
    dropped: of(
      () => (n) => factorial(n),
      () => "n!",
    ),
  },
  "middle binomials": {
    constants: [[1], [2], [5], [9]],
    make: of(
      (a) => (n) => binomial(2n * n, n) - a,
      (a) => tex`\binom{2n}{n}-${a}`,
    ),
    dropped: of(
      () => (n) => binomial(2n * n, n),
      () => tex`\binom{2n}{n}`,
    ),
  },
  "sums of powers": {
    constants: [[1], [2], [3], [4], [5]],
    make: of(
      (a) => (n) => sum(1n, n, (k) => k ** a),
      (a) => tex`\sum_{k=1}^{n} k^${a}`,
    ),
  },
  "sums of binomials": {
    constants: [[1], [2], [4], [8], [10], [14]],
    make: of(
      (a) => (n) => sum(0n, a, (k) => binomial(n, k)),
      (a) => tex`\sum_{k=0}^{${a}} \binom{n}{k}`,
    ),
  },
  "least and largest": {
    constants: [[6], [12], [50], [100], [1000]],
    make: of(
      (a) => (n) => least(n, a),
      (a) => tex`\min(n, ${a})`,
    ),
  },
  "at least": {
    constants: [[6], [13], [30], [100], [500]],
    make: of(
      (a) => (n) => n + a - least(n, a),
      (a) => tex`\max(n, ${a})`,
    ),
  },
  distances: {
    constants: [[5], [12], [40], [100], [999]],
    make: of(
      (a) => (n) => size(n - a),
      (a) => tex`|n-${a}|`,
    ),
  },
  ceilings: {
    constants: [[2], [3], [7], [12], [50], [101]],
    make: of(
      (a) => (n) => up(n, a),
      (a) => tex`\lceil n/${a}\rceil`,
    ),
  },
  "shifted floors": {
    constants: [
      [1, 2],
      [3, 7],
      [5, 12],
      [8, 30],
      [11, 100],
      [2, 3],
    ],
    make: of(
      (a, b) => (n) => (n + a) / b,
      (a, b) => tex`\left\lfloor\frac{n+${a}}{${b}}\right\rfloor`,
    ),
  },
  "floors of squares": {
    constants: [[2], [4], [12], [24], [50]],
    make: of(
      (a) => (n) => (n * n) / a,
      (a) => tex`\left\lfloor\frac{n^2}{${a}}\right\rfloor`,
    ),
  },
  "floors of both": {
    constants: [
      [2, 3],
      [3, 5],
      [4, 6],
      [10, 15],
      [6, 35],
    ],
    make: of(
      (a, b) => (n) => n / a + n / b - n / (a * b),
      (a, b) => `${floor(a)}+${floor(b)}-${floor(a * b)}`,
    ),
    dropped: of(
      (a, b) => (n) => n / a + n / b,
      (a, b) => `${floor(a)}+${floor(b)}`,
    ),
  },
};

/** The polynomial through the values for n = 1 … count, as a sum of binomials times differences (Newton). */
function interpolated({ value }: Formula, count: number): Formula {
  let row = Array.from({ length: count }, (_, index) => value(BigInt(index + 1)));
  const differences: bigint[] = [];
  while (row.length > 0) {
    differences.push(row[0]);
    row = row.slice(1).map((next, index) => next - row[index]);
  }
  return {
    latex: differences
      .map((difference, k) =>
        difference === 0n
          ? ""
          : `(${difference})${"(n-1)".repeat(k === 0 ? 0 : 1)}${Array.from(
              { length: Math.max(0, k - 1) },
              (_, j) => `(n-${j + 2})`,
            ).join("")}/${factorial(BigInt(k))}`,
      )
      .map((term) => term.replace(/^(.*)\/(\d+)$/, "\\frac{$1}{$2}"))
      .filter((term) => term !== "")
      .join("+"),
    value: (n) => sum(0n, BigInt(differences.length - 1), (k) => differences[Number(k)] * binomial(n - 1n, k)),
  };
}

export type WrongFormula = { readonly gold: string; readonly wrong: string; readonly differsAt: bigint };

const enumerated = 400n;

/** The first whole number where two formulas differ, among the first few hundred. */
function difference(a: Formula, b: Formula): bigint | undefined {
  for (let n = 1n; n < enumerated; n++) if (a.value(n) !== b.value(n)) return n;
  return undefined;
}

/** Every formula with wrong ones that were seen to differ from it. */
export function* wrongFormulas(): Generator<WrongFormula> {
  for (const { constants, make, dropped } of Object.values(formulaFamilies)) {
    for (const right of constants) {
      const gold = make(...right);
      const changed = right.flatMap((constant, at) =>
        [constant - 1, constant + 1, 2 * constant, constant + 12]
          .filter((other) => other > 0)
          .map((other) => make(...right.with(at, other))),
      );
      const plain: Formula[] = [
        { latex: "0", value: () => 0n },
        { latex: "n", value: (n) => n },
      ];
      const ninth = interpolated(gold, 9);
      const switching = {
        latex: `${ninth.latex}+\\binom{n}{20}`,
        value: (n: bigint) => ninth.value(n) + binomial(n, 20n),
      };
      const wrong = [...changed, ...plain, interpolated(gold, 5), ninth, interpolated(gold, 12), switching];
      if (dropped !== undefined) wrong.push(dropped(...right));
      for (const candidate of wrong) {
        const differsAt = difference(gold, candidate);
        if (differsAt !== undefined) yield { gold: gold.latex, wrong: candidate.latex, differsAt };
      }
    }
  }
}

/** Identities that hold for every n, of the kind that must stay equal. */
export const trueIdentities: readonly (readonly [gold: string, answer: string])[] = [
  [tex`\frac{n^2(n+1)^2}{4}`, tex`\sum_{k=1}^n k^3`],
  [tex`\binom{2n}{n}`, tex`\sum_{k=0}^n \binom{n}{k}^2`],
  [tex`(2n-1)!!`, tex`\frac{(2n)!}{2^n n!}`],
  [tex`2^n`, tex`\sum_{k=0}^n \binom{n}{k}`],
  [tex`2^{n+1}-1`, tex`\sum_{k=0}^n 2^k`],
  [tex`(n+1)!-1`, tex`\sum_{k=1}^n k \cdot k!`],
  [tex`\frac{n}{n+1}`, tex`\sum_{k=1}^n \frac{1}{k(k+1)}`],
  [tex`\binom{n}{k}`, tex`\binom{n}{n-k}`],
  [tex`\frac{1}{n+1}\binom{2n}{n}`, tex`\frac{(2n)!}{n!(n+1)!}`],
  [tex`12n`, tex`\gcd(n,12) \cdot \operatorname{lcm}(n,12)`],
  [tex`n`, tex`\lfloor n/2\rfloor + \lceil n/2\rceil`],
  [tex`n`, tex`12\lfloor n/12\rfloor + (n \bmod 12)`],
  [tex`\min(n,100)`, tex`\frac{n+100-|n-100|}{2}`],
  [tex`\frac{n(n-1)(n-2)}{6}`, tex`\binom{n}{3}`],
  [tex`\frac{n+1}{2n}`, tex`\prod_{k=2}^n \left(1-\frac{1}{k^2}\right)`],
  [tex`(9-n)!`, tex`\frac{(10-n)!}{10-n}`],
];
