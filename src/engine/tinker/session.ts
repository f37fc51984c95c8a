// A client's session on a Tinker server: kept alive by its heartbeat, it makes models and opens sampling sessions.
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ConfigurationError, DataError } from "../../base/errors.ts";
import type { Tokenizer } from "../engine.ts";
import { Connection, type ConnectionOptions, LostRequestError, RefusedRequestError, textIn } from "./connection.ts";
import { readSampleResponse, type SampleReply } from "./protobuf.ts";
import { isTaken, type ModelOptions, TrainingModel } from "./training-model.ts";

/** A model as an engine asks for it. */
export type ModelRequest = Omit<ModelOptions, "session" | "number">;

export type ServedModel = { readonly name: string; readonly contextLength?: number };

const capabilitiesSchema = z.object({
  supported_models: z
    .array(z.object({ model_name: z.string(), max_context_length: z.number().nullish() }))
    .nullish()
    .transform((models) => models ?? []),
  /** torch-engine's own: a text and what its tokenizer makes of it. */
  reads: z.object({ text: z.string(), tokens: z.array(z.number()) }).nullish(),
});

/** Some servers insist on a client version that they know; this one sends and reads protobuf as we do. */
export const clientVersion = "0.25.0";
const heartbeatSeconds = 10;
/** Places of models whose client is gone come free after some minutes; until then a newcomer waits. */
const slotPauseSeconds = 5;
const noRoom = /maximum number of|too many (models|adapters)|no (free|available) (slot|adapter)/i;

export class Session {
  readonly connection: Connection;
  readonly #id: string;
  readonly #options: ConnectionOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #models = 0;
  #samplers = 0;
  #samples = 0;

