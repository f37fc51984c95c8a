// How a labeler is asked for: what a flag, a setting or a worker thread can say, and the reader made from it.

import type { Language } from "../engine/language.ts";
import type { RolloutLabeler } from "../rollouts/taxonomy.ts";
import type { Abstention } from "./abstention.ts";
import { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import { isOnnxFolder, OnnxClassifier } from "./classifier/onnx-classifier.ts";
import { labelerId } from "./labeler.ts";
import { classifierLabeler } from "./labelers/classified.ts";
import { grammarLabeler } from "./labelers/grammar.ts";
import { paperSegmentation, type Segmentation } from "./segmentation.ts";
import { labelsOf } from "./sequence.ts";
import type { SpanClassifier } from "./span-classifier.ts";
import { TraceReader } from "./trace-reader.ts";

export type LabelerSpec = {
  /** A classifier, or the folder of one that threads can load: linear or ONNX. The shipped one where neither is given. */
  readonly classifier?: SpanClassifier | { readonly folder: string };
  readonly segmentation: Segmentation;
  /** An analysis whose traces come to too few spans makes every paragraph one. */
  readonly orSteps?: boolean;
  /** Spans less sure than this have no label. */
  readonly abstainBelow: Abstention;
};

/** The shipped classifier on spans as the paper cuts them. */
export const defaultLabeler: LabelerSpec = { segmentation: paperSegmentation, orSteps: true, abstainBelow: 0 };

export async function loadedClassifier({ classifier }: Pick<LabelerSpec, "classifier">): Promise<SpanClassifier> {
  if (classifier !== undefined && !("folder" in classifier)) return classifier;
  const folder = classifier?.folder;
  return folder !== undefined && isOnnxFolder(folder) ? OnnxClassifier.load(folder) : BuiltinClassifier.load(folder);
}

export async function readerOf(spec: LabelerSpec): Promise<TraceReader> {
  return new TraceReader(classifierLabeler(await loadedClassifier(spec), spec.segmentation), spec.abstainBelow);
}

/**
 * Who labels the rollouts of a policy while it is trained, by what the policy speaks: the grammar reads the terse language
 * and nothing else. The same labels are made again by an analysis of the run, which therefore believes these.
 */
export async function rolloutLabelerFor(
  language: Language | undefined,
  spec: LabelerSpec = defaultLabeler,
  say: (message: string) => void = () => {},
): Promise<RolloutLabeler> {
  const reader = await readerOf(spec);
  const labeler =
    language === "terse" && reader.labeler.taxonomy.name === grammarLabeler.taxonomy.name
      ? grammarLabeler
      : reader.labeler;
  if (labeler === grammarLabeler && spec.classifier !== undefined)
    say(
      `${reader.labeler.description.name} is not asked: this model speaks the terse language, which ${grammarLabeler.description.name} reads without error, here and in every analysis of the run`,
    );
  return {
    id: labelerId(labeler.description),
    taxonomy: labeler.taxonomy,
    labels: async (response, prompt) =>
      labelsOf((await reader.read({ response, prompt, language })).sequence, reader.alphabet),
  };
}
