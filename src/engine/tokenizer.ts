// Tokenizers as models ship them: any tokenizer.json, with the marks that its tokenizer_config.json names.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { DataError, messageOf, schemaProblems } from "../base/errors.ts";
import { readJsonFile } from "../base/json-file.ts";
import type { Tokenizer } from "./engine.ts";

/** A tokenizer together with the files that describe it, so that a checkpoint can hold them. */
export interface ModelTokenizer extends Tokenizer {
  readonly files: TokenizerFiles;
}

/** Both are plain JSON values. */
export type TokenizerFiles = { readonly tokenizer: object; readonly config: object };

const addedToken = z.looseObject({ id: z.int(), content: z.string(), special: z.boolean().optional() });

const tokenizerSchema = z.looseObject({
  model: z.looseObject({ type: z.string().nullish(), vocab: z.unknown() }),
  added_tokens: z.array(addedToken).nullish(),
});

/** A token by its text, or as the record of an added token. */
export const markSchema = z
  .union([z.string(), z.looseObject({ content: z.string() }).transform(({ content }) => content)])
  .nullish();
const configSchema = z.looseObject({ eos_token: markSchema });

/** Names that end a text, tried in turn where the config does not say. */
const usualEndings = ["<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "</s>", "<eos>", "<end>"];

/** A token that no text is cut into, as `tokenizer.json` lists it. */
export const specialToken = (content: string, id: number) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

/** `where` names the source in messages. */
export function tokenizerFrom(files: TokenizerFiles, where = "tokenizer.json"): ModelTokenizer {
  const tokenizer = checked(tokenizerSchema, files.tokenizer, where);
  const config = checked(configSchema, files.config, `the config of ${where}`);
  const inner = opened(readable(tokenizer), config, where);
  const vocabulary = inner.get_vocab(true);
  let vocabularySize = 0;
  for (const id of vocabulary.values()) vocabularySize = Math.max(vocabularySize, id + 1);

  const endings = config.eos_token ? [config.eos_token] : usualEndings;
  const endOfText = endings.map((name) => vocabulary.get(name)).find((id) => id !== undefined);
  if (endOfText === undefined) {
    throw new DataError(`${where} has no token that ends a text; name one as eos_token in tokenizer_config.json`);
  }
  const whole = (text: string): number[] => inner.encode(text, { add_special_tokens: false }).ids;
  const framed: number[] = inner.encode("a").ids;
  const bare = whole("a").join();
  const before = framed.findIndex((_, i) => framed.slice(i).join().startsWith(bare));
  return {
    files,
    vocabularySize,
    endOfText,
    beginning: framed.slice(0, Math.max(0, before)),
    encode: (text) => (text === "" ? [] : whole(text)),
    decode: (tokens) =>
      tokens.length === 0
        ? ""
        : inner.decode([...tokens], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
  };
}

export async function loadTokenizer(folder: string): Promise<ModelTokenizer> {
  const path = join(folder, "tokenizer.json");
  if (!existsSync(folder)) throw new DataError(`${folder} does not exist; expected a Hugging Face folder`);
  if (!existsSync(path)) throw new DataError(`${folder} has no tokenizer.json; copy the model's into it`);
  const tokenizer = await readJsonFile(path, z.looseObject({}));
  return tokenizerFrom({ tokenizer, config: await tokenizerConfig(folder) }, path);
}

/** Newer models have their chat template in a file of its own; kept in the config, it goes wherever the tokenizer goes. */
export async function tokenizerConfig(folder: string): Promise<object> {
  const path = join(folder, "tokenizer_config.json");
  const template = join(folder, "chat_template.jinja");
  return {
    ...(existsSync(path) ? await readJsonFile(path, z.looseObject({})) : {}),
    ...(existsSync(template) && { chat_template: await readFile(template, "utf8") }),
  };
}

/** The library trusts what it is given; whatever it stumbles over is the file's fault. */
function opened(tokenizer: object, config: object, where: string): HuggingFaceTokenizer {
  try {
    return new HuggingFaceTokenizer(tokenizer, config);
  } catch (error) {
    throw new DataError(`${where} is not a tokenizer that can be used: ${messageOf(error)}`);
  }
}

/**
 * The library has no word-level model. A word-piece model whose pieces cannot continue a word is the same thing: a word
 * is in the vocabulary whole, or unknown.
 */
function readable(tokenizer: z.infer<typeof tokenizerSchema>): object {
  if (tokenizer.model.type !== "WordLevel") return tokenizer;
  return {
    ...tokenizer,
    model: {
      ...tokenizer.model,
      type: "WordPiece",
      continuing_subword_prefix: "\u0000",
      max_input_chars_per_word: Number.MAX_SAFE_INTEGER,
    },
  };
}

function checked<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new DataError(`${where} is not a tokenizer: ${schemaProblems(parsed.error)}`);
  return parsed.data;
}
