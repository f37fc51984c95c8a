// Every color of reports and dashboard, in one place: one per label of a taxonomy, one per checkpoint, and the surfaces, for
// light and for dark pages.
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { Color, Taxonomy } from "../rollouts/taxonomy.ts";

/** Checkpoints that a recipe names keep their color everywhere; others take the spare ones in order. */
const checkpointColors: Readonly<Record<string, Color>> = {
  base: { light: "#7b8088", dark: "#9aa1ac" },
  teacher: { light: "#b8860b", dark: "#e0b040" },
  sft: { light: "#2166ac", dark: "#6aaef0" },
  vanilla: { light: "#c8421f", dark: "#ff8260" },
  novelty: { light: "#0b7a5e", dark: "#3fc9a0" },
};

const spareColors: readonly Color[] = [
  { light: "#7a3fa0", dark: "#c08be6" },
  { light: "#4d4d4d", dark: "#d0d0d0" },
  { light: "#a6611a", dark: "#d9a066" },
  { light: "#0072b2", dark: "#56b4e9" },
  { light: "#c51b7d", dark: "#f07fb8" },
  { light: "#5a8f00", dark: "#a5d64c" },
];

/** The surfaces and the quiet parts of a figure. */
const plainColors = {
  paper: { light: "#ffffff", dark: "#14171c" },
  text: { light: "#1c2128", dark: "#e6e9ee" },
  muted: { light: "#59626e", dark: "#a2abb8" },
  grid: { light: "#e2e6eb", dark: "#2c323b" },
  gain: { light: "#0b7a5e", dark: "#3fc9a0" },
  loss: { light: "#c8421f", dark: "#ff8260" },
} as const satisfies Record<string, Color>;

const spareNames = spareColors.map((_, i) => `spare-${i}`);

/** Of surfaces and checkpoints, by the name that style sheets and figures use. */
export const colors: Readonly<Record<string, Color>> = {
  ...plainColors,
  ...Object.fromEntries(Object.entries(checkpointColors).map(([name, color]) => [`at-${name}`, color])),
  ...Object.fromEntries(spareNames.map((name, i) => [name, spareColors[i]])),
};

/** A label's color is found under a name of its own, so that no taxonomy can take a surface's. */
export const labelColor = (label: string): string => `is-${label}`;

/** All of them, with those of a taxonomy's labels. */
export const palette = (taxonomy: Taxonomy = paperTaxonomy): Readonly<Record<string, Color>> => ({
  ...colors,
  ...Object.fromEntries(taxonomy.labels.map(({ name, color }) => [labelColor(name), color])),
});

/** Labels so deep on a light page that a letter on them is white. */
export const deepLabels = ({ labels }: Taxonomy): string[] =>
  labels.filter(({ color }) => luminance(color.light) < 0.179).map(({ name }) => name);

/** Relative luminance, as web accessibility guidelines define it; below 0.179 white contrasts better than black. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What a run of a recipe may be drawn in, by name; each has its tone for light and for dark pages. */
const namedColors: Readonly<Record<string, string>> = {
  ...{ red: "at-vanilla", green: "at-novelty", blue: "at-sft", gold: "at-teacher", gray: "at-base" },
  ...{ purple: "spare-0", black: "spare-1", brown: "spare-2", sky: "spare-3", pink: "spare-4", lime: "spare-5" },
};
export const colorNames: readonly string[] = Object.keys(namedColors);

/** The color of each checkpoint: the chosen one, its role's where that is not taken, else one that nobody has while there are any. */
export function checkpointColorNames(
  roles: readonly (string | undefined)[],
  chosen: readonly (string | undefined)[] = [],
): string[] {
  const taken = new Set(chosen.flatMap((color) => namedColors[color ?? ""] ?? []));
  const others = [...spareNames, "at-teacher", "at-sft", "at-novelty", "at-vanilla", "at-base"];
  let spare = 0;
  return roles.map((role, i) => {
    const wanted = namedColors[chosen[i] ?? ""];
    if (wanted !== undefined) return wanted;
    const own = role !== undefined && role in checkpointColors ? `at-${role}` : undefined;
    const waiting = (name: string) => roles.some((one, at) => at > i && `at-${one}` === name);
    const free = others.find((name) => !taken.has(name) && !waiting(name));
    const name = own !== undefined && !taken.has(own) ? own : (free ?? spareNames[spare++ % spareNames.length]);
    taken.add(name);
    return name;
  });
}
