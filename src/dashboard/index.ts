// The dashboard: its server, its exports, and the API between server and client.
export type * from "./api.ts";
export { type ExportOptions, exportRun } from "./export.ts";
export { type DashboardOptions, DashboardServer } from "./server.ts";
