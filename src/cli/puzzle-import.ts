// `repertoire puzzles import`: puzzles that others published at puzz.link, as ids that every other command reads.
import { Command } from "commander";
import { ConfigurationError, UserError } from "../base/errors.ts";
import { addressesIn, nameOfAddress, readAddress } from "../puzzles/puzz-link.ts";
import { readText } from "./puzzle-flags.ts";

export function puzzleImportCommand(): Command {
  return new Command("import")
    .description(
      "convert addresses of puzz.link to JSON lines with ids: Hashi, Hitori, nonograms, Nurikabe, Slitherlink, Tentaisho",
    )
    .argument("<addresses...>", "addresses, or files with an address a line")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire puzzles import 'https://puzz.link/p?slither/5/5/cbcbcddad' | repertoire puzzles solve --json",
    )
    .action((given: string[]) => {
      for (const one of given) {
        const addresses = addressesIn(one).length > 0 ? [one] : addressesIn(readText(one, "the file"));
        if (addresses.length === 0)
          throw new ConfigurationError(`${one} holds no address such as https://puzz.link/p?…`);
        const records = addresses.map((address) => ({ name: nameOfAddress(address), ...read(address) }));
        for (const record of records) process.stdout.write(`${JSON.stringify(record)}\n`);
        if (records.every((record) => "error" in record)) process.exitCode = 1;
      }
    });
}

/** One that cannot be read is a record, so that those after it are read. */
function read(address: string): { readonly error: string } | ReturnType<typeof readAddress> {
  try {
    return readAddress(address);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { error: error.message };
  }
}
