// Flags that several `traces` commands share: how text is cut, who labels it, which columns hold what.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { type Endpoint, endpointSchema } from "../endpoints/endpoint.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { readTaxonomy, type Taxonomy } from "../rollouts/taxonomy.ts";
import { defaultAnalysis } from "../traces/analysis/analysis.ts";
import type { Limits } from "../traces/analysis/scopes.ts";
import { isBackboneFolder } from "../traces/classifier/backbone-classifier.ts";
import { rowFormats } from "../traces/importers/import-slice.ts";
import type { ColumnMapping } from "../traces/importers/row-format.ts";
import { JudgeClassifier } from "../traces/judges/judge-classifier.ts";
import { type LabelerSpec, loadedClassifier } from "../traces/labeler-spec.ts";
import type { ReadOptions } from "../traces/read-traces.ts";
import { type Segmentation, segmentations } from "../traces/segmentation.ts";
import { collected, count, range, wholeNumber } from "./arguments.ts";
import { openBackbone } from "./traces-backbone.ts";

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

type ClassifierFlags = { classifier?: string; taxonomy?: string; abstainBelow: number };

function withClassifier(command: Command): Command {
  return withTaxonomy(command)
    .option(
      "--classifier <folder or judge>",
      "a folder made by train-classifier, a Hugging Face classifier as ONNX, or a judge as model@url; the shipped one by default",
    )
    .option("--abstain-below <confidence>", "labels less sure than this are not given", share, 0);
}

export function withTaxonomy(command: Command): Command {
  return command.option(
    "--taxonomy <file>",
    "labels of your own instead of the paper's nine, for judges and training; `traces taxonomy` prints an example",
  );
}

export async function taxonomyOf({ taxonomy }: { taxonomy?: string }): Promise<Taxonomy> {
  if (taxonomy === undefined) return paperTaxonomy;
  if (!existsSync(taxonomy))
    throw new ConfigurationError(`${taxonomy} does not exist; \`repertoire traces taxonomy\` prints an example`);
  return readTaxonomy(await readFile(taxonomy, "utf8"), taxonomy);
}

export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("expected a number from 0 to 1");
  return value;
}

/** Who labels, as a flag says it: a folder is loaded wherever it is needed, any other classifier here. */
export async function classifierOf(
  flags: Pick<ClassifierFlags, "classifier" | "taxonomy">,
): Promise<LabelerSpec["classifier"]> {
  const { classifier } = flags;
  const given = flags.taxonomy === undefined ? undefined : await taxonomyOf(flags);
  const found = await namedClassifier(classifier, given);
  if (given === undefined) return found;
  const { taxonomy } = await loadedClassifier({ classifier: found });
  if (JSON.stringify(taxonomy) !== JSON.stringify(given)) {
    throw new ConfigurationError(
      `${classifier ?? "the shipped classifier"} labels by the taxonomy "${taxonomy.name}", not by ${flags.taxonomy}; train one for it with: repertoire traces train-classifier --taxonomy ${flags.taxonomy} …`,
    );
  }
  return found;
}

async function namedClassifier(name: string | undefined, taxonomy?: Taxonomy): Promise<LabelerSpec["classifier"]> {
  if (name === undefined) return undefined;
  if (name.includes("@")) return new JudgeClassifier(judgeEndpoint(name), taxonomy);
  if (isBackboneFolder(name)) return openBackbone(name);
  return { folder: resolve(name) };
}

export async function labelerOf(flags: SegmentationFlags & ClassifierFlags): Promise<LabelerSpec> {
  return {
    classifier: await classifierOf(flags),
    segmentation: segmentationOf(flags),
    abstainBelow: flags.abstainBelow,
  };
}

/** `model@url`, with `#NAME` behind it for the environment variable that holds the key. */
export function judgeEndpoint(text: string): Endpoint {
  const [, model, url, keyVariable] = text.match(/^([^@]+)@([^#]+)(?:#(\w+))?$/) ?? [];
  const parsed = endpointSchema.safeParse({ model, url, keyVariable });
  if (!parsed.success) {
    throw new ConfigurationError(
      `invalid judge ${JSON.stringify(text)}; expected model@url or model@url#KEY_VARIABLE, like judge-1@http://localhost:8000/v1`,
    );
  }
  return parsed.data;
}

export type ReadingFlags = SegmentationFlags & ClassifierFlags & { format: string; columns?: ColumnMapping };

export function withReading(command: Command): Command {
  return withClassifier(withSegmentation(command))
    .addOption(
      new Option("--format <name>", "what the files are")
        .choices(["auto", ...rowFormats.map(({ name }) => name)])
        .default("auto"),
    )
    .option("--columns <mapping>", "response=text,problem=meta.id,correct=score,…", readColumns);
}

export const readingOf = ({ format, columns }: ReadingFlags): ReadOptions => ({ format, columns });

export type LimitFlags = {
  set: string[];
  checkpoint: string[];
  problem: string[];
  puzzle: string[];
  steps?: [number, number];
};

/** What is shown of an analysis; the traces are not read again for it. */
export function withLimits(command: Command): Command {
  return command
    .option("--set <name>", "only traces of this set; may be repeated", collected, [])
    .option("--checkpoint <name>", "only this checkpoint; may be repeated", collected, [])
    .option("--problem <id>", "only this problem; may be repeated", collected, [])
    .option("--puzzle <name>", "only this puzzle; may be repeated", collected, [])
    .option("--steps <from-to>", "only these training steps, like 0-20", range);
}

export function limitsOf(flags: LimitFlags): Limits {
  const some = (values: readonly string[]) => (values.length === 0 ? undefined : values);
  return {
    sets: some(flags.set),
    checkpoints: some(flags.checkpoint),
    problems: some(flags.problem),
    puzzles: some(flags.puzzle),
    steps: flags.steps,
  };
}

// biome-ignore format: a table
const columnRoles = [
  "response", "problem", "prompt", "correct", "score", "checkpoint", "step", "attempt", "set", "kind", "puzzle", "size", "reasoning",
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

export type BootstrapFlags = { workers?: number; replicates: number; seed: string };

export function withBootstrap(command: Command): Command {
  return command
    .option("--workers <n>", "threads; all cores by default", count)
    .option("--replicates <n>", "bootstrap samples of the problems", count, defaultAnalysis.replicates)
    .option("--seed <seed>", "for the bootstrap", defaultAnalysis.seed);
}
