// A Tinker server small enough to check by hand: the logits of the next token are a table row chosen by the last token.
// Its gradients, its Adam and its reductions are real, so that a wrong sign, offset or scale in a client shows. It behaves
// like any kind of server, and can be restarted, lose futures and drop connections.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Random } from "../../src/base/random.ts";
import { drawToken, tokenDistribution } from "../../src/engine/draw-token.ts";
import type { Capabilities, OptimizerField } from "../../src/engine/tinker/capabilities.ts";
import { output, parsePass, type ReceivedDatum, type ReceivedPass } from "./wire-format.ts";

export type Behaviour = Omit<Capabilities, "wire" | "extendedScoring"> & {
  readonly bodies: readonly ("protobuf" | "json")[];
  readonly reportsGradientNorm: boolean;
};

/** What happens to a request instead of an answer. */
export type Mishap = "drop" | "lose-answer" | "busy" | "forget-future" | "restart";

type Weights = { logits: Float64Array; momentum: Float64Array; variance: Float64Array; steps: number };
type Model = { weights: Weights; gradient: Float64Array; sequences: number; answered: Map<number, string> };
type Adam = {
  learning_rate: number;
  beta1: number;
  beta2: number;
  eps: number;
  weight_decay: number;
  grad_clip_norm: number;
};

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class SoftmaxServer {
  readonly #behaviour: Behaviour;
  readonly #size: number;
  readonly #start: Float64Array;
  readonly #server: Server;
  #models = new Map<string, Model>();
  #samplers = new Map<string, Float64Array>();
  #futures = new Map<string, { json: object; protobuf?: Uint8Array }>();
  #names = 0;
  /** Saved weights outlive restarts. */
  readonly disk = new Map<string, Weights>();
  readonly asked: string[] = [];
  /** Decides, request by request, whether something happens to it. */
  mishap: (path: string, count: number) => Mishap | undefined = () => undefined;

  private constructor(behaviour: Behaviour, logits: Float64Array) {
    this.#behaviour = behaviour;
    this.#size = Math.sqrt(logits.length);
    this.#start = logits;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(behaviour: Behaviour, logits: Float64Array): Promise<SoftmaxServer> {
    const server = new SoftmaxServer(behaviour, logits);
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Everything but the disk is forgotten. */
  restart(): void {
    this.#models = new Map();
    this.#samplers = new Map();
    this.#futures = new Map();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const path = request.url!.replace("/api/v1/", "");
    this.asked.push(path);
    const mishap = this.mishap(path, this.asked.length);
    const json = (value: object, status = 200) => {
      if (mishap === "lose-answer") request.socket.destroy();
      else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    switch (mishap) {
      case "drop":
        request.socket.destroy();
        return;
      case "busy":
        json({ detail: "busy" }, 429);
        return;
      case "forget-future":
        this.#futures.clear();
        break;
      case "restart":
        this.restart();
        request.socket.destroy();
        return;
    }
    try {
      const protobuf = String(request.headers["content-type"]).startsWith("application/x-protobuf");
      if (path === "retrieve_future") {
        const { request_id: id } = JSON.parse(body.toString()) as { request_id: string };
        const result = this.#futures.get(id);
        if (result === undefined) throw new Refused(410, "unknown request");
        if (result.protobuf && String(request.headers.accept).includes("protobuf")) {
          response.writeHead(200, { "content-type": "application/x-protobuf" }).end(result.protobuf);
        } else json(result.json);
      } else json(this.#answer(path, body, protobuf));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      json({ detail: error.message }, error.status);
    }
  }

  #answer(path: string, raw: Buffer, protobuf: boolean): object {
    if (protobuf || path === "forward" || path === "forward_backward") {
      if (!this.#behaviour.bodies.includes(protobuf ? "protobuf" : "json")) throw new Refused(415, "unsupported body");
      return this.#pass(protobuf ? parsePass(Uint8Array.from(raw)) : jsonPass(path, JSON.parse(raw.toString())));
    }
    const body = path === "get_server_capabilities" ? {} : JSON.parse(raw.toString());
    switch (path) {
      case "create_session":
        return { session_id: this.#name("session") };
      case "session_heartbeat":
        return {};
      case "get_server_capabilities":
        return { supported_models: [{ model_name: "softmax", max_context_length: 64 }] };
      case "create_model":
        return this.#createModel();
      case "unload_model":
        this.#models.delete(body.model_id);
        return this.#future({});
      case "optim_step":
        return this.#numbered(body, (model) => ({ metrics: this.#step(model, body.adam_params) }));
      case "save_weights":
        return this.#numbered(body, (model) => ({ path: this.#save(`${body.model_id}/weights/${body.path}`, model) }));
      case "load_weights":
        return this.#numbered(body, (model) => {
          const saved = this.disk.get(body.path);
          if (saved === undefined) return { error: `no weights at ${body.path}`, category: "user" };
          model.weights = copied(saved);
          if (!body.optimizer) {
            model.weights.momentum.fill(0);
            model.weights.variance.fill(0);
            model.weights.steps = 0;
          }
          return { path: body.path };
        });
      case "save_weights_for_sampler":
        return this.#numbered(body, (model) => this.#saveForSampler(body, model));
      case "create_sampling_session":
        return {
          sampling_session_id: this.#sampler(
            body.base_model ? this.#start.slice() : this.#weightsToSample(body.model_path),
          ),
        };
      case "asample":
        return this.#sample(body);
      default:
        throw new Refused(404, `unknown path ${path}`);
    }
  }

  #createModel(): object {
    if (!this.#behaviour.severalModels && this.#models.size > 0) throw new Refused(400, "one model at a time");
    const id = this.#name("model");
    const zeros = () => new Float64Array(this.#start.length);
    const weights = { logits: this.#start.slice(), momentum: zeros(), variance: zeros(), steps: 0 };
    this.#models.set(id, { weights, gradient: zeros(), sequences: 0, answered: new Map() });
    return this.#future({ model_id: id });
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${kind}-${this.#names}`;
  }

  #future(json: object, protobuf?: Uint8Array): { request_id: string } {
    const id = this.#name("request");
    this.#futures.set(id, { json, protobuf });
    return { request_id: id };
  }

  /** The same number again is the same request: nothing is done twice. */
  #numbered(body: { model_id: string; seq_id: number }, work: (model: Model) => object, protobuf?: () => Uint8Array) {
    const model = this.#models.get(body.model_id);
    if (model === undefined) throw new Refused(404, `unknown model ${body.model_id}`);
    const known = model.answered.get(body.seq_id);
    if (known !== undefined && this.#futures.has(known)) return { request_id: known };
    if (known !== undefined) throw new Refused(404, "the result of this request is gone");
    const future = this.#future(work(model), protobuf?.());
    model.answered.set(body.seq_id, future.request_id);
    return future;
  }

  // ---- Arithmetic --------------------------------------------------------------------------------------------------

  #logprobs(logits: Float64Array, last: number): Float64Array {
    const row = logits.subarray(last * this.#size, (last + 1) * this.#size);
    const largest = Math.max(...row);
    const total = Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0)) + largest;
    return row.map((value) => value - total);
  }

  #pass(pass: ReceivedPass): object {
    let scores: number[][] = [];
    const work = (model: Model) => {
      scores = pass.data.map(({ tokens, inputs }) =>
        tokens.map((token, i) => this.#logprobs(model.weights.logits, token)[inputs.target_tokens[i]]),
      );
      if (!pass.forwardOnly)
        for (const [i, datum] of pass.data.entries()) this.#addGradient(model, datum, scores[i], pass);
      return {
        loss_fn_outputs: scores.map((logprobs) => ({ logprobs: { data: logprobs, dtype: "float32" } })),
        metrics: {},
      };
    };
    const key = { model_id: pass.modelId, seq_id: pass.sequence };
    return this.#numbered(key, work, () => output(scores, {}));
  }

  /** d loss / d logits. Losses: cross-entropy −Σ w·lp, importance sampling −Σ exp(lp − q)·A. */
  #addGradient(model: Model, { tokens, inputs }: ReceivedDatum, logprobs: number[], { lossFunction }: ReceivedPass) {
    const { target_tokens: targets, weights, advantages, logprobs: sampled } = inputs;
    const slopes = tokens.map((_, i) =>
      lossFunction === "cross_entropy" ? -weights[i] : -Math.exp(logprobs[i] - sampled[i]) * advantages[i],
    );
    const mass = (weights ?? tokens.map(() => 1)).reduce((sum, weight) => sum + weight, 0);
    const scale = this.#behaviour.reduction === "token-sum" ? 1 : 1 / Math.max(mass, 1e-9);
    tokens.forEach((token, i) => {
      const shares = this.#logprobs(model.weights.logits, token).map(Math.exp);
      for (let next = 0; next < this.#size; next++) {
        const slope = scale * slopes[i] * ((next === targets[i] ? 1 : 0) - shares[next]);
        model.gradient[token * this.#size + next] += slope;
      }
    });
    model.sequences += 1;
  }

  #step(model: Model, given: Adam): Record<string, number> {
    const honoured = (field: OptimizerField) => this.#behaviour.optimizerFields.includes(field);
    const [beta1, beta2] = honoured("betas") ? [given.beta1, given.beta2] : [0.9, 0.95];
    const eps = honoured("epsilon") ? given.eps : 1e-12;
    const decay = honoured("weightDecay") ? given.weight_decay : 0;
    const limit = honoured("maxGradientNorm") ? given.grad_clip_norm : 0;
    const { weights, gradient } = model;
    if (this.#behaviour.reduction === "sequence-normalised")
      gradient.forEach((slope, i) => {
        gradient[i] = slope / Math.max(model.sequences, 1);
      });
    const norm = Math.hypot(...gradient);
    const scale = limit > 0 && norm > limit ? limit / norm : 1;
    weights.steps += 1;
    gradient.forEach((slope, i) => {
      const g = slope * scale;
      weights.momentum[i] = beta1 * weights.momentum[i] + (1 - beta1) * g;
      weights.variance[i] = beta2 * weights.variance[i] + (1 - beta2) * g * g;
      const mean = weights.momentum[i] / (1 - beta1 ** weights.steps);
      const spread = Math.sqrt(weights.variance[i] / (1 - beta2 ** weights.steps));
      weights.logits[i] -= given.learning_rate * (mean / (spread + eps) + decay * weights.logits[i]);
    });
    gradient.fill(0);
    model.sequences = 0;
    return this.#behaviour.reportsGradientNorm ? { "grad_norm:mean": norm } : {};
  }

  // ---- Checkpoints and samples -------------------------------------------------------------------------------------

  #save(path: string, { weights }: Model): string {
    this.disk.set(`tinker://${path}`, copied(weights));
    return `tinker://${path}`;
  }

  #saveForSampler(body: { model_id: string; path?: string }, model: Model): object {
    if (body.path === undefined) return { sampling_session_id: this.#sampler(model.weights.logits.slice()) };
    return { path: this.#save(`${body.model_id}/sampler_weights/${body.path}`, model) };
  }

  #weightsToSample(path: string): Float64Array {
    if (path.includes("/weights/") && !this.#behaviour.samplesFromTrainingWeights)
      throw new Refused(400, "not sampler weights");
    const saved = this.disk.get(path);
    if (saved === undefined) throw new Refused(404, `no weights at ${path}`);
    return saved.logits.slice();
  }

  #sampler(logits: Float64Array): string {
    const id = this.#name("sampler");
    this.#samplers.set(id, logits);
    return id;
  }

  #sample(body: {
    sampling_session_id: string;
    prompt: { chunks: { tokens: number[] }[] };
    sampling_params: { max_tokens: number; seed?: number; temperature?: number; stop?: number[] };
    prompt_logprobs: boolean;
  }): object {
    const logits = this.#samplers.get(body.sampling_session_id);
    if (logits === undefined) throw new Refused(404, "unknown sampling session");
    const prompt = body.prompt.chunks.flatMap(({ tokens }) => tokens);
    const { max_tokens: most, seed = 0, temperature = 1, stop = [] } = body.sampling_params;
    const random = Random.from(seed);
    const [tokens, raw, tempered]: number[][] = [[], [], []];
    while (tokens.length < most && !stop.includes(tokens[tokens.length - 1])) {
      const last = tokens[tokens.length - 1] ?? prompt[prompt.length - 1];
      const row = logits.subarray(last * this.#size, (last + 1) * this.#size);
      const drawn = drawToken(tokenDistribution(row, { temperature }), { temperature }, random);
      tokens.push(drawn.token);
      raw.push(drawn.logprob);
      tempered.push(drawn.temperedLogprob);
    }
    const scored = prompt.slice(1).map((token, i) => this.#logprobs(logits, prompt[i])[token]);
    const { promptLogprobs, sampledLogprobs } = this.#behaviour;
    return this.#future({
      sequences: [
        {
          tokens,
          logprobs: sampledLogprobs === "raw" ? raw : tempered,
          stop_reason: stop.includes(tokens[tokens.length - 1]) ? "stop" : "length",
        },
      ],
      prompt_logprobs: !body.prompt_logprobs ? null : promptLogprobs === "with-first" ? [null, ...scored] : scored,
    });
  }
}

