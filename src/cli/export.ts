// `repertoire export`: the paper's stages for other people's trainers.
import { existsSync } from "node:fs";
import { Argument, Command, InvalidArgumentError } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { plainAddress } from "../base/secrets.ts";
import { type PuzzleKind, paperModel, paperValue } from "../problems/paper.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { exportFolder } from "../serving/export-folder.ts";
import { exportSft, sftTrainerNames } from "../serving/sft-export.ts";
import { trainerNamed, trainers } from "../serving/trainers/index.ts";
import { versionOf, watched } from "../serving/trainers/watched.ts";
import { count, wholeNumber } from "./arguments.ts";
import { choice, type FlagValues, flag, required, withFlags } from "./flags.ts";

/** What trainers start from that cannot train the paper's model. */
const otherModels = trainers
  .map(trainerNamed)
  .flatMap(({ name, model }) => (model === undefined ? [] : [`${model} for ${name}`]))
  .join(", ");

const exportFlags = [
  required("--out <folder>", "a folder that does not exist yet"),
  choice("--stage <stage>", `RL, or SFT on a corpus (${sftTrainerNames.join(", ")})`, ["rl", "sft"], "rl"),
  flag("--corpus <file>", "for --stage sft: the verified traces that teach or run paper wrote"),
  choice("--bonus <kind>", "with the novelty bonus or without (default: novelty where the trainer supports it)", [
    "novelty",
    "none",
  ]),
  flag("--puzzles <list>", "puzzles, such as bridges=7x7,undead=4x4 (default: the paper's)", puzzleKinds),
  flag(
    "--train-rows <count>",
    "prompts to train on, in equal shares",
    count,
    paperValue("rl.steps") * paperValue("rl.problemsPerStep"),
  ),
  flag("--test-rows <count>", "prompts to validate on", wholeNumber, paperValue("evaluation.heldOutPerPuzzle")),
  flag("--model <name>", `where RL starts: the merged SFT model (default: ${paperModel}, or ${otherModels})`),
  flag("--gpus <count>", "GPUs of the machine", count, 8),
  flag("--reward-url <url>", "where `repertoire serve rewards` listens", plainRewardAddress, "http://127.0.0.1:8123"),
  flag("--seed <number>", "another seed draws other puzzles", wholeNumber, 1),
];

/** It stands in the launch script; trainers that can send a token only in the address append it there. */
function plainRewardAddress(url: string): string {
  return plainAddress(url, "--reward-url", "the address is written down; give a token in REPERTOIRE_TOKEN");
}

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
  repertoire export trl --stage sft --corpus runs/paper/corpus.jsonl --out trl-sft`,
    )
    .action(async (trainer: string, _recipe: string, flags: FlagValues<typeof exportFlags>) => {
      if (flags.stage === "sft") {
        if (flags.corpus === undefined)
          throw new ConfigurationError("--corpus is missing: the verified traces that teach or run paper wrote");
        const { out, corpus, model = paperModel, gpus } = flags;
        const files = await exportSft({ trainer, out, corpus, model, gpus });
        console.log(`${out}\n${files.map((file) => `  ${file}`).join("\n")}\nnext: its README.md`);
        return;
      }
      const { bonus: hasPlace, model: itsModel = paperModel } = trainerNamed(trainer);
      const { bonus = hasPlace ? "novelty" : "none", model = itsModel, puzzles = paperKinds } = flags;
      const request = { ...flags, trainer, bonus, model, puzzles };
      if (!existsSync(flags.out)) console.error(`generating ${flags.trainRows + flags.testRows} puzzles …`);
      const { files } = await exportFolder(request);
      console.log(`${flags.out}\n${files.map((file) => `  ${file}`).join("\n")}\nnext: its README.md`);
    });
}

const paperKinds = paperValue("puzzles.training").map((world): PuzzleKind => {
  const [puzzle, params] = world.split("=");
  return { puzzle, params };
});

function puzzleKinds(text: string): PuzzleKind[] {
  return text.split(",").map((item) => {
    // Earlier versions wrote `bridges:7x7`.
    const [puzzle, params] = item.split(/[=:]/);
    if (params === undefined) throw new InvalidArgumentError("expected <name=params>, such as bridges=7x7");
    puzzleNamed(puzzle).readParams(params);
    return { puzzle, params };
  });
}
