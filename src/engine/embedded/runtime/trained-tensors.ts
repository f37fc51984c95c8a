// What training keeps for each tensor: its gradient, and the optimizer's moments. A batch is divided into lanes, which the
// replicas take in turn; each lane has a gradient of its own, and they are added up in the order of lanes, so that the sum does not
// depend on how many replicas there are. Replicas divide the tensors among them: each adds up and updates its own, and takes the
// updated weights of the rest from their owners, through shared memory in which every tensor has its place.
import { EngineError } from "../../../base/errors.ts";
import { defaultOptimizer, type OptimizerStep } from "../../engine.ts";
import type { Parameter } from "../model/parameters.ts";

/** Which of how many replicas this is, and into how many lanes batches are divided. */
export type ReplicaPlace = { readonly index: number; readonly count: number; readonly lanes: number };

type Trained = {
  readonly parameter: Parameter;
  /** The gradients of this replica's lanes, by lane. */
  readonly lanes: ReadonlyMap<number, Float32Array>;
  /** Where it lies in shared memory. */
  readonly offset: number;
  /** Only for tensors that this replica owns. */
  readonly owned?: Owned;
};

type Owned = { readonly moments: Moments; readonly gradient: Float32Array };

/** Memory that all replicas see, as large as all trained tensors together. */
export type SharedTensors = Float32Array;
export type SharedMoments = { readonly momentum: SharedTensors; readonly variance: SharedTensors };

export class TrainedTensors {
  readonly #tensors: readonly Trained[];
  readonly #laneCount: number;
  readonly size: number;

  constructor(parameters: readonly Parameter[], place: ReplicaPlace) {
    const lanes: number[] = [];
    for (let lane = place.index; lane < place.lanes; lane += place.count) lanes.push(lane);
    this.#laneCount = place.lanes;
    const owners = ownersOf(parameters, place.count);
    let offset = 0;
    this.#tensors = parameters.map((parameter, i) => {
      const zeros = () => new Float32Array(parameter.data.length);
      const owned = { gradient: zeros(), moments: { momentum: zeros(), variance: zeros() } };
      const tensor = {
        parameter,
        lanes: new Map(lanes.map((lane) => [lane, zeros()])),
        offset,
        ...(owners[i] === place.index && { owned }),
      };
      offset += parameter.data.length;
      return tensor;
    });
    this.size = offset;
  }

  get parameters(): readonly Parameter[] {
    return this.#tensors.map(({ parameter }) => parameter);
  }

  /** Those of a lane by name, to be added to. */
  gradients(lane: number): Map<string, { readonly data: Float32Array; readonly shape: readonly number[] }> {
    return new Map(
      this.#tensors.map(({ parameter: { name, shape }, lanes }) => {
        const data = lanes.get(lane);
        if (data === undefined) throw new Error(`lane ${lane} belongs to another replica`);
        return [name, { shape, data }];
      }),
    );
  }

  forgetGradient(): void {
    for (const { lanes } of this.#tensors) for (const gradient of lanes.values()) gradient.fill(0);
  }

  /** Puts the gradients of the own lanes where the others read them. */
  shareGradient(shared: readonly SharedTensors[]): void {
    for (const { lanes, offset } of this.#tensors)
      for (const [lane, gradient] of lanes) shared[lane].set(gradient, offset);
  }

  /**
   * Adds up the gradient of the own tensors over all lanes, in their order, and gives its sum of squares for each, by its
   * place. A single replica shares nothing.
   */
  addUpGradient(shared: readonly SharedTensors[], step: number): Map<number, number> {
    const sums = new Map<number, number>();
    for (const { parameter, lanes, offset, owned } of this.#owned()) {
      const { gradient } = owned;
      for (let lane = 0; lane < this.#laneCount; lane++) {
        const source = lanes.get(lane) ?? shared[lane].subarray(offset, offset + gradient.length);
        if (lane === 0) gradient.set(source);
        else for (let i = 0; i < gradient.length; i++) gradient[i] += source[i];
      }
      const squares = sumOfSquares(gradient);
      if (!Number.isFinite(squares)) {
        throw new EngineError(
          `the gradient of ${parameter.name} in step ${step} is not finite; the weights are unchanged: lower the learning rate or load the last checkpoint`,
        );
      }
      sums.set(offset, squares);
    }
    return sums;
  }

  /** Updates the own tensors and puts their weights where the others take them. */
  update(optimizer: OptimizerStep, step: number, norm: number, target: SharedTensors | undefined): void {
    for (const { parameter, offset, owned } of this.#owned()) {
      adamwUpdate(parameter, owned.gradient, owned.moments, optimizer, step, norm);
      target?.set(parameter.data, offset);
    }
    this.forgetGradient();
  }

  /** Takes the weights that the other replicas have updated. */
  takeWeights(source: SharedTensors): void {
    for (const { parameter, offset, owned } of this.#tensors) {
      if (owned === undefined) parameter.data.set(source.subarray(offset, offset + parameter.data.length));
    }
  }

  shareMoments(shared: SharedMoments): void {
    for (const { offset, owned } of this.#owned()) {
      shared.momentum.set(owned.moments.momentum, offset);
      shared.variance.set(owned.moments.variance, offset);
    }
  }

  /** The moments of all tensors: own ones, and those that the others have shared. */
  moments(shared?: SharedMoments): Map<string, Moments> {
    const all = new Map<string, Moments>();
    for (const { parameter, offset, owned } of this.#tensors) {
      const taken = (source: SharedTensors) =>
        new Float32Array(source.subarray(offset, offset + parameter.data.length));
      if (owned !== undefined) all.set(parameter.name, owned.moments);
      else if (shared !== undefined) {
        all.set(parameter.name, { momentum: taken(shared.momentum), variance: taken(shared.variance) });
      }
    }
    return all;
  }

  #owned(): (Trained & { readonly owned: Owned })[] {
    return this.#tensors.filter((tensor): tensor is Trained & { owned: Owned } => tensor.owned !== undefined);
  }
}

