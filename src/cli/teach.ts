// `repertoire teach`: verified teacher traces for SFT, narrated by our own solver or asked of any OpenAI-compatible server.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { Command, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema } from "../endpoints/endpoint.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { writeProblems } from "../evaluation/evaluation-folder.ts";
import { sampleIntoStore } from "../evaluation/recorded-sampling.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import { puzzleProblems } from "../problems/puzzle-problems.ts";
import { AppendLog } from "../runs/append-log.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { noRejections, paperMaxTokens, type RejectionCounts } from "../teaching/corpus.ts";
import { narratedTraces } from "../teaching/narrated-corpus.ts";
import type { NarrationStyle } from "../teaching/narration.ts";
import { rejectionSampler } from "../teaching/rejection-sampling.ts";
import { wholeNumber } from "./arguments.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { progressBar } from "./progress.ts";
import { collectText, paperSets, puzzleSets } from "./puzzle-sets.ts";

export function teachCommand(): Command {
  return new Command("teach")
    .description("make verified teacher traces for SFT")
    .addCommand(narrateCommand())
    .addCommand(askCommand());
}

const puzzleOption = () =>
  new Option("--puzzle <name=params>", `puzzles to teach on, repeatable (default: ${paperSets.join(" ")})`).argParser(
    collectText,
  );

/** Tokens by the student's tokenizer, or by the usual four characters each. */
async function tokenCounter(folder: string | undefined): Promise<(text: string) => number> {
  if (folder === undefined) return (text) => Math.ceil(text.length / 4);
  const tokenizer = await loadTokenizer(folder);
  return (text) => tokenizer.encode(text).length;
}

function printCounts(out: string, { kept, ...rejected }: RejectionCounts): void {
  const reasons = Object.entries(rejected)
    .map(([why, count]) => `${count} ${why}`)
    .join(", ");
  console.error(`kept ${kept} traces in ${out}; rejected: ${reasons}`);
}

// ---- narrate -------------------------------------------------------------------------------------------------------

type NarrateOptions = {
  puzzle?: string[];
  count: number;
  style: NarrationStyle;
  guessing: number;
  slips: number;
  direct?: true;
  maxTokens: number;
  tokenizer?: string;
  seed: string;
  out: string;
};

function narrateCommand(): Command {
  return new Command("narrate")
    .description("a solver that thinks aloud, every step labelled with its primitive")
    .addOption(puzzleOption())
    .option("--count <n>", "traces to keep", wholeNumber, 1000)
    .addOption(new Option("--style <style>", "how it speaks").choices(["terse", "plain", "prose"]).default("prose"))
    .option("--guessing <share>", "share of traces that guess before they must", Number, 0.5)
    .option("--slips <rate>", "mistakes per deduction, to be noticed later", Number, 0.02)
    .option("--direct", "deduction and checks alone: no plans, guesses or returns")
    .option("--max-tokens <n>", "longer traces are rejected", wholeNumber, paperMaxTokens)
    .option("--tokenizer <folder>", "count tokens as this model does (default: four characters each)")
    .option("--seed <seed>", "the same seed tells the same stories", "1")
    .requiredOption("--out <file>", "JSON lines; goes on where it stopped")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire teach narrate --puzzle bridges=7x7d0 --puzzle undead=4x4de --count 500 --out corpus.jsonl",
    )
    .action(async (options: NarrateOptions) => {
      if (existsSync(options.out))
        throw new ConfigurationError(`${options.out} exists; choose another name or remove it`);
      const unfinished = `${options.out}.unfinished.jsonl`;
      const log = await AppendLog.open(unfinished);
      const counts = noRejections();
      try {
        let written = 0;
        for await (const _ of readJsonLinesFile(unfinished)) written += 1;
        const bar = progressBar("Traces", options.count, written);
        const { style, guessing, slips, maxTokens } = options;
        const attempts = narratedTraces({
          sets: puzzleSets(options.puzzle).map((set) => ({ ...set, weight: 1 })),
          narration: { style, guessing, slips, repertoire: options.direct ? "direct" : "full", maxSteps: 2_000 },
          maxTokens,
          countTokens: await tokenCounter(options.tokenizer),
          random: Random.from(options.seed).child("teach"),
          tellings: 1,
        });
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
        }
        bar.stop();
      } finally {
        await log.close();
      }
      await rename(unfinished, options.out);
      printCounts(options.out, counts);
    });
}

// ---- ask -----------------------------------------------------------------------------------------------------------

