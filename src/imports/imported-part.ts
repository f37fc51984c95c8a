// One part of an imported run as it is written: a policy's rollouts, or those of a training run, in the files of an
// evaluation of ours: problems, rollouts with their texts, grades with who graded, a summary.
import { createHash } from "node:crypto";
import { appendFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomically } from "../base/files.ts";
import { defaultPolicyCard, policyCardFile } from "../engine/policy-card.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { indexEntry, indexLine, RolloutStore, rolloutFiles } from "../evaluation/rollout-store.ts";
import { writeSummary } from "../evaluation/summarize.ts";
import type { Problem } from "../problems/problem.ts";
import { puzzleIdentity } from "../problems/problem-id.ts";
import type { Grade, Rollout, RolloutStage } from "../rollouts/rollout.ts";
import { PackedLogWriter } from "../runs/packed-log.ts";
import { type RunDescription, runFormatVersion } from "../runs/run-folder.ts";
import { isInstance } from "./gold-grading.ts";
import type { Trace } from "./trace.ts";

export type PartKey = { readonly stage: RolloutStage; readonly policy: string };

export class ImportedPart {
  #folder: string;
  readonly #key: PartKey;
  readonly #order: number;
  #log: PackedLogWriter | undefined;
  #problems = new Set<string>();
  /** By problem: the numbers that are taken, and what was answered where records count their attempts themselves. */
  #attempts = new Map<string, { readonly numbers: Set<number>; readonly answers: Set<string> }>();
  #lines: Record<"problems" | "grades" | "index", string[]> = { problems: [], grades: [], index: [] };
  #changed = true;

  constructor(folder: string, key: PartKey, order: number) {
    this.#folder = folder;
    this.#key = key;
    this.#order = order;
  }

  /** False for an attempt that is there already. */
  async add(trace: Trace, problem: string): Promise<boolean> {
    const attempt = this.#attempt(problem, trace);
    if (attempt === undefined) return false;
    this.#changed = true;
    if (this.#log === undefined) await this.#begin(trace);
    if (!this.#problems.has(problem)) {
      this.#problems.add(problem);
      this.#lines.problems.push(JSON.stringify(problemOf(trace, problem)));
    }
    const grade = gradeOf(trace);
    const apart = this.#key.stage === "evaluation";
    const { step, response, responseTokens, truncated, labels, labeledBy, recorded, score } = trace;
    const rollout: Rollout = {
      ...{ problem, attempt, policy: trace.checkpoint, response, state: truncated ? "truncated" : "complete" },
      ...(step !== undefined && { step }),
      ...(responseTokens !== undefined && { responseTokens }),
      ...(!apart && grade && { grade }),
      ...((recorded !== undefined || score !== undefined || grade === undefined) && {
        recorded: { ...(score !== undefined && { score }), ...(recorded !== undefined && { correct: recorded }) },
      }),
      ...(labels && labeledBy && { primitives: [...labels], labeledBy }),
    };
    const { offset, bytes } = await this.#log!.append(rollout);
    if (apart) {
      this.#lines.index.push(JSON.stringify(indexLine(indexEntry(rollout, offset, bytes))));
      if (grade !== undefined) this.#lines.grades.push(JSON.stringify({ problem, attempt, ...grade }));
    }
    return true;
  }

  /** Everything that was added is on disk, and summed up. */
  async finish(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    await this.#log?.close();
    this.#log = undefined;
    for (const [what, lines] of Object.entries(this.#lines))
      await appendFile(
        join(this.#folder, partFiles[what as keyof typeof partFiles]),
        lines.map((line) => `${line}\n`).join(""),
      );
    this.#lines = { problems: [], grades: [], index: [] };
    if (this.#key.stage !== "evaluation") return;
    const store = await RolloutStore.read(this.#folder);
    const problems = await readProblems(this.#folder);
    await writeSummary({ folder: this.#folder, policy: this.#key.policy, problems, store });
    await store.close();
  }

  async moveTo(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await makeFolder(dirname(folder));
    await rename(this.#folder, folder);
    this.#folder = folder;
  }

  #attempt(problem: string, { attempt, step, response }: Trace): number | undefined {
    // Every step of a training run asks anew.
    const key = this.#key.stage === "training" ? `${step} ${problem}` : problem;
    const taken = this.#attempts.get(key) ?? { numbers: new Set<number>(), answers: new Set<string>() };
    this.#attempts.set(key, taken);
    if (attempt !== undefined) {
      // Another answer under a number that is taken is of another sitting, which counted anew.
      const answer = `${attempt} ${createHash("sha256").update(response).digest("base64").slice(0, 12)}`;
      if (taken.answers.has(answer)) return undefined;
      taken.answers.add(answer);
    }
    let own = attempt ?? taken.numbers.size;
    while (taken.numbers.has(own)) own += 1;
    taken.numbers.add(own);
    return own;
  }

  async #begin({ language, step }: Trace): Promise<void> {
    const { stage, policy } = this.#key;
    await makeFolder(this.#folder);
    this.#log = await PackedLogWriter.open(join(this.#folder, rolloutFiles.packed));
    const description: RunDescription = {
      version: runFormatVersion,
      kind: stage === "evaluation" ? "evaluate" : "import",
      created: new Date(0).toISOString(),
      config: { policy, imported: { stage, order: this.#order, ...(stage === "evaluation" && { step }) } },
    };
    await writeFileAtomically(join(this.#folder, "run.json"), `${JSON.stringify(description, null, 2)}\n`);
    if (language !== undefined) {
      const card = { ...defaultPolicyCard, language };
      await writeFileAtomically(join(this.#folder, policyCardFile), `${JSON.stringify(card, null, 2)}\n`);
    }
  }
}

const partFiles = {
  problems: evaluationFiles.problems,
  grades: evaluationFiles.grades,
  index: rolloutFiles.index,
} as const;

function gradeOf({ correct, gradedBy = "recorded", score }: Trace): Grade | undefined {
  if (correct === undefined) return undefined;
  const exact = correct ? 1 : 0;
  return { verdict: correct ? "correct" : "wrong", reward: { exact, total: score ?? exact }, by: gradedBy };
}

/** What the trace tells of what was asked, as far as it can be graded here. */
function problemOf(trace: Trace, id: string): Problem {
  const { prompt = "", set, kind, puzzle, size, gold } = trace;
  const shared = { id, prompt, ...(set !== undefined && { set }) };
  const board = gold !== undefined && typeof gold !== "string" ? gold : puzzleIdentity(trace.problem);
  if (board !== undefined && isInstance(board))
    return { ...shared, kind: "puzzle", puzzle: board.puzzle, instance: board.instance };
  if (typeof gold === "string" && trace.gradedBy === "gold") return { ...shared, kind: "mathematics", answer: gold };
  return {
    ...{ ...shared, kind: "recorded" },
    ...(kind && { domain: kind }),
    ...(puzzle && { puzzle }),
    ...(size && { size }),
    ...(typeof gold === "string" && { answer: gold }),
  };
}
