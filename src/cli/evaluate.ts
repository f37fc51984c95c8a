// `repertoire evaluate`: sample, grade and sum up in one folder that can be stopped and gone on with at any time; show it
// again; compare two of them.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { Random } from "../base/random.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema, type Price } from "../endpoints/endpoint.ts";
import { probeParameters } from "../endpoints/ignored-parameters.ts";
import { compareCheckpoints } from "../evaluation/comparison.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import {
  evaluationFiles,
  readProblems,
  readSampling,
  type SamplingNotes,
  writeProblems,
  writeSampling,
} from "../evaluation/evaluation-folder.ts";
import { sampleIntoStore } from "../evaluation/recorded-sampling.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Sampler, SamplingSettings } from "../evaluation/sampler.ts";
import { tallyFolder } from "../evaluation/summarise.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../evaluation/summary.ts";
import { solveCount } from "../evaluation/tally.ts";
import { benchmarks } from "../problems/benchmarks/catalog.ts";
import { readColumns } from "../problems/benchmarks/columns.ts";
import type { Problem } from "../problems/problem.ts";
import { loadProblems } from "../problems/sources.ts";
import { subset } from "../problems/subset.ts";
import type { PromptStyle } from "../puzzles/prompt.ts";
import { openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { comparisonTable, summaryTable } from "./evaluation-tables.ts";
import { gradeFolder } from "./grade.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { progressBar } from "./progress.ts";
import { wholeNumber } from "./puzzles.ts";

export function evaluateCommand(): Command {
  const command = new Command("evaluate")
    .description("sample many rollouts of problems, grade them, and estimate pass@k with honest intervals")
    // What stands behind `show` or `compare` is theirs, also where an option of this command has the same name.
    .enablePositionalOptions()
    .option(
      "--problems <source>",
      "a benchmark, a file, hub:<owner>/<name>, puzzles:<puzzle>:<params> or synthetic; may be repeated",
      collected,
      [],
    )
    .option("--data <folder>", "take benchmarks from files in this folder instead of the hub")
    .option("--columns <mapping>", "columns of a file or data set: problem=question,answer=gold", readColumns)
    .option("--prompt <template>", "how a file's problems are asked; {problem} stands for the text")
    .addOption(
      new Option("--puzzle-prompt <style>", "puzzles with their rules, or the board alone")
        .choices(["full", "board"])
        .default("full"),
    )
    .option("--count <n>", "how many puzzles or synthetic problems to make", wholeNumber, 100)
    .option("--subset <n>", "a fixed random part of each set", wholeNumber)
    .option("--url <address>", "an OpenAI-compatible server, up to its version: http://localhost:8000/v1")
    .option("--model <name>", "the model's name on that server")
    .option("--checkpoint <folder>", "a model of our own, instead of a server")
    .addOption(
      new Option("--mode <protocol>", "how the server is asked").choices(["chat", "completion"]).default("chat"),
    )
    .option("--key-variable <name>", "environment variable that holds the server's key")
    .option("--rollouts <n>", "attempts at each problem; asking for more later only adds", wholeNumber, 32)
    .option("--temperature <t>", "sampling temperature", number, 0.6)
    .option("--top-p <p>", "nucleus sampling", number)
    .option("--top-k <n>", "sample among the likeliest n", wholeNumber)
    .option("--max-tokens <n>", "longest response", wholeNumber, 25_000)
    .option("--system <text>", "said before every problem")
    .option("--seed <seed>", "every rollout's seed is made from it", "1")
    .option("--deadline <seconds>", "longest single request", number, 4 * 3600)
    .option("--concurrency <n>", "most requests at once; fewer while the server asks for it", wholeNumber, 256)
    .option("--price <prompt,completion>", "per million tokens, to add up the cost", readPrice)
    .option("--no-stream", "ask for whole replies instead of streams")
    .option("--no-probe", "do not test first whether the server honours seed and temperature")
    .option("--no-grade", "sample only; `repertoire grade <run>` does the rest")
    .option("--k <list>", "which k to show: 1,8,32", readKs)
    .option("--out <folder>", "the run folder; an unfinished one is gone on with")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", helpText)
    .action(runEvaluation);
  return command.addCommand(showCommand()).addCommand(compareCommand());
}

const helpText = `
Examples:
  repertoire evaluate --problems olymmath-en-hard --url http://localhost:8000/v1 --model my-model --rollouts 32 --out runs/hard
  repertoire evaluate --problems puzzles:bridges:8x8d1 --count 200 --checkpoint runs/rl/checkpoints/step-70 --out runs/bridges
  repertoire evaluate --problems questions.jsonl --columns problem=question,answer=gold --url https://api.example.org/v1 --model m --key-variable API_KEY --out runs/mine
  repertoire evaluate compare runs/vanilla runs/novelty --k 1,8,32

Benchmarks: ${benchmarks.map(({ name }) => name).join(", ")}`;

type RunOptions = {
  problems: string[];
  data?: string;
  columns?: ReturnType<typeof readColumns>;
  prompt?: string;
  puzzlePrompt: PromptStyle;
  count: number;
  subset?: number;
  url?: string;
  model?: string;
  checkpoint?: string;
  mode: "chat" | "completion";
  keyVariable?: string;
  rollouts: number;
  temperature: number;
  topP?: number;
  topK?: number;
  maxTokens: number;
  system?: string;
  seed: string;
  deadline: number;
  concurrency: number;
  price?: Price;
  stream: boolean;
  probe: boolean;
  grade: boolean;
  k?: number[];
  out?: string;
  json?: true;
};

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}

