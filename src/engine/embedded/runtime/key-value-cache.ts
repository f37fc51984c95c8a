// The keys and values of the sequences being decoded. A sequence holds a slot; active slots come first, without holes,
// so that a run sees exactly those. Row 0 of a slot is left at zero: it stands for the token being decoded.
import type { AttentionKind, DecoderConfig } from "../model/decoder-config.ts";
import type { Feeds, TensorMaker } from "../onnx/session.ts";
import { hidden } from "./attention-inputs.ts";

/**
 * Slots hold a multiple of this many rows. Sums over keys run in blocks of at most this many, so the zeros of a longer
 * neighbor's padding change no bit of the result.
 */
const rowStep = 32;

/** Keys and values of every position of a prompt: for each layer, key heads x length x head size. */
export type PromptCache = {
  readonly length: number;
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
};

const rowsFor = (positions: number) => Math.ceil((positions + 1) / rowStep) * rowStep;

export class KeyValueCache {
  readonly #config: DecoderConfig;
  readonly #slots: number;
  #rows = 0;
  /** Keys, then values, layer by layer: slots x key heads x rows x head size each. */
  #stores: readonly Float32Array[] = [];
  /** slots x rows each. */
  readonly #masks: Record<AttentionKind, Float32Array> = { full: new Float32Array(), sliding: new Float32Array() };
  readonly #lengths: Int32Array;

  constructor(config: DecoderConfig, slots: number) {
    this.#config = config;
    this.#slots = slots;
    this.#lengths = new Int32Array(slots);
  }

  /** Room for sequences of up to `longest` positions. The system gives the memory only as they grow into it. */
  reserve(longest: number): void {
    const { keyHeads, headSize, layers } = this.#config;
    const size = this.#slots * keyHeads * rowsFor(longest) * headSize;
    const [first] = this.#stores;
    if (first !== undefined && first.length >= size) return;
    const used = this.#slots * keyHeads * this.#rows * headSize;
    this.#stores = Array.from({ length: 2 * layers.length }, (_, i) => {
      const store = new Float32Array(size);
      if (used > 0) store.set(this.#stores[i].subarray(0, used));
      return store;
    });
  }

  /** Makes slots as long as `longest` positions need, no longer than they have to be. */
  fit(longest: number): void {
    const rows = rowsFor(longest);
    // Shrinking by one step is not worth the copy.
    if (rows === this.#rows || (rows < this.#rows && rows + rowStep >= this.#rows)) return;
    const { keyHeads, headSize } = this.#config;
    const chunks = Array.from({ length: this.#slots * keyHeads }, (_, chunk) => chunk);
    // Chunks move apart from the last to the first, and together from the first to the last, so none is overwritten.
    if (rows > this.#rows) chunks.reverse();
    const kept = Math.min(rows, this.#rows) * headSize;
    for (const store of this.#stores) {
      for (const chunk of chunks) {
        const from = chunk * this.#rows * headSize;
        const to = chunk * rows * headSize;
        if (this.#lengths[Math.floor(chunk / keyHeads)] > 0) store.copyWithin(to, from, from + kept);
        // Row 0 is that of the new token, and stays zero.
        store.fill(0, to, to + headSize);
      }
    }
    this.#rows = rows;
    for (const kind of ["full", "sliding"] as const) {
      this.#masks[kind] = new Float32Array(this.#slots * rows);
      for (let slot = 0; slot < this.#slots; slot++) this.#unmask(slot);
    }
  }

  /** The slots from `active` on hold nothing any more. */
  release(active: number): void {
    this.#lengths.fill(0, active);
  }

  /** A slot that begins with a prompt's positions. */
  start(slot: number, prompt: PromptCache): void {
    const { keyHeads, headSize } = this.#config;
    const length = prompt.length * headSize;
    const layers = prompt.keys.flatMap((keys, layer) => [keys, prompt.values[layer]]);
    layers.forEach((source, i) => {
      for (let head = 0; head < keyHeads; head++) {
        const to = ((slot * keyHeads + head) * this.#rows + 1) * headSize;
        this.#stores[i].set(source.subarray(head * length, (head + 1) * length), to);
      }
    });
    this.#lengths[slot] = prompt.length;
    this.#unmask(slot);
  }

  /** A slot takes over what another one holds, of this cache or of another. */
  take(to: number, from: number, source: KeyValueCache = this): void {
    const { keyHeads, headSize } = this.#config;
    const length = source.#lengths[from];
    this.#stores.forEach((store, i) => {
      for (let head = 0; head < keyHeads; head++) {
        const start = (from * keyHeads + head) * source.#rows * headSize;
        const held = source.#stores[i].subarray(start, start + (length + 1) * headSize);
        store.set(held, (to * keyHeads + head) * this.#rows * headSize);
      }
    });
    this.#lengths[to] = length;
    this.#unmask(to);
  }

  /**
   * Adds what a decoding step made to every active slot, which becomes one position longer. `added` holds for each slot
   * the keys of all heads, then the values, of the first layer, then of the next.
   */
  append(active: number, added: Float32Array): void {
    const { keyHeads, headSize, slidingWindow } = this.#config;
    let from = 0;
    for (let slot = 0; slot < active; slot++) {
      const length = this.#lengths[slot] + 1;
      for (const store of this.#stores) {
        for (let head = 0; head < keyHeads; head++) {
          const to = ((slot * keyHeads + head) * this.#rows + length) * headSize;
          for (let i = 0; i < headSize; i++) store[to + i] = added[from + i];
          from += headSize;
        }
      }
      this.#lengths[slot] = length;
      this.#masks.full[slot * this.#rows + length] = 0;
      this.#masks.sliding[slot * this.#rows + length] = 0;
      const left = length - slidingWindow;
      if (left >= 0) this.#masks.sliding[slot * this.#rows + left + 1] = hidden;
    }
  }

  feeds(rows: number, kinds: ReadonlySet<AttentionKind>, tensors: TensorMaker): Feeds {
    const { keyHeads, headSize, layers } = this.#config;
    const feeds: Feeds = {};
    for (const kind of kinds) {
      const mask = this.#masks[kind].subarray(0, rows * this.#rows);
      feeds[`mask:${kind}`] = tensors.float(mask, [rows, 1, 1, 1, this.#rows]);
    }
    const shape = [rows, keyHeads, 1, this.#rows, headSize];
    const size = rows * keyHeads * this.#rows * headSize;
    for (let layer = 0; layer < layers.length; layer++) {
      feeds[`cachedKeys:${layer}`] = tensors.float(this.#stores[2 * layer].subarray(0, size), shape);
      feeds[`cachedValues:${layer}`] = tensors.float(this.#stores[2 * layer + 1].subarray(0, size), shape);
    }
    return feeds;
  }

  /** The token about to be decoded has position `length`, and sees the window before it and itself (row 0). */
  #unmask(slot: number): void {
    const length = this.#lengths[slot];
    for (const kind of ["full", "sliding"] as const) {
      const mask = this.#masks[kind].subarray(slot * this.#rows, (slot + 1) * this.#rows);
      const first = kind === "full" ? 0 : Math.max(0, length - this.#config.slidingWindow + 1);
      mask.fill(hidden);
      mask[0] = 0;
      mask.fill(0, first + 1, length + 1);
    }
  }
}
