// One copy of a model on one thread: its weights, its gradient, its optimizer, and the sessions that run it. An
// embedded engine has one or several of these and keeps them equal.
import { existsSync } from "node:fs";
import { recoverFolder, writeFolderAtomically } from "../../base/atomic-folder.ts";
import { EngineError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import type { OptimizerStep, Sample, SequenceScores, TokenSequence } from "../engine.ts";
import { loadTokenizer, type ModelTokenizer, type TokenizerFiles, tokenizerFrom } from "../tokenizer.ts";
import {
  isAdapterFolder,
  readAdapters,
  readModel,
  readTrainingState,
  recordCheckpoint,
  writeAdapters,
  writeModel,
  writeTokenizer,
  writeTrainingState,
} from "./checkpoint/model-folder.ts";
import { type Adapters, initialAdapters, mergedParameters } from "./model/adapters.ts";
import { type DecoderConfig, readDecoderConfig } from "./model/decoder-config.ts";
import { initialParameters, type Parameter, type Parameters } from "./model/parameters.ts";
import { trainableSpecs } from "./model/sequence-graphs.ts";
import { type Feeds, type TensorMaker, tensorMaker } from "./onnx/session.ts";
import { type CancelFlag, refuseIfCanceled } from "./replica-thread.ts";
import { AttentionInputs } from "./runtime/attention-inputs.ts";
import { type IndexedRequest, Sampler } from "./runtime/sampler.ts";
import { type PassWeights, SequenceRunner } from "./runtime/sequence-runner.ts";
import {
  type ReplicaPlace,
  type SharedMoments,
  type SharedTensors,
  TrainedTensors,
} from "./runtime/trained-tensors.ts";

export type ReplicaOptions = {
  readonly model:
    | { readonly folder: string }
    | { readonly config: Readonly<Record<string, unknown>>; readonly tokenizer: TokenizerFiles };
  readonly seed: number | string;
  readonly adapters?: Adapters;
  readonly threads: number;
  readonly slots: number;
  /** Alone unless said. */
  readonly place?: ReplicaPlace;
};

type ScoreOptions = { readonly temperature: number; readonly entropies: boolean };

/** Reference models kept in memory beside the live one. */
const frozenKept = 3;

export class Replica {
  readonly config: DecoderConfig;
  readonly tokenizer: ModelTokenizer;
  readonly #adapters: Adapters | undefined;
  readonly #baseFolder: string | undefined;
  readonly #tensors: TensorMaker;
  readonly #parameters: Map<string, Parameter>;
  readonly #feeds: Feeds;
  readonly #trained: TrainedTensors;
  readonly #runner: SequenceRunner;
  /** For references that are whole models while the live one has adapters. */
  readonly #plainRunner: SequenceRunner;
  readonly #sampler: Sampler;
  readonly #frozen = new Map<string, { readonly runner: SequenceRunner; readonly feeds: Feeds }>();
  #steps = 0;
  /** Counts changes of the weights. */
  #version = 0;

  private constructor(
    options: ReplicaOptions,
    model: { config: DecoderConfig; parameters: Map<string, Parameter>; tokenizer: ModelTokenizer },
    tensors: TensorMaker,
  ) {
    const { config, parameters, tokenizer } = model;
    const { adapters, threads } = options;
    this.config = config;
    this.tokenizer = tokenizer;
    this.#adapters = adapters;
    this.#baseFolder = "folder" in options.model ? options.model.folder : undefined;
    this.#tensors = tensors;
    this.#parameters = parameters;
    this.#feeds = this.#feedsOf(parameters);
    const trainable = trainableSpecs(config, adapters).map(({ name }) => parameters.get(name) as Parameter);
    this.#trained = new TrainedTensors(trainable, options.place ?? { index: 0, count: 1, lanes: 1 });
    const attention = new AttentionInputs(config, tensors);
    this.#runner = new SequenceRunner({ config, adapters, threads, tensors, attention });
    this.#plainRunner =
      adapters === undefined ? this.#runner : new SequenceRunner({ config, threads, tensors, attention });
    this.#sampler = new Sampler({ config, adapters, tokenizer, threads, slots: options.slots, tensors, attention });
  }

  static async create(options: ReplicaOptions): Promise<Replica> {
    const random = Random.from(options.seed).child("engine");
    const { model, adapters } = options;
    let config: DecoderConfig;
    let parameters: Map<string, Parameter>;
    let tokenizer: ModelTokenizer;
    if ("folder" in model) {
      await recoverFolder(model.folder);
      tokenizer = await loadTokenizer(model.folder);
      ({ config, parameters } = await readModel(model.folder));
    } else {
      config = readDecoderConfig(model.config, "the model's config");
      tokenizer = tokenizerFrom(model.tokenizer);
      parameters = initialParameters(config, random.child("weights"));
    }
    if (tokenizer.vocabularySize > config.vocabularySize) {
      throw new EngineError(
        `the tokenizer has ${tokenizer.vocabularySize} tokens and the model's vocabulary ${config.vocabularySize}; make the vocabulary at least as large`,
      );
    }
    if (adapters !== undefined) {
      for (const [name, parameter] of initialAdapters(config, adapters, random.child("adapters"))) {
        parameters.set(name, parameter);
      }
    }
    return new Replica(options, { config, parameters, tokenizer }, await tensorMaker());
  }

  /** How many numbers are trained. */
  get trainedCount(): number {
    return this.#trained.size;
  }

  sample(
    next: () => IndexedRequest | undefined,
    done: (index: number, sample: Sample) => void,
    checkpoint: () => void,
  ): Promise<void> {
    const model = { feeds: this.#feeds, version: this.#version, parameters: () => this.#wholeParameters() };
    return this.#sampler.run(model, next, done, checkpoint);
  }

  async score(
    sequences: readonly TokenSequence[],
    options: ScoreOptions & { readonly folder?: string },
    cancel: CancelFlag,
  ): Promise<SequenceScores[]> {
    const { runner, feeds } =
      options.folder === undefined
        ? { runner: this.#runner, feeds: this.#feeds }
        : await this.#frozenModel(options.folder);
    return runner.score(feeds, sequences, { ...options, checkpoint: () => refuseIfCanceled(cancel) });
  }

  async accumulate(
    sequences: readonly TokenSequence[],
    weights: PassWeights,
    options: ScoreOptions & { readonly names: readonly number[]; readonly lane: number },
    cancel: CancelFlag,
  ): Promise<SequenceScores[]> {
    try {
      return await this.#runner.accumulate(this.#feeds, this.#trained.gradients(options.lane), sequences, weights, {
        ...options,
        checkpoint: () => refuseIfCanceled(cancel),
        describe: (i) => `sequence ${options.names[i]} in step ${this.#steps + 1}`,
      });
    } catch (error) {
      this.forgetGradient();
      throw error;
    }
  }

  forgetGradient(): void {
    this.#trained.forgetGradient();
  }

  /** A step begins: gradients go where the other replicas can read them. */
  shareGradient(shared: readonly SharedTensors[]): void {
    this.#trained.shareGradient(shared);
  }

  /** Then everybody adds up the gradient of its own tensors, and gives the sum of squares of each. */
  addUpGradient(shared: readonly SharedTensors[]): Map<number, number> {
    return this.#trained.addUpGradient(shared, this.#steps + 1);
  }

  /** Then it updates them, knowing the norm of the whole. */
  update(optimizer: OptimizerStep, norm: number, target?: SharedTensors): void {
    this.#steps += 1;
    this.#version += 1;
    this.#trained.update(optimizer, this.#steps, norm, target);
  }

  /** And last it takes what the others have updated. */
  takeWeights(source: SharedTensors): void {
    this.#trained.takeWeights(source);
  }

  /** For a checkpoint, which one replica writes: the optimizer's state of the own tensors. */
  shareMoments(shared: SharedMoments): void {
    this.#trained.shareMoments(shared);
  }

  async save(folder: string, shared?: SharedMoments): Promise<void> {
    await writeFolderAtomically(folder, async (fresh) => {
      if (this.#adapters === undefined) await writeModel(fresh, this.config, this.#parameters, this.tokenizer);
      else {
        await writeAdapters(fresh, this.config, this.#adapters, this.#parameters, this.#baseFolder ?? "");
        await writeTokenizer(fresh, this.tokenizer);
      }
      await writeTrainingState(fresh, this.#steps, this.#trained.parameters, this.#trained.moments(shared));
      await recordCheckpoint(fresh);
    });
  }

  /** The whole model with its adapters folded in, without optimizer. */
  async exportModel(folder: string): Promise<void> {
    const parameters = this.#wholeParameters();
    await writeFolderAtomically(folder, async (fresh) => {
      await writeModel(fresh, this.config, parameters, this.tokenizer);
      await recordCheckpoint(fresh);
    });
  }

  async load(folder: string): Promise<void> {
    await recoverFolder(folder);
    if (!existsSync(folder)) throw new EngineError(`there is no checkpoint ${folder}`);
    if (isAdapterFolder(folder) !== (this.#adapters !== undefined)) {
      throw new EngineError(
        `${folder} holds ${this.#adapters === undefined ? "adapters" : "a whole model"}, and this engine trains ${this.#adapters === undefined ? "a whole model" : "adapters"}`,
      );
    }
    const stored = await this.#stored(folder);
    const { parameters } = this.#trained;
    for (const { name, data } of parameters) {
      if (stored.get(name)?.data.length !== data.length) {
        throw new EngineError(`${folder} is of another shape than this model: ${name} differs`);
      }
    }
    for (const { name, data } of parameters) data.set((stored.get(name) as Parameter).data);
    const moments = this.#trained.moments();
    for (const { momentum, variance } of moments.values()) {
      momentum.fill(0);
      variance.fill(0);
    }
    this.forgetGradient();
    this.#steps = await readTrainingState(folder, moments);
    this.#version += 1;
  }

  /** What is loaded must mean here what it meant where it was trained: another scale would be another model. */
  async #stored(folder: string): Promise<Parameters> {
    const own = this.#adapters;
    if (own === undefined) return (await readModel(folder)).parameters;
    const { adapters, parameters } = await readAdapters(folder, this.config);
    const [given, wanted] = [adapters, own].map(({ rank, alpha, targets }) =>
      JSON.stringify({ rank, alpha, targets: [...targets].sort() }),
    );
    if (given === wanted) return parameters;
    throw new EngineError(
      `${folder} holds adapters ${given}, and this engine trains ${wanted}; make it with those as lora`,
    );
  }

  /** Forgets a frozen model whose folder has been written anew. */
  forgetFrozen(folder: string): void {
    this.#frozen.delete(folder);
  }

  async dispose(): Promise<void> {
    await this.#runner.dispose();
    await this.#plainRunner.dispose();
    await this.#sampler.dispose();
  }

  async #frozenModel(folder: string) {
    const known = this.#frozen.get(folder);
    if (known !== undefined) return known;
    await recoverFolder(folder);
    if (!existsSync(folder)) throw new EngineError(`there is no checkpoint ${folder}`);
    const frozen = await this.#readFrozen(folder);
    if (this.#frozen.size >= frozenKept) this.#frozen.delete([...this.#frozen.keys()][0]);
    this.#frozen.set(folder, frozen);
    return frozen;
  }

  async #readFrozen(folder: string) {
    if (!isAdapterFolder(folder)) {
      const { parameters } = await readModel(folder);
      return { runner: this.#plainRunner, feeds: this.#feedsOf(parameters) };
    }
    // Adapters over the same base: folded in, so that any rank can be a reference.
    const { adapters, parameters } = await readAdapters(folder, this.config);
    const base = [...this.#parameters].filter(([name]) => !name.includes(".lora_"));
    const merged = mergedParameters(new Map([...base, ...parameters]), adapters);
    return { runner: this.#plainRunner, feeds: this.#feedsOf(merged) };
  }

  #wholeParameters(): Parameters {
    return this.#adapters === undefined ? this.#parameters : mergedParameters(this.#parameters, this.#adapters);
  }

  #feedsOf(parameters: Parameters): Feeds {
    const feeds: Feeds = {};
    for (const [name, { data, shape }] of parameters) feeds[name] = this.#tensors.float(data, shape);
    return feeds;
  }
}
