// A corpus on disk: its traces, then the counts of what was kept and rejected. Where the counts are, the corpus is whole;
// what it was then is recorded, and whoever learns from it checks first.
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { DataError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { checkFiles, type DamageOptions, digestOf, recordFiles } from "../base/integrity.ts";
import { readJsonFile } from "../base/json-file.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { type RejectionCounts, readTeacherTrace, rejectionReasons, type TeacherTrace } from "./corpus.ts";

export const corpusFiles = { traces: "corpus.jsonl", counts: "corpus.json" } as const;

const countsSchema = z.record(z.enum(["kept", ...rejectionReasons]), z.int().nonnegative());
const countsFileSchema = z
  .looseObject({ usage: z.looseObject({}).optional() })
  .transform(({ usage, ...counts }) => ({ usage, counts: countsSchema.parse(counts) }));
/** `usage` is what an asked teacher cost. */
type CorpusCounts = { readonly counts: RejectionCounts; readonly usage?: object };

/** Once the traces are written: records them, then writes the counts. */
export async function finishCorpus(folder: string, { counts, usage }: CorpusCounts): Promise<void> {
  await recordFiles(folder, [corpusFiles.traces]);
  await writeFileAtomically(join(folder, corpusFiles.counts), `${JSON.stringify({ ...counts, usage })}\n`);
  await recordFiles(folder, [corpusFiles.counts]);
}

/** The counts of a finished corpus whose files are what they were. */
export async function checkedCorpus(folder: string, options: DamageOptions = {}): Promise<CorpusCounts> {
  await checkFiles(folder, { ...options, only: Object.values(corpusFiles) });
  const file = join(folder, corpusFiles.counts);
  const remedy = "remove it and the corpus to make them anew";
  const known: CorpusCounts = await readJsonFile(file, countsFileSchema, { remedy });
  // Also without a record the counts know how many traces there were.
  const traces = join(folder, corpusFiles.traces);
  const { lines } = await digestOf(traces);
  const { kept } = known.counts;
  if (lines !== kept) {
    const damage = { file: traces, problem: `it has ${lines} traces, and ${file} says that ${kept} were kept` };
    if (options.accept === undefined)
      throw new DataError(
        `${damage.file} is damaged: ${damage.problem}; restore it, remove both to make them anew, or continue with --accept-damage`,
      );
    await options.accept(damage);
  }
  return known;
}

const sidecar = (path: string) => `${basename(path)}.files.json`;

/** Records a corpus that is a single file, beside it. */
export const recordCorpusFile = (path: string): Promise<void> =>
  recordFiles(dirname(path), [basename(path)], sidecar(path));

/** Checks a corpus by its path, against its own record or its folder's. */
export async function checkCorpusFile(path: string, options: DamageOptions = {}): Promise<void> {
  const only = [basename(path)];
  await checkFiles(dirname(path), { ...options, only }, sidecar(path));
  await checkFiles(dirname(path), { ...options, only });
}

/** Every trace of a corpus that is what it was. */
export async function readCorpusFile(path: string, options: DamageOptions = {}): Promise<TeacherTrace[]> {
  await checkCorpusFile(path, options);
  const traces: TeacherTrace[] = [];
  for await (const read of readJsonLinesFile(path)) {
    const where = `${path} line ${read.line}`;
    if ("error" in read) throw new DataError(`${where}: ${read.error}`);
    traces.push(readTeacherTrace(read.value, where));
  }
  if (traces.length === 0) throw new DataError(`${path} holds no traces`);
  return traces;
}
