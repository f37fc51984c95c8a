// `repertoire puzzles show`: a board, an answer with its mistakes, a picture, a prompt.
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError, UserError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { figureRenderer } from "../drawing/figure-pixels.ts";
import { openPuzzle } from "../problems/puzzle-tasks.ts";
import { OutOfTime, type PuzzleThread } from "../problems/puzzle-thread.ts";
import { boardText } from "../puzzles/json-answer.ts";
import { puzzlePrompt } from "../puzzles/prompt.ts";
import type { AnyPuzzle, Cell, Violation } from "../puzzles/puzzle.ts";
import { choice, type FlagValues, flag, withFlags } from "./flags.ts";
import { answerLines } from "./line-stream.ts";
import { idFlags, inThread, promptWithFlag, readText, timeLimitFlag } from "./puzzle-flags.ts";

const showInput = z.object({ id: z.string(), puzzle: z.string().optional(), answer: z.string().optional() });

type Shown = { readonly board?: unknown; readonly violations: readonly Violation[]; readonly wrong: readonly Cell[] };

/** The board to draw: the given answer where there is one, else nothing, or what solving gives. */
async function shownBoard(
  puzzle: AnyPuzzle,
  instance: unknown,
  answer: string | undefined,
  solve: (() => Promise<string>) | undefined,
): Promise<Shown> {
  if (answer !== undefined) {
    const read = puzzle.readAnswer(instance, boardText(answer));
    if ("unreadable" in read) throw new ConfigurationError(`the answer cannot be read: ${read.unreadable}`);
    const judgment = puzzle.judge(instance, read.board);
    if (judgment.correct) return { board: read.board, violations: [], wrong: [] };
    return {
      board: read.board,
      violations: puzzle.violations(instance, read.board),
      wrong: judgment.cells,
    };
  }
  if (solve === undefined) return { violations: [], wrong: [] };
  const read = puzzle.readAnswer(instance, await solve());
  if ("unreadable" in read) throw new Error(`the solver wrote what cannot be read: ${read.unreadable}`);
  return { board: read.board, violations: [], wrong: [] };
}

/** One solution, if it is found in time. */
async function solutionText(thread: PuzzleThread, id: string, puzzle: string): Promise<string> {
  const { status, solution } = (await thread.run({ task: "solve", id, puzzle }).catch((error: unknown) => {
    throw error instanceof OutOfTime ? new OutOfTime(`no solution to draw: ${error.message}`) : error;
  })) as { readonly status: string; readonly solution?: string };
  if (solution !== undefined) return solution;
  throw new UserError(
    status === "none" ? "the puzzle has no solution to draw" : "no solution was found within the budget",
  );
}

/** The answer's grid with its mistakes in brackets, and what is broken. */
function mistakes(puzzle: AnyPuzzle, instance: unknown, { board, violations, wrong }: Shown): string {
  const marked = new Set(wrong.map(({ row, column }) => `${row},${column}`));
  const rows = puzzle
    .renderAnswer(instance, board)
    .split("\n")
    .map((row) => row.split(" "));
  const grid = rows.map((row, r) =>
    row.map((cell, c) => (marked.has(`${r},${c}`) ? pc.red(`[${cell}]`) : ` ${cell} `)).join(""),
  );
  return [...grid, "", ...violations.map(({ rule, because }) => `${pc.red(rule)}: ${because}`)].join("\n");
}

const showFlags = [
  flag("--answer <file>", "an answer to draw, with its mistakes marked (- for standard input)"),
  flag("--solution", "draw the solution"),
  flag("--svg <file>", "write a picture instead (- for standard output)"),
  flag("--png <file>", "write a PNG, for vision models"),
  choice("--prompt <style>", "print the prompt instead", ["full", "board"]),
  promptWithFlag,
  timeLimitFlag("one solution"),
  ...idFlags,
];

type ShowOptions = FlagValues<typeof showFlags>;

export function puzzleShowCommand(): Command {
  return withFlags(new Command("show"), showFlags)
    .description("draw a puzzle, or an answer with its mistakes marked")
    .argument("[id]", "game id, params:desc")
    .addHelpText("after", "\nExample:\n  repertoire puzzles show 7x7m2:a2d3g2e4h2d3h1a1b2 --solution --svg bridges.svg")
    .action((id: string | undefined, options: ShowOptions) =>
      // The thread starts with its first solution, if one is asked for.
      inThread(options.timeLimit, (thread) => show(id, options, thread)),
    );
}

async function show(id: string | undefined, options: ShowOptions, thread: PuzzleThread): Promise<void> {
  const { promptWith } = options;
  const solving = (game: string, { name }: AnyPuzzle) => options.solution && (() => solutionText(thread, game, name));
  if (options.json) {
    await answerLines(showInput, async (input) => {
      const { puzzle, instance } = openPuzzle(input.id, input.puzzle ?? options.puzzle);
      const shown = await shownBoard(puzzle, instance, input.answer, solving(input.id, puzzle));
      const drawing = puzzle.draw(instance, shown.board);
      const svg = puzzle.svg(instance, shown.board, shown.wrong);
      const prompt = puzzlePrompt(puzzle, instance, options.prompt, promptWith);
      return { id: input.id, puzzle: puzzle.name, drawing, svg, prompt, violations: shown.violations };
    });
    return;
  }
  if (id === undefined) throw new ConfigurationError("give an id, or --json with JSON lines on standard input");
  const { puzzle, instance } = openPuzzle(id, options.puzzle);
  if (options.prompt !== undefined || promptWith !== undefined)
    return console.log(puzzlePrompt(puzzle, instance, options.prompt, promptWith));
  const answer = options.answer === undefined ? undefined : readText(options.answer, "--answer");
  const shown = await shownBoard(puzzle, instance, answer, solving(id, puzzle));
  if (options.svg !== undefined || options.png !== undefined) {
    const svg = puzzle.svg(instance, shown.board, shown.wrong);
    if (options.png !== undefined) await writeFileAtomically(options.png, (await figureRenderer())(svg));
    if (options.svg === "-") console.log(svg);
    else if (options.svg !== undefined) await writeFileAtomically(options.svg, svg);
  } else {
    console.log(puzzle.draw(instance, shown.board));
    if (shown.violations.length > 0) console.log(`\n${mistakes(puzzle, instance, shown)}`);
  }
  if (shown.violations.length > 0) process.exitCode = 1;
}
