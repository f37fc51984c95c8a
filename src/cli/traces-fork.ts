// `repertoire traces fork`: does a move cause success? Rollouts are gone on from with a move and without it, by the policy that
// made them or by another, and what becomes of both is counted.
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError, RemoteServiceError, unknownName } from "../base/errors.ts";
import { probeContinuation } from "../endpoints/ignored-parameters.ts";
import { defaultPolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import type { SamplingSettings } from "../evaluation/sampler.ts";
import { withStopTokens } from "../recipes/engine-host.ts";
import { type ForkStage, forkName, NothingToFork, type OpenedSampler, runForkStage } from "../recipes/fork-stage.ts";
import { modelFiles } from "../recipes/model-files.ts";
import { chatFormOf } from "../recipes/policy-asking.ts";
import { evaluatedCheckpoint } from "../recipes/saved-checkpoint.ts";
import { forkedTraces, forksTable } from "../results/sections/forks.ts";
import { evaluationSuffix } from "../runs/recipe-names.ts";
import { type RunPart, runParts } from "../runs/run-parts.ts";
import { readSpanAddress } from "../traces/forks/choose.ts";
import { type ForkResult, forksFolder } from "../traces/forks/fork-folder.ts";
import { readerOf } from "../traces/labeler-spec.ts";
import { atLeastZero, count, wholeNumber } from "./arguments.ts";
import { commandName } from "./command-name.ts";
import { commandText } from "./command-text.ts";
import { choice, type FlagValues, flag, repeatable, withFlags } from "./flags.ts";
import { hubCache } from "./hub-cache.ts";
import { painter } from "./primitive-paint.ts";
import { warn } from "./progress.ts";
import { shippedBase } from "./recipe-options.ts";
import { checkpointOf, clientOf, endpointFlags, serverFlags } from "./server-options.ts";
import { watched } from "./stage-bars.ts";
import { terminalItem } from "./terminal-item.ts";
import { classifierOf, segmentationFlags, segmentationOf } from "./traces-options.ts";

const forkFlags = [
  repeatable("--label <name>", "the move: spans with this label; without any, hypothesize and backtrack"),
  repeatable("--motif <labels>", 'a move of several spans: "compute check"'),
  repeatable("--span <place>", "this span and no other: problem#attempt:span, counted as a trace page's address does"),
  repeatable("--checkpoint <name>", "fork the rollouts of this policy of the run; without any, of all but the base"),
  repeatable("--set <name>", "only problems of this set"),
  flag("--problems <n>", "problems of each set", count, 30),
  flag("--per-problem <n>", "forks of each move at each problem, from different rollouts", count, 2),
  flag("--n <n>", "continuations with the move, and as many without; asking for more later only adds", count, 8),
  choice("--without <reach>", "without the move as the next span, or ever again", ["next", "ever"], "next"),
  flag("--tries <n>", "give a continuation up when so many draws in a row make the move all the same", count, 5),
  flag(
    "--continue-with <policy>",
    "who goes on: a policy of the run or a checkpoint, here or on a Tinker server (default: who made the rollout)",
  ),
  ...serverFlags("the Tinker server that has the checkpoint (default: the one it was saved on)"),
  flag("--url <address>", "an OpenAI-compatible server goes on, up to and including /v1: http://localhost:8000/v1"),
  flag("--model <name>", "the model's name on that server; with --engine the folder of its tokenizer"),
  choice(
    "--mode <protocol>",
    "completion sends the prompt with what was said behind it; chat asks to go on with the last message, as vLLM and SGLang do",
    ["completion", "chat"],
    "completion",
  ),
  flag(
    "--template <model>",
    "folder or hub name of the model whose chat template wraps prompts, for --mode completion",
  ),
  ...endpointFlags,
  flag("--temperature <t>", "sampling temperature (default: as the rollouts were sampled)", atLeastZero),
  flag("--top-k <n>", "sample from the n most likely tokens (default: as the rollouts were sampled)", wholeNumber),
  flag("--max-tokens <n>", "longest continuation (default: as long as a rollout)", count),
  flag("--seed <seed>", "chooses the forks and seeds each draw", "1"),
  flag(
    "--classifier <folder or judge>",
    "who labels spans (default: the grammar for the terse language, else the shipped one)",
  ),
  ...segmentationFlags,
  flag("--name <name>", "folder inside <run>/forks (default: policies and moves)"),
  flag("--json", "print what came of it as JSON"),
];
type ForkFlags = FlagValues<typeof forkFlags>;

export function forkCommand(): Command {
  return withFlags(new Command("fork"), forkFlags)
    .description("test whether a move causes success: go on from rollouts with it and without it, and grade both")
    .argument("<run>", "a recipe's run, or an evaluation")
    .addHelpText(
      "after",
      `
From the words before a move, n continuations begin with the move and n without it: one whose next span is the move again is drawn again,
and how often is said. Each is graded as the rollout was. The effect is P(right | with) − P(right | without), with an interval over problems.
Draws are kept in <run>/forks/<name>/; the same command resumes. The table is in the report and the dashboard, too.

Examples:
  repertoire traces fork runs/mini --label hypothesize
  repertoire traces fork runs/mini --motif "plan hypothesize" --set "mathematics that needs search" --checkpoint sft
  repertoire traces fork runs/mini --label hypothesize --without ever
  repertoire traces fork runs/mini --checkpoint novelty --continue-with vanilla --label hypothesize
  repertoire traces fork runs/hard --label backtrack --url http://localhost:8000/v1 --model m --template Qwen/Qwen3-8B
  repertoire traces fork runs/hard --label backtrack --url http://localhost:8000/v1 --model m --mode chat
  repertoire traces fork runs/hard --span 'aime-2025/7#3:41' --n 32 --checkpoint runs/rl/checkpoints/step-70`,
    )
    .action(fork);
}

async function fork(run: string, flags: ForkFlags): Promise<void> {
  const sources = await sourcesOf(run, flags);
  const labeler = {
    classifier: await classifierOf({ classifier: flags.classifier }),
    segmentation: segmentationOf(flags),
    abstainBelow: 0,
  };
  const { alphabet, labeler: reads } = await readerOf(labeler);
  const spans = flags.span.length === 0 ? undefined : flags.span.map(readSpanAddress);
  const moves = movesOf(flags, alphabet.labels, reads.taxonomy.recover);
  const { perProblem, problems, set, n, tries, without, seed } = flags;
  const results: ForkResult[] = [];
  for (const of of sources) {
    const goesOn = await continuerOf(run, of, sources, flags);
    const choice = { moves: spans === undefined ? moves : [], perProblem, problems };
    const name =
      flags.name ??
      forkName(of.name, goesOn.name, choice) + (without === "ever" ? "-ever" : "") + (spans ? "-spans" : "");
    const result = await watched((emit, signal) =>
      forksOrNone(sources.length > 1, {
        ...{ run, name, of, by: goesOn.name, choice, spans, labeler, emit, signal },
        ...(set.length > 0 && { sets: set }),
        settings: { n, tries, without, seed },
        sampling: goesOn.sampling,
        open: () => goesOn.open(signal),
        asked: goesOn.asked,
        thinks: goesOn.thinks,
        command: commandText(),
        now: new Date(),
      }),
    );
    if (result === undefined) return;
    if (result === "none") continue;
    tellRest(result);
    results.push(result);
  }
  if (flags.json) console.log(JSON.stringify(results));
  else print(results, alphabet, run, spans !== undefined);
}

/** A policy among several that never makes the move is passed over. */
async function forksOrNone(several: boolean, stage: ForkStage): Promise<ForkResult | "none" | undefined> {
  try {
    return await runForkStage(stage);
  } catch (error) {
    if (!several || !(error instanceof NothingToFork)) throw error;
    warn(error.message);
    return "none";
  }
}

/** Evaluations whose rollouts are forked. */
async function sourcesOf(run: string, { checkpoint }: ForkFlags): Promise<RunPart[]> {
  const parts = (await runParts(run)).parts.filter(({ kind }) => kind === "evaluate");
  const names = parts.map(({ name }) => name);
  if (parts.length === 0) throw new ConfigurationError(`${run} has no evaluation; its rollouts are what is forked`);
  if (checkpoint.length === 0)
    return parts.length === 1
      ? parts
      : parts.filter(({ name, role }) => role !== "base" && !evaluationSuffix.test(name));
  return checkpoint.map((wanted) => {
    const found = parts.find(({ name, id }) => name === wanted || id === wanted);
    if (found === undefined) throw unknownName("checkpoint", wanted, names);
    return found;
  });
}

function movesOf({ label, motif, span }: ForkFlags, labels: readonly string[], recover: readonly string[]): string[][] {
  const given = [...label.map((one) => [one]), ...motif.map((text) => text.split(/[\s→]+/).filter(Boolean))];
  for (const name of given.flat()) if (!labels.includes(name)) throw unknownName("label", name, labels);
  return given.length > 0 || span.length > 0 ? given : recover.map((one) => [one]);
}

const sampledSchema = z.looseObject({
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  maxTokens: z.number().optional(),
  system: z.string().optional(),
});

type Continuer = Pick<ForkStage, "sampling" | "asked" | "thinks"> & {
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<OpenedSampler>;
};

/** Who goes on, and how: as the rollouts were sampled unless flags say otherwise. */
async function continuerOf(run: string, of: RunPart, parts: readonly RunPart[], flags: ForkFlags): Promise<Continuer> {
  const { config } = of.description;
  const sampled = sampledSchema.parse(config.sampling ?? config);
  const sampling: SamplingSettings = {
    temperature: flags.temperature ?? sampled.temperature ?? 1,
    topP: flags.topP ?? sampled.topP,
    topK: flags.topK ?? sampled.topK,
    maxTokens: flags.maxTokens ?? sampled.maxTokens ?? 25_000,
    system: sampled.system,
  };
  if (flags.url !== undefined) return overHttp(flags, sampling);
  const wanted = flags.continueWith ?? of.name;
  const all = flags.continueWith === undefined ? parts : (await runParts(run)).parts;
  const part = all.find(({ kind, name }) => kind === "evaluate" && name === wanted);
  const checkpoint = part === undefined ? wanted : await evaluatedCheckpoint(run, part, shippedBase);
  if (checkpoint === undefined)
    throw new ConfigurationError(
      `where the checkpoint of ${wanted} lies is not recorded; give --continue-with <checkpoint>, or --url and --model for a server`,
    );
  const saved = checkpointOf({ ...flags, checkpoint, acceptDamage: undefined });
  const card = (await readPolicyCard(saved.card)) ?? defaultPolicyCard;
  const form = await chatFormOf(saved.tokenizer, card.chat);
  return {
    name: part?.name ?? wanted,
    sampling,
    thinks: opensThinking(form.rendered("")),
    open: async (signal) => {
      const engine = withStopTokens(form.stopTokens, await saved.open(signal));
      const encode = ({ prompt }: { readonly prompt: string }) => form.prompt(prompt, sampling.system);
      return { sampler: engineSampler(engine, sampling, { policy: wanted, encode }), close: () => engine.dispose() };
    },
  };
}

const opensThinking = (rendered: string): boolean => /<think>\s*$/.test(rendered);

async function overHttp(flags: ForkFlags, sampling: SamplingSettings): Promise<Continuer> {
  const { url, model, mode, template, continueWith } = flags;
  if (model === undefined) throw new ConfigurationError("--model is missing: the model's name on that server");
  if (continueWith !== undefined)
    throw new ConfigurationError("give either --continue-with or --url and --model, not both");
  if (mode === "chat" && template !== undefined)
    throw new ConfigurationError("--template is for --mode completion; in a chat the server applies its own");
  const form =
    template === undefined ? undefined : await chatFormOf((await modelFiles(template, hubCache())).folder, "model");
  const { system, ...sent } = sampling;
  return {
    name: model,
    sampling,
    ...(form && {
      asked: (problem) => ({ ...problem, prompt: form.rendered(problem.prompt, system) }),
      thinks: opensThinking(form.rendered("")),
    }),
    open: async (signal) => {
      const client = clientOf(flags, { url: url!, model, mode });
      try {
        if (mode === "chat") await refuseWithoutContinuation(client, signal);
      } catch (error) {
        await client.close();
        throw error;
      }
      return { sampler: endpointSampler(client, form ? sent : sampling), close: () => client.close() };
    },
  };
}

async function refuseWithoutContinuation(
  client: Parameters<typeof probeContinuation>[0],
  signal: AbortSignal,
): Promise<void> {
  const found = await probeContinuation(client, signal);
  if (found === undefined) return;
  const { because, surely } = found;
  const said = `${client.endpoint.model} on ${new URL(client.endpoint.url).host} does not go on with an answer that was begun (${because})`;
  if (surely)
    throw new RemoteServiceError(
      `${said}, which a fork needs; give --mode completion with --template, on a server that has /v1/completions`,
    );
  warn(`perhaps ${said}; look at the first continuations before you believe the numbers`);
}

function tellRest({ of, failed, stories, draws, responseTokens, cost }: ForkResult): void {
  if (failed > 0) warn(`${of}: ${failed} draws failed; run the same command again to ask for them`);
  const gaveUp = stories.reduce((sum, story) => sum + story.gaveUp, 0);
  const spent = [`${draws} draws`, ...(responseTokens > 0 ? [`${responseTokens.toLocaleString("en-US")} tokens`] : [])];
  console.error(
    pc.dim(
      `  ${[...spent, ...(cost === undefined ? [] : [`cost ${cost.toFixed(2)}`])].join(", ")}${gaveUp > 0 ? `; ${gaveUp} continuations given up, because every draw made the move` : ""}`,
    ),
  );
}

function print(
  results: readonly ForkResult[],
  alphabet: Parameters<typeof forkedTraces>[1],
  run: string,
  byHand: boolean,
): void {
  console.log(terminalItem(forksTable(results)));
  const { strip } = painter(alphabet.taxonomy);
  const { body } = forkedTraces(results, alphabet, byHand ? () => true : undefined);
  if (body.kind === "traces") {
    console.log(byHand ? "" : `\nThe fork where the two ways differ most: ${body.traces[0].problem}`);
    for (const { name, note, spans } of body.traces)
      console.log(`\n${name} ${pc.dim(note)}\n${strip(spans.map(({ label }) => label))}`);
  }
  console.log(
    pc.dim(
      `\nall forks and draws: ${join(run, forksFolder)}; also in: ${commandName} report ${run}, ${commandName} dashboard ${run}`,
    ),
  );
}
