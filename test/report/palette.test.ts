import { describe, expect, it } from "vitest";
import { checkpointColorNames, colors } from "../../src/drawing/palette.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";

const { labels } = paperTaxonomy;

/** sRGB in linear light. */
function linearRgb(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** Machado, Oliveira and Fernandes 2009, severity 1: what somebody without one kind of cone sees. */
const visions: Readonly<Record<string, readonly (readonly number[])[]>> = {
  ordinary: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE L*a*b* under D65, where distance is roughly what the eye tells apart. */
function lab(rgb: readonly number[]): number[] {
  const toXyz = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.072175],
    [0.0193339, 0.119192, 0.9503041],
  ];
  const white = [0.95047, 1, 1.08883];
  const [x, y, z] = toXyz.map((row, i) => {
    const value = row.reduce((sum, weight, c) => sum + weight * Math.min(1, Math.max(0, rgb[c])), 0) / white[i];
    return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((value, i) => value - b[i]));

function seen(hex: string, vision: string): number[] {
  const rgb = linearRgb(hex);
  return lab(visions[vision].map((row) => row.reduce((sum, weight, c) => sum + weight * rgb[c], 0)));
}

describe("colors", () => {
  for (const vision of Object.keys(visions))
    for (const shade of ["light", "dark"] as const)
      it(`primitives can be told apart with ${vision} on a ${shade} page`, () => {
        for (const [i, a] of labels.entries())
          for (const b of labels.slice(i + 1)) {
            const apart = distance(seen(a.color[shade], vision), seen(b.color[shade], vision));
            expect(apart, `${a.name} and ${b.name}`).toBeGreaterThan(16);
          }
      });

  it("text can be read on its page", () => {
    const luminance = (hex: string) =>
      linearRgb(hex).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    for (const shade of ["light", "dark"] as const)
      for (const ink of ["text", "muted"]) {
        const [a, b] = [luminance(colors[ink][shade]), luminance(colors.paper[shade])].sort((x, y) => y - x);
        expect((a + 0.05) / (b + 0.05), `${ink} on ${shade}`).toBeGreaterThan(4.5);
      }
  });

  it("a role keeps its color, a second of the same role takes another", () => {
    const names = checkpointColorNames(["base", "sft", "sft", undefined, "novelty"]);
    expect(names).toEqual(["at-base", "at-sft", "spare-0", "spare-1", "at-novelty"]);
  });
});
