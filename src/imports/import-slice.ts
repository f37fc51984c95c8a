// A slice read as traces: the format found from its rows, everything that could not be read counted and named.
import { basename, resolve, sep } from "node:path";
import { unknownName } from "../base/errors.ts";
import { logFolder } from "../runs/packed-log.ts";
import { checkpointAt, withColumns } from "./columns.ts";
import { type Companions, companionsOf, completed } from "./companions.ts";
import { rllmEpisodes, skyrlEvaluations, verifiersEpisodes, verifiersResults } from "./environment-rollouts.ts";
import { inspectSample, lightevalDetails, lmEvaluationSamples } from "./evaluation-samples.ts";
import { graded } from "./gold-grading.ts";
import { withoutChannels } from "./harmony.ts";
import { evalscopePredictions, evalscopeReviews, opencompassPredictions } from "./harness-predictions.ts";
import { mappedRecords, openAiRecords } from "./json-records.ts";
import { anthropicMessages, responsesReplies, shareGpt } from "./model-replies.ts";
import { ownRollouts, teacherCorpus } from "./own-rollouts.ts";
import { openR1, s1k } from "./reasoning-datasets.ts";
import { repeatedDump } from "./repeated-dumps.ts";
import type { ColumnMapping, Row, RowContext, RowFormat } from "./row-format.ts";
import { listOf, valueAt } from "./row-values.ts";
import type { Slice } from "./slice.ts";
import { sliceRows } from "./slice-rows.ts";
import { nameOfFile, sourceName, stepInPath } from "./source-name.ts";
import { stepName } from "./step-name.ts";
import type { Trace, TraceStage } from "./trace.ts";
import { nemoBatches, slimeSamples, trlCompletions, verlDump } from "./trainer-rollouts.ts";
import { trlRewards } from "./trl-rewards.ts";

export const rowFormats: readonly RowFormat[] = [
  ownRollouts,
  teacherCorpus,
  verlDump,
  trlCompletions,
  slimeSamples,
  nemoBatches,
  lmEvaluationSamples,
  lightevalDetails,
  inspectSample,
  opencompassPredictions,
  evalscopePredictions,
  evalscopeReviews,
  verifiersResults,
  verifiersEpisodes,
  skyrlEvaluations,
  rllmEpisodes,
  responsesReplies,
  anthropicMessages,
  shareGpt,
  s1k,
  openR1,
  openAiRecords,
  mappedRecords,
];

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
  readonly imported?: TraceStage;
};

export type Imported =
  | { readonly trace: Trace; readonly where: string; readonly damaged?: boolean; readonly format: string }
  | { readonly skipped: string; readonly where: string };

function formatNamed(name: string): RowFormat {
  const found = rowFormats.find((format) => format.name === name);
  if (found === undefined) throw unknownName("format", name, ["auto", ...rowFormats.map((format) => format.name)]);
  return found;
}

function recognizedFormat(row: Row): RowFormat | undefined {
  let best: RowFormat | undefined;
  let sureness = 0;
  for (const format of rowFormats) {
    const sure = format.recognizes(row);
    if (sure > sureness) {
      best = format;
      sureness = sure;
    }
  }
  return best;
}

export async function* importSlice(
  slice: Slice,
  { format, name, columns, stage, run, imported: part }: ImportOptions,
): AsyncGenerator<Imported> {
  // A mapping says what the columns mean, so nothing else may guess.
  const fixed = columns?.response !== undefined ? mappedRecords : format === "auto" ? undefined : formatNamed(format);
  const file = basename(slice.path);
  let context: RowContext = {
    source: name ?? (await sourceName(slice.path, run)),
    named: name !== undefined,
    file,
    folders: resolve(slice.path).split(sep).slice(1, -1).reverse(),
    columns,
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
  for await (const placed of sliceRows(slice)) {
    const { where, damaged } = placed;
    if ("error" in placed) {
      yield { skipped: placed.error, where };
      continue;
    }
    last = placed.row;
    const reader = fixed ?? recognizedFormat(placed.row);
    if (reader === undefined) {
      yield { skipped: unknownRow(placed.row), where };
      continue;
    }
    if (reader === trlCompletions && !checked) {
      checked = true;
      repeats = await repeatedDump(slice.path);
      context = { ...context, rewards: await trlRewards(slice) };
    }
    if (repeats !== undefined) {
      yield { skipped: `the same completions as in ${repeats}: generated once, trained on several times`, where };
      continue;
    }
    for (const column of absent) if (valueAt(placed.row, column) !== undefined) absent.delete(column);
    const told = reader.traces(placed.row, context);
    const mapped = columns === undefined || reader === mappedRecords || "unusable" in told;
    const read = mapped ? told : withColumns(told, placed.row, columns, context.named);
    if ("unusable" in read) {
      yield { skipped: read.unusable, where };
      continue;
    }
    const own = reader === ownRollouts || reader === teacherCorpus;
    if (own) companions ??= await companionsOf(logFolder(slice.path));
    for (const found of read) {
      if ("unusable" in found) {
        yield { skipped: found.unusable, where };
        continue;
      }
      const absurd = absurdNumber(found);
      if (absurd !== undefined) {
        yield { skipped: absurd, where };
        continue;
      }
      const known = own && companions ? completed(found, companions) : found;
      const stepped = own ? known : withPlace(known, slice.path, { name, run });
      const whole = {
        ...(stepped.step !== undefined && { stage }),
        ...stepped,
        response: withoutChannels(known.response),
      };
      const trace = own ? whole : graded(whole);
      yield { trace, where, format: reader.name, ...(damaged && { damaged }) };
    }
  }
  const names = Object.keys(last ?? {}).slice(0, 12);
  for (const column of last === undefined ? [] : absent)
    yield {
      skipped: `no record has the column ${column} that --columns names; they have ${names.join(", ")}`,
      where: slice.path,
    };
}

function unknownRow(row: Row): string {
  const tokens = Object.keys(row).find((name) => /token/.test(name) && typeof listOf(row[name])?.[0] === "number");
  if (tokens !== undefined)
    return `tokens without their text (${tokens}); decode them with the model's tokenizer first`;
  return `no known format (the record has ${Object.keys(row).slice(0, 12).join(", ")}); name the columns`;
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
