// The runs that a page holds without a server: each in a worker of its own, so that one that is cancelled or closed is
// gone with all that it held. Files are read where they lie, and nothing is sent anywhere.
import type { LiveEvent, Replies, RunsReply } from "../../api.ts";
import type { FromLab, GivenFile, Progress, ToLab } from "../../page/messages.ts";
import { Refused } from "./refused.ts";

/** What a visitor sees of what was given and is not a run yet. */
export type Opening = { readonly name: string; readonly progress?: Progress; readonly failure?: string };

type Waiting = { readonly resolve: (reply: string) => void; readonly reject: (error: Error) => void };
type Lab = {
  readonly waiting: Map<number, Waiting>;
  /** The worker, once what it holds can be looked at. */
  readonly opened: Promise<Worker>;
  readonly close: (failure: Refused) => void;
};

const labs = new Map<string, Lab>();
let openings: readonly Opening[] = [];
const listeners = new Set<() => void>();
let tell: (event: LiveEvent) => void = () => {};
let questions = 0;

/** Whoever shows what is under way. */
export function onOpenings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const openingsNow = (): readonly Opening[] => openings;

/** Where the page's news go. */
export const tellNewsTo = (listener: typeof tell): void => {
  tell = listener;
};

function setOpening(name: string, opening: Opening | undefined): void {
  const others = openings.filter((one) => one.name !== name);
  openings = opening === undefined ? others : [...others, opening];
  for (const listener of listeners) listener();
}

/** Opens what was given as a run of that name, or of one like it; resolves with its name here once it can be looked at. */
export async function openLab(wanted: string, gift: Promise<readonly GivenFile[]>): Promise<string | undefined> {
  let name = wanted;
  for (let copy = 2; labs.has(name); copy++) name = `${wanted} ${copy}`;
  setOpening(name, { name });
  const lab = startedLab(name, gift);
  labs.set(name, lab);
  try {
    await lab.opened;
    setOpening(name, undefined);
    tell({ type: "runs" });
    return name;
  } catch (error) {
    // One that was cancelled is not mentioned again.
    if (labs.get(name) === lab) {
      labs.delete(name);
      setOpening(name, { name, failure: error instanceof Error ? error.message : String(error) });
    }
    return undefined;
  }
}

function startedLab(name: string, gift: Promise<readonly GivenFile[]>): Lab {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let refuse: (failure: Refused) => void = () => {};
  const opened = new Promise<Worker>((resolve, reject) => {
    refuse = reject;
    Promise.all([labScript(), gift]).then(([script, open]) => {
      const own = new Worker(script.address);
      worker = own;
      own.onmessage = ({ data }: MessageEvent<FromLab>) => {
        if ("progress" in data) setOpening(name, { name, progress: data.progress });
        else if ("event" in data) tell(data.event);
        else if ("opened" in data) resolve(own);
        else if ("failed" in data) close(new Refused(422, data.failed));
        else {
          const asked = waiting.get(data.id);
          waiting.delete(data.id);
          if ("reply" in data) asked?.resolve(data.reply);
          else asked?.reject(new Refused(data.status, data.refused));
        }
      };
      own.onerror = (event) => {
        event.preventDefault();
        close(new Refused(500, event.message || "the worker could not be started"));
      };
      own.postMessage({ open, name, script: script.text } satisfies ToLab);
    }, reject);
  });
  // Whoever asks it something hears of it.
  opened.catch(() => {});
  const close = (failure: Refused) => {
    worker?.terminate();
    refuse(failure);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  return { waiting, opened, close };
}

/** Stops whatever it does and forgets what it held. */
export function closeLab(name: string): void {
  const lab = labs.get(name);
  labs.delete(name);
  setOpening(name, undefined);
  lab?.close(new Refused(404, `${name} was closed`));
  tell({ type: "runs" });
}

export async function askLabs<Route extends keyof Replies>(route: Route, query: string): Promise<Replies[Route]> {
  if (route === "runs") return (await allRuns()) as Replies[Route];
  return JSON.parse(await askNamed(route, query));
}

/** A file of a list's rollouts, a line each. */
export async function linesFromLab(query: string): Promise<Blob> {
  return new Blob([await askNamed("download", query)], { type: "application/jsonl" });
}

async function askNamed(route: string, query: string): Promise<string> {
  const name = new URLSearchParams(query).get("run") ?? "";
  const lab = labs.get(name);
  if (lab === undefined)
    throw new Refused(
      404,
      `this page holds no run ${JSON.stringify(name)}; what was dropped is gone when a page is closed`,
    );
  return askOf(lab, route, query);
}

async function askOf({ opened, waiting }: Lab, route: string, query: string): Promise<string> {
  const worker = await opened;
  const id = questions++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, route, query } satisfies ToLab);
  });
}

async function allRuns(): Promise<RunsReply> {
  const open = [...labs].filter(([name]) => !openings.some((opening) => opening.name === name));
  const replies = await Promise.all(open.map(([, lab]) => askOf(lab, "runs", "")));
  const runs = replies.flatMap((reply) => (JSON.parse(reply) as RunsReply).runs);
  return { folder: "this page", runs: runs.reverse(), gaps: [] };
}

// ---- Scripts beside the page ---------------------------------------------------------------------------------------

/** A page from a disk may load scripts and nothing else. */
export function loadedScript(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = file;
    script.onload = () => {
      script.remove();
      resolve();
    };
    script.onerror = () => reject(new Refused(404, `${file} is missing beside this page; write the page again`));
    document.head.append(script);
  });
}

let script: Promise<{ readonly text: Blob; readonly address: string }> | undefined;

/** A browser starts no worker from a file on a disk, but it does from a text that the page holds: the script is a function. */
function labScript() {
  script ??= (async () => {
    await loadedScript(metaOf("repertoire-lab")!);
    const { repertoireLab } = globalThis as unknown as { repertoireLab: () => void };
    const text = new Blob([`(${repertoireLab})()`], { type: "text/javascript" });
    return { text, address: URL.createObjectURL(text) };
  })();
  return script;
}

export const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** Whether this page stands for itself, without a server. */
export const inPage = metaOf("repertoire-lab") !== undefined;

/** The address of a published file that the page's own address names. */
export const addressed = new URLSearchParams(location.search).get("url") ?? undefined;

/** From here on the browser itself refuses every connection, but for the server of that one file. */
export function forbidConnections(): void {
  const rule = document.createElement("meta");
  rule.httpEquiv = "Content-Security-Policy";
  rule.content = `connect-src ${originOf(addressed) ?? "'none'"}`;
  document.head.append(rule);
}

function originOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? origin : undefined;
}

/** The run that came with the page, if one did. */
export const preloadedRun = metaOf("repertoire-run");

async function preloaded(): Promise<readonly GivenFile[]> {
  await loadedScript("data/run.js");
  const holder = globalThis as unknown as { repertoireRun?: string };
  const latin = atob(holder.repertoireRun ?? "");
  delete holder.repertoireRun;
  const bytes = new Uint8Array(latin.length);
  for (let i = 0; i < latin.length; i++) bytes[i] = latin.charCodeAt(i);
  return [{ path: "run.zip", content: new Blob([bytes]) }];
}

if (preloadedRun !== undefined) void openLab(preloadedRun, preloaded());