  private constructor(connection: Connection, id: string, options: ConnectionOptions) {
    this.connection = connection;
    this.#id = id;
    this.#options = options;
    this.#heartbeat = setInterval(() => {
      // A missed beat is found out by the next request, which has retries of its own.
      connection.post("session_heartbeat", { session_id: id, type: "session_heartbeat" }).catch(() => {});
    }, heartbeatSeconds * 1000);
    this.#heartbeat.unref();
  }

  static async open(options: ConnectionOptions): Promise<Session> {
    const connection = new Connection(options);
    try {
      await connection.authenticate(clientVersion);
      const body = { tags: [], user_metadata: null, sdk_version: clientVersion, type: "create_session" };
      return new Session(connection, textIn(await connection.post("create_session", body), "session_id"), options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async servedModels(): Promise<ServedModel[]> {
    const { supported_models: models } = await this.#capabilities();
    return models.map(({ model_name: name, max_context_length: longest }) => ({
      name,
      contextLength: longest ?? undefined,
    }));
  }

  /** Another model's tokens mean something else, and nothing would say so. Servers that do not tell how theirs reads are believed. */
  async checkTokenizer(tokenizer: Tokenizer): Promise<void> {
    const { reads, supported_models: models } = await this.#capabilities();
    if (reads == null || isDeepStrictEqual([...tokenizer.encode(reads.text)], reads.tokens)) return;
    const served = models.map(({ model_name: name }) => name).join(", ");
    throw new ConfigurationError(
      `${this.connection.url} serves ${served}, which has another tokenizer than the model's folder given here; give the folder of the model that is served, or the address of the server that has this one`,
    );
  }

  async #capabilities() {
    return capabilitiesSchema.parse(await this.connection.get("get_server_capabilities"));
  }

  /** Waits for a place where all are taken, as long as for a server that does not answer. */
  async createModel(options: ModelRequest): Promise<TrainingModel> {
    const { patienceSeconds, signal, emit } = this.#options;
    for (let waited = 0; ; waited += slotPauseSeconds) {
      this.#models += 1;
      try {
        return await TrainingModel.create(this.connection, { ...options, session: this.#id, number: this.#models });
      } catch (error) {
        if (!(error instanceof RefusedRequestError)) throw error;
        if (/lora rank/i.test(error.message)) throw rankRefused(options.loraRank, error);
        if (!noRoom.test(error.message) || waited >= patienceSeconds) throw error;
        if (waited === 0)
          emit?.(
            `${this.connection.url} has no room for another model; waiting up to ${patienceSeconds} s for one to go ` +
              "(those of a client that was killed go after some minutes)",
          );
        await pause(slotPauseSeconds * 1000, undefined, { signal });
      }
    }
  }

  /**
   * Some servers leave the gradient of a model that was given up between backward and step in its place, for the next one
   * there. A model that takes one step of rate 0 and goes away leaves the place clean.
   */
  async clearPlace(options: ModelRequest): Promise<void> {
    const model = await this.createModel(options);
    const adam = { learningRate: 0, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, maxGradientNorm: 0 };
    await model.step(adam);
    await model.unload();
  }

  /** On the weights of a model as they are now. */
  async samplingSessionOf(model: TrainingModel): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      this.#samplers += 1;
      try {
        return await model.samplingSession(this.#samplers);
      } catch (error) {
        // The answer was lost on its way: what it opened is not known to us, another one is.
        if (!isTaken(error) || attempt === 3) throw error;
      }
    }
  }

  /** Whether the server still has this session; a restarted one may not. */
  async isKnown(): Promise<boolean> {
    try {
      await this.connection.post("session_heartbeat", { session_id: this.#id, type: "session_heartbeat" });
      return true;
    } catch (error) {
      if (error instanceof LostRequestError) return false;
      throw error;
    }
  }

  /** On saved weights, or on a model as the server has it. */
  async samplingSessionOn(weights: string | { readonly baseModel: string }): Promise<string> {
    this.#samplers += 1;
    const body = {
      session_id: this.#id,
      sampling_session_seq_id: this.#samplers,
      ...(typeof weights === "string" ? { model_path: weights } : { base_model: weights.baseModel }),
      type: "create_sampling_session",
    };
    return textIn(await this.connection.post("create_sampling_session", body), "sampling_session_id");
  }

  async sample(
    samplingSession: string,
    prompt: readonly number[],
    parameters: object,
    options: { readonly promptLogprobs?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<SampleReply> {
    this.#samples += 1;
    const json = {
      sampling_session_id: samplingSession,
      seq_id: this.#samples,
      num_samples: 1,
      prompt: { chunks: [{ type: "encoded_text", tokens: prompt }] },
      sampling_params: parameters,
      prompt_logprobs: options.promptLogprobs ?? false,
      topk_prompt_logprobs: 0,
      type: "sample",
    };
    const pending = await this.connection.submit("asample", { json }, options.signal);
    const { protobuf, json: answer } = await pending.result(options.signal);
    return protobuf === undefined ? sampleReply(answer ?? {}) : readSampleResponse(protobuf);
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.connection.close();
  }
}

function rankRefused(rank: number, { message }: Error): ConfigurationError {
  return new ConfigurationError(
    `the server takes no adapters of rank ${rank} (${message}); give another --lora-rank, or start the server with room for it: ` +
      `SkyRL's JAX backend by --backend-config '{"max_lora_rank":${Math.max(rank, 1)}}'`,
  );
}

type ServerSequence = {
  readonly tokens: number[];
  readonly logprobs?: number[] | null;
  readonly tempered_logprobs?: number[];
  readonly stop_reason: string;
};

function sampleReply(json: Record<string, unknown>): SampleReply {
  const { sequences, prompt_logprobs: promptLogprobs } = json as {
    sequences?: ServerSequence[];
    prompt_logprobs?: (number | null)[] | null;
  };
  if (!Array.isArray(sequences)) throw new DataError("the server's sample has no sequences");
  return {
    sequences: sequences.map(({ tokens, logprobs, tempered_logprobs: temperedLogprobs, stop_reason: reason }) => ({
      tokens,
      logprobs: logprobs ?? tokens.map(() => Number.NaN),
      temperedLogprobs,
      stopped: reason === "stop",
    })),
    promptLogprobs: promptLogprobs ?? undefined,
  };
}
