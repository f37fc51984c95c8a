// Writing a puzzle dataset to a file: a progress bar, resumable, JSON lines first and Parquet from them at the end.
import { extname } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { type DatasetRequest, datasetRows, finishParquet, writtenRows } from "../problems/puzzle-dataset.ts";
import type { AppendLog } from "../runs/append-log.ts";
import { writeUnfinished } from "../runs/unfinished-file.ts";
import { progressBar } from "./progress.ts";

const rowsPerSync = 100;

export async function writeDataset(request: DatasetRequest, out: string): Promise<void> {
  const extension = extname(out);
  if (extension !== ".jsonl" && extension !== ".parquet") {
    throw new ConfigurationError(`--out ${out}: expected a name that ends in .jsonl or .parquet`);
  }
  const fill = async (log: AppendLog) => {
    const rows = datasetRows(request);
    const written = await writtenRows(log.path, rows);
    if (written > 0) console.error(`${log.path} holds ${written} puzzles already; going on from there`);
    const bar = progressBar(`${request.puzzle.title} puzzles`, request.count, written);
    try {
      let pending: object[] = [];
      for (const row of rows) {
        pending.push(row);
        bar.advance();
        if (pending.length === rowsPerSync) {
          await log.append(...pending);
          pending = [];
        }
        // Making puzzles is all work and no waiting: signals and the lock's signs of life get their turn here.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (pending.length > 0) await log.append(...pending);
    } finally {
      bar.stop();
    }
  };
  await writeUnfinished(out, fill, extension === ".parquet" ? finishParquet : undefined);
  console.error(`wrote ${request.count} puzzles to ${out}`);
}
