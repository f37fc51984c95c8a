// How a model is spoken to: its own chat template around a prompt, what it writes when its turn is over, and the tokens
// that end a sample. A model without a template reads prompts as they are.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonFile } from "../../base/json-file.ts";
import type { Tokenizer } from "../engine.ts";
import { compileTemplate, type Template } from "./render-template.ts";
import { templateValue } from "./template-values.ts";

export type ChatForm = {
  readonly from: "template" | "plain";
  /** A user's turn, up to where the model begins to speak; before it, where given, what the system says. */
  readonly prompt: (text: string, system?: string) => readonly number[];
  /** What the model writes after its response; the last of it stops a sample. */
  readonly ending: readonly number[];
  readonly stopTokens: readonly number[];
};

const mark = z
  .union([z.string(), z.looseObject({ content: z.string() }).transform(({ content }) => content)])
  .nullish();
const configSchema = z.looseObject({
  chat_template: z
    .union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))])
    .nullish()
    .transform((given) =>
      typeof given === "string" ? given : given?.find(({ name }) => name === "default")?.template,
    ),
  bos_token: mark,
  eos_token: mark,
  pad_token: mark,
  unk_token: mark,
});
const endingsSchema = z.looseObject({ eos_token_id: z.union([z.int(), z.array(z.int())]).nullish() });

/** From a Hugging Face folder: `chat_template.jinja`, or the template inside `tokenizer_config.json`. */
export async function loadChatForm(folder: string, tokenizer: Tokenizer): Promise<ChatForm> {
  const config = await readJson(join(folder, "tokenizer_config.json"), configSchema);
  const own = join(folder, "chat_template.jinja");
  const text = existsSync(own) ? await readFile(own, "utf8") : config?.chat_template;
  const stopTokens = new Set([tokenizer.endOfText]);
  for (const name of ["generation_config.json", "config.json"]) {
    const given = (await readJson(join(folder, name), endingsSchema))?.eos_token_id;
    // What a model says of its own sampling goes before what its shape says.
    if (given == null) continue;
    for (const token of [given].flat()) stopTokens.add(token);
    break;
  }
  if (text == null) return plainForm(tokenizer, [...stopTokens]);
  const { bos_token, eos_token, pad_token, unk_token } = config ?? {};
  const template = compileTemplate(text);
  return templateForm(template, tokenizer, [...stopTokens], { bos_token, eos_token, pad_token, unk_token });
}

export const plainForm = (tokenizer: Tokenizer, stopTokens: readonly number[] = [tokenizer.endOfText]): ChatForm => ({
  from: "plain",
  prompt: (text, system = "") => tokenizer.encode(system + text),
  ending: [tokenizer.endOfText],
  stopTokens,
});

function templateForm(
  template: Template,
  tokenizer: Tokenizer,
  stopTokens: readonly number[],
  marks: Readonly<Record<string, string | null | undefined>>,
): ChatForm {
  const render = (messages: readonly object[], opening: boolean) =>
    template({
      ...marks,
      messages: templateValue(messages),
      tools: null,
      documents: null,
      add_generation_prompt: opening,
    });
  return {
    from: "template",
    prompt: (text, system) => {
      const said = system === undefined ? [] : [{ role: "system", content: system }];
      return tokenizer.encode(render([...said, { role: "user", content: text }], true));
    },
    ending: endingOf(render, tokenizer, stopTokens),
    stopTokens,
  };
}

const response = "The answer is 4.";

/** Read off the template itself: what it puts behind an assistant's last words, up to the first token that stops. */
function endingOf(
  render: (messages: readonly object[], opening: boolean) => string,
  tokenizer: Tokenizer,
  stopTokens: readonly number[],
): number[] {
  const messages = [
    { role: "user", content: "What is 2 + 2?" },
    { role: "assistant", content: response },
  ];
  const whole = render(messages, false);
  const at = whole.lastIndexOf(response);
  if (at === -1) throw new DataError("the chat template leaves out what the assistant says");
  const behind = tokenizer.encode(whole.slice(at + response.length));
  const stop = behind.findIndex((token) => stopTokens.includes(token));
  return stop === -1 ? [tokenizer.endOfText] : behind.slice(0, stop + 1);
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  return existsSync(path) ? readJsonFile(path, schema) : undefined;
}
