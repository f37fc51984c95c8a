// The few special functions that tests and intervals need, to near double precision: log-gamma, erfc, the normal
// distribution, the regularized incomplete beta function and what follows from it (Student's t, beta quantiles).

const lanczos = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5, 0.0001580887032249125, -0.00021026444172410488,
  0.00021743961811521265, -0.0001643181065367639, 8.441822398385275e-5, -2.6190838401581408e-5, 3.6899182659531625e-6,
];

/** ln Γ(x) for x > 0 (Lanczos, g = 607/128). */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let series = lanczos[0];
  for (let i = 1; i < lanczos.length; i++) series += lanczos[i] / (x - 1 + i);
  const base = x - 0.5 + 607 / 128;
  return (x - 0.5) * Math.log(base) - base + Math.log(Math.sqrt(2 * Math.PI) * series);
}

/** 1 − erf(x), exact in the far tail. */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) return 1 - erfSeries(x);
  if (x > 27) return 0;
  // Continued fraction by Lentz's method.
  const tiny = 1e-300;
  let fraction = x;
  let c = x;
  let d = 0;
  for (let n = 1; n < 500; n++) {
    const a = n / 2;
    d = 1 / (x + a * d || tiny);
    c = x + a / c || tiny;
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return Math.exp(-x * x) / (fraction * Math.sqrt(Math.PI));
}

function erfSeries(x: number): number {
  let term = x;
  let total = x;
  for (let n = 1; n < 200 && term > total * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    total += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
}

function normalCdf(z: number): number {
  return erfc(-z / Math.SQRT2) / 2;
}

/** P(Z > z), exact in the far tail. */
export function normalTail(z: number): number {
  return erfc(z / Math.SQRT2) / 2;
}

export function normalQuantile(probability: number): number {
  if (probability <= 0) return probability === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (probability >= 1) return probability === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  // A rough start from the tail's leading term, then Newton on the logarithm, which is smooth and concave there.
  let z = -Math.sqrt(Math.max(0, -2 * Math.log(2 * probability)));
  for (let i = 0; i < 60; i++) {
    const cdf = normalCdf(z);
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const step = (Math.log(cdf / probability) * cdf) / density;
    z -= step;
    if (Math.abs(step) < 1e-15 * Math.max(1, Math.abs(z))) break;
  }
  return z;
}

/** I_x(a, b): the beta distribution's cumulative probability at x. */
export function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The continued fraction converges fast on this side of the mean; elsewhere use the symmetry.
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return fraction;
}

/** The x with I_x(a, b) = probability, by bisection finished with Newton steps. */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (probability <= 0) return 0;
  if (probability >= 1) return 1;
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  const logNorm = logGamma(a + b) - logGamma(a) - logGamma(b);
  for (let i = 0; i < 200; i++) {
    const error = regularizedBeta(x, a, b) - probability;
    if (error > 0) high = x;
    else low = x;
    const density = Math.exp(logNorm + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    const newton = x - error / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-16 * x) return next;
    x = next;
  }
  return x;
}

/** P(|T| > |t|) for Student's t with `degrees` of freedom. */
export function studentTwoSided(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  return regularizedBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t beyond which, on both sides together, 1 − level of the distribution lies. */
export function studentQuantile(level: number, degrees: number): number {
  let low = 0;
  let high = 1;
  while (studentTwoSided(high, degrees) > 1 - level) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degrees) > 1 - level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
