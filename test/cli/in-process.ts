// The whole command in this process, as main.ts runs it: what it prints, and its exit code. A process of its own costs a second.
import { Readable } from "node:stream";
import { format, stripVTControlCharacters } from "node:util";
import { type Command, CommanderError } from "commander";
import { vi } from "vitest";
import { programFor } from "../../src/cli/commands.ts";
import { reportFailure } from "../../src/cli/failure.ts";

export async function repertoire(...args: string[]) {
  return repertoireReading(undefined, ...args);
}

/** With this on standard input. */
export async function repertoireReading(input: string | undefined, ...args: string[]) {
  const told = { stdout: "", stderr: "" };
  const printed = (stream: keyof typeof told, end: string) =>
    ((...given: unknown[]) => {
      told[stream] += `${end === "" ? given[0] : format(...given)}${end}`;
      return true;
    }) as never;
  const spies = [
    vi.spyOn(console, "log").mockImplementation(printed("stdout", "\n")),
    ...(["error", "warn"] as const).map((way) => vi.spyOn(console, way).mockImplementation(printed("stderr", "\n"))),
    ...(["stdout", "stderr"] as const).map((name) =>
      vi.spyOn(process[name], "write").mockImplementation(printed(name, "")),
    ),
  ];
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin")!;
  if (input !== undefined) Object.defineProperty(process, "stdin", { ...stdin, get: () => Readable.from([input]) });
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    const { program, args: given } = await programFor(args);
    for (const command of everyCommand(program)) command.exitOverride();
    await program.parseAsync([...given], { from: "user" });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : reportFailure(error, { verbose: false });
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.defineProperty(process, "stdin", stdin);
  }
  const status = process.exitCode ?? 0;
  process.exitCode = before;
  return { stdout: stripVTControlCharacters(told.stdout), stderr: stripVTControlCharacters(told.stderr), status };
}

export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];
