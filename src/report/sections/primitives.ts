// What traces are made of: primitives and motifs by checkpoint, over sets, and their composition.
import { type Primitive, primitives } from "../../rollouts/primitives.ts";
import { trigramCategories } from "../../traces/categories.ts";
import { figureSvg, type Panel } from "../charts/figure.ts";
import { type Context, labelledBy, legendOf, sampleSizes } from "../context.ts";
import { type Item, missing, overProblems } from "../item.ts";
import { type Measure, motifNames } from "../measures.ts";
import type { CheckpointRecord, TeacherRecord } from "../records.ts";
import { type Cell, numberCell } from "../table.ts";
import type { Section } from "./section.ts";

type Labelled = CheckpointRecord | TeacherRecord;

export function primitivesSection(context: Context): Section {
  return {
    id: "primitives",
    title: "What traces are made of",
    intro:
      "Every span of a trace does one of nine things. Counting them, and the short patterns they form, shows how a policy reasons rather than whether it is right.",
    items: [
      afterSft(context),
      composition(context),
      exploitationFigure(context),
      breadthFigure(
        context,
        "suppression-by-checkpoint",
        "Recovery moves by checkpoint",
        recoveryMeasures,
        recoveryCaption,
      ),
      breadthTable(context, "breadth-hypothesize-backtrack", "Recovery moves per trace, by set", recoveryMeasures),
      breadthFigure(context, "breadth-motifs", "Compute–verify chains by set", chainMeasures, chainCaption),
      breadthTable(context, "breadth-motifs-table", "Compute–verify chains per trace, by set", chainMeasures),
    ],
  };
}

/** Long chains by their number of steps, as the paper's tables name them. */
const shortName = (measure: Measure) => (measure.includes("→") ? `k = ${measure.split("→").length}` : measure);

const needsLabels = "labelled traces of at least one evaluation";
const recoveryMeasures: readonly Measure[] = ["hypothesize", "backtrack"];
const chainMeasures: readonly Measure[] = ["check→compute→check", "check→compute→check→compute→check"];
const recoveryCaption =
  "hypothesize and backtrack are the moves that let a policy leave a line of thought that fails. Plain RL tends to prune them; the question is how much is left.";
const chainCaption =
  "How often a trace alternates between computing and checking, three and five steps long, counted without overlap.";

/** Bars of several measures for several records on one set; the teacher has its own problems and belongs to no set. */
export function barsPanel(
  context: Context,
  records: readonly Labelled[],
  about: {
    readonly title: string;
    readonly set: string;
    readonly measures: readonly Measure[];
    readonly names?: readonly string[];
  },
): Panel {
  return {
    title: about.title,
    x: { kind: "categories", names: about.names ?? about.measures },
    y: { label: "per trace", fromZero: true },
    marks: [
      {
        mark: "bars",
        series: records.map((record) => ({
          name: record.name,
          ink: record.ink,
          values: about.measures.map((measure) =>
            context.measured(record, measure, "folder" in record ? about.set : undefined),
          ),
        })),
      },
    ],
  };
}

function afterSft(context: Context): Item {
  const [id, title] = ["primitives-after-sft", "Primitives and motifs before and after SFT"];
  const [base, sft] = [context.role("base"), context.role("sft")];
  const chosen = [base, sft].filter((one) => one?.traces !== undefined) as CheckpointRecord[];
  const students = chosen.length > 0 ? chosen : context.labelled;
  if (students.length === 0) return missing(id, title, needsLabels);
  const teacher = context.data.teacher;
  const puzzleSets = new Set(
    students.flatMap(({ problems }) =>
      [...problems.values()].filter(({ kind }) => kind === "puzzle").map(({ set }) => set),
    ),
  );
  const panels = context.focus.flatMap((set) => {
    const records: Labelled[] =
      teacher && puzzleSets.has(set) ? [students[0], teacher, ...students.slice(1)] : [...students];
    return [
      barsPanel(context, records, { title: `Primitives · ${set}`, set, measures: primitives }),
      barsPanel(context, records, { title: `Trigrams · ${set}`, set, measures: trigramCategories }),
    ];
  });
  const shown = teacher ? [students[0], teacher, ...students.slice(1)] : students;
  return {
    type: "figure",
    id,
    title,
    caption:
      "Left: how often each primitive occurs in a trace. Right: patterns of three: recovery holds a hypothesis and a return, exploitation is compute–check–compute, verification is a check on both sides. The teacher wrote puzzles only.",
    svg: figureSvg({ title, panels, columns: 2, legend: legendOf(shown, "bars") }),
    n:
      sampleSizes(context, students, context.focus) +
      (teacher ? `. Teacher: ${sampleSizes(context, [teacher], [undefined])}` : ""),
    interval: overProblems,
    labelled: labelledBy(shown),
  };
}

