// The report of one or more runs: read, make every part, write the page and its files.
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { unknownName } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { MissingPackageError } from "../base/optional-package.ts";
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import type { AnalysisOptions } from "../traces/analysis/analysis.ts";
import type { AnalyzeEvent } from "../traces/analyze-traces.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { standalone } from "./charts/svg.ts";
import { reportContext } from "./context.ts";
import { figureRenderer } from "./figure-pixels.ts";
import type { Item } from "./item.ts";
import { pageHtml } from "./page.ts";
import { figurePrinter } from "./pdf/figure-pdf.ts";
import type { Gap, ReportData } from "./records.ts";
import { readRuns } from "./run-data.ts";
import { accuracySection } from "./sections/accuracy.ts";
import { depthSection } from "./sections/depth.ts";
import { overviewSection } from "./sections/overview.ts";
import { pairedTracesSection } from "./sections/paired-traces.ts";
import { primitivesSection } from "./sections/primitives.ts";
import { recoverySection } from "./sections/recovery.ts";
import type { Section } from "./sections/section.ts";
import { seedsSection } from "./sections/seeds.ts";
import { trainingSection } from "./sections/training.ts";
import { csv, latex, markdown, type tableForms } from "./table.ts";

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

export type WrittenReport = {
  readonly page: string;
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
  const written = new Set<string>();
  const { forms, missing } = items.some(({ type }) => type === "figure") ? await figureMakers() : noMakers;
  const gaps = [...data.gaps, ...missing];
  for (const item of items) for (const path of await writeItem(folder, item, taxonomy, forms)) written.add(path);
  if (request.only === undefined) await removeOthers(folder, written);
  const flags = Object.entries({ out: request.out, classifier: classifierName }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${shellWord(value)}`],
  );
  if (request.acceptDamage) flags.push("--accept-damage");
  const command = ["repertoire report", ...request.runs.map(shellWord), ...flags].join(" ");
  const figureForms = ["svg", ...forms.keys()];
  await writeFileAtomically(page, pageHtml({ runs: data.runs, sections, gaps, taxonomy, command, figureForms }));
  return {
    page,
    figures: items.filter(({ type }) => type === "figure").length,
    tables: items.filter(({ type }) => type === "table").length,
    missing: items.flatMap((item) => (item.type === "missing" ? [{ title: item.title, needs: item.needs }] : [])),
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

type FigureMaker = (svg: string) => Uint8Array;
type FigureMakers = { readonly forms: ReadonlyMap<string, FigureMaker>; readonly missing: readonly Gap[] };

const noMakers: FigureMakers = { forms: new Map(), missing: [] };

/** The forms of a figure besides its SVG. A report without some of them is one all the same, and says how to have them. */
async function figureMakers(): Promise<FigureMakers> {
  const forms = new Map<string, FigureMaker>();
  const missing: Gap[] = [];
  for (const [form, load] of [
    ["pdf", figurePrinter],
    ["png", figureRenderer],
  ] as const) {
    try {
      forms.set(form, await load());
    } catch (error) {
      if (!(error instanceof MissingPackageError)) throw error;
      missing.push({ missing: `${form.toUpperCase()} files`, where: "figures", remedy: error.message });
    }
  }
  return { forms, missing };
}

/** Returns the files of one part. */
async function writeItem(
  folder: string,
  item: Item,
  taxonomy: Taxonomy,
  makers: FigureMakers["forms"],
): Promise<string[]> {
  if (item.type === "missing") return [];
  if (item.type === "figure")
    return writeFigure(join(folder, "figures", item.id), standalone(item.svg, taxonomy), makers);
  const { id, caption, table } = item;
  const forms: Record<(typeof tableForms)[number], string> = {
    csv: csv(table),
    md: markdown(table),
    tex: latex(table, { id, caption }),
    "short.tex": latex(table, { id, caption, form: "short" }),
  };
  const paths = Object.entries(forms).map(([form, text]) => [join(folder, "tables", `${id}.${form}`), text]);
  for (const [path, text] of paths) await writeFileAtomically(path, text);
  return paths.map(([path]) => path);
}

/** A figure that is the one of the last report is not drawn again: pixels are most of a report's time. */
async function writeFigure(path: string, svg: string, makers: FigureMakers["forms"]): Promise<string[]> {
  const drawing = `${path}.svg`;
  const others = [...makers].map(([form, make]) => ({ place: `${path}.${form}`, make }));
  const before = await readFile(drawing, "utf8").catch(() => undefined);
  for (const { place, make } of others)
    if (before !== svg || !existsSync(place)) await writeFileAtomically(place, make(svg));
  // The drawing comes last: where it is, its other forms are.
  if (before !== svg) await writeFileAtomically(drawing, svg);
  return [drawing, ...others.map(({ place }) => place)];
}

/** Parts that an earlier report could make and this one cannot must not stay beside it. */
async function removeOthers(folder: string, written: ReadonlySet<string>): Promise<void> {
  for (const kind of ["figures", "tables"]) {
    const names = existsSync(join(folder, kind)) ? await readdir(join(folder, kind)) : [];
    for (const path of names.map((name) => join(folder, kind, name)))
      if (!written.has(path)) await rm(path, { recursive: true });
  }
}

/** As a shell would need it written. */
const shellWord = (word: string) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
