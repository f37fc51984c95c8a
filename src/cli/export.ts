// `repertoire export`: the paper's RL stage, or your own, for other people's trainers.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { plainAddress } from "../base/secrets.ts";
import { chatForms, defaultPolicyCard, type PolicyCard, readPolicyCard } from "../engine/policy-card.ts";
import { paperModel, paperValue } from "../problems/paper.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { inTurn } from "../problems/puzzle-problems.ts";
import { trainingMix } from "../problems/question-sets.ts";
import { subset } from "../problems/subset.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { chatFormOf, inPromptStyle } from "../recipes/policy-asking.ts";
import { paperEvaluation } from "../serving/evaluation-script.ts";
import { exportFolder } from "../serving/export-folder.ts";
import { exportedSets } from "../serving/export-rows.ts";
import { trainerNamed, trainers } from "../serving/trainers/index.ts";
import { bonusOf } from "../serving/trainers/stage.ts";
import { versionOf, watched } from "../serving/trainers/watched.ts";
import { type RlOptions, rlOptionsSchema } from "../training/rl-options.ts";
import { collected, count, wholeNumber } from "./arguments.ts";
import { choice, type FlagValues, flag, repeatable, required, withFlags } from "./flags.ts";
import { warn } from "./progress.ts";
import { heldOutShareFlag, questionFlags } from "./question-flags.ts";
import { readSettings } from "./settings.ts";
import { configFlag, readConfigFile } from "./train-options.ts";
import { questionsOf } from "./train-problems.ts";

/** What trainers start from that cannot train the paper's model. */
const otherModels = trainers
  .map(trainerNamed)
  .flatMap(({ name, model }) => (model === undefined ? [] : [`${model} for ${name}`]))
  .join(", ");

const exportFlags = [
  required("--out <folder>", "a folder that does not exist yet"),
  choice("--bonus <kind>", "with the novelty bonus or without (default: novelty where the trainer supports it)", [
    "novelty",
    "none",
  ]),
  flag("--puzzles <list>", "puzzles, such as bridges=7x7,undead=4x4 (default: the paper's)", puzzleKinds),
  flag(
    "--problems <source>",
    "these instead of puzzles, repeatable, as for `train rl`: questions.jsonl*2, hub:owner/name, a benchmark; `puzzles` means those of --puzzles",
    collected,
  ),
  ...questionFlags,
  heldOutShareFlag,
  flag(
    "--train-rows <count>",
    "different prompts to train on; they come again until every step has its own (default: steps times problems per step)",
    count,
  ),
  flag("--test-rows <count>", "prompts to validate on", count, paperValue("evaluation.heldOutPerPuzzle")),
  configFlag,
  repeatable("--set <setting>", "one of them: steps=20, sampling.maxTokens=12000, objective.kl.coefficient=0.01"),
  flag("--model <name>", `where RL starts: the merged SFT model (default: ${paperModel}, or ${otherModels})`),
  choice(
    "--chat <form>",
    "how the model is asked (default: as its policy card says, or by its chat template)",
    chatForms,
  ),
  flag("--gpus <count>", "GPUs of each machine", count, 8),
  flag("--nodes <count>", "machines", count, 1),
  flag("--reward-url <url>", "where `repertoire serve rewards` listens", plainRewardAddress, "http://127.0.0.1:8123"),
  flag("--seed <number>", "another seed draws other puzzles", wholeNumber, 1),
];

/** It stands in the launch script; trainers that can send a token only in the address append it there. */
function plainRewardAddress(url: string): string {
  return plainAddress(url, "--reward-url", "the address is written down; give a token in REPERTOIRE_TOKEN");
}

type ExportFlags = FlagValues<typeof exportFlags>;

export function exportCommand(): Command {
  return withFlags(new Command("export"), exportFlags)
    .addArgument(new Argument("<trainer>", "which trainer").choices(trainers))
    .addArgument(new Argument("[recipe]", "which experiment").choices(["paper"]).default("paper"))
    .addHelpText(
      "after",
      `
What of each trainer's own code has run on its export:
${trainers.map((name) => `  ${name.padEnd(14)}${versionOf(trainerNamed(name).name)}: ${watched[trainerNamed(name).name].ran}`).join("\n")}
Nothing has run on a GPU.

Examples:
  repertoire export verl paper --out verl-run --model ./olmo3-sft-merged
  repertoire export trl --out trl-run --puzzles bridges=5x5 --train-rows 1000
  repertoire export slime --problems questions.jsonl --columns problem=question,answer=gold --problems puzzles --set steps=20 --out slime-run
  repertoire export verl --gpus 8 --nodes 4 --reward-url http://head:8123 --out /shared/verl-run`,
    )
    .action(async (trainer: string, _recipe: string, flags: ExportFlags) => {
      const files = await exported(trainer, flags);
      console.log(`${flags.out}\n${files.map((file) => `  ${file}`).join("\n")}\nnext: its README.md`);
    });
}

