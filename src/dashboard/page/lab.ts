// One run in a tab: what somebody gave becomes a run folder in memory, by the code that makes one on a disk, and answers
// what a server would be asked about it.
import { open } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { DataError, UserError } from "../../base/errors.ts";
import { Refusal } from "../../base/http/body.ts";
import { readZipEntry, zipEntries } from "../../imports/zip-archive.ts";
import { analysisComplete, analysisFolder } from "../../traces/analysis/analysis-folder.ts";
import { analyzeRun, importAndAnalyze } from "../../traces/run-analysis.ts";
import type { NotesReply } from "../api.ts";
import { Library } from "../library.ts";
import { complaintOf } from "../queries.ts";
import { answerTo, downloadOf } from "../routes.ts";
import type { Answer, GivenFile, News } from "./messages.ts";
import { files } from "./system/files.ts";

/** Where what was given lies here, and what becomes of it. */
const [given, home] = ["/given", "/runs"];

export class Lab {
  readonly #library: Library;

  private constructor(library: Library) {
    this.#library = library;
  }

  /** `tell` hears of the work as it goes, and afterwards of what is read and labeled. */
  static async open(name: string, gift: readonly GivenFile[], tell: (news: News) => void): Promise<Lab> {
    const whole = await unpacked(gift);
    const run = join(home, name);
    // A run's stages are runs, too: the outermost is meant.
    const [own] = whole
      .filter(({ path }) => /^(?:[^/]+\/)?run\.json$/.test(path))
      .sort((a, b) => a.path.length - b.path.length);
    if (own === undefined) {
      for (const { path, content } of whole) files.put(join(given, path), content);
      const tops = [...new Set(whole.map(({ path }) => path.split("/")[0]))];
      const inputs = tops.map((top) => ({ path: join(given, top) }));
      await importAndAnalyze(run, { inputs }, {}, workTold(tell));
    } else {
      const top = own.path.slice(0, -"run.json".length);
      for (const { path, content } of whole)
        if (path.startsWith(top)) files.put(join(run, path.slice(top.length)), content);
      if (!analysisComplete(join(run, analysisFolder))) await analyzedIfItCan(run, tell);
    }
    const library = await Library.open(home);
    library.listen((event) => tell({ event }));
    return new Lab(library);
  }

  /** As the server would, text and all: pages see the same from both. */
  async answer(route: string, query: string): Promise<Answer> {
    const search = new URLSearchParams(query);
    try {
      if (route === "download") {
        const lines: string[] = [];
        for await (const line of await downloadOf(this.#library, search)) lines.push(line);
        return { reply: lines.join("") };
      }
      const reply = await answerTo(route)(this.#library, search);
      // Nobody's folder is there to write to.
      return { reply: JSON.stringify(route === "notes" ? { ...(reply as NotesReply), writable: false } : reply) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, refused: error.message };
      if (error instanceof z.core.$ZodError) return { status: 400, refused: complaintOf(error) };
      throw error;
    }
  }
}

/** An archive is what is in it. */
async function unpacked(gift: readonly GivenFile[]): Promise<readonly GivenFile[]> {
  const whole: GivenFile[] = [];
  for (const one of gift) {
    if (!/\.zip$/i.test(one.path)) {
      whole.push(one);
      continue;
    }
    const path = join("/archives", one.path);
    files.put(path, one.content);
    const file = await open(path);
    for (const entry of await zipEntries(path)) {
      if (entry.name.endsWith("/")) continue;
      const bytes = await readZipEntry(file, entry);
      whole.push({ path: entry.name, content: new Blob([bytes as Uint8Array<ArrayBuffer>]) });
    }
  }
  if (whole.length === 0) throw new DataError("nothing was given");
  return whole;
}

/** A run that holds no rollouts has its curves to show. */
async function analyzedIfItCan(run: string, tell: (news: News) => void): Promise<void> {
  try {
    await analyzeRun(run, {}, workTold(tell));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

type WorkEvent = Parameters<NonNullable<Parameters<typeof importAndAnalyze>[3]>>[0];

/** Work by bytes: read, then labeled. */
function workTold(tell: (news: News) => void): (event: WorkEvent) => void {
  let [doing, done, of] = ["reading", 0, 0];
  return (event) => {
    switch (event.type) {
      case "import-planned":
        [doing, done, of] = ["reading", 0, event.bytes];
        break;
      case "labeling":
        [doing, done, of] = ["labeling", event.kept, event.bytes];
        break;
      case "import-slice":
      case "slice":
        done += event.bytes;
        break;
      default:
        return;
    }
    tell({ progress: { doing: done >= of && doing === "labeling" ? "comparing" : doing, done, of } });
  };
}
