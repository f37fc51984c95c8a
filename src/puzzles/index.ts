// The four puzzles: make, solve, show, verify. Pure: runs in a browser too.
export * from "./catalog.ts";
export * from "./mix.ts";
export * from "./params.ts";
export * from "./prompt.ts";
export * from "./puzzle.ts";
export * from "./rating.ts";
export * from "./splits.ts";
export * from "./verification.ts";
