// Where replies come from: the server that sent this page, or, in an export opened from disk, the files beside it.
import * as z from "zod/mini";
import type { ApiError, NoteReply, NoteRequest, RelabelReply, RelabelRequest, Replies } from "../../api.ts";
import { exportedReply } from "../../exported-run.ts";
import { complaintOf } from "../../queries.ts";
import { queryText, type Values } from "./question.ts";

export const isExport = document.querySelector('meta[name="repertoire-export"]') !== null;

/** A reply that says no, in the server's words. */
export class Refused extends Error {
  override name = "Refused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Why an answer did not come: with a status where somebody refused it. */
export const failureOf = (error: unknown): { readonly status?: number; readonly message: string } =>
  error instanceof Refused
    ? { status: error.status, message: error.message }
    : { message: "the server cannot be reached" };

export async function ask<Route extends keyof Replies>(
  route: Route,
  values: Values,
  signal?: AbortSignal,
): Promise<Replies[Route]> {
  const query = queryText(values);
  if (isExport) return exported(route, new URLSearchParams(query));
  const response = await fetch(`/api/${route}${query === "" ? "" : `?${query}`}`, { signal });
  return answerOf(response);
}

export const relabel = (request: RelabelRequest): Promise<RelabelReply> => write("relabel", request);
export const writeNote = (request: NoteRequest): Promise<NoteReply> => write("note", request);

async function write<Reply>(route: string, request: unknown): Promise<Reply> {
  const response = await fetch(`/api/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  return answerOf(response);
}

async function answerOf<Reply>(response: Response): Promise<Reply> {
  if (response.ok) return response.json();
  const body = (await response.json().catch(() => undefined)) as ApiError | undefined;
  throw new Refused(response.status, body?.error ?? `the server answered ${response.status} ${response.statusText}`);
}

// ---- Export: a page on a disk may load scripts and nothing else ----------------------------------------------------

async function exported<Reply>(route: string, query: URLSearchParams): Promise<Reply> {
  try {
    return (await exportedReply(route, query, loadData)) as Reply;
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof z.core.$ZodError) throw new Refused(400, complaintOf(error));
    throw new Refused(404, error instanceof Error ? error.message : String(error));
  }
}

const waiting = new Map<string, (data: unknown) => void>();
const loaded = new Map<string, Promise<unknown>>();
const mostLoaded = 40;

Object.assign(globalThis, { repertoireData: (name: string, data: unknown) => waiting.get(name)?.(data) });

function loadData(name: string): Promise<unknown> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const data = new Promise<unknown>((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(name, resolve);
    script.src = `data/${name}.js`;
    script.onload = () => script.remove();
    script.onerror = () =>
      reject(new Refused(404, `data/${name}.js is missing from this export; export the run again`));
    document.head.append(script);
  });
  loaded.set(name, data);
  // Old parts are dropped so that reading a whole export does not keep it in memory.
  for (const old of [...loaded.keys()].slice(0, -mostLoaded)) loaded.delete(old);
  return data;
}
