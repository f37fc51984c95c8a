// The inputs of attention that depend on a length alone, made once for each length: masks, block ends, rotary tables.
import type { AttentionKind, DecoderConfig } from "../model/decoder-config.ts";
import { rotaryTables } from "../model/rotary-frequencies.ts";
import type { Feeds, TensorMaker } from "../onnx/session.ts";
import { lengthStep } from "./sequence-runner.ts";

/** Added to a score that must not count: small enough to vanish, large enough to stay finite. */
export const hidden = -1e9;

/** Masks grow with the square of the length; those of long contexts are remade rather than kept. */
const longestKept = 1024;

export class AttentionInputs {
  readonly #config: DecoderConfig;
  readonly #tensors: TensorMaker;
  readonly #tables: Feeds = {};
  readonly #masks = new Map<number, Feeds>();

  constructor(config: DecoderConfig, tensors: TensorMaker) {
    this.#config = config;
    this.#tensors = tensors;
    // Sequences are filled up to a multiple, which may be more than the context.
    const length = Math.ceil(config.contextLength / lengthStep) * lengthStep;
    for (const kind of this.kinds) {
      const { cosines, sines } = rotaryTables(config.rotary[kind], config.headSize, length);
      const shape = [length, config.headSize / 2];
      this.#tables[`cosines:${kind}`] = tensors.float(cosines, shape);
      this.#tables[`sines:${kind}`] = tensors.float(sines, shape);
    }
  }

  get kinds(): ReadonlySet<AttentionKind> {
    return new Set(this.#config.layers);
  }

  get tables(): Feeds {
    return this.#tables;
  }

  forLength(length: number, blocks: number): Feeds {
    const feeds: Feeds = { ...this.#tables, ...this.#masksFor(length) };
    for (let i = 0; i < blocks; i++) {
      feeds[`end:${i}`] = this.#tensors.integers([Math.ceil((length * (i + 1)) / blocks)], [1]);
    }
    return feeds;
  }

  #masksFor(length: number): Feeds {
    const known = this.#masks.get(length);
    if (known !== undefined) return known;
    const masks: Feeds = {};
    for (const kind of this.kinds) {
      const window = kind === "sliding" ? this.#config.slidingWindow : length;
      const mask = new Float32Array(length * length).fill(hidden);
      for (let query = 0; query < length; query++) {
        mask.fill(0, query * length + Math.max(0, query - window + 1), query * length + query + 1);
      }
      masks[`mask:${kind}`] = this.#tensors.float(mask, [length, length]);
    }
    if (length <= longestKept) this.#masks.set(length, masks);
    return masks;
  }
}
