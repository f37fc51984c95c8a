// A slice read as traces: the format found from its rows, everything that could not be read counted and named.
import { basename, resolve, sep } from "node:path";
import { unknownName } from "../base/errors.ts";
import { logFolder } from "../runs/packed-log.ts";
import { withRequest } from "./batch-requests.ts";
import { type Companions, companionsOf, completed } from "./companions.ts";
import { rowFormats } from "./formats.ts";
import { graded } from "./gold-grading.ts";
import { withoutChannels } from "./harmony.ts";
import { unknownRow, withProposal } from "./nearest-format.ts";
import { checkpointAt, chosenColumns, firstOf, rowTraces, usualColumns } from "./read-row.ts";
import {
  type ColumnMapping,
  type Columns,
  columnNames,
  type Row,
  type RowContext,
  type RowFormat,
} from "./row-format.ts";
import { objectOf, valueAt } from "./row-values.ts";
import type { Slice } from "./slice.ts";
import { type PlacedRow, sliceRows } from "./slice-rows.ts";
import { nameOfFile, sourceName, stepInPath, taskBeside } from "./source-name.ts";
import { stepName } from "./step-name.ts";
import { recognizedFormat, recordsIn, recordsWithin } from "./tables.ts";
import type { ImportedAs, Trace, TraceStage } from "./trace.ts";
import { repeatedDump, trlRewards } from "./trl-dumps.ts";

export type ImportOptions = {
  /** `auto` asks every format how sure it is, row by row. */
  readonly format: string;
  /** The checkpoint's name, where the user gave one. */
  readonly name?: string;
  readonly columns?: ColumnMapping;
  /** Of rollouts with a step that do not say it themselves. */
  readonly stage?: TraceStage;
  /** Of several under one folder, where the user gave no name. */
  readonly run?: string;
  /** Of a run that was imported: what its name, its steps and its attempts are is settled. */
  readonly imported?: ImportedAs;
};

export type Imported =
  | { readonly trace: Trace; readonly where: string; readonly damaged?: boolean; readonly format: string }
  | { readonly skipped: string; readonly where: string };

function formatNamed(name: string): RowFormat {
  const found = rowFormats.find((format) => format.name === name);
  if (found === undefined) throw unknownName("format", name, ["auto", ...rowFormats.map((format) => format.name)]);
  return found;
}

/** How many rows say which columns a file uses. */
const rowsLookedAt = 64;

/** The first rows of a file say what its columns are; of its first slice they are not read twice. */
async function opened(
  slice: Slice,
): Promise<{ readonly first: readonly Row[]; readonly rows: AsyncIterable<PlacedRow> }> {
  const source = sliceRows(slice.start === 0 ? slice : { ...slice, start: 0, end: slice.end - slice.start });
  const placed: PlacedRow[] = [];
  for (let next = await source.next(); !next.done; next = await source.next()) {
    placed.push(next.value);
    if (placed.length === rowsLookedAt) break;
  }
  const first = placed.flatMap((one) => ("row" in one ? [one.row] : []));
  if (slice.start === 0) return { first, rows: continued(placed, source) };
  await source.return(undefined);
  return { first, rows: sliceRows(slice) };
}

async function* continued(placed: readonly PlacedRow[], rest: AsyncIterable<PlacedRow>): AsyncGenerator<PlacedRow> {
  yield* placed;
  yield* rest;
}

type Choice = { readonly columns: Columns; readonly label: string };

/** One choice of columns for a file, whatever single rows have; said, where they are found by their usual names. */
function choices(
  rows: readonly Row[],
  fixed: RowFormat | undefined,
  user: ColumnMapping = {},
): ReadonlyMap<string, Choice> {
  const of = new Map<RowFormat, Row[]>();
  for (const row of rows) {
    const format = fixed ?? recognizedFormat(row);
    if (format !== undefined) of.set(format, [...(of.get(format) ?? []), row]);
  }
  return new Map(
    [...of].flatMap(([format, own]) => {
      const columns = chosenColumns(format, own);
      if (columns === undefined) return [];
      const usual = format.columns?.set === usualColumns.set;
      const used = columnNames.flatMap((name) => {
        const column = user[name] ?? columns[name];
        return own.some((row) => firstOf(row, column ?? "") != null) ? [`${name}=${column}`] : [];
      });
      return [[format.name, { columns, label: usual ? `${format.name}: ${used.join(", ")}` : format.name }] as const];
    }),
  );
}

/** The row, or where no format reads it the records of the list in it. */
function readable(
  placed: PlacedRow,
  fixed: RowFormat | undefined,
): readonly (PlacedRow & { readonly reader?: RowFormat })[] {
  if ("error" in placed) return [placed];
  const reader = fixed ?? recognizedFormat(placed.row);
  if (reader !== undefined || recordsWithin(placed.row) === undefined) return [{ ...placed, reader }];
  return recordsIn(placed.row).flatMap((one) => {
    const row = objectOf(one);
    return row === undefined ? [] : [{ ...placed, row, reader: recognizedFormat(row) }];
  });
}

