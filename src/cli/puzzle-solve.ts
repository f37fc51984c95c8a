// `repertoire puzzles solve`: one or more ids, or JSON lines.
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { openPuzzle, type SolveTask } from "../problems/puzzle-tasks.ts";
import { OutOfTime, type PuzzleThread } from "../problems/puzzle-thread.ts";
import { count } from "./arguments.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { answerLines } from "./line-stream.ts";
import { idFlags, inThread, timeLimitFlag } from "./puzzle-flags.ts";

const solveInput = z.object({ id: z.string(), puzzle: z.string().optional() });
const solveFlags = [
  flag("--search-steps <n>", "search budget", count),
  flag("--count <n>", "count solutions up to this many", count),
  timeLimitFlag("one puzzle"),
  ...idFlags,
];

type SolveOptions = FlagValues<typeof solveFlags>;

export function puzzleSolveCommand(): Command {
  return withFlags(new Command("solve"), solveFlags)
    .description("solve puzzles: unique, multiple, none, or gave-up when the budget runs out")
    .argument("[ids...]", "game ids, params:desc")
    .addHelpText(
      "after",
      '\nExamples:\n  repertoire puzzles solve 7x7m2:a2d3g2e4h2d3h1a1b2\n  repertoire puzzles solve 4x4:1/1/1/1/1/1/1/1 --count 100\n  echo \'{"id":"5x5:kcbkzddl","puzzle":"galaxies"}\' | repertoire puzzles solve --json',
    )
    .action(async (ids: string[], options: SolveOptions) =>
      inThread(options.timeLimit, async (thread) => {
        const task = (id: string, puzzle: string | undefined = options.puzzle): SolveTask => ({
          task: "solve",
          id,
          puzzle,
          searchSteps: options.searchSteps,
          most: options.count,
        });
        if (options.json) {
          if (ids.length > 0)
            throw new ConfigurationError(`--json reads ids from standard input; leave out ${ids[0]}, or --json`);
          await answerLines(solveInput, ({ id, puzzle }) =>
            solved(thread, task(id, puzzle ?? options.puzzle), options.timeLimit),
          );
          return;
        }
        if (ids.length === 0)
          throw new ConfigurationError("give one or more ids, or --json with JSON lines on standard input");
        for (const id of ids) print(await solved(thread, task(id), options.timeLimit), id, options.puzzle);
      }),
    );
}

/** A puzzle that takes too long is one that was given up. */
async function solved(thread: PuzzleThread, task: SolveTask, timeLimit: number): Promise<Record<string, unknown>> {
  try {
    return (await thread.run(task)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { id: task.id, status: "gave-up", timeLimit, because: error.message };
  }
}

function print(record: Record<string, unknown>, id: string, name?: string): void {
  const { puzzle, instance } = openPuzzle(id, name);
  const { status, difficulty = "", rating, solutions, more, because } = record;
  const level = `${difficulty}${rating === undefined ? "" : ` (${rating})`}`;
  const counted =
    solutions === undefined
      ? ""
      : `  ${solutions} solution${solutions === 1 && more !== true ? "" : "s"}${more === true ? " or more" : ""}`;
  console.log(`${pc.bold(id)}  ${status}${counted}  ${pc.dim(level)}${because === undefined ? "" : `  ${because}`}`);
  for (const text of [record.solution, record.another]) {
    if (typeof text !== "string") continue;
    const read = puzzle.readAnswer(instance, text);
    if ("board" in read) console.log(`${puzzle.draw(instance, read.board)}\n`);
  }
}
