// The puzzles: make, solve, show, verify. Pure: runs in a browser too.
export * from "./catalog.ts";
export type * from "./constraint-model.ts";
export * from "./mix.ts";
export * from "./params.ts";
export type { Cells, Playing } from "./playing.ts";
export * from "./prompt.ts";
export * from "./puzzle.ts";
export * from "./rating.ts";
export * from "./splits.ts";
export * from "./verification.ts";
