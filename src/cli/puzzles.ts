// `repertoire puzzles`: generate, solve, verify, show; for people in a terminal, and for programs as JSON lines.
import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { Random } from "../base/random.ts";
import { paperReward } from "../grading/reward.ts";
import { datasetRows } from "../problems/puzzle-dataset.ts";
import { puzzleNamed, puzzleNames, puzzleOfId } from "../puzzles/catalog.ts";
import { type PromptStyle, puzzlePrompt } from "../puzzles/prompt.ts";
import type { AnyPuzzle, Solved } from "../puzzles/puzzle.ts";
import type { SplitName } from "../puzzles/splits.ts";
import { type GradingKey, gradeAnswer, gradeResponse, gradingKey, type PuzzleGrade } from "../puzzles/verification.ts";
import { wholeNumber } from "./arguments.ts";
import { answerLines } from "./line-stream.ts";
import { writeDataset } from "./puzzle-dataset.ts";

export function puzzlesCommand(): Command {
  return new Command("puzzles")
    .description("generate, solve, verify and show puzzles")
    .addCommand(generateCommand())
    .addCommand(solveCommand())
    .addCommand(verifyCommand())
    .addCommand(showCommand());
}

const puzzleOption = () =>
  new Option("--puzzle <name>", "which puzzle the id belongs to, where the id does not say").choices(puzzleNames);
const jsonOption = () => new Option("--json", "JSON lines on standard input and output");

function openPuzzle(id: string, name?: string): { readonly puzzle: AnyPuzzle; readonly instance: unknown } {
  const puzzle = name === undefined ? puzzleOfId(id) : puzzleNamed(name);
  return { puzzle, instance: puzzle.readId(id) };
}

// ---- generate ------------------------------------------------------------------------------------------------------

type GenerateOptions = {
  params: string;
  count: number;
  seed: string;
  split?: SplitName;
  testShare: number;
  prompt: PromptStyle;
  out?: string;
  json?: true;
};

function generateCommand(): Command {
  return new Command("generate")
    .description("make puzzles with exactly one solution")
    .argument("<puzzle>", `one of: ${puzzleNames.join(", ")}`)
    .requiredOption("--params <params>", "size and difficulty in Simon Tatham's notation, for example 7x7d1")
    .option("--count <n>", "how many", wholeNumber, 1)
    .option("--seed <seed>", "the same seed gives the same puzzles", "1")
    .addOption(
      new Option("--split <side>", "only puzzles of one side of the train/test split").choices(["train", "test"]),
    )
    .option("--test-share <share>", "share of all puzzles that are test puzzles", Number, 0.1)
    .addOption(
      new Option("--prompt <style>", "prompt with the rules, or the board alone")
        .choices(["full", "board"])
        .default("full"),
    )
    .option(
      "--out <file>",
      "write a dataset (.jsonl or .parquet) with the columns of verl and TRL; goes on where it stopped",
    )
    .addOption(new Option("--json", "one JSON line a puzzle on standard output"))
    .addHelpText(
      "after",
      "\nExample:\n  repertoire puzzles generate undead --params 5x5dn --count 1000 --split train --out undead.parquet",
    )
    .action(async (name: string, options: GenerateOptions) => {
      const puzzle = puzzleNamed(name);
      const request = {
        puzzle,
        params: puzzle.readParams(options.params),
        count: options.count,
        random: Random.from(options.seed).child("puzzles", name, options.params),
        split: options.split,
        testShare: options.testShare,
        promptStyle: options.prompt,
      };
      if (options.out !== undefined) return writeDataset(request, options.out);
      for (const row of datasetRows(request)) {
        if (options.json) {
          const record = {
            puzzle: row.puzzle,
            id: row.id,
            difficulty: row.difficulty,
            prompt: row.prompt[0].content,
            solution: row.solution,
          };
          process.stdout.write(`${JSON.stringify(record)}\n`);
        } else {
          console.log(`${pc.bold(row.id)}  ${pc.dim(row.difficulty)}\n${puzzle.draw(puzzle.readId(row.id))}\n`);
        }
      }
    });
}

// ---- solve ---------------------------------------------------------------------------------------------------------

const solveInput = z.object({ id: z.string(), puzzle: z.string().optional() });

