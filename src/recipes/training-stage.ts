// A training loop inside its run folder: its events and rollouts written down as they come, its state kept, gone on with
// when it was stopped, and left alone when it is finished.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Engine } from "../engine/engine.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { TrainingLog, trainingFiles } from "../runs/training-log.ts";
import type { RlEvent, RlState } from "../training/rl-events.ts";
import type { SftEvent, SftState } from "../training/sft-loop.ts";

/** What a watcher hears of a stage. */
export type StageEvent =
  | {
      readonly type: "stage";
      readonly stage: string;
      readonly title: string;
      readonly total: number;
      readonly done: number;
    }
  | { readonly type: "progress"; readonly stage: string; readonly done: number }
  | { readonly type: "told"; readonly stage: string; readonly event: SftEvent | RlEvent }
  | { readonly type: "finished"; readonly stage: string; readonly already: boolean };

type TrainingStage<State, Event> = {
  readonly name: string;
  readonly title: string;
  readonly folder: string;
  readonly config: Record<string, unknown>;
  readonly command?: string;
  /** Steps in all, for a progress bar. */
  readonly total: number;
  readonly open: () => Promise<Engine>;
  readonly loop: (engine: Engine, state: State | undefined) => AsyncGenerator<Event>;
  readonly tell: (event: StageEvent) => void;
  readonly now: Date;
};

/** Returns the checkpoint of the best epoch. */
export function runSftStage(stage: TrainingStage<SftState, SftEvent>): Promise<string> {
  return runStage(stage, "sft", {
    stepsDone: (event) => (event.type === "sft-step" ? event.step + 1 : undefined),
    endpoint: (event) => (event.type === "sft-end" ? event.checkpoint : undefined),
  });
}

/** Returns the last checkpoint. */
export function runRlStage(stage: TrainingStage<RlState, RlEvent>): Promise<string> {
  return runStage(stage, "rl", {
    stepsDone: (event) => (event.type === "rl-step" ? event.step + 1 : undefined),
    endpoint: (event) => (event.type === "rl-end" ? event.checkpoint : undefined),
  });
}

type Reading<Event> = {
  readonly stepsDone: (event: Event) => number | undefined;
  readonly endpoint: (event: Event) => string | undefined;
};

async function runStage<State, Event extends SftEvent | RlEvent>(
  stage: TrainingStage<State, Event>,
  kind: "sft" | "rl",
  read: Reading<Event>,
): Promise<string> {
  const { name, title, folder: path, config, command, total, tell, now } = stage;
  const folder = await openRunFolder(path, { kind, config, command, now });
  try {
    const finished = await lastEndpoint(path, read);
    tell({ type: "stage", stage: name, title, total, done: finished ? total : 0 });
    if (finished !== undefined) {
      tell({ type: "finished", stage: name, already: true });
      return finished;
    }
    const log = await TrainingLog.open<State>(path);
    let endpoint: string | undefined;
    try {
      const engine = await stage.open();
      try {
        for await (const event of stage.loop(engine, log.resumeFrom)) {
          await log.write(event);
          tell({ type: "told", stage: name, event });
          const done = read.stepsDone(event);
          if (done !== undefined) tell({ type: "progress", stage: name, done });
          endpoint = read.endpoint(event) ?? endpoint;
        }
      } finally {
        await engine.dispose();
      }
    } finally {
      await log.close();
    }
    if (endpoint === undefined) throw new Error(`${name} ended without a checkpoint`);
    tell({ type: "finished", stage: name, already: false });
    return endpoint;
  } finally {
    await folder.release();
  }
}

async function lastEndpoint<Event>(path: string, { endpoint }: Reading<Event>): Promise<string | undefined> {
  const events = join(path, trainingFiles.events);
  if (!existsSync(events)) return undefined;
  let found: string | undefined;
  for await (const line of readJsonLinesFile(events)) {
    if ("value" in line) found = endpoint(line.value as Event) ?? found;
  }
  return found;
}
