// Traces of other trainers as `repertoire traces analyze` left them: one source for each checkpoint of an analysis. All of
// a trace but its text is in the analysis; texts are read from where it read them, or from the pairs that it chose.
import { messageOf } from "../base/errors.ts";
import type { Trace } from "../imports/trace.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { knownRole } from "../runs/recipe-names.ts";
import { comparedRecords } from "../traces/analysis/analysis.ts";
import { type PairToRead, readAsked, readRecords } from "../traces/analysis/analysis-folder.ts";
import { seriesOf } from "../traces/analysis/training-series.ts";
import type { AskedProblem, LabeledText } from "../traces/label-slice.ts";
import { isExact, type LabelerDescription } from "../traces/labeler.ts";
import { grammarLabeler } from "../traces/labelers/grammar.ts";
import { segment, stepSegmentation } from "../traces/segmentation.ts";
import { labelsOf, readSequence } from "../traces/sequence.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import { AnalyzedTexts, type TracePlace } from "./analyzed-texts.ts";
import type { Gap, TraceSpan } from "./api.ts";
import { concatenated } from "./log-reading.ts";
import type { OpenedAnalysis } from "./opened-analysis.ts";
import type { LearnedProblem } from "./problem-book.ts";
import { type RolloutBatch, RolloutColumns, rolloutColumnTypes, stateNames, verdictNames } from "./rollout-columns.ts";
import type { Read, RolloutSource, SourcePlace } from "./rollout-source.ts";

const unavailable =
  "an analysis keeps the primitives of every trace and the texts of the pairs it chose; this is none of them, " +
  "and what it was read from does not lie in the served folder: serve a folder that holds both to read it";

/** Everything of an analysis that is listed: what it compares, its teacher, and training beside evaluations. */
export function analyzedSources(
  opened: OpenedAnalysis,
  home: string,
  tell: (source: RolloutSource) => void,
): RolloutSource[] {
  const { stage, folder, analysis } = opened;
  const shared = new SharedRecords(opened);
  const texts = new AnalyzedTexts(home, opened.plan);
  const [everything] = analysis.scopes;
  const checkpoints = everything?.checkpoints ?? [];
  const compared = (everything?.traces ?? 0) + (analysis.teacher?.traces ?? 0);
  const own = (checkpoint: string, kind: SourcePlace["kind"], id: string): SourcePlace => {
    const role = checkpoint === "teacher" ? checkpoint : knownRole(checkpoint);
    return { id: `${stage}@${id}`, stage, name: checkpoint, checkpoint, folder, kind, ...(role && { role }) };
  };
  const places = [
    ...checkpoints.map(({ checkpoint }) => own(checkpoint, "analysis", checkpoint)),
    ...(analysis.teacher ? [own("teacher", "teacher", "teacher")] : []),
    // Where its steps themselves are compared, they are listed above.
    ...(compared === analysis.input.traces
      ? []
      : analysis.training.map(({ series }) => own(series, "training", `${series}, training`))),
  ];
  return places.map((place) => {
    const source: AnalyzedSource = new AnalyzedSource(place, opened, shared, texts, () => tell(source));
    return source;
  });
}

const keyOfPlace = ({ kind, checkpoint }: Pick<SourcePlace, "kind" | "checkpoint">): string => `${kind} ${checkpoint}`;

/** The records, read once for all sources; each takes its own. */
class SharedRecords {
  readonly #opened: OpenedAnalysis;
  #records: Promise<Map<string, TraceRecord[]>> | undefined;
  #asked: Promise<ReadonlyMap<string, AskedProblem>> | undefined;

  constructor(opened: OpenedAnalysis) {
    this.#opened = opened;
  }

  async take(place: SourcePlace): Promise<readonly TraceRecord[]> {
    this.#records ??= this.#read();
    const records = await this.#records;
    const own = records.get(keyOfPlace(place)) ?? [];
    records.delete(keyOfPlace(place));
    return own;
  }

  asked(): Promise<ReadonlyMap<string, AskedProblem>> {
    this.#asked ??= readAsked(this.#opened.folder);
    return this.#asked;
  }

