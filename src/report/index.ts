// Reports from run folders: figures, tables, one page. Stability: evolving.
export type { Gap } from "../drawing/item.ts";
export { type ReportRequest, type WrittenReport, writeReport } from "./report.ts";
