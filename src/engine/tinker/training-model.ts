// A model that trains on a server, by the protocol's own verbs: its requests are numbered, one after another.
import { DataError } from "../../base/errors.ts";
import { type Connection, RefusedRequestError, type Result, textIn } from "./connection.ts";
import { type Datum, type ForwardBackwardOutput, readForwardBackwardOutput, writeForwardBackward } from "./protobuf.ts";

export type ModelOptions = {
  readonly session: string;
  /** Which model of the session this is, from 1. */
  readonly number: number;
  readonly baseModel: string;
  /** 0 trains all weights, on servers that can. */
  readonly loraRank: number;
  /** For servers that let a client choose it. */
  readonly loraAlpha?: number;
  readonly seed: number;
  /** Merged weights that the adapter begins on instead of the base model, by their path; torch-engine alone. */
  readonly baseWeights?: string;
};

/** A name that is taken is tried again under others this many times. */
const maxNames = 20;
const unloadingSeconds = 5;

export type Adam = {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** 0 for none. */
  readonly maxGradientNorm: number;
};

export type Pass = {
  readonly data: readonly Datum[];
  readonly lossFunction: "cross_entropy" | "importance_sampling";
  readonly lossOptions?: Readonly<Record<string, number>>;
  /** Log-probs alone, without a gradient. */
  readonly forwardOnly: boolean;
};

export class TrainingModel {
  readonly id: string;
  readonly #connection: Connection;
  #requests = 0;

  private constructor(id: string, connection: Connection) {
    this.id = id;
    this.#connection = connection;
  }

  static async create(connection: Connection, options: ModelOptions): Promise<TrainingModel> {
    const { session, number, baseModel, loraRank, loraAlpha, seed, baseWeights } = options;
    const json = {
      session_id: session,
      model_seq_id: number,
      base_model: baseModel,
      lora_config: { rank: loraRank, alpha: loraAlpha, seed, train_unembed: true, train_mlp: true, train_attn: true },
      base_weights: baseWeights,
      type: "create_model",
    };
    const { json: made } = await (await connection.submit("create_model", { json })).result();
    return new TrainingModel(textIn(made, "model_id"), connection);
  }

  /** Hands a pass over; the server works on it while the next one travels. */
  async submitPass(pass: Pass, signal?: AbortSignal): Promise<PendingPass> {
    this.#requests += 1;
    const protobuf = writeForwardBackward({ lossOptions: {}, ...pass, modelId: this.id, sequence: this.#requests });
    const pending = await this.#connection.submit("forward_backward", { protobuf }, signal);
    return { result: async (signal) => outputOf(await pending.result(signal)) };
  }

  async pass(pass: Pass): Promise<ForwardBackwardOutput> {
    return (await this.submitPass(pass)).result();
  }

  /** Returns the server's metrics; which there are is the server's affair. */
  async step(adam: Adam): Promise<Readonly<Record<string, number>>> {
    const reply = await this.ask("optim_step", {
      adam_params: {
        learning_rate: adam.learningRate,
        beta1: adam.beta1,
        beta2: adam.beta2,
        eps: adam.epsilon,
        weight_decay: adam.weightDecay,
        grad_clip_norm: adam.maxGradientNorm,
      },
    });
    return (reply.metrics ?? {}) as Record<string, number>;
  }

  /** Returns the path that loads these weights. */
  saveWeights(name: string): Promise<string> {
    return this.#save("save_weights", name, { overwrite: true });
  }

  /** With the optimizer's moments as they were saved, or with none. */
  async loadWeights(path: string, optimizer: "kept" | "fresh" = "kept"): Promise<void> {
    await this.ask("load_weights", { path, optimizer: optimizer === "kept" });
  }

  /** Weights to sample from under a name; returns their path. */
  saveSamplerWeights(name: string): Promise<string> {
    return this.#save("save_weights_for_sampler", name, {});
  }

  /** The adapter of saved weights added to the base in fp32, as whole weights beside them; torch-engine alone. */
  async mergeWeights(path: string): Promise<string> {
    return textIn(await this.ask("merge_weights", { path }), "path");
  }

  /**
   * Some servers refuse a name that this model has used, also when only the answer to its save was lost. The weights are the
   * same then, so another name will do: paths are kept, names are not.
   */
  async #save(verb: string, name: string, more: object): Promise<string> {
    for (let again = 1; ; again++) {
      try {
        return textIn(await this.ask(verb, { path: again === 1 ? name : `${name}-${again}`, ...more }), "path");
      } catch (error) {
        if (!isTaken(error) || again === maxNames) throw error;
      }
    }
  }

  /** A sampling session on the weights as they are now. */
  async samplingSession(number: number): Promise<string> {
    const reply = await this.ask("save_weights_for_sampler", { sampling_session_seq_id: number });
    return textIn(reply, "sampling_session_id");
  }

  /** Servers that cannot give a model back, or are gone, keep it until its session ends: no reason to stop or to wait long. */
  async unload(): Promise<void> {
    const json = { model_id: this.id, type: "unload_model" };
    const signal = AbortSignal.timeout(unloadingSeconds * 1000);
    try {
      // Waited for, because the next model may need its place.
      await (await this.#connection.submit("unload_model", { json }, signal)).result(signal);
    } catch {
      // Whatever it was, nothing of ours depends on it.
    }
  }

  /** Any verb of the protocol; the request is numbered. */
  async ask(path: string, body: object): Promise<Record<string, unknown>> {
    this.#requests += 1;
    const json = { model_id: this.id, seq_id: this.#requests, type: path, ...body };
    return (await (await this.#connection.submit(path, { json })).result()).json ?? {};
  }
}

/** The server has something under this name or number already. */
export const isTaken = (error: unknown): boolean => error instanceof RefusedRequestError && error.status === 409;

export type PendingPass = { readonly result: (signal?: AbortSignal) => Promise<ForwardBackwardOutput> };

function outputOf({ protobuf, json }: Result): ForwardBackwardOutput {
  if (protobuf !== undefined) return readForwardBackwardOutput(protobuf);
  const { loss_fn_outputs: outputs, metrics } = json as {
    loss_fn_outputs?: Record<string, { data: (number | null)[] }>[];
    metrics?: Record<string, number>;
  };
  if (!Array.isArray(outputs)) throw new DataError("the server's reply has no loss_fn_outputs");
  return {
    outputs: outputs.map((output) =>
      Object.fromEntries(
        Object.entries(output)
          .filter(([, tensor]) => Array.isArray(tensor?.data))
          // JSON has no word for what is no number, and writes null.
          .map(([name, { data }]) => [name, Float32Array.from(data, (value) => value ?? Number.NaN)]),
      ),
    ),
    metrics: metrics ?? {},
  };
}
