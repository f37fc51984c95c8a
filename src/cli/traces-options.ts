// Flags that several `traces` commands share: how text is cut, who labels it, which columns hold what.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { withoutSecrets } from "../base/secrets.ts";
import { type Endpoint, endpointSchema, type Price } from "../endpoints/endpoint.ts";
import { rowFormats } from "../imports/formats.ts";
import type { ReadOptions } from "../imports/plan.ts";
import { type ColumnMapping, columnNames } from "../imports/row-format.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { readTaxonomy, type Taxonomy } from "../rollouts/taxonomy.ts";
import type { Abstention } from "../traces/abstention.ts";
import { defaultAnalysis } from "../traces/analysis/analysis.ts";
import { defaultPairs, type PairOptions } from "../traces/analysis/reading-pairs.ts";
import type { Limits } from "../traces/analysis/scopes.ts";
import { isClassifierFolder } from "../traces/classifier/model-file.ts";
import { isOnnxFolder } from "../traces/classifier/onnx-classifier.ts";
import { habitClassifier } from "../traces/habits.ts";
import { JudgeClassifier } from "../traces/judges/judge-classifier.ts";
import { type LabelerSpec, loadedClassifier } from "../traces/labeler-spec.ts";
import { type Segmentation, segmentations } from "../traces/segmentation.ts";
import { count, numberWithin, range, readPrice, wholeNumber } from "./arguments.ts";
import { choice, type FlagValues, flag, repeatable } from "./flags.ts";
import { warn } from "./progress.ts";

export const segmentationFlags = [
  choice(
    "--segmentation <preset>",
    "paper: 80–250 tokens per span; steps: one span per paragraph; terse: one span per line, for small models; auto: as in the paper, and by steps where that gives a trace fewer than five spans",
    ["auto", ...(Object.keys(segmentations) as (keyof typeof segmentations)[])],
    "auto",
  ),
  flag("--merge-below <tokens>", "merge fragments until a span has this many", wholeNumber),
  flag("--split-above <tokens>", "split longer fragments at sentence ends", wholeNumber),
  flag("--join-trailing-below <tokens>", "append a shorter last span to the one before it", wholeNumber),
];

const cuts = ["mergeBelow", "splitAbove", "joinTrailingBelow"] as const;

type SegmentationFlags = FlagValues<typeof segmentationFlags>;

export function segmentationOf(flags: SegmentationFlags): Segmentation {
  const preset = segmentations[flags.segmentation === "auto" ? "paper" : flags.segmentation];
  return {
    ...preset,
    mergeBelow: flags.mergeBelow ?? preset.mergeBelow,
    splitAbove: flags.splitAbove ?? preset.splitAbove,
    joinTrailingBelow: flags.joinTrailingBelow ?? preset.joinTrailingBelow,
  };
}

export const taxonomyFlag = flag(
  "--taxonomy <file>",
  "labels of your own instead of the paper's nine, for judges and training; `traces taxonomy` prints an example",
);

const classifierFlags = [
  taxonomyFlag,
  flag(
    "--classifier <folder or judge>",
    "a folder made by train-classifier, a Hugging Face classifier as ONNX, a judge as model@url, or habits: the four habits by their words (default: the shipped one)",
  ),
  flag("--price <prompt,completion>", "of judges, per million tokens, to estimate and report the cost", readPrice),
  flag(
    "--abstain-below <confidence>",
    "leave spans unlabeled below this confidence; `sure`: below the one at which each label is right four times in five",
    abstention,
    0,
  ),
];

function abstention(text: string): Abstention {
  return text === "sure"
    ? text
    : numberWithin(text, (value) => value >= 0 && value <= 1, "a share from 0 to 1, such as 0.6, or sure");
}

export async function taxonomyOf({ taxonomy }: { taxonomy?: string }): Promise<Taxonomy> {
  if (taxonomy === undefined) return paperTaxonomy;
  if (!existsSync(taxonomy))
    throw new ConfigurationError(`${taxonomy} does not exist; \`repertoire traces taxonomy\` prints an example`);
  return readTaxonomy(await readFile(taxonomy, "utf8"), taxonomy);
}

/** Who labels, as a flag says it: a folder is loaded wherever it is needed, any other classifier here. */
export async function classifierOf(flags: {
  readonly classifier?: string;
  readonly taxonomy?: string;
  readonly price?: Price;
}): Promise<LabelerSpec["classifier"]> {
  const { classifier, price } = flags;
  const given = flags.taxonomy === undefined ? undefined : await taxonomyOf(flags);
  const found = await namedClassifier(classifier, price, given);
  if (given === undefined) return found;
  const { taxonomy } = await loadedClassifier({ classifier: found });
  if (JSON.stringify(taxonomy) !== JSON.stringify(given)) {
    throw new ConfigurationError(
      `${classifier ?? "the shipped classifier"} labels by the taxonomy "${taxonomy.name}", not by ${flags.taxonomy}; train one for it with: repertoire traces train-classifier --taxonomy ${flags.taxonomy} …`,
    );
  }
  return found;
}

