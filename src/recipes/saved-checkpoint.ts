// A saved checkpoint by the name that was printed, wherever it lies: a model or an adapter in a folder of this machine, or
// weights on a server, known by the folder that their run keeps of them or by the server's own name.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, messageOf } from "../base/errors.ts";
import type { AcceptDamage } from "../base/integrity.ts";
import type { Engine } from "../engine/engine.ts";
import type { ServerKind } from "../engine/tinker/capabilities.ts";
import { readServerCheckpoint } from "../engine/tinker/checkpoint-paths.ts";
import { evaluatedPolicy } from "../runs/evaluated-policy.ts";
import { evaluationSuffix, policyOf } from "../runs/recipe-names.ts";
import { readRunDescription } from "../runs/run-folder.ts";
import type { RunPart } from "../runs/run-parts.ts";
import { openCheckpoint, requireCheckpointFolder, tinkerHost } from "./engine-host.ts";
import { lastEndpoint } from "./training-stage.ts";

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

/** The checkpoint that an evaluation asked: as it says, or by its place in a recipe; undefined where nothing says. */
export async function evaluatedCheckpoint(run: string, part: RunPart, shipped: string): Promise<string | undefined> {
  const { checkpoint } = evaluatedPolicy(part.description.config);
  if (checkpoint !== undefined) return checkpoint;
  const { kind, config } = await readRunDescription(run);
  if (kind !== "recipe") return undefined;
  const policy = policyOf(part.name);
  // The base that ships with the package is recorded by its name, wherever that lies.
  if (policy === "base") return config.model === "mini-base" ? shipped : String(config.model);
  if (policy === "sft" && typeof config.from === "string") return config.from;
  const [, step] = evaluationSuffix.exec(part.name)?.[0].match(/^-((?:step|epoch)-\d+)/) ?? [];
  const saved = step ?? (await lastEndpoint(join(run, policy)));
  return saved && join(run, policy, "checkpoints", saved);
}
