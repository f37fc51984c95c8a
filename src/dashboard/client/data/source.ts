// Where replies come from: the server that sent this page, or the workers of a page that stands for itself.
import type { ApiError, NoteReply, NoteRequest, Replies } from "../../api.ts";
import { askLabs, inPage } from "./labs.ts";
import { queryText, type Values } from "./question.ts";
import { Refused } from "./refused.ts";

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
  if (inPage) return askLabs(route, query);
  const response = await fetch(`/api/${route}${query === "" ? "" : `?${query}`}`, { signal });
  return answerOf(response);
}

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
