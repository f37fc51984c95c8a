// Primitives in a terminal: a colour each, strips of a whole trace, and a trace span by span.
import pc from "picocolors";
import type { Primitive } from "../rollouts/primitives.ts";
import { primitiveLetters } from "../traces/primitive-colours.ts";

export const paint: Readonly<Record<Primitive, (text: string) => string>> = {
  plan: pc.yellow,
  setup: pc.cyan,
  enumerate: pc.gray,
  hypothesize: pc.magenta,
  compute: pc.blue,
  check: pc.green,
  backtrack: pc.red,
  summarize: pc.white,
  other: pc.dim,
};

/** One letter a span, so that the strip can be read without colour too. */
export function strip(labels: readonly Primitive[]): string {
  return labels.map((label) => paint[label](pc.inverse(primitiveLetters[label]))).join("");
}

export function spanLine(label: Primitive, confidence: number, text: string): string {
  return `${paint[label](label.padEnd(12))}${pc.dim(confidence.toFixed(2))}  ${text.replace(/\s+/g, " ").slice(0, 160)}`;
}
