// pass@k of evaluations with its intervals: as the evaluation wrote it, or from the grades that are there. Intervals take a
// moment, so they are made in the indexing thread, once for every change of the grades, and nobody waits for them.
import { readFile } from "node:fs/promises";
import { messageOf } from "../base/errors.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../evaluation/summary.ts";
import type { ProblemTally } from "../evaluation/tally.ts";
import type { EvaluationEntry, Gap } from "./api.ts";
import type { Evaluation } from "./evaluation-view.ts";
import { stateNames, verdictNames } from "./rollout-columns.ts";

type Made = { readonly version: string; readonly summary: EvaluationSummary | undefined };

export class EvaluationSummaries {
  readonly #summarize: (tallies: readonly ProblemTally[], policy: string) => Promise<EvaluationSummary>;
  readonly #onMade: (evaluation: string) => void;
  readonly #made = new Map<string, Made>();
  readonly #making = new Map<string, { readonly version: string; readonly done: Promise<void> }>();

  constructor(
    summarize: (tallies: readonly ProblemTally[], policy: string) => Promise<EvaluationSummary>,
    onMade: (evaluation: string) => void,
  ) {
    this.#summarize = summarize;
    this.#onMade = onMade;
  }

  /** The last one made; undefined before anything is graded or before the first is made. */
  async entry(evaluation: Evaluation, gap: (gap: Gap) => void): Promise<EvaluationEntry | undefined> {
    const summary = (await writtenSummary(evaluation, gap)) ?? this.#latest(evaluation);
    if (summary === undefined) return undefined;
    const { id: stage, name, role } = evaluation;
    const { policy, level, sets, warnings } = summary;
    return { stage, name, ...(role && { role }), policy, level, sets, warnings };
  }

  /** Resolves when an evaluation has a summary of all its grades. */
  async whenMade(evaluation: Evaluation): Promise<void> {
    if ((await writtenSummary(evaluation, () => {})) !== undefined) return;
    this.#latest(evaluation);
    await this.#making.get(evaluation.id)?.done;
  }

  isMade(evaluation: Evaluation): boolean {
    return this.#made.get(evaluation.id)?.version === versionOf(evaluation);
  }

  #latest(evaluation: Evaluation): EvaluationSummary | undefined {
    const { id, isRead } = evaluation;
    const version = versionOf(evaluation);
    if (isRead && this.#made.get(id)?.version !== version && this.#making.get(id)?.version !== version) {
      const done = this.#make(evaluation, version)
        // The thread may end before it answers, with the server; then nobody asks any more.
        .catch(() => {})
        .finally(() => {
          if (this.#making.get(id)?.version === version) this.#making.delete(id);
        });
      this.#making.set(id, { version, done });
    }
    return this.#made.get(id)?.summary;
  }

  async #make(evaluation: Evaluation, version: string): Promise<void> {
    const tallies = talliesOf(evaluation).filter(({ verdicts }) => Object.values(verdicts).some((count) => count > 0));
    const summary = tallies.length === 0 ? undefined : await this.#summarize(tallies, evaluation.policy);
    this.#made.set(evaluation.id, { version, summary });
    this.#onMade(evaluation.id);
  }
}

/** Problems may become known after their rollouts. */
const versionOf = ({ columns, problems }: Pick<Evaluation, "columns" | "problems">): string =>
  `${columns.gradesVersion} ${problems.size}`;

function writtenSummary(
  { id, summary: path }: Evaluation,
  gap: (gap: Gap) => void,
): Promise<EvaluationSummary | undefined> {
  return path === undefined ? Promise.resolve(undefined) : summaryOrGap(path, id, gap);
}

/** The summary that an evaluation wrote; undefined where there is none, and a gap where it cannot be read. */
export async function summaryOrGap(
  path: string,
  where: string,
  gap: (gap: Gap) => void,
): Promise<EvaluationSummary | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return evaluationSummarySchema.parse(JSON.parse(text));
  } catch (error) {
    const what = messageOf(error).slice(0, 200);
    gap({
      missing: `a readable ${evaluationFiles.summary} (${what})`,
      where,
      remedy: "grade the evaluation again; the numbers here are made from its grades",
    });
    return undefined;
  }
}

function talliesOf({ columns, problems }: Evaluation): ProblemTally[] {
  const { hidden, problem, state, verdict, tokens } = columns.columns;
  const codes = columns.problems.length;
  const states = new Uint32Array(codes * stateNames.length);
  const verdicts = new Uint32Array(codes * verdictNames.length);
  const responseTokens: number[][] = columns.problems.map(() => []);
  for (let row = 0; row < columns.rows; row++) {
    if (hidden[row] === 1) continue;
    states[problem[row] * stateNames.length + state[row]] += 1;
    // A failed attempt was not graded, and will not be.
    if (stateNames[state[row]] !== "failed") verdicts[problem[row] * verdictNames.length + verdict[row]] += 1;
    if (tokens[row] >= 0) responseTokens[problem[row]].push(tokens[row]);
  }
  return columns.problems.flatMap((id, code) => {
    const asked = problems.get(id);
    if (asked === undefined) return [];
    const counts = <Name extends string>(names: readonly Name[], values: Uint32Array) =>
      Object.fromEntries(names.map((name, i) => [name, values[code * names.length + i]])) as Record<Name, number>;
    const { ungraded, ...graded } = counts(verdictNames, verdicts);
    return {
      problem: id,
      set: asked.set,
      ...(asked.subject !== undefined && { subject: asked.subject }),
      states: counts(stateNames, states),
      verdicts: graded,
      ungraded,
      responseTokens: responseTokens[code],
      cost: undefined,
    };
  });
}
