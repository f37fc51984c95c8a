// Draws responses for many requests at once: prompts are read one at a time, then all responses grow together, and a
// slot whose response has ended goes to the next request. Responses of about the same length lie on a shelf, which is run by
// itself, because attention costs every row of a run as much as the longest.
import { EngineError } from "../../../base/errors.ts";
import { Random } from "../../../base/random.ts";
import { drawToken, softmaxTemperature, type TokenDistribution, tokenDistribution } from "../../draw-token.ts";
import type { Sample, SampleRequest, Tokenizer } from "../../engine.ts";
import { GrowingSample } from "../../sample-text.ts";
import type { Adapters } from "../model/adapters.ts";
import type { DecoderConfig } from "../model/decoder-config.ts";
import { decodingGraph } from "../model/decoding-graph.ts";
import { type Parameters, weightCount } from "../model/parameters.ts";
import { promptGraph } from "../model/sequence-graphs.ts";
import { type Feeds, Session, type TensorMaker } from "../onnx/session.ts";
import type { AttentionInputs } from "./attention-inputs.ts";
import { KeyValueCache, type PromptCache } from "./key-value-cache.ts";

/** The weights to sample from. */
type SampledModel = {
  /** For graphs that take weights as inputs. */
  readonly feeds: Feeds;
  /** Changes whenever the weights do. */
  readonly version: number;
  /** All weights with adapters folded in. */
  readonly parameters: () => Parameters;
};

/**
 * Up to this many weights, the decoding graph is made anew for every version of them, with the weights laid down in it:
 * the runtime then packs them once and not in every step. Larger models would be held twice.
 */
const maxFrozenWeights = 50_000_000;

export type IndexedRequest = { readonly index: number; readonly request: SampleRequest };

/**
 * A matrix product rounds a row alike in every batch of at least this many rows; smaller ones take other paths. Batches
 * are padded up to it, so that a response does not depend on how many others are drawn with it.
 */
const minRows = 16;

/** Enough to read the weights for; more would put responses of more different lengths together. */
const rowsPerShelf = 32;

/**
 * Products of narrow models are cut among threads in ways that depend on the number of rows, and rounded accordingly;
 * they decode on one thread.
 */
const narrow = 512;

type Slot = IndexedRequest & {
  readonly random: Random;
  readonly growing: GrowingSample;
  /** Drawn, but not yet in the cache. */
  token: number;
  position: number;
  /** Positions that it may come to. */
  readonly longest: number;
};

type Shelf = { readonly cache: KeyValueCache; readonly active: Slot[] };

type ReadPrompt = { readonly key: string; readonly cache: PromptCache; readonly logits: Float32Array };

type SamplerOptions = {
  readonly config: DecoderConfig;
  readonly adapters?: Adapters;
  readonly tokenizer: Tokenizer;
  readonly threads: number;
  readonly slots: number;
  readonly tensors: TensorMaker;
  readonly attention: AttentionInputs;
};

export class Sampler {
  readonly #options: SamplerOptions;
  #prompting: Promise<Session> | undefined;
  #decoding: { readonly session: Promise<Session>; readonly version: number } | undefined;

  constructor(options: SamplerOptions) {
    this.#options = { ...options, threads: options.config.width < narrow ? 1 : options.threads };
  }

  /** `next` gives a request whenever a slot is free, or nothing for now; `done` hears of every response. */
  async run(
    model: SampledModel,
    next: () => IndexedRequest | undefined,
    done: (index: number, sample: Sample) => void,
    checkpoint: () => void,
  ): Promise<void> {
    const { config, tokenizer, slots } = this.#options;
    const shelves: Shelf[] = [];
    const room = Math.min(slots, rowsPerShelf);
    const newShelf = (): Shelf => ({ cache: new KeyValueCache(config, Math.max(room, minRows)), active: [] });
    const growing = () => shelves.reduce((sum, { active }) => sum + active.length, 0);
    let prompt: ReadPrompt | undefined;
    const decoder = await this.#decoder(model);
    for (;;) {
      checkpoint();
      while (growing() < slots) {
        const indexed = next();
        if (indexed === undefined) break;
        const { request } = indexed;
        const key = request.prompt.join();
        if (prompt?.key !== key) prompt = await this.#read(model.feeds, request.prompt);
        const slot: Slot = {
          ...indexed,
          random: Random.from(request.seed),
          growing: new GrowingSample(request, tokenizer, config.contextLength - request.prompt.length),
          token: 0,
          position: request.prompt.length,
          longest: Math.min(request.prompt.length + request.maxTokens, config.contextLength),
        };
        if (!slot.growing.ended) this.#draw(slot, tokenDistribution(prompt.logits, request));
        if (slot.growing.ended) done(slot.index, slot.growing.result());
        else {
          makeRoom(shelves, room, newShelf);
          const { cache, active } = shelves[shelves.length - 1];
          put(shelves[shelves.length - 1], slot);
          cache.start(active.length - 1, prompt.cache);
        }
      }
      putTogether(shelves, room);
      if (shelves.length === 0) return;
      for (const shelf of shelves) {
        await this.#step(decoder, shelf);
        for (let i = shelf.active.length - 1; i >= 0; i--) {
          const slot = shelf.active[i];
          if (!slot.growing.ended) continue;
          done(slot.index, slot.growing.result());
          takeOff(shelf, i);
        }
      }
    }
  }

