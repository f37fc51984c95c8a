// Benchmarks and data files as problems.
export * from "./catalog.ts";
export * from "./columns.ts";
export * from "./hub.ts";
export * from "./load.ts";
export * from "./rows.ts";
