// Whole numbers of any size: the few facts about them that exact comparison needs, each with a bound on its cost.

/** How many bits the magnitude has; 0 for 0. */
export function bitLength(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 4294967296n) return 32 - Math.clz32(Number(magnitude));
  const digits = magnitude.toString(16);
  return digits.length * 4 - (Math.clz32(Number.parseInt(digits[0], 16)) - 28);
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The product from … to, split in halves so that the large multiplications are balanced. */
function rangeProduct(from: number, to: number): bigint {
  if (from > to) return 1n;
  if (to - from < 8) {
    let product = BigInt(from);
    for (let factor = from + 1; factor <= to; factor++) product *= BigInt(factor);
    return product;
  }
  const middle = (from + to) >> 1;
  return rangeProduct(from, middle) * rangeProduct(middle + 1, to);
}

const largestFactorial = 20_000;

/** n!, or nothing where it would be too large to be worth writing out. */
export function factorial(n: bigint): bigint | undefined {
  if (n < 0n || n > BigInt(largestFactorial)) return undefined;
  return rangeProduct(1, Number(n));
}

export function doubleFactorial(n: bigint): bigint | undefined {
  if (n < -1n || n > BigInt(largestFactorial)) return undefined;
  let product = 1n;
  for (let factor = n; factor > 1n; factor -= 2n) product *= factor;
  return product;
}

export function binomial(n: bigint, k: bigint): bigint | undefined {
  if (k < 0n) return 0n;
  if (n < 0n) return undefined;
  if (k > n) return 0n;
  const smaller = k < n - k ? k : n - k;
  if (smaller > 5_000n || n > 1_000_000_000_000n) return undefined;
  let result = 1n;
  for (let i = 1n; i <= smaller; i++) result = (result * (n - smaller + i)) / i;
  return result;
}

type Factorization = {
  readonly primes: readonly (readonly [prime: bigint, exponent: number])[];
  /** False when a large factor was left whole and may itself be composite. */
  readonly complete: boolean;
};

const largestTrialDivisor = 20_000n;

/** Trial division. What is left beyond the bound is prime when it is below the bound's square. */
export function factorize(value: bigint): Factorization {
  const primes: [bigint, number][] = [];
  let rest = value;
  const takeOut = (divisor: bigint) => {
    let exponent = 0;
    while (rest % divisor === 0n) {
      rest /= divisor;
      exponent++;
    }
    if (exponent > 0) primes.push([divisor, exponent]);
  };
  // Far beyond what a competition answer holds under a root; dividing such numbers thousands of times is not worth it.
  const bound = bitLength(value) > 2_000 ? 100n : largestTrialDivisor;
  takeOut(2n);
  takeOut(3n);
  for (let divisor = 5n; divisor <= bound && divisor * divisor <= rest; divisor += 6n) {
    takeOut(divisor);
    takeOut(divisor + 2n);
  }
  if (rest === 1n) return { primes, complete: true };
  return { primes: [...primes, [rest, 1]], complete: rest < bound * bound };
}
