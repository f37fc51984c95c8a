// Where a recipe's engines come from: this machine's processor, or a server that speaks the Tinker protocol. The stages of
// a recipe start from each other's checkpoints, so a host also knows what a checkpoint is called across stages: its folder
// in the run, which holds the weights, or says on which server they lie.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import type { AcceptDamage } from "../base/integrity.ts";
import { readJsonFile } from "../base/json-file.ts";
import { requireOptional } from "../base/optional-package.ts";
import { createEmbeddedEngine, type EmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import type { Engine } from "../engine/engine.ts";
import { defaultPolicyCard, type PolicyCard, readPolicyCard, writePolicyCard } from "../engine/policy-card.ts";
import { capabilities, type ServerKind } from "../engine/tinker/capabilities.ts";
import {
  type CheckpointPaths,
  readServerCheckpoint,
  type SavedCheckpoint,
  serverName,
  writeServerCheckpoint,
} from "../engine/tinker/checkpoint-paths.ts";
import type { ReferenceServer } from "../engine/tinker/frozen-scorer.ts";
import { checkServer, type ProbePlaces } from "../engine/tinker/probe.ts";
import { TinkerEngine } from "../engine/tinker/tinker-engine.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";

export type EngineHost = {
  readonly description: string;
  /** Every draw is made in this process: rollouts that repeat are the policy's own, and no server's fault. */
  readonly drawsHere?: boolean;
  /** What engines call the model before any training, where they can score under it. */
  readonly baseModel?: string;
  /** An engine for one stage, on the base model or on a checkpoint of an earlier stage. */
  readonly open: (stage: string, from?: string, signal?: AbortSignal) => Promise<Engine>;
  /** What engines of any stage call a checkpoint that one stage saved: its folder. */
  readonly checkpointPath: (stage: string, checkpoint: string) => string;
  /** A checkpoint by its reference, as other stages can begin from it and measure against it. */
  readonly mergeAdapter: (checkpointPath: string, signal?: AbortSignal) => Promise<string>;
};

type Adapter = { readonly rank: number; readonly alpha: number };

type HostedRun = {
  /** The run's folder. */
  readonly run: string;
  /** One folder for all stages, inside the run's; a folder of its own for each stage unless said. */
  readonly checkpoints?: string;
  /** How the model is asked; as the base model's card says unless given. */
  readonly card?: PolicyCard;
};

const checkpointsOf = ({ run, checkpoints }: HostedRun, stage: string): string =>
  resolve(checkpoints === undefined ? join(run, stage, "checkpoints") : join(run, checkpoints));

const cardOf = async (card: PolicyCard | undefined, base: string): Promise<PolicyCard> =>
  card ?? (await readPolicyCard(base)) ?? defaultPolicyCard;

export function embeddedHost(
  options: HostedRun & {
    readonly base: string;
    readonly seed: number;
    readonly threads?: number;
    /** The same adapters for all stages, or each stage its own. */
    readonly lora?: Adapter | ((stage: string) => Adapter);
    /** Hears of damaged checkpoints that are loaded all the same; without it they are refused. */
    readonly acceptDamage?: AcceptDamage;
  },
): EngineHost {
  requireOptional(["onnxruntime-node"], "the embedded engine");
  const { run, base, seed, threads, acceptDamage } = options;
  const opening = { threads, acceptDamage };
  const adapter = (stage: string) => (typeof options.lora === "function" ? options.lora(stage) : options.lora);
  return {
    description: "the embedded engine",
    drawsHere: true,
    baseModel: resolve(base),
    open: async (stage, from = base) => {
      const checkpoints = checkpointsOf(options, stage);
      const card = await cardOf(options.card, base);
      const engine = await createEmbeddedEngine({
        model: { folder: await wholeModel(from, opening) },
        ...{ ...opening, checkpoints, seed, lora: adapter(stage) },
      });
      return afterSaving(engine, async (name) => {
        await writePolicyCard(run, card);
        await writePolicyCard(join(checkpoints, name), card);
      });
    },
    checkpointPath: (stage, checkpoint) => join(checkpointsOf(options, stage), checkpoint),
    // Engines take a relative name for one of their own checkpoints.
    mergeAdapter: (checkpointPath) => wholeModel(resolve(checkpointPath), opening),
  };
}

/** A folder of weights on this machine: a whole model or an adapter. */
export function requireCheckpointFolder(folder: string | undefined): asserts folder is string {
  const files = ["config.json", "adapter_config.json"];
  if (folder !== undefined && files.some((file) => existsSync(join(folder, file)))) return;
  throw new ConfigurationError(
    `there is no checkpoint ${folder ?? ""}: expected a folder such as runs/rl/checkpoints/step-70, as training prints it, ` +
      "or the name of a checkpoint on a server with --engine, --server and --model",
  );
}

const adapterSchema = z.looseObject({ base_model_name_or_path: z.string(), r: z.int(), lora_alpha: z.number() });

type OpeningOptions = { readonly threads?: number; readonly acceptDamage?: AcceptDamage };

/** Adapters are folded into their base once, beside them: the next stage's adapters begin on the result. */
async function wholeModel(folder: string, options: OpeningOptions): Promise<string> {
  requireCheckpointFolder(folder);
  if (!existsSync(join(folder, "adapter_config.json"))) return folder;
  const whole = `${folder}-whole`;
  if (existsSync(whole)) return whole;
  const engine = await openCheckpoint(folder, options);
  try {
    await engine.exportModel(whole);
  } finally {
    await engine.dispose();
  }
  return whole;
}

/** A checkpoint of this machine to sample from and to score with, adapters in their place; nothing is written but their base. */
export async function openCheckpoint(folder: string, options: OpeningOptions = {}): Promise<EmbeddedEngine> {
  const opened = { checkpoints: dirname(resolve(folder)), ...options };
  const description = join(folder, "adapter_config.json");
  if (!existsSync(description)) return createEmbeddedEngine({ model: { folder }, ...opened });
  const { base_model_name_or_path: base, r: rank, lora_alpha: alpha } = await readJsonFile(description, adapterSchema);
  const model = { folder: await wholeModel(base, options) };
  const engine = await createEmbeddedEngine({ model, lora: { rank, alpha }, ...opened });
  try {
    await engine.load(resolve(folder));
    return engine;
  } catch (error) {
    await engine.dispose();
    throw error;
  }
}

export type TinkerHostOptions = Omit<HostedRun, "run"> & {
  /** What the run is called on the server, which has one place for the checkpoints of all. */
  readonly run: string;
  /** The run's folder, which keeps where the server put each checkpoint; without it only this process knows. */
  readonly folder?: string;
  /** Folder with the tokenizer. */
  readonly base: string;
  /** A second server whose model is the frozen reference, for servers that hold one set of weights at a time. */
  readonly reference?: ReferenceServer;
  /** Where what a probe of the server measured is kept; without it the server is taken for what it is said to be. */
  readonly probed?: ProbePlaces;
  /** Hears of outages, and of a probe that takes a while. */
  readonly emit?: (message: string) => void;
  /** What the server calls the model; the folder unless said. */
  readonly model?: string;
  readonly url: string;
  readonly key?: string;
  readonly server: ServerKind;
  readonly loraRank: number;
  /** The same for all stages, or each stage its own. */
  readonly loraAlpha?: number | ((stage: string) => number);
  readonly contextLength: number;
  readonly seed: number;
};

/** A server that was there may come back after minutes; one that never answered is likelier an address with a mistake. */
const patience = { atFirst: 20, later: 600 } as const;

export function tinkerHost(options: TinkerHostOptions): EngineHost {
  const { base, model = base, server, url, key, emit, loraRank, contextLength, seed, folder, probed } = options;
  const can = capabilities[server];
  if (loraRank === 0 && !can.fullWeights)
    throw new ConfigurationError(`a ${server} server trains adapters only; give --lora-rank, for example 32`);
  let reached = false;
  const inMemory = new Map<string, SavedCheckpoint>();
  const place = (stage: string) => checkpointsOf({ ...options, run: folder ?? options.run }, stage);
  const alpha = (stage: string) =>
    typeof options.loraAlpha === "function" ? options.loraAlpha(stage) : options.loraAlpha;
  const described = { url, server, model, tokenizer: resolve(base), loraRank, contextLength };

  const paths = (stage: string): CheckpointPaths => ({
    serverName: (name) => serverName(options.run, stage, name),
    get: (name) => inMemory.get(resolve(place(stage), name)) ?? readServerCheckpoint(resolve(place(stage), name)),
    set: async (name, saved) => {
      inMemory.set(resolve(place(stage), name), saved);
      if (folder === undefined) return;
      const card = await cardOf(options.card, base);
      await writePolicyCard(folder, card);
      await writePolicyCard(join(place(stage), name), card);
      await writeServerCheckpoint(join(place(stage), name), { ...described, ...saved });
    },
  });

  async function open(stage: string, given?: string, signal?: AbortSignal): Promise<TinkerEngine> {
    const from = given === undefined ? undefined : located(given, url);
    const start = from === undefined ? undefined : readServerCheckpoint(from);
    refuseOtherRank(from, start, loraRank);
    const patienceSeconds = reached ? patience.later : patience.atFirst;
    const connection = { url, key, kind: server, baseModel: model, loraRank, seed, emit, signal };
    if (probed !== undefined) await checkServer(probed, { ...connection, patienceSeconds });
    const engine = await TinkerEngine.connect({
      ...connection,
      ...{ loraAlpha: alpha(stage), contextLength, reference: options.reference, paths: paths(stage) },
      tokenizer: await loadTokenizer(base),
      // Whole weights carry a fresh adapter where adapters are trained; elsewhere they are loaded like any others.
      ...(start?.weights === "merged" && loraRank > 0 && { baseWeights: start.path }),
      ...(!reached && { firstPatienceSeconds: patienceSeconds }),
    });
    reached = true;
    try {
      // A stage begins with another's weights, not with its momentum; resuming its own is the loop's affair.
      if (from !== undefined && !(start?.weights === "merged" && loraRank > 0))
        await engine.load(from, { optimizer: "fresh" });
      return engine;
    } catch (error) {
      await engine.dispose();
      throw error;
    }
  }

  return {
    description: `${server} at ${url}`,
    open,
    checkpointPath: (stage, checkpoint) => join(place(stage), checkpoint),
    mergeAdapter: async (given, signal) => {
      const reference = located(given, url);
      // Elsewhere the adapter of one stage goes on learning in the next.
      if (!can.mergesAdapters || loraRank === 0) return reference;
      const known = readServerCheckpoint(reference);
      if (known?.weights === "merged") return reference;
      const merged = `${known === undefined ? resolve(folder ?? ".", serverName(reference)) : reference}-merged`;
      if (readServerCheckpoint(merged) !== undefined) return merged;
      const engine = await open("merge", undefined, signal);
      try {
        const path = await engine.mergeAdapter(known?.path ?? reference);
        await writePolicyCard(merged, await cardOf(options.card, base));
        await writeServerCheckpoint(merged, { ...described, path, weights: "merged" });
        return merged;
      } finally {
        await engine.dispose();
      }
    },
  };
}

/** The folder of a checkpoint on a server, wherever we stand; a path or a name of the server's as it is. */
function located(reference: string, url: string): string {
  if (readServerCheckpoint(reference) !== undefined) return resolve(reference);
  if (existsSync(join(reference, "adapter_config.json")) || existsSync(join(reference, "config.json")))
    throw new ConfigurationError(
      `${reference} holds weights on this machine, which ${url} cannot read; leave --engine out, or start a server on them`,
    );
  return reference;
}

function refuseOtherRank(from: string | undefined, start: ReturnType<typeof readServerCheckpoint>, rank: number): void {
  if (start === undefined || start.weights === "merged" || start.loraRank === rank) return;
  throw new ConfigurationError(
    `${from} was trained with --lora-rank ${start.loraRank}, and --lora-rank is ${rank}; give the same`,
  );
}

/** The same engine; after each save something is written beside it. */
function afterSaving(engine: Engine, saved: (checkpoint: string) => Promise<void>): Engine {
  return {
    ...verbsOf(engine),
    save: async (checkpoint) => {
      await engine.save(checkpoint);
      await saved(checkpoint);
    },
  };
}

const verbsOf = (engine: Engine): Engine => ({
  tokenizer: engine.tokenizer,
  contextLength: engine.contextLength,
  sample: (requests, options) => engine.sample(requests, options),
  logprobs: (sequences, options) => engine.logprobs(sequences, options),
  accumulate: (batch, options) => engine.accumulate(batch, options),
  step: (optimizer) => engine.step(optimizer),
  save: (checkpoint) => engine.save(checkpoint),
  load: (checkpoint) => engine.load(checkpoint),
  dispose: () => engine.dispose(),
});

/** The same engine, whose samples end where the model's own turn ends. */
export const withStopTokens = (stopTokens: readonly number[], engine: Engine): Engine => ({
  ...verbsOf(engine),
  sample: (requests, options) =>
    engine.sample(
      requests.map((request) => ({ ...request, stopTokens })),
      options,
    ),
});

/** A host of such engines. */
export const hostWithStopTokens = (stopTokens: readonly number[], host: EngineHost): EngineHost => ({
  ...host,
  open: async (stage, from, signal) => withStopTokens(stopTokens, await host.open(stage, from, signal)),
});
