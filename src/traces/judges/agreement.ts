// What a jury found: how far its judges agree, what they confuse, the labels most of them gave, and the spans to look at.
import {
  type ConfusionMatrix,
  cohenKappa,
  confusionMatrix,
  fleissKappa,
  percentAgreement,
} from "../../base/statistics.ts";
import { paperTaxonomy } from "../../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { JurySpan, Vote } from "./jury.ts";
import type { SettledSpan } from "./settled.ts";

type PairAgreement = {
  readonly judges: readonly [string, string];
  readonly spans: number;
  /** Absent where no span has a vote of both. */
  readonly percent?: number;
  /** Absent where both gave one label only: there is nothing beyond chance to measure. */
  readonly kappa?: number;
  readonly confusion: ConfusionMatrix;
};

export type JuryAgreement = {
  readonly judges: readonly string[];
  /** Spans that every judge voted on that gave labels at all. */
  readonly spans: number;
  /** Mean over the pairs of judges that voted on common spans; absent where there are none. */
  readonly percent?: number;
  readonly fleissKappa?: number;
  readonly pairs: readonly PairAgreement[];
  readonly votesByLabel: Readonly<Record<string, number>>;
  readonly failures: number;
  /** Judges that gave many spans one and the same label: their votes say nothing of the spans. */
  readonly monotonous: readonly { readonly judge: string; readonly label: string; readonly spans: number }[];
  /** Judges whose answers could not be used, with an example of what came back. */
  readonly failing: readonly { readonly judge: string; readonly failures: number; readonly example: string }[];
  readonly cost: number;
};

/** The last vote of each judge on each span. Votes under another wording are no votes here. */
function castVotes(votes: readonly Vote[]): Map<string, Map<string, string>> {
  const bySpan = new Map<string, Map<string, string>>();
  for (const { span, judge, label } of votes) {
    if (label === undefined) continue;
    const cast = bySpan.get(span) ?? new Map<string, string>();
    cast.set(judge, label);
    bySpan.set(span, cast);
  }
  return bySpan;
}

export function juryAgreement(votes: readonly Vote[], taxonomy: Taxonomy = paperTaxonomy): JuryAgreement {
  const names = taxonomy.labels.map(({ name }) => name);
  const judges = [...new Set(votes.map(({ judge }) => judge))].sort();
  const cast = castVotes(votes);
  // One that never gave a label is named as failing; the others are a jury without it.
  const voting = new Set([...cast.values()].flatMap((labels) => [...labels.keys()])).size;
  const complete = [...cast.values()].filter((labels) => labels.size === voting);
  const pairs = judges.flatMap((first, i) =>
    judges.slice(i + 1).map((second) => pairAgreement(first, second, [...cast.values()], names)),
  );
  const votesByLabel = Object.fromEntries(names.map((name) => [name, 0])) as Record<string, number>;
  for (const labels of cast.values()) for (const label of labels.values()) votesByLabel[label] += 1;
  const table = complete.map((labels) =>
    names.map((name) => [...labels.values()].filter((label) => label === name).length),
  );
  const compared = pairs.flatMap(({ percent }) => (percent === undefined ? [] : [percent]));
  const kappa = complete.length > 0 && voting > 1 ? fleissKappa(table) : Number.NaN;
  return {
    judges,
    spans: complete.length,
    ...(compared.length > 0 && { percent: compared.reduce((a, b) => a + b, 0) / compared.length }),
    fleissKappa: Number.isNaN(kappa) ? undefined : kappa,
    pairs,
    votesByLabel,
    failures: votes.filter(({ failure }) => failure !== undefined).length,
    monotonous: monotonousJudges(judges, [...cast.values()]),
    failing: failingJudges(votes, cast),
    cost: votes.reduce((total, { cost }) => total + cost, 0),
  };
}

/** As many spans of one label are no coincidence in a sample of several labels. */
const manySpans = 20;

