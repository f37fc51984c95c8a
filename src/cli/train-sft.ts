// `repertoire train sft`: supervised fine-tuning on verified traces.
import { Command } from "commander";
import { DataError } from "../base/errors.ts";
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import type { Engine, TokenSequence } from "../engine/engine.ts";
import { defaultPolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { paperValue } from "../problems/paper.ts";
import { hostWithStopTokens } from "../recipes/engine-host.ts";
import { cardOfCorpus, chatFormOf } from "../recipes/policy-asking.ts";
import { runSftStage } from "../recipes/training-stage.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import type { TeacherTrace } from "../teaching/corpus.ts";
import { readCorpusFile } from "../teaching/corpus-folder.ts";
import { sftLoop } from "../training/sft-loop.ts";
import { sftOptionsSchema } from "../training/sft-options.ts";
import { wholeNumber } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { warnDamage } from "./damage.ts";
import { type FlagValues, flag, required, withFlags } from "./flags.ts";
import { watched } from "./stage-bars.ts";
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
import { validationProblems } from "./train-problems.ts";

const sftFlags = [
  ...sharedFlags(
    "sft",
    "choose the epoch by held-out questions of these instead of puzzles, repeatable: questions.jsonl, hub:owner/name; `puzzles` means those of --puzzle",
  ),
  required("--corpus <file>", "teacher traces, JSON lines"),
  flag(
    "--held-out, --validation <n>",
    "validation puzzles of each kind, or questions of each source, asked after every epoch",
    wholeNumber,
    paperValue("sft.validationPerPuzzle"),
  ),
];

export function sftCommand(): Command {
  return withFlags(new Command("sft"), sftFlags)
    .description("supervised fine-tuning on verified traces; keeps the epoch with the best held-out pass@1")
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire train sft --model models/olmo --corpus corpus.jsonl --out runs/sft --engine http://localhost:8421" +
        "\n  repertoire train sft --model models/olmo --corpus corpus.jsonl --problems questions.jsonl --out runs/sft",
    )
    .action(async (given: FlagValues<typeof sftFlags>) => {
      const options = withAlpha("sft", given);
      const config = readConfigFile(sftOptionsSchema, options.config);
      const traces = await readCorpusFile(options.corpus, { accept: options.acceptDamage && warnDamage });
      const base = (await readPolicyCard(options.model)) ?? defaultPolicyCard;
      const card = cardOfCorpus(traces, options.chat ?? base.chat);
      const chat = await chatFormOf(options.model, card.chat);
      const host = hostWithStopTokens(chat.stopTokens, hostOf(options, card, config.seed));
      const validation = await validationProblems(options, card, config.seed);
      const graders = new ProblemGraders();
      await graders.prepare(validation);
      warnIgnoredSettings(options, config);
      const checkpoint = await watched((emit, signal) =>
        runSftStage({
          name: "sft",
          title: "SFT",
          folder: options.out,
          config: {
            ...trainingIdentity(options, card),
            corpus: options.corpus,
            traces: traces.length,
            validationPerPuzzle: options.validation,
            ...problemIdentity(options),
            ...config,
          },
          command: commandText(),
          total: config.epochs * Math.ceil(traces.length / config.sequencesPerStep),
          open: () => host.open("sft", undefined, signal),
          loop: (engine, state) =>
            sftLoop(
              engine,
              sequencesOf(engine, traces, chat),
              validation.map(promptedFor(chat, graders)),
              config,
              state,
              signal,
            ),
          emit,
          now: new Date(),
          acceptDamage: options.acceptDamage,
        }),
      );
      await graders.close();
      if (checkpoint !== undefined) console.log(`the best epoch is ${shown(host.checkpointPath("sft", checkpoint))}`);
    });
}

function sequencesOf(engine: Engine, traces: readonly TeacherTrace[], chat: ChatForm): TokenSequence[] {
  const { tokenizer, contextLength } = engine;
  const sequences = traces.map(({ prompt, response }) => {
    const start = chat.prompt(prompt);
    return { tokens: [...start, ...tokenizer.encode(response), ...chat.ending], promptLength: start.length };
  });
  const fitting = sequences.filter(({ tokens }) => tokens.length <= contextLength);
  if (fitting.length === 0)
    throw new DataError(
      `all ${sequences.length} traces are longer than ${contextLength} tokens; raise --context, or take shorter traces`,
    );
  if (fitting.length < sequences.length) {
    console.error(
      `${sequences.length - fitting.length} of ${sequences.length} traces are longer than ${contextLength} tokens and left out`,
    );
  }
  return fitting;
}
