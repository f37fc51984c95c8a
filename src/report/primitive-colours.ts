// Every colour of reports and dashboard, in one place: one per primitive, one per checkpoint, for light and for dark pages.
// Colours differ in lightness as well as in hue, and wherever they stand for a primitive its letter stands there too.
import { type Primitive, primitives } from "../rollouts/primitives.ts";

export type Ink = { readonly light: string; readonly dark: string };

export const primitiveInks: Readonly<Record<Primitive, Ink>> = {
  plan: { light: "#332288", dark: "#8f83e0" },
  setup: { light: "#117733", dark: "#2f9e54" },
  enumerate: { light: "#8c7a12", dark: "#b5a63a" },
  hypothesize: { light: "#aa3399", dark: "#e070d0" },
  compute: { light: "#6bb8e6", dark: "#8fd0f5" },
  check: { light: "#2a9d8f", dark: "#4fd1bf" },
  backtrack: { light: "#d55e00", dark: "#f58231" },
  summarize: { light: "#e3cf6f", dark: "#f0e08c" },
  other: { light: "#b9bcc2", dark: "#6b7280" },
};

/** Deep enough on a light page that a letter on them is white. */
export const deepPrimitives: readonly Primitive[] = ["plan", "setup", "hypothesize"];

/** One letter a primitive, as sequences are written: k is for checK, z for summariZe. */
export const primitiveLetters: Readonly<Record<Primitive, string>> = {
  plan: "P",
  setup: "S",
  enumerate: "E",
  hypothesize: "H",
  compute: "C",
  check: "K",
  backtrack: "B",
  summarize: "Z",
  other: "O",
};

/** What each primitive means, as the paper defines it. */
export const primitiveMeanings: Readonly<Record<Primitive, string>> = {
  plan: "chooses a high-level approach",
  setup: "introduces notation or auxiliaries",
  enumerate: "lists cases or candidates",
  hypothesize: "makes a tentative claim to test",
  compute: "calculates or manipulates",
  check: "verifies against the constraints",
  backtrack: "rejects a line and returns",
  summarize: "consolidates partial results",
  other: "filler or formatting",
};

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
