// Which column holds what: names that columns often have, names that a user gives, and what their values mean. A user's columns
// are believed in any format; the usual names are for records that no single program owns.

import { type ColumnMapping, type Row, type Unusable, unusable } from "./row-format.ts";
import {
  gradeAmong,
  gradeOf,
  listOf,
  numberIn,
  numberOf,
  objectOf,
  promptText,
  scoreOf,
  solvedOf,
  textOf,
  thinkingAndText,
  valueAt,
} from "./row-values.ts";
import { stepName } from "./step-name.ts";
import { domainNamed, type Trace } from "./trace.ts";

/** Tried in this order where no mapping says otherwise. */
// biome-ignore format: a table
export const usualColumns = {
  response: [
    "response", "output", "completion", "generation", "answer_text", "generated_solution", "generated_text", "model_response",
    "model_output", "text", "trace", "rollout", "generations", "responses", "completions", "outputs", "samples",
    "model_responses", "model_outputs",
  ],
  problem: ["problem", "problem_id", "problem_idx", "unique_id", "question_id", "task_id"],
  prompt: ["prompt", "question", "input", "instruction", "query"],
  correct: [
    "correct", "is_correct", "solved", "verdict", "acc", "correctness", "correctness_math_verify", "passed", "accuracy", "grade",
    "grades", "verdicts", "grader", "graders",
  ],
  score: ["score", "reward", "scores", "rewards"],
  checkpoint: ["checkpoint", "model", "generation_model", "policy"],
  step: ["step", "global_step", "training_step", "train_step", "gen_step"],
  attempt: ["attempt", "sample_idx", "sample", "epoch", "rollout"],
  set: ["set", "benchmark", "dataset", "data_source"],
  kind: ["kind", "domain"],
  puzzle: ["puzzle"],
  size: ["size"],
  reasoning: ["reasoning", "reasoning_content", "thinking"],
} as const;

export type Column = keyof typeof usualColumns;

/** The first usual column that holds something. */
export function usualValue(row: Row, what: Column): unknown {
  const there = usualColumns[what].filter((column) => column in row);
  const usual = there.find((column) => row[column] !== null && row[column] !== undefined) ?? there[0];
  return usual === undefined ? undefined : row[usual];
}

/** What a row may hold a list of, an entry for each of its responses. */
export const ofEachResponse = [
  "correct",
  "score",
  "checkpoint",
  "step",
  "attempt",
  "reasoning",
] as const satisfies readonly Column[];

/** A grade, or the first one within a record of graders. */
function gradeIn(value: unknown, depth = 0): boolean | undefined {
  const record = objectOf(value);
  if (record === undefined) return gradeOf(value);
  const own = gradeAmong(record) ?? gradeOf(record.verdict ?? record.grade ?? record.correct);
  if (own !== undefined || depth > 2) return own;
  for (const inner of Object.values(record)) {
    const found = objectOf(inner) === undefined ? undefined : gradeIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function scoreIn(value: unknown): number | undefined {
  const parts = objectOf(value);
  return scoreOf(parts === undefined ? value : (parts.total ?? parts.score ?? parts.reward));
}

const nameOf = (value: unknown): string | undefined => textOf(value) ?? numberOf(value)?.toString();

/** What a value means in each role, but for the response itself. */
export const roles = {
  problem: (value) => ({ problem: nameOf(value) }),
  prompt: (value) => ({ prompt: promptText(value) }),
  // A column that the user names may hold scores, of which 1 and more are right.
  correct: (value, mapped) => ({ correct: (mapped ? solvedOf(value) : undefined) ?? gradeIn(value) }),
  score: (value) => ({ score: scoreIn(value) }),
  checkpoint: (value) => ({ checkpoint: nameOf(value) }),
  step: (value) => ({ step: numberIn(value) }),
  attempt: (value) => ({ attempt: numberIn(value) }),
  set: (value) => ({ set: nameOf(value) }),
  kind: (value) => ({ kind: domainNamed(textOf(value) ?? "") }),
  puzzle: (value) => ({ puzzle: textOf(value) }),
  size: (value) => ({ size: textOf(value) }),
} as const satisfies Partial<Record<Column, (value: unknown, mapped: boolean) => Partial<Trace>>>;

/** A model at a step, unless its name says the step already: `run-step-8` and `run-8` do, `Qwen3-8B` does not. */
export function checkpointAt(name: string | undefined, step: number | undefined): string | undefined {
  if (step === undefined) return name;
  const says = new RegExp(`(?:step|ckpt|checkpoint|iter|iteration)[-_ ]*0*${step}(?!\\d)|(?:^|[-_ ])0*${step}$`, "i");
  return name !== undefined && says.test(name) ? name : stepName(name, step);
}

/** Traces of any format, with what the user's columns say of them instead. */
export function withColumns(
  traces: readonly (Trace | Unusable)[],
  row: Row,
  columns: ColumnMapping,
  named: boolean,
): readonly (Trace | Unusable)[] | Unusable {
  const changed: (Trace | Unusable)[] = [];
  for (const [i, trace] of traces.entries()) {
    if ("unusable" in trace) {
      changed.push(trace);
      continue;
    }
    const told: Record<string, unknown> = {};
    let thinking = "";
    for (const [what, column] of Object.entries(columns) as [Column, string][]) {
      const whole = valueAt(row, column);
      const list = (ofEachResponse as readonly string[]).includes(what) ? listOf(whole) : undefined;
      if (list !== undefined && list.length !== traces.length)
        return unusable(`${what} has ${list.length} entries for ${traces.length} responses`);
      // One grade or score for several responses is nobody's in particular.
      if (list === undefined && traces.length > 1 && (what === "correct" || what === "score")) continue;
      const value = list === undefined ? whole : list[i];
      if (what === "reasoning") thinking = textOf(value) ?? "";
      else if (what in roles) Object.assign(told, definedOf(roles[what as keyof typeof roles](value, true)));
    }
    // A name that was given on the command line stands; a step that a column tells makes a checkpoint.
    if (named) delete told.checkpoint;
    else if (told.step !== undefined && told.checkpoint === undefined && trace.step === undefined)
      told.checkpoint = stepName(undefined, told.step as number);
    changed.push({ ...trace, ...told, response: thinkingAndText(thinking, trace.response) });
  }
  return changed;
}

const definedOf = (told: Partial<Trace>): Partial<Trace> =>
  Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
