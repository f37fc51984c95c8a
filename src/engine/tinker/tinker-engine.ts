// The engine contract over the Tinker protocol: weights live on a server, the algorithm stays here. Custom objectives go
// as "log-probs out, weights back": cross-entropy with our weights has exactly the gradient of the objective.
import { EngineError } from "../../base/errors.ts";
import {
  defaultOptimizer,
  type Engine,
  type OptimizerStep,
  type Sample,
  type SampleRequest,
  type ScoringOptions,
  type SequenceScores,
  type Tokenizer,
  type TokenSequence,
  type WeightedSequence,
} from "../engine.ts";
import { type Capabilities, capabilities, type ServerKind } from "./capabilities.ts";
import { Connection, type Future } from "./connection.ts";
import { type Datum, type ForwardBackwardOutput, readForwardBackwardOutput, writeForwardBackward } from "./protobuf.ts";

export type TinkerEngineOptions = {
  readonly url: string;
  readonly key?: string;
  readonly kind: ServerKind;
  readonly baseModel: string;
  /** 0 trains all weights, on servers that can. */
  readonly loraRank: number;
  readonly loraAlpha?: number;
  readonly seed: number;
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly patienceSeconds?: number;
};

/** A request holds at most this many sequences and about this many bytes. */
const largestChunk = { sequences: 1024, bytes: 5_000_000 };
const bytesPerToken = 16;
const samplesInFlight = 256;
const heartbeatSeconds = 10;

export class TinkerEngine implements Engine {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly #options: TinkerEngineOptions;
  readonly #connection: Connection;
  readonly #can: Capabilities;
  #session = "";
  #model = "";
  #sequence = 0;
  #modelsMade = 0;
  #samplersMade = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  /** The sampling session on the live weights, while they have not changed. */
  #sampler: string | undefined;
  readonly #frozen = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  #accumulated = 0;
  #disposed = false;

  private constructor(options: TinkerEngineOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    this.#can = capabilities[options.kind];
    this.tokenizer = options.tokenizer;
    this.contextLength = options.contextLength;
  }

  static async connect(options: TinkerEngineOptions): Promise<TinkerEngine> {
    const { url, key, patienceSeconds = 120 } = options;
    const connection = new Connection({ url: url.replace(/\/$/, ""), key, patienceSeconds, clientVersion });
    const engine = new TinkerEngine(options, connection);
    const made = (await connection.post("create_session", {
      tags: [],
      user_metadata: null,
      sdk_version: clientVersion,
      type: "create_session",
    })) as { session_id: string };
    engine.#session = made.session_id;
    engine.#heartbeat = setInterval(() => {
      // A missed beat is found out by the next request, which has retries of its own.
      connection.post("session_heartbeat", { session_id: engine.#session }).catch(() => {});
    }, heartbeatSeconds * 1000);
    engine.#heartbeat.unref();
    await engine.#createModel();
    return engine;
  }

