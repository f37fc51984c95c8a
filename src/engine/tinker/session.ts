// A client's session on a Tinker server: kept alive by its heartbeat, it makes models and opens sampling sessions.
import { DataError } from "../../base/errors.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { type ModelOptions, TrainingModel } from "./training-model.ts";

export type ServedModel = { readonly name: string; readonly contextLength?: number };

export type SampleReply = {
  readonly sequences: readonly {
    readonly tokens: readonly number[];
    readonly logprobs: readonly number[];
    /** Ours alone. */
    readonly temperedLogprobs?: readonly number[];
    readonly stopped: boolean;
  }[];
  readonly promptLogprobs?: readonly (number | null)[];
};

/** Some servers insist on a client version that they know. */
const clientVersion = "0.24.1";
const heartbeatSeconds = 10;

export class Session {
  readonly connection: Connection;
  readonly #id: string;
  readonly #heartbeat: NodeJS.Timeout;
  #models = 0;
  #samplers = 0;
  #samples = 0;

  private constructor(connection: Connection, id: string) {
    this.connection = connection;
    this.#id = id;
    this.#heartbeat = setInterval(() => {
      // A missed beat is found out by the next request, which has retries of its own.
      connection.post("session_heartbeat", { session_id: id }).catch(() => {});
    }, heartbeatSeconds * 1000);
    this.#heartbeat.unref();
  }

  static async open(options: ConnectionOptions): Promise<Session> {
    const connection = new Connection(options);
    try {
      await connection.authenticate(clientVersion);
      const body = { tags: [], user_metadata: null, sdk_version: clientVersion, type: "create_session" };
      const { session_id: id } = (await connection.post("create_session", body)) as { session_id?: unknown };
      if (typeof id !== "string") throw new DataError(`${connection.url} opened a session without a session_id`);
      return new Session(connection, id);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async servedModels(): Promise<ServedModel[]> {
    const { supported_models: models = [] } = (await this.connection.get("get_server_capabilities")) as {
      supported_models?: { model_name: string; max_context_length?: number }[];
    };
    return models.map(({ model_name: name, max_context_length: contextLength }) => ({ name, contextLength }));
  }

  createModel(options: Omit<ModelOptions, "session" | "number">): Promise<TrainingModel> {
    this.#models += 1;
    return TrainingModel.create(this.connection, { ...options, session: this.#id, number: this.#models });
  }

  /** On the weights of a model as they are now. */
  samplingSessionOf(model: TrainingModel): Promise<string> {
    this.#samplers += 1;
    return model.samplingSession(this.#samplers);
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
    const { sampling_session_id: id } = (await this.connection.post("create_sampling_session", body)) as {
      sampling_session_id?: unknown;
    };
    if (typeof id !== "string") throw new DataError("the server opened a sampling session without an id");
    return id;
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
    return sampleReply((await pending.result(options.signal)).json ?? {});
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.connection.close();
  }
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
