// `repertoire run mini-base`: the command that makes models/mini-base, the model that the miniature begins with.
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { createEmbeddedEngine, EmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import type { Engine } from "../engine/engine.ts";
import { serverName } from "../engine/tinker/checkpoint-paths.ts";
import { tinkerHost } from "../recipes/engine-host.ts";
import { miniConfig, miniContextLength, miniTokenizer, writeNewModel } from "../recipes/mini/new-model.ts";
import { finalCheckpoint, miniBaseFinished, miniBaseSchema, runMiniBase } from "../recipes/mini-base/mini-base.ts";
import { collected, wholeNumber } from "./arguments.ts";
import { readSettings } from "./settings.ts";
import { watched } from "./stage-bars.ts";

type MiniBaseOptions = {
  folder: string;
  out: string;
  seed: number;
  threads?: number;
  engine?: string;
  serverCheckpoints?: string;
  shapeOnly?: true;
  set: string[];
};

export function miniBaseCommand(): Command {
  return new Command("mini-base")
    .description("make the model that the miniature begins with, from nothing")
    .option("--folder <path>", "where the run is kept; the same command again goes on", "runs/mini-base")
    .option("--out <folder>", "the finished model, as a Hugging Face folder", "runs/mini-base-model")
    .option("--seed <n>", "of its first weights and its lessons", wholeNumber, 1)
    .option("--threads <n>", "cores to use", wholeNumber)
    .option("--engine <url>", "a torch-engine, started on <folder>-new-model; this machine's processor unless said")
    .option("--server-checkpoints <folder>", "where that engine keeps its checkpoints, to copy the model from")
    .option("--shape-only", "write <folder>-new-model (shape and tokenizer, no weights) for such an engine, and end")
    .option("--set <key=value>", "change a setting, for example steps=200; repeatable", collected, [])
    .addHelpText(
      "after",
      `
It reads a million lessons (synthetic mathematics, drills on single lines, small puzzles solved by plain deduction): hours on
two cores, minutes on a GPU.

Examples:
  repertoire run mini-base
  repertoire run mini-base --set steps=50 --set lessonsPerStep=32 --folder runs/try --out runs/try-model
  repertoire run mini-base --shape-only && python -m repertoire_torch_engine --model runs/mini-base-new-model --checkpoints ck &
  repertoire run mini-base --engine http://localhost:8421 --server-checkpoints ck`,
    )
    .action(makeBase);
}

async function makeBase(options: MiniBaseOptions): Promise<void> {
  const { folder, out, seed } = options;
  const settings = readSettings(miniBaseSchema, { seed }, options.set);
  const shape = shapeFolder(folder);
  if (options.shapeOnly) {
    await writeNewModel(shape);
    console.log(`the untrained model is ${pc.bold(shape)}; start an engine on it and run again with --engine`);
    return;
  }
  if (existsSync(out) && (await miniBaseFinished(folder))) {
    console.log(`already done: the model is ${pc.bold(out)}`);
    return;
  }
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another --out or remove it`);
  const losses: number[] = [];
  const trial = await watched((tell, signal) =>
    runMiniBase(
      {
        folder,
        settings,
        open: () => openEngine(options, shape),
        tell,
        onStep: ({ step, loss }) => {
          losses.push(loss);
          if ((step + 1) % 100 !== 0) return;
          const mean = losses.splice(0).reduce((sum, one, _, all) => sum + one / all.length, 0);
          console.error(pc.dim(`  step ${step + 1}: loss ${mean.toFixed(4)}`));
        },
        now: new Date(),
        signal,
      },
      (engine) => keep(engine, options),
    ),
  );
  if (trial === undefined) return;
  console.log("\nRight answers on held-out problems, sampled at temperature 0.6:");
  for (const [family, share] of Object.entries(trial))
    console.log(`  ${family.padEnd(28)} ${(100 * share).toFixed(0)}%`);
}

/** Beside the run, not in it: it is there before the run is. */
const shapeFolder = (folder: string) => `${folder}-new-model`;

async function openEngine({ folder, engine, seed, threads }: MiniBaseOptions, shape: string): Promise<Engine> {
  if (engine === undefined) {
    const model = { config: miniConfig(), tokenizer: miniTokenizer() };
    return createEmbeddedEngine({ model, checkpoints: join(folder, "checkpoints"), seed, threads });
  }
  await writeNewModel(shape);
  const host = tinkerHost({
    ...{ run: basename(resolve(folder)), base: shape, url: engine, server: "repertoire", seed },
    loraRank: 0,
    contextLength: miniContextLength,
  });
  return host.open("base");
}

/** Our own engine writes the model; a server has written it among its checkpoints. */
async function keep(engine: Engine, { folder, out, serverCheckpoints }: MiniBaseOptions): Promise<void> {
  if (engine instanceof EmbeddedEngine) {
    await engine.exportModel(out);
    console.log(`the model is ${pc.bold(out)}`);
    return;
  }
  const name = serverName(basename(resolve(folder)), "base", finalCheckpoint);
  if (serverCheckpoints === undefined) {
    console.log(`the model is the checkpoint ${pc.bold(name)} of the engine; --server-checkpoints copies it to ${out}`);
    return;
  }
  const saved = join(serverCheckpoints, name);
  if (!existsSync(join(saved, "model.safetensors"))) {
    throw new ConfigurationError(
      `--server-checkpoints ${serverCheckpoints} has no ${name}/model.safetensors; give the folder that the engine was started with`,
    );
  }
  const unfinished = `${out}.unfinished`;
  await mkdir(unfinished, { recursive: true });
  // The optimizer's state lies beside the model and is not part of it.
  for (const file of await readdir(saved))
    if (/\.(json|safetensors)$/.test(file) && !file.startsWith("optimizer"))
      await cp(join(saved, file), join(unfinished, file));
  for (const file of ["tokenizer.json", "tokenizer_config.json"])
    await cp(join(shapeFolder(folder), file), join(unfinished, file));
  await rename(unfinished, out);
  console.log(`the model is ${pc.bold(out)}`);
}
