// How a labeller is asked for: what a flag, a setting or a worker thread can say, and the reader made from it.
import type { RolloutLabeller } from "../rollouts/rollout-labeller.ts";
import type { Language } from "../runs/run-parts.ts";
import { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import { isOnnxFolder, OnnxClassifier } from "./classifier/onnx-classifier.ts";
import { labellerId } from "./labeller.ts";
import { classifierLabeller } from "./labellers/classified.ts";
import { grammarLabeller } from "./labellers/grammar.ts";
import { paperSegmentation, type Segmentation } from "./segmentation.ts";
import type { SpanClassifier } from "./span-classifier.ts";
import { TraceReader } from "./trace-reader.ts";

export type LabellerSpec = {
  /** A classifier, or the folder of one that threads can load: linear or ONNX. The shipped one where neither is given. */
  readonly classifier?: SpanClassifier | { readonly folder: string };
  readonly segmentation: Segmentation;
  /** Labels less sure than this become breaks. */
  readonly abstainBelow: number;
};

/** The shipped classifier on spans as the paper cuts them. */
export const defaultLabeller: LabellerSpec = { segmentation: paperSegmentation, abstainBelow: 0 };

export async function loadedClassifier({ classifier }: Pick<LabellerSpec, "classifier">): Promise<SpanClassifier> {
  if (classifier !== undefined && !("folder" in classifier)) return classifier;
  const folder = classifier?.folder;
  return folder !== undefined && isOnnxFolder(folder) ? OnnxClassifier.load(folder) : BuiltinClassifier.load(folder);
}

export async function readerOf(spec: LabellerSpec): Promise<TraceReader> {
  return new TraceReader(classifierLabeller(await loadedClassifier(spec), spec.segmentation), spec.abstainBelow);
}

/**
 * Who labels the rollouts of a policy while it is trained, by what the policy speaks: the grammar reads the terse language
 * and nothing else. The same labels are made again by an analysis of the run, which therefore believes these.
 */
export async function rolloutLabellerFor(
  language: Language | undefined,
  spec: LabellerSpec = defaultLabeller,
): Promise<RolloutLabeller> {
  const reader = await readerOf(spec);
  const { labels } = reader.alphabet;
  const labeller =
    language === "terse" && reader.labeller.taxonomy.name === grammarLabeller.taxonomy.name
      ? grammarLabeller
      : reader.labeller;
  return {
    id: labellerId(labeller.description),
    taxonomy: labeller.taxonomy,
    labels: async (response) =>
      Array.from((await reader.read({ response, ...(language && { language }) })).sequence, (code) => labels[code]),
  };
}
