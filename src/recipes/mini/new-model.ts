// The miniature's model before it has learned anything: its shape and its tokenizer, as a Hugging Face folder without weights.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../base/files.ts";
import { decoderConfig } from "../../engine/embedded/model/decoder-config.ts";
import { writePolicyCard } from "../../engine/policy-card.ts";
import { wordTokenizer } from "../../engine/word-tokenizer.ts";
import { vocabulary } from "./vocabulary.ts";
import { world } from "./world.ts";

export const miniTokenizer = () => wordTokenizer(vocabulary);

export function miniConfig() {
  const { shape, contextLength } = world;
  const { vocabularySize } = miniTokenizer();
  return decoderConfig({ family: "llama", ...shape, contextLength, tied: true, vocabularySize });
}

export async function writeNewModel(folder: string): Promise<void> {
  const { files, endOfText } = miniTokenizer();
  const ends = { bos_token_id: null, eos_token_id: endOfText, pad_token_id: endOfText };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  await makeFolder(folder);
  await writeFile(join(folder, "config.json"), json({ ...miniConfig().source, ...ends }));
  await writeFile(join(folder, "generation_config.json"), json(ends));
  await writePolicyCard(folder, { promptStyle: "terse", chat: "plain", language: "terse" });
  await writeFile(join(folder, "tokenizer.json"), json(files.tokenizer));
  await writeFile(join(folder, "tokenizer_config.json"), json(files.config));
}
