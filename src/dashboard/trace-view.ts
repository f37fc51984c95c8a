// One rollout as the trace page shows it: its text read from the log, its spans, its grade, and for a puzzle what the
// answer says and where it is wrong.
import { answerText } from "../grading/tags.ts";
import { withReasoning } from "../imports/trace.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { chainDepth, meanExploitRun } from "../traces/depth.ts";
import { isExact, type LabelerDescription, labelerWords } from "../traces/labeler.ts";
import { labelsOf, sequenceOf } from "../traces/sequence.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { ProblemStatement, TraceReply, TraceSpan } from "./api.ts";
import { unreadOf } from "./log-reading.ts";
import type { ProblemBook } from "./problem-book.ts";
import type { AskedSource } from "./rollout-answers.ts";
import { rolloutRow } from "./rollout-lists.ts";
import type { Read, RolloutSource } from "./rollout-source.ts";
import { throughLog } from "./text-search.ts";
import { tokenHeat } from "./token-heat.ts";

export async function traceReply(
  source: RolloutSource,
  row: number,
  book: ProblemBook,
  reader: TraceReader,
): Promise<TraceReply> {
  const { columns } = source;
  const own = rolloutRow(source.place.id, columns, row);
  const [read] = await source.read([row]);
  if ("unavailable" in read) {
    const problem = book.statement(own.problem);
    const { checkpoint: policy } = source.place;
    return { ...{ rollout: own, policy, problem, text: "", spans: [] }, ...read, labeled: labelersOf(source) };
  }
  const { rollout } = read;
  const { spans, text, labeledBy } = await labeledText(read, source, reader);
  const problem = book.statement(rollout.problem, rollout.prompt);
  const grade = rollout.grade ?? (await source.grade?.(row));
  const { alphabet } = columns;
  const codes = sequenceOf(
    spans.map(({ label }) => label),
    alphabet,
  );
  const [chain, meanRun] = [chainDepth(codes, alphabet.exploit), meanExploitRun(codes, alphabet.exploit)];
  const answer = boardAnswer(problem, rollout.response);
  const { policy, prompt, novelty, surprisal, tokenNll, finish, milliseconds, servedBy, failure, seed } = rollout;
  return {
    ...{ rollout: own, policy, problem, text, spans, prompt, grade, answer, novelty, surprisal },
    ...{ finish, milliseconds, servedBy, failure, seed },
    ...(labeledBy && { labeled: labelerWords(labeledBy) }),
    ...(tokenNll && tokenNll.length > 0 && { tokenNll: tokenHeat(text, tokenNll) }),
    ...(spans.length > 0 && { depth: { chain, meanRun } }),
  };
}

/** Everybody who labeled some of a source, in words. */
export const labelersOf = ({ labelers }: RolloutSource): string | undefined =>
  labelers.length === 0 ? undefined : labelers.map(labelerWords).join("; ");

/** A source as questions about many rollouts see it. */
export function askedSource(source: RolloutSource, reader: TraceReader): AskedSource {
  const { log, columns, place } = source;
  const labeled = labelersOf(source);
  return {
    ...{
      id: place.id,
      name: place.name,
      ...(place.role && { role: place.role }),
      ...(labeled && { labeled }),
      columns,
    },
    texts: async (rows) =>
      (await source.read(rows)).map((read) =>
        "unavailable" in read ? "" : withReasoning(read.rollout.reasoning, read.rollout.response),
      ),
    labeledText: async (row) => {
      const [read] = await source.read([row]);
      return "unavailable" in read ? { text: "", spans: [] } : labeledText(read, source, reader);
    },
    through: (needle) => throughLog(needle, log, columns),
  };
}

/** A trace with its spans: as they are kept beside it, else as the one reader finds them. */
async function labeledText(
  { rollout, spans: kept, labeledBy }: Exclude<Read, { unavailable: string }>,
  { language }: RolloutSource,
  reader: TraceReader,
): Promise<{
  readonly text: string;
  readonly spans: readonly TraceSpan[];
  readonly labeledBy?: LabelerDescription;
}> {
  const text = withReasoning(rollout.reasoning, rollout.response);
  if (kept !== undefined || text === "") return { text, spans: kept ?? [], ...(labeledBy && { labeledBy }) };
  const unread = unreadOf(rollout, language);
  const found = await reader.read(unread);
  // Labels that a labeler recorded itself have no places; the same labeler gives the same ones with them.
  const placeless = found.spans.length < found.sequence.length && !isExact(found.labeledBy);
  const read = placeless ? await reader.read({ response: text, ...(language && { language }) }) : found;
  const labels = labelsOf(read.sequence, reader.alphabet);
  const exact = isExact(read.labeledBy);
  const spans = read.spans.map(({ start, end }, i) => ({
    ...{ start, end, label: labels[i] },
    ...(!exact && { confidence: Math.round(read.confidences[i] * 1000) / 1000 }),
  }));
  return { text, spans, labeledBy: read.labeledBy };
}

/** What the answer puts on the board, by the rules and the problem's own givens. */
function boardAnswer(problem: ProblemStatement, response: string): TraceReply["answer"] {
  if (problem.kind !== "puzzle") return undefined;
  const answer = answerText(response);
  if ("missing" in answer) return undefined;
  try {
    const puzzle = puzzleNamed(problem.puzzle);
    const instance = puzzle.readId(problem.instance);
    const read = puzzle.readAnswer(instance, answer.text);
    if ("unreadable" in read) return undefined;
    const judgment = puzzle.judge(instance, read.board);
    return { text: answer.text, wrong: judgment.correct ? [] : judgment.cells };
  } catch {
    // The problem's own instance is malformed: there is no board to show.
    return undefined;
  }
}
