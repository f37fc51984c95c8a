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

/**
 * Measured by steps of plain gradient descent where the server lets us choose epsilon, else by the norm it reports. In bf16 a step
 * of twice the size does not move twice as far: small changes of a layer's output are rounded away. So no two sizes are compared,
 * but steps that should be one and the same.
 */
async function gradientForms(gauge: Gauge, epsilonActs: boolean): Promise<GradientForms> {
  const gradient = epsilonActs ? await byDescent(gauge) : await byReportedNorm(gauge);
  if (gradient === undefined) {
    const because = "the server fixes its epsilon and reports no gradient norm, so gradients cannot be compared";
    return { reduction: { because }, negativeWeights: { because }, importanceSampling: { because } };
  }
  const doubled = await gradient.growth({ weights: 2 });
  const twice = await gradient.growth({ weights: 1, copies: 2 });
  const parts = await gradient.ofParts?.();
  const negative = await gradient.ofNegative("cross_entropy");
  const sampledDouble = await gradient.growth({ weights: 2, form: "importance_sampling" });
  const sampledNegative = await gradient.ofNegative("importance_sampling");
  const sum = doubled.grows === "twice" && twice.grows === "twice" && (parts?.holds ?? true);
  const normalized = doubled.grows === "not" && twice.grows === "not";
  const told = [`weights twice as large: ${doubled.told}`, `the sequence twice: ${twice.told}`];
  return {
    reduction: {
      value: sum ? "token-sum" : normalized ? "sequence-normalized" : "other",
      because: [...told, ...(parts === undefined ? [] : [`its halves one after the other: ${parts.told}`])].join(", "),
    },
    negativeWeights: { value: negative.holds ? "honored" : "broken", because: `weight −1: ${negative.told}` },
    importanceSampling: {
      value: sampledDouble.grows === "twice" && sampledNegative.holds ? "linear" : "broken",
      because: `advantage 2: ${sampledDouble.told}, advantage −1: ${sampledNegative.told}`,
    },
  };
}

type GradientStep = Omit<ProbeStep, "adam">;
type Form = NonNullable<ProbeStep["form"]>;
type Growth = { readonly grows: "twice" | "not" | undefined; readonly told: string };
type Held = { readonly holds: boolean; readonly told: string };

type GradientMeasure = {
  /** How the gradient compares with that of weight 1, given once. */
  growth(step: GradientStep): Promise<Growth>;
  ofNegative(form: Form): Promise<Held>;
  /** Whether the gradients of two halves add up to the whole's. */
  ofParts?(): Promise<Held>;
};

const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.25 * Math.abs(wanted);
const show = (value: number) => value.toPrecision(3);

/** What all others are compared with. */
function oncePerForm<T>(measured: (form: Form) => Promise<T>): (form?: Form) => Promise<T> {
  const known = new Map<Form, Promise<T>>();
  return (form = "cross_entropy") => {
    const found = known.get(form) ?? measured(form);
    known.set(form, found);
    return found;
  };
}

async function byDescent(gauge: Gauge): Promise<GradientMeasure> {
  const rate = await gauge.calibrate({ epsilon: plain });
  const moved = (step: GradientStep, share = 1) =>
    gauge.moved([{ ...step, adam: adamOf(share * rate, { beta1: 0, beta2: 0, epsilon: plain }) }]);
  const one = oncePerForm((form) => moved({ weights: 1, form }));
  const ofOne = async (step: GradientStep, share?: number) => (await moved(step, share)) / (await one(step.form));
  return {
    growth: async (step) => {
      const [halved, whole] = [await ofOne(step, 0.5), await ofOne(step)];
      return {
        grows: near(halved, 1) ? "twice" : near(whole, 1) ? "not" : undefined,
        told: `at half the rate ${show(halved)} times the step, at the whole ${show(whole)}`,
      };
    },
    ofNegative: async (form) => {
      const left = await ofOne({ weights: 1, form, also: { weights: -1, form } });
      return { holds: Math.abs(left) < 0.25, told: `added to weight 1 it leaves ${show(left)} of the step` };
    },
    ofParts: async () => {
      const both = await ofOne({ weights: 1, part: "first", also: { weights: 1, part: "second" } });
      return { holds: near(both, 1), told: `${show(both)} times the step` };
    },
  };
}

async function byReportedNorm(gauge: Gauge): Promise<GradientMeasure | undefined> {
  const norm = (step: GradientStep) => gauge.gradientNorm({ ...step, adam: adamOf(0) });
  const one = oncePerForm((form) => norm({ weights: 1, form }));
  if ((await one()) === undefined) return undefined;
  const ofOne = async (step: GradientStep) =>
    ((await norm(step)) ?? Number.NaN) / ((await one(step.form)) ?? Number.NaN);
  return {
    growth: async (step) => {
      const ratio = await ofOne(step);
      return {
        grows: near(ratio, 2) ? "twice" : near(ratio, 1) ? "not" : undefined,
        told: `${show(ratio)} times the norm`,
      };
    },
    ofNegative: async (form) => {
      const ratio = await ofOne({ weights: -1, form });
      return { holds: near(ratio, 1), told: `${show(ratio)} times the norm of weight 1` };
    },
  };
}
