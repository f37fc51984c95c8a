// Reports from run folders: figures, tables, one page. Stability: evolving.
export type { Gap } from "./records.ts";
export { type ReportRequest, type WrittenReport, writeReport } from "./report.ts";
