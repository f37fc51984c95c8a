// `repertoire dashboard`: watch runs, read their traces and compare checkpoints in a browser.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { isLoopback } from "../base/http/access.ts";
import { DashboardServer } from "../dashboard/server.ts";
import { port } from "./arguments.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { stopAsked } from "./interruption.ts";
import { classifierOf } from "./traces-options.ts";

const client = resolve(import.meta.dirname, "../../dist/dashboard/client");

const dashboardFlags = [
  flag("--port <n>", "port; 0 picks a free one", port, 4300),
  flag("--host <address>", "any address other than 127.0.0.1 lets other machines in, with the token", "127.0.0.1"),
  flag("--token <text>", "at least 16 characters; generated if other machines can connect and none is given"),
  flag("--open", "open the browser"),
  flag(
    "--classifier <folder or judge>",
    "what labels rollouts of runs without an analysis, as for `traces analyze` (a judge is called, and paid, for each); to see the labels of an analysis made with a judge or language model, name the same one",
  ),
];

type Flags = FlagValues<typeof dashboardFlags>;

export function dashboardCommand(): Command {
  return withFlags(new Command("dashboard"), dashboardFlags)
    .argument("[folder]", "folder of runs, or of a single run", "runs")
    .addHelpText(
      "after",
      `
Examples:
  repertoire dashboard
  repertoire dashboard runs/mini --open
  repertoire dashboard --host 0.0.0.0
  repertoire dashboard runs/rl --classifier qwen-labels`,
    )
    .action(serve);
}

type ServeFlags = Pick<Flags, "host" | "port" | "open"> & Partial<Pick<Flags, "token" | "classifier">>;

export async function serve(folder: string, flags: ServeFlags): Promise<void> {
  if (!existsSync(folder))
    throw new ConfigurationError(`${folder} does not exist; give a folder of runs, or make one: repertoire run mini`);
  if (!statSync(folder).isDirectory())
    throw new ConfigurationError(
      `${folder} is a file; give a folder of runs, or analyze these rollouts: repertoire traces analyze ${folder} --out runs/mine`,
    );
  const { host, port, open } = flags;
  const token =
    flags.token ?? (process.env.REPERTOIRE_TOKEN || undefined) ?? (isLoopback(host) ? undefined : newToken());
  const server = await DashboardServer.start({
    ...{ folder, host, port, token, client },
    labeler: { classifier: await classifierOf(flags), name: flags.classifier },
  });
  const address = `${reachable(server.url)}/${token === undefined ? "" : `?token=${encodeURIComponent(token)}`}`;
  console.log(`The runs in ${folder}: ${pc.bold(address)}\n${pc.dim("Press Ctrl-C to stop.")}`);
  if (!isLoopback(host)) console.log(pc.yellow("Anyone with this URL can read these runs and edit notes."));
  if (open) openBrowser(address);
  await stopAsked();
  await server.close();
}

/** Bound to every address, it is best called by the machine's name. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, `//${hostname()}`);

const newToken = (): string => randomBytes(24).toString("base64url");

function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const opened = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  opened.on("error", () => console.error(pc.dim(`${command} could not open a browser; open the URL yourself`)));
  opened.unref();
}
