// The report of one or more runs: read, make every part, write the page and its files.
import { join } from "node:path";
import { unknownName } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { type Gap, type Item, isFigure, type Section } from "../drawing/item.ts";
import { writeItems } from "../drawing/item-files.ts";
import { pageHtml } from "../drawing/page.ts";
import { labelsClause } from "../results/conclusion.ts";
import { reportConclusion, reportSections } from "../results/results.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { AnalysisOptions } from "../traces/analysis/analysis.ts";
import type { AnalyzeEvent } from "../traces/analyze-traces.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { readRuns } from "./run-data.ts";

export type WrittenReport = {
  readonly page: string;
  readonly items: readonly Item[];
  readonly figures: number;
  readonly tables: number;
  readonly missing: readonly { readonly title: string; readonly needs: string }[];
  readonly gaps: readonly Gap[];
};

export type ReportRequest = {
  readonly runs: readonly string[];
  /** `<first run>/report` unless said. */
  readonly out?: string;
  /** Ids of the parts to make; all of them unless said. */
  readonly only?: readonly string[];
  /** Draws files that are not what they were when they were finished, and says so. */
  readonly acceptDamage?: boolean;
  /** Who labels, where the run has no analysis yet or one by another labeler. */
  readonly labeler?: LabelerSpec;
  readonly classifierName?: string;
  /** How many bootstrap samples that analysis draws, and the like. */
  readonly analysis?: AnalysisOptions;
  /** Told of the analysis that a report may have to make first. */
  readonly onEvent?: (event: AnalyzeEvent) => void;
};

export const reportFolder = ({ runs, out }: ReportRequest): string => out ?? join(runs[0], "report");

export async function writeReport(request: ReportRequest): Promise<WrittenReport> {
  const folder = reportFolder(request);
  const { labeler, classifierName, analysis, onEvent, acceptDamage } = request;
  const data = await readRuns(request.runs, { out: folder, labeler, classifierName, analysis, onEvent, acceptDamage });
  const taxonomy = data.analysis?.taxonomy ?? paperTaxonomy;
  const sections = chosen(reportSections(data), request.only);
  const page = join(folder, "index.html");
  const items = sections.flatMap((section) => section.items);
  const { figureForms, missing } = await writeItems(folder, items, taxonomy, {
    removeOthers: request.only === undefined,
  });
  const gaps = [...data.gaps, ...missing];
  const flags = Object.entries({ out: request.out, classifier: classifierName }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${shellWord(value)}`],
  );
  if (request.acceptDamage) flags.push("--accept-damage");
  const command = ["repertoire report", ...request.runs.map(shellWord), ...flags].join(" ");
  await writeFileAtomically(
    page,
    pageHtml({
      ...{ runs: data.runs, sections, gaps, taxonomy, command, figureForms },
      conclusion: reportConclusion(data, sections),
      ...(data.analysis && { about: labelsClause(data.analysis) }),
    }),
  );
  return {
    page,
    items,
    figures: items.filter(isFigure).length,
    tables: items.filter(({ body }) => body.kind === "table").length,
    missing: items.flatMap(({ title, body }) => (body.kind === "missing" ? [{ title, needs: body.needs }] : [])),
    gaps,
  };
}

function chosen(sections: readonly Section[], only: readonly string[] | undefined): readonly Section[] {
  if (only === undefined) return sections;
  const known = sections.flatMap(({ items }) => items.map(({ id }) => id));
  for (const id of only) if (!known.includes(id)) throw unknownName("part of the report", id, known);
  return sections
    .map((section) => ({ ...section, items: section.items.filter(({ id }) => only.includes(id)) }))
    .filter(({ items }) => items.length > 0);
}

/** As a shell would need it written. */
const shellWord = (word: string) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
