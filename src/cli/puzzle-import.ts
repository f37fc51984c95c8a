// `repertoire puzzles import`: puzzles that others published, as ids that every other command reads.
import { basename } from "node:path";
import { Command } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { formatOf, publishedFormats, readPublished } from "../puzzles/published-formats.ts";
import { isAddress } from "../puzzles/puzz-link.ts";
import { choice, type FlagValues, withFlags } from "./flags.ts";
import { readText } from "./puzzle-flags.ts";

const importFlags = [choice("--format <format>", "format of the files (default: by file name)", publishedFormats)];

export function puzzleImportCommand(): Command {
  return withFlags(new Command("import"), importFlags)
    .description("convert published puzzles to JSON lines with ids: .non, webpbn XML, .has, puzzlekit JSON, puzz.link")
    .argument("<files...>", "files to read, or addresses of puzz.link")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire puzzles import Hashi_dataset.json | repertoire puzzles solve --json\n  repertoire puzzles import 'https://puzz.link/p?slither/5/5/cbcbcddad'\n\nHashi puzzles with touching islands are placed on a grid of twice the size: the same bridges, two cells apart.",
    )
    .action((files: string[], { format: given }: FlagValues<typeof importFlags>) => {
      for (const file of files) {
        const text = isAddress(file) ? file : readText(file, "the file");
        const format = given ?? formatOf(file, text);
        if (format === undefined)
          throw new ConfigurationError(
            `${file}: the file name does not show the format; add --format ${publishedFormats.join(" | ")}`,
          );
        const records = readPublished(format, basename(file), text);
        for (const record of records) process.stdout.write(`${JSON.stringify(record)}\n`);
        if (records.every((record) => "error" in record)) {
          console.error(`${file}: no puzzle could be read as ${format}; is it another --format?`);
          process.exitCode = 1;
        }
      }
    });
}
