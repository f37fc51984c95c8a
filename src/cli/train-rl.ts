// `repertoire train rl`: reinforcement learning on puzzles, or questions of anybody's.
import { resolve } from "node:path";
import { Command } from "commander";
import type { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { defaultPolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { readServerCheckpoint } from "../engine/tinker/checkpoint-paths.ts";
import { rewardNames } from "../grading/reward.ts";
import { type EngineHost, hostWithStopTokens } from "../recipes/engine-host.ts";
import { chatFormOf } from "../recipes/policy-asking.ts";
import { runRlStage } from "../recipes/training-stage.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { defaultLabeler, rolloutLabelerFor } from "../traces/labeler-spec.ts";
import { rlLoop } from "../training/rl-loop.ts";
import { rlOptionsSchema } from "../training/rl-options.ts";
import { commandText } from "./command-text.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";
import { warn } from "./progress.ts";
import { watched } from "./stage-bars.ts";
import { classifierOf } from "./traces-options.ts";
import {
  hostOf,
  problemIdentity,
  promptedFor,
  readConfigFile,
  sharedFlags,
  shown,
  trainingIdentity,
  warnIgnoredSettings,
  withAlpha,
} from "./train-options.ts";
import { readReward, trainingProblems } from "./train-problems.ts";

const rlFlags = [
  ...sharedFlags(
    "rl",
    "train on these instead of puzzles, repeatable, optionally with a weight: questions.jsonl*2, hub:owner/name, a benchmark; `puzzles` means those of --puzzle",
  ),
  flag(
    "--from <checkpoint>",
    "checkpoint to start from, and to measure KL and novelty against, as training printed it (default: the model itself)",
  ),
  flag(
    "--reward <name or JSON>",
    `what answers are worth: ${rewardNames.join(" or ")} (completion by cells, or over their classes), or weights: {"exact":1,"completion":0,"format":0.1}`,
    "paper",
  ),
  flag("--novelty", "add the frozen-reference novelty bonus with the paper's values"),
  flag(
    "--classifier <folder or judge>",
    "what labels the rollouts, as for `traces analyze` (default: the shipped classifier); the miniature's language is parsed by its grammar anyway, unless the classifier has another taxonomy",
  ),
];

export function rlCommand(): Command {
  return withFlags(new Command("rl"), rlFlags)
    .description("reinforcement learning with verifiable rewards: GSPO, optionally with the novelty bonus")
    .addHelpText(
      "after",
      `
Examples:
  repertoire train rl --model models/olmo --from runs/sft/checkpoints/epoch-5 --novelty --out runs/novelty --engine http://localhost:8421
  repertoire train rl --model models/olmo --problems questions.jsonl --columns problem=question,answer=gold --out runs/on-mathematics
  repertoire train rl --model models/olmo --problems code.jsonl --grader ./grade.mjs --problems puzzles*3 --out runs/mixed

A grader is a module that exports \`grade({ id, prompt, response, answer, data })\`, or a URL to which the same record is posted
as JSON; it returns true or false, a number, or {"correct", "reward", "because"}.`,
    )
    .action(async (given: FlagValues<typeof rlFlags>) => {
      const options = withAlpha("rl", given);
      const classifier = await classifierOf(options);
      const config = readConfigFile(rlOptionsSchema, options.config);
      const known = await readPolicyCard(options.from ?? options.model);
      const card = { ...(known ?? (await readPolicyCard(options.model)) ?? defaultPolicyCard) };
      if (options.chat !== undefined) card.chat = options.chat;
      const chat = await chatFormOf(options.model, card.chat);
      const objective = options.novelty ? withNovelty(config.objective) : config.objective;
      const settings = { ...config, objective };
      const host = hostWithStopTokens(chat.stopTokens, hostOf(options, card, settings.seed));
      const start = options.from === undefined ? undefined : await startOf(host, options.from, options.engine);
      const graders = new ProblemGraders({ weights: readReward(options.reward), mode: "reward" });
      const prompted = promptedFor(chat, graders);
      const problems = await trainingProblems(options, card, settings);
      await graders.prepare(problems);
      warnIgnoredSettings(options, settings);
      const checkpoint = await watched((emit, signal) =>
        runRlStage({
          name: "rl",
          title: options.novelty ? "GSPO with the novelty bonus" : settings.objective.algorithm.toUpperCase(),
          folder: options.out,
          config: {
            ...trainingIdentity(options, card),
            from: options.from,
            ...(options.reward !== "paper" && { reward: options.reward }),
            ...problemIdentity(options),
            ...settings,
          },
          command: commandText(),
          total: settings.steps,
          open: () => host.open("rl", start, signal),
          loop: async function* (engine, from) {
            // Without an SFT checkpoint the model itself is the reference; it is written down under a name before it changes.
            const reference = start ?? host.checkpointPath("rl", "start");
            if (start === undefined && from === undefined) await engine.save("start");
            yield* rlLoop({
              engine,
              problems: problems.map(prompted),
              reference,
              base: host.baseModel,
              options: settings,
              labeler: await rolloutLabelerFor(card.language, { ...defaultLabeler, classifier }, warn),
              from,
              signal,
              clock: () => performance.now(),
              onRollout: (done, total) => emit({ type: "rollouts", stage: "rl", done, total }),
            });
          },
          emit,
          now: new Date(),
          acceptDamage: options.acceptDamage,
        }),
      );
      await graders.close();
      if (checkpoint !== undefined)
        console.log(`the last checkpoint is ${shown(host.checkpointPath("rl", checkpoint))}`);
    });
}

/** A checkpoint as RL begins from it: its adapter merged into the weights, where the engine can. */
function startOf(host: EngineHost, from: string, engine: string | undefined): Promise<string> {
  const elsewhere = engine === undefined ? readServerCheckpoint(from) : undefined;
  if (elsewhere !== undefined)
    throw new ConfigurationError(
      `${from} is on a server; add --engine ${elsewhere.url} --server ${elsewhere.server}, and --model as before`,
    );
  return host.mergeAdapter(engine === undefined ? resolve(from) : from);
}

function withNovelty(objective: z.output<typeof rlOptionsSchema>["objective"]) {
  const bonus = { kind: "novelty" as const };
  return rlOptionsSchema.shape.objective.parse({ ...objective, advantage: { ...objective.advantage, bonus } });
}
