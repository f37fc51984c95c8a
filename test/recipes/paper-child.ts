// `repertoire run paper` at the smallest size, as its user types it: its arguments, and a process of it that can be killed.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { settingFlags, tinySettings } from "./tiny-model.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");

export function paperArguments(
  run: { readonly folder: string; readonly model: string; readonly data: string; readonly engine: string },
  changes: Readonly<Record<string, unknown>> = {},
  flags: readonly string[] = ["--teacher", "narrated"],
): string[] {
  const places = Object.entries(run).flatMap(([name, place]) => [`--${name}`, place]);
  return ["run", "paper", ...places, ...flags, ...settingFlags({ ...tinySettings, ...changes })];
}

export function startPaper(...given: Parameters<typeof paperArguments>) {
  const child = spawn(process.execPath, [main, ...paperArguments(...given)]);
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  return { child, ended, output: () => output };
}