function solveRecord(puzzle: AnyPuzzle, id: string, instance: unknown, solved: Solved<unknown>): object {
  const text = (board: unknown) => puzzle.renderAnswer(instance, board);
  switch (solved.status) {
    case "unique": {
      const { status, solution } = solved;
      const difficulty = puzzle.difficulty(instance);
      return { id, status, solution: text(solution), move: puzzle.writeMove(instance, solution), difficulty };
    }
    case "multiple":
      return { id, status: solved.status, solution: text(solved.solutions[0]), another: text(solved.solutions[1]) };
    case "none":
      return { id, status: solved.status };
    case "gave-up":
      return { id, status: solved.status, searchSteps: solved.budget.searchSteps };
  }
}

function solveCommand(): Command {
  return new Command("solve")
    .description("solve puzzles completely: unique, multiple, none, or gave-up after the budget")
    .argument("[ids...]", "game ids, params:desc")
    .addOption(puzzleOption())
    .option("--search-steps <n>", "search budget", wholeNumber)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  repertoire puzzles solve 7x7m2:a2d3g2e4h2d3h1a1b2\n  echo \'{"id":"5x5:kcbkzddl","puzzle":"galaxies"}\' | repertoire puzzles solve --json',
    )
    .action(async (ids: string[], options: { puzzle?: string; searchSteps?: number; json?: true }) => {
      const budget = options.searchSteps === undefined ? undefined : { searchSteps: options.searchSteps };
      if (options.json) {
        await answerLines(solveInput, ({ id, puzzle: name }) => {
          const { puzzle, instance } = openPuzzle(id, name ?? options.puzzle);
          return solveRecord(puzzle, id, instance, puzzle.solve(instance, budget));
        });
        return;
      }
      if (ids.length === 0)
        throw new ConfigurationError("give one or more ids, or --json with JSON lines on standard input");
      for (const id of ids) {
        const { puzzle, instance } = openPuzzle(id, options.puzzle);
        const solved = puzzle.solve(instance, budget);
        console.log(`${pc.bold(id)}  ${solved.status}  ${pc.dim(puzzle.difficulty(instance) ?? "")}`);
        const boards =
          solved.status === "unique" ? [solved.solution] : solved.status === "multiple" ? solved.solutions : [];
        for (const board of boards) console.log(`${puzzle.draw(instance, board)}\n`);
      }
    });
}

// ---- verify --------------------------------------------------------------------------------------------------------

const verifyInput = z
  .object({
    id: z.string(),
    puzzle: z.string().optional(),
    answer: z.string().optional(),
    response: z.string().optional(),
  })
  .refine((input) => (input.answer === undefined) !== (input.response === undefined), "give either answer or response");

function verifyRecord(id: string, { verdict, parts }: PuzzleGrade): object {
  return { id, verdict: verdict.verdict, because: verdict.verdict === "correct" ? null : verdict.because, ...parts };
}

/** Keys are kept for the most recent problems: rollouts of one problem usually come together, and solving it once is enough. */
function recentKeys(size: number): (id: string, name?: string) => GradingKey {
  const kept = new Map<string, GradingKey>();
  return (id, name) => {
    const cacheKey = `${name ?? ""}\u0000${id}`;
    let key = kept.get(cacheKey);
    kept.delete(cacheKey);
    if (key === undefined) {
      const { puzzle, instance } = openPuzzle(id, name);
      key = gradingKey(puzzle, instance);
    }
    kept.set(cacheKey, key);
    if (kept.size > size) kept.delete(kept.keys().next().value!);
    return key;
  };
}

