// What a training loop tells, written into its run folder as it happens: events, rollouts, and where to go on from.
// Whatever was written after the last checkpoint is cut off when a run goes on, so that a killed and resumed run leaves
// the same files as one that was never stopped.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RunFolderError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { AppendLog } from "./append-log.ts";

/** Any event is a record with a type; those that carry a state or rollouts are treated as their fields say. */
export type LoopEvent = { readonly type: string; readonly state?: unknown; readonly rollouts?: unknown };

const resumePointSchema = z.object({
  state: z.unknown(),
  bytes: z.object({ events: z.number(), rollouts: z.number(), pace: z.number() }),
  /** SHA-256 of those bytes. */
  sha256: z.object({ events: z.string(), rollouts: z.string(), pace: z.string() }).optional(),
});

export const trainingFiles = {
  events: "events.jsonl",
  rollouts: "rollouts.jsonl",
  pace: "pace.jsonl",
  state: "state.json",
} as const;

export class TrainingLog<State> {
  readonly #path: string;
  readonly #events: AppendLog;
  readonly #rollouts: AppendLog;
  /** Times differ from run to run, so they have a file of their own. */
  readonly #pace: AppendLog;
  /** Where the loop goes on; absent for a fresh run. */
  readonly resumeFrom: State | undefined;

  private constructor(path: string, logs: readonly AppendLog[], resumeFrom: State | undefined) {
    this.#path = path;
    [this.#events, this.#rollouts, this.#pace] = logs;
    this.resumeFrom = resumeFrom;
  }

  static async open<State>(folder: string): Promise<TrainingLog<State>> {
    const point = await readResumePoint(join(folder, trainingFiles.state));
    const names = ["events", "rollouts", "pace"] as const;
    const logs = await Promise.all(names.map((name) => AppendLog.open(join(folder, trainingFiles[name]))));
    for (const [i, log] of logs.entries()) {
      const wanted = point?.bytes[names[i]] ?? 0;
      if (log.bytes < wanted) {
        throw new RunFolderError(
          `${log.path} is shorter than its checkpoint says (${log.bytes} of ${wanted} bytes): records are missing; ` +
            "restore the file or remove the run and start again",
        );
      }
      if (point === undefined) await refuseLostState(folder, log);
      await log.cutTo(wanted);
      const recorded = point?.sha256?.[names[i]];
      if (recorded !== undefined && recorded !== (await log.digest()).sha256) {
        throw new RunFolderError(
          `${log.path} is not what it was at the last checkpoint (SHA-256 of its first ${wanted} bytes differs); ` +
            "restore the file or remove the run and start again",
        );
      }
    }
    return new TrainingLog(folder, logs, point?.state as State | undefined);
  }

  async write(event: LoopEvent): Promise<void> {
    if (Array.isArray(event.rollouts)) await this.#rollouts.append(...event.rollouts);
    else if (event.type.endsWith("-pace")) await this.#pace.append(event);
    else await this.#events.append(event);
    if (event.state === undefined) return;
    const [events, rollouts, pace] = await Promise.all(
      [this.#events, this.#rollouts, this.#pace].map((log) => log.digest()),
    );
    const bytes = { events: events.bytes, rollouts: rollouts.bytes, pace: pace.bytes };
    const sha256 = { events: events.sha256, rollouts: rollouts.sha256, pace: pace.sha256 };
    const point = JSON.stringify({ state: event.state, bytes, sha256 });
    await writeFileAtomically(join(this.#path, trainingFiles.state), `${point}\n`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#rollouts.close(), this.#pace.close()]);
  }
}

/** The events of a run so far; a line that is torn is passed over. */
export async function* readEvents(folder: string): AsyncGenerator<unknown> {
  const path = join(folder, trainingFiles.events);
  if (!existsSync(path)) return;
  for await (const read of readJsonLinesFile(path)) if ("value" in read) yield read.value;
}

/**
 * A run that has saved checkpoints has a state; without it everything would be done again without a word. One checkpoint
 * may have been told without its state: the process was killed in between.
 */
async function refuseLostState(folder: string, log: AppendLog): Promise<void> {
  let checkpoints = 0;
  for await (const read of readJsonLinesFile(log.path)) {
    if ("value" in read && statefulSchema.safeParse(read.value).success) checkpoints += 1;
  }
  if (checkpoints > 1) {
    throw new RunFolderError(
      `${join(folder, trainingFiles.state)} is missing, and ${log.path} tells of ${checkpoints} checkpoints; ` +
        "restore it, or remove the run and start again",
    );
  }
}

const statefulSchema = z.object({ type: z.string(), state: z.looseObject({ checkpoint: z.string() }) });

async function readResumePoint(path: string): Promise<z.infer<typeof resumePointSchema> | undefined> {
  if (!existsSync(path)) return undefined;
  return readJsonFile(path, resumePointSchema, { error: RunFolderError, remedy: "remove the run and start again" });
}
