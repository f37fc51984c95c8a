// `repertoire puzzles import`: puzzles that others published, as ids that every other command reads.
import { basename } from "node:path";
import { Command, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { formatOf, type PublishedFormat, publishedFormats, readPublished } from "../puzzles/published-formats.ts";
import { readText } from "./puzzle-flags.ts";

export function puzzleImportCommand(): Command {
  return new Command("import")
    .description("published puzzles as JSON lines with their ids: .non, webpbn XML, .has, puzzlekit JSON")
    .argument("<files...>", "files to read")
    .addOption(new Option("--format <format>", "where the name of the file does not say").choices(publishedFormats))
    .addHelpText(
      "after",
      "\nExample:\n  repertoire puzzles import Hashi_dataset.json | repertoire puzzles solve --json\n\nHashi with touching islands is put on a grid of twice the size: the same bridges, two cells apart.",
    )
    .action((files: string[], { format: given }: { format?: PublishedFormat }) => {
      for (const file of files) {
        const text = readText(file, "the file");
        const format = given ?? formatOf(file, text);
        if (format === undefined)
          throw new ConfigurationError(
            `${file}: the name says no format; add --format ${publishedFormats.join(" | ")}`,
          );
        for (const record of readPublished(format, basename(file), text))
          process.stdout.write(`${JSON.stringify(record)}\n`);
      }
    });
}
