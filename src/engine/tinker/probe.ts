// Measures by experiment what a Tinker server does where servers differ. Every finding compares runs that differ in one
// thing: a weight, a field of the optimizer, a form of the body. Models are made afresh from one seed, so that all runs
// start alike; what is looked at is how far a step moves the log-probs of one sequence.
import { EngineError, RemoteServiceError } from "../../base/errors.ts";
import type { OptimizerField } from "./capabilities.ts";
import type { Measured } from "./measured.ts";
import { adamOf, Gauge, type GaugeOptions, type ProbeStep } from "./probe-gauge.ts";
import { samplingForms } from "./probe-sampling.ts";
import { checkpointForms, modelForms } from "./probe-state.ts";
import type { Adam, TrainingModel } from "./training-model.ts";

/** Adam with this much in its denominator is plain gradient descent: a step of rate · gradient / plain. */
const plain = 1e6;

export async function probe(options: GaugeOptions): Promise<Measured> {
  const gauge = await Gauge.open(options);
  try {
    await gauge.withModel((model) => takesPasses(gauge, model));
    const rate = await gauge.calibrate({ epsilon: 1e-12 });
    const optimizer = await optimizerFieldsHonored(gauge, rate);
    const gradients = await gradientForms(gauge, optimizer.value?.includes("epsilon") ?? false);
    const sampling = await samplingForms(gauge);
    return {
      ...{ optimizerFields: optimizer, ...gradients, ...sampling },
      ...(await checkpointForms(gauge, rate, sampling.samplesFromTrainingWeights.value ?? false)),
      ...(await modelForms(gauge, rate)),
    };
  } finally {
    await gauge.close();
  }
}

/** A model that cannot be made is another matter than a pass that is not taken. */
async function takesPasses(gauge: Gauge, model: TrainingModel): Promise<void> {
  await gauge.forward(model).catch((error: unknown) => {
    if (!(error instanceof RemoteServiceError || error instanceof EngineError)) throw error;
    throw new EngineError(`the server takes no passes in protobuf, and none are sent otherwise: ${error.message}`);
  });
}

// ---- The optimizer -----------------------------------------------------------------------------------------------

/** A field acts if two runs that differ in nothing else end elsewhere. */
async function optimizerFieldsHonored(gauge: Gauge, rate: number): Promise<Measured["optimizerFields"]> {
  const step = (weights: number, change: Partial<Adam> = {}): ProbeStep => ({ weights, adam: adamOf(rate, change) });
  const told: string[] = [];
  const act = async (field: OptimizerField, one: readonly ProbeStep[], other: readonly ProbeStep[]) => {
    const [a, b] = [await gauge.moved(one), await gauge.moved(other)];
    told.push(`${field} ${a.toPrecision(3)} against ${b.toPrecision(3)}`);
    return Math.abs(a - b) > 0.1 * Math.max(Math.abs(a), Math.abs(b));
  };
  const honored: OptimizerField[] = [];
  if (await act("learningRate", [step(1)], [step(1, { learningRate: rate / 4 })])) honored.push("learningRate");
  // A step without a gradient moves on by momentum alone: how far tells the betas.
  const slow = { beta1: 0, beta2: 0.5 };
  if (await act("betas", [step(1), step(0)], [step(1, slow), step(0, slow)])) honored.push("betas");
  const epsilonActs = await act("epsilon", [step(1)], [step(1, { epsilon: plain })]);
  if (epsilonActs) honored.push("epsilon");
  if (await act("weightDecay", [step(1), step(0)], [step(1), step(0, { weightDecay: 0.5 / rate })]))
    honored.push("weightDecay");
  // Clipped to almost nothing, a gradient is small beside an epsilon; where that is fixed, it only adds nothing to the
  // momentum of the one before.
  const wide = { epsilon: 1e-6 };
  const clipped = { maxGradientNorm: 1e-9 };
  const clips = epsilonActs
    ? await act("maxGradientNorm", [step(1, wide)], [step(1, { ...wide, ...clipped })])
    : await act("maxGradientNorm", [step(1), step(1)], [step(1), step(1, clipped)]);
  if (clips) honored.push("maxGradientNorm");
  return { value: honored, because: `log-prob moved by: ${told.join(", ")}` };
}

// ---- The gradient ------------------------------------------------------------------------------------------------

type GradientForms = Pick<Measured, "reduction" | "negativeWeights" | "importanceSampling">;

/** Measured by steps of plain gradient descent where the server lets us choose epsilon, else by the norm it reports. */
async function gradientForms(gauge: Gauge, epsilonActs: boolean): Promise<GradientForms> {
  const how = epsilonActs ? await descent(gauge) : await reportedNorm(gauge);
  if (how === undefined) {
    const because = "the server fixes its epsilon and reports no gradient norm, so gradients cannot be compared";
    return { reduction: { because }, negativeWeights: { because }, importanceSampling: { because } };
  }
  const { size, signed } = how;
  const one = await size({ weights: 1 });
  const ratio = async (step: GradientStep) => (await size(step)) / one;
  const doubled = await ratio({ weights: 2 });
  const twice = await ratio({ weights: 1, copies: 2 });
  const [first, second] = [await ratio({ weights: 1, part: "first" }), await ratio({ weights: 1, part: "second" })];
  const parts = signed ? 1 / (first + second) : undefined;
  const negative = await ratio({ weights: -1 });
  const form = "importance_sampling" as const;
  const sampled = await size({ weights: 1, form });
  const sampledDouble = (await size({ weights: 2, form })) / sampled;
  const sampledNegative = (await size({ weights: -1, form })) / sampled;
  const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.25 * Math.abs(wanted);
  const show = (value: number) => value.toPrecision(3);
  const told = [
    `weights twice as large: ${show(doubled)} times the step`,
    `the sequence twice: ${show(twice)}`,
    ...(parts === undefined ? [] : [`all tokens against the sum over parts: ${show(parts)}`]),
  ].join(", ");
  const sum = near(doubled, 2) && near(twice, 2) && (parts === undefined || near(parts, 1));
  const normalized = near(doubled, 1) && near(twice, 1);
  const opposite = (value: number) => near(value, signed ? -1 : 1);
  return {
    reduction: { value: sum ? "token-sum" : normalized ? "sequence-normalized" : "other", because: told },
    negativeWeights: {
      value: opposite(negative) ? "honored" : "broken",
      because: `weight −1: ${show(negative)} times the step of weight 1`,
    },
    importanceSampling: {
      value: near(sampledDouble, 2) && opposite(sampledNegative) ? "linear" : "broken",
      because: `advantage 2: ${show(sampledDouble)} times the step of advantage 1, advantage −1: ${show(sampledNegative)}`,
    },
  };
}

type GradientStep = Omit<ProbeStep, "adam">;
type Measurement = { readonly size: (step: GradientStep) => Promise<number>; readonly signed: boolean };

async function descent(gauge: Gauge): Promise<Measurement> {
  const rate = await gauge.calibrate({ epsilon: plain });
  const adam = adamOf(rate, { beta1: 0, beta2: 0, epsilon: plain });
  return { signed: true, size: (step) => gauge.moved([{ ...step, adam }]) };
}

async function reportedNorm(gauge: Gauge): Promise<Measurement | undefined> {
  const norm = (step: GradientStep) => gauge.gradientNorm({ ...step, adam: adamOf(0) });
  if ((await norm({ weights: 1 })) === undefined) return undefined;
  return { signed: false, size: async (step) => (await norm(step)) ?? Number.NaN };
}
