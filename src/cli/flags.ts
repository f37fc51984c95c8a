// Flags declared once: what the help says of them, how they are read, and thereby what a command's action gets.
import { type Command, Option } from "commander";
import { collected } from "./arguments.ts";

type Flag<Text extends string = string, Value = unknown> = {
  readonly text: Text;
  readonly option: Option;
  /** For the compiler alone; there is none at run time. */
  readonly gives?: readonly [Value];
};

/** What a list of flags gives to the action of its command. */
export type FlagValues<Flags extends readonly Flag[]> = {
  readonly [One in Flags[number] as NameOf<One["text"]>]: NonNullable<One["gives"]>[0];
};

/** `--max-tokens <n>` is `maxTokens`, `--no-probe` is `probe`; of `--slips, --error-rate <rate>` the last one counts. */
type NameOf<Text extends string> = Text extends `${string}, ${infer Last}`
  ? NameOf<Last>
  : Text extends `${infer Name} ${string}`
    ? NameOf<Name>
    : Text extends `--no-${infer Name}`
      ? Camel<Name>
      : Text extends `--${infer Name}`
        ? Camel<Name>
        : never;

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

type Plain<Text extends string> = Text extends `--no-${string}`
  ? boolean
  : Text extends `${string}<${string}`
    ? string | undefined
    : true | undefined;

/** As commander's own `option`: how the text is read, if not as it is, and the value where the flag is not given. */
export function flag<Text extends string>(text: Text, about: string): Flag<Text, Plain<Text>>;
export function flag<Text extends string>(text: Text, about: string, usual: string): Flag<Text, string>;
export function flag<Text extends string, Value>(
  text: Text,
  about: string,
  read: (text: string) => Value,
): Flag<Text, Value | undefined>;
export function flag<Text extends string, Value>(
  text: Text,
  about: string,
  read: (text: string) => Value,
  usual: NoInfer<Value>,
): Flag<Text, Value>;
export function flag(text: string, about: string, read?: string | ((text: string) => unknown), usual?: unknown): Flag {
  const option = new Option(text, about).default(typeof read === "string" ? read : usual);
  return { text, option: typeof read === "function" ? option.argParser(read) : option };
}

/** A flag that must be given. */
export function required<Text extends string>(text: Text, about: string): Flag<Text, string>;
export function required<Text extends string, Value>(
  text: Text,
  about: string,
  read: (text: string) => Value,
): Flag<Text, Value>;
export function required(text: string, about: string, read: (text: string) => unknown = String): Flag {
  return { text, option: new Option(text, about).argParser(read).makeOptionMandatory() };
}

export function choice<Text extends string, Name extends string>(
  text: Text,
  about: string,
  names: readonly Name[],
): Flag<Text, Name | undefined>;
export function choice<Text extends string, Name extends string>(
  text: Text,
  about: string,
  names: readonly Name[],
  usual: NoInfer<Name>,
): Flag<Text, Name>;
export function choice(text: string, about: string, names: readonly string[], usual?: string): Flag {
  return { text, option: new Option(text, about).choices(names).default(usual) };
}

/** A flag that may be given several times, empty where it is not given; the help would say `default: []`. */
export const repeatable = <Text extends string>(text: Text, about: string): Flag<Text, string[]> => ({
  text,
  option: new Option(text, `${about}; repeatable`).argParser(collected).default([], "none"),
});

export function withFlags(command: Command, flags: readonly Flag[]): Command {
  for (const { option } of flags) command.addOption(option);
  return command;
}
