// What a primitive looks like wherever sequences are drawn: its colour on light and dark pages, its letter, its meaning.
// Colours differ in lightness as well as in hue, and wherever they stand for a primitive its letter stands there too.
import type { Primitive } from "../rollouts/primitives.ts";

export type Ink = { readonly light: string; readonly dark: string };

/** Any two are at least 16 apart in CIE L*a*b*, for ordinary eyes and for each kind of colour blindness. */
export const primitiveInks: Readonly<Record<Primitive, Ink>> = {
  plan: { light: "#332296", dark: "#7c9dfc" },
  setup: { light: "#1a6e3c", dark: "#288f50" },
  enumerate: { light: "#8a9a36", dark: "#a8b754" },
  hypothesize: { light: "#ac319f", dark: "#d568c5" },
  compute: { light: "#77b3e1", dark: "#9cdcfc" },
  check: { light: "#1c9091", dark: "#59dcb0" },
  backtrack: { light: "#ec420e", dark: "#f76d2e" },
  summarize: { light: "#dccd78", dark: "#f1e690" },
  other: { light: "#bbbeb6", dark: "#8598a3" },
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
