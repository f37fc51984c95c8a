// The runs below the served folder, as requests see them: found again when folders change, opened when asked about, and
// closed when others were asked about since. What changes on disk is told to whoever listens.
import { realpath } from "node:fs/promises";
import { Refusal } from "../base/http/body.ts";
import type { Language } from "../engine/language.ts";
import { lockOf } from "../runs/run-folder.ts";
import { languageOfFolder } from "../runs/run-parts.ts";
import { type LabelerDescription, labelerId } from "../traces/labeler.ts";
import type { ItemsReply, LiveEvent, NoteReply, NoteRequest, RunsReply, Source } from "./api.ts";
import { IndexingThread } from "./indexing-thread.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { type KnownOfRun, OpenRun } from "./open-run.ts";
import {
  labelingFor,
  OpenedAnalysis,
  openAnalysis,
  type RunLabeling,
  type UsualLabeler,
  usualLabeling,
} from "./opened-analysis.ts";
import type { ItemsQuery } from "./queries.ts";
import { reportFile } from "./report-files.ts";
import { discoverRuns, type Found, type FoundRun, findAgain } from "./run-discovery.ts";
import { otherLabeler } from "./run-gaps.ts";
import { filesOf, runEntry } from "./run-state.ts";
import { ShownItems } from "./shown-items.ts";

const mostOpenRuns = 8;
const mostIndexBytes = 768 * 2 ** 20;
/** What was found this long ago is still believed. */
const staleMs = 1_000;
const quietMs = 250;

export class Library {
  readonly #folder: string;
  readonly #thread = new IndexingThread();
  readonly #usual: RunLabeling;
  readonly #open: LeastRecentlyUsed<string, OpenRun>;
  readonly #items = new ShownItems(this.#thread);
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #toldIndexed = new Map<string, number>();
  #found: Found = { runs: [], gaps: [] };
  #foundAt = Number.NEGATIVE_INFINITY;
  #files = new Map<string, string>();
  /** Which stages somebody writes. */
  #marks = "";
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(folder: string, usual: RunLabeling) {
    this.#folder = folder;
    this.#usual = usual;
    this.#open = new LeastRecentlyUsed(mostOpenRuns, (run) => run.close());
  }

  static async open(folder: string, labeler: UsualLabeler = {}): Promise<Library> {
    await realpath(folder);
    const library = new Library(folder, await usualLabeling(labeler));
    // What is there now is no news; whatever changes from here on is told to the first who listens.
    await library.#lookForChanges();
    return library;
  }

  /** The labeler that is used where a run names no other. */
  get labeler(): LabelerDescription {
    return this.#usual.reader.labeler.description;
  }

