// The one place where data meets a terminal. Names, reasons and texts come from files and servers of others, and control
// characters in them could clear the screen, set its title or hide what follows; they are shown instead of obeyed.
import { format } from "node:util";
import pc from "picocolors";
import { secretsIn } from "../base/secrets.ts";

/** Control characters besides line ends and tabs, and those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** The colors and weights that this program prints by itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ownColors = /(\u001b\[(?:0|1|2|7|22|27|3[1-7]|39|90)m)/;

/** Control characters as JSON would write them, so that a line of JSON stays what it was. */
export function printable(text: string, colored = false): string {
  if (colored) {
    const parts = text.split(ownColors);
    return parts.map((part, i) => (i % 2 === 1 ? part : printable(part))).join("");
  }
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** From now on whatever this process prints is printable. */
export function guardConsole(target: Console = console, colored = pc.isColorSupported): void {
  for (const name of ["log", "error", "warn", "info"] as const) {
    const print = target[name].bind(target);
    target[name] = (...given: unknown[]) => print(printable(format(...given), colored));
  }
}

/** What stands in the addresses of the command line and is secret is repeated to nobody, in whatever message. */
export function hideSecrets(args: readonly string[], streams = [process.stdout, process.stderr]): void {
  const secrets = args.flatMap(secretsIn);
  if (secrets.length === 0) return;
  const hidden = (text: string) =>
    secrets.reduce((said, secret) => said.replaceAll(secret, secret.endsWith("@") ? "[secret]@" : "?[secret]"), text);
  for (const stream of streams) {
    const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
    stream.write = (chunk: unknown, ...more: unknown[]) =>
      write(typeof chunk === "string" ? hidden(chunk) : chunk, ...more);
  }
}
