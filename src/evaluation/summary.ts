// What an evaluation says, as one record: pass@k for every k that the attempts allow, with both intervals, and beside it
// everything that could make the number mean less than it seems.
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { defaultLevel } from "../base/statistics/bootstrap.ts";
import { mean, percentile } from "../base/statistics/descriptive.ts";
import { clopperPearsonInterval } from "../base/statistics/proportion-intervals.ts";
import { newProblemsIntervals, sameProblemsInterval, shareInterval } from "./intervals.ts";
import { majorityVote } from "./majority.ts";
import { meanPassAtK } from "./pass-at-k.ts";
import { countsOf } from "./sampling-warnings.ts";
import { type ProblemTally, solveCount } from "./tally.ts";

const intervalSchema = z.object({ low: z.number(), high: z.number() });
const count = z.number().int().nonnegative();

const passAtKSchema = z.object({
  k: z.number().int().positive(),
  value: z.number(),
  /** What other problems of this kind would give; absent for a single problem. */
  newProblems: intervalSchema.optional(),
  /** What sampling the same problems again would give; absent where k is the number of attempts. */
  sameProblems: intervalSchema.optional(),
  /** The value if every undecided answer were right; absent when none is undecided. */
  ifUndecidedRight: z.number().optional(),
});

const setSummarySchema = z.object({
  set: z.string(),
  problems: count,
  /** Graded attempts at a problem, fewest and most. */
  attempts: z.object({ fewest: count, most: count }),
  states: z.object({ complete: count, truncated: count, failed: count, ungraded: count }),
  verdicts: z.object({ correct: count, wrong: count, unreadable: count, undecided: count }),
  /** Replies that ended otherwise than by the model or its limit, in the server's word; absent where none did. */
  ends: z.record(z.string(), count).optional(),
  /** Why attempts failed, the most frequent reasons; absent where none did. */
  failures: z.record(z.string(), count).optional(),
  /** Empty until every problem has a graded attempt. */
  passAtK: z.array(passAtKSchema),
  /** Share of problems whose most frequent answer is right; absent where answers are not read apart. */
  majority: z.object({ value: z.number(), newProblems: intervalSchema.optional() }).optional(),
  solved: count,
  /** Of puzzles played in turns: the share of attempts, a mean over problems, that were right by each turn. */
  solvedByTurn: z.array(z.number()).optional(),
  /** pass@1 by subject, or by difficulty for puzzles; absent where problems have none. */
  subjects: z.array(z.object({ subject: z.string(), problems: count, passAt1: z.number() })).optional(),
  responseTokens: z.object({ mean: z.number(), median: z.number(), p90: z.number(), total: z.number() }).optional(),
  cost: z.number().optional(),
});
export type SetSummary = z.infer<typeof setSummarySchema>;

export const evaluationSummarySchema = z.object({
  version: z.literal(1),
  policy: z.string(),
  servedBy: z.array(z.string()),
  level: z.number(),
  sets: z.array(setSummarySchema),
  warnings: z.array(z.string()),
});
export type EvaluationSummary = z.infer<typeof evaluationSummarySchema>;

/** One problem in `solve-rates.jsonl`. */
type SolveRate = {
  readonly problem: string;
  readonly set: string;
  readonly subject?: string;
  readonly attempts: number;
  readonly correct: number;
  readonly rate: number;
  /** Clopper and Pearson's: 0 of 32 leaves rates up to a tenth possible. */
  readonly low: number;
  readonly high: number;
};

