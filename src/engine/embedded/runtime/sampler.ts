// Draws responses for many requests at once: prompts are read one at a time, then all responses grow together, and a
// slot whose response has ended goes to the next request.
import { EngineError } from "../../../base/errors.ts";
import { Random } from "../../../base/random.ts";
import { drawToken } from "../../draw-token.ts";
import type { Sample, SampleRequest, Tokenizer } from "../../engine.ts";
import { GrowingSample } from "../../sample-text.ts";
import type { Adapters } from "../model/adapters.ts";
import type { DecoderConfig } from "../model/decoder-config.ts";
import { decodingGraph } from "../model/decoding-graph.ts";
import { promptGraph } from "../model/sequence-graphs.ts";
import { type Feeds, Session, type TensorMaker } from "../onnx/session.ts";
import type { AttentionInputs } from "./attention-inputs.ts";
import { KeyValueCache, type PromptCache } from "./key-value-cache.ts";

export type IndexedRequest = { readonly index: number; readonly request: SampleRequest };

/**
 * A matrix product rounds a row alike in every batch of at least this many rows; smaller ones take other paths. Batches
 * are padded up to it, so that a response does not depend on how many others are drawn with it.
 */
const fewestRows = 16;

type Slot = IndexedRequest & {
  readonly random: Random;
  readonly growing: GrowingSample;
  /** Drawn, but not yet in the cache. */
  token: number;
  position: number;
};

type ReadPrompt = { readonly key: string; readonly cache: PromptCache; readonly logits: Float32Array };

export class Sampler {
  readonly #config: DecoderConfig;
  readonly #tokenizer: Tokenizer;
  readonly #tensors: TensorMaker;
  readonly #attention: AttentionInputs;
  readonly #slots: number;
  readonly #prompting: () => Promise<Session>;
  readonly #decoding: () => Promise<Session>;
  readonly #sessions: Promise<Session>[] = [];

  constructor(options: {
    readonly config: DecoderConfig;
    readonly adapters?: Adapters;
    readonly tokenizer: Tokenizer;
    readonly threads: number;
    readonly slots: number;
    readonly tensors: TensorMaker;
    readonly attention: AttentionInputs;
  }) {
    const { config, adapters, threads } = options;
    this.#config = config;
    this.#tokenizer = options.tokenizer;
    this.#tensors = options.tensors;
    this.#attention = options.attention;
    this.#slots = options.slots;
    this.#prompting = this.#once(() => Session.create(promptGraph({ config, adapters, blocks: 1 }), { threads }));
    this.#decoding = this.#once(() => Session.create(decodingGraph(config, adapters), { threads }));
  }

