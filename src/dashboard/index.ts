// The dashboard: its server, and a run as pages that open without one. Stability: evolving.
export { type ExportOptions, exportRun, type WrittenExport } from "./export.ts";
export { type DashboardOptions, DashboardServer } from "./server.ts";
