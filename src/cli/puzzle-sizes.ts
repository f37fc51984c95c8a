// `repertoire puzzles sizes`: which sizes and levels there are, and how long one board takes, measured here and now on request.
import { Command } from "commander";
import { Random } from "../base/random.ts";
import { puzzles as cataloged, puzzleNamed, puzzleNames } from "../puzzles/catalog.ts";
import { paramsFor } from "../puzzles/params.ts";
import { type AnyPuzzle, GenerationError, mostCells } from "../puzzles/puzzle.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { inThread, timeLimitFlag } from "./puzzle-flags.ts";
import { textTable } from "./text-table.ts";

const measured = [5, 10, 20, 30, 50, 100] as const;

const sizesFlags = [
  flag(
    "--measure",
    `make one board of ${measured.map((side) => `${side}x${side}`).join(", ")} at every level and time it`,
  ),
  timeLimitFlag("one board"),
];

export function puzzleSizesCommand(): Command {
  return withFlags(new Command("sizes"), sizesFlags)
    .description("list difficulty levels and sizes, and measure how long generation takes")
    .argument("[puzzle]", `one of: ${puzzleNames.join(", ")}`)
    .addHelpText("after", "\nExample:\n  repertoire puzzles sizes undead --measure --time-limit 10")
    .action(async (name: string | undefined, { measure, timeLimit }: FlagValues<typeof sizesFlags>) => {
      const puzzles = name === undefined ? cataloged : [puzzleNamed(name)];
      const rows = puzzles.flatMap((puzzle) =>
        puzzle.difficulties.map((level) => [puzzle.name, level, smallest(puzzle, level), limits(puzzle)]),
      );
      console.log(textTable(["puzzle", "difficulty", "smallest", "largest"], rows, 4));
      if (measure) {
        console.log(`\nSeconds to make one board on this machine (— : none within ${timeLimit} s, or none exists)`);
        const times = await inThread(timeLimit, async (thread) => {
          const lines: string[][] = [];
          for (const puzzle of puzzles)
            for (const level of puzzle.difficulties) {
              const line = [puzzle.name, level];
              for (const side of measured) {
                const random = Random.from("sizes").child(puzzle.name, level, side);
                const started = process.hrtime.bigint();
                const made = await thread.draw({
                  puzzle: puzzle.name,
                  params: paramsFor(puzzle, `${side}x${side}`, level),
                  random: random.save(),
                });
                const seconds = Number(process.hrtime.bigint() - started) / 1e9;
                line.push(made instanceof GenerationError ? "—" : seconds.toFixed(seconds < 10 ? 2 : 0));
              }
              lines.push(line);
            }
          return lines;
        });
        console.log(textTable(["puzzle", "difficulty", ...measured.map((side) => `${side}x${side}`)], times, 2));
      }
    });
}

/** The smallest square in which a board of the level was found; found once by looking, and said where none exists below. */
function smallest(puzzle: AnyPuzzle, level: string): string {
  for (let side = 1; side <= 8; side++) {
    try {
      puzzle.generate(
        paramsFor(puzzle, `${side}x${side}`, level),
        Random.from("smallest").child(puzzle.name, level, side),
      );
      return `${side}x${side}`;
    } catch (error) {
      if (!(error instanceof Error && /Generation|PuzzleFormat/.test(error.name))) throw error;
    }
  }
  return "above 8x8";
}

const limits = ({ sizeNote }: AnyPuzzle) => `${mostCells} cells${sizeNote === undefined ? "" : `; ${sizeNote}`}`;