function number(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError("expected a number of at least 0");
  return value;
}

function readKs(text: string): number[] {
  const ks = text.split(",").map(Number);
  if (!ks.every((k) => Number.isSafeInteger(k) && k >= 1))
    throw new InvalidArgumentError("expected whole numbers: 1,8,32");
  return ks;
}

function readPrice(text: string): Price {
  const [prompt, completion, cachedPrompt] = text.split(",").map(Number);
  if (![prompt, completion].every((price) => price >= 0)) {
    throw new InvalidArgumentError(
      "expected prices per million tokens: prompt,completion or prompt,completion,cached-prompt",
    );
  }
  return { prompt, completion, ...(cachedPrompt >= 0 && { cachedPrompt }) };
}

// ---- run -----------------------------------------------------------------------------------------------------------

async function runEvaluation(options: RunOptions): Promise<void> {
  const { out } = options;
  if (out === undefined) throw new ConfigurationError("--out is missing: the folder that keeps the evaluation");
  if (options.problems.length === 0)
    throw new ConfigurationError("--problems is missing: what to ask; --help lists the benchmarks");
  const { temperature, topP, topK, maxTokens, system } = options;
  const sampling: SamplingSettings = { temperature, topP, topK, maxTokens, system };
  const policy = await openPolicy(options, sampling);
  try {
    const run = await openRunFolder(out, {
      kind: "evaluate",
      config: configOf(options, sampling),
      command: process.argv.slice(2).join(" "),
      now: new Date(),
    });
    try {
      const problems = await askedProblems(out, options);
      const store = await RolloutStore.open(out);
      try {
        const stopped = await sampleInto(store, problems, policy, options);
        // As a shell reports a program that was interrupted.
        if (stopped) process.exitCode = 130;
        if (options.grade && !stopped) await gradeFolder({ folder: out, problems, store, which: "ungraded" });
      } finally {
        await store.close();
      }
    } finally {
      await run.release();
    }
  } finally {
    await policy.close();
  }
  if (existsSync(join(out, evaluationFiles.summary))) printSummary(readSummary(out), options);
}

/** What makes two evaluations the same: not how many rollouts, nor how fast or from which address they come. */
function configOf(options: RunOptions, sampling: SamplingSettings) {
  const { problems, data, columns, prompt, puzzlePrompt, count, subset, model, mode, checkpoint, seed } = options;
  return {
    problems,
    data,
    columns,
    prompt,
    puzzlePrompt,
    count,
    subset,
    policy: checkpoint === undefined ? { model, mode } : { checkpoint },
    sampling,
    seed,
  };
}