async function exported(trainer: string, flags: ExportFlags): Promise<readonly string[]> {
  const { out, gpus, nodes, rewardUrl, set, config } = flags;
  const { bonus: hasPlace, model: itsModel = paperModel } = trainerNamed(trainer);
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  const options = readSettings(rlOptionsSchema, readConfigFile(rlOptionsSchema, config), set);
  const { bonus = hasPlace || bonusOf(options) ? "novelty" : "none", model = itsModel } = flags;
  const card = await cardOf(model, flags.chat);
  const { files } = await exportFolder({
    ...{ trainer, out, bonus, model, gpus, nodes, rewardUrl, card, options },
    async problems() {
      const { train, test } = await exportedProblems(flags, card, options);
      const evaluation = () => [
        ...paperEvaluation(flags.seed).map((problem) => inPromptStyle(problem, card.promptStyle)),
        ...(flags.problems === undefined ? [] : test.filter(({ kind }) => kind !== "puzzle")),
      ];
      // Not every trainer begins again where its rows end.
      const rows = Math.max(train.length, options.steps * options.problemsPerStep);
      return { train: Array.from({ length: rows }, (_, i) => train[i % train.length]), test, evaluation };
    },
  });
  return files;
}

/** How a model of this machine is asked; what it cannot be asked is an error here and not in the trainer's first step. */
async function cardOf(model: string, chat: PolicyCard["chat"] | undefined): Promise<PolicyCard> {
  if (!existsSync(model)) return { ...defaultPolicyCard, ...(chat && { chat }) };
  const card = { ...((await readPolicyCard(model)) ?? defaultPolicyCard), ...(chat && { chat }) };
  if (card.chat !== "model" || !existsSync(join(model, "tokenizer.json"))) return card;
  if ((await chatFormOf(model, card.chat)).from === "template") return card;
  warn(`${model} has no chat template: its prompts are written as plain text`);
  return { ...card, chat: "plain" };
}

/** Puzzles as the recipe draws them, questions, or a mix that is the same in every step; and what is held out of each. */
async function exportedProblems(flags: ExportFlags, card: PolicyCard, { steps, problemsPerStep }: RlOptions) {
  const { puzzles = paperValue("puzzles.training"), trainRows = steps * problemsPerStep, testRows, seed } = flags;
  const drawn = (trainRows: number, testRows: number) => {
    console.error(`generating ${trainRows + testRows} puzzles …`);
    const sets = exportedSets({ seed, puzzles, trainRows, testRows });
    const asked = (list: readonly PuzzleProblem[]) => list.map((problem) => inPromptStyle(problem, card.promptStyle));
    return { train: asked(sets.train), test: asked(sets.test) };
  };
  if (flags.problems === undefined) return drawn(trainRows, testRows);
  const places = { seed, steps: 1, problemsPerStep: trainRows };
  const named = { ...flags, puzzle: flags.puzzles && [...flags.puzzles] };
  const { sources, questions } = await questionsOf(named, card, places, flags.puzzles !== undefined);
  let heldOutPuzzles: readonly Problem[] = [];
  const share = Math.ceil(testRows / sources.length);
  const train = trainingMix({
    ...{ sources, questions, count: trainRows, seed },
    puzzles: (count) => {
      const sets = drawn(count, share);
      heldOutPuzzles = sets.test;
      return sets.train;
    },
  });
  const test = [
    ...questions.map(({ heldOut }) => subset(heldOut, Math.min(share, heldOut.length), seed)),
    heldOutPuzzles,
  ];
  return { train, test: inTurn(test).slice(0, testRows) };
}

function puzzleKinds(text: string): string[] {
  return text.split(",").map((item) => {
    // Earlier versions wrote `bridges:7x7`.
    const [puzzle, params] = item.split(/[=:]/);
    if (params === undefined) throw new InvalidArgumentError("expected <name=params>, such as bridges=7x7");
    puzzleNamed(puzzle).readParams(params);
    return `${puzzle}=${params}`;
  });
}
