// One rollout as the trace page shows it: its text read from the log, its spans, its grade, and for a puzzle what the
// answer says and where it is wrong.
import { answerText } from "../grading/tags.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { chainDepth, meanExploitRun } from "../traces/depth.ts";
import { sequenceOf } from "../traces/sequence.ts";
import type { ClassifierDescription } from "../traces/span-classifier.ts";
import { withReasoning } from "../traces/trace.ts";
import type { ClassifierReply, ProblemStatement, TraceReply, TraceSpan } from "./api.ts";
import { recordedLabels } from "./log-reading.ts";
import type { ProblemBook } from "./problem-book.ts";
import { rolloutRow } from "./rollout-lists.ts";
import type { Read, RolloutSource } from "./rollout-source.ts";
import { languageOf, type SpanLabeller } from "./span-labels.ts";
import { tokenHeat } from "./token-heat.ts";

export async function traceReply(
  source: RolloutSource,
  row: number,
  book: ProblemBook,
  labeller: SpanLabeller,
): Promise<TraceReply> {
  const { columns } = source;
  const own = rolloutRow(source.place.id, columns, row);
  const [read] = await source.read([row]);
  if ("unavailable" in read) {
    const problem = book.statement(own.problem);
    return { rollout: own, policy: "", problem, text: "", spans: [], unavailable: read.unavailable };
  }
  const { rollout } = read;
  const { spans, text, recorded, language } = labelledText(read, source, labeller);
  const problem = book.statement(rollout.problem, rollout.prompt);
  const grade = rollout.grade ?? (await source.grade?.(row));
  const codes = sequenceOf(spans.map(({ label }) => label));
  const meanRun = meanExploitRun(codes);
  const about = source.labelled ?? labeller.about(language, recorded);
  const answer = boardAnswer(problem, rollout.response);
  const { policy, prompt, novelty, surprise, tokenNll, finish, milliseconds, servedBy, failure, seed } = rollout;
  return {
    rollout: own,
    policy,
    problem,
    text,
    spans,
    ...(prompt !== undefined && { prompt }),
    ...(about && { labelled: about }),
    ...(language === "prose" &&
      source.labelled === undefined &&
      labeller.classifier && { classifier: classifierReply(labeller.classifier) }),
    ...(grade && { grade }),
    ...(answer && { answer }),
    ...(novelty && { novelty }),
    ...(surprise && { surprise }),
    ...(tokenNll && tokenNll.length > 0 && { tokenNll: tokenHeat(text, tokenNll) }),
    ...(spans.length > 0 && { depth: { chain: chainDepth(codes), ...(meanRun !== undefined && { meanRun }) } }),
    ...(finish !== undefined && { finish }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(servedBy !== undefined && { servedBy }),
    ...(failure !== undefined && { failure }),
    ...(seed !== undefined && { seed }),
  };
}

export function labelledText(
  read: Exclude<Read, { unavailable: string }>,
  source: RolloutSource,
  labeller: SpanLabeller,
) {
  const { rollout, spans: kept } = read;
  const text = withReasoning(rollout.reasoning, rollout.response);
  const labels = recordedLabels(rollout);
  const language = source.language ?? languageOf([rollout.response]);
  const spans: readonly TraceSpan[] = kept ?? (text === "" ? [] : labeller.spans(text, language, labels));
  return { text, spans, language, recorded: labels !== undefined };
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
    const judgement = puzzle.judge(instance, read.board);
    return { text: answer.text, wrong: judgement.correct ? [] : judgement.cells };
  } catch {
    // The problem's own instance is malformed: there is no board to show.
    return undefined;
  }
}

export function classifierReply({ name, version, about, quality }: ClassifierDescription): ClassifierReply {
  if (quality === undefined) return { name, version, about };
  const { measured, spans, accuracy, macroF1, f1, examples, confusion, coverage } = quality;
  return { name, version, about, quality: { measured, spans, accuracy, macroF1, f1, examples, confusion, coverage } };
}
