// A run written down as pages that need no server: the client, and beside it every reply or what replies are made of, in
// scripts, because a page that is opened from disk may load nothing else. exported-run.ts reads it.
import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { removeUnfinished, writeFolderAtomically } from "../base/atomic-folder.ts";
import { ConfigurationError } from "../base/errors.ts";
import { makeFolder } from "../base/files.ts";
import { takeLock } from "../runs/writer-lock.ts";
import { writeSequence } from "../traces/sequence.ts";
import type { ProblemStatement } from "./api.ts";
import {
  type ExportedSource,
  type ExportedStart,
  type ExportedTrace,
  exportedColumns,
  exportedParts,
} from "./exported-run.ts";
import { Library } from "./library.ts";
import type { OpenRun } from "./open-run.ts";
import type { UsualLabeler } from "./opened-analysis.ts";
import type { RolloutColumns } from "./rollout-columns.ts";

export type ExportOptions = {
  /** The run's folder. */
  readonly run: string;
  readonly out: string;
  readonly client: string;
  readonly now: Date;
  readonly labeler?: UsualLabeler;
  readonly onProgress?: (done: number, total: number) => void;
};

/**
 * Nothing from elsewhere, nothing inline: as the server's, as far as a page can say it of itself. On a disk a page's own
 * files are not its origin's, so they are named by their scheme.
 */
const policy =
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file:; worker-src 'self' file:; ` +
  `style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action 'none'">`;

/** Texts of about this many characters share a file. */
const chunkCharacters = 512 * 1024;

export type WrittenExport = { readonly page: string; readonly rollouts: number };

/** The folder appears when it is whole: one that was killed leaves nothing that looks like an export. */
export async function exportRun(options: ExportOptions): Promise<WrittenExport> {
  const out = resolve(options.out);
  const refuse = () => {
    if (existsSync(out))
      throw new ConfigurationError(`${out} exists; an export never overwrites: choose another --out`);
  };
  refuse();
  await makeFolder(dirname(out));
  const lock = await takeLock(`${out}.lock`, out);
  try {
    refuse();
    await removeUnfinished(out);
    let rollouts = 0;
    await writeFolderAtomically(out, async (fresh) => {
      rollouts = await fillExport({ ...options, out: fresh });
    });
    return { page: join(options.out, "index.html"), rollouts };
  } finally {
    await lock.release();
  }
}

async function fillExport({ run: folder, out, client, now, labeler, onProgress }: ExportOptions): Promise<number> {
  if (!existsSync(join(folder, "run.json")))
    throw new ConfigurationError(
      `${folder} is not a run folder (it has no run.json); give one that a run wrote, for example runs/mini`,
    );
  if (!existsSync(join(client, "export.html")))
    throw new ConfigurationError("the dashboard's pages are not built; run: npm run build");
  const library = await Library.open(folder, labeler);
  try {
    const run = await library.run(".");
    await run.whenComplete();
    await makeFolder(join(out, "data"));
    await cp(join(client, "assets"), join(out, "assets"), { recursive: true });
    const page = await readFile(join(client, "export.html"), "utf8");
    await writeFile(join(out, "index.html"), page.replace("<head>", `<head>\n${policy}`));
    const write = (name: string, data: unknown) =>
      writeFile(join(out, "data", `${name}.js`), `repertoireData(${JSON.stringify(name)},${JSON.stringify(data)})\n`);
    await write("items", await library.items({ run: [run.found.id], group: [] }));
    return await writeRun(run, now, write, onProgress);
  } finally {
    await library.close();
  }
}

type Write = (name: string, data: unknown) => Promise<void>;

async function writeRun(
  run: OpenRun,
  now: Date,
  write: Write,
  onProgress: ExportOptions["onProgress"],
): Promise<number> {
  const id = run.found.id;
  const reply = await run.run();
  const facts = run.problemFacts();
  await write("problems", await run.problems());
  for (const [i, { id: stage, kind }] of reply.run.stages.entries())
    if (kind === "rl") await write(`training-${i}`, await run.training(stage, undefined));
  await write("repertoire", run.repertoire());
  await write("notes", { ...(await run.notes()), writable: false });
  for (const [i, scope] of run.scopes.entries()) await write(`scope-${i}`, scope);
  const scopes = run.scopes.map(({ scope }) => scope.name);
  const parts = exportedParts(facts, scopes);
  const sets = new Set(Array.from(facts.values(), ({ set }) => set));
  const evaluated = reply.sources.flatMap(({ kind, id: source }, i) => (kind === "evaluation" ? [{ i, source }] : []));
  for (const first of evaluated) {
    for (const second of evaluated) {
      if (first === second) continue;
      for (const [s, set] of [undefined, ...parts].entries()) {
        const name = `${first.i}-${second.i}${set === undefined ? "" : `-${s - 1}`}`;
        const query = { run: id, first: first.source, second: second.source, ...(set && { set }) };
        // A scope is no set: only pairs are asked for it.
        if (set === undefined || s <= sets.size) await write(`changes-${name}`, await run.changes(query));
        await write(`pairs-${name}`, await run.pairs(query));
      }
    }
  }
  const total = reply.sources.reduce((sum, { rollouts }) => sum + rollouts, 0);
  const statements = new Map<string, ProblemStatement>();
  let done = 0;
  for (const [i, { id: source }] of reply.sources.entries()) {
    const columns = run.columnsOf(source);
    const chunks: number[] = [];
    let chunk: ExportedTrace[] = [];
    let characters = 0;
    const close = async () => {
      if (chunk.length > 0) await write(`traces-${i}-${chunks.length - 1}`, chunk);
      chunk = [];
      characters = 0;
    };
    for (let row = 0; row < columns.rows; row++) {
      const { rollout: _, problem, ...trace } = await run.trace({ run: id, source, row });
      if (!statements.has(problem.id)) statements.set(problem.id, problem);
      if (chunk.length === 0) chunks.push(row);
      chunk.push(trace);
      characters += trace.text.length + 40 * trace.spans.length;
      if (characters > chunkCharacters) await close();
      if (++done % 100 === 0) onProgress?.(done, total);
    }
    await close();
    await write(`source-${i}`, exportedSource(columns, chunks));
  }
  await write("statements", [...statements.values()]);
  const start: ExportedStart = {
    // Served by itself a run is called `.`; in an export it may have its name.
    run: { ...reply, run: { ...reply.run, id: reply.run.name || id } },
    written: now.toISOString(),
    facts: Array.from(facts, ([problem, { set, puzzle, asked }]) => [
      problem,
      { set, ...(puzzle && { puzzle }), ...(asked && { asked }) },
    ]),
  };
  await write("start", start);
  return done;
}

function exportedSource(columns: RolloutColumns, chunks: readonly number[]): ExportedSource {
  const { rows } = columns;
  const numbers = (values: ArrayLike<number>) =>
    // Nine digits are all that single precision has; JSON would write seventeen, and it has no NaN.
    Array.from({ length: rows }, (_, row) => (Number.isNaN(values[row]) ? null : Number(values[row].toPrecision(9))));
  return {
    problems: columns.problems,
    problem: Array.from(columns.columns.problem.subarray(0, rows)),
    columns: Object.fromEntries(exportedColumns.map((name) => [name, numbers(columns.columns[name])])) as Record<
      (typeof exportedColumns)[number],
      (number | null)[]
    >,
    hidden: Array.from(columns.columns.hidden.subarray(0, rows)),
    sequences: Array.from({ length: rows }, (_, row) => writeSequence(columns.sequenceOf(row), columns.alphabet)),
    chunks,
  };
}
