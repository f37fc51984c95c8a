// `repertoire run mini-base`: the command that makes models/mini-base, the model that the miniature begins with.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { createEmbeddedEngine, type EmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import {
  type BaseTrial,
  miniBaseFinished,
  miniBaseSchema,
  newModel,
  runMiniBase,
  tryOut,
} from "../recipes/mini/base-model.ts";
import { count, wholeNumber } from "./arguments.ts";
import { type FlagValues, flag, repeatable, withFlags } from "./flags.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";

const miniBaseFlags = [
  flag("--folder <path>", "run folder; run the same command again to resume", "runs/mini-base"),
  flag("--out <folder>", "the finished model, as a Hugging Face folder", "runs/mini-base-model"),
  flag("--seed <n>", "seed of the initial weights and the lessons", wholeNumber, 1),
  flag("--from <model>", "go on from this model instead of new weights, for example to teach it other lessons"),
  flag("--threads <n>", "cores to use", count),
  flag("--try <model>", "measure a finished model in both modes, and stop"),
  repeatable("--set <key=value>", "change a setting, for example steps=200"),
];

type MiniBaseOptions = FlagValues<typeof miniBaseFlags>;

export function miniBaseCommand(): Command {
  return withFlags(new Command("mini-base"), miniBaseFlags)
    .description("train the miniature's base model from scratch")
    .addHelpText(
      "after",
      `
It makes two passes over a million lessons: prompts that start with "think" get puzzles and mathematics reasoned in one language, others
get bare answers. This takes a day on two cores.

Examples:
  repertoire run mini-base
  repertoire run mini-base --from models/mini-base --set steps=100 --set learningRate=4e-4 --folder runs/on --out runs/on-model
  repertoire run mini-base --set steps=50 --set lessonsPerStep=32 --folder runs/try --out runs/try-model
  repertoire run mini-base --try runs/mini-base-model`,
    )
    .action(makeBase);
}

async function makeBase(options: MiniBaseOptions): Promise<void> {
  const { folder, out, seed, from } = options;
  const settings = readSettings(miniBaseSchema, { seed }, options.set);
  if (options.try !== undefined) {
    const engine = await createEmbeddedEngine({
      model: { folder: options.try },
      checkpoints: join(folder, "checkpoints"),
      seed,
      threads: options.threads,
    });
    const trial = await tryOut(engine, settings).finally(() => engine.dispose());
    printTrial(trial);
    return;
  }
  if (existsSync(out) && (await miniBaseFinished(folder))) {
    console.log(`already done: the model is ${pc.bold(out)}`);
    return;
  }
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  const losses: number[] = [];
  const trial = await watched((emit, signal) =>
    runMiniBase(
      {
        folder,
        from,
        settings,
        open: () => openEngine(options),
        emit,
        onStep: ({ step, loss }) => {
          losses.push(loss);
          if ((step + 1) % 100 !== 0) return;
          const mean = losses.splice(0).reduce((sum, one, _, all) => sum + one / all.length, 0);
          console.error(pc.dim(`  step ${step + 1}: loss ${mean.toFixed(4)}`));
        },
        now: new Date(),
        signal,
      },
      async (engine) => {
        await engine.exportModel(out);
        console.log(`the model is ${pc.bold(out)}`);
      },
    ),
  );
  if (trial === undefined) return;
  printTrial(trial);
}

function printTrial(trial: BaseTrial): void {
  console.log("\nRight answers on held-out problems, sampled at temperature 0.8:");
  for (const [family, share] of Object.entries(trial))
    console.log(`  ${family.padEnd(36)} ${(100 * share).toFixed(0)}%`);
}

async function openEngine({ folder, from, seed, threads }: MiniBaseOptions): Promise<EmbeddedEngine> {
  const model = from === undefined ? newModel() : { folder: from };
  return createEmbeddedEngine({ model, checkpoints: join(folder, "checkpoints"), seed, threads });
}
