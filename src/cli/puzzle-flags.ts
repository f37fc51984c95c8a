// Flags that the puzzle commands share, and how they read what they are given.
import { readFileSync } from "node:fs";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import { rewardNames } from "../grading/reward.ts";
import { PuzzleThread } from "../problems/puzzle-thread.ts";
import { puzzleNames } from "../puzzles/catalog.ts";
import { promptVariants, readPromptVariants } from "../puzzles/prompt.ts";
import { numberWithin } from "./arguments.ts";
import { choice, flag } from "./flags.ts";

/** What commands on ids have: which puzzle, and lines instead of an id. */
export const idFlags = [
  choice("--puzzle <name>", "the puzzle, if the id is ambiguous", puzzleNames),
  flag("--json", "JSON lines on standard input and output"),
];

export const promptWithFlag = flag(
  "--prompt-with <variants>",
  `additions to the prompt, separated by commas: ${promptVariants.join(", ")}`,
  readPromptVariants,
);
export const puzzleRewardFlag = choice(
  "--reward <name>",
  "how completion is measured: by cells as in the paper, or balanced over their classes",
  rewardNames,
  "paper",
);

const seconds = (text: string): number =>
  numberWithin(text, (value) => value > 0 && value <= 1_000_000, "seconds above 0, such as 10 or 0.5");
const limitText = (what: string) => `time limit for ${what}; one that takes longer is abandoned and reported`;
export const timeLimitFlag = (what: string) => flag("--time-limit <seconds>", limitText(what), seconds, 60);
/** For work that is quick as a rule, and slower by what it takes to hand it to a thread. */
export const optionalTimeLimit = (what: string) => flag("--time-limit <seconds>", limitText(what), seconds);

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