  async #read(): Promise<Map<string, TraceRecord[]>> {
    const records = await readRecords(this.#opened.folder);
    const compared = new Set(comparedRecords(records));
    const groups = new Map<string, TraceRecord[]>();
    for (const record of records) {
      const key = keyOfPlace(placeOf(record, compared.has(record)));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
    return groups;
  }
}

function placeOf(record: TraceRecord, compared: boolean): Pick<SourcePlace, "kind" | "checkpoint"> {
  if (compared) return { kind: "analysis", checkpoint: record.checkpoint };
  if (record.stage === "teacher") return { kind: "teacher", checkpoint: "teacher" };
  return { kind: "training", checkpoint: seriesOf(record) };
}

class AnalyzedSource implements RolloutSource {
  readonly place: SourcePlace;
  readonly #opened: OpenedAnalysis;
  readonly #shared: SharedRecords;
  readonly #texts: AnalyzedTexts;
  readonly #tell: () => void;
  readonly #columns: RolloutColumns;
  #problems = new Map<string, LearnedProblem>();
  #labelers: readonly LabelerDescription[] = [];
  #loading: Promise<void> | undefined;
  #failure: string | undefined;
  #places: readonly (TracePlace & { readonly labeledBy: string })[] = [];

  constructor(
    place: SourcePlace,
    opened: OpenedAnalysis,
    shared: SharedRecords,
    texts: AnalyzedTexts,
    tell: () => void,
  ) {
    this.place = place;
    this.#opened = opened;
    this.#shared = shared;
    this.#texts = texts;
    this.#tell = tell;
    this.#columns = new RolloutColumns("kept", opened.alphabet);
  }

  get isRead(): boolean {
    return this.#columns.rows > 0 || this.#failure !== undefined;
  }
  get columns(): RolloutColumns {
    return this.#columns;
  }
  get labelers(): readonly LabelerDescription[] {
    return this.#labelers;
  }
  get gaps(): Gap[] {
    if (this.#failure === undefined) return [];
    return [{ missing: `a readable analysis (${this.#failure})`, where: this.place.id, remedy: "analyze again" }];
  }
  get problems(): ReadonlyMap<string, LearnedProblem> {
    return this.#problems;
  }

  /** A finished analysis does not change: it is read once. */
  refresh(): void {
    this.#loading ??= this.#load();
  }

  async whenComplete(): Promise<void> {
    await this.#loading;
  }
  whenRead(): Promise<void> {
    return this.whenComplete();
  }

  close(): void {}

  async read(rows: readonly number[]): Promise<Read[]> {
    const found = await this.#texts.find(rows.map((row) => this.#places[row])).catch(() => () => undefined);
    const kept = keptTexts(await this.#opened.pairs());
    return rows.map((row) => {
      const problem = this.#columns.problemOf(row);
      const attempt = this.#columns.columns.attempt[row];
      const trace = found(this.#places[row]);
      // A file that was written again may hold another trace there.
      if (trace?.problem === problem) return this.#whole(row, trace);
      const spans = kept.get(keyOf({ checkpoint: this.place.checkpoint, problem, attempt }));
      return spans === undefined ? { unavailable } : this.#pieces(row, spans);
    });
  }

  #labeledBy(row: number): LabelerDescription | undefined {
    return this.#opened.labelers.get(this.#places[row].labeledBy);
  }

  /** The analysis's own labels where the text is cut as it was then. */
  #whole(row: number, { response }: Trace): Read {
    const labels = labelsOf(this.#columns.sequenceOf(row), this.#opened.alphabet);
    const labeledBy = this.#labeledBy(row);
    const cut = this.#cut(response, labeledBy);
    return {
      rollout: this.#rollout(row, response),
      ...(labeledBy && { labeledBy }),
      spans: cut.length === labels.length ? cut.map(({ start, end }, i) => ({ start, end, label: labels[i] })) : [],
    };
  }

  #cut(response: string, labeledBy: LabelerDescription | undefined) {
    if (labeledBy?.kind === "grammar") return grammarLabeler.read(response).spans;
    if (labeledBy !== undefined && isExact(labeledBy)) return segment(response, stepSegmentation);
    const { segmentation } = this.#opened.plan;
    const { markers } = this.#opened.analysis.taxonomy;
    return segment(response, markers === undefined ? segmentation : { ...segmentation, markers });
  }

  #pieces(row: number, labeled: readonly LabeledText[]): Read {
    const spans: TraceSpan[] = [];
    let response = "";
    for (const { text, label, confidence } of labeled) {
      if (response !== "") response += "\n\n";
      const start = response.length;
      response += text;
      spans.push({ start, end: response.length, label, ...(confidence !== undefined && { confidence }) });
    }
    const labeledBy = this.#labeledBy(row);
    return { rollout: this.#rollout(row, response), spans, ...(labeledBy && { labeledBy }) };
  }

  #rollout(row: number, response: string): Rollout {
    const { attempt, step } = this.#columns.columns;
    const problem = this.#columns.problemOf(row);
    const prompt = this.#problems.get(problem)?.prompt;
    return {
      ...{ problem, attempt: attempt[row], policy: this.place.checkpoint, state: "complete", response },
      ...(step[row] >= 0 && { step: step[row] }),
      ...(prompt !== undefined && { prompt }),
    };
  }

