// What `train sft` and `train rl` share: their flags, where they train, and what makes two runs the same.
import { readFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import type { z } from "zod";
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import { chatForms, type PolicyCard } from "../engine/policy-card.ts";
import { ignoredSettings } from "../engine/tinker/capabilities.ts";
import { paperValue } from "../problems/paper.ts";
import type { Problem } from "../problems/problem.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { type ProblemGraders, promptedProblem } from "../rollouts/problem-grading.ts";
import { collected, count, positive, readJsonFlag, wholeNumber } from "./arguments.ts";
import { acceptDamageFlag, acceptedFor } from "./damage.ts";
import { choice, type FlagValues, flag, required } from "./flags.ts";
import { probePlaces } from "./hub-cache.ts";
import { warn } from "./progress.ts";
import { namedPuzzleSets, puzzleFlag } from "./puzzle-sets.ts";
import { heldOutShareFlag, questionFlags, questionIdentity } from "./question-flags.ts";
import { keyFrom, probeFlag, referenceFlag, serverFlags } from "./server-options.ts";

type Stage = "sft" | "rl";

/** The paper's scale, alpha over rank: 1 in SFT and 2 in RL. */
const paperScale = (stage: Stage): number => paperValue(`lora.${stage}Alpha`) / paperValue("lora.rank");

export const configFlag = flag("--config <file>", "JSON file of settings that differ from the paper's");

/** `problems` says what questions are for, which the two stages use differently. */
export const sharedFlags = (stage: Stage, problems: string) => [
  ...serverFlags("a Tinker server (default: this machine's CPU)", "the folder"),
  required("--model <folder>", "Hugging Face folder to start from; a server needs it for the tokenizer"),
  required("--out <folder>", "run folder; run the same command again to resume"),
  configFlag,
  puzzleFlag,
  choice(
    "--chat <form>",
    "how prompts are formatted (default: as the policy card says, or the model's own chat template)",
    chatForms,
  ),
  flag("--lora-rank <n>", "rank of the adapters; 0 trains all weights", wholeNumber, paperValue("lora.rank")),
  flag("--lora-alpha <n>", `scale of the adapters (default: the paper's, ${paperScale(stage)} x rank)`, positive),
  flag("--context <tokens>", "longest sequence on a server", count, paperValue("contextLength")),
  referenceFlag,
  probeFlag,
  acceptDamageFlag,
  ...questionFlags,
  flag("--problems <source>", problems, collected),
  heldOutShareFlag,
];

export type SharedFlags = FlagValues<ReturnType<typeof sharedFlags>>;

/** With the paper's scale where none is given; a server's own default may be another stage's. */
export const withAlpha = <Flags extends SharedFlags>(stage: Stage, flags: Flags): Flags => ({
  ...flags,
  loraAlpha: flags.loraRank === 0 ? undefined : (flags.loraAlpha ?? flags.loraRank * paperScale(stage)),
});

export function readConfigFile<T>(schema: z.ZodType<T>, file: string | undefined): T {
  return readJsonFlag(`--config ${file}`, schema, () =>
    file === undefined ? {} : JSON.parse(readFileSync(file, "utf8")),
  );
}

export function hostOf(options: SharedFlags, card: PolicyCard, seed: number) {
  const { out, model, engine, server, loraRank, loraAlpha, context, probe } = options;
  if (engine === undefined)
    return embeddedHost({
      ...{ run: out, base: model, seed, card },
      checkpoints: "checkpoints",
      acceptDamage: acceptedFor(out, options),
      lora: loraAlpha === undefined ? undefined : { rank: loraRank, alpha: loraAlpha },
    });
  const key = keyFrom(options.keyVariable);
  return tinkerHost({
    ...{ run: basename(resolve(out)), folder: out, checkpoints: "checkpoints", base: model, card },
    probed: probe ? probePlaces(out) : undefined,
    emit: (message) => console.error(message),
    model: options.serverModel,
    ...{ url: engine, key, server, loraRank, loraAlpha, contextLength: context, seed },
    reference: options.referenceEngine === undefined ? undefined : { url: options.referenceEngine, key, kind: server },
  });
}

/** What makes two runs the same besides their settings: not how fast they are, nor at which address. */
export function trainingIdentity(options: SharedFlags, card: PolicyCard) {
  const { model, puzzle, engine, server, loraRank, loraAlpha } = options;
  return {
    model,
    puzzles: namedPuzzleSets(puzzle).map(({ text }) => text),
    asked: card,
    lora: loraAlpha === undefined ? null : { rank: loraRank, alpha: loraAlpha },
    engine: engine === undefined ? "embedded" : server,
  };
}

/** What the settings ask for and this server does not do is said before the first step. */
export function warnIgnoredSettings(
  { engine, server, loraAlpha }: SharedFlags,
  { maxGradientNorm, weightDecay }: { readonly maxGradientNorm: number; readonly weightDecay: number },
): void {
  if (engine === undefined) return;
  for (const note of ignoredSettings(server, { loraAlpha, maxGradientNorm, weightDecay })) warn(note);
}

export const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
};

export const promptedFor =
  (chat: ChatForm, graders: ProblemGraders) =>
  (problem: Problem): PromptedProblem =>
    promptedProblem(problem, chat.prompt(problem.prompt), graders);

export const problemIdentity = (options: SharedFlags) =>
  options.problems && {
    problems: options.problems,
    heldOutShare: options.heldOutShare,
    ...questionIdentity(options),
  };
