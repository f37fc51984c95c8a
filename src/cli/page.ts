// `repertoire page`: a page that needs no server and no install, on which somebody drops rollouts or reads a run.
import { resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { pageName, writePage } from "../dashboard/page/write-page.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";

const client = resolve(import.meta.dirname, "../../dist/dashboard/client");
/** Four checkpoints of `run mini`, so that there is something to see before anything is dropped. */
const example = resolve(import.meta.dirname, "../../examples/miniature.zip");

const pageFlags = [flag("--out <folder>", "where to write it; must not exist", "site")];

export function pageCommand(): Command {
  return withFlags(new Command("page"), pageFlags)
    .argument("[run]", "a run to show on it; without one it shows checkpoints of the miniature")
    .addHelpText(
      "after",
      `
Examples:
  repertoire page --out site
  repertoire page runs/mini --out mini-pages`,
    )
    .action(async (run: string | undefined, { out }: FlagValues<typeof pageFlags>) => {
      const path = run ?? example;
      const page = await writePage({ out, client, run: { path, name: pageName(path) } });
      console.log(`${pc.bold(page)} opens from disk or from any web server.`);
    });
}
