// `repertoire run`: whole recipes. `mini` is the paper in miniature, on this machine, in some ten minutes; `paper` is
// the paper itself, on a server; `pilots` are its pilots.
import { Command } from "commander";
import { miniBaseCommand } from "./run-mini-base.ts";
import { recipeCommand } from "./run-recipe.ts";

export function runCommand(): Command {
  return new Command("run")
    .addCommand(recipeCommand("mini"))
    .addCommand(recipeCommand("paper"))
    .addCommand(recipeCommand("pilots"))
    .addCommand(miniBaseCommand());
}
