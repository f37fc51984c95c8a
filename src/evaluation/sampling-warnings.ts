// What the rollouts say of the server that they came from, by what is stored of them: the same sentences however often
// sampling was interrupted.
import { repetitionWarning } from "../endpoints/ignored-parameters.ts";
import type { SamplingNotes } from "./evaluation-folder.ts";
import type { StoredRollout } from "./rollout-store.ts";

export function samplingWarnings(
  rollouts: readonly StoredRollout[],
  { temperature, drawsHere }: Pick<SamplingNotes, "temperature" | "drawsHere">,
): string[] {
  // Texts that repeat or are empty are then the policy's own.
  if (drawsHere) return [];
  const all = rollouts.length;
  const empty = (kind: StoredRollout["empty"]) => rollouts.filter((rollout) => rollout.empty === kind).length;
  const [reasoned, silent] = [empty("reasoned"), empty("silent")];
  const models = countsOf(rollouts.map(({ servedBy }) => servedBy));
  return [
    repetitionWarning(rollouts, temperature),
    reasoned > 0 &&
      `${reasoned} of ${all} rollouts ended by themselves with all of their text in the reasoning and an empty answer: the server's reasoning parser may have kept the answers`,
    silent > 0 &&
      `${silent} of ${all} rollouts are empty: they ended by themselves without a word, and count as attempts`,
    models.length > 1 &&
      `the server answered as ${models.length} models: ${models.map(([name, count]) => `${name} (${count})`).join(", ")}; the numbers mix them`,
  ].filter((warning) => typeof warning === "string");
}

/** The most frequent first, those as frequent by name; what is undefined is not counted. */
export function countsOf(names: Iterable<string | undefined>): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
