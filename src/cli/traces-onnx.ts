// `repertoire traces train-classifier --backbone … --onnx`: lessons for PyTorch, its model as ONNX, and the measuring of it.
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { makeFolder, writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { splitByTrace } from "../traces/classifier/backbone-training.ts";
import type { LabeledSpan } from "../traces/classifier/labeled-spans.ts";
import { contextTemplate, filledTemplate, type OnnxExtras, onnxExtras } from "../traces/classifier/onnx-classifier.ts";
import { classifierQuality } from "../traces/classifier/quality.ts";
import { exampleWeights, fittedTemperature, judged, type ScoredSpan } from "../traces/classifier/training.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { printQuality } from "./classifier-quality.ts";
import { writeLines } from "./jury-run.ts";
import { packageVersion } from "./package-version.ts";
import { runTorchProgram } from "./torch-engine.ts";
import { type BackboneFlags, checkedSplit, splitRecord, splitWords, tracesOf } from "./traces-backbone.ts";

const logitsSchema = z.object({
  logits: z.object({ validation: z.array(z.array(z.number())), test: z.array(z.array(z.number())) }),
  record: z.looseObject({ longest: z.int() }),
});

export async function trainOnnx(
  flags: BackboneFlags,
  spans: readonly LabeledSpan[],
  taxonomy: Taxonomy,
): Promise<void> {
  const { backbone, out, name, seed, device, loraRank, epochs, spansPerStep, learningRate, patience } = flags;
  const alphabet = alphabetOf(taxonomy);
  const split = checkedSplit(splitByTrace(spans, seed));
  console.error(`${splitWords(split)}; at most ${epochs} epochs`);
  const lessons = join(out, "lessons");
  await makeFolder(lessons);
  for (const part of ["taught", "validation", "test"] as const) {
    const weights = exampleWeights(split[part], alphabet);
    const lines = split[part].map((span, i) => ({
      input: filledTemplate(contextTemplate, span),
      target: [...weights[i].target],
      weight: weights[i].weight,
    }));
    await writeLines(join(lessons, `${part}.jsonl`), lines);
  }
  await runTorchProgram("classifier", {
    ...{ backbone: resolve(backbone), lessons: resolve(lessons), out: resolve(out), labels: alphabet.labels.join(",") },
    ...{ device, loraRank, epochs, spansPerStep, learningRate, patience, seed: Number(seed) || 1 },
  });
  const { logits, record } = await readJsonFile(join(out, "logits.json"), logitsSchema);
  const scored = (part: "validation" | "test"): ScoredSpan[] =>
    split[part].map((span, i) => ({ span, logits: Float64Array.from(logits[part][i]) }));
  const temperature = fittedTemperature(scored("validation"), alphabet);
  const quality = classifierQuality(
    judged(scored("test"), temperature, alphabet),
    `${split.test.length} spans of ${tracesOf(split.test)} traces of which it saw none`,
    alphabet,
  );
  const extras: OnnxExtras = {
    ...{ name, template: contextTemplate, longest: record.longest, temperature, quality, taxonomy },
    about: `a classification head on ${resolve(backbone).split("/").at(-1)}, taught by ${split.taught.length} spans of ${tracesOf(split.taught)} traces`,
    record: {
      ...record,
      training: { loraRank, epochs, spansPerStep, learningRate, patience, seed },
      split: splitRecord(split),
      repertoire: packageVersion,
    },
  };
  await writeFileAtomically(join(out, onnxExtras), `${JSON.stringify(extras, null, 2)}\n`);
  await rm(lessons, { recursive: true });
  await rm(join(out, "logits.json"));
  printQuality(out, `temperature ${temperature.toFixed(2)}`, quality, flags.json);
}