  rowOf(problem: string, attempt: number): number | undefined {
    const { rows, columns } = this.#columns;
    const code = this.#columns.problemCode(problem);
    for (let row = 0; row < rows; row++)
      if (columns.problem[row] === code && columns.attempt[row] === attempt) return row;
    return undefined;
  }

  async #load(): Promise<void> {
    try {
      const records = await this.#shared.take(this.place);
      const asked = await this.#shared.asked();
      for (const record of records)
        if (!this.#problems.has(record.problem))
          this.#problems.set(record.problem, learned(record, asked.get(record.problem)));
      this.#places = records.map(({ slice, ordinal, labeledBy }) => ({ slice, ordinal, labeledBy }));
      const ids = new Set(records.map(({ labeledBy }) => labeledBy));
      this.#labelers = [...ids].flatMap((id) => this.#opened.labelers.get(id) ?? []);
      this.#columns.append(batchOf(records));
      const sequences = records.map(({ sequence }) => readSequence(sequence, this.#opened.alphabet));
      const lengths = Uint32Array.from(sequences, ({ length }) => length);
      this.#columns.label({ lengths, codes: concatenated(sequences) });
    } catch (error) {
      this.#failure = messageOf(error).replaceAll(`${this.place.folder}/`, "");
    }
    this.#tell();
  }
}

type Keyed = Pick<PairToRead["first"], "checkpoint" | "problem" | "attempt">;
const keyOf = ({ checkpoint, problem, attempt }: Keyed): string => JSON.stringify([checkpoint, problem, attempt]);

function keptTexts(pairs: readonly PairToRead[]): Map<string, readonly LabeledText[]> {
  const texts = new Map<string, readonly LabeledText[]>();
  for (const pair of pairs) {
    texts.set(keyOf(pair.first), pair.firstSpans);
    texts.set(keyOf(pair.second), pair.secondSpans);
  }
  return texts;
}

const longestBeginning = 80;

/** A line that says whose turn it is, as chat templates write it, with its special tokens or without. */
const turnOf = (who: string) => new RegExp(`(?:^|\\n)(?:<[^\\n>]*>)*(?:${who})(?:<[^\\n>]*>)*:?\\s*(?:\\n|$)`, "i");
const [usersTurn, answersTurn] = [turnOf("user|human"), turnOf("assistant|model")];

/** How the user's turn begins: with a chat template, prompts begin with the same system message everywhere. */
function question(prompt: string): string {
  const [before, ...said] = prompt.split(usersTurn);
  const text = (said[0] ?? before).split(answersTurn)[0].trim();
  return text.length <= longestBeginning ? text : `${text.slice(0, longestBeginning)}…`;
}

function learned(record: TraceRecord, asked: AskedProblem | undefined): LearnedProblem {
  const { set = "problems", puzzle, size } = record;
  // Trainers that do not name their problems leave a digest of the prompt, which tells nobody anything.
  const begins = record.problem.startsWith("prompt ") && asked?.prompt && question(asked.prompt);
  const prompt = asked?.prompt === undefined ? {} : { prompt: asked.prompt, ...(begins && { asked: begins }) };
  if (puzzle === undefined) return { set, kind: "mathematics", ...prompt };
  return { set, kind: "puzzle", puzzle, ...(size && { size }), ...prompt };
}

function batchOf(records: readonly TraceRecord[]): RolloutBatch {
  const codes = new Map<string, number>();
  const columns = Object.fromEntries(
    Object.entries(rolloutColumnTypes).map(([name, type]) => [name, new type(records.length)]),
  ) as RolloutBatch["columns"];
  for (const [row, { problem, attempt, step = -1, correct, score = Number.NaN, tokens }] of records.entries()) {
    const code = codes.get(problem) ?? codes.size;
    codes.set(problem, code);
    columns.problem[row] = code;
    columns.attempt[row] = attempt;
    columns.step[row] = step;
    columns.state[row] = stateNames.indexOf("complete");
    columns.verdict[row] = verdictNames.indexOf(correct === undefined ? "ungraded" : correct ? "correct" : "wrong");
    columns.tokens[row] = Math.round(tokens);
    columns.reward[row] = score;
    columns.novelty[row] = columns.surprisal[row] = Number.NaN;
  }
  return { problems: [...codes.keys()], columns };
}
