// A Tinker server small enough to check by hand, as strict as those it stands for, and able to restart, lose futures and
// drop connections. What it refuses was seen: SkyRL a956457 (JAX backend) run for real; the SDK's types 0.25.0, which TuFT
// 102eefd takes for its bodies; hosted Tinker from its SDK alone.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Capabilities,
  capabilities,
  largestSeeds,
  type ServerKind,
} from "../../src/engine/tinker/capabilities.ts";
import { unknownField } from "./protocol-fields.ts";
import {
  type Adam,
  adamStep,
  addGradient,
  copied,
  drawn,
  logprobsAfter,
  newWeights,
  type Place,
  type SampleParameters,
  scored,
  type Weights,
} from "./softmax-model.ts";
import { output, parsePass, type ReceivedPass, sampleOutput } from "./wire-format.ts";

export type Behavior = Omit<Capabilities, "extendedScoring" | "fullWeights" | "mergesAdapters"> & {
  readonly bodies: "protobuf" | "json";
  /** A name may hold dots besides letters, digits, `-` and `_`. */
  readonly checkpointNames: "with-dots" | "without-dots";
  /** A name that one model saves twice is replaced, or refused with 409. */
  readonly repeatedSaves: "replaced" | "refused";
  /** Fields of a body that the protocol does not know. */
  readonly unknownFields: "ignored" | "refused";
  /** What passes compute in; weights are kept in full, as adapters and masters are. */
  readonly precision: "full" | "bf16";
  readonly reportsGradientNorm: boolean;
  /**
   * What a restart leaves: nothing but the weights on disk, or also a database of models, sessions, results and names. Then
   * a model that is known and no longer there is answered with 400 "not loaded", and a save that is sent again with 409.
   */
  readonly memory: "disk" | "database";
  /** Models at once. */
  readonly places: number;
  readonly largestRank: number;
  /** How results of samples are sent to who takes protobuf. */
  readonly samples: "protobuf" | "json";
};

/** What happens to a request instead of an answer. */
export type Mishap = "drop" | "lose-answer" | "busy" | "forget-future" | "restart" | "die-at-work";

type Model = { weights: Weights; place: Place; answered: Map<number, string>; holds?: string };
type Result = { json: object; protobuf?: Uint8Array } | { refusal: string };
/** Logits of their own, or a checkpoint of a model, which is put over that model's live weights when it is asked. */
type Sampler = { readonly logits: Float64Array } | { readonly model: string; readonly checkpoint: string };
// biome-ignore lint/suspicious/noExplicitAny: bodies are what a client sends; strict behaviors look at every field.
type RequestBody = any;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A refusal that is found out while the work is done: its future says so. */
class FailedLater extends Error {}

export class SoftmaxServer {
  readonly #behavior: Behavior;
  /** As torch-engine says how its tokenizer reads. */
  reads: { readonly text: string; readonly tokens: readonly number[] } | undefined;
  readonly #start: Float64Array;
  readonly #server: Server;
  #models = new Map<string, Model>();
  #places: (Place & { taken: boolean })[] = [];
  #samplers = new Map<string, Sampler>();
  #futures = new Map<string, Result>();
  #sessions = new Set<string>();
  /** Outlives restarts where there is a database. */
  readonly #known = new Set<string>();
  readonly #saved = new Set<string>();
  #names = 0;
  /** Saved weights outlive restarts. */
  readonly disk = new Map<string, Weights>();
  readonly asked: string[] = [];
  /** What was sent with each, as it came. */
  readonly bodies: Buffer[] = [];
  /** Decides, request by request, whether something happens to it. */
  mishap: (path: string, count: number) => Mishap | undefined = () => undefined;

  /** As a model that has diverged: the last log-prob of every text is no number, which JSON writes as null. */
  diverged = false;