type AskOptions = {
  puzzle?: string[];
  count: number;
  attempts: number;
  url: string;
  model: string;
  keyVariable?: string;
  temperature: number;
  maxTokens: number;
  tokenizer?: string;
  seed: string;
  out: string;
};

function askCommand(): Command {
  return new Command("ask")
    .description("ask a large model and keep what verifies")
    .addOption(puzzleOption())
    .option("--count <n>", "puzzles of each kind", wholeNumber, 500)
    .option("--attempts <n>", "attempts at each puzzle", wholeNumber, 1)
    .requiredOption("--url <url>", "an OpenAI-compatible server, up to and with /v1")
    .requiredOption("--model <name>", "what the server calls its model")
    .option("--key-variable <name>", "environment variable that holds the key")
    .option("--temperature <t>", "sampling temperature", Number, 0.8)
    .option("--max-tokens <n>", "longest response; longer ones are rejected", wholeNumber, paperMaxTokens)
    .option("--tokenizer <folder>", "count tokens as this model does (default: four characters each)")
    .option("--seed <seed>", "which puzzles", "1")
    .requiredOption("--out <folder>", "run folder; asking again asks only for what is missing")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire teach ask --url http://localhost:8000/v1 --model deepseek-reasoner --count 500 --out runs/teacher",
    )
    .action(async (options: AskOptions) => {
      const { url, model, keyVariable, temperature, maxTokens, seed, attempts, out } = options;
      const endpoint = endpointSchema.safeParse({ url, model, keyVariable });
      if (!endpoint.success)
        throw new ConfigurationError(
          endpoint.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "),
        );
      const sets = puzzleSets(options.puzzle);
      const config = {
        puzzles: sets.map(({ text }) => text),
        count: options.count,
        model,
        temperature,
        maxTokens,
        seed,
      };
      const run = await openRunFolder(out, { kind: "teach", config, now: new Date() });
      const client = new EndpointClient(endpoint.data);
      const { signal, release } = stopOnInterrupt(() =>
        console.error("\nstopping; run the same command again to go on"),
      );
      try {
        const problems = sets.flatMap(({ puzzle, text }) =>
          puzzleProblems({
            puzzle: puzzle.name,
            params: text.split("=")[1],
            count: options.count,
            split: "train",
            random: Random.from(seed).child("ask", text),
          }),
        );
        await writeProblems(out, problems);
        const store = await RolloutStore.open(out);
        try {
          const bar = progressBar("Asking", problems.length * attempts, store.size);
          const sampler = endpointSampler(client, { temperature, maxTokens });
          for await (const event of sampleIntoStore(store, {
            problems,
            rolloutsPerProblem: attempts,
            sampler,
            seed,
            temperature,
            signal,
          })) {
            if (event.type === "evaluation-rollout") bar.advance();
            if (event.type === "evaluation-warning") console.error(event.message);
          }
          bar.stop();
          if (signal.aborted) process.exitCode = 130;
          else
            await keep(out, problems, store, await tokenCounter(options.tokenizer), { model, temperature, maxTokens });
        } finally {
          await store.close();
        }
      } finally {
        release();
        await client.close();
        await run.release();
      }
    });
}

async function keep(
  folder: string,
  problems: ReturnType<typeof puzzleProblems>,
  store: RolloutStore,
  countTokens: (text: string) => number,
  teacher: { readonly model: string; readonly temperature: number; readonly maxTokens: number },
): Promise<void> {
  const { model, temperature, maxTokens } = teacher;
  const asked = new Map(problems.map((problem) => [problem.id, problem]));
  const counts = noRejections();
  const lines: string[] = [];
  for await (const rollout of store.rollouts()) {
    const problem = asked.get(rollout.problem);
    if (problem === undefined) continue;
    const source = { teacher: "endpoint", model: rollout.servedBy ?? model, temperature, cost: rollout.cost } as const;
    const attempt = rejectionSampler(problem, { maxTokens, countTokens, source })(rollout);
    if ("rejected" in attempt) counts[attempt.rejected] += 1;
    else {
      counts.kept += 1;
      lines.push(`${JSON.stringify(attempt.kept)}\n`);
    }
  }
  const corpus = join(folder, "corpus.jsonl");
  await writeFileAtomically(corpus, lines.join(""));
  await writeFileAtomically(join(folder, "corpus.json"), `${JSON.stringify(counts)}\n`);
  printCounts(corpus, counts);
}
