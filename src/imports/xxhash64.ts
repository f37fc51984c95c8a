// XXH64 with seed 0 (Yann Collet's xxHash), the checksum inside Zstandard frames, as bytes come. Halves of 32 bits, because
// JavaScript multiplies whole numbers of 64 bits only as BigInt, a hundred times slower.

type Half = number;
/** High and low half. */
type Word = readonly [Half, Half];

const primes: readonly Word[] = [
  [0x9e3779b1, 0x85ebca87],
  [0xc2b2ae3d, 0x27d4eb4f],
  [0x165667b1, 0x9e3779f9],
  [0x85ebca77, 0xc2b2ae63],
  [0x27d4eb2f, 0x165667c5],
];
const [p1, p2, p3, p4, p5] = primes;
const laneBytes = 8;
const stripeBytes = 32;

const sum = ([ah, al]: Word, [bh, bl]: Word): Word => {
  const low = (al >>> 0) + (bl >>> 0);
  return [(ah + bh + (low > 0xffffffff ? 1 : 0)) | 0, low | 0];
};

const product = ([ah, al]: Word, [bh, bl]: Word): Word => {
  const [a0, a1, b0, b1] = [al & 0xffff, al >>> 16, bl & 0xffff, bl >>> 16];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + (middle >>> 16) + (other >>> 16);
  return [(carried + Math.imul(ah, bl) + Math.imul(al, bh)) | 0, Math.imul(al, bl)];
};

const turned = ([high, low]: Word, bits: number): Word => {
  const [h, l] = bits < 32 ? [high, low] : [low, high];
  const by = bits % 32;
  return by === 0 ? [h, l] : [(h << by) | (l >>> (32 - by)), (l << by) | (h >>> (32 - by))];
};

const either = ([ah, al]: Word, [bh, bl]: Word): Word => [ah ^ bh, al ^ bl];
const shifted = ([high, low]: Word, bits: number): Word =>
  bits < 32 ? [high >>> bits, (low >>> bits) | (high << (32 - bits))] : [0, high >>> (bits - 32)];

const round = (lane: Word, input: Word): Word => product(turned(sum(lane, product(input, p2)), 31), p1);
const merged = (hash: Word, lane: Word): Word => sum(product(either(hash, round([0, 0], lane)), p1), p4);

export class XxHash64 {
  /** The last is 0 − p1, in two's complement. */
  readonly #lanes: Word[] = [sum(p1, p2), p2, [0, 0], sum([~p1[0], ~p1[1]], [0, 1])];
  #rest = Buffer.alloc(0);
  #length = 0;

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    const bytes =
      this.#rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([this.#rest, chunk]);
    const whole = bytes.length - (bytes.length % stripeBytes);
    for (let at = 0; at < whole; at += stripeBytes) {
      for (let lane = 0; lane < 4; lane++)
        this.#lanes[lane] = round(this.#lanes[lane], wordAt(bytes, at + lane * laneBytes));
    }
    this.#rest = Buffer.from(bytes.subarray(whole));
  }

  /** The low 32 bits of the hash of everything so far. */
  get low(): number {
    let hash: Word = p5;
    if (this.#length >= stripeBytes) {
      const [a, b, c, d] = this.#lanes;
      hash = sum(sum(turned(a, 1), turned(b, 7)), sum(turned(c, 12), turned(d, 18)));
      for (const lane of this.#lanes) hash = merged(hash, lane);
    }
    hash = sum(hash, [Math.floor(this.#length / 2 ** 32), this.#length | 0]);
    let at = 0;
    for (; at + laneBytes <= this.#rest.length; at += laneBytes)
      hash = sum(product(turned(either(hash, round([0, 0], wordAt(this.#rest, at))), 27), p1), p4);
    if (at + 4 <= this.#rest.length) {
      hash = sum(product(turned(either(hash, product([0, this.#rest.readInt32LE(at)], p1)), 23), p2), p3);
      at += 4;
    }
    for (; at < this.#rest.length; at++) hash = product(turned(either(hash, product([0, this.#rest[at]], p5)), 11), p1);
    hash = product(either(hash, shifted(hash, 33)), p2);
    hash = product(either(hash, shifted(hash, 29)), p3);
    return either(hash, shifted(hash, 32))[1] >>> 0;
  }
}

const wordAt = (bytes: Buffer, at: number): Word => [bytes.readInt32LE(at + 4), bytes.readInt32LE(at)];
