// The paper's first stage for other people's trainers: a corpus of verified traces in their rows, the paper's values in their
// keys, and the command. Whole or absent, as the exports of the second stage are.
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ConfigurationError, unknownName } from "../base/errors.ts";
import { paperValue } from "../problems/paper.ts";
import type { TeacherTrace } from "../teaching/corpus.ts";
import { readCorpusFile } from "../teaching/corpus-folder.ts";
import { copyPlugin, modelPlace, writeData, writeExport } from "./export-folder.ts";
import { launchScript, list } from "./launch-text.ts";
import { sequenceParallel } from "./trainers/stage.ts";
import { command, hydraLines, quoted, type Settings } from "./trainers/trainer.ts";

type SftExportRequest = {
  readonly trainer: string;
  readonly out: string;
  /** What `teach` or `run paper` wrote. */
  readonly corpus: string;
  readonly model: string;
  readonly gpus: number;
};

type Launch = Pick<SftExportRequest, "model" | "gpus"> & { readonly settings: Settings };

type SftTrainer = {
  readonly checkedWith: string;
  readonly data: "jsonl" | "parquet";
  /** What runs of ours there, relative to `integrations/`. */
  readonly script?: string;
  readonly row: (trace: TeacherTrace) => object;
  readonly settings: (input: { readonly model: string; readonly gpus: number }) => Settings;
  readonly launch: (input: Launch) => string;
  readonly differences: readonly string[];
};

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

const bestEpoch =
  "The paper keeps the best of the epochs by held-out pass@1. Every epoch is saved; measure each with `repertoire evaluate --url …` on held-out puzzles, and merge the adapter of the best one before RL.";

/** Of one machine's cards, how many sequences of a step each gets one after another. */
function sequencesOfOneGpu(gpus: number): number {
  const share = paperValue("sft.tracesPerStep") / gpus;
  if (!Number.isInteger(share))
    throw new ConfigurationError(`${paperValue("sft.tracesPerStep")} traces a step cannot be shared by ${gpus} GPUs`);
  return share;
}

const trl: SftTrainer = {
  checkedWith: "1.13.0",
  data: "jsonl",
  script: "trl/train_sft.py",
  row: ({ prompt, response }) => ({ prompt: [user(prompt)], completion: [assistant(response)] }),
  settings: ({ gpus }) => ({
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
  }),
  launch: ({ model }) =>
    command("accelerate launch train_sft.py", [
      `--model ${quoted(model)}`,
      "--settings settings.json",
      "--train train.jsonl",
      "--out checkpoints",
    ]),
  differences: [bestEpoch],
};

const verl: SftTrainer = {
  checkedWith:
    "0.10.0.dev (1dda039b9): its own hydra configuration takes every key and its own classes read them; it was not run",
  data: "parquet",
  row: ({ prompt, response }) => ({ messages: [user(prompt), assistant(response)] }),
  settings: ({ model, gpus }) => {
    const parallel = sequenceParallel(gpus);
    return {
      "data.train_files": "train.parquet",
      "data.messages_key": "messages",
      "data.train_batch_size": paperValue("sft.tracesPerStep"),
      "data.max_length": paperValue("contextLength"),
      "data.truncation": "error",
      "data.use_dynamic_bsz": true,
      "data.max_token_len_per_gpu": Math.ceil(paperValue("contextLength") / parallel / 1024) * 1024,
      "model.path": model,
      "model.lora_rank": paperValue("lora.rank"),
      "model.lora_alpha": paperValue("lora.sftAlpha"),
      "model.target_modules": "all-linear",
      "model.enable_gradient_checkpointing": true,
      "engine.ulysses_sequence_parallel_size": parallel,
      "optim.lr": paperValue("sft.learningRate"),
      "optim.lr_scheduler_type": paperValue("sft.schedule"),
      "optim.betas": `[${paperValue("optimizer.beta1")},${paperValue("optimizer.beta2")}]`,
      "optim.weight_decay": paperValue("sft.weightDecay"),
      "optim.clip_grad": paperValue("sft.maxGradientNorm"),
      "checkpoint.save_contents": "[model,optimizer,extra,hf_model]",
      "trainer.total_epochs": paperValue("sft.epochs"),
      "trainer.save_freq": "after_each_epoch",
      "trainer.seed": paperValue("seed"),
      "trainer.logger": "[console]",
      "trainer.project_name": "repertoire",
      "trainer.experiment_name": "sft",
      "trainer.default_local_dir": "checkpoints",
      "trainer.n_gpus_per_node": gpus,
    };
  },
  launch: ({ settings, gpus }) =>
    command(`torchrun --standalone --nnodes=1 --nproc_per_node=${gpus} -m verl.trainer.sft_trainer`, [
      ...hydraLines(settings),
    ]),
  differences: [bestEpoch, "AdamW's epsilon is torch's own, 1e-8, as in the paper's record."],
};

const sftTrainers: Readonly<Record<string, SftTrainer>> = { trl, verl };
export const sftTrainerNames = Object.keys(sftTrainers);

export async function exportSft(request: SftExportRequest): Promise<readonly string[]> {
  const trainer = sftTrainers[request.trainer];
  if (trainer === undefined) throw unknownName("trainer for SFT", request.trainer, sftTrainerNames);
  return writeExport(request.out, (folder) => writeAll(trainer, request, folder));
}

async function writeAll(trainer: SftTrainer, request: SftExportRequest, folder: string): Promise<string[]> {
  const { corpus, gpus } = request;
  const model = modelPlace(request.model);
  const traces = await readCorpusFile(corpus);
  const lines = traces.map((trace) => `${JSON.stringify(trainer.row(trace))}\n`);
  await writeData(join(folder, "train"), lines, trainer.data);
  const settings = trainer.settings({ model, gpus });
  await writeFile(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  const script = launchScript([trainer.launch({ model, gpus, settings })]);
  await writeFile(join(folder, "launch.sh"), script, { mode: 0o755 });
  const contents = [
    `train.${trainer.data}: ${lines.length} verified traces of ${basename(corpus)}`,
    "settings.json: the paper's values in this trainer's keys",
    "launch.sh: the command",
  ];
  if (trainer.script !== undefined) {
    await copyPlugin(trainer.script, folder);
    contents.push(`${basename(trainer.script)}: makes the trainer from settings.json`);
  }
  const readme = `# ${request.trainer}: SFT on verified traces, the paper's first stage

Checked against ${request.trainer} ${trainer.checkedWith}. Start it with \`bash launch.sh\`; nothing of ours has to run beside it.

## What is here
${list(contents)}

## Where this differs from the paper
${list(trainer.differences)}
`;
  await writeFile(join(folder, "README.md"), readme);
  return contents;
}
