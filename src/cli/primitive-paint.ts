// Labels in a terminal: a color each, strips of a whole trace, and a trace span by span.
import pc from "picocolors";
import type { Taxonomy } from "../rollouts/taxonomy.ts";

type Paint = (text: string) => string;

const paperPaints: Readonly<Record<string, Paint>> = {
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

const spare: readonly Paint[] = [pc.yellow, pc.cyan, pc.magenta, pc.blue, pc.green, pc.red, pc.white, pc.gray];

/** The color of each label, and strips and lines made with it. */
export function painter({ labels, break: breakLabel }: Taxonomy) {
  const paints = new Map(
    labels.map(({ name }, i) => [name, paperPaints[name] ?? (name === breakLabel ? pc.dim : spare[i % spare.length])]),
  );
  const letters = new Map(labels.map(({ name, letter }) => [name, letter]));
  const paint = (label: string) => (paints.get(label) ?? pc.dim)(label);
  return {
    legend: labels.map(({ name }) => paint(name)).join(" "),
    /** One letter a span, so that the strip can be read without color too. */
    strip: (sequence: readonly string[]): string =>
      sequence.map((label) => (paints.get(label) ?? pc.dim)(pc.inverse(letters.get(label) ?? "?"))).join(""),
    spanLine: (label: string, confidence: number | undefined, text: string): string => {
      const sure = confidence === undefined ? "    " : confidence.toFixed(2);
      const painted = (paints.get(label) ?? pc.dim)(label.padEnd(12));
      return `${painted}${pc.dim(sure)}  ${text.replace(/\s+/g, " ").slice(0, 160)}`;
    },
  };
}