  async runs(): Promise<RunsReply> {
    await this.#discover();
    const { runs, gaps } = this.#found;
    const entries = await Promise.all(runs.map(runEntry));
    entries.sort((a, b) => ((b.created ?? "") < (a.created ?? "") ? -1 : 1));
    return { folder: this.#folder, runs: entries, gaps };
  }

  async run(id: string): Promise<OpenRun> {
    const found = await this.#named(id);
    const open = this.#open.peek(id);
    // A stage that began since is a reason to look at the run afresh.
    if (open !== undefined && shapeOf(open.found) !== shapeOf(found)) this.#open.delete(id);
    const known = this.#open.peek(id) === undefined ? await this.#known(found) : undefined;
    const run = this.#open.get(id, () => {
      const onIndexed = (source: Source) => this.#tellIndexed(id, source);
      return new OpenRun(found, {
        home: this.#folder,
        thread: this.#thread,
        ...known!,
        onIndexed,
      });
    });
    this.#open.shrinkWhile(() => {
      let bytes = 0;
      for (const { byteLength } of this.#open.values()) bytes += byteLength;
      return bytes > mostIndexBytes;
    });
    run.refresh();
    return run;
  }

  /** Figures and tables of one run, or of several together. */
  async items({ run, group, checkpoint }: ItemsQuery): Promise<ItemsReply> {
    const found = await Promise.all([...new Set(run)].map((id) => this.#named(id)));
    return this.#items.of(await realpath(this.#folder), found, { groups: group, checkpoint });
  }

  async report(id: string, parts: readonly string[]) {
    return reportFile(this.#folder, await this.#named(id), parts);
  }

  /** What must be known before a run is opened: its analysis, who labels it, what its models speak. */
  async #known(found: FoundRun): Promise<KnownOfRun> {
    const opened = await openAnalysis(this.#folder, found);
    const analysis = opened instanceof OpenedAnalysis ? opened : undefined;
    const labeling = await labelingFor(analysis, this.#usual);
    const gaps = opened === undefined || opened instanceof OpenedAnalysis ? [] : [opened];
    const labeledBy = labelerId(labeling.reader.labeler.description);
    // One that labeled nothing, because a grammar read everything, is missed by nobody.
    const missed = analysis?.labelers.has(analysis.plan.labeledBy) && analysis.plan.labeledBy !== labeledBy;
    if (analysis !== undefined && missed) gaps.push(otherLabeler(analysis));
    const languages = new Map<string, Language>();
    for (const { id, folder } of found.stages) {
      const language = await languageOfFolder(folder).catch(() => undefined);
      if (language !== undefined) languages.set(id, language);
    }
    return { labeling, languages, gaps, ...(analysis && { analysis }) };
  }

  async note(request: NoteRequest): Promise<NoteReply> {
    const reply = await (await this.run(request.run)).note(request);
    this.#tell({ type: "changed", run: request.run, stages: [] });
    return reply;
  }

  /** Tells about changes until the returned function is called. Files are watched only while somebody listens. */
  listen(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#startWatching();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#watch);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#watch);
    this.#listeners.clear();
    for (const run of this.#open.values()) run.close();
    await this.#thread.close();
  }

  async #discover(): Promise<void> {
    this.#found = await discoverRuns(this.#folder);
    this.#foundAt = performance.now();
  }

  /** A run that is known is only looked at again itself; the whole folder is when it is not. */
  async #named(id: string): Promise<FoundRun> {
    const known = this.#found.runs.find((run) => run.id === id);
    if (known !== undefined && performance.now() - this.#foundAt < staleMs) return known;
    const again = known && (await findAgain(this.#folder, known));
    if (again !== undefined) return again;
    await this.#discover();
    const found = this.#found.runs.find((run) => run.id === id);
    if (found === undefined) throw new Refusal(404, `no run ${JSON.stringify(id.slice(0, 200))} in the served folder`);
    return found;
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** A source tells after every batch; pages need it a few times a second, and once at the end. */
  #tellIndexed(run: string, { id: source, indexed, rollouts: of }: Source): void {
    const key = `${run}\u0000${source}`;
    const now = performance.now();
    if (indexed < of && now - (this.#toldIndexed.get(key) ?? 0) < quietMs) return;
    this.#toldIndexed.set(key, now);
    this.#tell({ type: "indexed", run, source, indexed, of });
  }

  #startWatching(): void {
    const look = async () => {
      const started = performance.now();
      try {
        await this.#lookForChanges();
      } catch {
        // The folder may be gone for a moment; the next look says more.
      }
      if (this.#closed || this.#listeners.size === 0) return;
      // Looking never takes more than a tenth of the time, however many runs there are.
      this.#watch = setTimeout(look, Math.max(1_000, 10 * (performance.now() - started)));
      this.#watch.unref();
    };
    void look();
  }

  async #lookForChanges(): Promise<void> {
    const before = shapes(this.#found);
    await this.#discover();
    const files = new Map<string, string>();
    let marks = "";
    for (const run of this.#found.runs) {
      const changed: string[] = [];
      for (const { id, folder } of run.stages.length > 0 ? run.stages : [{ id: ".", folder: run.folder }]) {
        const key = `${run.id}\u0000${id}`;
        const all = await filesOf(folder);
        // A writer's lock changes while it lives; that is no news.
        const own = all.filter(({ path }) => path !== lockOf(folder));
        const state = own.map(({ path, size, changed: at }) => `${path} ${size} ${at}`).join("\n");
        marks += own.length < all.length ? `${key} running\n` : "";
        files.set(key, state);
        if (this.#files.get(key) !== state) changed.push(id);
      }
      if (changed.length === 0) continue;
      this.#open.peek(run.id)?.refresh(changed);
      this.#tell({ type: "changed", run: run.id, stages: changed });
    }
    const news = shapes(this.#found) !== before || marks !== this.#marks;
    this.#files = files;
    this.#marks = marks;
    if (news) this.#tell({ type: "runs" });
  }
}

const shapeOf = ({ kind, problem, stages }: FoundRun): string =>
  JSON.stringify([kind, problem, stages.map(({ id, kind, problem, analyzed }) => [id, kind, problem, analyzed])]);

const shapes = ({ runs }: Found): string => JSON.stringify(runs.map((run) => [run.id, shapeOf(run)]));
