// The version of this package, as its package.json says.
import { readFileSync } from "node:fs";

export const packageVersion: string = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
).version;
