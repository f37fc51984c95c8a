// What traces are made of: labels and motifs by checkpoint, over sets, and their composition.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { barsPanel, type Look, type Panel } from "../../drawing/panel.ts";
import { type Cell, numberCell, percentage, pValue, tableBody } from "../../drawing/table.ts";
import type { CheckpointSummary } from "../../traces/analysis/checkpoint-summary.ts";
import { fewestCorrelated } from "../../traces/analysis/scope-analysis.ts";
import { categoryMeasure } from "../../traces/categories.ts";
import { sequenceOf, writeSequence } from "../../traces/sequence.ts";
import { type Context, labeledBy, legendOf, sampleSizes } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";
import type { CheckpointRecord } from "../records.ts";

export function primitivesSection(context: Context): Section {
  const { taxonomy, alphabet } = context;
  const chains = alphabet.motifs.map(({ name }) => name).filter((name) => name.split("→").length > 2);
  return {
    id: "primitives",
    title: "What traces are made of",
    intro: `Every span of a trace does one of ${taxonomy.labels.length} things. Counting them, and the short patterns they form, shows how a policy reasons rather than whether it is right.`,
    items: [
      afterSft(context),
      composition(context),
      exploitationFigure(context),
      breadthFigure(
        context,
        "suppression-by-checkpoint",
        "Recovery moves by checkpoint",
        taxonomy.recover,
        `${taxonomy.recover.join(" and ")} are the moves that let a policy leave a line of thought that fails. Vanilla GSPO tends to prune them; the question is how much is left.`,
      ),
      breadthTable(context, "breadth-hypothesize-backtrack", "Recovery moves per trace, by set", taxonomy.recover),
      ...(chains.length === 0
        ? []
        : [
            breadthFigure(
              context,
              "breadth-motifs",
              "Compute–verify chains by set",
              chains,
              "How often a trace alternates, counted without overlap.",
            ),
            breadthTable(context, "breadth-motifs-table", "Compute–verify chains per trace, by set", chains),
          ]),
      frequentMotifs(context),
      correlations(context),
    ],
  };
}

/** Long chains by their number of steps, as the paper's tables name them. */
const shortName = (measure: string) => (measure.includes("→") ? `k = ${measure.split("→").length}` : measure);

const needsLabels = "labeled traces of at least one checkpoint";

type Drawn = Pick<Look, "name" | "ink"> & { readonly found: CheckpointSummary | undefined };

const drawn = (context: Context, records: readonly CheckpointRecord[], scope?: string): Drawn[] =>
  records.map((record) => ({ name: record.name, ink: record.ink, found: context.of(record, scope) }));

/** Bars of several measures for several checkpoints of one scope. */
function measuresPanel(
  title: string,
  records: readonly Drawn[],
  measures: readonly string[],
  names: readonly string[] = measures,
): Panel {
  return barsPanel(title, names, "per trace", records, ({ found }) =>
    measures.map((measure) => found && estimated(found.measures[measure])),
  );
}

/** A label that no trace has at all would be a row of zeros: languages need not have a word for each. */
function occurring({ labeled, of, data }: Context, labels: readonly string[]): readonly string[] {
  const found = [...labeled.map((record) => of(record)), data.analysis?.teacher];
  return labels.filter((label) => found.some((one) => (one?.measures[label]?.value ?? 0) > 0));
}

function afterSft(context: Context): Item {
  const chosen = ["base", "sft"].flatMap((role) => context.labeled.find((one) => one.role === role) ?? []);
  const [id, title] = [
    "primitives-after-sft",
    `Primitives and motifs ${chosen.length === 2 ? "before and after SFT" : "by checkpoint"}`,
  ];
  const students = chosen.length > 0 ? chosen : context.labeled;
  if (students.length === 0) return missing(id, title, needsLabels);
  const { teacher: taught } = context.data.analysis!;
  const teacher: Drawn | undefined = taught && { name: "Teacher", ink: "at-teacher", found: taught };
  const { alphabet } = context;
  const trigrams = alphabet.categories.filter(({ length }) => length === 3).map(categoryMeasure);
  const panels = context.focus.flatMap((scope) => {
    const [first, ...others] = drawn(context, students, scope);
    // The teacher wrote puzzles only, of every kind: it stands beside all puzzles together.
    const records =
      teacher && context.scope(scope)?.scope.kind === "puzzle" ? [first, teacher, ...others] : [first, ...others];
    return [
      measuresPanel(`Primitives · ${scope}`, records, occurring(context, alphabet.labels)),
      ...(trigrams.length === 0 ? [] : [measuresPanel(`Trigrams · ${scope}`, records, trigrams, shortened(trigrams))]),
    ];
  });
  const looks = students.map(({ name, ink, symbol }) => ({ name, ink, symbol }));
  const legend = teacher ? [looks[0], { ...teacher, symbol: "cross" as const }, ...looks.slice(1)] : looks;
  return {
    id,
    title,
    caption: `Left: how often each primitive occurs in a trace. Right: patterns of three: recovery holds a hypothesis and a return, exploitation is compute–check–compute, verification is a check on both sides.${teacher ? " The teacher wrote puzzles only." : ""}`,
    body: { kind: "panels", panels, columns: 2, legend: legendOf(legend, "bars") },
    n:
      sampleSizes(context, students, context.focus) +
      (taught ? `. Teacher: ${taught.traces} traces of ${taught.problems} problems` : ""),
    interval: overProblems,
    labeled: labeledBy(context, students, taught),
  };
}

