// Running an evaluation from the command line: open the folder and the policy, sample what is missing, grade, sum up.
import { existsSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { endpointSchema, type Price } from "../endpoints/endpoint.ts";
import { probeParameters } from "../endpoints/ignored-parameters.ts";
import { loadChatForm } from "../engine/chat-template/chat-form.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import {
  evaluationFiles,
  readProblems,
  readSampling,
  reopenEvaluation,
  type SamplingNotes,
  writeProblems,
  writeSampling,
} from "../evaluation/evaluation-folder.ts";
import { sampleIntoStore } from "../evaluation/recorded-sampling.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Sampler, SamplingSettings } from "../evaluation/sampler.ts";
import type { Columns } from "../problems/benchmarks/columns.ts";
import type { Problem } from "../problems/problem.ts";
import { loadProblems } from "../problems/sources.ts";
import { subset } from "../problems/subset.ts";
import type { PromptStyle } from "../puzzles/prompt.ts";
import { acceptingDamage } from "../recipes/accepted-damage.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { commandText } from "./command-text.ts";
import { damageWatch, sayDamage } from "./damage.ts";
import { printSummary, readSummary } from "./evaluation-report.ts";
import { gradeFolder } from "./grade.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { progressBar, sayTrouble } from "./progress.ts";

export type RunOptions = {
  problems: string[];
  data?: string;
  columns?: Columns;
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
  acceptDamage?: true;
};

export async function runEvaluation(options: RunOptions): Promise<void> {
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
      command: commandText(),
      now: new Date(),
    });
    try {
      await acceptingDamage(damageWatch(out, options), (damage) => reopenEvaluation(out, damage));
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
  if (existsSync(join(out, evaluationFiles.summary))) printSummary(await readSummary(out), options);
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
    const { embeddedHost, stoppingAt } = await import("../recipes/engine-host.ts");
    const chat = await loadChatForm(checkpoint, await loadTokenizer(checkpoint));
    const host = stoppingAt(
      chat.stopTokens,
      embeddedHost({ run: checkpoint, base: checkpoint, seed: 1, acceptDamage: options.acceptDamage && sayDamage }),
    );
    const engine = await host.open("evaluation");
    const encode = ({ prompt }: Problem) => chat.prompt(prompt, sampling.system);
    return { sampler: engineSampler(engine, sampling, { policy: checkpoint, encode }), close: () => engine.dispose() };
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
  const client = new EndpointClient(endpoint.data, process.env, sayTrouble);
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
  let notes: SamplingNotes = { warnings: before?.warnings ?? {}, probe: before?.probe };
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
        notes = { ...notes, warnings: { ...notes.warnings, [event.about]: event.message } };
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
