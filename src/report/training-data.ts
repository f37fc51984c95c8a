// The folders of training, as records: SFT curves, RL steps, and what the bonus sees of their rollouts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Gap } from "../drawing/item.ts";
import type { RolloutSignal, SftRecord } from "../results/records.ts";
import { rolloutSchema } from "../rollouts/rollout.ts";
import { trainingFiles } from "../runs/training-log.ts";
import {
  type RecordedRlStep,
  recordedRlStepSchema,
  recordedSftEndSchema,
  recordedSftEpochSchema,
  recordedSftStepSchema,
} from "../training/recorded-events.ts";

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
  const losses: SftRecord["losses"][number][] = [];
  const epochs: SftRecord["epochs"][number][] = [];
  let bestEpoch: number | undefined;
  for await (const value of eventsOf(folder, gap)) {
    const step = recordedSftStepSchema.safeParse(value);
    const epoch = recordedSftEpochSchema.safeParse(value);
    const end = recordedSftEndSchema.safeParse(value);
    if (step.success) {
      const { type: _, ...loss } = step.data;
      losses.push(loss);
    }
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

/** What the bonus sees of each rollout, for the table of within-prompt signals. */
export async function readSignals(folder: string, gap: TellGap): Promise<RolloutSignal[] | undefined> {
  const signals: RolloutSignal[] = [];
  let found = true;
  const tell = (missing: Gap) => {
    if (missing.missing === trainingFiles.rollouts) found = false;
    gap(missing);
  };
  const remedy = "the repertoire over steps and the within-prompt signal table need it";
  for await (const value of records(folder, trainingFiles.rollouts, tell, remedy)) {
    const parsed = rolloutSchema.safeParse(value);
    if (!parsed.success || parsed.data.step === undefined || parsed.data.state === "failed") continue;
    const { problem, step, surprisal } = parsed.data;
    if (surprisal !== undefined) signals.push({ problem, step, ...surprisal });
  }
  return found ? signals : undefined;
}