  async dispose(): Promise<void> {
    await (await this.#prompting)?.dispose();
    await (await this.#decoding?.session)?.dispose();
  }

  async #read(weights: Feeds, prompt: readonly number[]): Promise<ReadPrompt> {
    const { config, adapters, threads, tensors, attention } = this.#options;
    this.#prompting ??= Session.create(promptGraph({ config, adapters, blocks: 1 }), { threads });
    const session = await this.#prompting;
    const layers = config.layers.map((_, layer) => layer);
    const feeds: Feeds = {
      ...weights,
      ...attention.forLength(prompt.length, 1),
      tokens: tensors.int32(Int32Array.from(prompt), [1, prompt.length]),
      selected: tensors.integers([prompt.length - 1], [1]),
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

  async #step({ session, weights }: Decoder, { cache, active }: Shelf): Promise<void> {
    const { config, tensors, attention } = this.#options;
    const { heads, keyHeads, vocabularySize } = config;
    const rows = Math.max(active.length, minRows);
    cache.fit(Math.max(...active.map(({ position }) => position + 1)));
    const tokens = new Int32Array(rows);
    const positions = new Int32Array(rows);
    const inverseTemperatures = new Float32Array(rows).fill(1);
    active.forEach((slot, i) => {
      tokens[i] = slot.token;
      positions[i] = slot.position;
      inverseTemperatures[i] = 1 / softmaxTemperature(slot.request);
    });
    const outputs = await session.run(
      {
        ...weights,
        ...attention.tables,
        ...cache.feeds(rows, attention.kinds, tensors),
        tokens: tensors.int32(tokens, [rows]),
        positions: tensors.integers(positions, [rows, 1]),
        inverseTemperatures: tensors.float(inverseTemperatures, [rows, 1]),
        first: tensors.int32(new Int32Array(rows * heads), [rows, keyHeads, heads / keyHeads, 1, 1]),
      },
      ["probabilities", "temperedTotals", "plainTotals", "added"],
    );
    cache.append(active.length, outputs.added.data as Float32Array);
    const [probabilities, temperedTotals, plainTotals] = ["probabilities", "temperedTotals", "plainTotals"].map(
      (name) => outputs[name].data as Float32Array,
    );
    active.forEach((slot, i) => {
      slot.position += 1;
      this.#draw(slot, {
        probabilities: probabilities.subarray(i * vocabularySize, (i + 1) * vocabularySize),
        temperedTotal: temperedTotals[i],
        plainTotal: plainTotals[i],
      });
    });
  }

  #draw(slot: Slot, distribution: TokenDistribution): void {
    try {
      const drawn = drawToken(distribution, slot.request, slot.random);
      slot.token = drawn.token;
      slot.growing.add(drawn.token, drawn.logprob, drawn.temperedLogprob);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new EngineError(`request ${slot.index}: ${error.message}; load an earlier checkpoint`);
    }
  }

  async #decoder(model: SampledModel): Promise<Decoder> {
    const { config, adapters, threads } = this.#options;
    const frozen = weightCount(config) <= maxFrozenWeights;
    if (this.#decoding === undefined || (frozen && this.#decoding.version !== model.version)) {
      await (await this.#decoding?.session)?.dispose();
      const graph = decodingGraph(config, frozen ? { frozen: model.parameters() } : { adapters });
      this.#decoding = { session: Session.create(graph, { threads }), version: model.version };
    }
    return { session: await this.#decoding.session, weights: frozen ? {} : model.feeds };
  }
}

type Decoder = { readonly session: Session; readonly weights: Feeds };

// ---- Shelves, the longest responses first ----------------------------------------------------------------------------

/** Room on the last shelf: where it is full, the longest of each shelf moves to the one before, up to a shelf with room. */
function makeRoom(shelves: Shelf[], room: number, newShelf: () => Shelf): void {
  const free = shelves.findLastIndex(({ active }) => active.length < room);
  if (free === -1) shelves.push(newShelf());
  else for (let i = free; i + 1 < shelves.length; i++) moveLongest(shelves[i + 1], shelves[i]);
}

/** Neighbors that fit on one shelf are put there if one of them does not fill a run. */
function putTogether(shelves: Shelf[], room: number): void {
  for (let i = shelves.length - 1; i >= 0; i--) {
    const [shelf, before] = [shelves[i], shelves[i - 1]];
    const few = Math.min(shelf.active.length, before?.active.length ?? 0) < minRows;
    if (before !== undefined && few && shelf.active.length + before.active.length <= room)
      while (shelf.active.length > 0) moveLongest(shelf, before);
    if (shelf.active.length === 0) shelves.splice(i, 1);
  }
}

function moveLongest(from: Shelf, to: Shelf): void {
  const longest = from.active.reduce((best, { position }, i) => (position > from.active[best].position ? i : best), 0);
  put(to, from.active[longest]);
  to.cache.take(to.active.length - 1, longest, from.cache);
  takeOff(from, longest);
}

/** A place at the end, which the caller fills. */
function put({ cache, active }: Shelf, slot: Slot): void {
  active.push(slot);
  cache.reserve(slot.longest);
  cache.fit(Math.max(...active.map(({ position }) => position + 1)));
}

/** The last one takes the place of the one that goes. */
function takeOff({ cache, active }: Shelf, place: number): void {
  const last = active.length - 1;
  if (place !== last) cache.take(place, last);
  active[place] = active[last];
  active.pop();
  cache.release(active.length);
}
