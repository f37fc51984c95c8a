// Randomness as a value: a small fast generator (sfc32) that is split by name, so that what one part of a program
// draws never shifts what another part sees, and neighboring seeds share nothing.

export type RandomState = readonly [number, number, number, number];

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;
  readonly #key: string;

  private constructor(key: string, state: RandomState) {
    this.#key = key;
    [this.#a, this.#b, this.#c, this.#counter] = state;
  }

  /** The root of a tree of generators; the same seed gives the same tree on every machine. */
  static from(seed: number | string): Random {
    return Random.#keyed(`seed:${seed}`);
  }

  static #keyed(key: string): Random {
    const [a, b, c, counter] = hash128(key);
    const random = new Random(key, [a, b, c, counter | 1]);
    for (let i = 0; i < 12; i++) random.uint32();
    return random;
  }

  /** An independent generator with a name of its own: `random.child("test", 17)`. Drawing from the parent does not change it. */
  child(...names: readonly (string | number)[]): Random {
    return Random.#keyed([this.#key, ...names.map((name) => JSON.stringify(name))].join("/"));
  }

  /** Everything needed to go on from here after a restart. */
  save(): { readonly key: string; readonly state: RandomState } {
    return { key: this.#key, state: [this.#a, this.#b, this.#c, this.#counter] };
  }

  static restore(saved: { readonly key: string; readonly state: RandomState }): Random {
    return new Random(saved.key, saved.state);
  }

  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  /** An integer in 0 … bound-1, without the bias of a plain remainder. */
  below(bound: number): number {
    if (bound > 2_097_152) return Math.floor(this.uniform() * bound);
    // Lemire's method: the high word of a product that stays exact in a double, redrawn in the rare biased case.
    let draw = this.uint32();
    let low = Math.imul(draw, bound) >>> 0;
    if (low < bound) {
      const threshold = (4_294_967_296 - bound) % bound;
      while (low < threshold) {
        draw = this.uint32();
        low = Math.imul(draw, bound) >>> 0;
      }
    }
    return Math.floor((draw * bound) / 4_294_967_296);
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Standard normal, by the polar method. */
  normal(): number {
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  }

  /** Shuffles in place and returns the same array. */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = items[i];
      items[i] = items[j];
      items[j] = held;
    }
    return items;
  }
}

/** Four well-mixed words from a string; two strings that differ anywhere differ everywhere. */
export function hash128(text: string): [number, number, number, number] {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  a ^= b ^ c ^ d;
  return [a >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}
