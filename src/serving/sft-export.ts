// The paper's first stage for TRL: a corpus of verified traces in its rows, the paper's values in the keys of SFTConfig, and the
// command. Whole or absent, as the exports of the second stage are.
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { paperValue } from "../problems/paper.ts";
import { readCorpusFile } from "../teaching/corpus-folder.ts";
import { copyPlugin, modelPlace, writeData, writeExport } from "./export-folder.ts";
import { launchScript, list } from "./launch-text.ts";
import { command, quoted } from "./trainers/trainer.ts";

type SftExportRequest = {
  readonly out: string;
  /** What `teach` or `run paper` wrote. */
  readonly corpus: string;
  readonly model: string;
  readonly gpus: number;
};

/** Of one machine's cards, how many sequences of a step each gets one after another. */
function sequencesOfOneGpu(gpus: number): number {
  const share = paperValue("sft.tracesPerStep") / gpus;
  if (!Number.isInteger(share))
    throw new ConfigurationError(`${paperValue("sft.tracesPerStep")} traces a step cannot be shared by ${gpus} GPUs`);
  return share;
}

const settings = (gpus: number) => ({
  num_train_epochs: paperValue("sft.epochs"),
  per_device_train_batch_size: 1,
  gradient_accumulation_steps: sequencesOfOneGpu(gpus),
  learning_rate: paperValue("sft.learningRate"),
  lr_scheduler_type: paperValue("sft.schedule"),
  weight_decay: paperValue("sft.weightDecay"),
  max_grad_norm: paperValue("sft.maxGradientNorm"),
  adam_beta1: paperValue("optimizer.beta1"),
  adam_beta2: paperValue("optimizer.beta2"),
  adam_epsilon: paperValue("optimizer.epsilon"),
  max_length: paperValue("contextLength"),
  completion_only_loss: true,
  packing: false,
  bf16: true,
  gradient_checkpointing: true,
  save_strategy: "epoch",
  logging_steps: 1,
  seed: paperValue("seed"),
  adapter: { rank: paperValue("lora.rank"), alpha: paperValue("lora.sftAlpha"), modules: "all-linear" },
});

export const exportSft = ({ out, corpus, model, gpus }: SftExportRequest): Promise<readonly string[]> =>
  writeExport(out, async (folder) => {
    const lines = (await readCorpusFile(corpus)).map(({ prompt, response }) => {
      const row = {
        prompt: [{ role: "user", content: prompt }],
        completion: [{ role: "assistant", content: response }],
      };
      return `${JSON.stringify(row)}\n`;
    });
    await writeData(join(folder, "train"), lines, "jsonl");
    await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings(gpus), null, 2)}\n`);
    const start = command("accelerate launch train_sft.py", [
      `--model ${quoted(modelPlace(model))}`,
      "--settings settings.json --train train.jsonl --out checkpoints",
    ]);
    await writeFile(join(folder, "launch.sh"), launchScript([start]), { mode: 0o755 });
    await copyPlugin("trl/train_sft.py", folder);
    const contents = [
      `train.jsonl: ${lines.length} verified traces of ${basename(corpus)}`,
      "settings.json: the paper's values in TRL's keys",
      "launch.sh: the command",
      "train_sft.py: makes the trainer from settings.json",
    ];
    const readme = `# TRL: SFT on verified traces, the paper's first stage

Checked against TRL 1.13.0. Start it with \`bash launch.sh\`; nothing of ours has to run beside it.

## What is here
${list(contents)}

## Where this differs from the paper
- The paper keeps the best of the epochs by held-out pass@1. Every epoch is saved; measure each with \`repertoire evaluate --url …\` on held-out puzzles, and merge the adapter of the best one before RL.
`;
    await writeFile(join(folder, "README.md"), readme);
    return contents;
  });
