// Which runs lie below the served folder, and of what parts they consist. Requests name runs by the ids found here and
// never by paths; links that lead out of the folder are not followed.
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { messageOf } from "../base/errors.ts";
import type { RunDescription } from "../runs/run-folder.ts";
import { isRun, type RunPart, type RunParts, runParts } from "../runs/run-parts.ts";
import { analysisFiles } from "../traces/analysis/analysis-folder.ts";
import type { Gap, RunEntry } from "./api.ts";

export type FoundStage = RunPart & {
  /** When its analysis was finished, in milliseconds; it is made again when what it reads has changed. */
  readonly analyzed?: number;
};

export type FoundRun = {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly kind: RunEntry["kind"];
  readonly description?: RunDescription;
  /** Why it cannot be read. */
  readonly problem?: string;
  readonly stages: readonly FoundStage[];
};

export type Found = { readonly runs: readonly FoundRun[]; readonly gaps: readonly Gap[] };

/** Deeper folders are checkpoints and other things that are no runs. */
const deepest = 4;
const mostFolders = 20_000;

export async function discoverRuns(root: string): Promise<Found> {
  const home = await realpath(root);
  const runs: FoundRun[] = [];
  const gaps: Gap[] = [];
  let looked = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (++looked > mostFolders) return;
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      // Removed or renamed since its name was read.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      gaps.push({
        missing: `a readable folder (${messageOf(error)})`,
        where: idOf(home, folder),
        remedy: "check its permissions",
      });
      return;
    }
    if (entries.some((entry) => entry.name === "run.json")) {
      const run = await readRun(home, folder);
      if (run !== undefined) runs.push(run);
      return;
    }
    if (depth === deepest) return;
    for (const entry of entries.filter(({ name }) => name !== "node_modules" && name !== ".git")) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path, depth + 1);
      else if (entry.isSymbolicLink()) {
        const target = await linkedFolder(home, path);
        // A link to a place inside is another name for something that is found anyway.
        if (target === "outside")
          gaps.push({
            missing: `${entry.name}, a link that leads elsewhere`,
            where: idOf(home, folder),
            remedy: "links out of the served folder are not followed",
          });
      }
    }
  };
  await visit(home, 0);
  if (looked > mostFolders)
    gaps.push({
      missing: "some folders",
      where: root,
      remedy: `more than ${mostFolders} were found; serve a folder further in`,
    });
  return { runs, gaps };
}

const idOf = (home: string, folder: string): string => relative(home, folder).split(sep).join("/") || ".";

async function linkedFolder(home: string, path: string): Promise<"inside" | "outside" | "broken"> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return "broken";
  return isInside(home, target) ? "inside" : "outside";
}

export const isInside = (home: string, path: string): boolean => path === home || path.startsWith(home + sep);

/** One run as it is now, for when the rest of the folder does not matter. Undefined where it is no run any more. */
export async function findAgain(root: string, { folder }: FoundRun): Promise<FoundRun | undefined> {
  return isRun(folder) ? readRun(await realpath(root), folder) : undefined;
}

/** A jury sits on spans of many runs and is none: its folder has a page of its own. */
async function readRun(home: string, folder: string): Promise<FoundRun | undefined> {
  const id = idOf(home, folder);
  const own = { id, name: basename(folder), folder };
  const problem = await linkOut(home, folder);
  if (problem !== undefined) return { ...own, kind: "unknown", problem, stages: [] };
  let read: RunParts;
  try {
    read = await runParts(folder, { whole: true });
  } catch (error) {
    return { ...own, kind: "unknown", problem: localMessage(error, home), stages: [] };
  }
  const { description, parts } = read;
  if (description.config.jury === true) return undefined;
  const stages = await Promise.all(parts.map((part) => foundStage(home, part)));
  return { ...own, kind: description.kind, description, stages };
}

async function foundStage(home: string, part: RunPart): Promise<FoundStage> {
  const problem = part.problem?.replaceAll(home + sep, "") ?? (await linkOut(home, part.folder));
  const file =
    part.kind === "analyze" && (await stat(join(part.folder, analysisFiles.analysis)).catch(() => undefined));
  return { ...part, ...(problem && { problem }), ...(file && { analyzed: file.mtimeMs }) };
}

/** Error messages name files; below the served folder that is enough, above it is nobody's business. */
export const localMessage = (error: unknown, home: string): string => messageOf(error).replaceAll(home + sep, "");

/** The first file of a folder that is a link out of the served one: then nothing of it is read. */
async function linkOut(home: string, folder: string): Promise<string | undefined> {
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const path = join(folder, name);
    // What a writer has renamed or removed meanwhile is no link.
    if (!(await lstat(path).catch(() => undefined))?.isSymbolicLink()) continue;
    if ((await linkedFolder(home, path)) === "outside")
      return `${name} is a link out of the served folder, which is not followed; copy the file, or serve a folder that holds both`;
  }
  return undefined;
}
