// What training keeps for each tensor: its gradient, and the optimizer's moments. Replicas divide the tensors among
// them: each adds up and updates its own, and takes the updated weights of the rest from their owners, through shared memory
// in which every tensor has its place.
import { EngineError } from "../../../base/errors.ts";
import type { OptimizerStep } from "../../engine.ts";
import type { Parameter } from "../model/parameters.ts";
import { adamwUpdate, type Moments, sumOfSquares } from "./adamw.ts";

/** Which of how many replicas this is. */
export type ReplicaPlace = { readonly index: number; readonly count: number };

type Trained = {
  readonly parameter: Parameter;
  readonly gradient: Float32Array;
  /** Where it lies in shared memory. */
  readonly offset: number;
  /** Only for tensors that this replica owns. */
  readonly moments?: Moments;
};

/** Memory that all replicas see, as large as all trained tensors together. */
export type SharedTensors = Float32Array;

export class TrainedTensors {
  readonly #tensors: readonly Trained[];
  readonly size: number;

  constructor(parameters: readonly Parameter[], place: ReplicaPlace) {
    const owners = ownersOf(parameters, place.count);
    let offset = 0;
    this.#tensors = parameters.map((parameter, i) => {
      const zeros = () => new Float32Array(parameter.data.length);
      const owned = owners[i] === place.index;
      const tensor = {
        parameter,
        gradient: zeros(),
        offset,
        ...(owned ? { moments: { momentum: zeros(), variance: zeros() } } : {}),
      };
      offset += parameter.data.length;
      return tensor;
    });
    this.size = offset;
  }

  get parameters(): readonly Parameter[] {
    return this.#tensors.map(({ parameter }) => parameter);
  }

  /** By name, to be added to. */
  get gradients(): Map<string, { readonly data: Float32Array; readonly shape: readonly number[] }> {
    return new Map(this.#tensors.map(({ parameter: { name, shape }, gradient }) => [name, { shape, data: gradient }]));
  }

  forgetGradient(): void {
    for (const { gradient } of this.#tensors) gradient.fill(0);
  }

  shareGradient(target: SharedTensors): void {
    for (const { gradient, offset } of this.#tensors) target.set(gradient, offset);
  }

  /**
   * Makes the gradient of the own tensors the sum over all replicas, added up in their order, and gives its sum of
   * squares. A single replica shares nothing.
   */
  addUpGradient(shared: readonly SharedTensors[], step: number): number {
    let total = 0;
    for (const { parameter, gradient, offset } of this.#owned()) {
      for (const [replica, source] of shared.entries()) {
        const own = source.subarray(offset, offset + gradient.length);
        if (replica === 0) gradient.set(own);
        else for (let i = 0; i < gradient.length; i++) gradient[i] += own[i];
      }
      const squares = sumOfSquares(gradient);
      if (!Number.isFinite(squares)) {
        throw new EngineError(
          `the gradient of ${parameter.name} in step ${step} is not finite; the weights are unchanged: lower the learning rate or load the last checkpoint`,
        );
      }
      total += squares;
    }
    return total;
  }

  /** Updates the own tensors and puts their weights where the others take them. */
  update(optimizer: OptimizerStep, step: number, norm: number, target: SharedTensors | undefined): void {
    for (const { parameter, gradient, offset, moments } of this.#owned()) {
      adamwUpdate(parameter, gradient, moments, optimizer, step, norm);
      target?.set(parameter.data, offset);
    }
  }

  /** Takes the weights that the other replicas have updated. */
  takeWeights(source: SharedTensors): void {
    for (const { parameter, gradient, offset, moments } of this.#tensors) {
      if (moments !== undefined) continue;
      parameter.data.set(source.subarray(offset, offset + gradient.length));
      gradient.fill(0);
    }
  }

  shareMoments(momentum: SharedTensors, variance: SharedTensors): void {
    for (const { offset, moments } of this.#owned()) {
      momentum.set(moments.momentum, offset);
      variance.set(moments.variance, offset);
    }
  }

  /** The moments of all tensors: own ones, and those that the others have shared. */
  moments(shared?: { readonly momentum: SharedTensors; readonly variance: SharedTensors }): Map<string, Moments> {
    const all = new Map<string, Moments>();
    for (const { parameter, offset, moments } of this.#tensors) {
      const taken = (source: SharedTensors) =>
        new Float32Array(source.subarray(offset, offset + parameter.data.length));
      if (moments !== undefined) all.set(parameter.name, moments);
      else if (shared !== undefined) {
        all.set(parameter.name, { momentum: taken(shared.momentum), variance: taken(shared.variance) });
      }
    }
    return all;
  }

  #owned(): (Trained & { readonly moments: Moments })[] {
    return this.#tensors.filter((tensor): tensor is Trained & { moments: Moments } => tensor.moments !== undefined);
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
