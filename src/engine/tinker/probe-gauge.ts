// The instrument of the probe: makes a model from one seed, lets it take given steps, and says how far they moved the
// log-prob of one sequence.
import { EngineError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import { largestSeeds } from "./capabilities.ts";
import { shifted } from "./datums.ts";
import type { Datum } from "./protobuf.ts";
import { Session } from "./session.ts";
import type { Adam, TrainingModel } from "./training-model.ts";

export type GaugeOptions = {
  readonly url: string;
  readonly key?: string;
  /** What the server calls the model; the first that it serves unless said. */
  readonly baseModel?: string;
  readonly loraRank: number;
  /** Tokens of the sequence that is trained on; any will do. */
  readonly sequence?: readonly number[];
  readonly patienceSeconds: number;
  /** The largest seed that the client would send to the server it is taken for. */
  readonly largestSeed?: number;
  readonly onProgress?: (done: number) => void;
  readonly emit?: (message: string) => void;
  readonly signal?: AbortSignal;
};

export type ProbeStep = {
  /** Of every token of the sequence. */
  readonly weights: number;
  readonly form?: "cross_entropy" | "importance_sampling";
  readonly part?: "first" | "second";
  readonly copies?: number;
  /** A second pass, whose gradient is added before the step. */
  readonly also?: Omit<ProbeStep, "adam" | "also">;
  readonly adam: Adam;
};

/** Epsilon is next to nothing, so that the size of a step is the rate's alone. */
export const adamOf = (learningRate: number, change: Partial<Adam> = {}): Adam => ({
  ...{ learningRate, beta1: 0.9, beta2: 0.95, epsilon: 1e-12, weightDecay: 0, maxGradientNorm: 0 },
  ...change,
});

/** Of small tokens that every vocabulary has, and long: in bf16 each log-prob is off by some hundredths, which a long sum outweighs. */
const tokens = Random.from(1).child("probe");
const defaultSequence = Array.from({ length: 160 }, () => 1 + tokens.below(5));
/** A log-prob should move by about this much on average: more than rounding, and little enough to be proportional. */
const wantedMove = 0.1;
const seed = 20_261;

export class Gauge {
  readonly session: Session;
  readonly sequence: readonly number[];
  readonly #options: GaugeOptions & { readonly baseModel: string };
  #models = 0;

  private constructor(session: Session, options: GaugeOptions & { readonly baseModel: string }) {
    this.session = session;
    this.sequence = options.sequence ?? defaultSequence;
    this.#options = options;
  }

  static async open(options: GaugeOptions): Promise<Gauge> {
    const { url, key, patienceSeconds, emit, signal } = options;
    const session = await Session.open({ url, key, patienceSeconds, futureSeconds: 1800, emit, signal });
    try {
      const baseModel = options.baseModel ?? (await session.servedModels())[0]?.name;
      if (baseModel === undefined) throw new EngineError(`${url} does not say which models it serves; give --model`);
      const gauge = new Gauge(session, { ...options, baseModel });
      // Whoever used the place before may have left a gradient there.
      await session.clearPlace(gauge.#modelRequest({}));
      return gauge;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.session.close();
  }

  get loraRank(): number {
    return this.#options.loraRank;
  }

  get largestSeed(): number {
    return this.#options.largestSeed ?? largestSeeds.int32;
  }

  #modelRequest(change: { readonly loraAlpha?: number }) {
    const { baseModel, loraRank } = this.#options;
    return { baseModel, loraRank, seed, ...change };
  }

  async withModel<T>(
    work: (model: TrainingModel) => Promise<T>,
    change: { readonly loraAlpha?: number } = {},
  ): Promise<T> {
    const model = await this.session.createModel(this.#modelRequest(change));
    this.#options.onProgress?.(++this.#models);
    try {
      return await work(model);
    } finally {
      await model.unload();
    }
  }

  /** Log-probs of all tokens but the first. */
  async forward(
    model: TrainingModel,
    lossOptions: Record<string, number> = {},
    sequence = this.sequence,
  ): Promise<number[]> {
    const data = [
      { ...shifted({ tokens: sequence, promptLength: 1 }), floats: { weights: new Float32Array(sequence.length - 1) } },
    ];
    const pass = { data, lossFunction: "cross_entropy", lossOptions, forwardOnly: true } as const;
    const { outputs } = await model.pass(pass);
    return Array.from(outputs[0]?.logprobs ?? []);
  }

  /** How far these steps move the sum of the sequence's log-probs, in a model of its own. */
  async moved(steps: readonly ProbeStep[], change: { readonly loraAlpha?: number } = {}): Promise<number> {
    return this.withModel(async (model) => {
      const before = total(await this.forward(model));
      for (const step of steps) await this.take(model, step);
      return total(await this.forward(model)) - before;
    }, change);
  }

  /** The norm that the server reports for this gradient, if it reports any. */
  async gradientNorm(step: ProbeStep): Promise<number | undefined> {
    return this.withModel(async (model) => {
      const metrics = await this.take(model, step);
      return Object.entries(metrics).find(([name]) => /grad(ient)?_?norm/.test(name))?.[1];
    });
  }

  /** The learning rate at which one step of weight 1 moves the log-probs by about the wanted amount. */
  async calibrate({ epsilon }: { readonly epsilon: number }): Promise<number> {
    let rate = 1e-5 * Math.max(epsilon, 1);
    for (let attempt = 0; attempt < 14; attempt++) {
      const moved = (await this.moved([{ weights: 1, adam: adamOf(rate, { epsilon }) }])) / (this.sequence.length - 1);
      if (moved > wantedMove / 2 && moved < wantedMove * 2) return rate;
      // Where the step is still in the noise it grows blindly; afterwards it is nearly proportional.
      rate *= moved > wantedMove / 30 ? Math.min(Math.max(wantedMove / moved, 0.02), 8) : 8;
      if (!Number.isFinite(moved)) rate /= 64;
    }
    throw new EngineError("no learning rate moves the log-probs by a measurable amount; does the server train at all?");
  }

  async take(model: TrainingModel, step: ProbeStep): Promise<Readonly<Record<string, number>>> {
    await this.backward(model, step);
    if (step.also !== undefined) await this.backward(model, step.also);
    return model.step(step.adam);
  }

  /** A gradient, without the step that uses it. */
  async backward(
    model: TrainingModel,
    { weights, form = "cross_entropy", part, copies = 1 }: Omit<ProbeStep, "adam" | "also">,
  ): Promise<void> {
    const length = this.sequence.length - 1;
    const half = Math.floor(length / 2);
    const inPart = (i: number) => part === undefined || (part === "first") === i < half;
    const values = Float32Array.from({ length }, (_, i) => (inPart(i) ? weights : 0));
    const floats: Record<string, Float32Array> =
      form === "cross_entropy"
        ? { weights: values }
        : {
            logprobs: Float32Array.from(await this.forward(model)),
            // As large as the cross-entropy that the learning rate was found with, so that it stays as small a step.
            advantages: values,
          };
    const datum: Datum = { ...shifted({ tokens: this.sequence, promptLength: 1 }), floats };
    const data = new Array<Datum>(copies).fill(datum);
    await model.pass({ data, lossFunction: form, forwardOnly: false });
  }
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
