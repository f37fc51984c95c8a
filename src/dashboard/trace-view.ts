// One rollout as the trace page shows it: its text read from the log, its spans, its grade, and for a puzzle what the
// answer says and where it is wrong.
import { answerText } from "../grading/tags.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { chainDepth, meanExploitRun } from "../traces/depth.ts";
import { isExact, type LabelerDescription, labelerWords } from "../traces/labeler.ts";
import { labelsOf, sequenceOf } from "../traces/sequence.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { ProblemStatement, TraceReply, TraceSpan } from "./api.ts";
import { unreadOf } from "./log-reading.ts";
import { type LogSource, type Read, textOf } from "./log-source.ts";
import type { ProblemBook } from "./problem-book.ts";
import { shownRow } from "./rollout-index.ts";
import { tokenHeat } from "./token-heat.ts";

export async function traceReply(
  source: LogSource,
  row: number,
  book: ProblemBook,
  reader: TraceReader,
): Promise<TraceReply> {
  const { alphabet, rows } = source.index;
  const own = shownRow(rows[row]);
  const [read] = await source.read([row]);
  if ("unavailable" in read) {
    const problem = book.statement(own.problem);
    const { checkpoint: policy } = source.place;
    return { ...{ rollout: own, policy, problem, text: "", spans: [] }, ...read, labeled: source.labeled };
  }
  const { rollout } = read;
  const { spans, text, labeledBy } = await labeledText(read, source, reader);
  const problem = book.statement(rollout.problem, rollout.prompt);
  const grade = rollout.grade ?? (await source.grade(row));
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

/** A trace with its spans: as they are kept beside it, else as the one reader finds them. */
async function labeledText(
  read: Exclude<Read, { unavailable: string }>,
  { language }: LogSource,
  reader: TraceReader,
): Promise<{
  readonly text: string;
  readonly spans: readonly TraceSpan[];
  readonly labeledBy?: LabelerDescription;
}> {
  const { rollout, spans: kept, labeledBy } = read;
  const text = textOf(read);
  if (kept !== undefined || text === "") return { text, spans: kept ?? [], ...(labeledBy && { labeledBy }) };
  const unread = unreadOf(rollout, language);
  const found = await reader.read(unread);
  // Labels that a labeler recorded itself have no places; the same labeler gives the same ones with them.
  const placeless = found.spans.length < found.sequence.length && !isExact(found.labeledBy);
  const labeled = placeless ? await reader.read({ response: text, ...(language && { language }) }) : found;
  const labels = labelsOf(labeled.sequence, reader.alphabet);
  const exact = isExact(labeled.labeledBy);
  const spans = labeled.spans.map(({ start, end }, i) => ({
    ...{ start, end, label: labels[i] },
    ...(!exact && { confidence: Math.round(labeled.confidences[i] * 1000) / 1000 }),
  }));
  return { text, spans, labeledBy: labeled.labeledBy };
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