const shortened = (measures: readonly string[]) => measures.map((measure) => measure.replace(/ trigrams$/, ""));

function composition(context: Context): Item {
  const [id, title] = ["primitive-composition", "Primitive composition by setting"];
  const { teacher } = context.data.analysis ?? {};
  const settings: { readonly name: string; readonly found: CheckpointSummary }[] = [
    ...(teacher ? [{ name: "Teacher · puzzles", found: teacher }] : []),
    ...context.focus.flatMap((scope) =>
      context.labeled.flatMap((record) => {
        const found = context.of(record, scope);
        return found && found.traces > 0 ? [{ name: `${record.name} · ${scope}`, found }] : [];
      }),
    ),
  ];
  if (settings.length === 0) return missing(id, title, needsLabels);
  const percentOf = (value: number): Cell => (Number.isFinite(value) ? { value, text: value.toFixed(1) } : null);
  return {
    id,
    title,
    caption: `Percent of all labeled spans of a setting; “${context.taxonomy.break} at the end” is the share of ${context.taxonomy.break} spans that lie in the last fifth of their trace.`,
    body: tableBody(
      ["primitive", ...settings.map(({ name }) => name)],
      [
        ...occurring(context, context.alphabet.labels).map((label) => [
          label,
          ...settings.map(({ found }) => percentOf(found.composition[label])),
        ]),
        [
          `${context.taxonomy.break} at the end`,
          ...settings.map(({ found }) =>
            found.breaks.spans === 0 ? undefined : percentOf(100 * found.breaks.inLastFifth),
          ),
        ],
      ],
    ),
    n: sampleSizes(context, context.labeled, context.focus),
    labeled: labeledBy(context, context.labeled, teacher),
  };
}

