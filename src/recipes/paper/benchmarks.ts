// The mathematics that the paper's experiment is judged by; its puzzles are `problems/paper-sets.ts`.
import type { HubOptions } from "../../problems/benchmarks/hub.ts";
import { loadBenchmark } from "../../problems/benchmarks/load.ts";
import type { Problem } from "../../problems/problem.ts";
import { subset } from "../../problems/subset.ts";
import { askedOf, type PaperSettings } from "./settings.ts";

/** Benchmarks in the order of the settings; files of a folder, or the hub. */
export async function paperBenchmarks(
  { seed, evaluation }: PaperSettings,
  from: { readonly hub: HubOptions; readonly folder?: string },
): Promise<readonly { readonly set: string; readonly problems: readonly Problem[] }[]> {
  const sets = [];
  for (const set of evaluation.benchmarks) {
    const parts = [];
    for (const name of set === "hmmt" ? evaluation.hmmt : [set])
      parts.push(...(await loadBenchmark(name, from)).problems);
    const most = askedOf(set, evaluation) ?? parts.length;
    const chosen = parts.length > most ? subset(parts, most, seed) : parts;
    sets.push({ set, problems: chosen.map((problem) => ({ ...problem, set })) });
  }
  return sets;
}
