// Flags that the puzzle commands share, and how they read what they are given.
import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import { PuzzleThread } from "../problems/puzzle-thread.ts";
import { puzzleNames } from "../puzzles/catalog.ts";

export const puzzleOption = () =>
  new Option("--puzzle <name>", "which puzzle the id belongs to, where the id does not say").choices(puzzleNames);
export const jsonOption = () => new Option("--json", "JSON lines on standard input and output");

const defaultSeconds = 60;
const limitOption = (what: string) =>
  new Option(
    "--time-limit <seconds>",
    `the longest that ${what} may take; whatever takes longer is ended and said so`,
  ).argParser(seconds);
export const timeLimitOption = (what: string) => limitOption(what).default(defaultSeconds);
/** For work that is quick as a rule, and slower by what it takes to hand it to a thread. */
export const optionalTimeLimit = limitOption;

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value <= 1_000_000))
    throw new InvalidArgumentError("expected seconds above 0, such as 10 or 0.5");
  return value;
}

/** Whatever happens, the thread is ended, or the command would not end. */
export async function inThread<T>(timeLimit: number, work: (thread: PuzzleThread) => Promise<T>): Promise<T> {
  const thread = new PuzzleThread(timeLimit);
  try {
    return await work(thread);
  } finally {
    await thread.close();
  }
}

/** A file, or standard input for `-`. */
export function readText(file: string, flag: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`${flag} ${file} cannot be read: ${messageOf(error)}`);
  }
}
