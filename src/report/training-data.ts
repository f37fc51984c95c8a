// The folders of training, as records: SFT curves, RL steps and the rollouts behind them, the teacher's corpus.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { boardSize } from "../problems/problem-id.ts";
import { type Primitive, primitives } from "../rollouts/primitives.ts";
import { rolloutSchema } from "../rollouts/rollout.ts";
import { trainingFiles } from "../runs/training-log.ts";
import { teacherTraceSchema } from "../teaching/corpus.ts";
import { sequenceOf } from "../traces/sequence.ts";
import {
  type RecordedRlStep,
  recordedRlStepSchema,
  recordedSftEndSchema,
  recordedSftEpochSchema,
  recordedSftStepSchema,
} from "../training/recorded-events.ts";
import type { Labeller } from "./labelling.ts";
import type { Gap, ProblemRecord, SftRecord, TraceRecord, TrainingRollout } from "./records.ts";

type TellGap = (gap: Gap) => void;

export async function readRlSteps(folder: string, gap: TellGap): Promise<RecordedRlStep[]> {
  const steps: RecordedRlStep[] = [];
  for await (const value of eventsOf(folder, gap)) {
    const step = recordedRlStepSchema.safeParse(value);
    if (step.success) steps.push(step.data);
  }
  return steps;
}

export async function readSft(
  folder: string,
  gap: TellGap,
): Promise<Pick<SftRecord, "losses" | "epochs" | "bestEpoch">> {
  const losses: { step: number; loss: number }[] = [];
  const epochs: SftRecord["epochs"][number][] = [];
  let bestEpoch: number | undefined;
  for await (const value of eventsOf(folder, gap)) {
    const step = recordedSftStepSchema.safeParse(value);
    const epoch = recordedSftEpochSchema.safeParse(value);
    const end = recordedSftEndSchema.safeParse(value);
    if (step.success) losses.push({ step: step.data.step, loss: step.data.loss });
    if (epoch.success) {
      const { epoch: number, passAt1, rollouts } = epoch.data;
      epochs.push({ epoch: number, passAt1, rollouts, lastStep: losses.at(-1)?.step ?? 0 });
    }
    if (end.success) bestEpoch = end.data.bestEpoch;
  }
  return { losses, epochs, bestEpoch };
}

async function* eventsOf(folder: string, gap: TellGap): AsyncGenerator<unknown> {
  yield* records(folder, trainingFiles.events, gap, "train again; curves over steps are made from it");
}

/** Every readable line of a file. A missing file and unreadable lines are gaps; a torn last line of a live run is not. */
async function* records(folder: string, name: string, gap: TellGap, remedy: string): AsyncGenerator<unknown> {
  const path = join(folder, name);
  if (!existsSync(path)) {
    gap({ missing: name, where: folder, remedy });
    return;
  }
  let unreadable: number | undefined;
  let count = 0;
  for await (const read of readJsonLinesFile(path)) {
    if (unreadable !== undefined) {
      count += 1;
      unreadable = undefined;
    }
    if ("value" in read) yield read.value;
    else unreadable = read.line;
  }
  if (count > 0)
    gap({ missing: `${count} lines of ${name} that are not JSON`, where: folder, remedy: "the rest was read" });
}

const known: ReadonlySet<string> = new Set(primitives);

export async function readTrainingRollouts(folder: string, gap: TellGap): Promise<TrainingRollout[] | undefined> {
  const rollouts: TrainingRollout[] = [];
  let found = true;
  const tell = (missing: Gap) => {
    if (missing.missing === trainingFiles.rollouts) found = false;
    gap(missing);
  };
  const remedy = "intervals over steps and the within-prompt signal table need it";
  for await (const value of records(folder, trainingFiles.rollouts, tell, remedy)) {
    const parsed = rolloutSchema.safeParse(value);
    if (!parsed.success || parsed.data.step === undefined || parsed.data.state === "failed") continue;
    const { problem, step, primitives: labels, surprise } = parsed.data;
    const readable = labels?.every((label) => known.has(label));
    rollouts.push({
      problem,
      step,
      ...(readable && { sequence: sequenceOf(labels as Primitive[]) }),
      ...(surprise && { surprise }),
    });
  }
  return found ? rollouts : undefined;
}

export const corpusFile = "corpus.jsonl";

export async function readTeacher(
  folder: string,
  labeller: Labeller | undefined,
  gap: TellGap,
): Promise<{
  readonly traces: TraceRecord[];
  readonly problems: Map<string, ProblemRecord>;
  readonly labelled: readonly string[];
}> {
  const traces: TraceRecord[] = [];
  const problems = new Map<string, ProblemRecord>();
  const seen = new Map<string, number>();
  const labelled = new Set<string>();
  for await (const value of records(folder, corpusFile, gap, "teach again; the teacher's figures are made from it")) {
    const parsed = teacherTraceSchema.safeParse(value);
    if (!parsed.success) continue;
    const { problem, puzzle, instance, response, tokens, labels } = parsed.data;
    const read = labels ?? labeller?.labels(response);
    if (read === undefined) continue;
    labelled.add(labels === undefined ? labeller!.about : "labels by the teacher itself (exact by construction)");
    const attempt = seen.get(problem) ?? 0;
    seen.set(problem, attempt + 1);
    problems.set(problem, { id: problem, set: "teacher", kind: "puzzle", puzzle, size: boardSize(instance) });
    traces.push({ problem, attempt, correct: true, sequence: sequenceOf(read), tokens });
  }
  return { traces, problems, labelled: [...labelled] };
}
