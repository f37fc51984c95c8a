// The teacher of a recipe: a large model behind a server, or the narrating solver where there is none. Either way a trace is
// kept only if its answer verifies and the student can read it whole.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expectChanges } from "../base/integrity.ts";
import { Random } from "../base/random.ts";
import type { EndpointClient } from "../endpoints/client.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { AppendLog } from "../runs/append-log.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { noRejections, type RejectionCounts, type TeacherTrace } from "../teaching/corpus.ts";
import { checkedCorpus, corpusFiles, finishCorpus } from "../teaching/corpus-folder.ts";
import { narratedAttempt, narratedTraces } from "../teaching/narrated-corpus.ts";
import type { Attempt } from "../teaching/rejection-sampling.ts";
import { acceptingDamage } from "./accepted-damage.ts";
import { sampleTeacher } from "./endpoint-teacher.ts";
import { worldOf } from "./mini/world.ts";
import type { RecipeSettings } from "./settings.ts";
import type { StageEvent } from "./training-stage.ts";

/** Nobody, where SFT was done before. */
export type Teacher =
  | { readonly kind: "none" }
  | { readonly kind: "narrated" }
  | { readonly kind: "endpoint"; readonly client: EndpointClient };

export type TeachingEvent =
  | StageEvent
  | { readonly type: "corpus"; readonly counts: RejectionCounts }
  /** How many of RL's problems SFT has seen a trace of, up to symmetry. */
  | { readonly type: "seen-in-sft"; readonly problems: number; readonly of: number };

type TeachingStage = {
  readonly folder: string;
  readonly settings: RecipeSettings;
  readonly teacher: Teacher;
  readonly problems: readonly PuzzleProblem[];
  readonly countTokens: (text: string) => number;
  readonly emit: (event: TeachingEvent) => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

const stage = "teach";

/** Returns the file that holds the corpus. */
export async function runTeachingStage(teaching: TeachingStage): Promise<string> {
  const { folder, settings, teacher, problems, emit } = teaching;
  const corpus = join(folder, corpusFiles.traces);
  const total = settings.corpus.traces ?? problems.length * settings.corpus.attempts;
  const already = existsSync(join(folder, corpusFiles.counts));
  const who = teacher.kind === "endpoint" ? teacher.client.endpoint.model : "the narrating solver";
  emit({ type: "stage", stage, title: `Traces of ${who}`, total, done: already ? total : 0 });
  if (!already) {
    if (teacher.kind === "endpoint") await askForCorpus(teaching, teacher.client, corpus);
    else await narrateCorpus(teaching, corpus);
  }
  const { counts } = await acceptingDamage({ ...teaching, stage }, (options) => checkedCorpus(folder, options));
  emit({ type: "corpus", counts });
  emit({ type: "finished", stage, already });
  return corpus;
}

async function askForCorpus(
  { folder, settings, problems, countTokens, emit, now, signal }: TeachingStage,
  client: EndpointClient,
  corpus: string,
): Promise<void> {
  const { temperature, maxTokens, attempts } = settings.corpus;
  const own = join(folder, stage);
  const config = { model: client.endpoint.model, temperature, maxTokens, seed: settings.seed };
  const run = await openRunFolder(own, { kind: "teach", config, now });
  try {
    const { finished } = await sampleTeacher({
      ...{ folder: own, problems, attempts, client, maxTokens, countTokens, signal },
      sampling: { temperature, maxTokens },
      seed: settings.seed,
      onAnswer: ({ asked }) => emit({ type: "progress", stage, done: asked }),
    });
    if (!finished) signal?.throwIfAborted();
    const counts = await checkedCorpus(own);
    await expectChanges(own, { growing: [], replaced: Object.values(corpusFiles) });
    await rename(join(own, corpusFiles.traces), corpus);
    await finishCorpus(folder, counts);
    await rm(join(own, corpusFiles.counts));
  } finally {
    await run.release();
  }
}

async function narrateCorpus(teaching: TeachingStage, corpus: string): Promise<void> {
  const { settings, emit, signal } = teaching;
  const { traces } = settings.corpus;
  const counts = noRejections();
  const unfinished = `${corpus}.unfinished`;
  const log = await AppendLog.open(unfinished);
  let pending: TeacherTrace[] = [];
  let told = 0;
  try {
    await log.cutTo(0);
    for (const attempt of narrations(teaching)) {
      counts["kept" in attempt ? "kept" : attempt.rejected] += 1;
      if ("kept" in attempt) pending.push(attempt.kept);
      if (++told % 50 === 0) {
        if (pending.length > 0) await log.append(...pending);
        pending = [];
        emit({ type: "progress", stage, done: traces === undefined ? told : counts.kept });
        // Narrating is all work and no waiting: a signal gets its turn here.
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
      if (counts.kept === traces) break;
    }
    if (pending.length > 0) await log.append(...pending);
  } finally {
    await log.close();
  }
  await rename(unfinished, corpus);
  await finishCorpus(teaching.folder, { counts });
}

/** Each problem as often as it is to be attempted; endless where the number of traces is given. */
function* narrations({ settings, problems, countTokens }: TeachingStage): Generator<Attempt> {
  const { seed, puzzles, corpus } = settings;
  const { attempts, maxTokens } = corpus;
  const telling = { narration: { ...corpus.narration, repertoire: "full" as const }, maxTokens, countTokens };
  if (corpus.traces !== undefined) {
    const sets = (puzzles.teaching ?? puzzles.training).map((world) => {
      const [name, params] = world.split("=");
      return { ...worldOf(name, params), weight: 1 };
    });
    const random = Random.from(seed).child("corpus");
    const stage = puzzles.stages === "apart" ? ("teaching" as const) : undefined;
    yield* narratedTraces({ ...telling, sets, random, tracesPerPuzzle: attempts, stage });
    return;
  }
  const random = Random.from(seed).child("narration");
  for (const { id, puzzle: name, instance, prompt } of problems) {
    const puzzle = puzzleNamed(name);
    const told = { id: instance, instance: puzzle.readId(instance), prompt };
    for (let attempt = 0; attempt < attempts; attempt++)
      yield narratedAttempt(telling, puzzle, told, random.child(id, attempt));
  }
}
