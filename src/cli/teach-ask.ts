// `repertoire teach ask`: traces of a large model behind any OpenAI-compatible server, kept if they verify.
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema, type Price } from "../endpoints/endpoint.ts";
import { paperValue } from "../problems/paper.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { PuzzlePool } from "../problems/puzzle-draw.ts";
import { askTeacher, type Standing, type Taught } from "../recipes/endpoint-teacher.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { count, readPrice } from "./arguments.ts";
import { stopOnInterrupt, stoppedExitCode } from "./interruption.ts";
import { progressBar, sayTrouble } from "./progress.ts";
import { puzzleSets } from "./puzzle-sets.ts";
import { countsText, taughtPuzzlesOption, tokenCounter } from "./teach-options.ts";

type AskOptions = {
  puzzle?: string[];
  count: number;
  attempts: number;
  url: string;
  model: string;
  keyVariable?: string;
  temperature: number;
  topP?: number;
  maxTokens: number;
  tokenizer?: string;
  deadline: number;
  concurrency: number;
  price?: Price;
  stream: boolean;
  seed: string;
  out: string;
};

export function askCommand(): Command {
  return new Command("ask")
    .description("ask a large model and keep what verifies")
    .addOption(taughtPuzzlesOption())
    .option("--count <n>", "puzzles of each kind, or as many as there are", count, 500)
    .option(
      "--attempts <n>",
      "attempts at each puzzle; asking for more later only adds",
      count,
      paperValue("corpus.attempts"),
    )
    .requiredOption("--url <url>", "an OpenAI-compatible server, up to and with /v1")
    .requiredOption("--model <name>", "what the server calls its model")
    .option("--key-variable <name>", "environment variable that holds the key")
    .option("--temperature <t>", "sampling temperature", Number, paperValue("corpus.temperature"))
    .option("--top-p <p>", "nucleus sampling", Number)
    .option("--max-tokens <n>", "longest response; longer ones are rejected", count, paperValue("corpus.maxTokens"))
    .option("--tokenizer <folder>", "count tokens as this model does (default: four characters each)")
    .option("--deadline <seconds>", "longest single request", Number, 4 * 3600)
    .option("--concurrency <n>", "most requests at once; fewer while the server asks for it", count, 256)
    .option("--price <prompt,completion>", "per million tokens, to add up the cost", readPrice)
    .option("--no-stream", "ask for whole replies instead of streams")
    .option("--seed <seed>", "which puzzles", "1")
    .requiredOption("--out <folder>", "run folder; asking again asks only for what is missing")
    .addHelpText(
      "after",
      `
Writes every answer into <out>/rollouts.jsonl as it comes, and the traces that verify into <out>/corpus.jsonl, also when it
is stopped. Too many requests are slowed down, broken ones are asked again; what fails for good is asked the next time.

Examples:
  repertoire teach ask --url http://localhost:8000/v1 --model deepseek-reasoner --count 500 --out runs/teacher
  repertoire teach ask --url https://api.deepseek.com/v1 --model deepseek-reasoner --key-variable DEEPSEEK_KEY --price 0.28,0.42 --puzzle undead=4x4de --out runs/undead`,
    )
    .action(ask);
}

async function ask(options: AskOptions): Promise<void> {
  const { model, temperature, topP, maxTokens, seed, attempts, out } = options;
  const client = clientOf(options);
  const sets = puzzleSets(options.puzzle);
  const config = {
    puzzles: sets.map(({ text }) => text),
    count: options.count,
    model,
    temperature,
    topP,
    maxTokens,
    seed,
  };
  const { signal, release } = stopOnInterrupt(() => console.error("\nstopping; run the same command again to resume"));
  const show = standingLine(options.price !== undefined);
  let bar: ReturnType<typeof progressBar> | undefined;
  let said = performance.now();
  try {
    const countTokens = await tokenCounter(options.tokenizer);
    const run = await openRunFolder(out, { kind: "teach", config, now: new Date() });
    try {
      const taught = await askTeacher({
        ...{ folder: out, problems: problemsOf(sets, options), attempts, client, seed, maxTokens, countTokens, signal },
        sampling: { temperature, topP, maxTokens },
        onAnswer: (standing) => {
          bar?.note(show(standing));
          bar?.advance();
          bar ??= progressBar("Asking", standing.total, standing.asked);
          said = sayInLog(standing, show, said);
        },
        onWarning: (message) => console.error(pc.yellow(message)),
      });
      bar?.stop();
      printEnd(out, taught, show);
    } finally {
      bar?.stop();
      await run.release();
    }
  } finally {
    release();
    await client.close();
  }
}

function clientOf({ url, model, keyVariable, deadline, concurrency, price, stream }: AskOptions): EndpointClient {
  const endpoint = endpointSchema.safeParse({
    ...{ url, model, keyVariable, price, stream },
    deadlineSeconds: deadline,
    concurrency: { start: Math.min(16, concurrency), largest: concurrency },
  });
  if (!endpoint.success)
    throw new ConfigurationError(
      endpoint.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "),
    );
  return new EndpointClient(endpoint.data, process.env, sayTrouble);
}

function problemsOf(sets: ReturnType<typeof puzzleSets>, { count, seed }: AskOptions): PuzzleProblem[] {
  return sets.flatMap(({ text }) => {
    const problems = new PuzzlePool(Random.from(seed).child("ask")).take(text, "teaching", count);
    if (problems.length < count)
      console.error(pc.dim(`${text}: there are only ${problems.length} different train puzzles for SFT`));
    return problems;
  });
}

const standingLine =
  (priced: boolean) =>
  ({ counts, usage }: Standing): string => {
    const { promptTokens, completionTokens, cost } = usage;
    const tokens = `${short(promptTokens)} + ${short(completionTokens)} tokens`;
    const unknown = priced && counts.kept > 0 ? ", cost not known: the server does not count its tokens" : "";
    const paid = cost === undefined ? unknown : `, ${cost < 1 ? cost.toPrecision(2) : cost.toFixed(2)} paid`;
    return `${countsText(counts)}; ${tokens}${paid}`;
  };

const minute = 60_000;

/** Where no bar is drawn, a line a minute says that it goes on. */
function sayInLog(standing: Standing, show: (standing: Standing) => string, said: number): number {
  if (process.stderr.isTTY || performance.now() - said < minute) return said;
  console.error(`${standing.asked} of ${standing.total} asked, ${show(standing)}`);
  return performance.now();
}

function printEnd(out: string, taught: Taught, show: (standing: Standing) => string): void {
  console.error(show(taught));
  const { counts, finished, failure } = taught;
  if (counts.failed > 0)
    console.error(
      pc.yellow(
        `${counts.failed} requests failed, the last because ${failure}; run the same command again to ask them again`,
      ),
    );
  if (!finished) process.exitCode = stoppedExitCode();
  else if (counts.failed > 0) process.exitCode = 1;
  console.log(`${out}/corpus.jsonl`);
}

const short = (tokens: number): string =>
  tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1)}M` : tokens >= 1e3 ? `${(tokens / 1e3).toFixed(1)}k` : String(tokens);
