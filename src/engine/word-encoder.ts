// Byte-level tokenizers (GPT-2's kind: Qwen, Llama 3, Olmo, …), word by word. What a word is cut into depends on the word
// alone and texts repeat words, so each is cut once and remembered; the library would do it again for every text.
import { z } from "zod";

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
export function wordEncoder(
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
