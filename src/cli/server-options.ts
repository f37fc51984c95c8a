// Flags that name a Tinker server, the same for every command that takes one.
import { type Command, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { type ServerKind, serverKinds } from "../engine/tinker/capabilities.ts";

export type ServerOptions = { engine?: string; server: ServerKind; keyVariable?: string };

export function withServerOptions(command: Command, engine: string): Command {
  return command
    .option("--engine <url>", engine)
    .addOption(new Option("--server <kind>", "what kind of server it is").choices(serverKinds).default("repertoire"))
    .option("--key-variable <name>", "environment variable with the server's key");
}

export function keyFrom(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const key = process.env[variable];
  if (key === undefined) throw new ConfigurationError(`the environment variable ${variable} is not set`);
  return key;
}
