// A chat template at work: messages in, the text that a model was trained to see out. By Hugging Face's Jinja, with what would
// differ from run to run held still, and what goes wrong named.
import { createContext, runInContext } from "node:vm";
import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
import { DataError, messageOf } from "../../base/errors.ts";

export type Message = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** `opening` leaves the text where the model begins to speak. */
export type Template = (messages: readonly Message[], opening: boolean) => string;

/** The same messages always give the same prompt: whoever asks for the date is told this one, which Llama's templates fall back on. */
const date: Readonly<Record<string, string>> = {
  ...{ "%Y": "2024", "%y": "24", "%m": "07", "%B": "July", "%b": "Jul", "%d": "26", "%A": "Friday", "%a": "Fri" },
  ...{ "%H": "00", "%M": "00", "%S": "00", "%%": "%" },
};

/** More would take the memory before the time is up. */
const longestRange = 100_000;

const globals = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
  tools: null,
  documents: null,
  range: (...given: readonly number[]) => {
    const [start, stop, step = 1] = given.length === 1 ? [0, given[0]] : given;
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (!(length <= longestRange)) throw new DataError(`the chat template asks for a range of ${length}`);
    return Array.from({ length }, (_, i) => start + i * step);
  },
  strftime_now: (format: string) => format.replaceAll(/%./g, (part) => date[part] ?? part),
  raise_exception: (because: string) => {
    throw new DataError(`the chat template refuses these messages: ${because}`);
  },
};

/** `marks` are the tokenizer's own, such as `bos_token`. */
export function compileTemplate(text: string, marks: Readonly<Record<string, string | null | undefined>>): Template {
  // As Jinja itself reads line ends.
  const source = text.replaceAll(/\r\n?/g, "\n");
  const program = named(() => parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true })));
  return (messages, opening) => {
    const rendered = named(() => {
      const environment = new Environment();
      const variables = { ...globals, ...marks, messages, add_generation_prompt: opening };
      for (const [name, value] of Object.entries(variables)) environment.set(name, value);
      return String(new Interpreter(environment).run(program).value);
    });
    // Nobody would notice a model that was not told all.
    for (const { role, content } of messages) {
      if (rendered.includes(content.trim())) continue;
      throw new DataError(`the chat template leaves out what the ${role} says`);
    }
    return rendered;
  };
}

/** Templates come with models from anywhere, and loops inside loops can go on for ever. */
const longestMs = 5_000;
const clock = createContext({ work: (): unknown => undefined });

function named<T>(work: () => T): T {
  try {
    return runInContext("work()", Object.assign(clock, { work }), { timeout: longestMs }) as T;
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`the chat template cannot be used: ${messageOf(error)}`);
  }
}
