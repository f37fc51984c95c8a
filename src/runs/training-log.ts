// What a training loop tells, written into its run folder as it happens: events, rollouts, and where to go on from.
// Whatever was written after the last checkpoint is cut off when a run goes on, so that a killed and resumed run leaves
// the same files as one that was never stopped.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, RunFolderError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { AppendLog } from "./append-log.ts";

/** Any event is a record with a type; those that carry a state or rollouts are treated as their fields say. */
export type LoopEvent = { readonly type: string; readonly state?: unknown; readonly rollouts?: unknown };

const resumePointSchema = z.object({
  state: z.unknown(),
  bytes: z.object({ events: z.number(), rollouts: z.number(), pace: z.number() }),
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
      await log.cutTo(wanted);
    }
    return new TrainingLog(folder, logs, point?.state as State | undefined);
  }

  async write(event: LoopEvent): Promise<void> {
    if (Array.isArray(event.rollouts)) await this.#rollouts.append(...event.rollouts);
    else if (event.type.endsWith("-pace")) await this.#pace.append(event);
    else await this.#events.append(event);
    if (event.state === undefined) return;
    const bytes = { events: this.#events.bytes, rollouts: this.#rollouts.bytes, pace: this.#pace.bytes };
    const point = JSON.stringify({ state: event.state, bytes });
    await writeFileAtomically(join(this.#path, trainingFiles.state), `${point}\n`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#rollouts.close(), this.#pace.close()]);
  }
}

async function readResumePoint(path: string): Promise<z.infer<typeof resumePointSchema> | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    return resumePointSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new RunFolderError(`${path} cannot be read (${messageOf(error)}); remove the run and start again`);
  }
}