  async #createModel(): Promise<void> {
    const { baseModel, loraRank, loraAlpha, seed } = this.#options;
    this.#modelsMade += 1;
    const future = await this.#connection.post("create_model", {
      session_id: this.#session,
      model_seq_id: this.#modelsMade,
      base_model: baseModel,
      lora_config: { rank: loraRank, alpha: loraAlpha, seed, train_unembed: true, train_mlp: true, train_attn: true },
      type: "create_model",
    });
    const { json } = await this.#connection.result(future as Future, "create_model");
    this.#model = (json as { model_id: string }).model_id;
    this.#sequence = 0;
    this.#sampler = undefined;
  }

  // ---- Sampling ----------------------------------------------------------------------------------------------------

  async sample(
    requests: readonly SampleRequest[],
    options: { readonly signal?: AbortSignal; readonly onSample?: (index: number, sample: Sample) => void } = {},
  ): Promise<Sample[]> {
    this.#use(options.signal);
    const empty = requests.findIndex(({ prompt }) => prompt.length === 0);
    if (empty !== -1) throw new EngineError(`request ${empty} has an empty prompt; give it one token`);
    const session = await this.#liveSampler();
    const samples = new Array<Sample>(requests.length);
    await inParallel(requests, samplesInFlight, async (request, index) => {
      const reply = await this.#asample(
        session,
        request.prompt,
        {
          max_tokens: request.maxTokens,
          temperature: request.temperature,
          top_p: request.topP ?? 1,
          top_k: request.topK ?? -1,
          seed: request.seed,
          stop: request.stopTokens ?? [this.tokenizer.endOfText],
        },
        false,
        options.signal,
      );
      samples[index] = this.#sampleOf(reply.sequences[0], request);
      options.onSample?.(index, samples[index]);
    });
    return samples;
  }

  #sampleOf(sequence: ServerSequence, request: SampleRequest): Sample {
    const { tokens, logprobs, tempered_logprobs: tempered } = sequence;
    const stop = request.stopTokens ?? [this.tokenizer.endOfText];
    const spoken = stop.includes(tokens[tokens.length - 1]) ? tokens.slice(0, -1) : tokens;
    return {
      tokens,
      text: this.tokenizer.decode(spoken),
      logprobs,
      temperedLogprobs: tempered ?? logprobs,
      finish: sequence.stop_reason === "stop" ? "stop" : "length",
    };
  }

  async #liveSampler(): Promise<string> {
    if (this.#sampler === undefined) {
      this.#samplersMade += 1;
      const reply = await this.#queued("save_weights_for_sampler", { sampling_session_seq_id: this.#samplersMade });
      this.#sampler = (reply as { sampling_session_id: string }).sampling_session_id;
    }
    return this.#sampler;
  }

  async #asample(
    session: string,
    prompt: readonly number[],
    parameters: object,
    promptLogprobs: boolean,
    signal?: AbortSignal,
  ): Promise<ServerSample> {
    const body = {
      sampling_session_id: session,
      num_samples: 1,
      prompt: { chunks: [{ type: "encoded_text", tokens: prompt }] },
      sampling_params: parameters,
      prompt_logprobs: promptLogprobs,
      topk_prompt_logprobs: 0,
      type: "sample",
    };
    const future = await this.#connection.post("asample", body, { "x-tinker-sampling-backpressure": "1" });
    const { json } = await this.#connection.result(future as Future, "sample", signal);
    return json as ServerSample;
  }

  // ---- Scoring and training ----------------------------------------------------------------------------------------

  async logprobs(
    sequences: readonly TokenSequence[],
    options: ScoringOptions & { readonly checkpoint?: string } = {},
  ): Promise<SequenceScores[]> {
    this.#use(options.signal);
    if (options.checkpoint !== undefined) return this.#frozenLogprobs(sequences, options.checkpoint, options);
    const zeros = sequences.map(({ tokens, promptLength }) => new Float32Array(tokens.length - promptLength));
    return this.#pass(
      sequences.map((sequence, i) => ({ ...sequence, weights: zeros[i] })),
      options,
      true,
    );
  }

  async accumulate(
    batch: readonly WeightedSequence[],
    options: ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] } = {},
  ): Promise<SequenceScores[]> {
    this.#use(options.signal);
    for (const [i, { tokens, promptLength, weights }] of batch.entries()) {
      const expected = tokens.length - promptLength;
      if (weights.length !== expected)
        throw new EngineError(`sequence ${i} has ${expected} response tokens but ${weights.length} weights`);
    }
    this.#accumulated += batch.length;
    return this.#pass(batch, options, false);
  }

  async #pass(
    batch: readonly WeightedSequence[],
    options: ScoringOptions & { readonly entropyWeights?: readonly ArrayLike<number>[] },
    forwardOnly: boolean,
  ): Promise<SequenceScores[]> {
    const { extendedScoring } = this.#can;
    const temperature = options.temperature ?? 1;
    if (!extendedScoring && options.entropyWeights !== undefined) {
      throw new EngineError(
        `a ${this.#options.kind} server gives no gradient of the entropy; use the sampled-token form`,
      );
    }
    const lossOptions: Record<string, number> = {};
    if (extendedScoring && temperature !== 1) lossOptions.temperature = temperature;
    if (extendedScoring && options.entropies) lossOptions.entropies = 1;
    const data = batch.map((sequence, i) => this.#datum(sequence, options.entropyWeights?.[i]));
    const scores: SequenceScores[] = [];
    // Chunks of one pass follow each other in the server's queue; their gradients add up until the step.
    for (const chunk of chunksOf(data)) {
      const output = await this.#forwardBackward(chunk, lossOptions, forwardOnly, options.signal);
      for (const [i, { logprobs, entropies }] of output.outputs.entries()) {
        const { promptLength } = batch[scores.length];
        const first = promptLength - 1;
        if (logprobs.length !== chunk[i].tokens.length) {
          throw new EngineError(
            `the server returned ${logprobs.length} log-probs for ${chunk[i].tokens.length} tokens`,
          );
        }
        scores.push({
          logprobs: logprobs.slice(first),
          entropies: options.entropies ? entropies?.slice(first) : undefined,
        });
      }
    }
    return scores;
  }

  /** Shifted by one: the model reads all tokens but the last and is asked for all but the first. */
  #datum({ tokens, promptLength, weights }: WeightedSequence, entropyWeights?: ArrayLike<number>): Datum {
    const length = tokens.length - 1;
    const padded = (values: ArrayLike<number>) => {
      const all = new Float32Array(length);
      all.set(Float32Array.from(values), promptLength - 1);
      return all;
    };
    const floats: Record<string, ArrayLike<number>> = { weights: padded(weights) };
    if (entropyWeights !== undefined) floats.entropy_weights = padded(entropyWeights);
    if (this.#can.extendedScoring) floats.scored_from = [promptLength - 1];
    return { tokens: Int32Array.from(tokens.slice(0, -1)), targets: tokens.slice(1), floats };
  }

  async #forwardBackward(
    data: readonly Datum[],
    lossOptions: Record<string, number>,
    forwardOnly: boolean,
    signal?: AbortSignal,
  ): Promise<ForwardBackwardOutput> {
    this.#sequence += 1;
    const body = writeForwardBackward({
      modelId: this.#model,
      sequence: this.#sequence,
      data,
      lossFunction: "cross_entropy",
      lossOptions,
      forwardOnly,
    });
    const future = await this.#connection.postProtobuf("forward_backward", body);
    const { protobuf, json } = await this.#connection.result(future as Future, "forward_backward", signal);
    return protobuf === undefined ? readJsonOutput(json!) : readForwardBackwardOutput(protobuf);
  }

  /** Under a saved checkpoint, by the prompt log-probs of a sampling session that stays open on it. */
  async #frozenLogprobs(
    sequences: readonly TokenSequence[],
    checkpoint: string,
    options: ScoringOptions,
  ): Promise<SequenceScores[]> {
    const session = await this.#frozenSampler(checkpoint);
    const temperature = options.temperature ?? 1;
    if (temperature !== 1 && !this.#can.extendedScoring) {
      throw new EngineError(
        `a ${this.#options.kind} server scores prompts at temperature 1 only; set scoringTemperature to 1`,
      );
    }
    const scores = new Array<SequenceScores>(sequences.length);
    await inParallel(sequences, samplesInFlight, async ({ tokens, promptLength }, index) => {
      const parameters = { max_tokens: 1, prompt_logprobs_temperature: temperature };
      const { prompt_logprobs: all } = await this.#asample(session, tokens, parameters, true, options.signal);
      const first = this.#can.promptLogprobs === "with-first" ? promptLength : promptLength - 1;
      const logprobs = Float32Array.from(all!.slice(first), (value) => value ?? Number.NaN);
      if (logprobs.length !== tokens.length - promptLength || logprobs.some(Number.isNaN)) {
        throw new EngineError(`the server returned ${all!.length} prompt log-probs for ${tokens.length} tokens`);
      }
      scores[index] = { logprobs };
    });
    return scores;
  }

  async #frozenSampler(checkpoint: string): Promise<string> {
    let session = this.#frozen.get(checkpoint);
    if (session === undefined) {
      const reply = (await this.#connection.post("create_sampling_session", {
        session_id: this.#session,
        sampling_session_seq_id: ++this.#samplersMade,
        model_path: this.#paths.get(checkpoint) ?? checkpoint,
        type: "create_sampling_session",
      })) as { sampling_session_id: string };
      session = reply.sampling_session_id;
      this.#frozen.set(checkpoint, session);
    }
    return session;
  }

  async step(optimizer: OptimizerStep): Promise<{ readonly gradientNorm: number }> {
    this.#use();
    if (this.#accumulated === 0) throw new EngineError("nothing was accumulated since the last step");
    const { learningRate, beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...optimizer };
    const reply = (await this.#queued("optim_step", {
      adam_params: {
        learning_rate: learningRate,
        beta1,
        beta2,
        eps: epsilon,
        weight_decay: weightDecay,
        grad_clip_norm: optimizer.maxGradientNorm ?? 0,
      },
    })) as { metrics?: Record<string, number> };
    this.#accumulated = 0;
    this.#sampler = undefined;
    const norm = Object.entries(reply.metrics ?? {}).find(([name]) => /grad(ient)?_?norm/.test(name))?.[1];
    return { gradientNorm: norm ?? Number.NaN };
  }

  // ---- Checkpoints -------------------------------------------------------------------------------------------------

  async save(name: string): Promise<void> {
    this.#use();
    const { path } = (await this.#queued("save_weights", { path: name, overwrite: true })) as { path: string };
    this.#frozen.delete(name);
    this.#paths.set(name, path);
    if (this.#can.samplesFromTrainingWeights) return;
    const sampler = (await this.#queued("save_weights_for_sampler", { path: `${name}-sampler` })) as { path: string };
    this.#paths.set(name, sampler.path);
  }

  /** Servers load weights only into a model that has done nothing yet, so a fresh one takes the old one's place. */
  async load(name: string): Promise<void> {
    this.#use();
    await this.#createModel();
    await this.#queued("load_weights", { path: name, optimizer: true });
    this.#accumulated = 0;
  }

  async #queued(path: string, body: object): Promise<unknown> {
    this.#sequence += 1;
    const future = await this.#connection.post(path, {
      model_id: this.#model,
      seq_id: this.#sequence,
      type: path,
      ...body,
    });
    return (await this.#connection.result(future as Future, path)).json;
  }

  #use(signal?: AbortSignal): void {
    if (this.#disposed) throw new EngineError("this engine has been disposed of; connect again");
    signal?.throwIfAborted();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#heartbeat);
    await this.#connection.close();
  }
}

const clientVersion = "0.24.1";

type ServerSequence = {
  readonly tokens: number[];
  readonly logprobs: number[];
  readonly tempered_logprobs?: number[];
  readonly stop_reason: string;
};
type ServerSample = { readonly sequences: ServerSequence[]; readonly prompt_logprobs?: (number | null)[] | null };

function readJsonOutput(json: Record<string, unknown>): ForwardBackwardOutput {
  const given = json as {
    loss_fn_outputs: Record<string, { data: number[] }>[];
    metrics?: Record<string, number>;
  };
  return {
    outputs: given.loss_fn_outputs.map((output) =>
      Object.fromEntries(Object.entries(output).map(([name, { data }]) => [name, Float32Array.from(data)])),
    ),
    metrics: given.metrics ?? {},
  };
}

function* chunksOf(data: readonly Datum[]): Generator<Datum[]> {
  let chunk: Datum[] = [];
  let bytes = 0;
  for (const datum of data) {
    const size = datum.tokens.length * bytesPerToken;
    if (chunk.length > 0 && (chunk.length === largestChunk.sequences || bytes + size > largestChunk.bytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(datum);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
