// Runs `repertoire run paper` as its user does, in a process that can be killed.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { settingFlags, tinySettings } from "./tiny-model.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");

export function startPaper(
  run: { readonly folder: string; readonly model: string; readonly data: string; readonly engine: string },
  changes: Readonly<Record<string, unknown>> = {},
  flags: readonly string[] = ["--teacher", "narrated"],
) {
  const { folder, model, data, engine } = run;
  const args = ["run", "paper", "--folder", folder, "--model", model, "--data", data, "--engine", engine, ...flags];
  const child = spawn(process.execPath, [main, ...args, ...settingFlags({ ...tinySettings, ...changes })]);
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  return { child, ended, output: () => output };
}
