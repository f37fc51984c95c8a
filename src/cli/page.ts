// `repertoire page`: a page that needs no server and no install, on which somebody drops rollouts or reads a run.
import { resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { pageName, writePage } from "../dashboard/page/write-page.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";

const client = resolve(import.meta.dirname, "../../dist/dashboard/client");

const pageFlags = [flag("--out <folder>", "where to write it; must not exist", "site")];

export function pageCommand(): Command {
  return withFlags(new Command("page"), pageFlags)
    .argument("[run]", "a run to show on it; without one it shows what is dropped on it")
    .addHelpText(
      "after",
      `
Examples:
  repertoire page --out site
  repertoire page runs/mini --out mini-pages`,
    )
    .action(async (run: string | undefined, { out }: FlagValues<typeof pageFlags>) => {
      const page = await writePage({ out, client, ...(run && { run: { path: run, name: pageName(run) } }) });
      console.log(`${pc.bold(page)} opens from disk or from any web server.`);
    });
}
