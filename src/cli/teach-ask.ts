// `repertoire teach ask`: traces of a large model behind any OpenAI-compatible server, kept if they verify.
import { Command } from "commander";
import pc from "picocolors";
import { Random } from "../base/random.ts";
import { paperValue } from "../problems/paper.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { PuzzleDraw } from "../problems/puzzle-problems.ts";
import { sampleTeacher, type TeacherProgress, type TeacherResult } from "../recipes/endpoint-teacher.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { atLeastZero, count } from "./arguments.ts";
import { type FlagValues, flag, required, withFlags } from "./flags.ts";
import { interruptible, stoppedExitCode } from "./interruption.ts";
import { type Progress, progressBar, warn } from "./progress.ts";
import { namedPuzzleSets } from "./puzzle-sets.ts";
import { clientOf, endpointFlags, keyFlag } from "./server-options.ts";
import { countsText, teachingFlags, tokenCounter } from "./teach-options.ts";

const askFlags = [
  ...teachingFlags,
  flag("--count <n>", "puzzles of each kind, or all there are if fewer", count, 500),
  flag(
    "--attempts <n>",
    "attempts at each puzzle; asking for more later only adds",
    count,
    paperValue("corpus.attempts"),
  ),
  required("--url <url>", "an OpenAI-compatible server, up to and including /v1"),
  required("--model <name>", "what the server calls its model"),
  ...endpointFlags,
  keyFlag,
  flag("--temperature <t>", "sampling temperature", atLeastZero, paperValue("corpus.temperature")),
  flag("--max-tokens <n>", "longest response; longer ones are rejected", count, paperValue("corpus.maxTokens")),
  flag("--seed <seed>", "another seed draws other puzzles", "1"),
  required("--out <folder>", "run folder; run the same command again to resume"),
];

type AskOptions = FlagValues<typeof askFlags>;

export function askCommand(): Command {
  return withFlags(new Command("ask"), askFlags)
    .description("sample a large model and keep the traces that verify")
    .addHelpText(
      "after",
      `
Writes each answer to <out>/rollouts.jsonl as it arrives, and the traces that verify to <out>/corpus.jsonl, even if it is stopped.
It slows down when throttled and retries broken connections; whatever still failed is asked again on the next run.

Examples:
  repertoire teach ask --url http://localhost:8000/v1 --model deepseek-reasoner --count 500 --out runs/teacher
  repertoire teach ask --url https://api.deepseek.com/v1 --model deepseek-reasoner --key-variable DEEPSEEK_KEY --price 0.28,0.42 --puzzle undead=4x4de --out runs/undead`,
    )
    .action(ask);
}

async function ask(options: AskOptions): Promise<void> {
  const { model, temperature, topP, maxTokens, seed, attempts, out } = options;
  const client = clientOf(options, options);
  const sets = namedPuzzleSets(options.puzzle);
  const config = {
    puzzles: sets.map(({ text }) => text),
    count: options.count,
    model,
    temperature,
    topP,
    maxTokens,
    seed,
  };
  const show = standingLine(options.price !== undefined);
  let bar: Progress | undefined;
  const sample = async (signal: AbortSignal) => {
    const countTokens = await tokenCounter(options.tokenizer);
    const run = await openRunFolder(out, { kind: "teach", config, now: new Date() });
    try {
      return await sampleTeacher({
        ...{ folder: out, problems: problemsOf(sets, options), attempts, client, seed, maxTokens, countTokens, signal },
        sampling: { temperature, topP, maxTokens },
        onAnswer: (standing) => {
          bar?.note(show(standing));
          bar?.advance();
          bar ??= progressBar("Asking", standing.total, standing.asked);
        },
        onWarning: warn,
      });
    } finally {
      await run.release();
    }
  };
  const taught = await interruptible("\nstopping; run the same command again to resume", sample).finally(() =>
    client.close(),
  );
  printEnd(out, taught, show);
}

function problemsOf(sets: ReturnType<typeof namedPuzzleSets>, { count, seed }: AskOptions): PuzzleProblem[] {
  return sets.flatMap(({ text }) => {
    const problems = new PuzzleDraw(Random.from(seed).child("ask")).take(text, "teaching", count);
    if (problems.length < count)
      console.error(pc.dim(`${text}: only ${problems.length} different training puzzles exist for SFT`));
    return problems;
  });
}

const standingLine =
  (priced: boolean) =>
  ({ counts, usage }: TeacherProgress): string => {
    const { promptTokens, completionTokens, cost } = usage;
    const tokens = `${short(promptTokens)} + ${short(completionTokens)} tokens`;
    const unknown = priced && counts.kept > 0 ? ", cost unknown: the server does not report tokens" : "";
    const paid = cost === undefined ? unknown : `, ${cost < 1 ? cost.toPrecision(2) : cost.toFixed(2)} paid`;
    return `${countsText(counts)}; ${tokens}${paid}`;
  };

function printEnd(out: string, taught: TeacherResult, show: (standing: TeacherProgress) => string): void {
  console.error(show(taught));
  const { counts, finished, failure } = taught;
  if (counts.failed > 0)
    warn(`${counts.failed} requests failed (the last: ${failure}); run the same command again to retry them`);
  if (!finished) process.exitCode = stoppedExitCode();
  else if (counts.failed > 0) process.exitCode = 1;
  console.log(`${out}/corpus.jsonl`);
}

const short = (tokens: number): string =>
  tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1)}M` : tokens >= 1e3 ? `${(tokens / 1e3).toFixed(1)}k` : String(tokens);