/** The largest tensors first, each to the replica that has least. */
function ownersOf(parameters: readonly Parameter[], count: number): number[] {
  const owners = new Array<number>(parameters.length).fill(0);
  const loads = new Array<number>(count).fill(0);
  const order = parameters
    .map((_, i) => i)
    .sort((a, b) => parameters[b].data.length - parameters[a].data.length || a - b);
  for (const i of order) {
    const owner = loads.indexOf(Math.min(...loads));
    owners[i] = owner;
    loads[owner] += parameters[i].data.length;
  }
  return owners;
}

// ---- AdamW (Loshchilov & Hutter 2017, arXiv:1711.05101), in one pass -------------------------------------------------

export type Moments = { readonly momentum: Float32Array; readonly variance: Float32Array };

/** `norm` is that of the whole gradient, over all tensors; `steps` counts this one. Ascends, and clears the gradient. */
export function adamwUpdate(
  parameter: Parameter,
  gradient: Float32Array,
  moments: Moments,
  step: OptimizerStep,
  steps: number,
  norm: number,
): void {
  const { beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...step };
  const { learningRate, maxGradientNorm } = step;
  const scale = maxGradientNorm !== undefined && norm > maxGradientNorm ? maxGradientNorm / norm : 1;
  // m̂/(√v̂ + ε) with the corrections for the young averages taken out of the loop.
  const correction = Math.sqrt(1 - beta2 ** steps);
  const rate = (learningRate * correction) / (1 - beta1 ** steps);
  // Norm scales are not pulled towards zero: decay is for matrices.
  const keep = 1 - (parameter.role === "norm" ? 0 : learningRate * weightDecay);
  update(parameter.data, gradient, moments, scale, beta1, beta2, keep, rate, epsilon * correction);
}

/** Alone in a function of plain numbers, which the compiler turns into tight code. */
function update(
  weights: Float32Array,
  gradient: Float32Array,
  { momentum, variance }: Moments,
  scale: number,
  beta1: number,
  beta2: number,
  keep: number,
  rate: number,
  epsilon: number,
): void {
  const fresh1 = (1 - beta1) * scale;
  const fresh2 = (1 - beta2) * scale * scale;
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i];
    const m = beta1 * momentum[i] + fresh1 * g;
    const v = beta2 * variance[i] + fresh2 * g * g;
    momentum[i] = m;
    variance[i] = v;
    weights[i] = weights[i] * keep + (rate * m) / (Math.sqrt(v) + epsilon);
    gradient[i] = 0;
  }
}

export function sumOfSquares(values: Float32Array): number {
  // Four sums at once: one alone would wait for each addition to finish.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const even = values.length - (values.length % 4);
  for (let i = 0; i < even; i += 4) {
    a += values[i] * values[i];
    b += values[i + 1] * values[i + 1];
    c += values[i + 2] * values[i + 2];
    d += values[i + 3] * values[i + 3];
  }
  for (let i = even; i < values.length; i++) a += values[i] * values[i];
  return a + b + c + d;
}
