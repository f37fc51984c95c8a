// The nine reasoning primitives of the paper: what one span of a chain of thought does.

export const primitives = [
  "plan",
  "setup",
  "enumerate",
  "hypothesize",
  "compute",
  "check",
  "backtrack",
  "summarize",
  "other",
] as const;
export type Primitive = (typeof primitives)[number];

/** The moves that let a model leave a line that fails; plain RL prunes them. */
export const recoveryPrimitives: readonly Primitive[] = ["hypothesize", "backtrack"];
