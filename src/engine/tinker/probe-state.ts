// What a server does with checkpoints and models beside each other: whether a saved one stays as it was while training goes
// on, what names it takes, what a new model finds in its place, how it says that one is gone.
import { EngineError, messageOf, RemoteServiceError } from "../../base/errors.ts";
import { samplerPath } from "./checkpoint-paths.ts";
import { LostRequestError, RefusedRequestError } from "./connection.ts";
import type { Measured } from "./measured.ts";
import { adamOf, type Gauge, type ProbeStep } from "./probe-gauge.ts";
import type { TrainingModel } from "./training-model.ts";

const stepOf = (rate: number, weightDecay = 0): ProbeStep => ({ weights: 1, adam: adamOf(rate, { weightDecay }) });

const difference = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((value, i) => Math.abs(value - (other[i] ?? Number.NaN))));

/** Steps move the sum of the log-probs by a few tenths; rounding moves single ones by far less than this. */
const still = 0.01;

// ---- Checkpoints -------------------------------------------------------------------------------------------------

type CheckpointForms = Pick<Measured, "frozenCheckpoints" | "checkpointNames" | "repeatedSaves" | "unknownFields">;

export async function checkpointForms(
  gauge: Gauge,
  rate: number,
  samplesFromTraining: boolean,
): Promise<CheckpointForms> {
  const frozenCheckpoints = await staysFrozen(gauge, rate, samplesFromTraining);
  return gauge.withModel(async (model) => {
    const saved = async (body: object): Promise<RefusedRequestError | undefined> => {
      try {
        await model.ask("save_weights", body);
        return undefined;
      } catch (error) {
        if (error instanceof RefusedRequestError) return error;
        throw error;
      }
    };
    const [first, second] = [
      await saved({ path: "repertoire-twice", overwrite: true }),
      await saved({ path: "repertoire-twice", overwrite: true }),
    ];
    if (first !== undefined) throw first;
    const dotted = await saved({ path: "repertoire-probe.dotted" });
    const unknown = await saved({ path: "repertoire-probe-field", repertoire_probe: true });
    const said = (error: RefusedRequestError | undefined) => error?.message ?? "it was saved";
    return {
      frozenCheckpoints,
      repeatedSaves: { value: second === undefined ? "replaced" : "refused", because: said(second) },
      checkpointNames: { value: dotted === undefined ? "with-dots" : "without-dots", because: said(dotted) },
      unknownFields: { value: unknown === undefined ? "ignored" : "refused", because: said(unknown) },
    };
  });
}

/**
 * A checkpoint is saved, its model trained, the checkpoint scored and the model looked at again: once with nothing sampled
 * in between, once after a sample of the live weights. Either may tell: the checkpoint speaks with the live weights, or the
 * live weights have become the checkpoint's.
 */
async function staysFrozen(
  gauge: Gauge,
  rate: number,
  samplesFromTraining: boolean,
): Promise<Measured["frozenCheckpoints"]> {
  return gauge.withModel(async (model) => {
    const { session } = gauge;
    const start = await gauge.forward(model);
    const path = await checkpointToSample(model, samplesFromTraining);
    const sampler = await session.samplingSessionOn(path);
    const scored = async () => {
      const options = { promptLogprobs: true };
      const { promptLogprobs = [] } = await session.sample(sampler, gauge.sequence, { max_tokens: 1 }, options);
      return promptLogprobs.slice(-start.length).map((value) => value ?? Number.NaN);
    };
    const told: string[] = [];
    let apart = true;
    for (const sampledBefore of [false, true]) {
      await gauge.take(model, stepOf(rate));
      if (sampledBefore) {
        const live = await session.samplingSessionOf(model);
        await session.sample(live, gauge.sequence, { max_tokens: 1, seed: 1 });
      }
      const trained = await gauge.forward(model);
      if (!(difference(trained, start) > still)) return { because: "a step moved nothing, so nothing can be told" };
      const [checkpoint, live] = [difference(await scored(), start), difference(await gauge.forward(model), trained)];
      told.push(
        `${sampledBefore ? "after a sample" : "after a step"} the checkpoint is off by ${checkpoint.toPrecision(2)}, ` +
          `the live weights by ${live.toPrecision(2)} once it was scored`,
      );
      apart &&= checkpoint < still && live < still;
    }
    return { value: apart ? "apart" : "over-live-weights", because: told.join("; ") };
  });
}