function verifyCommand(): Command {
  return new Command("verify")
    .description("judge answers by the rules, on the problem's own givens")
    .argument("[id]", "game id, params:desc")
    .addOption(puzzleOption())
    .option("--answer <file>", "the answer, as text (- for standard input)")
    .option("--response <file>", "a whole response with its tags (- for standard input)")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire puzzles verify 5x5:1/1/3/4/3/1.3/3/3/1/1 --answer board.txt\n  repertoire puzzles verify --json < answers.jsonl > verdicts.jsonl",
    )
    .action(
      async (id: string | undefined, options: { puzzle?: string; answer?: string; response?: string; json?: true }) => {
        if (options.json) {
          const keyOf = recentKeys(10_000);
          await answerLines(verifyInput, (input) => {
            const key = keyOf(input.id, input.puzzle ?? options.puzzle);
            const grade =
              input.answer !== undefined
                ? gradeAnswer(key, input.answer, paperReward)
                : gradeResponse(key, input.response!, paperReward);
            return verifyRecord(input.id, grade);
          });
          return;
        }
        const file = options.answer ?? options.response;
        if (id === undefined || file === undefined) {
          throw new ConfigurationError(
            "give an id with --answer or --response, or --json with JSON lines on standard input",
          );
        }
        const { puzzle, instance } = openPuzzle(id, options.puzzle);
        const text = readFileSync(file === "-" ? 0 : file, "utf8");
        const key = gradingKey(puzzle, instance);
        const { verdict, parts } = options.answer !== undefined ? gradeAnswer(key, text) : gradeResponse(key, text);
        console.log(
          verdict.verdict === "correct" ? pc.green("correct") : `${pc.red(verdict.verdict)}: ${verdict.because}`,
        );
        console.log(
          `exact ${parts.exact}  completion ${parts.completion.toFixed(3)}  format ${parts.format}  reward ${parts.reward.toFixed(3)}`,
        );
        if (verdict.verdict !== "correct") process.exitCode = 1;
      },
    );
}

// ---- show ----------------------------------------------------------------------------------------------------------

const showInput = z.object({ id: z.string(), puzzle: z.string().optional(), answer: z.string().optional() });

/** The board to draw: the given answer where there is one, else nothing, or the solution on request. */
function shownBoard(puzzle: AnyPuzzle, instance: unknown, answer?: string, solution?: true) {
  if (answer !== undefined) {
    const read = puzzle.readAnswer(instance, answer);
    if ("unreadable" in read) throw new ConfigurationError(`the answer cannot be read: ${read.unreadable}`);
    const judgement = puzzle.judge(instance, read.board);
    return { board: read.board, wrong: judgement.correct ? [] : judgement.cells };
  }
  const solved = solution ? puzzle.solve(instance) : undefined;
  return {
    board:
      solved?.status === "unique" ? solved.solution : solved?.status === "multiple" ? solved.solutions[0] : undefined,
  };
}

function showCommand(): Command {
  return new Command("show")
    .description("draw a puzzle, an answer and its mistakes")
    .argument("[id]", "game id, params:desc")
    .addOption(puzzleOption())
    .option("--answer <file>", "an answer to draw, with its mistakes marked")
    .option("--solution", "draw the solution")
    .option("--svg <file>", "write a picture instead (- for standard output)")
    .addOption(new Option("--prompt <style>", "print the prompt instead").choices(["full", "board"]))
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  repertoire puzzles show 7x7m2:a2d3g2e4h2d3h1a1b2 --solution --svg bridges.svg")
    .action(
      async (
        id: string | undefined,
        options: { puzzle?: string; answer?: string; solution?: true; svg?: string; prompt?: PromptStyle; json?: true },
      ) => {
        if (options.json) {
          await answerLines(showInput, (input) => {
            const { puzzle, instance } = openPuzzle(input.id, input.puzzle ?? options.puzzle);
            const { board, wrong } = shownBoard(puzzle, instance, input.answer, options.solution);
            return {
              id: input.id,
              puzzle: puzzle.name,
              drawing: puzzle.draw(instance, board),
              svg: puzzle.svg(instance, board, wrong),
              prompt: puzzlePrompt(puzzle, instance),
            };
          });
          return;
        }
        if (id === undefined) throw new ConfigurationError("give an id, or --json with JSON lines on standard input");
        const { puzzle, instance } = openPuzzle(id, options.puzzle);
        if (options.prompt !== undefined) return console.log(puzzlePrompt(puzzle, instance, options.prompt));
        const answer =
          options.answer === undefined ? undefined : readFileSync(options.answer === "-" ? 0 : options.answer, "utf8");
        const { board, wrong } = shownBoard(puzzle, instance, answer, options.solution);
        const svg = options.svg === undefined ? undefined : puzzle.svg(instance, board, wrong);
        if (svg === undefined) console.log(puzzle.draw(instance, board));
        else if (options.svg === "-") console.log(svg);
        else await writeFileAtomically(options.svg!, svg);
      },
    );
}
