// Who says what a span does. A labeler is a value: the grammar of the terse language, a classifier, a judge, or whoever
// recorded labels with a trace. Its identity and its measured quality travel with every record that it labeled.
import { z } from "zod";
import { type Domain, domains } from "../imports/trace.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { type ClassifierQuality, type Confusions, classifierQualitySchema } from "./classifier/quality.ts";
import type { Span } from "./segmentation.ts";
import type { PrimitiveSequence } from "./sequence.ts";

export const labelerDescriptionSchema = z.object({
  /** `grammar`: by construction. `recorded`: given with the trace by somebody who knows. */
  kind: z.enum(["grammar", "classifier", "judge", "recorded"]),
  name: z.string(),
  version: z.string(),
  /** One line: what it is and what it learned from. */
  about: z.string(),
  /** The name of the taxonomy its labels are from. */
  taxonomy: z.string(),
  /** Measured on traces it had not seen; absent where nobody has measured it. */
  quality: classifierQualitySchema.optional(),
});
export type LabelerDescription = z.infer<typeof labelerDescriptionSchema>;

/** How records refer to it: the same id is the same labels for the same text. */
export const labelerId = ({ kind, name, version }: LabelerDescription): string => `${kind}:${name}@${version}`;

/** Labels that cannot be wrong need no correction. */
export const isExact = ({ kind }: LabelerDescription): boolean => kind === "grammar" || kind === "recorded";

/** How good its labels are, in one clause. Rollouts that somebody brings are of a source that it never saw. */
export function labelerClause(labeler: LabelerDescription): string {
  const { name, quality } = labeler;
  if (isExact(labeler)) return `labels by ${name} (exact by construction)`;
  if (quality === undefined) return `labels by ${name} (quality not measured)`;
  const unseen = Object.values(quality.unseenSources ?? {}).map(({ accuracy }) => accuracy);
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  const right =
    unseen.length < 2
      ? `${percent(quality.accuracy)} right on spans`
      : `${percent(Math.min(...unseen))} to ${percent(Math.max(...unseen))} right on sources`;
  return `labels by ${name} (${right} that it never saw; docs/traces.md, “Who labels”)`;
}

/** The sentence that stands beside every number made from its labels. */
export function labelerWords(labeler: LabelerDescription): string {
  return labelerWordsOn(labeler);
}

/** The same on the domain that the number is about, where the labeler was measured there. */
export function labelerWordsOn(labeler: LabelerDescription, about?: Domain): string {
  const { name, version, quality } = labeler;
  if (isExact(labeler)) return `labels by ${name} (exact by construction)`;
  if (quality === undefined) return `labels by ${name} ${version} (quality not measured)`;
  return `labels by ${name} ${version} (${qualityWords(quality, about)}: ${quality.measured})`;
}

/** What it confuses with what, on the domain that a number is about where that was measured apart. */
function confusionOn({ domains: measured, confusion }: ClassifierQuality, about?: Domain) {
  const own = about && domains[about].names.flatMap((name) => measured[name]?.confusion ?? []);
  return own === undefined || own.length === 0 ? confusion : own;
}

/**
 * What corrections go by. Traces that somebody brings are of a source that the labeler never saw: where it was measured on such,
 * their confusions count, all together and each by itself.
 */
export function confusionsFor(quality: ClassifierQuality, about?: Domain): Confusions {
  const sources = Object.values(quality.unseenSources ?? {}).flatMap(({ confusion }) => (confusion ? [confusion] : []));
  if (sources.length < 2) return { whole: confusionOn(quality, about), sources: [] };
  const whole = sources[0].map((row, actual) =>
    row.map((_, given) => sources.reduce((sum, confusion) => sum + confusion[actual][given], 0)),
  );
  return { whole, sources };
}

/**
 * Accuracy and macro-F1 on what a number is about, and how the break is found there; without it, on all spans and on every
 * domain that was measured. What was not measured is named, and so is what it reaches on sources that it never saw.
 */
export function qualityWords(quality: ClassifierQuality, about?: Domain): string {
  const short = ({ accuracy, macroF1 }: { readonly accuracy: number; readonly macroF1: number }) =>
    `accuracy ${accuracy.toFixed(2)}, macro-F1 ${macroF1.toFixed(2)}`;
  const named = (domain: Domain) => domains[domain].names.find((name) => quality.domains[name] !== undefined);
  const missing = (domain: Domain) =>
    `not measured on ${domains[domain].words}${domain === "puzzle" ? boardWords(quality) : ""}`;
  const breaks = breakWords(quality, confusionOn(quality, about));
  const unseen = unseenWords(quality);
  if (about !== undefined) {
    const own = named(about);
    const here =
      own === undefined
        ? [short(quality), missing(about), ...unseen]
        : [`${short(quality.domains[own])} on ${quality.domains[own].spans} spans of ${domains[about].words}`];
    return [...here, breaks].join("; ");
  }
  const absent = (Object.keys(domains) as Domain[]).filter((domain) => named(domain) === undefined).map(missing);
  const each = Object.entries(quality.domains).map(
    ([name, { accuracy, macroF1 }]) => `${name} ${accuracy.toFixed(2)}, ${macroF1.toFixed(2)}`,
  );
  const parts = each.length === 0 ? "" : ` (${each.join("; ")})`;
  return [`${short(quality)}${parts}`, ...absent, ...unseen, breaks].join("; ");
}

/** What a board decides is not drawn at random, and says how often each of these is seen for what it is. */
function boardWords({ boards }: ClassifierQuality): string {
  if (boards === undefined) return "";
  const each = Object.entries(boards).map(([label, { spans, right }]) => `${label} ${right} of ${spans}`);
  return ` but where the board decides (right: ${each.join(", ")})`;
}

/** What to expect on traces of one's own. */
function unseenWords({ unseenSources = {} }: ClassifierQuality): string[] {
  const found = Object.values(unseenSources).map(({ accuracy }) => accuracy);
  if (found.length === 0) return [];
  const [least, most] = [Math.min(...found), Math.max(...found)].map((value) => value.toFixed(2));
  return [`accuracy ${least} to ${most} on sources it never saw`];
}

/** Motifs end at the break, which macro-F1 leaves out where it is rare. */
function breakWords({ f1, confusion: all }: ClassifierQuality, confusion: readonly (readonly number[])[]): string {
  const label = Object.keys(f1).at(-1);
  const right = confusion.at(-1)?.at(-1) ?? 0;
  const examples = confusion.at(-1)?.reduce((sum, count) => sum + count, 0) ?? 0;
  const given = confusion.reduce((sum, row) => sum + (row.at(-1) ?? 0), 0);
  const share = (of: number) => (of === 0 ? "–" : (right / of).toFixed(2));
  const where = confusion === all ? " among all" : "";
  if (examples + given === 0) return `no ${label}${where}`;
  return `${label} with precision ${share(given)} and recall ${share(examples)} of ${examples}${where}`;
}

export type LabeledTrace = {
  /** As many as labels; empty where only the labels were recorded. */
  readonly spans: readonly Span[];
  readonly sequence: PrimitiveSequence;
  /** How likely each label is right; NaN where nobody said. */
  readonly confidences: ArrayLike<number>;
};

export interface Labeler<Read = LabeledTrace | Promise<LabeledTrace>> {
  readonly description: LabelerDescription;
  readonly taxonomy: Taxonomy;
  readonly read: (response: string, question?: string) => Read;
}
