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
  const byWords = wordEncoder(inner, { tokenizer, config });
  const whole = (text: string): number[] => inner.encode(text, { add_special_tokens: false }).ids;
  const framed: number[] = inner.encode("a").ids;
  const bare = whole("a").join();
  const before = framed.findIndex((_, i) => framed.slice(i).join().startsWith(bare));
  return {
    files,
    vocabularySize,
    endOfText,
    beginning: framed.slice(0, Math.max(0, before)),
    encode: (text) => (text === "" ? [] : (byWords?.(text) ?? whole(text))),
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

// ---- Byte-level tokenizers (Qwen, Llama 3, Olmo, …), word by word ----------------------------------------------------
// What a word is cut into depends on it alone and texts repeat words, so each is cut once; the library would do it again.

/** Words remembered; past this many, all are forgotten and learned again. */
const maxWords = 200_000;
/** Longer runs (of signs, of base64) are hardly met again. */
const longestWord = 64;

/** What is used of the library's tokenizer, whose own types do not resolve. */
type Cutter = { readonly pre_tokenize: (texts: string | readonly string[]) => string[] };
type LibraryTokenizer = {
  readonly normalizer: ((text: string) => string) | null;
  readonly pre_tokenizer: Cutter & { readonly pattern?: RegExp; readonly tokenizers?: readonly (Cutter | null)[] };
  readonly model: (words: readonly string[]) => string[];
  readonly token_to_id: (token: string) => number | undefined;
};

const byteLevel = z.looseObject({ type: z.literal("ByteLevel"), add_prefix_space: z.literal(false) });
/** Tokenizers that do nothing to a text but cut it into words and those into tokens. */
const wordwise = z.looseObject({
  model: z.looseObject({ type: z.literal("BPE") }),
  pre_tokenizer: z.union([
    byteLevel.refine(({ use_regex }) => use_regex !== false),
    z.looseObject({
      type: z.literal("Sequence"),
      pretokenizers: z
        .array(z.looseObject({}))
        .refine((all) => all.length > 1 && byteLevel.safeParse(all.at(-1)).success && all.at(-1)?.use_regex === false),
    }),
  ]),
  post_processor: z.looseObject({ type: z.enum(["ByteLevel", "TemplateProcessing", "Sequence"]) }).nullish(),
  added_tokens: z.array(z.looseObject({ content: z.string() })).nullish(),
});
const plainConfig = z.looseObject({
  remove_space: z.literal(false).nullish(),
  do_lowercase_and_remove_accent: z.literal(false).nullish(),
});

/** Undefined for other kinds of tokenizers; what it returns is undefined for texts with added tokens in them. */
function wordEncoder(
  inner: LibraryTokenizer,
  files: { readonly tokenizer: object; readonly config: object },
): ((text: string) => number[] | undefined) | undefined {
  const read = wordwise.safeParse(files.tokenizer);
  if (!read.success || !plainConfig.safeParse(files.config).success) return undefined;
  const { normalizer, pre_tokenizer: cutter, model } = inner;
  const cutters = cutter.tokenizers?.slice(0, -1);
  const asBytes = cutter.tokenizers?.at(-1) ?? cutter;
  const words =
    cutters === undefined
      ? (text: string) => text.match(cutter.pattern!) ?? []
      : (text: string) => cutters.reduce<string[]>((texts, one) => one?.pre_tokenize(texts) ?? texts, [text]);
  const added = (read.data.added_tokens ?? []).map(({ content }) => content.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const special = added.length === 0 ? undefined : new RegExp(added.join("|"));
  let known = new Map<string, readonly number[]>();
  return (given) => {
    const text = normalizer === null ? given : normalizer(given);
    if (special?.test(given) || special?.test(text)) return undefined;
    const ids: number[] = [];
    for (const word of words(text)) {
      let tokens = known.get(word);
      if (tokens === undefined) {
        const found = model(asBytes.pre_tokenize(word)).map((token) => inner.token_to_id(token));
        if (found.includes(undefined)) return undefined;
        tokens = found as number[];
        if (known.size >= maxWords) known = new Map();
        if (word.length <= longestWord) known.set(word, tokens);
      }
      for (let i = 0; i < tokens.length; i++) ids.push(tokens[i]);
    }
    return ids;
  };
}
