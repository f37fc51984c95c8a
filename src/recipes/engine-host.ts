// Where a recipe's engines come from: this machine's processor, or a server that speaks the Tinker protocol. The stages of
// a recipe start from each other's checkpoints, so a host also knows what a checkpoint is called across stages.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import type { AcceptDamage } from "../base/integrity.ts";
import { createEmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import type { Engine } from "../engine/engine.ts";
import type { ServerKind } from "../engine/tinker/capabilities.ts";
import { recordedPaths } from "../engine/tinker/checkpoint-paths.ts";
import type { ReferenceServer } from "../engine/tinker/frozen-scorer.ts";
import { checkServer } from "../engine/tinker/probe-record.ts";
import { TinkerEngine } from "../engine/tinker/tinker-engine.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";

export type EngineHost = {
  readonly description: string;
  /** An engine for one stage, on the base model or on a checkpoint of an earlier stage. */
  readonly open: (stage: string, from?: string) => Promise<Engine>;
  /** What engines of any stage call a checkpoint that one stage saved. */
  readonly reference: (stage: string, checkpoint: string) => string;
  /** A checkpoint by its reference, as other stages can begin from it and measure against it. */
  readonly foldedIn: (reference: string) => Promise<string>;
};

type Adapter = { readonly rank: number; readonly alpha: number };

export function embeddedHost(options: {
  readonly run: string;
  readonly base: string;
  readonly seed: number;
  readonly threads?: number;
  /** One folder for all stages, inside the run's; a folder of its own for each stage unless said. */
  readonly checkpoints?: string;
  /** The same adapters for all stages, or each stage its own. */
  readonly lora?: Adapter | ((stage: string) => Adapter);
  /** Hears of damaged checkpoints that are loaded all the same; without it they are refused. */
  readonly acceptDamage?: AcceptDamage;
}): EngineHost {
  const { run, base, seed, threads, acceptDamage } = options;
  const adapter = (stage: string) => (typeof options.lora === "function" ? options.lora(stage) : options.lora);
  const checkpoints = (stage: string) =>
    resolve(options.checkpoints === undefined ? join(run, stage, "checkpoints") : join(run, options.checkpoints));
  return {
    description: "the embedded engine",
    open: async (stage, from = base) =>
      createEmbeddedEngine({
        model: { folder: await wholeModel(from, threads, acceptDamage) },
        acceptDamage,
        checkpoints: checkpoints(stage),
        seed,
        threads,
        lora: adapter(stage),
      }),
    reference: (stage, checkpoint) => join(checkpoints(stage), checkpoint),
    foldedIn: (reference) => wholeModel(reference, threads, acceptDamage),
  };
}

const adapterSchema = z.looseObject({ base_model_name_or_path: z.string(), r: z.int(), lora_alpha: z.number() });

/** Adapters are folded into their base once, beside them: the next stage's adapters begin on the result. */
async function wholeModel(folder: string, threads: number | undefined, acceptDamage?: AcceptDamage): Promise<string> {
  const description = join(folder, "adapter_config.json");
  if (!existsSync(description)) return folder;
  const whole = `${folder}-whole`;
  if (existsSync(whole)) return whole;
  const { base_model_name_or_path, r, lora_alpha } = adapterSchema.parse(
    JSON.parse(await readFile(description, "utf8")),
  );
  const engine = await createEmbeddedEngine({
    model: { folder: await wholeModel(base_model_name_or_path, threads, acceptDamage) },
    acceptDamage,
    checkpoints: dirname(folder),
    threads,
    lora: { rank: r, alpha: lora_alpha },
  });
  try {
    await engine.load(basename(folder));
    await engine.exportModel(whole);
  } finally {
    await engine.dispose();
  }
  return whole;
}

export function tinkerHost(options: {
  readonly run: string;
  /** Folder with the tokenizer. */
  readonly base: string;
  /** File that keeps where the server put each checkpoint; without it only servers that find them by name can go on. */
  readonly paths?: string;
  /** A second server whose model is the frozen reference, for servers that hold one set of weights at a time. */
  readonly reference?: ReferenceServer;
  /** File that keeps what a probe of the server measured; without it the server is taken for what it is said to be. */
  readonly probed?: string;
  /** Hears of outages, and of a probe that takes a while. */
  readonly tell?: (message: string) => void;
  /** What the server calls the model; the folder unless said. */
  readonly model?: string;
  readonly url: string;
  readonly key?: string;
  readonly server: ServerKind;
  readonly loraRank: number;
  readonly loraAlpha?: number;
  readonly contextLength: number;
  readonly seed: number;
}): EngineHost {
  const { run, base, model = base, server, paths: file, probed, ...connection } = options;
  const paths = file === undefined ? undefined : recordedPaths(file);
  // A server has one place for all checkpoints, so their names carry run and stage.
  const name = (stage: string, checkpoint: string) =>
    `${run}-${stage}-${checkpoint}`.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  return {
    description: `${server} at ${connection.url}`,
    open: async (stage, from) => {
      const tokenizer = await loadTokenizer(base);
      if (probed !== undefined) await checkServer(probed, { ...connection, kind: server, baseModel: model });
      const engine = await TinkerEngine.connect({ ...connection, kind: server, baseModel: model, tokenizer, paths });
      try {
        // A stage begins with another's weights, not with its momentum; going on with its own is the loop's affair.
        if (from !== undefined) await engine.load(from, { optimizer: "fresh" });
      } catch (error) {
        await engine.dispose();
        throw error;
      }
      return withNames(engine, (checkpoint) => name(stage, checkpoint));
    },
    reference: name,
    // On a server the adapter of one stage goes on learning in the next.
    foldedIn: async (reference) => reference,
  };
}

/** The same engine, whose own checkpoints go by other names on the server. */
function withNames(engine: Engine, rename: (checkpoint: string) => string): Engine {
  return {
    tokenizer: engine.tokenizer,
    contextLength: engine.contextLength,
    sample: (requests, options) => engine.sample(requests, options),
    logprobs: (sequences, options) => engine.logprobs(sequences, options),
    accumulate: (batch, options) => engine.accumulate(batch, options),
    step: (optimizer) => engine.step(optimizer),
    save: (checkpoint) => engine.save(rename(checkpoint)),
    load: (checkpoint) => engine.load(rename(checkpoint)),
    dispose: () => engine.dispose(),
  };
}

/** Engines whose samples end where the model's own turn ends. */
export function stoppingAt(stopTokens: readonly number[], host: EngineHost): EngineHost {
  return {
    ...host,
    open: async (stage, from) => {
      const engine = await host.open(stage, from);
      return {
        tokenizer: engine.tokenizer,
        contextLength: engine.contextLength,
        sample: (requests, options) =>
          engine.sample(
            requests.map((request) => ({ ...request, stopTokens })),
            options,
          ),
        logprobs: (sequences, options) => engine.logprobs(sequences, options),
        accumulate: (batch, options) => engine.accumulate(batch, options),
        step: (optimizer) => engine.step(optimizer),
        save: (name) => engine.save(name),
        load: (name) => engine.load(name),
        dispose: () => engine.dispose(),
      };
    },
  };
}
