// Problems from where they lie: a benchmark by name (from the hub, or from a folder of files), a data file, or any data
// set of the hub. Says what it read, from which revision, and what it had to drop.
import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { DataError } from "../../base/errors.ts";
import { type Benchmark, benchmarkNamed, boxedPrompt } from "./catalog.ts";
import {
  type BenchmarkProblem,
  type Columns,
  type Dropped,
  type MappedRows,
  type Presentation,
  problemsOfRows,
  usualColumns,
} from "./columns.ts";
import { type HubOptions, hubFiles } from "./hub.ts";
import { dataFileEndings, readRows } from "./rows.ts";

export type LoadedProblems = {
  readonly set: string;
  readonly problems: readonly BenchmarkProblem[];
  readonly dropped: readonly Dropped[];
  /** By id: the question as its file has it. */
  readonly texts: ReadonlyMap<string, string>;
  /** In words, for the record: the file, or the data set and its commit. */
  readonly from: string;
};

/** Where the files of a data set lie: the hub, or a folder that is given instead. */
export type FileSource = { readonly hub: HubOptions; readonly folder?: string };

type NamedFiles = Pick<Benchmark, "name" | "dataset" | "file" | "localFile">;

/** Its files, and in words where they are from. */
export async function filesOf({ name, dataset, file, localFile }: NamedFiles, { hub, folder }: FileSource) {
  if (folder === undefined) return filesOfHub(dataset, file, hub);
  const paths = (await readdir(folder, { recursive: true }))
    .filter((path) => isDataFile(path) && localFile.test(path))
    .sort();
  if (paths.length === 0)
    throw new DataError(`${folder} has no file for ${name}, whose name matches ${localFile.source}`);
  const files = paths.map((path) => ({ path, copy: join(folder, path) }));
  return { files, from: files.map(({ copy }) => copy).join(", ") };
}

async function filesOfHub(dataset: string, file: RegExp, hub: HubOptions) {
  const { files, revision, fromCache } = await hubFiles(dataset, file, hub);
  return { files, from: `${dataset} at ${revision}${fromCache ? " (from the cache)" : ""}` };
}

export async function loadBenchmark(name: string, source: FileSource): Promise<LoadedProblems> {
  const benchmark = benchmarkNamed(name);
  const { files, from } = await filesOf(benchmark, source);
  return { set: name, ...(await readFiles(name, files, benchmark.columns, benchmark.presentation)), from };
}

export type DataOptions = {
  readonly columns?: Columns;
  /** `{problem}` stands for the problem's text. */
  readonly prompt?: string;
  /** Decides instead of our mathematics grader: a module's path, or an address. */
  readonly grader?: string;
};

export async function loadDataFile(path: string, options: DataOptions = {}): Promise<LoadedProblems> {
  const set = basename(path, extname(path));
  const mapped = problemsOfRows(await readRows(path), set, options.columns ?? usualColumns, presentationOf(options));
  return { set, ...mapped, from: path };
}

/** Any data set of the hub; `file` narrows down its files. */
export async function loadHubDataset(
  dataset: string,
  file: RegExp,
  hub: HubOptions,
  options: DataOptions = {},
): Promise<LoadedProblems> {
  const ending = new RegExp(`(?=.*(?:${file.source})).*\\.(jsonl|json|parquet)$`, file.flags);
  const { files, from } = await filesOfHub(dataset, ending, hub);
  const mapped = await readFiles(dataset, files, options.columns ?? usualColumns, presentationOf(options));
  return { set: dataset, ...mapped, from };
}

/** Whoever brings a grader has said in the question itself what an answer looks like. */
const presentationOf = ({ prompt, grader }: DataOptions): Presentation => ({
  prompt: prompt ?? (grader === undefined ? boxedPrompt : "{problem}"),
  roundingInText: true,
  ...(grader !== undefined && { grader }),
});

const isDataFile = (path: string) => dataFileEndings.some((ending) => path.toLowerCase().endsWith(ending));

/** Sets of several files name problems by file too: their ids are unique within a file only. */
async function readFiles(
  set: string,
  files: readonly { readonly path: string; readonly copy: string }[],
  columns: Columns,
  presentation: Presentation,
): Promise<MappedRows> {
  const problems: BenchmarkProblem[] = [];
  const dropped: Dropped[] = [];
  const texts = new Map<string, string>();
  for (const { path, copy } of files) {
    const part = files.length === 1 ? set : `${set}/${partName(path, files)}`;
    const mapped = problemsOfRows(await readRows(copy), part, columns, presentation);
    problems.push(...mapped.problems.map((problem) => ({ ...problem, set })));
    dropped.push(...mapped.dropped);
    for (const [id, text] of mapped.texts) texts.set(id, text);
  }
  return { problems, dropped, texts };
}

function partName(path: string, files: readonly { readonly path: string }[]): string {
  const folder = dirname(path);
  const alone = files.filter((other) => dirname(other.path) === folder).length === 1;
  return alone ? folder : path.slice(0, -extname(path).length);
}
