// Everything that is shown of one run or several, as items: the report's sections, which every page takes from.
import type { Section } from "../drawing/item.ts";
import { reportContext } from "./context.ts";
import type { ReportData } from "./records.ts";
import { accuracySection } from "./sections/accuracy.ts";
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
    ...(data.runs.length > 1 ? [seedsSection(context)] : []),
    accuracySection(context),
    primitivesSection(context),
    depthSection(context),
    recoverySection(context),
    trainingSection(context),
    pairedTracesSection(context),
  ];
}
