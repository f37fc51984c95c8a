// Lines that are known to be equal or opposite although none of them is known: a union-find whose links say which.

export const apart = -1;

export class LineClasses {
  /** Parents, rings and sizes, of one piece, and as they are where nothing is known. */
  readonly #numbers: Int32Array;
  readonly #blank: Int32Array;
  readonly #parent: Int32Array;
  /** Whether a line is the opposite of its parent. */
  readonly #flipped: Uint8Array;
  readonly #size: Int32Array;
  /** The members of a class in a ring. */
  readonly next: Int32Array;
  /** What `find` found besides: whether the line is the opposite of its root. */
  opposite = 0;

  constructor(lines: number) {
    this.#numbers = new Int32Array(3 * lines);
    this.#parent = this.#numbers.subarray(0, lines);
    this.next = this.#numbers.subarray(lines, 2 * lines);
    this.#size = this.#numbers.subarray(2 * lines);
    this.#flipped = new Uint8Array(lines);
    for (let line = 0; line < lines; line++) this.#parent[line] = this.next[line] = line;
    this.#size.fill(1);
    this.#blank = this.#numbers.slice();
  }

  clear(): void {
    this.#numbers.set(this.#blank);
    this.#flipped.fill(0);
  }

  copy(other: LineClasses): void {
    this.#numbers.set(other.#numbers);
    this.#flipped.set(other.#flipped);
  }

  /** The line that stands for the class of this one. */
  find(line: number): number {
    let root = line;
    let flips = 0;
    while (this.#parent[root] !== root) {
      flips ^= this.#flipped[root];
      root = this.#parent[root];
    }
    this.opposite = flips;
    return root;
  }

  /** 0 for equal lines, 1 for opposite ones, `apart` when nothing is known of the two. */
  relation(one: number, other: number): number {
    const first = this.find(one);
    const flips = this.opposite;
    return this.find(other) === first ? flips ^ this.opposite : apart;
  }

  /** Joins two lines; `opposite` is 1 when one is the opposite of the other. False when that was known, or is wrong. */
  join(one: number, other: number, opposite: number): boolean {
    let first = this.find(one);
    const flips = this.opposite;
    let second = this.find(other);
    if (first === second) return false;
    const link = flips ^ this.opposite ^ opposite;
    if (this.#size[first] < this.#size[second]) [first, second] = [second, first];
    this.#parent[second] = first;
    this.#flipped[second] = link;
    this.#size[first] += this.#size[second];
    const after = this.next[first];
    this.next[first] = this.next[second];
    this.next[second] = after;
    return true;
  }
}
