// Forks as a stage: moves of the rollouts of one evaluation, gone on from by one policy, in `forks/<name>/` of the run.
import { join } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { checkFiles, expectChanges, recordFiles } from "../base/integrity.ts";
import { Random } from "../base/random.ts";
import { checkEvaluation, readProblems } from "../evaluation/evaluation-folder.ts";
import { readGrades } from "../evaluation/grades.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Sampler, SamplingSettings } from "../evaluation/sampler.ts";
import { withReasoning } from "../imports/trace.ts";
import type { Problem } from "../problems/problem.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { rolloutKey } from "../rollouts/rollout.ts";
import { AppendLog } from "../runs/append-log.ts";
import { puzzlePools } from "../runs/recipe-names.ts";
import { descriptionFile, openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { languageOfFolder, type RunPart } from "../runs/run-parts.ts";
import {
  chosenForks,
  type ForkChoice,
  forkAt,
  type LabeledRollout,
  type readSpanAddress,
} from "../traces/forks/choose.ts";
import { forkEffects, forkStories } from "../traces/forks/effects.ts";
import type { Fork } from "../traces/forks/fork.ts";
import {
  type ForkResult,
  forkFiles,
  forksFolder,
  readDraws,
  readForks,
  writeForkResult,
  writeForks,
} from "../traces/forks/fork-folder.ts";
import { continuations, type ForkSettings, sampleForks } from "../traces/forks/fork-loop.ts";
import { labelerWords } from "../traces/labeler.ts";
import { defaultLabeler, type LabelerSpec, readerOf } from "../traces/labeler-spec.ts";
import { labelsOf, sequenceOf, writeSequence } from "../traces/sequence.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { StageEvent } from "./training-stage.ts";

export type OpenedSampler = { readonly sampler: Sampler; readonly close: () => Promise<void> };

export type ForkStage = {
  /** The run that the forks are of. */
  readonly run: string;
  /** Inside its `forks/`. */
  readonly name: string;
  /** The evaluation whose rollouts are forked. */
  readonly of: Pick<RunPart, "name" | "folder">;
  /** The policy that goes on from them. */
  readonly by: string;
  readonly choice: ForkChoice;
  readonly sets?: readonly string[];
  /** These and no others, where given. */
  readonly spans?: readonly ReturnType<typeof readSpanAddress>[];
  readonly settings: ForkSettings;
  readonly sampling: SamplingSettings;
  readonly open: () => Promise<OpenedSampler>;
  /** The problem as the policy that goes on is asked it; as it was asked unless given. */
  readonly asked?: (problem: Problem) => Problem;
  /** Its prompts end inside an open `<think>`. */
  readonly thinks?: boolean;
  readonly labeler?: LabelerSpec;
  readonly command?: string;
  readonly emit: (event: StageEvent) => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
};

export const forkName = (of: string, by: string, { moves }: Pick<ForkChoice, "moves">): string =>
  [of, ...(by === of ? [] : ["by", by.replaceAll(/[^\w.-]+/g, "-")]), ...moves.map((move) => move.join("-"))].join("-");

/** Undefined where it was stopped before its end. */
export async function runForkStage(stage: ForkStage): Promise<ForkResult | undefined> {
  const { run, name, of, by, choice, sets, spans, settings, sampling, labeler = defaultLabeler, emit, signal } = stage;
  const { n, tries: _, ...identity } = settings;
  const path = join(run, forksFolder, name);
  const about = { stage: `fork ${name}`, title: `Forks: ${name}` };
  const folder = await openRunFolder(path, {
    kind: "fork",
    config: { of: of.name, by, ...choice, sets, spans, ...identity, sampling },
    command: stage.command,
    now: stage.now,
  });
  const graders = new ProblemGraders();
  try {
    const problems = new Map((await readProblems(of.folder)).map((problem) => [problem.id, problem]));
    const reader = await readerOf(labeler);
    const language = await languageOfFolder(of.folder);
    const read = async (response: string, { problem }: Pick<Fork, "problem">) => {
      const { spans, sequence, labeledBy } = await reader.read({
        response,
        language,
        prompt: problems.get(problem)?.prompt,
      });
      const letters = writeSequence(sequence, reader.alphabet);
      return { spans, labels: labelsOf(sequence, reader.alphabet), letters, labeledBy };
    };
    await checkFiles(path);
    const before = await readForks(path);
    const forks = before ?? (await chosen(stage, problems, read));
    if (forks.length === 0) throw new NothingToFork(stage, reader);
    if (before === undefined) await writeForks(path, forks);
    await graders.prepare(forks.map(({ problem }) => problems.get(problem)!));
    const graderCache = new Map<string, ReturnType<ProblemGraders["of"]>>();
    const graderOf = (problem: string) => {
      const grade = graderCache.get(problem) ?? graders.of(problems.get(problem)!);
      graderCache.set(problem, grade);
      return grade;
    };
    const log = await AppendLog.open(join(path, forkFiles.draws));
    let stopped = false;
    let already = false;
    try {
      const known = await readDraws(path);
      const all = [...continuations(forks, n, known).values()];
      const missing = all.filter((one) => one.isOpen(settings.tries)).length;
      already = missing === 0;
      emit({ type: "stage", ...about, total: all.length, done: all.length - missing });
      if (!already) {
        await expectChanges(path, { growing: [forkFiles.draws], replaced: [forkFiles.result] });
        const { sampler, close } = await stage.open();
        try {
          const { asked = (problem) => problem, thinks } = stage;
          const events = sampleForks({
            ...{ forks, settings, known, sampler, read, graderOf, signal },
            asked: ({ problem }) => asked(problems.get(problem)!),
            sent: (response) => (thinks ? response.replace(/^\s*<think>\s*/, "") : response),
          });
          for await (const event of events) {
            if (event.type === "fork-draw") {
              await log.append(event.draw);
              emit({ type: "progress", stage: about.stage, done: event.done });
            }
            if (event.type === "fork-end") stopped = event.stopped;
          }
        } finally {
          await close();
        }
      }
    } finally {
      await log.close();
    }
    if (stopped) return undefined;
    const result = await resultOf(
      stage,
      path,
      forks,
      problems,
      reader,
      labelerWords((await read("", forks[0])).labeledBy),
    );
    await writeForkResult(path, result);
    await recordFiles(path, [descriptionFile, ...Object.values(forkFiles)]);
    emit({ type: "finished", stage: about.stage, already });
    return result;
  } finally {
    await graders.close();
    await folder.release();
  }
}

type Reading = (
  response: string,
  of: Pick<Fork, "problem">,
) => Promise<Pick<LabeledRollout, "spans" | "labels"> & { readonly letters: string }>;

async function chosen(
  { of, choice, sets, spans, settings }: ForkStage,
  problems: ReadonlyMap<string, Problem>,
  read: Reading,
): Promise<Fork[]> {
  await checkEvaluation(of.folder);
  const correct = new Map<string, boolean>();
  for await (const grade of readGrades(of.folder)) correct.set(rolloutKey(grade), grade.verdict === "correct");
  const store = await RolloutStore.read(of.folder);
  try {
    const readRollout = async (problem: string, attempt: number): Promise<LabeledRollout | undefined> => {
      const entry = store.get(problem, attempt);
      if (entry === undefined || entry.state === "failed") return undefined;
      const { reasoning, response } = await store.rollout(entry);
      const text = withReasoning(reasoning, response);
      const { letters: sequence, ...labeled } = await read(text, { problem });
      const right = correct.get(rolloutKey({ problem, attempt }));
      return { problem, attempt, text, sequence, ...labeled, ...(right !== undefined && { correct: right }) };
    };
    if (spans !== undefined) {
      const forks = [];
      for (const { problem, attempt, first, count } of spans) {
        const rollout = problems.has(problem) ? await readRollout(problem, attempt) : undefined;
        if (rollout === undefined) throw new ConfigurationError(`${of.name} has no rollout ${problem}#${attempt}`);
        forks.push(forkAt(rollout, first, count));
      }
      return forks;
    }
    const attempts = new Map<string, number[]>();
    for (const { problem, attempt } of store.entries())
      attempts.set(problem, [...(attempts.get(problem) ?? []), attempt]);
    const asked = [...problems.values()].filter(
      ({ kind, set }) => kind !== "recorded" && (sets === undefined || (set !== undefined && sets.includes(set))),
    );
    const random = Random.from(settings.seed).child("choice");
    return await chosenForks(asked, (problem) => attempts.get(problem) ?? [], readRollout, choice, random);
  } finally {
    await store.close();
  }
}

/** No rollout makes the move: nothing to fork, and where several policies are asked no reason to stop. */
export class NothingToFork extends ConfigurationError {
  constructor({ of, choice, sets }: ForkStage, { alphabet }: TraceReader) {
    const moves = choice.moves.map((move) => move.join(" ")).join(" or ");
    const where = sets === undefined ? "" : ` on ${sets.join(", ")}`;
    super(
      `no rollout of ${of.name}${where} that can be graded here makes the move ${moves}; labels: ${alphabet.labels.join(", ")}`,
    );
  }
}

async function resultOf(
  { run, of, by, settings }: ForkStage,
  path: string,
  forks: readonly Fork[],
  problems: ReadonlyMap<string, Problem>,
  { alphabet }: TraceReader,
  labeled: string,
): Promise<ForkResult> {
  const { n, without } = settings;
  const draws = await readDraws(path);
  const all = [...continuations(forks, n, draws).values()];
  const stories = forkStories(forks, all, problems);
  const lettersOf = (move: readonly string[]) => writeSequence(sequenceOf(move, alphabet), alphabet);
  const pools = puzzlePools([(await readRunDescription(run)).config]);
  const sum = (of: (draw: (typeof draws)[number]) => number | undefined) =>
    draws.reduce((total, draw) => total + (of(draw) ?? 0), 0);
  return {
    ...{ of: of.name, by, n, without, labeled, stories },
    effects: forkEffects(stories, lettersOf, pools),
    draws: draws.length,
    failed: draws.filter(({ outcome }) => outcome === "failed").length,
    responseTokens: sum(({ responseTokens }) => responseTokens),
    ...(draws.some(({ cost }) => cost !== undefined) && { cost: sum(({ cost }) => cost) }),
  };
}
