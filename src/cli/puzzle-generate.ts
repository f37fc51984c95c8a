// `repertoire puzzles generate`: one kind of puzzle or a mix of many, on the terminal, as JSON lines or as a dataset.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { type DatasetRequest, datasetRows } from "../problems/puzzle-dataset.ts";
import { puzzleNamed, puzzleNames } from "../puzzles/catalog.ts";
import { readWeightedKind, type WeightedKind } from "../puzzles/mix.ts";
import { paramsFor } from "../puzzles/params.ts";
import { defaultTestShare } from "../puzzles/splits.ts";
import { collected, count, share } from "./arguments.ts";
import { choice, type FlagValues, flag, withFlags } from "./flags.ts";
import { writeDataset } from "./puzzle-dataset.ts";
import { inThread, promptWithFlag, timeLimitFlag } from "./puzzle-flags.ts";

const generateFlags = [
  flag("--size <sizes>", "width and height, such as 7x7; separate several with commas"),
  flag(
    "--difficulty <levels>",
    "easy, medium, hard … or any; separate several with commas (docs/puzzles.md lists them)",
  ),
  flag(
    "--params <params>",
    "size and difficulty in Simon Tatham's notation, such as 7x7d1 for Bridges or 5x5dn for Undead",
  ),
  flag(
    "--mix <kind>",
    "instead of a single puzzle: a kind and its weight, such as bridges=7x7,easy*3; repeatable",
    collected,
  ),
  flag("--count <n>", "how many", count, 1),
  flag("--seed <seed>", "the same seed gives the same puzzles", "1"),
  choice("--split <side>", "only puzzles of one side of the train/test split", ["train", "test"]),
  flag("--test-share <share>", "fraction of all puzzles that are test puzzles", share, defaultTestShare),
  choice("--prompt <style>", "prompt with the rules, or the board alone", ["full", "board"], "full"),
  promptWithFlag,
  timeLimitFlag("one puzzle"),
  flag(
    "--out <file>",
    "write a dataset (.jsonl or .parquet) with the columns of verl and TRL; resumes where it stopped",
  ),
  flag("--picture", "with --out: add a column `picture`, the board as PNG in a data URL, for vision models"),
  flag("--json", "one JSON line per puzzle on standard output"),
];

type GenerateOptions = FlagValues<typeof generateFlags>;

export function puzzleGenerateCommand(): Command {
  return withFlags(new Command("generate"), generateFlags)
    .description("generate puzzles with exactly one solution")
    .argument("[puzzle]", `one of: ${puzzleNames.join(", ")}`)
    .addHelpText(
      "after",
      `
Examples:
  repertoire puzzles generate undead --size 5x5 --difficulty normal --count 1000 --split train --out undead.parquet
  repertoire puzzles generate --mix bridges=7x7,easy*3 --mix pattern=5x5,hard --mix undead=4x4,easy --count 500 --out mixed.jsonl`,
    )
    .action(generate);
}

async function generate(name: string | undefined, options: GenerateOptions): Promise<void> {
  const kinds = kindsOf(name, options);
  const failures = new Map<string, number>();
  const request: DatasetRequest = {
    kinds,
    count: options.count,
    random: Random.from(options.seed).child("puzzles"),
    split: options.split,
    testShare: options.testShare,
    promptStyle: options.prompt,
    promptVariants: options.promptWith,
    onFailure: (kind, error) => {
      const said = `${kind.text}: ${error.message}`;
      failures.set(said, (failures.get(said) ?? 0) + 1);
    },
  };
  try {
    await inThread(options.timeLimit, async (thread) => {
      if (options.picture && options.out === undefined)
        throw new ConfigurationError("--picture adds a column to a dataset; add --out <file>");
      if (options.out !== undefined) return writeDataset({ ...request, picture: options.picture }, options.out, thread);
      for await (const row of datasetRows(request, thread)) {
        if (options.json) {
          const { puzzle, id, difficulty, rating, prompt, solution } = row;
          process.stdout.write(
            `${JSON.stringify({ puzzle, id, difficulty, rating, prompt: prompt[0].content, solution })}\n`,
          );
        } else {
          const puzzle = puzzleNamed(row.puzzle);
          const level = `${row.difficulty}${row.rating === null ? "" : ` (${row.rating})`}`;
          console.log(`${pc.bold(row.id)}  ${pc.dim(level)}\n${puzzle.draw(puzzle.readId(row.id))}\n`);
        }
      }
    });
  } finally {
    for (const [message, times] of failures)
      console.error(`${times === 1 ? "a draw was" : `${times} draws were`} skipped: ${message}`);
  }
}

function kindsOf(name: string | undefined, { params, size, difficulty, mix }: GenerateOptions): WeightedKind[] {
  if (mix !== undefined) {
    if (name !== undefined || params !== undefined || size !== undefined || difficulty !== undefined)
      throw new ConfigurationError(
        "--mix defines the puzzles; leave out the puzzle, --params, --size and --difficulty",
      );
    return mix.map(readWeightedKind);
  }
  if (name === undefined) throw new ConfigurationError(`name a puzzle (${puzzleNames.join(", ")}) or kinds with --mix`);
  const puzzle = puzzleNamed(name);
  if ((params === undefined) === (size === undefined)) {
    const example = puzzle.difficulties[0];
    throw new ConfigurationError(
      `give the size, either with --size 7x7 --difficulty ${example}, or with --params in Simon Tatham's notation`,
    );
  }
  if (params !== undefined && difficulty !== undefined)
    throw new ConfigurationError("--params includes the difficulty; leave out one of them");
  const sizes = (params ?? size!).split(",");
  const levels: (string | undefined)[] = difficulty?.split(",") ?? [undefined];
  return sizes.flatMap((own) =>
    levels.map((level) => {
      const read = paramsFor(puzzle, own, level?.trim());
      return { puzzle, params: read, text: `${puzzle.name}=${puzzle.writeParams(read)}`, weight: 1 };
    }),
  );
}
