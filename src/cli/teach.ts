// `repertoire teach`: verified teacher traces for SFT, narrated by our own solver or asked of any OpenAI-compatible server.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { Command, Option } from "commander";
import { z } from "zod";
import { withCurrentNames } from "../base/current-names.ts";
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
import type { NarrationStyle } from "../teaching/narration.ts";
import { count } from "./arguments.ts";
import { progressBar } from "./progress.ts";
import { puzzleSets } from "./puzzle-sets.ts";
import { askCommand } from "./teach-ask.ts";
import { countsText, taughtPuzzlesOption, tokenCounter } from "./teach-options.ts";

export function teachCommand(): Command {
  return new Command("teach")
    .description("make verified teacher traces for SFT")
    .addCommand(narrateCommand())
    .addCommand(askCommand());
}

// ---- narrate -------------------------------------------------------------------------------------------------------

type NarrateOptions = {
  puzzle?: string[];
  count: number;
  style: NarrationStyle;
  guessing: number;
  errorRate: number;
  direct?: true;
  maxTokens: number;
  tokenizer?: string;
  seed: string;
  out: string;
};

function narrateCommand(): Command {
  return new Command("narrate")
    .description("a solver that thinks aloud, every step labeled with its primitive")
    .addOption(taughtPuzzlesOption())
    .option("--count <n>", "traces to keep", count, 1000)
    .addOption(
      new Option("--style <style>", "how it speaks")
        .choices(["terse", "plain", "prose"])
        .default(paperValue("corpus.narration.style")),
    )
    .option(
      "--guessing <share>",
      "share of traces that guess before they must",
      Number,
      paperValue("corpus.narration.guessing"),
    )
    .option(
      "--slips, --error-rate <rate>",
      "mistakes per deduction, to be noticed later",
      Number,
      paperValue("corpus.narration.errorRate"),
    )
    .option("--direct", "deduction and checks alone: no plans, guesses or returns")
    .option("--max-tokens <n>", "longer traces are rejected", count, paperValue("corpus.maxTokens"))
    .option("--tokenizer <folder>", "count tokens as this model does (default: four characters each)")
    .option("--seed <seed>", "the same seed tells the same stories", "1")
    .requiredOption("--out <file>", "JSON lines; resumes where it stopped")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire teach narrate --puzzle bridges=7x7d0 --puzzle undead=4x4de --count 500 --out corpus.jsonl",
    )
    .action(async (options: NarrateOptions) => {
      const counts = await writeUnfinished(options.out, (log) => narrateInto(log, options));
      await rm(beginningOf(options.out), { force: true });
      await recordCorpusFile(options.out);
      console.error(`${options.out}: ${countsText(counts)}`);
    });
}

const beginningOf = (out: string): string => `${out}.unfinished.json`;

/** What was begun with other settings is another corpus: resuming would mix the two. */
async function sameStories({ count: _, out, puzzle, ...options }: NarrateOptions, written: number): Promise<void> {
  const file = beginningOf(out);
  const given: Record<string, unknown> = { ...options, puzzle: puzzleSets(puzzle).map(({ text }) => text) };
  if (written === 0) return writeFileAtomically(file, `${JSON.stringify(given)}\n`);
  const begun = existsSync(file)
    ? await readJsonFile(
        file,
        z.preprocess((value) => withCurrentNames(value), z.record(z.string(), z.unknown())),
      )
    : {};
  const keys = [...new Set([...Object.keys(given), ...Object.keys(begun)])];
  const other = keys.filter((key) => !isDeepStrictEqual(begun[key], given[key]));
  if (other.length === 0) return;
  const was = other.map((key) => `${key} was ${JSON.stringify(begun[key]) ?? "not recorded"}`).join(", ");
  throw new ConfigurationError(
    `${out} was begun with other settings (${was}); give them again to resume, or choose another --out, or remove ${out}.unfinished.jsonl`,
  );
}

async function narrateInto(log: AppendLog, options: NarrateOptions): Promise<RejectionCounts> {
  const counts = noRejections();
  let written = 0;
  for await (const _ of readJsonLinesFile(log.path)) written += 1;
  await sameStories(options, written);
  const bar = progressBar("Traces", options.count, written);
  const { style, guessing, errorRate, maxTokens } = options;
  const attempts = narratedTraces({
    sets: puzzleSets(options.puzzle).map((set) => ({ ...set, weight: 1 })),
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
  try {
    let pending: object[] = [];
    for (const attempt of attempts) {
      if ("rejected" in attempt) counts[attempt.rejected] += 1;
      else if (counts.kept++ >= written) {
        pending.push(attempt.kept);
        bar.advance();
      }
      if (pending.length === 100 || counts.kept === options.count) {
        await log.append(...pending);
        pending = [];
      }
      if (counts.kept === options.count) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    bar.stop();
  }
  return counts;
}
