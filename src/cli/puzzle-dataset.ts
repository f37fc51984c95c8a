// Writing a puzzle dataset to a file: a progress bar, resumable, JSON lines first and Parquet from them at the end.
import { extname } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { figureRenderer } from "../drawing/figure-pixels.ts";
import {
  type DatasetRequest,
  type DatasetRow,
  datasetRows,
  finishParquet,
  writtenRows,
} from "../problems/puzzle-dataset.ts";
import type { PuzzleThread } from "../problems/puzzle-thread.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { AppendLog } from "../runs/append-log.ts";
import { writeUnfinished } from "../runs/unfinished-file.ts";
import { type Progress, progressBar } from "./progress.ts";

const rowsPerSync = 100;
/** Where boards are slow to make, a process that is killed loses no more than this. */
const millisecondsPerSync = 1000;

/** A row with its board as vision models take it: a PNG as a data URL. */
type PicturedRow = DatasetRow & { readonly picture?: string };

async function pictureOf(): Promise<(row: DatasetRow) => string> {
  const pixels = await figureRenderer();
  return ({ puzzle: name, id }) => {
    const puzzle = puzzleNamed(name);
    return `data:image/png;base64,${Buffer.from(pixels(puzzle.svg(puzzle.readId(id)))).toString("base64")}`;
  };
}

function begun(path: string, written: number, count: number): Progress {
  if (written > 0) console.error(`${path} already has ${written} puzzles; resuming`);
  return progressBar("puzzles", count, written);
}

export async function writeDataset(
  request: DatasetRequest & { readonly picture?: boolean },
  out: string,
  thread: PuzzleThread,
): Promise<void> {
  const extension = extname(out);
  if (extension !== ".jsonl" && extension !== ".parquet") {
    throw new ConfigurationError(`--out ${out}: expected a name that ends in .jsonl or .parquet`);
  }
  const fill = async (log: AppendLog) => {
    let bar: Progress | undefined;
    const drawn = request.picture ? await pictureOf() : undefined;
    let pending: PicturedRow[] = [];
    let synced = performance.now();
    try {
      // Each puzzle is made in the thread, so that signals and the lock's signs of life get their turn in between.
      for await (const row of datasetRows(request, thread, writtenRows(log.path))) {
        bar ??= begun(log.path, row.extra_info.index, request.count);
        pending.push(drawn === undefined ? row : { ...row, picture: drawn(row) });
        bar.advance();
        if (pending.length < rowsPerSync && performance.now() - synced < millisecondsPerSync) continue;
        const whole = pending;
        pending = [];
        synced = performance.now();
        await log.append(...whole);
      }
    } finally {
      bar?.stop();
      // What was made is kept, whatever ended it.
      if (pending.length > 0) await log.append(...pending);
    }
  };
  await writeUnfinished(out, fill, extension === ".parquet" ? finishParquet : undefined);
  console.error(`wrote ${request.count} puzzles to ${out}`);
}
