// The curves of one training stage, kept up with its events as they are written, and the monitor that says whether the
// moves of recovery survive. What a curve and the monitor are is defined in training/curves.ts.
import { join } from "node:path";
import { z } from "zod";
import { Mutex } from "../base/mutex.ts";
import type { Language } from "../engine/language.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { labelerId } from "../traces/labeler.ts";
import { grammarLabeler } from "../traces/labelers/grammar.ts";
import { defaultRecoveryShare, recoveryMonitor, recoveryMoves, rlCurves } from "../training/curves.ts";
import {
  type RecordedPace,
  type RecordedRlStep,
  recordedPaceSchema,
  recordedRlEndSchema,
  recordedRlStepSchema,
} from "../training/recorded-events.ts";
import type { AnalyzedSeries, Gap, RlPoint, RlTraining, RunState, TrainingReply } from "./api.ts";
import { AppendedLines } from "./appended-lines.ts";
import type { FoundStage } from "./run-discovery.ts";
import { plannedSteps } from "./run-state.ts";

export class TrainingSeries {
  readonly #stage: FoundStage;
  readonly #language: Language | undefined;
  readonly #taxonomy: Taxonomy;
  readonly #events: AppendedLines;
  readonly #paces: AppendedLines;
  #points: RlPoint[] = [];
  #end: RlTraining["end"];
  #labeledBy: string | undefined;
  #pace = new Map<number, RecordedPace>();
  #missing = false;
  readonly #mutex = new Mutex();

  constructor(stage: FoundStage, language: Language | undefined, taxonomy: Taxonomy) {
    this.#stage = stage;
    this.#language = language;
    this.#taxonomy = taxonomy;
    this.#events = new AppendedLines(join(stage.folder, trainingFiles.events));
    this.#paces = new AppendedLines(join(stage.folder, trainingFiles.pace));
  }

  /**
   * One reader at a time: two requests must not both append the same lines. Where the loop's own labels are nobody's, the
   * analysis's are shown.
   */
  async reply(
    state: RunState,
    after: number | undefined,
    wordsOf: (labeler: string) => string,
    analyzed?: AnalyzedSeries & { readonly labeled: string },
  ): Promise<TrainingReply> {
    await this.#mutex.take(() => this.#readAppended());
    const { id: stage, description } = this.#stage;
    const planned = plannedSteps("rl", description.config);
    const shared = { stage, state, gaps: this.#gaps(), ...(planned !== undefined && { plannedSteps: planned }) };
    const later = ({ step }: { readonly step: number }) => after === undefined || step > after;
    const counted = this.#points.some(({ primitives }) => primitives !== undefined);
    const points = counted || analyzed === undefined ? this.#points : withLabels(this.#points, analyzed);
    const labeled = counted ? wordsOf(this.#labeledBy!) : analyzed?.labeled;
    const { recover } = this.#taxonomy;
    const moves = points.flatMap(({ primitives }) => recoveryMoves(primitives, recover) ?? []);
    return {
      kind: "rl",
      ...shared,
      points: points.filter(later).map((point) => this.#paced(point)),
      monitor: recoveryMonitor(moves, recover, recoveryShare(description.config)),
      ...(labeled && { labeled }),
      ...(this.#end && { end: this.#end }),
    };
  }

  async #readAppended(): Promise<void> {
    const events = await this.#events.read();
    this.#missing = events === undefined;
    if (events?.restarted) {
      this.#points = [];
      this.#end = this.#labeledBy = undefined;
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
    if (point !== undefined) this.#points.push(this.#pointOf(point));
    const { type: _, ...end } = recordedRlEndSchema.safeParse(value).data ?? {};
    if ("steps" in end) this.#end = end;
  }

  #pointOf(step: RecordedRlStep): RlPoint {
    const { learningRate, groups, recovery, warnings, labeledBy } = step;
    const curves = rlCurves.flatMap(({ id, read }) => {
      const value = read(step);
      return value === undefined ? [] : [[id, value]];
    });
    // Counts of version 0.1 do not say whose they are; only of a terse model it is known.
    const known = labeledBy !== undefined || this.#language === "terse";
    const counts = known ? step.primitives : undefined;
    if (counts !== undefined) this.#labeledBy = labeledBy ?? labelerId(grammarLabeler.description);
    return {
      ...{ step: step.step, problems: step.problems, rollouts: step.rollouts, reward: step.reward, warnings },
      solveRateByFamily: step.solveRateByFamily,
      curves: Object.fromEntries(curves),
      ...(learningRate !== undefined && { learningRate }),
      ...(groups && { groups }),
      ...(recovery && { recovery }),
      ...(counts && {
        primitives: Object.fromEntries(this.#taxonomy.labels.map(({ name }) => [name, counts[name] ?? 0])),
      }),
    };
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

function withLabels(points: readonly RlPoint[], { points: analyzed }: AnalyzedSeries): RlPoint[] {
  const counts = new Map(analyzed.map(({ step, primitives }) => [step, primitives]));
  return points.map((point) => {
    const primitives = counts.get(point.step);
    return primitives === undefined ? point : { ...point, primitives };
  });
}

const alarmsSchema = z.object({ alarms: z.object({ recoveryShare: z.number() }) });

/** The run's own alarm, where it has one. */
const recoveryShare = (config: Readonly<Record<string, unknown>>): number =>
  alarmsSchema.safeParse(config).data?.alarms.recoveryShare ?? defaultRecoveryShare;
