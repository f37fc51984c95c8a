// The keys and values of the sequences being decoded. A sequence holds a slot; active slots come first, without holes,
// so that a run sees exactly those. Row 0 of a slot is left at zero: it stands for the token being decoded.
import type { AttentionKind, DecoderConfig } from "../model/decoder-config.ts";
import type { Feeds, TensorMaker } from "../onnx/session.ts";
import { hidden } from "./attention-inputs.ts";

/**
 * Slots hold a multiple of this many rows. Sums over keys run in blocks of at most this many, so the zeros of a longer
 * neighbour's padding change no bit of the result.
 */
const rowStep = 64;

/** Keys and values of every position of a prompt: for each layer, key heads x length x head size. */
export type PromptCache = {
  readonly length: number;
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
};

export class KeyValueCache {
  readonly #config: DecoderConfig;
  readonly #slots: number;
  #rows = 0;
  /** Keys, then values, layer by layer: slots x key heads x rows x head size each. */
  #stores: Float32Array[] = [];
  /** slots x rows each. */
  readonly #masks: Record<AttentionKind, Float32Array> = { full: new Float32Array(), sliding: new Float32Array() };
  readonly #lengths: Int32Array;

  constructor(config: DecoderConfig, slots: number) {
    this.#config = config;
    this.#slots = slots;
    this.#lengths = new Int32Array(slots);
  }

  /** Makes slots as long as `longest` positions need, no longer than they have to be. */
  fit(longest: number): void {
    const rows = Math.ceil((longest + 1) / rowStep) * rowStep;
    // Shrinking by one step is not worth the copy.
    if (rows === this.#rows || (rows < this.#rows && rows + rowStep >= this.#rows)) return;
    const { keyHeads, headSize, layers } = this.#config;
    const kept = Math.min(rows, this.#rows) * headSize;
    this.#stores = Array.from({ length: 2 * layers.length }, (_, i) => {
      const store = new Float32Array(this.#slots * keyHeads * rows * headSize);
      const old = this.#stores[i];
      for (let chunk = 0; old !== undefined && chunk < this.#slots * keyHeads; chunk++) {
        const from = chunk * this.#rows * headSize;
        store.set(old.subarray(from, from + kept), chunk * rows * headSize);
      }
      return store;
    });
    this.#rows = rows;
    for (const kind of ["full", "sliding"] as const) {
      this.#masks[kind] = new Float32Array(this.#slots * rows);
      for (let slot = 0; slot < this.#slots; slot++) this.#unmask(slot);
    }
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

  /** The last active slot takes the place of one that ended. */
  move(from: number, to: number): void {
    if (from === to) return;
    const { keyHeads, headSize } = this.#config;
    const size = this.#rows * headSize;
    const used = (this.#lengths[from] + 1) * headSize;
    for (const store of this.#stores) {
      for (let head = 0; head < keyHeads; head++) {
        const source = (from * keyHeads + head) * size;
        store.copyWithin((to * keyHeads + head) * size, source, source + used);
      }
    }
    this.#lengths[to] = this.#lengths[from];
    this.#unmask(to);
  }

  /** Adds what a decoding step made to every active slot; sources are slots x (key heads · head size). */
  append(active: number, layer: number, keys: Float32Array, values: Float32Array): void {
    const { keyHeads, headSize } = this.#config;
    for (const [offset, source] of [keys, values].entries()) {
      const store = this.#stores[2 * layer + offset];
      for (let slot = 0; slot < active; slot++) {
        for (let head = 0; head < keyHeads; head++) {
          const from = (slot * keyHeads + head) * headSize;
          const to = ((slot * keyHeads + head) * this.#rows + this.#lengths[slot] + 1) * headSize;
          for (let i = 0; i < headSize; i++) store[to + i] = source[from + i];
        }
      }
    }
  }

  /** After every layer has been appended: each active slot is one position longer. */
  advance(active: number): void {
    for (let slot = 0; slot < active; slot++) {
      const length = (this.#lengths[slot] += 1);
      this.#masks.full[slot * this.#rows + length] = 0;
      this.#masks.sliding[slot * this.#rows + length] = 0;
      const left = length - this.#config.slidingWindow;
      if (left >= 0) this.#masks.sliding[slot * this.#rows + left + 1] = hidden;
    }
  }

  feeds(rows: number, kinds: ReadonlySet<AttentionKind>, tensors: TensorMaker): Feeds {
    const { keyHeads, headSize, layers } = this.#config;
    const feeds: Feeds = {};
    for (const kind of kinds) {
      const mask = this.#masks[kind].subarray(0, rows * this.#rows);
      feeds[`mask:${kind}`] = tensors.float(mask, [rows, 1, 1, this.#rows]);
    }
    const shape = [rows, keyHeads, this.#rows, headSize];
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
