// Flags that name a server, the same for every command that takes one: Tinker servers, and OpenAI-compatible ones.
import { ConfigurationError } from "../base/errors.ts";
import { EndpointClient } from "../endpoints/client.ts";
import { type EndpointInput, endpointSchema } from "../endpoints/endpoint.ts";
import { serverKinds } from "../engine/tinker/capabilities.ts";
import { savedPolicy } from "../recipes/saved-checkpoint.ts";
import { count, engineAddress, positive, readPrice, share } from "./arguments.ts";
import { warnDamage } from "./damage.ts";
import { choice, type FlagValues, flag } from "./flags.ts";
import { warn } from "./progress.ts";

export const keyFlag = flag("--key-variable <name>", "environment variable with the server's key");

export const probeFlag = flag("--no-probe", "skip the check that the server behaves as --server says");
export const referenceFlag = flag(
  "--reference-engine <url>",
  "a second server of the same kind that serves the reference, if a server holds only one model at a time",
  engineAddress,
);

/** `model` is what the server is taken to call the model. */
export const serverFlags = (engine: string, model = "as in training") => [
  flag("--engine <url>", engine, engineAddress),
  choice("--server <kind>", "what kind of server it is", serverKinds, "repertoire"),
  flag("--server-model <name>", `what the server calls the model (default: ${model})`),
  keyFlag,
];

type ServerFlags = FlagValues<ReturnType<typeof serverFlags>>;

export function keyFrom(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const key = process.env[variable];
  if (key === undefined) throw new ConfigurationError(`the environment variable ${variable} is not set`);
  return key;
}

/** A client for the server that flags name; what is wrong with it is said by the flag. */
export function endpointClient(given: EndpointInput, flag = "--"): EndpointClient {
  const endpoint = endpointSchema.safeParse(given);
  if (endpoint.success) return new EndpointClient(endpoint.data, process.env, warn);
  // `deadlineSeconds` is what --deadline gives.
  const name = (path: readonly PropertyKey[]) =>
    path
      .join(".")
      .replace("Seconds", "")
      .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const wrong = endpoint.error.issues.map(({ path, message }) => `${flag}${name(path)}: ${message}`);
  throw new ConfigurationError(wrong.join("; "));
}

/** How an OpenAI-compatible server is asked, besides its key. */
export const endpointFlags = [
  flag("--top-p <p>", "nucleus sampling", share),
  flag("--deadline <seconds>", "time limit of a single request", positive, 4 * 3600),
  flag("--concurrency <n>", "maximum concurrent requests; reduced while the server is throttling", count, 256),
  flag("--price <prompt,completion>", "per million tokens, to report the cost", readPrice),
  flag("--no-stream", "ask for whole replies instead of streams"),
];

export function clientOf(
  { keyVariable, stream, price, deadline, concurrency }: FlagValues<[...typeof endpointFlags, typeof keyFlag]>,
  { url, model, mode }: Pick<EndpointInput, "url" | "model" | "mode">,
): EndpointClient {
  // So many requests at once, and fewer at first.
  const width = { start: Math.min(16, concurrency), largest: concurrency };
  return endpointClient({
    ...{ url, model, mode, keyVariable, stream, price },
    deadlineSeconds: deadline,
    concurrency: width,
  });
}

/** The checkpoint that flags name, here or on a server. */
export function checkpointOf(
  flags: ServerFlags & {
    readonly checkpoint: string | undefined;
    readonly model: string | undefined;
    readonly acceptDamage: true | undefined;
    readonly context?: number;
  },
) {
  const { checkpoint, model, engine, server, serverModel, keyVariable, acceptDamage, context } = flags;
  return savedPolicy({
    ...{ checkpoint, model, engine, server, serverModel, key: keyFrom(keyVariable), contextLength: context },
    emit: (message) => console.error(message),
    acceptDamage: acceptDamage && warnDamage,
  });
}