/** As its record says, with the bodies that such servers take. */
export function behaviourOf(record: Capabilities, rest: Partial<Behaviour> = {}): Behaviour {
  return { ...record, bodies: ["protobuf", "json"], reportsGradientNorm: true, ...rest };
}

function jsonPass(path: string, body: Record<string, unknown>): ReceivedPass {
  const forwardOnly = path === "forward";
  const input = body[forwardOnly ? "forward_input" : "forward_backward_input"] as {
    data: {
      model_input: { chunks: { tokens: number[] }[] };
      loss_fn_inputs: Record<string, { data: number[] }>;
    }[];
    loss_fn: string;
    loss_fn_config?: Record<string, number>;
  };
  return {
    modelId: body.model_id as string,
    sequence: body.seq_id as number,
    data: input.data.map(({ model_input: { chunks }, loss_fn_inputs: inputs }) => ({
      tokens: chunks.flatMap(({ tokens }) => tokens),
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, { data }]) => [name, data])),
    })),
    lossFunction: input.loss_fn,
    lossOptions: input.loss_fn_config ?? {},
    forwardOnly,
  };
}

function copied({ logits, momentum, variance, steps }: Weights): Weights {
  return { logits: logits.slice(), momentum: momentum.slice(), variance: variance.slice(), steps };
}
