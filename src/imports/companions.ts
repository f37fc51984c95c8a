// What lies beside our own rollouts: grades, which can be made again and so have a file of their own, the problems that
// were asked, and the run that says which language its model speaks.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Language } from "../engine/language.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { problemSchema } from "../problems/problem.ts";
import { problemFacts } from "../problems/problem-facts.ts";
import { gradedKeySchema, rolloutKey } from "../rollouts/rollout.ts";
import { languageOfFolder } from "../runs/run-parts.ts";
import type { Trace } from "./trace.ts";

export type Companions = {
  /** By problem and attempt. Undecided is an attempt that solved nothing, as evaluations count it. */
  readonly grades: ReadonlyMap<string, Pick<Trace, "correct" | "gradedBy">>;
  readonly problems: ReadonlyMap<string, AskedOf>;
  /** What the run says its model speaks. */
  readonly language?: Language;
};

type AskedOf = Pick<Trace, "set" | "kind" | "puzzle" | "size" | "prompt">;

/** By folder and by when its files were last written: grades are made again while a program lives. */
const read = new Map<string, Promise<Companions>>();

export async function companionsOf(folder: string): Promise<Companions> {
  const files = [evaluationFiles.grades, evaluationFiles.problems].map((name) => join(folder, name));
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const key = [folder, ...times].join("\u0000");
  let found = read.get(key);
  if (found === undefined) {
    found = readCompanions(folder);
    read.set(key, found);
  }
  return found;
}

async function readCompanions(folder: string): Promise<Companions> {
  const grades = new Map<string, Pick<Trace, "correct" | "gradedBy">>();
  for await (const value of records(join(folder, evaluationFiles.grades))) {
    const grade = gradedKeySchema.safeParse(value);
    if (grade.success)
      grades.set(rolloutKey(grade.data), { correct: grade.data.verdict === "correct", gradedBy: grade.data.by });
  }
  const problems = new Map<string, AskedOf>();
  for await (const value of records(join(folder, evaluationFiles.problems))) {
    const problem = problemSchema.safeParse(value);
    if (!problem.success) continue;
    const { id, set, prompt } = problem.data;
    problems.set(id, { ...problemFacts(problem.data), set, prompt: prompt || undefined });
  }
  return { grades, problems, language: await languageOfFolder(folder) };
}

async function* records(path: string): AsyncGenerator<unknown> {
  if (!existsSync(path)) return;
  for await (const line of readJsonLinesFile(path)) if ("value" in line) yield line.value;
}

/** The trace with what its neighbors know, where it does not say so itself. */
export function completed(trace: Trace, { grades, problems, language }: Companions): Trace {
  const graded = trace.attempt === undefined ? undefined : grades.get(rolloutKey({ ...trace, attempt: trace.attempt }));
  const asked = problems.get(trace.problem);
  return { ...asked, ...graded, ...withoutHoles(trace), ...(language && { language }) };
}

function withoutHoles(trace: Trace): Trace {
  return Object.fromEntries(Object.entries(trace).filter(([, value]) => value !== undefined)) as Trace;
}
