// Where files of the Hugging Face hub are kept, and how it is reached: by the usual variables.
import { join } from "node:path";
import type { HubOptions } from "../problems/benchmarks/hub.ts";

export function hubCache(environment: NodeJS.ProcessEnv = process.env): HubOptions {
  const { REPERTOIRE_CACHE, XDG_CACHE_HOME, HOME = ".", HF_ENDPOINT, HF_TOKEN } = environment;
  const cache = REPERTOIRE_CACHE ?? join(XDG_CACHE_HOME ?? join(HOME, ".cache"), "repertoire");
  return { cache: join(cache, "hub"), hubUrl: HF_ENDPOINT, token: HF_TOKEN };
}