export function summarizeSet(set: string, tallies: readonly ProblemTally[], level = defaultLevel): SetSummary {
  const counts = tallies.map(solveCount);
  const attempts = counts.map((entry) => entry.attempts);
  const fewest = attempts.reduce((least, own) => Math.min(least, own), Number.POSITIVE_INFINITY);
  const ks = Array.from({ length: fewest }, (_, i) => i + 1);
  const undecided = tallies.reduce((total, tally) => total + tally.verdicts.undecided, 0);
  const generous = tallies.map((tally, i) => ({ ...counts[i], correct: counts[i].correct + tally.verdicts.undecided }));
  const overProblems = newProblemsIntervals(counts, ks, { level });
  const many = tallies.length > 1;
  const votes = tallies.map(({ verdicts, wrongAnswers }) =>
    wrongAnswers === undefined
      ? undefined
      : majorityVote({ correct: verdicts.correct, wrong: [...wrongAnswers.values()] }),
  );
  const total = (read: (tally: ProblemTally) => number) => tallies.reduce((sum, tally) => sum + read(tally), 0);
  const tokens = tallies.flatMap((tally) => tally.responseTokens);
  const costs = tallies.flatMap((tally) => tally.cost ?? []);
  return {
    set,
    problems: tallies.length,
    attempts: { fewest, most: attempts.reduce((most, own) => Math.max(most, own), 0) },
    states: {
      complete: total(({ states }) => states.complete),
      truncated: total(({ states }) => states.truncated),
      failed: total(({ states }) => states.failed),
      ungraded: total(({ ungraded }) => ungraded),
    },
    verdicts: {
      correct: total(({ verdicts }) => verdicts.correct),
      wrong: total(({ verdicts }) => verdicts.wrong),
      unreadable: total(({ verdicts }) => verdicts.unreadable),
      undecided,
    },
    ...namedCounts("ends", tallies),
    ...namedCounts("failures", tallies),
    passAtK: ks.map((k, i) => {
      const sameProblems = sameProblemsInterval(counts, k, level);
      return {
        k,
        value: meanPassAtK(counts, k),
        ...(many && { newProblems: overProblems[i] }),
        ...(sameProblems && { sameProblems }),
        ...(undecided > 0 && { ifUndecidedRight: meanPassAtK(generous, k) }),
      };
    }),
    ...majorityOf(votes, level),
    solved: counts.filter((entry) => entry.correct > 0).length,
    ...(fewest > 0 && { ...subjectsOf(tallies), ...byTurn(tallies) }),
    ...(tokens.length > 0 && {
      responseTokens: {
        mean: mean(tokens),
        median: percentile(tokens, 50),
        p90: percentile(tokens, 90),
        total: tokens.reduce((a, b) => a + b, 0),
      },
    }),
    ...(costs.length > 0 && { cost: costs.reduce((a, b) => a + b, 0) }),
  };
}

/** Servers put numbers of requests into their reasons, and then each is another. */
const mostNamed = 10;

const namedCounts = (what: "ends" | "failures", tallies: readonly ProblemTally[]) => {
  const counts = countsOf(tallies.flatMap((tally) => tally[what] ?? [])).slice(0, mostNamed);
  return counts.length === 0 ? {} : { [what]: Object.fromEntries(counts) };
};

function subjectsOf(tallies: readonly ProblemTally[]): Pick<SetSummary, "subjects"> {
  const subjects = [...new Set(tallies.flatMap((tally) => tally.subject ?? []))].sort();
  if (subjects.length < 2) return {};
  return {
    subjects: subjects.map((subject) => {
      const ofSubject = tallies.filter((tally) => tally.subject === subject).map(solveCount);
      return { subject, problems: ofSubject.length, passAt1: meanPassAtK(ofSubject, 1) };
    }),
  };
}

function byTurn(tallies: readonly ProblemTally[]): Pick<SetSummary, "solvedByTurn"> {
  let most = 0;
  for (const { turns } of tallies) for (const taken of turns?.values() ?? []) most = Math.max(most, taken);
  if (most === 0) return {};
  const share = ({ graded, turns }: ProblemTally, turn: number) => {
    const attempts = [...(graded ?? [])];
    return attempts.filter(([attempt, right]) => right && (turns?.get(attempt) ?? 1) <= turn).length / attempts.length;
  };
  return { solvedByTurn: Array.from({ length: most }, (_, i) => mean(tallies.map((tally) => share(tally, i + 1)))) };
}

