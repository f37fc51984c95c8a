// Writing a puzzle dataset to a file: a progress bar, resumable, JSON lines first and Parquet from them at the end.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { extname } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import {
  type DatasetRequest,
  type DatasetRow,
  datasetRows,
  finishParquet,
  writtenRows,
} from "../problems/puzzle-dataset.ts";
import type { PuzzleThread } from "../problems/puzzle-thread.ts";
import { AppendLog } from "../runs/append-log.ts";
import { progressBar } from "./progress.ts";

const rowsPerSync = 100;

export async function writeDataset(request: DatasetRequest, out: string, thread: PuzzleThread): Promise<void> {
  const extension = extname(out);
  if (extension !== ".jsonl" && extension !== ".parquet") {
    throw new ConfigurationError(`--out ${out}: expected a name that ends in .jsonl or .parquet`);
  }
  if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another name or remove it`);
  const unfinished = `${out}.unfinished.jsonl`;
  const log = await AppendLog.open(unfinished);
  let pending: DatasetRow[] = [];
  try {
    const rows = datasetRows(request, thread);
    const written = await writtenRows(unfinished, rows);
    if (written > 0) console.error(`${unfinished} holds ${written} puzzles already; going on from there`);
    const bar = progressBar("puzzles", request.count, written);
    try {
      for await (const row of rows) {
        pending.push(row);
        bar.advance();
        if (pending.length < rowsPerSync) continue;
        const whole = pending;
        pending = [];
        await log.append(...whole);
      }
    } finally {
      bar.stop();
    }
  } finally {
    // What was made is kept, whatever ended it.
    if (pending.length > 0) await log.append(...pending);
    await log.close();
  }
  if (extension === ".parquet") await finishParquet(unfinished, out);
  else await rename(unfinished, out);
  console.error(`wrote ${request.count} puzzles to ${out}`);
}
