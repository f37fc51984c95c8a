// Traces of other trainers as `repertoire traces analyze` left them: one source for each checkpoint of an analysis. All of
// a trace but its text is in the analysis; texts are read from where it read them, or from the pairs that it chose.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../base/errors.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { analysisFiles, type PairToRead, readPairs, readRecords } from "../traces/analysis/analysis-folder.ts";
import type { LabelledText } from "../traces/label-slice.ts";
import { segment } from "../traces/segmentation.ts";
import { labelsOf, readSequence } from "../traces/sequence.ts";
import type { Trace } from "../traces/trace.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import type { AnalysedTexts, TracePlace } from "./analysed-texts.ts";
import type { Gap, TraceSpan } from "./api.ts";
import type { ProblemFact } from "./problem-book.ts";
import { type RolloutBatch, RolloutColumns, rolloutColumnTypes, stateNames, verdictNames } from "./rollout-columns.ts";
import type { ChosenPair, Read, RolloutSource, SourcePlace } from "./rollout-source.ts";

const analysisSchema = z.object({
  classifier: z.object({
    name: z.string(),
    version: z.string(),
    quality: z.object({ accuracy: z.number(), macroF1: z.number(), measured: z.string() }).optional(),
  }),
  checkpoints: z.array(z.object({ checkpoint: z.string() })),
});

/** The checkpoints of a finished analysis. */
export function analysedCheckpoints(folder: string): readonly Checkpoint[] {
  const read = readAnalysisFile(join(folder, analysisFiles.analysis));
  if (read === undefined) return [];
  const { name, version, quality } = read.classifier;
  const measured =
    quality === undefined
      ? "quality not measured"
      : `accuracy ${quality.accuracy.toFixed(2)}, macro F1 ${quality.macroF1.toFixed(2)}: ${quality.measured}`;
  const labelled = `labels by ${name} ${version} (${measured})`;
  return read.checkpoints.map(({ checkpoint }) => ({ name: checkpoint, labelled }));
}

function readAnalysisFile(path: string): z.infer<typeof analysisSchema> | undefined {
  try {
    return existsSync(path) ? analysisSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data : undefined;
  } catch {
    return undefined;
  }
}

const unavailable =
  "an analysis keeps the primitives of every trace and the texts of the pairs it chose; this is none of them, " +
  "and what it was read from does not lie in the served folder";

export type Checkpoint = { readonly name: string; readonly labelled: string };

export class AnalysedSource implements RolloutSource {
  readonly place: SourcePlace;
  readonly labelled: string;
  readonly #checkpoint: string;
  readonly #texts: AnalysedTexts;
  readonly #tell: () => void;
  #columns = new RolloutColumns("kept");
  #problems = new Map<string, ProblemFact>();
  #loading: Promise<void> | undefined;
  #failure: string | undefined;
  #places: readonly TracePlace[] = [];

  constructor(place: SourcePlace, checkpoint: Checkpoint, texts: AnalysedTexts, tell: () => void) {
    this.place = place;
    this.labelled = checkpoint.labelled;
    this.#checkpoint = checkpoint.name;
    this.#texts = texts;
    this.#tell = tell;
  }

