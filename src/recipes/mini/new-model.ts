// The miniature's model before it has learned anything: its shape and its tokenizer, as a Hugging Face folder without weights.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decoderConfig } from "../../engine/embedded/model/decoder-config.ts";
import { wordTokenizer } from "../../engine/word-tokenizer.ts";
import { vocabulary } from "./vocabulary.ts";

export const miniContextLength = 512;

export const miniSizes = {
  family: "llama",
  width: 128,
  layers: 4,
  heads: 4,
  contextLength: miniContextLength,
  tied: true,
} as const;

export const miniTokenizer = () => wordTokenizer(vocabulary);

export function miniConfig() {
  return decoderConfig({ ...miniSizes, vocabularySize: miniTokenizer().vocabularySize });
}

export async function writeNewModel(folder: string): Promise<void> {
  const { files } = miniTokenizer();
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.json"), json(miniConfig().source));
  await writeFile(join(folder, "tokenizer.json"), json(files.tokenizer));
  await writeFile(join(folder, "tokenizer_config.json"), json(files.config));
}
