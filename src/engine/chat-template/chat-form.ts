// How a model is spoken to: its own chat template around a prompt, what it writes when its turn is over, and the tokens
// that end a sample. A model without a template reads prompts as they are.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataError, schemaProblems } from "../../base/errors.ts";
import { readJsonFile } from "../../base/json-file.ts";
import type { Tokenizer } from "../engine.ts";
import { markSchema, tokenizerConfig } from "../tokenizer.ts";
import { compileTemplate, type Message, type Template } from "./template.ts";

export type ChatForm = {
  readonly from: "template" | "plain";
  /** A user's turn, up to where the model begins to speak; before it, where given, what the system says, and behind it turns that were taken (of a template). */
  readonly prompt: (text: string, system?: string, taken?: readonly Message[]) => readonly number[];
  /** The same as text, for servers whose tokenizer puts the mark of the beginning before it itself. */
  readonly rendered: (text: string, system?: string) => string;
  /** What the model writes after its response; the last of it stops a sample. */
  readonly ending: readonly number[];
  readonly stopTokens: readonly number[];
};

/** As models write them down; marks are absent where they say none. */
const configSchema = z.object({
  chat_template: z
    .union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))])
    .nullish()
    .transform((given) =>
      typeof given === "string" ? given : given?.find(({ name }) => name === "default")?.template,
    ),
  ...{ bos_token: markSchema, eos_token: markSchema, pad_token: markSchema, unk_token: markSchema },
});
const endingsSchema = z.looseObject({ eos_token_id: z.union([z.int(), z.array(z.int())]).nullish() });

/** From a Hugging Face folder: `chat_template.jinja`, or the template inside `tokenizer_config.json`. */
export async function loadChatForm(folder: string, tokenizer: Tokenizer): Promise<ChatForm> {
  const config = configSchema.safeParse(await tokenizerConfig(folder));
  if (!config.success) throw new DataError(`${folder}/tokenizer_config.json: ${schemaProblems(config.error)}`);
  const { chat_template: text, ...marks } = config.data;
  const stopTokens = new Set([tokenizer.endOfText]);
  for (const name of ["generation_config.json", "config.json"]) {
    const given = (await readJson(join(folder, name), endingsSchema))?.eos_token_id;
    // What a model says of its own sampling goes before what its shape says.
    if (given == null) continue;
    for (const token of [given].flat()) stopTokens.add(token);
    break;
  }
  if (text == null) return plainForm(tokenizer, [...stopTokens]);
  return templateForm(compileTemplate(text, marks), tokenizer, [...stopTokens], marks.bos_token);
}

export const plainForm = (tokenizer: Tokenizer, stopTokens: readonly number[] = [tokenizer.endOfText]): ChatForm => ({
  from: "plain",
  prompt: (text, system = "") => tokenizer.encode(system + text),
  rendered: (text, system = "") => system + text,
  ending: [tokenizer.endOfText],
  stopTokens,
});

function templateForm(
  template: Template,
  tokenizer: Tokenizer,
  stopTokens: readonly number[],
  beginning: string | null | undefined,
): ChatForm {
  const written = (text: string, system?: string, taken: readonly Message[] = []) => {
    const said = system === undefined ? [] : [{ role: "system", content: system } as const];
    return template([...said, { role: "user", content: text }, ...taken], true);
  };
  return {
    from: "template",
    prompt: (text, system, taken) => tokenizer.encode(written(text, system, taken)),
    rendered: (text, system) => {
      const whole = written(text, system);
      return beginning && tokenizer.beginning?.length && whole.startsWith(beginning)
        ? whole.slice(beginning.length)
        : whole;
    },
    ending: endingOf(template, tokenizer, stopTokens),
    stopTokens,
  };
}

const response = "The answer is 4.";

/** Read off the template itself: what it puts behind an assistant's last words, up to the first token that stops. */
function endingOf(template: Template, tokenizer: Tokenizer, stopTokens: readonly number[]): number[] {
  const asked = { role: "user", content: "What is 2 + 2?" } as const;
  const whole = template([asked, { role: "assistant", content: response }], false);
  const behind = tokenizer.encode(whole.slice(whole.lastIndexOf(response) + response.length));
  const stop = behind.findIndex((token) => stopTokens.includes(token));
  return stop === -1 ? [tokenizer.endOfText] : behind.slice(0, stop + 1);
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  return existsSync(path) ? readJsonFile(path, schema) : undefined;
}
