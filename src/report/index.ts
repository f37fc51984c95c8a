// Reports from run folders: figures, tables, one page.
export * from "./palette.ts";
export * from "./records.ts";
export * from "./report.ts";
export * from "./run-data.ts";
export * from "./safe-text.ts";
