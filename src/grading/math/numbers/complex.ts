// Complex numbers to any precision. A number whose imaginary part is exactly zero takes the short way everywhere.
import {
  absoluteFloat,
  type BigFloat,
  type FloatArithmetic,
  floatZero,
  isFloatZero,
  isNegative,
  magnitude,
  NoValue,
  negateFloat,
} from "./big-float.ts";

export type Complex = { readonly re: BigFloat; readonly im: BigFloat };

export const real = (re: BigFloat): Complex => ({ re, im: floatZero });
export const isReal = (a: Complex): boolean => isFloatZero(a.im);
export const complexMagnitude = (a: Complex): number => Math.max(magnitude(a.re), magnitude(a.im));

const half = ({ mantissa, exponent }: BigFloat): BigFloat => ({ mantissa, exponent: exponent - 1 });

export class ComplexArithmetic {
  readonly floats: FloatArithmetic;
  readonly one: Complex;

  constructor(floats: FloatArithmetic) {
    this.floats = floats;
    this.one = real(floats.whole(1));
  }

  add(a: Complex, b: Complex): Complex {
    return { re: this.floats.add(a.re, b.re), im: this.floats.add(a.im, b.im) };
  }

  negate(a: Complex): Complex {
    return { re: negateFloat(a.re), im: negateFloat(a.im) };
  }

  subtract(a: Complex, b: Complex): Complex {
    return this.add(a, this.negate(b));
  }

  multiply(a: Complex, b: Complex): Complex {
    const f = this.floats;
    if (isReal(a) && isReal(b)) return real(f.multiply(a.re, b.re));
    return {
      re: f.subtract(f.multiply(a.re, b.re), f.multiply(a.im, b.im)),
      im: f.add(f.multiply(a.re, b.im), f.multiply(a.im, b.re)),
    };
  }

  divide(a: Complex, b: Complex): Complex {
    const f = this.floats;
    if (isReal(b)) return { re: f.divide(a.re, b.re), im: isReal(a) ? floatZero : f.divide(a.im, b.re) };
    const size = f.add(f.multiply(b.re, b.re), f.multiply(b.im, b.im));
    const top = this.multiply(a, { re: b.re, im: negateFloat(b.im) });
    return { re: f.divide(top.re, size), im: f.divide(top.im, size) };
  }

  absolute(a: Complex): BigFloat {
    const f = this.floats;
    if (isReal(a)) return absoluteFloat(a.re);
    return f.squareRoot(f.add(f.multiply(a.re, a.re), f.multiply(a.im, a.im)));
  }

  angle(a: Complex): BigFloat {
    return this.floats.angle(a.im, a.re);
  }

  /** The whole number that this value is, to within the precision, or nothing. */
  wholeNumber(value: Complex): bigint | undefined {
    const f = this.floats;
    if (!isReal(value) || magnitude(value.re) > 60) return undefined;
    const nearest = f.floor(f.add(value.re, { mantissa: 1n, exponent: -1 }));
    const distance = f.subtract(value.re, f.whole(nearest));
    return isFloatZero(distance) || magnitude(distance) < -f.bits / 2 ? nearest : undefined;
  }

  exp(a: Complex): Complex {
    const f = this.floats;
    const size = f.exp(a.re);
    if (isReal(a)) return real(size);
    const { sin, cos } = f.sineAndCosine(a.im);
    return { re: f.multiply(size, cos), im: f.multiply(size, sin) };
  }

  ln(a: Complex): Complex {
    if (isReal(a) && !isNegative(a.re)) return real(this.floats.ln(a.re));
    return { re: this.floats.ln(this.absolute(a)), im: this.angle(a) };
  }

  /** The principal square root. */
  squareRoot(a: Complex): Complex {
    const f = this.floats;
    if (isReal(a)) {
      return isNegative(a.re) ? { re: floatZero, im: f.squareRoot(negateFloat(a.re)) } : real(f.squareRoot(a.re));
    }
    const size = this.absolute(a);
    // Take the part without cancellation first, and the other from it.
    if (!isNegative(a.re)) {
      const re = f.squareRoot(half(f.add(size, a.re)));
      return { re, im: f.divide(half(a.im), re) };
    }
    const im = f.squareRoot(half(f.subtract(size, a.re)));
    const re = f.divide(half(absoluteFloat(a.im)), im);
    return { re, im: isNegative(a.im) ? negateFloat(im) : im };
  }

  wholePower(base: Complex, exponent: number): Complex {
    let result = this.one;
    let square = base;
    for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = this.multiply(result, square);
      if (rest > 1) square = this.multiply(square, square);
    }
    return exponent < 0 ? this.divide(this.one, result) : result;
  }

  /** The principal value of base^exponent. */
  power(base: Complex, exponent: Complex): Complex {
    if (isFloatZero(base.re) && isReal(base)) {
      if (isReal(exponent) && exponent.re.mantissa > 0n) return real(floatZero);
      throw new NoValue("zero to a power that is not positive");
    }
    return this.exp(this.multiply(exponent, this.ln(base)));
  }

  sine(a: Complex): Complex {
    const f = this.floats;
    const { sin, cos } = f.sineAndCosine(a.re);
    if (isReal(a)) return real(sin);
    const { cosh, sinh } = this.#hyperbolic(a.im);
    return { re: f.multiply(sin, cosh), im: f.multiply(cos, sinh) };
  }

  cosine(a: Complex): Complex {
    const f = this.floats;
    const { sin, cos } = f.sineAndCosine(a.re);
    if (isReal(a)) return real(cos);
    const { cosh, sinh } = this.#hyperbolic(a.im);
    return { re: f.multiply(cos, cosh), im: negateFloat(f.multiply(sin, sinh)) };
  }

  #hyperbolic(a: BigFloat): { readonly cosh: BigFloat; readonly sinh: BigFloat } {
    const f = this.floats;
    const [up, down] = [f.exp(a), f.exp(negateFloat(a))];
    return { cosh: half(f.add(up, down)), sinh: half(f.subtract(up, down)) };
  }

  arctangent(a: Complex): Complex {
    if (isReal(a)) return real(this.floats.arctangent(a.re));
    // atan z = (i/2) (ln(1 − iz) − ln(1 + iz))
    const turned: Complex = { re: negateFloat(a.im), im: a.re };
    const difference = this.subtract(this.ln(this.subtract(this.one, turned)), this.ln(this.add(this.one, turned)));
    return { re: negateFloat(half(difference.im)), im: half(difference.re) };
  }

  /** Real arguments in [-1, 1] only; outside there is no value that an answer would mean. */
  arcsine(a: Complex): BigFloat {
    const f = this.floats;
    const unit = f.whole(1);
    if (!isReal(a)) throw new NoValue("arcsine of a complex number");
    const rest = f.multiply(f.subtract(unit, a.re), f.add(unit, a.re));
    if (isNegative(rest)) throw new NoValue("arcsine of a number beyond 1");
    return f.angle(a.re, f.squareRoot(rest));
  }
}
