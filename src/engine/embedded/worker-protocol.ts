// What the engine and its worker threads say to each other.
import type { OptimizerStep, Sample, SequenceScores, TokenSequence } from "../engine.ts";
import type { ReplicaOptions, ScoreOptions } from "./replica.ts";
import type { IndexedRequest } from "./runtime/sampler.ts";
import type { PassWeights } from "./runtime/sequence-runner.ts";
import type { SharedTensors } from "./runtime/trained-tensors.ts";

/** A shared word: anything but 0 means that the work is no longer wanted. */
export type CancelFlag = Int32Array;

export type Verbs = {
  create: { arguments: ReplicaOptions; result: { readonly trainedCount: number; readonly contextLength: number } };
  /** Draws until the last request has been offered and nothing is left. */
  sample: { arguments: { round: number; cancel: CancelFlag }; result: undefined };
  score: {
    arguments: {
      sequences: readonly TokenSequence[];
      options: ScoreOptions & { readonly folder?: string };
      cancel: CancelFlag;
    };
    result: SequenceScores[];
  };
  accumulate: {
    arguments: {
      sequences: readonly TokenSequence[];
      weights: PassWeights;
      options: ScoreOptions & { readonly names: readonly number[] };
      cancel: CancelFlag;
    };
    result: SequenceScores[];
  };
  forgetGradient: { arguments: Record<string, never>; result: undefined };
  /** The four parts of a step, in this order; see `Replica`. */
  shareGradient: { arguments: { target: SharedTensors }; result: undefined };
  addUpGradient: { arguments: { shared: readonly SharedTensors[] }; result: number };
  update: { arguments: { optimizer: OptimizerStep; norm: number; target?: SharedTensors }; result: undefined };
  takeWeights: { arguments: { source: SharedTensors }; result: undefined };
  shareMoments: { arguments: { momentum: SharedTensors; variance: SharedTensors }; result: undefined };
  save: {
    arguments: {
      folder: string;
      shared?: { readonly momentum: SharedTensors; readonly variance: SharedTensors };
    };
    result: undefined;
  };
  exportModel: { arguments: { folder: string }; result: undefined };
  load: { arguments: { folder: string }; result: undefined };
  forgetFrozen: { arguments: { folder: string }; result: undefined };
  dispose: { arguments: Record<string, never>; result: undefined };
};

export type Verb = keyof Verbs;

export type ToWorker =
  | {
      [V in Verb]: {
        readonly kind: "call";
        readonly id: number;
        readonly verb: V;
        readonly with: Verbs[V]["arguments"];
      };
    }[Verb]
  | Offer;

/** Requests for the round of sampling that is going on; one that comes too late is for nobody. */
type Offer = {
  readonly kind: "offer";
  readonly round: number;
  readonly requests: readonly IndexedRequest[];
  readonly last: boolean;
};

export type FromWorker =
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "error";
      readonly id: number;
      readonly name: string;
      readonly message: string;
      readonly stack?: string;
    }
  | { readonly kind: "sample"; readonly index: number; readonly sample: Sample };

/** The error that a canceled call ends with inside the worker. */
export const canceledName = "Canceled";
