// A worker thread that reads and labels logs, one task after another.
import { ConfigurationError } from "../base/errors.ts";
import { Mutex } from "../base/mutex.ts";
import { answerCalls } from "../base/worker-thread.ts";
import { plainNumber } from "../drawing/panel.ts";
import { tableBody } from "../drawing/table.ts";
import { readRuns } from "../report/run-data.ts";
import { labelsClause } from "../results/conclusion.ts";
import { reportAlarms, reportConclusion, reportSections } from "../results/results.ts";
import { groupNames, runGroups, seedsOf } from "../results/run-groups.ts";
import { queryAnalysis } from "../traces/analysis/analysis-query.ts";
import { defaultLabeler, readerOf } from "../traces/labeler-spec.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { ItemsReply, QueryReply } from "./api.ts";
import type { FolderSpec, IndexingTask, MadeItems, WantedItems, WantedQuery } from "./indexing-thread.ts";
import { labelStretch, readGradeLines, readRollouts } from "./log-reading.ts";

/** Nothing is labeled for a page: an analysis is shown where there is one. */
async function itemsOf({ runs: wanted, checkpoint }: WantedItems): Promise<MadeItems> {
  const begun = performance.now();
  const data = await readRuns(wanted, { out: "", asFound: true });
  const groups = runGroups(data.runs);
  const names = groupNames(groups);
  const runs = data.runs.map((run) => {
    const group = names[groups.findIndex((own) => own.includes(run))];
    return { name: run.name, seed: seedsOf(run), group };
  });
  const checkpoints = data.checkpoints.filter(({ inRun }) => checkpoint === undefined || inRun === checkpoint);
  const sections = reportSections({ ...data, checkpoints });
  const items: ItemsReply = {
    alarms: reportAlarms(data),
    conclusion: reportConclusion(data, sections),
    ...(data.analysis && { about: labelsClause(data.analysis) }),
    runs,
    checkpoints: [...new Set(data.checkpoints.map(({ inRun }) => inRun))],
    sections,
    gaps: data.gaps,
  };
  return { items, milliseconds: performance.now() - begun };
}

const mostRows = 1000;

/** A query that means nothing is somebody's to mend, and said as a sentence. */
async function answered({ folder, sql }: WantedQuery): Promise<QueryReply | { readonly complaint: string }> {
  try {
    const rows = await queryAnalysis(folder, sql);
    const columns = Object.keys(rows[0] ?? {});
    const cells = rows.slice(0, mostRows).map((row) =>
      columns.map((name) => {
        const value = row[name];
        return typeof value === "number" ? { value, text: plainNumber(value) } : value === null ? null : String(value);
      }),
    );
    return { table: tableBody(columns, cells), rows: rows.length };
  } catch (error) {
    if (error instanceof ConfigurationError) return { complaint: error.message };
    throw error;
  }
}

const readers = new Map<string, Promise<TraceReader>>();
function readerFor(spec: FolderSpec): Promise<TraceReader> {
  const key = JSON.stringify(spec);
  let reader = readers.get(key);
  if (reader === undefined) readers.set(key, (reader = readerOf(spec)));
  return reader;
}
// The shipped one at once, because it takes a moment and is nearly always asked for.
readerFor(defaultLabeler as FolderSpec).catch(() => {});

async function perform(task: IndexingTask): Promise<unknown> {
  if (task.task === "rollouts") return readRollouts(task.path, task.kind, task.start);
  if (task.task === "grades") return readGradeLines(task.path, task.start);
  if (task.task === "query") return answered(task);
  if (task.task === "items") return itemsOf(task);
  return labelStretch(task, await readerFor(task.labeler));
}

const turns = new Mutex();
answerCalls((task: IndexingTask) => turns.take(() => perform(task)));
