// What is kept for all runs of a user: files of the Hugging Face hub, and what servers were measured to do. By the usual variables.
import { join } from "node:path";
import type { HubOptions } from "../problems/benchmarks/hub.ts";

export function hubCache(environment: NodeJS.ProcessEnv = process.env): HubOptions {
  const { HF_ENDPOINT, HF_TOKEN } = environment;
  return { cache: join(userCache(environment), "hub"), hubUrl: HF_ENDPOINT, token: HF_TOKEN };
}

/** For a run in this folder. */
export const probePlaces = (run: string) => ({
  run: join(run, "server-probe.json"),
  kept: join(userCache(process.env), "probes"),
});

const userCache = ({ REPERTOIRE_CACHE, XDG_CACHE_HOME, HOME = "." }: NodeJS.ProcessEnv): string =>
  REPERTOIRE_CACHE ?? join(XDG_CACHE_HOME ?? join(HOME, ".cache"), "repertoire");
