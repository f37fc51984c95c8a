// Where a command is to write, tried before it works: one rule for every command that has such a flag.
import type { Command } from "commander";
import { tryFile, tryFolder } from "../base/files.ts";

const places = ["--out", "--folder"];

export async function tryOutputs(command: Command): Promise<void> {
  const given = command.opts();
  // What is only said needs no place.
  if (given.dryRun) return;
  for (const option of command.options) {
    const place: unknown = given[option.attributeName()];
    if (!places.includes(option.long ?? "") || typeof place !== "string" || place === "-") continue;
    await (option.flags.includes("<file>") ? tryFile(place) : tryFolder(place));
  }
}
