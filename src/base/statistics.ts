// Statistics shared by evaluation, traces and reports. Each file holds one idea; this one only gathers them.
export * from "./statistics/agreement.ts";
export * from "./statistics/bootstrap.ts";
export * from "./statistics/correlation.ts";
export * from "./statistics/descriptive.ts";
export * from "./statistics/fisher-exact.ts";
export * from "./statistics/mann-whitney.ts";
export * from "./statistics/multiple-testing.ts";
export * from "./statistics/proportion-intervals.ts";
export * from "./statistics/ranks.ts";
export * from "./statistics/special-functions.ts";