function monotonousJudges(
  judges: readonly string[],
  cast: readonly ReadonlyMap<string, string>[],
): JuryAgreement["monotonous"] {
  return judges.flatMap((judge) => {
    const said = cast.flatMap((labels) => labels.get(judge) ?? []);
    return said.length >= manySpans && new Set(said).size === 1 ? [{ judge, label: said[0], spans: said.length }] : [];
  });
}

/** What was asked again and then answered is no failure. */
function failingJudges(
  votes: readonly Vote[],
  cast: ReadonlyMap<string, ReadonlyMap<string, string>>,
): JuryAgreement["failing"] {
  const found = new Map<string, { spans: Set<string>; example: string }>();
  for (const { span, judge, failure } of votes) {
    if (failure === undefined || cast.get(span)?.has(judge)) continue;
    const known = found.get(judge) ?? { spans: new Set(), example: failure };
    found.set(judge, known);
    known.spans.add(span);
  }
  return [...found].map(([judge, { spans, example }]) => ({ judge, failures: spans.size, example }));
}

function pairAgreement(
  first: string,
  second: string,
  cast: readonly ReadonlyMap<string, string>[],
  names: readonly string[],
): PairAgreement {
  const both = cast.filter((labels) => labels.has(first) && labels.has(second));
  const [a, b] = [first, second].map((judge) => both.map((labels) => labels.get(judge)!));
  const kappa = cohenKappa(a, b);
  return {
    judges: [first, second],
    spans: both.length,
    ...(both.length > 0 && { percent: percentAgreement(a, b) }),
    kappa: Number.isNaN(kappa) ? undefined : kappa,
    confusion: confusionMatrix(names, a, b),
  };
}

export type Consensus = JurySpan & { readonly label: string; readonly confidence: "low" | "medium" | "high" };
export type SpanVotes = JurySpan & { readonly votes: Readonly<Record<string, string>> };

/**
 * Every span with its votes; the label that more than half of the votes gave where more than half of the judges voted, as sure
 * as the jury was: all of it, or only most. Spans without such a label, and those where the judges differ, queue to be looked
 * at, the least decided first; those that most judges voted on without a majority are undecided: nobody is right about them.
 * What somebody settled by hand is so.
 */
export function juryOutcome(
  spans: readonly JurySpan[],
  votes: readonly Vote[],
  settled: ReadonlyMap<string, Pick<SettledSpan, "label">> = new Map(),
): {
  readonly judged: SpanVotes[];
  readonly consensus: Consensus[];
  readonly undecided: JurySpan[];
  readonly disagreements: SpanVotes[];
} {
  const cast = castVotes(votes);
  const jury = new Set(votes.map(({ judge }) => judge)).size;
  const asked = new Set(votes.map(({ span }) => span));
  const consensus: Consensus[] = [];
  const undecided: JurySpan[] = [];
  const judged: SpanVotes[] = [];
  const divided: { readonly entry: SpanVotes; readonly share: number }[] = [];
  for (const span of spans) {
    const labels = cast.get(span.id) ?? new Map<string, string>();
    const entry = { ...span, votes: Object.fromEntries(labels) };
    if (labels.size > 0) judged.push(entry);
    const decision = settled.get(span.id);
    if (decision !== undefined) {
      consensus.push({ ...span, label: decision.label, confidence: "high" });
      continue;
    }
    if (!asked.has(span.id)) continue;
    const counts = new Map<string, number>();
    for (const label of labels.values()) counts.set(label, (counts.get(label) ?? 0) + 1);
    const [label, count] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0]);
    const read = 2 * labels.size > jury;
    const decided = read && 2 * count > labels.size;
    if (read && !decided) undecided.push(span);
    if (decided) consensus.push({ ...span, label, confidence: count === jury && jury > 1 ? "high" : "medium" });
    if (!decided || count < labels.size) divided.push({ entry, share: count / jury });
  }
  divided.sort((a, b) => a.share - b.share || (a.entry.id < b.entry.id ? -1 : 1));
  return { judged, consensus, undecided, disagreements: divided.map(({ entry }) => entry) };
}
