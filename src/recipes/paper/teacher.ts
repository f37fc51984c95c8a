// The paper's teacher: a large model behind a server, or the narrating solver where there is none. Either way a trace is
// kept only if its answer verifies and the student can read it whole.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expectChanges } from "../../base/integrity.ts";
import { Random } from "../../base/random.ts";
import type { EndpointClient } from "../../endpoints/client.ts";
import type { PuzzleProblem } from "../../problems/problem.ts";
import { puzzleNamed } from "../../puzzles/catalog.ts";
import { puzzleResponse } from "../../puzzles/prompt.ts";
import { AppendLog } from "../../runs/append-log.ts";
import { openRunFolder } from "../../runs/run-folder.ts";
import { noRejections, type RejectionCounts } from "../../teaching/corpus.ts";
import { checkedCorpus, corpusFiles, finishCorpus } from "../../teaching/corpus-folder.ts";
import { narrate } from "../../teaching/narrator.ts";
import { type Attempt, rejectionSampler } from "../../teaching/rejection-sampling.ts";
import { acceptingDamage } from "../accepted-damage.ts";
import { askTeacher } from "../endpoint-teacher.ts";
import type { StageEvent } from "../training-stage.ts";
import type { PaperSettings } from "./settings.ts";

/** Nobody, where SFT was done before. */
export type Teacher =
  | { readonly kind: "none" }
  | { readonly kind: "narrated" }
  | { readonly kind: "endpoint"; readonly client: EndpointClient };

export type TeachingEvent = StageEvent | { readonly type: "corpus"; readonly counts: RejectionCounts };

type TeachingStage = {
  readonly folder: string;
  readonly settings: PaperSettings;
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
  const total = problems.length * settings.corpus.attempts;
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
    const { finished } = await askTeacher({
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
  const { settings, problems, emit, signal } = teaching;
  const counts = noRejections();
  const unfinished = `${corpus}.unfinished`;
  const log = await AppendLog.open(unfinished);
  const random = Random.from(settings.seed).child("narration");
  let done = 0;
  try {
    await log.cutTo(0);
    for (const problem of problems) {
      signal?.throwIfAborted();
      const kept = [];
      for (let telling = 0; telling < settings.corpus.attempts; telling++) {
        const attempt = narrated(teaching, problem, random.child(problem.id, telling));
        if ("kept" in attempt) kept.push(attempt.kept);
        counts["kept" in attempt ? "kept" : attempt.rejected] += 1;
        done += 1;
      }
      if (kept.length > 0) await log.append(...kept);
      if (done % 50 === 0) {
        emit({ type: "progress", stage, done });
        // Narrating is all work and no waiting: a signal gets its turn here.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  } finally {
    await log.close();
  }
  await rename(unfinished, corpus);
  await finishCorpus(teaching.folder, { counts });
}

function narrated({ settings, countTokens }: TeachingStage, problem: PuzzleProblem, random: Random): Attempt {
  const { narration, maxTokens } = settings.corpus;
  const instance = puzzleNamed(problem.puzzle).readId(problem.instance);
  const told = narrate(problem.puzzle, instance, { ...narration, repertoire: "full", random });
  if (told.answer === undefined) return { rejected: "gave up" };
  const { style, guessing, errorRate } = narration;
  const source = { teacher: "narrator", style, guessing, errorRate, repertoire: "full" } as const;
  const response = puzzleResponse(told.steps.map(({ text }) => text).join("\n\n"), told.answer);
  const attempt = rejectionSampler(problem, { maxTokens, countTokens, source })({ state: "complete", response });
  if ("rejected" in attempt) return attempt;
  return { kept: { ...attempt.kept, labels: told.steps.map(({ primitive }) => primitive) } };
}
