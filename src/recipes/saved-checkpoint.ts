// A saved checkpoint by the name that was printed, wherever it lies: a model or an adapter in a folder of this machine, or
// weights on a server, known by the folder that their run keeps of them or by the server's own name.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import type { AcceptDamage } from "../base/integrity.ts";
import type { Engine } from "../engine/engine.ts";
import type { ServerKind } from "../engine/tinker/capabilities.ts";
import { readServerCheckpoint } from "../engine/tinker/checkpoint-paths.ts";
import { openCheckpoint, requireCheckpointFolder, tinkerHost } from "./engine-host.ts";

export type CheckpointRequest = {
  /** As it was printed; the model itself unless given. */
  readonly checkpoint?: string;
  /** Folder with the tokenizer, where the checkpoint does not say. */
  readonly model?: string;
  /** The server, where the checkpoint does not say or the server has moved. */
  readonly engine?: string;
  readonly server?: ServerKind;
  readonly serverModel?: string;
  readonly key?: string;
  readonly contextLength?: number;
  readonly emit?: (message: string) => void;
  /** Hears of a damaged checkpoint that is loaded all the same; without it one is refused. */
  readonly acceptDamage?: AcceptDamage;
};

type SavedPolicy = {
  /** An engine whose live weights are the checkpoint's. */
  readonly open: (signal?: AbortSignal) => Promise<Engine>;
  /** Folder with tokenizer and chat template. */
  readonly tokenizer: string;
  /** Folder whose card says how the model is asked. */
  readonly card: string;
};

const seed = 1;
const defaultContext = 32_000;

export function savedPolicy(request: CheckpointRequest): SavedPolicy {
  const { checkpoint, model, engine } = request;
  const known = checkpoint === undefined ? undefined : readServerCheckpoint(checkpoint);
  if (known === undefined && engine === undefined)
    return onThisMachine(checkpoint ?? model, model, request.acceptDamage);
  const tokenizer = model ?? known?.tokenizer;
  if (tokenizer === undefined)
    throw new ConfigurationError(`--model is missing: the folder with the tokenizer of ${checkpoint ?? "the model"}`);
  const host = (loraRank: number) =>
    tinkerHost({
      run: "checkpoint",
      base: tokenizer,
      model: request.serverModel ?? known?.model ?? model,
      url: engine ?? known!.url,
      server: known?.server ?? request.server ?? "repertoire",
      key: request.key,
      loraRank,
      contextLength: known?.contextLength ?? request.contextLength ?? defaultContext,
      seed,
      emit: request.emit,
    });
  const open = async (signal?: AbortSignal) => {
    // Merged weights are whole, and a fresh adapter on them changes nothing. A bare name says nothing of its rank; torch-engine
    // takes any for an adapter, and says when it holds all weights.
    try {
      return await host(known?.loraRank ?? 1).open("evaluation", checkpoint, signal);
    } catch (error) {
      if (known !== undefined || !/holds full weights/.test(messageOf(error))) throw error;
      return host(0).open("evaluation", checkpoint, signal);
    }
  };
  return { open, tokenizer, card: known !== undefined && checkpoint !== undefined ? checkpoint : tokenizer };
}

function onThisMachine(
  folder: string | undefined,
  model: string | undefined,
  acceptDamage?: AcceptDamage,
): SavedPolicy {
  requireCheckpointFolder(folder);
  const tokenizer = existsSync(join(folder, "tokenizer.json")) ? folder : (model ?? folder);
  return { open: () => openCheckpoint(folder, { acceptDamage }), tokenizer, card: folder };
}