export async function* importSlice(
  slice: Slice,
  { format, name, columns, stage, run, imported: part }: ImportOptions,
): AsyncGenerator<Imported> {
  // A mapping says what the columns mean, so nothing else may guess.
  const fixed =
    columns?.response !== undefined ? formatNamed("records") : format === "auto" ? undefined : formatNamed(format);
  const file = basename(slice.path);
  const { first, rows } = await opened(slice);
  const chosen = choices(first, fixed, columns);
  let context: RowContext = {
    source: name ?? (await sourceName(slice.path, run)),
    named: name !== undefined,
    file,
    task: await taskBeside(slice.path),
    folders: resolve(slice.path).split(sep).slice(1, -1).reverse(),
    columns,
    chosen: new Map([...chosen].map(([of, { columns }]) => [of, columns])),
    ...(part && { imported: part }),
  };
  let companions: Companions | undefined;
  let repeats: string | undefined;
  let checked = false;
  /** What the user named and no row has had yet; a missing response is said of each row. */
  const absent = new Set(
    Object.entries(columns ?? {}).flatMap(([what, column]) => (what === "response" ? [] : [column])),
  );
  let last: Row | undefined;
  for await (const line of rows)
    for (const placed of readable(line, fixed)) {
      const { where, damaged } = placed;
      if ("error" in placed) {
        yield { skipped: placed.error, where };
        continue;
      }
      last = placed.row;
      const { reader } = placed;
      if (reader === undefined) {
        yield { skipped: unknownRow(placed.row), where };
        continue;
      }
      if (reader.name === "trl" && !checked) {
        checked = true;
        repeats = await repeatedDump(slice.path);
        context = { ...context, rewards: await trlRewards(slice) };
      }
      if (repeats !== undefined) {
        yield { skipped: `the same completions as in ${repeats}: generated once, trained on several times`, where };
        continue;
      }
      for (const column of absent) if (valueAt(placed.row, column) !== undefined) absent.delete(column);
      const read = rowTraces(reader, await withRequest(placed.row, slice.path), context);
      const own = reader.traces !== undefined;
      if (own) companions ??= await companionsOf(logFolder(slice.path));
      for (const found of "unusable" in read ? [read] : read) {
        if ("unusable" in found) {
          yield { skipped: fixed === undefined ? withProposal(found.unusable, placed.row) : found.unusable, where };
          continue;
        }
        const absurd = absurdNumber(found);
        if (absurd !== undefined) {
          yield { skipped: absurd, where };
          continue;
        }
        const known = own && companions ? told(completed(found, companions), part) : found;
        const stepped = own ? known : withPlace(known, slice.path, { name, run });
        const whole = {
          ...(stepped.step !== undefined && { stage }),
          ...stepped,
          response: withoutChannels(known.response),
        };
        const trace = own ? whole : graded(whole);
        yield { trace, where, format: chosen.get(reader.name)?.label ?? reader.name, ...(damaged && { damaged }) };
      }
    }
  const names = Object.keys(last ?? {}).slice(0, 12);
  for (const column of last === undefined ? [] : absent)
    yield {
      skipped: `no record has the column ${column} that --columns names; they have ${names.join(", ")}`,
      where: slice.path,
    };
}

/** What its own program says of a rollout that we graded, where its scores say it. */
function told(trace: Trace, part: ImportedAs | undefined): Trace {
  const { recorded, gradedBy, score } = trace;
  if (!part?.scoresGrade || recorded !== undefined || gradedBy !== "gold" || score === undefined) return trace;
  return { ...trace, recorded: score === 1 };
}

/** With the step that its place tells, and under its run's name, where the trace does not say so itself. */
function withPlace(trace: Trace, path: string, { name, run }: Pick<ImportOptions, "name" | "run">): Trace {
  const { step, checkpoint } = trace;
  if (step !== undefined)
    return run !== undefined && checkpoint === stepName(undefined, step)
      ? { ...trace, checkpoint: stepName(run, step) }
      : trace;
  const place = stepInPath(path);
  if (place === undefined) return trace;
  const whose = checkpoint === nameOfFile(path) ? place.run : checkpoint;
  const ofRun = name ?? run;
  return {
    ...trace,
    step: place.step,
    checkpoint: ofRun === undefined ? (checkpointAt(whose, place.step) ?? checkpoint) : stepName(ofRun, place.step),
  };
}

/** Steps, attempts and token counts are counts; a number that cannot be one is a mistake somewhere, and is not guessed at. */
function absurdNumber(trace: Trace): string | undefined {
  for (const what of ["step", "attempt", "responseTokens"] as const) {
    const value = trace[what];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value <= largestCount))
      return `the ${what === "responseTokens" ? "number of tokens" : what} is not a count: ${value}`;
  }
  return undefined;
}

/** What tables of 32-bit numbers hold. */
const largestCount = 2 ** 31 - 1;
