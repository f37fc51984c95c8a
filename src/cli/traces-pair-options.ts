// Flags for which pairs of traces are set side by side: `traces analyze` and `traces compare` share them.
import type { Command } from "commander";
import { type DepthWindow, defaultPairs, type PairOptions } from "../traces/analysis/reading-pairs.ts";
import { range, wholeNumber } from "./arguments.ts";

export type PairFlags = { opening: number; firstDepth?: DepthWindow; secondDepth?: DepthWindow };

/** The paper's appendix pairs traces of depth 2–4 with traces of depth 5–9 that open alike. */
export function withPairs(command: Command): Command {
  return command
    .option(
      "--opening <n>",
      "how many opening labels both traces of a pair share",
      wholeNumber,
      defaultPairs.sharedOpening,
    )
    .option(
      "--first-depth <from-to>",
      "chain depths of the first trace of a pair, like 2-4; around its mean by default",
      range,
    )
    .option("--second-depth <from-to>", "chain depths of the second, like 5-9", range);
}

export const pairsOf = ({ opening, firstDepth, secondDepth }: PairFlags, pairs = defaultPairs.pairs): PairOptions => ({
  ...{ pairs, sharedOpening: opening },
  firstDepth,
  secondDepth,
});
