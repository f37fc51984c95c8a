// Every colour of reports and dashboard, in one place: those of primitives from where sequences are made, one per
// checkpoint, and the surfaces, for light and for dark pages.
import { primitives } from "../rollouts/primitives.ts";
import { type Ink, primitiveInks } from "../traces/primitive-colours.ts";

export {
  deepPrimitives,
  type Ink,
  primitiveInks,
  primitiveLetters,
  primitiveMeanings,
} from "../traces/primitive-colours.ts";

/** Checkpoints that a recipe names keep their colour in every report; others take the spare ones in order. */
const checkpointInks: Readonly<Record<string, Ink>> = {
  base: { light: "#7b8088", dark: "#9aa1ac" },
  teacher: { light: "#b8860b", dark: "#e0b040" },
  sft: { light: "#2166ac", dark: "#6aaef0" },
  vanilla: { light: "#c8421f", dark: "#ff8260" },
  novelty: { light: "#0b7a5e", dark: "#3fc9a0" },
};

const spareInks: readonly Ink[] = [
  { light: "#7a3fa0", dark: "#c08be6" },
  { light: "#4d4d4d", dark: "#d0d0d0" },
  { light: "#a6611a", dark: "#d9a066" },
  { light: "#0072b2", dark: "#56b4e9" },
  { light: "#c51b7d", dark: "#f07fb8" },
  { light: "#5a8f00", dark: "#a5d64c" },
];

/** The surfaces and the quiet parts of a figure. */
export const plainInks = {
  paper: { light: "#ffffff", dark: "#14171c" },
  text: { light: "#1c2128", dark: "#e6e9ee" },
  muted: { light: "#59626e", dark: "#a2abb8" },
  grid: { light: "#e2e6eb", dark: "#2c323b" },
  gain: { light: "#0b7a5e", dark: "#3fc9a0" },
  loss: { light: "#c8421f", dark: "#ff8260" },
} as const satisfies Record<string, Ink>;

const spareNames = spareInks.map((_, i) => `spare-${i}`);

/** All inks by the name that style sheets and figures use. */
export const inks: Readonly<Record<string, Ink>> = {
  ...plainInks,
  ...Object.fromEntries(primitives.map((primitive) => [primitive, primitiveInks[primitive]])),
  ...Object.fromEntries(Object.entries(checkpointInks).map(([name, ink]) => [`at-${name}`, ink])),
  ...Object.fromEntries(spareNames.map((name, i) => [name, spareInks[i]])),
};

/** The ink of each checkpoint: its role's where it has one that is not taken, a spare one otherwise. */
export function checkpointInkNames(roles: readonly (string | undefined)[]): string[] {
  const taken = new Set<string>();
  let spare = 0;
  return roles.map((role) => {
    const own = role !== undefined && role in checkpointInks ? `at-${role}` : undefined;
    const name = own !== undefined && !taken.has(own) ? own : spareNames[spare++ % spareNames.length];
    taken.add(name);
    return name;
  });
}
