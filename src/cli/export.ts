// `repertoire export`: the paper's stages for other people's trainers.
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { type PuzzleKind, paperModel, paperValue } from "../problems/paper.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { type Bonus, type ExportRequest, exportFolder, trainerNamed, trainers } from "../serving/index.ts";
import { exportSft, sftTrainerNames } from "../serving/sft-export.ts";
import { count, wholeNumber } from "./arguments.ts";

type Flags = Omit<ExportRequest, "trainer" | "bonus" | "puzzles" | "model"> & {
  readonly model?: string;
  readonly bonus?: Bonus;
  readonly puzzles?: readonly PuzzleKind[];
  readonly stage: "rl" | "sft";
  readonly corpus?: string;
};

export function exportCommand(): Command {
  const rows = paperValue("rl.steps") * paperValue("rl.problemsPerStep");
  return new Command("export")
    .description("dataset, configuration, launch command and plugin for another trainer")
    .addArgument(new Argument("<trainer>", "whose").choices(trainers))
    .addArgument(new Argument("[recipe]", "which experiment").choices(["paper"]).default("paper"))
    .requiredOption("--out <folder>", "a folder that does not exist yet")
    .addOption(
      new Option("--stage <stage>", `RL, or SFT on a corpus (${sftTrainerNames.join(", ")})`)
        .choices(["rl", "sft"])
        .default("rl"),
    )
    .option("--corpus <file>", "for --stage sft: the verified traces that teach or run paper wrote")
    .addOption(
      new Option("--bonus <kind>", "default: novelty where the trainer has a place for it").choices([
        "novelty",
        "none",
      ]),
    )
    .option("--puzzles <list>", "as in bridges:7x7,undead:4x4; default: the paper's", puzzleKinds)
    .option("--train-rows <count>", "prompts to train on, in equal shares", count, rows)
    .option("--test-rows <count>", "prompts to validate on", wholeNumber, paperValue("evaluation.heldOutPerPuzzle"))
    .option("--model <name>", `where RL starts: the merged SFT model (default: ${paperModel}, or ${otherModels})`)
    .option("--gpus <count>", "of the one machine", count, 8)
    .option("--reward-url <url>", "where `repertoire serve rewards` listens", "http://127.0.0.1:8123")
    .option("--seed <number>", "which puzzles", wholeNumber, 1)
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire export verl paper --out verl-run --model ./olmo3-sft-merged\n  repertoire export trl --out trl-run --puzzles bridges:5x5 --train-rows 1000\n  repertoire export trl --stage sft --corpus runs/paper/corpus.jsonl --out trl-sft",
    )
    .action(async (trainer: string, _recipe: string, flags: Flags) => {
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
      console.error(`making ${flags.trainRows + flags.testRows} puzzles …`);
      const { files } = await exportFolder(request);
      console.log(`${flags.out}\n${files.map((file) => `  ${file}`).join("\n")}\nnext: its README.md`);
    });
}

/** What trainers start from that cannot train the paper's model. */
const otherModels = trainers
  .map(trainerNamed)
  .flatMap(({ name, model }) => (model === undefined ? [] : [`${model} for ${name}`]))
  .join(", ");

const paperKinds = paperValue("puzzles.training").map((world): PuzzleKind => {
  const [puzzle, params] = world.split("=");
  return { puzzle, params };
});

function puzzleKinds(text: string): PuzzleKind[] {
  return text.split(",").map((item) => {
    const [puzzle, params] = item.split(":");
    if (params === undefined) throw new InvalidArgumentError("expected <puzzle>:<params>, as in bridges:7x7");
    puzzleNamed(puzzle).readParams(params);
    return { puzzle, params };
  });
}