async function checkpointToSample(model: TrainingModel, samplesFromTraining: boolean): Promise<string> {
  const path = await model.saveWeights("repertoire-frozen");
  if (samplesFromTraining) return path;
  const sampler = await model.saveSamplerWeights("repertoire-frozen");
  return sampler || samplerPath(path);
}

// ---- Models ------------------------------------------------------------------------------------------------------

type ModelForms = Pick<Measured, "lostModels" | "newModels" | "weightDecayReach" | "loraAlpha">;

export async function modelForms(gauge: Gauge, rate: number): Promise<ModelForms> {
  return {
    newModels: await findsOldGradients(gauge, rate),
    weightDecayReach: await decayReach(gauge, rate),
    lostModels: await tellsLoss(gauge),
    loraAlpha: await alphaActs(gauge, rate),
  };
}

/** A gradient that was never used, then a new model that takes a step without one. */
async function findsOldGradients(gauge: Gauge, rate: number): Promise<Measured["newModels"]> {
  await gauge.withModel((model) => gauge.backward(model, { weights: 1 }));
  const moved = await gauge.withModel(async (model) => {
    const before = await gauge.forward(model);
    try {
      await model.step(stepOf(rate).adam);
    } catch (error) {
      // Some servers refuse a step without a gradient: then none was left.
      if (error instanceof RefusedRequestError || error instanceof EngineError) return 0;
      throw error;
    }
    return difference(await gauge.forward(model), before);
  });
  return {
    value: moved < still ? "clean" : "with-old-gradients",
    because: `a new model's step without a gradient moved its log-probs by ${moved.toPrecision(2)}`,
  };
}

/** A trained model that is left alone while another one decays. */
async function decayReach(gauge: Gauge, rate: number): Promise<Measured["weightDecayReach"]> {
  try {
    return await gauge.withModel(async (bystander) => {
      await gauge.take(bystander, stepOf(rate));
      const before = await gauge.forward(bystander);
      await gauge.withModel((model) => gauge.take(model, stepOf(rate, 0.5 / rate)));
      const moved = difference(await gauge.forward(bystander), before);
      return {
        value: moved < still ? ("own-model" as const) : ("all-models" as const),
        because: `the decay of one model moved the log-probs of another by ${moved.toPrecision(2)}`,
      };
    });
  } catch (error) {
    if (!(error instanceof RemoteServiceError || error instanceof EngineError)) throw error;
    return { because: `two models could not be made: ${messageOf(error)}` };
  }
}

async function tellsLoss(gauge: Gauge): Promise<Measured["lostModels"]> {
  const gone = await gauge.withModel(async (model) => model);
  try {
    await gauge.forward(gone);
    return { because: "a model that was unloaded still answers" };
  } catch (error) {
    return { value: error instanceof LostRequestError ? "noticed" : "unnoticed", because: messageOf(error) };
  }
}

/** A first step moves B alone, and by how much goes with alpha. */
async function alphaActs(gauge: Gauge, rate: number): Promise<Measured["loraAlpha"]> {
  if (gauge.loraRank === 0) return { because: "all weights train, there are no adapters" };
  try {
    const [small, large] = [
      await gauge.moved([stepOf(rate)], { loraAlpha: 4 }),
      await gauge.moved([stepOf(rate)], { loraAlpha: 16 }),
    ];
    const acts = Math.abs(small - large) > 0.1 * Math.max(Math.abs(small), Math.abs(large));
    return {
      value: acts ? "chosen" : "fixed",
      because: `log-prob moved by ${small.toPrecision(3)} at alpha 4 and ${large.toPrecision(3)} at alpha 16`,
    };
  } catch (error) {
    if (!(error instanceof RefusedRequestError)) throw error;
    return { value: "fixed", because: error.message };
  }
}