  private constructor(behavior: Behavior, logits: Float64Array) {
    this.#behavior = behavior;
    this.#start = logits;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(behavior: Behavior, logits: Float64Array): Promise<SoftmaxServer> {
    const server = new SoftmaxServer(behavior, logits);
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get modelsLoaded(): number {
    return this.#models.size;
  }

  /** Everything but the disk is forgotten, and the database where there is one. */
  restart(): void {
    this.#models = new Map();
    this.#places = [];
    if (this.#behavior.memory === "database") return;
    this.#samplers = new Map();
    this.#futures = new Map();
    this.#sessions = new Set();
    this.#known.clear();
    this.#saved.clear();
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
    this.bodies.push(body);
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
      case "die-at-work":
        // Accepted and written down; when it comes to be done, the model is no longer there.
        this.restart();
        break;
    }
    try {
      const protobuf = String(request.headers["content-type"]).startsWith("application/x-protobuf");
      if (path === "retrieve_future") {
        const { request_id: id } = JSON.parse(body.toString()) as { request_id: string };
        const result = this.#futures.get(id);
        if (result === undefined) throw new Refused(410, "unknown request");
        if ("refusal" in result) throw new Refused(400, result.refusal);
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
      if (!protobuf || this.#behavior.bodies !== "protobuf") throw new Refused(415, "unsupported body");
      return this.#pass(parsePass(Uint8Array.from(raw)));
    }
    const body: RequestBody = path === "get_server_capabilities" ? {} : JSON.parse(raw.toString());
    const strange = this.#behavior.unknownFields === "refused" ? unknownField(path, body) : undefined;
    if (strange !== undefined) throw new Refused(422, `${strange}: extra inputs are not permitted`);
    switch (path) {
      case "create_session": {
        const session = this.#name("session");
        this.#sessions.add(session);
        return { session_id: session };
      }
      case "session_heartbeat":
        this.#knownSession(body.session_id);
        return {};
      case "get_server_capabilities":
        return { supported_models: [{ model_name: "softmax", max_context_length: 64 }], reads: this.reads };
      case "create_model":
        this.#knownSession(body.session_id);
        return this.#later(() => ({ model_id: this.#createModel(body.lora_config.rank) }));
      case "unload_model":
        return this.#later(() => this.#unload(body.model_id));
      case "optim_step":
        return this.#numbered(body, (model) => ({ metrics: this.#step(model, body.adam_params) }));
      case "save_weights":
        this.#claimName(body, "weights");
        return this.#numbered(body, (model) => ({ path: this.#save(`${body.model_id}/weights/${body.path}`, model) }));
      case "load_weights":
        return this.#load(body);
      case "save_weights_for_sampler":
        if (body.path !== undefined) this.#claimName(body, "sampler_weights");
        return this.#numbered(body, (model) => this.#saveForSampler(body, model));
      case "create_sampling_session":
        this.#knownSession(body.session_id);
        return { sampling_session_id: this.#openSampler(body) };
      case "asample":
        return this.#sample(body);
      default:
        throw new Refused(404, `unknown path ${path}`);
    }
  }

  #knownSession(id: string): void {
    if (!this.#sessions.has(id)) throw new Refused(404, "Session not found");
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${kind}_${this.#names}`;
  }

  #later(work: () => object, protobuf?: () => Uint8Array | undefined): { request_id: string } {
    const id = this.#name("request");
    try {
      const json = work();
      this.#futures.set(id, { json, protobuf: protobuf?.() });
    } catch (error) {
      if (!(error instanceof FailedLater)) throw error;
      this.#futures.set(id, { refusal: error.message });
    }
    return { request_id: id };
  }

  // ---- Models ------------------------------------------------------------------------------------------------------

  #createModel(rank: number): string {
    const { severalModels, places, newModels, largestRank } = this.#behavior;
    if (rank > largestRank) throw new FailedLater(`LoRA rank ${rank} must be between 1 and ${largestRank}`);
    const most = severalModels ? places : 1;
    if (this.#models.size >= most) throw new FailedLater(`Maximum number of LoRA adapters (${most + 1}) reached`);
    let place = this.#places.find(({ taken }) => !taken);
    if (place === undefined) {
      place = { gradient: new Float64Array(this.#start.length), sequences: 0, taken: true };
      this.#places.push(place);
    }
    place.taken = true;
    if (newModels === "clean") Object.assign(place, { gradient: new Float64Array(this.#start.length), sequences: 0 });
    const id = this.#name("model");
    this.#models.set(id, { weights: newWeights(this.#start), place, answered: new Map() });
    this.#known.add(id);
    return id;
  }

  #unload(id: string): object {
    const place = this.#places.find((place) => place === this.#models.get(id)?.place);
    if (place !== undefined) place.taken = false;
    this.#models.delete(id);
    return {};
  }

  #model(id: string): Model {
    const model = this.#models.get(id);
    if (model !== undefined) return model;
    if (this.#behavior.memory === "database" && this.#known.has(id)) throw new FailedLater(`Model ${id} not loaded`);
    throw new Refused(404, "Model not found");
  }

  /** The same number again is the same request: nothing is done twice. */
  #numbered(
    body: { model_id: string; seq_id: number },
    work: (model: Model) => object,
    protobuf?: () => Uint8Array | undefined,
  ): { request_id: string } {
    const answered = this.#models.get(body.model_id)?.answered;
    const known = answered?.get(body.seq_id);
    if (known !== undefined && this.#futures.has(known)) return { request_id: known };
    if (known !== undefined) throw new Refused(404, "the result of this request is gone");
    const future = this.#later(() => work(this.#model(body.model_id)), protobuf);
    answered?.set(body.seq_id, future.request_id);
    return future;
  }

  #rounded(logits: Float64Array): Float64Array {
    return this.#behavior.precision === "bf16" ? logits.map(toBf16) : logits;
  }

  #said(logprobs: number[]): number[] {
    return this.diverged ? [...logprobs.slice(0, -1), Number.NaN] : logprobs;
  }

  #pass(pass: ReceivedPass): object {
    let scores: number[][] = [];
    const work = (model: Model) => {
      scores = pass.data.map((datum) => this.#said(scored(this.#rounded(model.weights.logits), datum)));
      if (!pass.forwardOnly)
        for (const [i, datum] of pass.data.entries())
          addGradient(model, datum, scores[i], pass, this.#behavior.reduction);
      return {
        loss_fn_outputs: scores.map((logprobs) => ({ logprobs: { data: logprobs, dtype: "float32" } })),
        metrics: {},
      };
    };
    return this.#numbered({ model_id: pass.modelId, seq_id: pass.sequence }, work, () => output(scores, {}));
  }

  #step(model: Model, adam: Adam): Record<string, number> {
    const { weightDecayReach, optimizerFields, reportsGradientNorm } = this.#behavior;
    if (weightDecayReach === "all-models" && optimizerFields.includes("weightDecay"))
      for (const other of this.#models.values())
        if (other !== model)
          other.weights.logits.forEach((value, i, logits) => {
            logits[i] = value - adam.learning_rate * adam.weight_decay * value;
          });
    const norm = adamStep(model, adam, this.#behavior);
    return reportsGradientNorm ? { "grad_norm:mean": norm } : {};
  }

  // ---- Checkpoints -------------------------------------------------------------------------------------------------

  #claimName({ model_id: model, path }: RequestBody, kind: string): void {
    const { checkpointNames, repeatedSaves, memory } = this.#behavior;
    const pattern = checkpointNames === "with-dots" ? /^[\w.-]+$/ : /^[A-Za-z0-9_-]+$/;
    if (!pattern.test(path)) throw new Refused(422, `path: String should match pattern '${pattern.source}'`);
    if (repeatedSaves === "replaced") return;
    // With a database the name is taken before the request is looked at: also by the same one that came before.
    const known = memory === "database" ? undefined : this.#models.get(model)?.answered;
    const key = `${model}/${kind}/${path}`;
    if (this.#saved.has(key) && known === undefined)
      throw new Refused(409, `Checkpoint '${path}' already exists for model '${model}'`);
    this.#saved.add(key);
  }

  #save(path: string, { weights }: Model): string {
    this.disk.set(`tinker://${path}`, copied(weights));
    return `tinker://${path}`;
  }

  #load(body: RequestBody): object {
    // Servers load only into a model that has done nothing yet.
    if ((this.#models.get(body.model_id)?.answered.size ?? 0) > 0)
      throw new Refused(400, `LoadWeights is not permitted with seq_id ${body.seq_id}`);
    if (!/^tinker:\/\/[^/]+\/weights\/[^/]+$/.test(body.path))
      throw new Refused(400, "request.path must be in format tinker://source_model_id/weights/checkpoint_id");
    const saved = this.disk.get(body.path);
    if (saved === undefined) throw new Refused(404, `Checkpoint not found: ${body.path}`);
    return this.#numbered(body, (model) => {
      model.weights = copied(saved);
      if (!body.optimizer) Object.assign(model.weights, { ...newWeights(saved.logits), logits: saved.logits.slice() });
      return { path: body.path };
    });
  }

  #saveForSampler(body: RequestBody, model: Model): object {
    const name = body.path ?? `ss${body.sampling_session_seq_id}_seq${body.seq_id}`;
    const path = this.#save(`${body.model_id}/sampler_weights/${name}`, model);
    if (body.path !== undefined) return { path };
    return { path: null, sampling_session_id: this.#sampler(path) };
  }

  #openSampler(body: { base_model?: string; model_path: string }): string {
    if (body.base_model) return this.#keep({ logits: this.#start.slice() });
    const { memory, samplesFromTrainingWeights } = this.#behavior;
    if (body.model_path.includes("/weights/") && !samplesFromTrainingWeights && memory === "database")
      return this.#keep({ model: "", checkpoint: "" });
    if (memory === "disk") {
      if (body.model_path.includes("/weights/") && !samplesFromTrainingWeights)
        throw new Refused(400, "not sampler weights");
      if (!this.disk.has(body.model_path)) throw new Refused(404, `no weights at ${body.model_path}`);
    }
    return this.#sampler(body.model_path);
  }

  #sampler(path: string): string {
    const saved = this.disk.get(path);
    if (this.#behavior.frozenCheckpoints === "apart" && saved !== undefined)
      return this.#keep({ logits: saved.logits.slice() });
    const [, model, , checkpoint] = /^tinker:\/\/([^/]+)\/(sampler_weights\/)?([^/]+)$/.exec(path) ?? ["", "", "", ""];
    return this.#keep({ model, checkpoint });
  }

  #keep(sampler: Sampler): string {
    const id = this.#name("sampling");
    this.#samplers.set(id, sampler);
    return id;
  }

  // ---- Samples -----------------------------------------------------------------------------------------------------

  /** A checkpoint of a model goes into that model's own place, unless it is thought to be there already. */
  #logitsOf(sampler: Sampler): Float64Array {
    if ("logits" in sampler) return sampler.logits;
    const model = this.#model(sampler.model);
    if (model.holds !== sampler.checkpoint) {
      const saved = this.disk.get(`tinker://${sampler.model}/sampler_weights/${sampler.checkpoint}`)!;
      model.weights.logits = saved.logits.slice();
      model.holds = sampler.checkpoint;
    }
    return model.weights.logits;
  }

  #sample(body: {
    sampling_session_id: string;
    prompt: { chunks: { tokens: number[] }[] };
    sampling_params: SampleParameters;
    prompt_logprobs: boolean;
  }): object {
    const sampler = this.#samplers.get(body.sampling_session_id);
    if (sampler === undefined) throw new Refused(404, "Sampling session not found");
    if ("model" in sampler) {
      if (sampler.model === "")
        throw new Refused(400, "model_path must be tinker://model_id/sampler_weights/checkpoint_id");
      if (!this.disk.has(`tinker://${sampler.model}/sampler_weights/${sampler.checkpoint}`))
        throw new Refused(404, `Checkpoint not found: ${sampler.model}/${sampler.checkpoint}`);
    }
    const prompt = body.prompt.chunks.flatMap(({ tokens }) => tokens);
    const { promptLogprobs, sampledLogprobs, seeds, samples } = this.#behavior;
    let answer: { sequence: Parameters<typeof sampleOutput>[0]; prompted: (number | null)[] | null } | undefined;
    return this.#later(
      () => {
        const logits = this.#rounded(this.#logitsOf(sampler));
        const { seed = 0 } = body.sampling_params;
        if (seed > largestSeeds[seeds]) throw new FailedLater(`Python integer ${seed} out of bounds for ${seeds}`);
        const { tokens, raw, tempered, stopped } = drawn(logits, prompt, body.sampling_params);
        const ofPrompt = this.#said(prompt.slice(1).map((token, i) => logprobsAfter(logits, prompt[i])[token]));
        const prompted = promptLogprobs === "with-first" ? [null, ...ofPrompt] : ofPrompt;
        const sequence = { tokens, logprobs: sampledLogprobs === "raw" ? raw : tempered, stopped };
        answer = { sequence, prompted: body.prompt_logprobs ? prompted : null };
        const { logprobs } = sequence;
        return {
          sequences: [{ tokens, logprobs, stop_reason: stopped ? "stop" : "length" }],
          prompt_logprobs: answer.prompted,
        };
      },
      () => (samples === "protobuf" && answer ? sampleOutput(answer.sequence, answer.prompted) : undefined),
    );
  }
}

/** As its record says, with what such servers were seen to do besides. */
/** To the nearest number with eight significant bits, where a model's logits lie: at some tens, not around zero. */
function toBf16(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value + usualLogit).buffer);
  bits[0] = (bits[0] + 0x8000) & 0xffff0000;
  return new Float32Array(bits.buffer)[0] - usualLogit;
}
const usualLogit = 12;

export function behaviorOf(kind: ServerKind, rest: Partial<Behavior> = {}): Behavior {
  const sky = kind.startsWith("skyrl");
  return {
    ...capabilities[kind],
    bodies: "protobuf",
    checkpointNames: kind === "repertoire" ? "with-dots" : "without-dots",
    repeatedSaves: kind === "repertoire" ? "replaced" : "refused",
    unknownFields: sky || kind === "repertoire" ? "ignored" : "refused",
    precision: "full",
    reportsGradientNorm: true,
    memory: sky ? "database" : "disk",
    // max_lora_adapters 4, of which the first is the base model's.
    places: sky ? 3 : Number.POSITIVE_INFINITY,
    largestRank: 64,
    samples: "protobuf",
    ...rest,
  };
}
