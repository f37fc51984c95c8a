// The curves of one training stage, kept up with its events as they are written, and the monitor that says whether the
// moves of recovery survive.
import { join } from "node:path";
import { z } from "zod";
import { type Primitive, primitives, recoveryPrimitives } from "../rollouts/primitives.ts";
import { trainingFiles } from "../runs/training-log.ts";
import {
  type RecordedPace,
  type RecordedRlStep,
  recordedPaceSchema,
  recordedRlEndSchema,
  recordedRlStepSchema,
  recordedSftEndSchema,
  recordedSftEpochSchema,
  recordedSftStepSchema,
} from "../training/recorded-events.ts";
import type { Gap, RepertoireMonitor, RlPoint, RlTraining, RunState, SftTraining, TrainingReply } from "./api.ts";
import { AppendedLines } from "./appended-lines.ts";
import type { FoundStage } from "./run-discovery.ts";
import { plannedSteps } from "./run-state.ts";

export class TrainingSeries {
  readonly #stage: FoundStage;
  readonly #events: AppendedLines;
  readonly #paces: AppendedLines;
  #points: RlPoint[] = [];
  #end: RlTraining["end"];
  #pace = new Map<number, RecordedPace>();
  #losses: SftTraining["losses"][number][] = [];
  #epochs: SftTraining["epochs"][number][] = [];
  #bestEpoch: number | undefined;
  #missing = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(stage: FoundStage) {
    this.#stage = stage;
    this.#events = new AppendedLines(join(stage.folder, trainingFiles.events));
    this.#paces = new AppendedLines(join(stage.folder, trainingFiles.pace));
  }

  /** One reader at a time: two requests must not both append the same lines. */
  async reply(state: RunState, after: number | undefined): Promise<TrainingReply> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#readAppended());
    await this.#reading;
    const { id: stage, kind, description } = this.#stage;
    const planned = kind === "rl" || kind === "sft" ? plannedSteps(kind, description.config) : undefined;
    const shared = { stage, state, gaps: this.#gaps(), ...(planned !== undefined && { plannedSteps: planned }) };
    const later = ({ step }: { readonly step: number }) => after === undefined || step > after;
    if (kind === "sft") {
      return {
        kind,
        ...shared,
        losses: this.#losses.filter(later),
        epochs: this.#epochs,
        ...(this.#bestEpoch !== undefined && { bestEpoch: this.#bestEpoch }),
      };
    }
    return {
      kind: "rl",
      ...shared,
      points: this.#points.filter(later).map((point) => this.#paced(point)),
      monitor: repertoireMonitor(this.#points, recoveryShare(description.config)),
      ...(this.#end && { end: this.#end }),
    };
  }

  async #readAppended(): Promise<void> {
    const events = await this.#events.read();
    this.#missing = events === undefined;
    if (events?.restarted) {
      this.#points = [];
      this.#losses = [];
      this.#epochs = [];
      this.#end = this.#bestEpoch = undefined;
    }
    for (const value of events?.values ?? []) this.#take(value);
    const paces = await this.#paces.read();
    if (paces?.restarted) this.#pace.clear();
    for (const value of paces?.values ?? []) {
      const pace = recordedPaceSchema.safeParse(value).data;
      if (pace !== undefined) this.#pace.set(pace.step, pace);
    }
  }

  #take(value: unknown): void {
    const point = recordedRlStepSchema.safeParse(value).data;
    if (point !== undefined) this.#points.push(pointOf(point));
    const { type: _, ...end } = recordedRlEndSchema.safeParse(value).data ?? {};
    if ("steps" in end) this.#end = end;
    const loss = recordedSftStepSchema.safeParse(value).data;
    if (loss !== undefined) {
      const { type: _, ...own } = loss;
      this.#losses.push(own);
    }
    const epoch = recordedSftEpochSchema.safeParse(value).data;
    if (epoch !== undefined) {
      const { epoch: number, passAt1, rollouts } = epoch;
      this.#epochs.push({ epoch: number, passAt1, rollouts, lastStep: this.#losses.at(-1)?.step ?? 0 });
    }
    this.#bestEpoch = recordedSftEndSchema.safeParse(value).data?.bestEpoch ?? this.#bestEpoch;
  }

  #paced(point: RlPoint): RlPoint {
    const pace = this.#pace.get(point.step);
    return pace === undefined
      ? point
      : { ...point, tokensPerSecond: pace.sampledTokensPerSecond, seconds: pace.seconds };
  }

  #gaps(): Gap[] {
    const where = this.#stage.id;
    const gaps: Gap[] = [];
    if (this.#missing)
      gaps.push({
        missing: trainingFiles.events,
        where,
        remedy: "curves over steps are made from it; it comes with the first step",
      });
    if (this.#events.unreadable > 0)
      gaps.push({
        missing: `${this.#events.unreadable} lines of ${trainingFiles.events} that are not JSON`,
        where,
        remedy: "the rest was read",
      });
    return gaps;
  }
}

function pointOf({ type: _, updates, primitives: counts, ...own }: RecordedRlStep): RlPoint {
  const mean = (name: keyof (typeof updates)[number]) => {
    const values = updates.flatMap((update) => update[name] ?? []);
    return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;
  };
  const [kl, clippedShare, gradientNorm] = [mean("kl"), mean("clippedShare"), mean("gradientNorm")];
  return {
    ...own,
    ...(kl !== undefined && { kl }),
    ...(clippedShare !== undefined && { clippedShare }),
    ...(gradientNorm !== undefined && { gradientNorm }),
    ...(counts && {
      primitives: Object.fromEntries(primitives.map((name) => [name, counts[name] ?? 0])) as Record<Primitive, number>,
    }),
  };
}

const alarmsSchema = z.object({ alarms: z.object({ recoveryShare: z.number() }) });

/** Half of the start, unless the run has an alarm of its own. */
const recoveryShare = (config: Readonly<Record<string, unknown>>): number =>
  alarmsSchema.safeParse(config).data?.alarms.recoveryShare ?? 0.5;

/** Steps whose mean is the start, and whose mean is now: a single step is mostly luck. */
const window = 3;

export function repertoireMonitor(points: readonly RlPoint[], share: number): RepertoireMonitor {
  const moves = points.flatMap(({ primitives: counts }) =>
    counts === undefined ? [] : [recoveryPrimitives.reduce((total, name) => total + counts[name], 0)],
  );
  if (moves.length === 0) return { share };
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const start = mean(moves.slice(0, window));
  const now = mean(moves.slice(-window));
  // Before the windows part there is nothing to compare.
  if (moves.length <= window || start === 0 || now >= share * start) return { share, start, now };
  const percent = Math.round((100 * now) / start);
  const warning =
    `recovery moves (hypothesize and backtrack) fell to ${now.toFixed(2)} a trace, ${percent} % of the ${start.toFixed(2)} at the start; ` +
    "the policy is losing its way out of failing lines, which a novelty bonus is there to keep";
  return { share, start, now, warning };
}
