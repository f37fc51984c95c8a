// Flags that several `traces` commands share: how text is cut, who labels it, which columns hold what.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { type Endpoint, endpointSchema } from "../endpoints/endpoint.ts";
import { BuiltinClassifier } from "../traces/classifier/builtin-classifier.ts";
import { OnnxClassifier } from "../traces/classifier/onnx-classifier.ts";
import { rowFormats } from "../traces/importers/import-slice.ts";
import type { ColumnMapping } from "../traces/importers/row-format.ts";
import { JudgeClassifier } from "../traces/judges/judge-classifier.ts";
import type { ReadOptions } from "../traces/read-traces.ts";
import { type Segmentation, segmentations } from "../traces/segmentation.ts";
import type { SpanClassifier } from "../traces/span-classifier.ts";
import { wholeNumber } from "./arguments.ts";

export type SegmentationFlags = {
  segmentation: keyof typeof segmentations;
  mergeBelow?: number;
  splitAbove?: number;
  joinTrailingBelow?: number;
};

export function withSegmentation(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--segmentation <preset>",
        "paper: 80–250 tokens a span; steps: a paragraph a span; terse: a line a span, for small models",
      )
        .choices(Object.keys(segmentations))
        .default("paper"),
    )
    .option("--merge-below <tokens>", "fragments wait until a span has this many", wholeNumber)
    .option("--split-above <tokens>", "longer fragments are split at sentences", wholeNumber)
    .option("--join-trailing-below <tokens>", "a shorter rest joins the span before it", wholeNumber);
}

export function segmentationOf(flags: SegmentationFlags): Segmentation {
  const preset = segmentations[flags.segmentation];
  return {
    ...preset,
    mergeBelow: flags.mergeBelow ?? preset.mergeBelow,
    splitAbove: flags.splitAbove ?? preset.splitAbove,
    joinTrailingBelow: flags.joinTrailingBelow ?? preset.joinTrailingBelow,
  };
}

export type ClassifierFlags = { classifier?: string; abstainBelow: number };

export function withClassifier(command: Command): Command {
  return command
    .option(
      "--classifier <folder or judge>",
      "a folder made by train-classifier, a Hugging Face classifier as ONNX, or a judge as model@url; the shipped one by default",
    )
    .option("--abstain-below <confidence>", "labels less sure than this are not given", share, 0);
}

export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("expected a number from 0 to 1");
  return value;
}

/** For threads the folder is enough; any other classifier is asked from the main thread. */
export async function classifierOf(flags: ClassifierFlags): Promise<SpanClassifier | { readonly folder?: string }> {
  const { classifier } = flags;
  if (classifier === undefined) return {};
  if (classifier.includes("@")) return new JudgeClassifier(judgeEndpoint(classifier));
  if (existsSync(join(classifier, "classifier.json"))) return { folder: classifier };
  return OnnxClassifier.load(classifier);
}

export async function loadedClassifier(flags: ClassifierFlags): Promise<SpanClassifier> {
  const chosen = await classifierOf(flags);
  return "label" in chosen ? chosen : BuiltinClassifier.load(chosen.folder);
}

/** `model@url`, with `#NAME` behind it for the environment variable that holds the key. */
export function judgeEndpoint(text: string): Endpoint {
  const [, model, url, keyVariable] = text.match(/^([^@]+)@([^#]+)(?:#(\w+))?$/) ?? [];
  const parsed = endpointSchema.safeParse({ model, url, keyVariable });
  if (!parsed.success) {
    throw new ConfigurationError(
      `${JSON.stringify(text)} is no judge; expected model@url or model@url#KEY_VARIABLE, like judge-1@http://localhost:8000/v1`,
    );
  }
  return parsed.data;
}

export type ReadingFlags = SegmentationFlags &
  ClassifierFlags & { format: string; columns?: ColumnMapping; relabel?: true };

export function withReading(command: Command): Command {
  return withClassifier(withSegmentation(command))
    .addOption(
      new Option("--format <name>", "what the files are")
        .choices(["auto", ...rowFormats.map(({ name }) => name)])
        .default("auto"),
    )
    .option("--columns <mapping>", "response=text,problem=meta.id,correct=score,…", readColumns)
    .option("--relabel", "label spans even where the records carry labels of their own");
}

export function readingOf(flags: ReadingFlags): ReadOptions {
  return {
    format: flags.format,
    columns: flags.columns,
    segmentation: segmentationOf(flags),
    abstainBelow: flags.abstainBelow,
    trustRecordedLabels: flags.relabel === undefined,
  };
}

const columnRoles = [
  "response",
  "problem",
  "prompt",
  "correct",
  "checkpoint",
  "step",
  "attempt",
  "set",
  "puzzle",
  "size",
  "reasoning",
] as const satisfies readonly (keyof ColumnMapping)[];

function readColumns(text: string): ColumnMapping {
  const pairs = text.split(",").map((pair) => pair.split("="));
  for (const [role, column] of pairs) {
    if (!(columnRoles as readonly string[]).includes(role) || !column) {
      throw new InvalidArgumentError(`expected role=column with a role among ${columnRoles.join(", ")}`);
    }
  }
  return Object.fromEntries(pairs);
}
