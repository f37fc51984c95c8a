// The labels that an analysis gave to the rollouts of an imported run, so that what is shown is what was counted, whoever
// labeled: by the order in which both were written.
import { stepOfName } from "../imports/step-name.ts";
import { readRecords } from "../traces/analysis/analysis-folder.ts";
import { isExact, type LabelerDescription } from "../traces/labeler.ts";
import { grammarLabeler } from "../traces/labelers/grammar.ts";
import { type Span, segment, stepSegmentation } from "../traces/segmentation.ts";
import { labelsOf, type PrimitiveSequence, readSequence } from "../traces/sequence.ts";
import type { TraceRecord } from "../traces/trace-record.ts";
import type { TraceSpan } from "./api.ts";
import type { OpenedAnalysis } from "./opened-analysis.ts";

type Kept = Pick<TraceRecord, "problem" | "attempt" | "sequence" | "labeledBy">;

const keyOf = (stage: string, policy: string): string => `${stage} ${policy}`;

/** Read once, when the first part asks; each takes its own. */
export class AnalyzedLabels {
  readonly #opened: OpenedAnalysis;
  #parts: Promise<Map<string, Kept[]>> | undefined;

  constructor(opened: OpenedAnalysis) {
    this.#opened = opened;
  }

  async of(stage: string, policy: string): Promise<PartLabels> {
    this.#parts ??= this.#read();
    const parts = await this.#parts.catch(() => new Map<string, Kept[]>());
    return new PartLabels(parts.get(keyOf(stage, policy)) ?? [], this.#opened);
  }

  async #read(): Promise<Map<string, Kept[]>> {
    const parts = new Map<string, Kept[]>();
    for (const record of await readRecords(this.#opened.folder)) {
      const { stage, checkpoint, problem, attempt, sequence, labeledBy } = record;
      const key = keyOf(stage, stage === "training" ? stepOfName(record).series : checkpoint);
      const part = parts.get(key);
      const kept = { problem, attempt, sequence, labeledBy };
      if (part === undefined) parts.set(key, [kept]);
      else part.push(kept);
    }
    return parts;
  }
}

export class PartLabels {
  readonly #kept: readonly Kept[];
  readonly #opened: OpenedAnalysis;

  constructor(kept: readonly Kept[], opened: OpenedAnalysis) {
    this.#kept = kept;
    this.#opened = opened;
  }

  /** Undefined where the analysis does not know the rollout, as when it was written since. */
  sequence(row: number, problem: string, attempt: number): PrimitiveSequence | undefined {
    const kept = this.#kept[row];
    if (kept?.problem !== problem || kept.attempt !== attempt) return undefined;
    return readSequence(kept.sequence, this.#opened.alphabet);
  }

  labeler(row: number): LabelerDescription | undefined {
    return this.#opened.labelers.get(this.#kept[row]?.labeledBy ?? "");
  }

  /** The text cut as it was then; none where that does not give as many spans as there are labels. */
  spans(row: number, response: string): readonly TraceSpan[] {
    const labels = labelsOf(readSequence(this.#kept[row].sequence, this.#opened.alphabet), this.#opened.alphabet);
    const cut = this.#cut(response, this.labeler(row));
    return cut.length === labels.length ? cut.map(({ start, end }, i) => ({ start, end, label: labels[i] })) : [];
  }

  #cut(response: string, labeledBy: LabelerDescription | undefined): readonly Span[] {
    if (labeledBy?.kind === "grammar") return grammarLabeler.read(response).spans;
    if (labeledBy !== undefined && isExact(labeledBy)) return segment(response, stepSegmentation);
    const { segmentation } = this.#opened.plan;
    const { markers } = this.#opened.analysis.taxonomy;
    return segment(response, markers === undefined ? segmentation : { ...segmentation, markers });
  }
}
