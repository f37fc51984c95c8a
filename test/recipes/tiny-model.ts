// A model folder as the hub has them, small enough for a test: random weights, a byte-pair tokenizer that has read a few
// narrated puzzles, a chat template.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { createEmbeddedEngine } from "../../src/engine/embedded/embedded-engine.ts";
import { type DecoderFamily, decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { paperPuzzles } from "../../src/problems/paper-sets.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";
import { narrate } from "../../src/teaching/narrator.ts";
import { trainBpeTokenizer } from "../engine/byte-pair-tokenizer.ts";

export const tinyWorlds = { training: ["pattern=3x3", "undead=3x3de"], larger: ["pattern=4x3"] };

const template =
  "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\n' + m.content }}" +
  "{{ eos_token if loop.last and m.role == 'assistant' else '<|im_end|>\n' }}{%- endfor -%}" +
  "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}";

export async function writeTinyModel(folder: string, family: DecoderFamily): Promise<void> {
  const settings = recipeSchema.parse({
    puzzles: tinyWorlds,
    corpus: { puzzles: 12 },
    rl: { steps: 1, problemsPerStep: 1 },
  });
  const texts = paperPuzzles(settings).teaching.map(({ id, prompt, puzzle, instance }) => {
    const telling = { style: "plain", guessing: 0.3, errorRate: 0, repertoire: "full", maxSteps: 200 } as const;
    const { steps } = narrate(puzzle, puzzleNamed(puzzle).readId(instance), { ...telling, random: Random.from(id) });
    return `${prompt}\n${steps.map(({ text }) => text).join("\n\n")}`;
  });
  const vocabularySize = 700;
  const tokenizer = trainBpeTokenizer(texts, {
    vocabularySize,
    specialTokens: ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
  });
  const files = { ...tokenizer.files, config: { ...tokenizer.files.config, chat_template: template } };
  const config = decoderConfig({ family, vocabularySize, width: 32, layers: 2, heads: 2, contextLength: 2048 });
  const engine = await createEmbeddedEngine({
    model: { config, tokenizer: { ...tokenizer, files } },
    checkpoints: dirname(folder),
    seed: 1,
    threads: 1,
  });
  await engine.exportModel(folder);
  await engine.dispose();
  const marks = ["<|im_end|>", "<|endoftext|>"].map((mark) => tokenizer.encode(mark)[0]);
  await writeFile(join(folder, "generation_config.json"), JSON.stringify({ eos_token_id: marks }));
}

/** Every part of the recipe, as little of it as there can be. */
export const tinySettings: Readonly<Record<string, unknown>> = {
  "puzzles.training": tinyWorlds.training,
  "puzzles.larger": tinyWorlds.larger,
  "lora.rank": 4,
  "lora.sftAlpha": 4,
  "lora.rlAlpha": 8,
  contextLength: 2048,
  "corpus.puzzles": 12,
  "corpus.maxTokens": 900,
  "corpus.narration.style": "plain",
  "corpus.narration.guessing": 0.3,
  "corpus.narration.errorRate": 0,
  "sft.epochs": 2,
  "sft.tracesPerStep": 4,
  "sft.validationPerPuzzle": 1,
  "sft.stepsPerCheckpoint": 1,
  "sft.learningRate": 0.01,
  "rl.steps": 4,
  "rl.problemsPerStep": 2,
  "rl.rolloutsPerProblem": 2,
  "rl.rolloutsPerUpdate": 4,
  "rl.epochs": 2,
  "rl.maxPromptTokens": 700,
  "rl.maxTokens": 12,
  "rl.stepsPerCheckpoint": 2,
  "novelty.tokens": 5,
  "evaluation.rollouts": 2,
  "evaluation.maxTokens": 12,
  "evaluation.heldOutPerPuzzle": 1,
  "evaluation.largerPerPuzzle": 1,
  "evaluation.benchmarks": ["aime-2025"],
};

export const settingFlags = (settings: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(settings).flatMap(([key, value]) => [
    "--set",
    `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);

/** One problem of a benchmark, as a file. */
export async function writeTinyBenchmark(folder: string): Promise<void> {
  await writeFile(
    join(folder, "aime25.jsonl"),
    `${JSON.stringify({ problem: "What is 2 + 2?", answer: "4", id: 1 })}\n`,
  );
}