type Policy = {
  readonly sampler: Sampler;
  readonly client?: EndpointClient;
  readonly close: () => Promise<void>;
};

async function openPolicy(options: RunOptions, sampling: SamplingSettings): Promise<Policy> {
  const { url, model, checkpoint, mode, keyVariable, stream, price, deadline, concurrency } = options;
  if (checkpoint !== undefined) {
    if (url !== undefined) throw new ConfigurationError("give either --checkpoint or --url, not both");
    // Loaded only here: whoever asks a server does not wait for an engine to start.
    const { createEmbeddedEngine } = await import("../engine/embedded/embedded-engine.ts");
    const engine = await createEmbeddedEngine({ model: { folder: checkpoint }, checkpoints: checkpoint });
    return { sampler: engineSampler(engine, sampling, { policy: checkpoint }), close: () => engine.dispose() };
  }
  if (url === undefined || model === undefined) {
    throw new ConfigurationError(
      "say who is asked: --url and --model for a server, or --checkpoint for a model of our own",
    );
  }
  const endpoint = endpointSchema.safeParse({
    url,
    model,
    mode,
    keyVariable,
    stream,
    price,
    deadlineSeconds: deadline,
    concurrency: { start: Math.min(16, concurrency), largest: concurrency },
  });
  if (!endpoint.success)
    throw new ConfigurationError(
      endpoint.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`).join("; "),
    );
  const client = new EndpointClient(endpoint.data);
  return { sampler: endpointSampler(client, sampling), client, close: () => client.close() };
}

/** The problems as they were first asked; later runs of the same folder need neither hub nor generator. */
async function askedProblems(folder: string, options: RunOptions): Promise<Problem[]> {
  if (existsSync(join(folder, evaluationFiles.problems))) return readProblems(folder);
  const cache =
    process.env.REPERTOIRE_CACHE ??
    join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? ".", ".cache"), "repertoire");
  const hub = { cache: join(cache, "hub"), hubUrl: process.env.HF_ENDPOINT, token: process.env.HF_TOKEN };
  const { data, columns, prompt, count, seed, puzzlePrompt } = options;
  const problems: Problem[] = [];
  for (const source of options.problems) {
    const loaded = await loadProblems(source, { hub, folder: data, columns, prompt, count, seed, puzzlePrompt });
    const chosen = options.subset === undefined ? loaded.problems : subset(loaded.problems, options.subset, seed);
    problems.push(...chosen);
    console.error(pc.dim(`${source}: ${chosen.length} problems from ${loaded.from}`));
    if (loaded.dropped.length > 0) {
      const named = loaded.dropped.slice(0, 10).map(({ id, because }) => `${id} (${because})`);
      const more = loaded.dropped.length > 10 ? ` and ${loaded.dropped.length - 10} more` : "";
      console.error(pc.yellow(`${source}: ${loaded.dropped.length} rows dropped: ${named.join(", ")}${more}`));
    }
  }
  const ids = new Set(problems.map(({ id }) => id));
  if (ids.size < problems.length)
    throw new ConfigurationError("two of the --problems hold the same problem; give each set once");
  await writeProblems(folder, problems);
  return problems;
}

async function sampleInto(
  store: RolloutStore,
  problems: readonly Problem[],
  policy: Policy,
  options: RunOptions,
): Promise<boolean> {
  const folder = options.out!;
  const interruption = stopOnInterrupt(() =>
    console.error("\nstopping; everything that was answered is kept, run again to go on"),
  );
  const before = await readSampling(folder);
  let notes: SamplingNotes = { warnings: [], probe: before?.probe };
  let stopped = false;
  let bar: ReturnType<typeof progressBar> | undefined;
  try {
    if (policy.client !== undefined && options.probe && options.temperature > 0 && notes.probe === undefined) {
      const probe = await probeParameters(policy.client, interruption.signal);
      notes = { ...notes, probe };
      for (const note of probe.notes) console.error(pc.yellow(note));
    }
    const { rollouts: rolloutsPerProblem, seed, temperature } = options;
    const input = { problems, rolloutsPerProblem, sampler: policy.sampler, seed, temperature };
    for await (const event of sampleIntoStore(store, { ...input, signal: interruption.signal })) {
      if (event.type === "evaluation-plan") {
        if (event.present > 0 && event.missing > 0)
          console.error(pc.dim(`${event.present} rollouts are there already`));
        if (event.missing > 0) bar = progressBar("rollouts", event.present + event.missing, event.present);
      } else if (event.type === "evaluation-rollout") {
        bar?.advance();
      } else if (event.type === "evaluation-warning") {
        notes = { ...notes, warnings: [event.message] };
      } else {
        stopped = event.stopped;
      }
    }
  } finally {
    bar?.stop();
    interruption.release();
    await writeSampling(folder, notes);
  }
  return stopped;
}

function printSummary(
  summary: EvaluationSummary,
  options: { readonly k?: readonly number[]; readonly json?: true },
): void {
  if (options.json) {
    console.log(JSON.stringify(summary));
    return;
  }
  console.log(
    `\n${pc.bold(summary.policy)}${summary.servedBy.length > 0 ? pc.dim(`  served as ${summary.servedBy.join(", ")}`) : ""}\n`,
  );
  console.log(summaryTable(summary, options.k));
  for (const warning of summary.warnings) console.log(pc.yellow(`\n${warning}`));
}

function readSummary(folder: string): EvaluationSummary {
  const path = join(folder, evaluationFiles.summary);
  if (!existsSync(path))
    throw new ConfigurationError(`${folder} has no summary yet; \`repertoire grade ${folder}\` makes it`);
  return evaluationSummarySchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

// ---- show ----------------------------------------------------------------------------------------------------------

function showCommand(): Command {
  return new Command("show")
    .description("the table of an evaluation again")
    .argument("<run>", "its folder")
    .option("--k <list>", "which k to show: 1,8,32", readKs)
    .option("--json", "print the summary as JSON")
    .addHelpText("after", "\nExample:\n  repertoire evaluate show runs/hard --k 1,32")
    .action((folder: string, options: { k?: number[]; json?: true }) => printSummary(readSummary(folder), options));
}

// ---- compare -------------------------------------------------------------------------------------------------------

function compareCommand(): Command {
  return new Command("compare")
    .description(
      "two evaluations of the same problems: differences, unlocked and regressed problems, the solve-set split",
    )
    .argument("<first>", "folder of the first, usually the baseline")
    .argument("<second>", "folder of the second")
    .option("--k <list>", "which k to compare; as in the tables unless said", readKs)
    .option("--out <file>", "write everything as JSON")
    .option("--json", "print everything as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire evaluate compare runs/vanilla runs/novelty --k 1,8,32 --out novelty-gain.json",
    )
    .action(async (first: string, second: string, options: { k?: number[]; out?: string; json?: true }) => {
      const [a, b] = await Promise.all([solveCounts(first), solveCounts(second)]);
      const fewest = [...a, ...b].reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);
      const ks = options.k ?? [1, 2, 4, 8, 16, 32, 64, 128].filter((k) => k <= fewest);
      const comparison = compareCheckpoints(a, b, { ks, random: Random.from("comparison") });
      const record = { first, second, ...comparison };
      if (options.out !== undefined) await writeFileAtomically(options.out, `${JSON.stringify(record, null, 2)}\n`);
      if (options.json) console.log(JSON.stringify(record));
      else console.log(comparisonTable(comparison, [basename(first), basename(second)]));
    });
}

async function solveCounts(folder: string) {
  await readRunDescription(folder);
  const store = await RolloutStore.read(folder);
  try {
    const tally = await tallyFolder({ folder, problems: await readProblems(folder), store });
    return tally.problems().map(solveCount);
  } finally {
    await store.close();
  }
}