async function namedClassifier(
  name: string | undefined,
  price: Price | undefined,
  taxonomy: Taxonomy | undefined,
): Promise<LabelerSpec["classifier"]> {
  if (name === undefined) return undefined;
  if (name === habitClassifier.description.name) return habitClassifier;
  if (name.includes("@")) return new JudgeClassifier({ ...judgeEndpoint(name), price }, taxonomy, warn);
  checkClassifier(name);
  return { folder: resolve(name) };
}

/** As it is recorded and shown: of a judge that is asked with a secret, without it. */
export const classifierName = (name: string | undefined) => name && withoutSecrets(name);

/** A name that names nothing is said at once, not when a run that takes days comes to its labels. */
export function checkClassifier(name: string | undefined): void {
  if (name === undefined || name === habitClassifier.description.name || name.includes("@") || isOnnxFolder(name))
    return;
  if (!isClassifierFolder(name))
    throw new ConfigurationError(
      `--classifier ${name} is not a classifier; give a folder made by \`traces train-classifier\`, one with model.onnx, a judge as model@url, or habits`,
    );
}

export async function labelerOf(flags: SegmentationFlags & FlagValues<typeof classifierFlags>): Promise<LabelerSpec> {
  return {
    classifier: await classifierOf(flags),
    segmentation: segmentationOf(flags),
    orSteps: flags.segmentation === "auto" && cuts.every((cut) => flags[cut] === undefined),
    abstainBelow: flags.abstainBelow,
  };
}

/** `model@url`, with `#NAME` behind it for the environment variable that holds the key. */
export function judgeEndpoint(text: string): Endpoint {
  const [, model, url, keyVariable] = text.match(/^([^@]+)@([^#]+)(?:#(\w+))?$/) ?? [];
  const parsed = endpointSchema.safeParse({ model, url, keyVariable });
  if (!parsed.success) {
    throw new ConfigurationError(
      `invalid judge ${JSON.stringify(withoutSecrets(text))}; expected model@url or model@url#KEY_VARIABLE, like judge-1@http://localhost:8000/v1`,
    );
  }
  return parsed.data;
}

export const readingFlags = [
  ...segmentationFlags,
  ...classifierFlags,
  choice("--format <name>", "what the files are", ["auto", ...rowFormats.map(({ name }) => name)], "auto"),
  flag("--columns <mapping>", "names of the columns: response=text,problem=meta.id,correct=score,…", readColumns),
];

export type ReadingFlags = FlagValues<typeof readingFlags>;

export const readingOf = ({ format, columns }: ReadingFlags): ReadOptions => ({ format, columns });

/** To keep up with somebody's training. */
export const followFlags = [
  flag("--follow", "keep up with a trainer that is still writing, until Ctrl-C; prints alarms as they are raised"),
  flag("--notify <url>", "with --follow: POST every alarm there as JSON (its `text` is what Slack shows)", webhook),
];

function webhook(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new InvalidArgumentError("expected an address that begins with http:// or https://");
  return text;
}

/** What is shown of an analysis; the traces are not read again for it. */
export const limitFlags = [
  repeatable("--set <name>", "only traces of this set"),
  repeatable("--checkpoint <name>", "only this checkpoint"),
  repeatable("--problem <id>", "only this problem"),
  repeatable("--puzzle <name>", "only this puzzle"),
  flag("--steps <from-to>", "only these training steps, such as 0-20", range),
];

type LimitFlags = FlagValues<typeof limitFlags>;

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

function readColumns(text: string): ColumnMapping {
  const pairs = text.split(",").map((pair) => pair.split("="));
  for (const [role, column] of pairs) {
    if (!(columnNames as readonly string[]).includes(role) || !column) {
      throw new InvalidArgumentError(`expected role=column with a role among ${columnNames.join(", ")}`);
    }
  }
  return Object.fromEntries(pairs);
}

/** For whatever compares checkpoints. */
export const comparingFlags = [
  flag("--workers <n>", "threads (default: all cores)", count),
  flag("--replicates <n>", "bootstrap samples of the problems", count, defaultAnalysis.replicates),
];

/** Which pairs of traces an analysis sets side by side. */
export const pairFlags = [
  flag("--opening <n>", "how many opening labels both traces of a pair share", wholeNumber, defaultPairs.sharedOpening),
  // The paper's appendix pairs traces of depth 2–4 with traces of depth 5–9 that open alike.
  flag(
    "--first-depth <from-to>",
    "chain depths of the first trace of a pair, like 2-4 (default: around its mean)",
    range,
  ),
  flag("--second-depth <from-to>", "chain depths of the second, like 5-9", range),
];

export function pairsOf({ opening, firstDepth, secondDepth }: FlagValues<typeof pairFlags>): PairOptions {
  return { pairs: defaultPairs.pairs, sharedOpening: opening, firstDepth, secondDepth };
}
