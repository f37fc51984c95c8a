// One colour a primitive, wherever sequences are drawn. Hypothesize is purple and backtrack orange, as in the paper's
// strips, so that a recovery is seen at a glance; the exploitation primitives are kin.
import type { Primitive } from "../rollouts/primitives.ts";

export const primitiveColours: Readonly<Record<Primitive, string>> = {
  plan: "#f2c14e",
  setup: "#9bc4e2",
  enumerate: "#7f9c96",
  hypothesize: "#8e44ad",
  compute: "#2e6fa7",
  check: "#3aa17e",
  backtrack: "#e67e22",
  summarize: "#c5566a",
  other: "#d9d9d9",
};
