// A training loop inside its run folder: its events and rollouts written down as they come, its state kept, gone on with
// when it was stopped, and left alone when it is finished. When a server loses the weights, the stage goes back to its last
// checkpoint and does again what came after, so that its files are those of a run that nothing happened to.
import { checkFiles, recordFiles } from "../base/integrity.ts";
import { type Engine, WeightsLostError } from "../engine/engine.ts";
import { recordIncident } from "../runs/incidents.ts";
import { descriptionFile, openRunFolder } from "../runs/run-folder.ts";
import { readEvents, TrainingLog, trainingFiles } from "../runs/training-log.ts";
import type { RlEvent, RlState } from "../training/rl-events.ts";
import type { SftEvent, SftState } from "../training/sft-loop.ts";
import { acceptingDamage, type DamageEvent } from "./accepted-damage.ts";

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
  /** How far the step at work is. */
  | { readonly type: "rollouts"; readonly stage: string; readonly done: number; readonly total: number }
  | { readonly type: "loop-event"; readonly stage: string; readonly event: SftEvent | RlEvent }
  | { readonly type: "recovered"; readonly stage: string; readonly because: string; readonly resumesFrom: string }
  | DamageEvent
  | { readonly type: "finished"; readonly stage: string; readonly already: boolean };

/** Weights may be lost this many times without a checkpoint in between. */
const maxLosses = 5;

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
  readonly emit: (event: StageEvent) => void;
  readonly now: Date;
  readonly acceptDamage?: boolean;
};

/** Returns the checkpoint of the best epoch. */
export const runSftStage = (stage: TrainingStage<SftState, SftEvent>): Promise<string> => runStage("sft", stage);

/** Returns the last checkpoint. */
export const runRlStage = (stage: TrainingStage<RlState, RlEvent>): Promise<string> => runStage("rl", stage);

const endpointOf = (event: SftEvent | RlEvent): string | undefined =>
  event.type === "sft-end" || event.type === "rl-end" ? event.checkpoint : undefined;

async function runStage<State extends { readonly checkpoint: string }, Event extends SftEvent | RlEvent>(
  kind: "sft" | "rl",
  stage: TrainingStage<State, Event>,
): Promise<string> {
  const { name, title, folder: path, config, command, total, emit, now } = stage;
  const folder = await openRunFolder(path, { kind, config, command, now });
  try {
    await acceptingDamage({ ...stage, stage: name }, (options) => checkFiles(path, options));
    const finished = await lastEndpoint(path);
    emit({ type: "stage", stage: name, title, total, done: finished ? total : 0 });
    if (finished !== undefined) {
      emit({ type: "finished", stage: name, already: true });
      return finished;
    }
    let endpoint: string | undefined;
    let loss: WeightsLostError | undefined;
    let losses = { since: "", count: 0 };
    do {
      const log = await TrainingLog.open<State>(path);
      try {
        if (loss !== undefined) {
          const since = JSON.stringify(log.resumeFrom ?? "the start");
          losses = { since, count: losses.since === since ? losses.count + 1 : 1 };
          if (losses.count > maxLosses) throw loss;
          await tellLoss(stage, loss.message, log.resumeFrom);
          loss = undefined;
        }
        endpoint = await runLoop(stage, log);
      } catch (error) {
        if (!(error instanceof WeightsLostError) || error === loss) throw error;
        loss = error;
      } finally {
        await log.close();
      }
    } while (loss !== undefined);
    if (endpoint === undefined) throw new Error(`${name} ended without a checkpoint`);
    await recordFiles(path, [descriptionFile, ...Object.values(trainingFiles)]);
    emit({ type: "finished", stage: name, already: false });
    return endpoint;
  } finally {
    await folder.release();
  }
}

async function runLoop<State, Event extends SftEvent | RlEvent>(
  { name, open, loop, emit }: TrainingStage<State, Event>,
  log: TrainingLog<State>,
): Promise<string | undefined> {
  let endpoint: string | undefined;
  const engine = await open();
  try {
    for await (const event of loop(engine, log.resumeFrom)) {
      await log.write(event);
      emit({ type: "loop-event", stage: name, event });
      if (event.type === "sft-step" || event.type === "rl-step")
        emit({ type: "progress", stage: name, done: event.step + 1 });
      endpoint = endpointOf(event) ?? endpoint;
    }
  } finally {
    await engine.dispose();
  }
  return endpoint;
}

async function tellLoss<State extends { readonly checkpoint: string }, Event>(
  { name, folder, emit }: TrainingStage<State, Event>,
  because: string,
  state: State | undefined,
): Promise<void> {
  const resumesFrom = state?.checkpoint ?? "the start";
  await recordIncident(folder, { type: "weights-lost", because, resumesFrom });
  emit({ type: "recovered", stage: name, because, resumesFrom });
}

/** The checkpoint that a finished stage gave to the next; none where it is not finished. */
export async function lastEndpoint(path: string): Promise<string | undefined> {
  let found: string | undefined;
  for await (const event of readEvents(path)) found = endpointOf(event as SftEvent | RlEvent) ?? found;
  return found;
}
