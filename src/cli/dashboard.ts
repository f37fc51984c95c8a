// `repertoire dashboard`: watch runs, read their traces and compare checkpoints in a browser; or write one run down as
// pages that need no server.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { isLoopback } from "../base/http/access.ts";
import { exportRun } from "../dashboard/export.ts";
import { DashboardServer } from "../dashboard/server.ts";
import { wholeNumber } from "./arguments.ts";
import { stopAsked } from "./interruption.ts";
import { progressBar } from "./progress.ts";

type Flags = { port: number; host: string; token?: string; open?: true; export?: string; out?: string };

const client = resolve(import.meta.dirname, "../../dist/dashboard/client");

export function dashboardCommand(): Command {
  return new Command("dashboard")
    .description("watch runs, read traces and compare checkpoints in a browser")
    .argument("[folder]", "where the runs are; a single run's folder does too", "runs")
    .option("--port <n>", "0 takes any free one", wholeNumber, 4300)
    .option("--host <address>", "another than 127.0.0.1 lets other machines in, with the token only", "127.0.0.1")
    .option("--token <text>", "at least 16 characters; made up where other machines can ask and none is given")
    .option("--open", "open the browser")
    .option("--export <run>", "write this run's pages to --out instead of serving")
    .option("--out <folder>", "where an export goes; must not exist")
    .addHelpText(
      "after",
      `
Examples:
  repertoire dashboard
  repertoire dashboard runs/mini --open
  repertoire dashboard --host 0.0.0.0
  repertoire dashboard --export runs/mini --out mini-pages`,
    )
    .action((folder: string, flags: Flags) => (flags.export === undefined ? serve(folder, flags) : writePages(flags)));
}

async function serve(folder: string, flags: Flags): Promise<void> {
  if (flags.out !== undefined) throw new ConfigurationError("--out is for --export <run>");
  if (!existsSync(folder))
    throw new ConfigurationError(
      `${folder} does not exist; give the folder that holds runs, or make one: repertoire run mini`,
    );
  if (!statSync(folder).isDirectory())
    throw new ConfigurationError(
      `${folder} is a file; give the folder that holds runs, or make one of these rollouts: repertoire traces analyze ${folder} --out runs/mine`,
    );
  const { host, port, open } = flags;
  const token =
    flags.token ?? (process.env.REPERTOIRE_TOKEN || undefined) ?? (isLoopback(host) ? undefined : newToken());
  const server = await DashboardServer.start({ folder, host, port, token, client });
  const address = `${reachable(server.url)}/${token === undefined ? "" : `?token=${encodeURIComponent(token)}`}`;
  console.log(`The runs in ${folder}: ${pc.bold(address)}\n${pc.dim("Ctrl-C ends it.")}`);
  if (!isLoopback(host)) console.log(pc.yellow("Whoever has this address can read these runs and relabel spans."));
  if (open) openBrowser(address);
  await stopAsked();
  await server.close();
}

async function writePages({ export: run, out }: Flags): Promise<void> {
  if (run === undefined || out === undefined) throw new ConfigurationError("--export <run> needs --out <folder>");
  let bar: ReturnType<typeof progressBar> | undefined;
  let before = 0;
  const { page, rollouts } = await exportRun({
    ...{ run, out, client, now: new Date() },
    onProgress: (done, total) => {
      bar ??= progressBar("rollouts", total);
      bar.advance(done - before);
      before = done;
    },
  });
  bar?.stop();
  console.log(`${rollouts} rollouts in ${pc.bold(page)}; it opens from disk or from any web server.`);
}

/** Bound to every address, it is best called by the machine's name. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, `//${hostname()}`);

const newToken = (): string => randomBytes(24).toString("base64url");

function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const opened = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  opened.on("error", () =>
    console.error(pc.dim(`no browser could be opened with ${command}; open the address yourself`)),
  );
  opened.unref();
}
