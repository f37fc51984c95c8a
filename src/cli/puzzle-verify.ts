// `repertoire puzzles verify`: one answer, or JSON lines of answers, responses and boards of several turns.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { type VerifyInput, type VerifyTask, verifyInput, verifyRecord } from "../problems/puzzle-tasks.ts";
import type { Violation } from "../puzzles/puzzle.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { answerLines } from "./line-stream.ts";
import { idFlags, inThread, optionalTimeLimit, puzzleRewardFlag, readText } from "./puzzle-flags.ts";

type Verified = { verdict: string; because: string | null; violations: readonly Violation[] } & Record<string, number>;

const verifyFlags = [
  flag("--answer <file>", "the answer, as text (- for standard input)"),
  flag("--response <file>", "a whole response with its tags (- for standard input)"),
  puzzleRewardFlag,
  optionalTimeLimit("one answer"),
  ...idFlags,
];

type VerifyOptions = FlagValues<typeof verifyFlags>;

export function puzzleVerifyCommand(): Command {
  return withFlags(new Command("verify"), verifyFlags)
    .description("check answers against the rules and the givens")
    .argument("[id]", "game id, params:desc")
    .addHelpText(
      "after",
      `
Examples:
  repertoire puzzles verify 5x5:1/1/3/4/3/1.3/3/3/1/1 --answer board.txt
  repertoire puzzles verify --json < answers.jsonl > verdicts.jsonl

A JSON line has an id and one of: answer (a board), response (with tags), turns (one board per turn, with ? for open cells), moves
(symbols placed one by one: {"row", "column", "symbol"}, counted from 1).
The reply names every broken rule with its cells; for turns, how complete each board is and what the turn was worth.`,
    )
    .action(verify);
}

async function verify(id: string | undefined, options: VerifyOptions): Promise<void> {
  const { timeLimit } = options;
  if (timeLimit === undefined) return verifyWith(id, options, (task) => verifyRecord(task));
  await inThread(timeLimit, (thread) => verifyWith(id, options, (task) => thread.run(task)));
}

async function verifyWith(
  id: string | undefined,
  options: VerifyOptions,
  grade: (task: VerifyTask) => unknown,
): Promise<void> {
  const task = (input: VerifyInput): VerifyTask => ({
    ...input,
    task: "verify",
    puzzle: input.puzzle ?? options.puzzle,
    reward: options.reward,
  });
  if (options.json) {
    if (id !== undefined)
      throw new ConfigurationError(`--json reads ids from standard input; leave out ${id}, or --json`);
    await answerLines(verifyInput, async (input) => (await grade(task(input))) as object);
    return;
  }
  const { answer, response } = options;
  if (id === undefined || (answer === undefined) === (response === undefined)) {
    throw new ConfigurationError(
      "give an id with either --answer or --response, or --json with JSON lines on standard input",
    );
  }
  const given =
    answer !== undefined ? { answer: readText(answer, "--answer") } : { response: readText(response!, "--response") };
  const record = (await grade(task({ id, ...given }))) as Verified;
  const { verdict, because, violations, exact, completion, format, reward } = record;
  console.log(verdict === "correct" ? pc.green("correct") : `${pc.red(verdict)}: ${because}`);
  for (const violation of violations.slice(0, 20)) console.log(`  ${violation.rule}: ${violation.because}`);
  if (violations.length > 20) console.log(`  and ${violations.length - 20} more`);
  console.log(`exact ${exact}  completion ${completion.toFixed(3)}  format ${format}  reward ${reward.toFixed(3)}`);
  if (verdict !== "correct") process.exitCode = 1;
}
