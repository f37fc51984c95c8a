// A graph made ready to run on this machine's processor.

import type { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { turnOffTelemetry } from "../../../base/no-telemetry.ts";
import { optionalPackage } from "../../../base/optional-package.ts";
import { type Graph, modelBytes } from "./model.ts";

/** What the engine needs of onnxruntime's tensors, so that its types can be checked where that is not installed. */
export type Tensor = { readonly data: unknown; readonly dims: readonly number[]; readonly size: number };
export type Feeds = Record<string, Tensor>;

type OrtTensors = Record<string, OrtTensor>;
type Runtime = typeof import("onnxruntime-node");
let runtime: Runtime | undefined;

async function loadRuntime(): Promise<Runtime> {
  if (runtime === undefined) {
    turnOffTelemetry();
    const module: Runtime & { readonly default?: Runtime } = await optionalPackage(
      ["onnxruntime-node"],
      "the embedded engine",
      () => import("onnxruntime-node"),
    );
    runtime = module.default ?? module;
  }
  return runtime;
}

/** A tensor over the array itself: a run reads it, or writes it where it is bound as an output. */
export type TensorMaker = {
  float(data: Float32Array, shape: readonly number[]): Tensor;
  integers(data: readonly number[] | Int32Array, shape: readonly number[]): Tensor;
  int32(data: Int32Array, shape: readonly number[]): Tensor;
};

export class Session {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  static async create(graph: Graph, options: { readonly threads: number }): Promise<Session> {
    const { InferenceSession } = await loadRuntime();
    return new Session(
      await InferenceSession.create(modelBytes(graph), {
        intraOpNumThreads: options.threads,
        interOpNumThreads: 1,
        executionMode: "sequential",
        // Planned blocks of memory hold a third more than allocations as they come, and are no faster.
        enableMemPattern: false,
        // The builder already emits what it wants to run; leaving it alone keeps sessions quick to make, and keeps
        // recomputed activations from being merged with the originals.
        graphOptimizationLevel: "disabled",
      }),
    );
  }

  /** `bound` outputs are written into the given tensors; `wanted` ones come back as new tensors. */
  async run(feeds: Feeds, wanted: readonly string[], bound: Feeds = {}): Promise<Record<string, Tensor>> {
    const fetches: Record<string, OrtTensor | null> = { ...(bound as OrtTensors) };
    for (const name of wanted) fetches[name] = null;
    return this.#session.run(feeds as OrtTensors, fetches);
  }

  async dispose(): Promise<void> {
    await this.#session.release();
  }
}

export async function tensorMaker(): Promise<TensorMaker> {
  const { Tensor } = await loadRuntime();
  return {
    float: (data, shape) => new Tensor("float32", data, shape),
    int32: (data, shape) => new Tensor("int32", data, shape),
    integers: (data, shape) => {
      const wide = new BigInt64Array(data.length);
      for (let i = 0; i < data.length; i++) wide[i] = BigInt(data[i]);
      return new Tensor("int64", wide, shape);
    },
  };
}
