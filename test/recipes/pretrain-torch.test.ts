// The plain loop that makes the miniature's base on a GPU, on this machine's processor: lessons written ahead are learned from, what
// comes out is a model folder that the embedded engine opens, and its decoder is the one that transformers has.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeFileAtomically } from "../../src/base/files.ts";
import { createEmbeddedEngine } from "../../src/engine/embedded/embedded-engine.ts";
import {
  lessonFolder,
  miniBaseSchema,
  pretrainOptions,
  shardCount,
  writtenShard,
} from "../../src/recipes/mini/base-model.ts";
import { readShard } from "../../src/recipes/mini/lesson-shard.ts";
import { writeNewModel } from "../../src/recipes/mini/new-model.ts";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const missing =
  process.env.REPERTOIRE_SLOW === undefined
    ? "it takes minutes; set REPERTOIRE_SLOW=1 to run it"
    : spawnSync(python, ["-c", "import torch, transformers, safetensors, numpy"], { stdio: "ignore" }).status === 0
      ? undefined
      : `${python} has no torch, transformers and safetensors; set REPERTOIRE_PYTHON to one that has`;
if (missing !== undefined) console.log(`skipping the plain loop of the base model: ${missing}`);

const root = mkdtempSync(join(tmpdir(), "repertoire-pretrain-"));
afterAll(() => rmSync(root, { recursive: true }));

const integration = resolve(import.meta.dirname, "../../integrations/torch-engine");
const run = (args: readonly string[]) =>
  spawnSync(python, [...args], { cwd: integration, encoding: "utf8", env: { ...process.env, OMP_NUM_THREADS: "1" } });

const compare = `
import json, sys, torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM
from repertoire_torch_engine.pretrain import Decoder
folder = sys.argv[1]
model = Decoder(json.load(open(folder + "/config.json")))
model.load_state_dict({name.removeprefix("model."): value for name, value in load_file(folder + "/model.safetensors").items()})
tokens = torch.randint(0, model.embed_tokens.num_embeddings, (3, 40), generator=torch.Generator().manual_seed(1))
print((model.logits(tokens) - AutoModelForCausalLM.from_pretrained(folder)(tokens).logits).abs().max().item())
`;

describe.skipIf(missing !== undefined)("the plain loop of the base model", () => {
  it("learns from lessons written ahead, and its model is the embedded engine's and transformers' too", async () => {
    const folder = join(root, "base");
    const [shape, out] = [join(root, "new"), join(root, "model")];
    const settings = miniBaseSchema.parse({ steps: 25, lessonsPerStep: 8, readings: 1 });
    await writeNewModel(shape);
    const recipe = { seed: 1, readings: 1, files: shardCount(settings), ...pretrainOptions(settings) };
    await writeFileAtomically(join(lessonFolder(folder), "recipe.json"), JSON.stringify(recipe));
    const shard = await writtenShard({ folder, settings }, 0);

    const flags = ["--model", shape, "--lessons", lessonFolder(folder), "--out", out, "--device", "cpu"];
    const trained = run(["-m", "repertoire_torch_engine.pretrain", ...flags]);
    expect(trained.status, trained.stderr).toBe(0);

    const lessons = readShard(shard).slice(0, 16);
    const engine = await createEmbeddedEngine({ model: { folder: out }, checkpoints: join(root, "ck"), threads: 1 });
    const scores = await engine.logprobs(lessons);
    await engine.dispose();
    const all = scores.flatMap(({ logprobs }) => [...logprobs]);
    const loss = -all.reduce((sum, logprob) => sum + logprob, 0) / all.length;
    // Untrained, every one of the 249 words is as likely: ln 249 = 5.5.
    expect(loss).toBeLessThan(4.5);

    const compared = run(["-c", compare, out]);
    expect(compared.status, compared.stderr).toBe(0);
    expect(Number(compared.stdout.trim().split("\n").at(-1))).toBeLessThan(1e-4);
  });
});
