// `repertoire puzzles`: generate, solve, verify, show, sizes, import; for people in a terminal, and for programs as JSON lines.
import { Command } from "commander";
import { puzzleGenerateCommand } from "./puzzle-generate.ts";
import { puzzleImportCommand } from "./puzzle-import.ts";
import { puzzleShowCommand } from "./puzzle-show.ts";
import { puzzleSizesCommand } from "./puzzle-sizes.ts";
import { puzzleSolveCommand } from "./puzzle-solve.ts";
import { puzzleVerifyCommand } from "./puzzle-verify.ts";

export function puzzlesCommand(): Command {
  return new Command("puzzles")
    .addCommand(puzzleGenerateCommand())
    .addCommand(puzzleSolveCommand())
    .addCommand(puzzleVerifyCommand())
    .addCommand(puzzleShowCommand())
    .addCommand(puzzleSizesCommand())
    .addCommand(puzzleImportCommand());
}
