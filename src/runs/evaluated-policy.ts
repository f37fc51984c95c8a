// Whom an evaluation asked and how, by its settings: the one reading of what `evaluate` and the recipes write.
import { z } from "zod";

export type EvaluatedPolicy = {
  /** As it was called, or as its server calls its model. */
  readonly name?: string;
  /** The path of a checkpoint of ours. */
  readonly checkpoint?: string;
  /** Of training, where it is the checkpoint of a step. */
  readonly step?: number;
  /** 0 is greedy. */
  readonly temperature?: number;
};

const settingsSchema = z.looseObject({
  policy: z
    .union([z.string(), z.looseObject({ model: z.string().optional(), checkpoint: z.string().optional() })])
    .optional(),
  step: z.number().optional(),
  sampling: z.looseObject({ temperature: z.number().optional() }).optional(),
  evaluation: z.looseObject({ temperature: z.number().optional() }).optional(),
  temperature: z.number().optional(),
});

export function evaluatedPolicy(config: Readonly<Record<string, unknown>>): EvaluatedPolicy {
  const settings = settingsSchema.safeParse(config).data;
  if (settings === undefined) return {};
  const { policy, sampling, evaluation } = settings;
  const { model, checkpoint } = typeof policy === "string" ? { model: policy } : { checkpoint: undefined, ...policy };
  const step = settings.step ?? (checkpoint === undefined ? undefined : stepOf(checkpoint));
  return {
    ...{ name: model, checkpoint, step },
    temperature: sampling?.temperature ?? evaluation?.temperature ?? settings.temperature,
  };
}

/** 15 of `runs/rl/checkpoints/step-15`. */
function stepOf(checkpoint: string): number | undefined {
  const [, step] = /(?:^|[\\/])step-(\d+)[\\/]?$/.exec(checkpoint) ?? [];
  return step === undefined ? undefined : Number(step);
}
