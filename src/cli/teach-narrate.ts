// `repertoire teach narrate`: verified traces of our own solver, which thinks aloud.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { Command } from "commander";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import { paperValue } from "../problems/paper.ts";
import type { AppendLog } from "../runs/append-log.ts";
import { writeUnfinished } from "../runs/unfinished-file.ts";
import { noRejections, type RejectionCounts } from "../teaching/corpus.ts";
import { recordCorpusFile } from "../teaching/corpus-folder.ts";
import { narratedTraces } from "../teaching/narrated-corpus.ts";
import { count, share } from "./arguments.ts";
import { choice, type FlagValues, flag, required, withFlags } from "./flags.ts";
import { interruptible } from "./interruption.ts";
import { progressBar } from "./progress.ts";
import { namedPuzzleSets } from "./puzzle-sets.ts";
import { countsText, teachingFlags, tokenCounter } from "./teach-options.ts";

const narrateFlags = [
  ...teachingFlags,
  flag("--count <n>", "traces to keep", count, 1000),
  choice(
    "--style <style>",
    "language of the traces",
    ["terse", "plain", "prose"],
    paperValue("corpus.narration.style"),
  ),
  flag(
    "--guessing <share>",
    "fraction of traces that guess before they have to",
    share,
    paperValue("corpus.narration.guessing"),
  ),
  flag(
    "--slips, --error-rate <rate>",
    "mistakes per deduction, corrected later in the trace",
    share,
    paperValue("corpus.narration.errorRate"),
  ),
  flag("--direct", "deduction and checks only: no plans, guesses or backtracking"),
  flag("--max-tokens <n>", "longer traces are rejected", count, paperValue("corpus.maxTokens")),
  flag("--seed <seed>", "the same seed gives the same traces", "1"),
  required("--out <file>", "JSON lines; resumes where it stopped"),
];

type NarrateOptions = FlagValues<typeof narrateFlags>;

export function narrateCommand(): Command {
  return withFlags(new Command("narrate"), narrateFlags)
    .description("write traces of a solver that thinks aloud, each step labeled with its primitive")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire teach narrate --puzzle bridges=7x7d0 --puzzle undead=4x4de --count 500 --out corpus.jsonl",
    )
    .action(async (options: NarrateOptions) => {
      const counts = await interruptible("\nstopping; run the same command again to resume", (signal) =>
        writeUnfinished(options.out, (log) => narrateInto(log, options, signal)),
      );
      await rm(beginningOf(options.out), { force: true });
      await recordCorpusFile(options.out);
      console.error(`${options.out}: ${countsText(counts)}`);
    });
}

const beginningOf = (out: string): string => `${out}.unfinished.json`;

/** What was begun with other settings is another corpus: resuming would mix the two. */
async function sameStories({ count: _, out, puzzle, ...options }: NarrateOptions, written: number): Promise<void> {
  const file = beginningOf(out);
  const given: Record<string, unknown> = { ...options, puzzle: namedPuzzleSets(puzzle).map(({ text }) => text) };
  if (written === 0) return writeFileAtomically(file, `${JSON.stringify(given)}\n`);
  const begun = existsSync(file) ? await readJsonFile(file, z.record(z.string(), z.unknown())) : {};
  const keys = [...new Set([...Object.keys(given), ...Object.keys(begun)])];
  const other = keys.filter((key) => !isDeepStrictEqual(begun[key], given[key]));
  if (other.length === 0) return;
  const was = other.map((key) => `${key} was ${JSON.stringify(begun[key]) ?? "not recorded"}`).join(", ");
  throw new ConfigurationError(
    `${out} was started with other settings (${was}); use the same to resume, choose another --out, or remove ${out}.unfinished.jsonl`,
  );
}

async function narrateInto(log: AppendLog, options: NarrateOptions, signal: AbortSignal): Promise<RejectionCounts> {
  const counts = noRejections();
  let written = 0;
  for await (const _ of readJsonLinesFile(log.path)) written += 1;
  await sameStories(options, written);
  const bar = progressBar("Traces", options.count, written);
  const { style, guessing, errorRate, maxTokens } = options;
  const attempts = narratedTraces({
    sets: namedPuzzleSets(options.puzzle).map((set) => ({ ...set, weight: 1 })),
    narration: {
      style,
      guessing,
      errorRate,
      repertoire: options.direct ? "direct" : "full",
      maxSteps: paperValue("corpus.narration.maxSteps"),
    },
    maxTokens,
    countTokens: await tokenCounter(options.tokenizer),
    random: Random.from(options.seed).child("teach"),
    tracesPerPuzzle: 1,
    stage: "teaching",
  });
  let pending: object[] = [];
  for (const attempt of attempts) {
    if ("rejected" in attempt) counts[attempt.rejected] += 1;
    else if (counts.kept++ >= written) {
      pending.push(attempt.kept);
      bar.advance();
    }
    if (pending.length === 100 || counts.kept === options.count || signal.aborted) {
      await log.append(...pending);
      pending = [];
    }
    signal.throwIfAborted();
    if (counts.kept === options.count) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  bar.stop();
  return counts;
}
