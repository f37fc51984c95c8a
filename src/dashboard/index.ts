// The dashboard: its server, and the page that needs none. Stability: evolving.
export { type PageOptions, writePage } from "./page/write-page.ts";
export { type DashboardOptions, DashboardServer } from "./server.ts";
