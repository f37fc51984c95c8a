// The nine reasoning primitives of the paper: what one span of a chain of thought does.

// biome-ignore format: a table
export const primitives = [
  "plan", "setup", "enumerate", "hypothesize", "compute", "check", "backtrack", "summarize", "other",
] as const;
export type Primitive = (typeof primitives)[number];
