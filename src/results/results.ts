// Everything that is shown of one run or several, as items: the report's sections, which every page takes from.
import type { Section } from "../drawing/item.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import { alarmsOfSeries, type SeriesAlarm } from "../traces/step-signs.ts";
import { alarmsOf, signsOfStep } from "../training/alarms.ts";
import { conclusion, type Said } from "./conclusion.ts";
import { nameIn, reportContext } from "./context.ts";
import type { ReportData } from "./records.ts";
import { accuracySection } from "./sections/accuracy.ts";
import { changedSection } from "./sections/changed.ts";
import { depthSection } from "./sections/depth.ts";
import { overviewSection } from "./sections/overview.ts";
import { pairedTracesSection } from "./sections/paired-traces.ts";
import { primitivesSection } from "./sections/primitives.ts";
import { recoverySection } from "./sections/recovery.ts";
import { seedsSection } from "./sections/seeds.ts";
import { trainingSection } from "./sections/training.ts";

export function reportSections(data: ReportData): Section[] {
  const context = reportContext(data);
  return [
    overviewSection(context),
    changedSection(context),
    ...(data.runs.length > 1 ? [seedsSection(context)] : []),
    accuracySection(context),
    primitivesSection(context),
    depthSection(context),
    recoverySection(context),
    trainingSection(context),
    pairedTracesSection(context),
  ];
}

/** What they say, in at most three sentences; each names the items that show it, of those that could be made. */
export function reportConclusion(data: ReportData, sections: readonly Section[]): Said[] {
  if (data.analysis === undefined) return [];
  const made = sections.flatMap(({ items }) => items.flatMap(({ id, body }) => (body.kind === "missing" ? [] : [id])));
  return conclusion(data.analysis, (key) => nameIn({ data }, key)).map(({ words, evidence }) => ({
    words,
    evidence: evidence.filter((id) => made.includes(id)),
  }));
}

/** What should worry whoever trains: by the analysis, and by what a loop of ours wrote down itself. */
export function reportAlarms({ analysis, training }: ReportData): SeriesAlarm[] {
  const taxonomy = analysis?.taxonomy ?? paperTaxonomy;
  const all = [
    ...(analysis?.training ?? []).flatMap((series) => alarmsOfSeries(series, taxonomy)),
    ...training.flatMap(({ key, steps }) =>
      alarmsOf(
        steps.map((step) => signsOfStep(step, taxonomy.recover)),
        taxonomy.recover,
      ).map((alarm) => ({ ...alarm, series: key })),
    ),
  ];
  // Both may have seen the same.
  return [...new Map(all.map((alarm) => [`${alarm.series} ${alarm.about}`, alarm])).values()];
}