  /** `next` gives a request whenever a slot is free, or nothing for now; `done` hears of every response. */
  async run(
    weights: Feeds,
    next: () => IndexedRequest | undefined,
    done: (index: number, sample: Sample) => void,
    checkpoint: () => void,
  ): Promise<void> {
    const cache = new KeyValueCache(this.#config, Math.max(this.#slots, fewestRows));
    const active: Slot[] = [];
    let prompt: ReadPrompt | undefined;
    for (;;) {
      checkpoint();
      while (active.length < this.#slots) {
        const indexed = next();
        if (indexed === undefined) break;
        const { request } = indexed;
        const key = request.prompt.join();
        if (prompt?.key !== key) prompt = await this.#read(weights, request, indexed.index);
        const slot: Slot = {
          ...indexed,
          random: Random.from(request.seed),
          growing: new GrowingSample(request, this.#tokenizer, this.#config.contextLength - request.prompt.length),
          token: 0,
          position: request.prompt.length,
        };
        if (!slot.growing.ended) this.#draw(slot, prompt.logits);
        if (slot.growing.ended) done(slot.index, slot.growing.result());
        else {
          cache.fit(Math.max(request.prompt.length + 1, ...active.map(({ position }) => position + 1)));
          cache.start(active.length, prompt.cache);
          active.push(slot);
        }
      }
      if (active.length === 0) return;
      await this.#step(weights, cache, active);
      for (let i = active.length - 1; i >= 0; i--) {
        const slot = active[i];
        if (!slot.growing.ended) continue;
        done(slot.index, slot.growing.result());
        cache.move(active.length - 1, i);
        active[i] = active[active.length - 1];
        active.pop();
      }
    }
  }

  async dispose(): Promise<void> {
    for (const session of this.#sessions.splice(0)) await (await session).dispose();
  }

  async #read(weights: Feeds, request: SampleRequest, index: number): Promise<ReadPrompt> {
    const { prompt } = request;
    if (prompt.length === 0) throw new EngineError(`request ${index} has an empty prompt; give it at least one token`);
    if (prompt.length > this.#config.contextLength) {
      throw new EngineError(
        `the prompt of request ${index} has ${prompt.length} tokens, and the context holds ${this.#config.contextLength}; shorten it`,
      );
    }
    const session = await this.#prompting();
    const layers = this.#config.layers.map((_, layer) => layer);
    const feeds: Feeds = {
      ...weights,
      ...this.#attention.forLength(prompt.length, 1),
      tokens: this.#tensors.int32(Int32Array.from(prompt), [1, prompt.length]),
      selected: this.#tensors.integers([prompt.length - 1], [1]),
    };
    const outputs = await session.run(feeds, [
      "logits",
      ...layers.flatMap((layer) => [`keys:${layer}`, `values:${layer}`]),
    ]);
    return {
      key: prompt.join(),
      logits: outputs.logits.data as Float32Array,
      cache: {
        length: prompt.length,
        keys: layers.map((layer) => outputs[`keys:${layer}`].data as Float32Array),
        values: layers.map((layer) => outputs[`values:${layer}`].data as Float32Array),
      },
    };
  }

  async #step(weights: Feeds, cache: KeyValueCache, active: readonly Slot[]): Promise<void> {
    const session = await this.#decoding();
    const { heads, keyHeads, layers, vocabularySize } = this.#config;
    const rows = Math.max(active.length, fewestRows);
    cache.fit(Math.max(...active.map(({ position }) => position + 1)));
    const tokens = new Int32Array(rows);
    const positions = new Int32Array(rows);
    active.forEach((slot, i) => {
      tokens[i] = slot.token;
      positions[i] = slot.position;
    });
    const outputs = await session.run(
      {
        ...weights,
        ...this.#attention.tables,
        ...cache.feeds(rows, this.#attention.kinds, this.#tensors),
        tokens: this.#tensors.int32(tokens, [rows]),
        positions: this.#tensors.integers(positions, [rows, 1]),
        first: this.#tensors.int32(new Int32Array(rows * heads), [rows, keyHeads, heads / keyHeads, 1]),
      },
      ["logits", ...layers.flatMap((_, layer) => [`keys:${layer}`, `values:${layer}`])],
    );
    layers.forEach((_, layer) => {
      const keys = outputs[`keys:${layer}`].data as Float32Array;
      cache.append(active.length, layer, keys, outputs[`values:${layer}`].data as Float32Array);
    });
    cache.advance(active.length);
    const logits = outputs.logits.data as Float32Array;
    active.forEach((slot, i) => {
      slot.position += 1;
      this.#draw(slot, logits.subarray(i * vocabularySize, (i + 1) * vocabularySize));
    });
  }

  #draw(slot: Slot, logits: Float32Array): void {
    if (!logits.every(Number.isFinite)) {
      throw new EngineError(`the logits of request ${slot.index} are not finite; load an earlier checkpoint`);
    }
    const drawn = drawToken(logits, slot.request, slot.random);
    slot.token = drawn.token;
    slot.growing.add(drawn.token, drawn.logprob, drawn.temperedLogprob);
  }

  #once(make: () => Promise<Session>): () => Promise<Session> {
    let session: Promise<Session> | undefined;
    return () => {
      if (session === undefined) {
        session = make();
        this.#sessions.push(session);
      }
      return session;
    };
  }
}
