// `repertoire train`: SFT on a corpus and RL on puzzles or anybody's questions, on this machine's CPU or on a server that speaks the Tinker
// protocol. Defaults are the paper's; a configuration file changes them, and an unknown key is an error.
import { Command } from "commander";
import { rlCommand } from "./train-rl.ts";
import { sftCommand } from "./train-sft.ts";

export function trainCommand(): Command {
  return new Command("train").addCommand(sftCommand()).addCommand(rlCommand());
}
