// How fast each pair of a head turns per position, for the ways of stretching a context that checkpoints use, and the
// tables of cosines and sines that attention reads.
import { z } from "zod";

const stretching = z.discriminatedUnion("rope_type", [
  z.looseObject({ rope_type: z.literal("default") }),
  z.looseObject({ rope_type: z.literal("linear"), factor: z.number() }),
  z.looseObject({
    rope_type: z.literal("llama3"),
    factor: z.number(),
    low_freq_factor: z.number(),
    high_freq_factor: z.number(),
    original_max_position_embeddings: z.number(),
  }),
  z.looseObject({
    rope_type: z.literal("yarn"),
    factor: z.number(),
    original_max_position_embeddings: z.number(),
    attention_factor: z.number().nullish(),
    beta_fast: z.number().nullish(),
    beta_slow: z.number().nullish(),
    mscale: z.number().nullish(),
    mscale_all_dim: z.number().nullish(),
    truncate: z.boolean().nullish(),
  }),
]);

/** What `rope_parameters` of a config.json says, or `rope_theta` and `rope_scaling` of an older one. */
export const rotaryScheme = z.preprocess(
  (given) => {
    if (typeof given !== "object" || given === null) return given;
    const { type, ...rest } = given as Record<string, unknown>;
    return { ...rest, rope_type: rest.rope_type ?? type ?? "default" };
  },
  z.intersection(stretching, z.looseObject({ rope_theta: z.number() })),
);

export type RotaryScheme = z.infer<typeof rotaryScheme>;

/** Angle per position of each pair, and the factor on the tables (YaRN's temperature). */
function rotaryFrequencies(scheme: RotaryScheme, headSize: number): { frequencies: number[]; factor: number } {
  const half = headSize / 2;
  const plain = Array.from({ length: half }, (_, i) => scheme.rope_theta ** (-(2 * i) / headSize));
  switch (scheme.rope_type) {
    case "default":
      return { frequencies: plain, factor: 1 };
    case "linear":
      return { frequencies: plain.map((frequency) => frequency / scheme.factor), factor: 1 };
    case "llama3": {
      const {
        factor,
        low_freq_factor: low,
        high_freq_factor: high,
        original_max_position_embeddings: trained,
      } = scheme;
      return {
        frequencies: plain.map((frequency) => {
          const wavelength = (2 * Math.PI) / frequency;
          if (wavelength < trained / high) return frequency;
          if (wavelength > trained / low) return frequency / factor;
          const smooth = (trained / wavelength - low) / (high - low);
          return ((1 - smooth) * frequency) / factor + smooth * frequency;
        }),
        factor: 1,
      };
    }
    case "yarn": {
      // Peng et al. 2023, arXiv:2309.00071: slow pairs are interpolated, fast ones left alone, a ramp between.
      const trained = scheme.original_max_position_embeddings;
      const pairTurning = (turns: number) =>
        (headSize * Math.log(trained / (turns * 2 * Math.PI))) / (2 * Math.log(scheme.rope_theta));
      let low = pairTurning(scheme.beta_fast || 32);
      let high = pairTurning(scheme.beta_slow || 1);
      if (scheme.truncate ?? true) [low, high] = [Math.floor(low), Math.ceil(high)];
      low = Math.max(low, 0);
      high = Math.min(high, headSize - 1);
      if (low === high) high += 0.001;
      const temperature = (scale: number, weight = 1) => (scale <= 1 ? 1 : 0.1 * weight * Math.log(scale) + 1);
      const { mscale, mscale_all_dim: mscaleAll } = scheme;
      return {
        frequencies: plain.map((frequency, i) => {
          const interpolated = Math.min(Math.max((i - low) / (high - low), 0), 1);
          return (frequency / scheme.factor) * interpolated + frequency * (1 - interpolated);
        }),
        factor:
          scheme.attention_factor ??
          (mscale && mscaleAll
            ? temperature(scheme.factor, mscale) / temperature(scheme.factor, mscaleAll)
            : temperature(scheme.factor)),
      };
    }
  }
}

/** positions x (head size / 2) each. */
export function rotaryTables(scheme: RotaryScheme, headSize: number, positions: number) {
  const { frequencies, factor } = rotaryFrequencies(scheme, headSize);
  const cosines = new Float32Array(positions * frequencies.length);
  const sines = new Float32Array(positions * frequencies.length);
  for (let position = 0, at = 0; position < positions; position++) {
    for (const frequency of frequencies) {
      // In single precision, as the checkpoint was trained: the angle itself is a float32 there.
      const angle = Math.fround(position * Math.fround(frequency));
      cosines[at] = Math.cos(angle) * factor;
      sines[at++] = Math.sin(angle) * factor;
    }
  }
  return { cosines, sines };
}