function exploitationFigure(context: Context): Item {
  const [id, title] = ["exploitation", "On-track work: exploitation primitives and named motifs"];
  if (context.labeled.length === 0) return missing(id, title, needsLabels);
  const { alphabet, taxonomy } = context;
  const letterOf = (label: string) => alphabet.letters[alphabet.codeOf(label)];
  const motifs = alphabet.motifs.map(({ name }) => name);
  const short = alphabet.motifs.map(({ labels }) => labels.map(letterOf).join("→"));
  const panels = context.focus.flatMap((scope) => {
    const records = drawn(context, context.labeled, scope);
    return [
      measuresPanel(`Primitives · ${scope}`, records, occurring(context, taxonomy.exploit)),
      ...(motifs.length === 0 ? [] : [measuresPanel(`Motifs · ${scope}`, records, motifs, short)]),
    ];
  });
  return {
    id,
    title,
    caption: `${taxonomy.exploit.join(", ")} carry a line of work on. Motifs are written in the letters of their labels and counted without overlap.`,
    body: { kind: "panels", panels, columns: 2, legend: legendOf(context.labeled, "bars") },
    n: sampleSizes(context, context.labeled, context.focus),
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

/** One panel a measure, sets across, checkpoints side by side. */
export function breadthFigure(
  context: Context,
  id: string,
  title: string,
  measures: readonly string[],
  caption: string,
): Item {
  if (context.labeled.length === 0) return missing(id, title, needsLabels);
  const scopes = breadth(context);
  const panels = measures.map((measure) =>
    barsPanel(measure, scopes, "per trace", context.labeled, (record) =>
      scopes.map((scope) => context.measured(record, measure, scope)),
    ),
  );
  return {
    id,
    title,
    caption,
    body: { kind: "panels", panels, columns: 2, legend: legendOf(context.labeled, "bars") },
    n: sampleSizes(context, context.labeled, scopes),
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

/** Every set; everything together where nothing says which set a trace is from. */
const breadth = ({ sets, scope, focus }: Context) => {
  const known = sets.filter((set) => scope(set) !== undefined);
  return known.length > 0 ? known : focus;
};

export function breadthTable(context: Context, id: string, title: string, measures: readonly string[]): Item {
  if (context.labeled.length === 0) return missing(id, title, needsLabels);
  const columns = measures.flatMap((measure) => breadth(context).map((scope) => ({ measure, scope })));
  return {
    id,
    title,
    caption: `Mean per trace${measures.some((measure) => measure.includes("→")) ? `; ${measures.map((measure) => `${shortName(measure)} is ${measure}`).join(", ")}` : ""}.`,
    body: tableBody(
      ["checkpoint", ...columns.map(({ measure, scope }) => `${shortName(measure)} · ${scope}`)],
      context.labeled.map((record) => [
        record.name,
        ...columns.map(({ measure, scope }) =>
          numberCell(context.measured(record, measure, scope), (value) => value.toFixed(2)),
        ),
      ]),
    ),
    n: sampleSizes(context, context.labeled, breadth(context)),
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

/** Steps of a motif: shorter ones say little more than counts do, longer ones are rare. */
const motifLength = 3;
/** Of each set. */
const mostMotifs = 12;

/** Every length is in the analysis, and SQL asks for it. */
function frequentMotifs(context: Context): Item {
  const [id, title] = ["motifs", "The most frequent motifs"];
  const { labeled, focus } = context;
  const rows = focus.flatMap((scope) => {
    const found = (context.scope(scope)?.motifs ?? []).filter(({ length }) => length === motifLength);
    const total = (motif: string) => found.reduce((sum, row) => sum + (row.motif === motif ? row.count : 0), 0);
    const motifs = [...new Map(found.map(({ motif }) => [motif, total(motif)]))].sort(([, a], [, b]) => b - a);
    return motifs.slice(0, mostMotifs).map(([motif]): Cell[] => [
      motif,
      scope,
      ...labeled.map(({ key }) => {
        const row = found.find((one) => one.motif === motif && one.checkpoint === key);
        return numberCell(row && estimated(row.frequency), percentage);
      }),
    ]);
  });
  if (rows.length === 0) return missing(id, title, `traces in which a motif of ${motifLength} labels recurs`);
  return {
    id,
    title,
    caption: `Of a trace’s places for ${motifLength} labels in a row, the percentage where these stand. A dash: not among the checkpoint’s most frequent ones.`,
    body: tableBody(["motif", "set", ...labeled.map(({ name }) => name)], rows),
    n: sampleSizes(context, labeled, focus),
    interval: overProblems,
    labeled: labeledBy(context, labeled),
  };
}

/** How many of the strongest are shown; all of them are in the analysis. */
const strongest = 20;

function correlations(context: Context): Item {
  const [id, title] = ["pass-correlations", "What rises and falls with pass@k across checkpoints"];
  const name = context.focus.at(-1);
  const all = name === undefined ? [] : (context.scope(name)?.correlations ?? []);
  const most = Math.max(...all.map(({ k }) => k));
  const asked = all.filter(({ k }) => k === most);
  if (asked.length === 0)
    return missing(id, title, `one analysis of at least ${fewestCorrelated} graded checkpoints on the same problems`);
  const rows = asked.filter(({ adjustedP }) => adjustedP !== undefined && adjustedP < 0.05);
  if (rows.length === 0)
    return missing(
      id,
      title,
      `a correlation that ${asked[0].checkpoints} checkpoints tell from luck; of ${asked.length} measures and motifs none has an adjusted p below 0.05`,
    );
  const two = (value: number | undefined): Cell => (value === undefined ? null : { value, text: value.toFixed(2) });
  const p = (value: number | undefined): Cell => (value === undefined ? null : { value, text: pValue(value) });
  // In words a motif of twenty labels is wider than any page, and cut short it is like every other.
  const { alphabet } = context;
  const named = (what: string) =>
    what.startsWith("motif ")
      ? `motif ${writeSequence(sequenceOf(what.slice("motif ".length).split("→"), alphabet), alphabet)}`
      : what;
  return {
    id,
    title,
    caption: `${rows.length} of ${asked.length} measures and motifs on ${name} have an adjusted p below 0.05${rows.length > strongest ? `; the ${strongest} strongest` : ""}. Motifs are written in the letters of their labels. With up to seven checkpoints p is exact: the share of all orders that correlate as strongly. Adjusted: Benjamini–Hochberg over all ${asked.length}. Checkpoints are taken as independent, which steps of one run are not: read p as a lower bound.`,
    body: tableBody(
      ["measure or motif", "Spearman", "p", "adjusted p", "Pearson", "p (Pearson)"],
      rows
        .slice(0, strongest)
        .map((row) => [
          named(row.what),
          two(row.spearman?.r),
          p(row.spearman?.p),
          p(row.adjustedP),
          two(row.pearson?.r),
          p(row.pearson?.p),
        ]),
    ),
    n: `${rows[0].checkpoints} checkpoints, pass@${most}`,
    labeled: labeledBy(context, context.labeled),
  };
}
