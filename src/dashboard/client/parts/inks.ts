// The color of each checkpoint, by the name that style sheets use.
import { checkpointColorNames } from "../../../drawing/palette.ts";
import type { RunReply, StageEntry } from "../../api.ts";

/**
 * One color per checkpoint, the same on every page of a run: by the role each has in its recipe, else by its name, so that
 * a stage that trains it, its evaluation and what an analysis says of it share theirs.
 */
export function inksOf(
  about: Pick<RunReply, "sources"> & { readonly run: { readonly stages: readonly StageEntry[] } },
) {
  const stages = about.run.stages.filter(({ kind }) => kind !== "analyze");
  return inksOfEntries([...stages, ...about.sources]);
}

export function inksOfEntries(
  entries: readonly Pick<StageEntry, "id" | "name" | "role" | "color">[],
): ReadonlyMap<string, string> {
  const keyOf = ({ name, role }: (typeof entries)[number]) => (role === undefined ? `name ${name}` : `role ${role}`);
  const roles = new Map(entries.map((entry) => [keyOf(entry), entry.role]));
  const chosen = new Map(entries.flatMap((entry) => (entry.color === undefined ? [] : [[keyOf(entry), entry.color]])));
  const names = checkpointColorNames(
    [...roles.values()],
    [...roles.keys()].map((key) => chosen.get(key)),
  );
  const inkOfKey = new Map([...roles.keys()].map((key, i) => [key, names[i]]));
  return new Map(entries.map((entry) => [entry.id, inkOfKey.get(keyOf(entry))!]));
}