function composition(context: Context): Item {
  const [id, title] = ["primitive-composition", "Primitive composition by setting"];
  const { teacher } = context.data;
  const settings: { readonly name: string; readonly share: (primitive: Primitive) => number | undefined }[] = [];
  const add = (record: Labelled, set: string | undefined, name: string) => {
    const means = context.means(record, set);
    if (means === undefined) return;
    const total = primitives.reduce((sum, primitive) => sum + means.of(primitive)!.value, 0);
    if (total > 0) settings.push({ name, share: (primitive) => means.of(primitive)!.value / total });
  };
  if (teacher) add(teacher, undefined, "Teacher · puzzles");
  for (const set of context.focus) for (const record of context.labelled) add(record, set, `${record.name} · ${set}`);
  if (settings.length === 0) return missing(id, title, needsLabels);
  return {
    type: "table",
    id,
    title,
    caption: "Percent of all labelled spans of a setting.",
    table: {
      columns: ["primitive", ...settings.map(({ name }) => name)],
      rows: primitives.map((primitive) => [
        primitive,
        ...settings.map(({ share }): Cell => {
          const value = share(primitive);
          return value === undefined ? undefined : { value: 100 * value, text: (100 * value).toFixed(1) };
        }),
      ]),
    },
    n: sampleSizes(context, context.labelled, context.focus),
    labelled: labelledBy([...context.labelled, ...(teacher ? [teacher] : [])]),
  };
}

function exploitationFigure(context: Context): Item {
  const [id, title] = ["exploitation", "On-track work: exploitation primitives and named motifs"];
  if (context.labelled.length === 0) return missing(id, title, needsLabels);
  const short = motifNames.map((name) => name.replaceAll("compute", "C").replaceAll("check", "K"));
  const panels = context.focus.flatMap((set) => [
    barsPanel(context, context.labelled, {
      title: `Primitives · ${set}`,
      set,
      measures: ["compute", "check", "setup"],
    }),
    barsPanel(context, context.labelled, { title: `Motifs · ${set}`, set, measures: motifNames, names: short }),
  ]);
  return {
    type: "figure",
    id,
    title,
    caption:
      "compute, check and setup carry a line of work on. Motifs are chains of compute (C) and check (K), counted without overlap.",
    svg: figureSvg({ title, panels, columns: 2, legend: legendOf(context.labelled, "bars") }),
    n: sampleSizes(context, context.labelled, context.focus),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}

/** One panel a measure, sets across, checkpoints side by side. */
export function breadthFigure(
  context: Context,
  id: string,
  title: string,
  measures: readonly Measure[],
  caption: string,
): Item {
  if (context.labelled.length === 0) return missing(id, title, needsLabels);
  const panels = measures.map(
    (measure): Panel => ({
      title: measure,
      x: { kind: "categories", names: context.sets },
      y: { label: "per trace", fromZero: true },
      marks: [
        {
          mark: "bars",
          series: context.labelled.map((record) => ({
            name: record.name,
            ink: record.ink,
            values: context.sets.map((set) => context.measured(record, measure, set)),
          })),
        },
      ],
    }),
  );
  return {
    type: "figure",
    id,
    title,
    caption,
    svg: figureSvg({ title, panels, columns: 2, legend: legendOf(context.labelled, "bars") }),
    n: sampleSizes(context, context.labelled, context.sets),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}

export function breadthTable(context: Context, id: string, title: string, measures: readonly Measure[]): Item {
  if (context.labelled.length === 0) return missing(id, title, needsLabels);
  const columns = measures.flatMap((measure) => context.sets.map((set) => ({ measure, set })));
  return {
    type: "table",
    id,
    title,
    caption: `Mean per trace${measures.some((measure) => measure.includes("→")) ? `; ${measures.map((measure) => `${shortName(measure)} is ${measure}`).join(", ")}` : ""}.`,
    table: {
      columns: ["checkpoint", ...columns.map(({ measure, set }) => `${shortName(measure)} · ${set}`)],
      rows: context.labelled.map((record) => [
        record.name,
        ...columns.map(({ measure, set }) =>
          numberCell(context.measured(record, measure, set), (value) => value.toFixed(2)),
        ),
      ]),
    },
    n: sampleSizes(context, context.labelled, context.sets),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}