  get isRead(): boolean {
    return this.#columns.rows > 0 || this.#failure !== undefined;
  }
  get columns(): RolloutColumns {
    return this.#columns;
  }
  get gaps(): Gap[] {
    if (this.#failure === undefined) return [];
    return [{ missing: `a readable analysis (${this.#failure})`, where: this.place.id, remedy: "analyze again" }];
  }
  get problems(): ReadonlyMap<string, ProblemFact> {
    return this.#problems;
  }

  /** A finished analysis does not change: it is read once. */
  refresh(): void {
    this.#loading ??= this.#load();
  }

  async whenRead(milliseconds: number): Promise<void> {
    let clock: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      clock = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.#loading, waited]);
    clearTimeout(clock);
  }

  async whenComplete(): Promise<void> {
    await this.#loading;
  }

  close(): void {}

  async read(rows: readonly number[]): Promise<Read[]> {
    const found = await this.#texts.find(rows.map((row) => this.#places[row])).catch(() => () => undefined);
    const kept = await this.#keptTexts();
    return rows.map((row) => {
      const problem = this.#columns.problemOf(row);
      const attempt = this.#columns.columns.attempt[row];
      const trace = found(this.#places[row]);
      // A file that was written again may hold another trace there.
      if (trace?.problem === problem) return this.#whole(row, trace);
      const spans = kept.get(keyOf({ checkpoint: this.#checkpoint, problem, attempt }));
      return spans === undefined ? { unavailable } : rolloutOf(this.#checkpoint, problem, attempt, spans);
    });
  }

  /** The analysis's own labels where the text is cut as it was then. */
  #whole(row: number, { problem, response, labels }: Trace): Read {
    const sequence = labelsOf(this.#columns.sequenceOf(row));
    const cut = segment(response, this.#texts.segmentation);
    const attempt = this.#columns.columns.attempt[row];
    const shared = { problem, attempt, policy: this.#checkpoint, state: "complete" as const, response };
    return {
      rollout: { ...shared, ...(labels && { primitives: [...labels] }) },
      ...(cut.length === sequence.length && {
        spans: cut.map(({ start, end }, i) => ({ start, end, label: sequence[i] })),
      }),
    };
  }

  async #keptTexts(): Promise<Map<string, readonly LabelledText[]>> {
    const texts = new Map<string, readonly LabelledText[]>();
    for (const pair of await readPairs(this.place.folder).catch(() => [])) {
      texts.set(keyOf(pair.first), pair.firstSpans);
      texts.set(keyOf(pair.second), pair.secondSpans);
    }
    return texts;
  }

  /** The pairs that the analysis chose between this checkpoint and another, whose texts it kept. */
  async pairsWith(other: RolloutSource): Promise<ChosenPair[]> {
    if (!(other instanceof AnalysedSource) || other.place.folder !== this.place.folder) return [];
    const pairs = await readPairs(this.place.folder).catch(() => []);
    return pairs.flatMap(({ kind, problem, opening, first, second }) => {
      if (first.checkpoint !== this.#checkpoint || second.checkpoint !== other.#checkpoint) return [];
      const [firstRow, secondRow] = [this.#rowOf(first), other.#rowOf(second)];
      return firstRow === undefined || secondRow === undefined ? [] : [{ kind, problem, opening, firstRow, secondRow }];
    });
  }

  #rowOf({ problem, attempt }: Keyed): number | undefined {
    const { rows, columns } = this.#columns;
    const code = this.#columns.problemCode(problem);
    for (let row = 0; row < rows; row++)
      if (columns.problem[row] === code && columns.attempt[row] === attempt) return row;
    return undefined;
  }

  async #load(): Promise<void> {
    try {
      const records = await readRecords(this.place.folder, [this.#checkpoint]);
      for (const record of records)
        if (!this.#problems.has(record.problem)) this.#problems.set(record.problem, factOf(record));
      this.#places = records.map(({ slice, ordinal }) => ({ slice, ordinal }));
      this.#columns.append(batchOf(records));
      const sequences = records.map(({ sequence }) => readSequence(sequence));
      const codes = new Uint8Array(sequences.reduce((total, { length }) => total + length, 0));
      let at = 0;
      for (const sequence of sequences) {
        codes.set(sequence, at);
        at += sequence.length;
      }
      this.#columns.label({ lengths: Uint32Array.from(sequences, ({ length }) => length), codes });
    } catch (error) {
      this.#failure = messageOf(error).replaceAll(`${this.place.folder}/`, "");
    }
    this.#tell();
  }
}

type Keyed = Pick<PairToRead["first"], "checkpoint" | "problem" | "attempt">;
const keyOf = ({ checkpoint, problem, attempt }: Keyed): string => JSON.stringify([checkpoint, problem, attempt]);

function rolloutOf(policy: string, problem: string, attempt: number, labelled: readonly LabelledText[]): Read {
  const spans: TraceSpan[] = [];
  let response = "";
  for (const { text, label, confidence } of labelled) {
    if (response !== "") response += "\n\n";
    const start = response.length;
    response += text;
    spans.push({ start, end: response.length, label, confidence });
  }
  const rollout: Rollout = { problem, attempt, policy, state: "complete", response };
  return { rollout, spans };
}

function factOf({ set = "problems", puzzle, size }: TraceRecord): ProblemFact {
  if (puzzle === undefined) return { set, kind: "mathematics" };
  return { set, kind: "puzzle", puzzle, ...(size && { size }) };
}

function batchOf(records: readonly TraceRecord[]): RolloutBatch {
  const codes = new Map<string, number>();
  const columns = Object.fromEntries(
    Object.entries(rolloutColumnTypes).map(([name, type]) => [name, new type(records.length)]),
  ) as RolloutBatch["columns"];
  for (const [row, { problem, attempt, step = -1, correct, tokens }] of records.entries()) {
    const code = codes.get(problem) ?? codes.size;
    codes.set(problem, code);
    columns.problem[row] = code;
    columns.attempt[row] = attempt;
    columns.step[row] = step;
    columns.state[row] = stateNames.indexOf("complete");
    columns.verdict[row] = verdictNames.indexOf(correct === undefined ? "ungraded" : correct ? "correct" : "wrong");
    columns.tokens[row] = Math.round(tokens);
    columns.reward[row] = columns.novelty[row] = columns.surprise[row] = Number.NaN;
  }
  return { problems: [...codes.keys()], columns };
}