function majorityOf(votes: readonly (number | undefined)[], level: number): Pick<SetSummary, "majority"> {
  const decided = votes.filter((vote) => vote !== undefined);
  if (decided.length < votes.length || decided.length === 0) return {};
  const newProblems = shareInterval(decided, { level });
  return { majority: { value: mean(decided), ...(decided.length > 1 && { newProblems }) } };
}

export function solveRates(tallies: readonly ProblemTally[], level = defaultLevel): SolveRate[] {
  return tallies.map((tally) => {
    const { attempts, correct } = solveCount(tally);
    const interval = attempts === 0 ? { low: 0, high: 1 } : clopperPearsonInterval(correct, attempts, level);
    const { problem, set, subject } = tally;
    return { problem, set, subject, attempts, correct, rate: attempts === 0 ? 0 : correct / attempts, ...interval };
  });
}

/** The value asked for, or why there is none. */
export function passAt(summary: SetSummary, k: number): SetSummary["passAtK"][number] {
  const estimate = summary.passAtK.find((entry) => entry.k === k);
  if (estimate !== undefined) return estimate;
  throw new ConfigurationError(
    `pass@${k} needs ${k} graded attempts at every problem of ${summary.set}; the fewest are ${summary.attempts.fewest}: sample more rollouts, or ask for a smaller k`,
  );
}

/** From here on the number says how the model was asked, not what it can do. */
const mostlyUnreadable = 0.9;

function unreadableWarning({ set, states, verdicts }: SetSummary): string {
  const answered = states.complete + states.truncated;
  const why =
    states.truncated > answered / 2
      ? "most were cut at the token limit before they gave one: raise --max-tokens"
      : "they ended without one: the prompt may differ from training (prompt style, chat form)";
  return `${set}: ${verdicts.unreadable} of ${answered} responses hold no answer that can be read, so this measures nothing; ${why}`;
}

/** What is said of the evaluation besides its sets: by sampling, and of what does not fit together. */
export function notesOf({ sets, warnings }: EvaluationSummary): string[] {
  const usual = new Set(sets.flatMap((set) => summaryWarnings(set)));
  return warnings.filter((warning) => !usual.has(warning));
}

/** What would change the reading of a table, where every sentence about every set would hide it. */
export const seriousWarnings = (summary: EvaluationSummary): string[] => [
  ...notesOf(summary),
  ...summary.sets.flatMap((set) => summaryWarnings(set, 0.5)),
];

/** Sentences for whoever reads the numbers; of rollouts that were cut or not decided from this share on. */
export function summaryWarnings(summary: SetSummary, fromShare = 0): string[] {
  const { set, states, verdicts, attempts, ends = {}, failures = {} } = summary;
  const answered = states.complete + states.truncated;
  const many = (part: number) => part > fromShare * answered;
  const warnings: string[] = [];
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;
  const [reason] = Object.keys(failures);
  if (states.failed > 0)
    warnings.push(
      `${set}: ${share(states.failed, answered + states.failed)} rollouts failed and count nowhere${reason === undefined ? "" : ` (most often: ${reason})`}; run again to ask for them`,
    );
  const oddly = Object.entries(ends).map(([end, number]) => `${number} as ${JSON.stringify(end)}`);
  if (oddly.length > 0)
    warnings.push(`${set}: the server ended ${oddly.join(", ")}; the model ended by itself in none of them`);
  if (states.ungraded > 0) warnings.push(`${set}: ${states.ungraded} rollouts are not graded yet`);
  if (many(states.truncated))
    warnings.push(`${set}: ${share(states.truncated, answered)} were cut at the token limit; they count as attempts`);
  if (verdicts.unreadable >= mostlyUnreadable * answered && answered > 0) warnings.push(unreadableWarning(summary));
  if (many(verdicts.undecided))
    warnings.push(
      `${set}: ${share(verdicts.undecided, answered)} could not be decided; they do not count as right, and ifUndecidedRight shows what they could change`,
    );
  if (attempts.fewest !== attempts.most)
    warnings.push(
      `${set}: problems have between ${attempts.fewest} and ${attempts.most} graded attempts; k goes up to the fewest`,
    );
  return warnings;
}
