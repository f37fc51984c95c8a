// Which traces a number is about. An analysis looks at everything together, at all puzzles, at the puzzles that a recipe asks
// for the same reason, at all mathematics, and at each set on its own; a user may limit it further without the traces being
// read again.
import type { PuzzlePools } from "../../runs/recipe-names.ts";
import type { TraceRecord } from "../trace-record.ts";

export type Scope = {
  readonly name: string;
  readonly kind?: "puzzle" | "mathematics";
  /** Absent for everything. */
  readonly sets?: readonly string[];
};

export const everything = "everything";
export const allPuzzles = "all puzzles";
export const allMathematics = "all mathematics";

/** A trace of no set is only in the scope of everything. */
export const inScope = ({ sets }: Scope, record: Pick<TraceRecord, "set">): boolean =>
  sets === undefined || (record.set !== undefined && sets.includes(record.set));

export function scopesOf(records: readonly Pick<TraceRecord, "set" | "kind">[], pools: PuzzlePools = {}): Scope[] {
  const kinds = new Map<string, Scope["kind"]>();
  for (const { set, kind } of records) if (set !== undefined && !kinds.has(set)) kinds.set(set, kind);
  const sets = [...kinds].map(([set, kind]): Scope => ({ name: set, kind, sets: [set] }));
  const pooled = (name: string, kind: "puzzle" | "mathematics", within?: readonly string[]): Scope[] => {
    const own = sets.filter((scope) => scope.kind === kind && (within?.includes(scope.name) ?? true));
    // A recipe may well ask for a single puzzle, and calls it by what it is asked for.
    const enough = own.length > (within === undefined ? 1 : 0) && !kinds.has(name);
    return enough ? [{ name, kind, sets: own.map((scope) => scope.name) }] : [];
  };
  return [
    { name: everything },
    ...pooled(allPuzzles, "puzzle"),
    ...Object.entries(pools).flatMap(([name, within]) => pooled(name, "puzzle", within)),
    ...pooled(allMathematics, "mathematics"),
    ...(sets.length > 1 ? sets : sets.slice(0, 1)),
  ];
}

/** What a user may ask for. */
export type Limits = {
  readonly sets?: readonly string[];
  readonly checkpoints?: readonly string[];
  readonly problems?: readonly string[];
  readonly puzzles?: readonly string[];
  /** From and to, both included. */
  readonly steps?: readonly [number, number];
};

export const isLimited = (limits: Limits): boolean => Object.values(limits).some((limit) => limit !== undefined);

export function limited<One extends TraceRecord>(records: readonly One[], limits: Limits): One[] {
  const { sets, checkpoints, problems, puzzles, steps } = limits;
  return records.filter(
    (record) =>
      (sets === undefined || (record.set !== undefined && sets.includes(record.set))) &&
      (checkpoints === undefined || checkpoints.includes(record.checkpoint)) &&
      (problems === undefined || problems.includes(record.problem)) &&
      (puzzles === undefined || (record.puzzle !== undefined && puzzles.includes(record.puzzle))) &&
      (steps === undefined || (record.step !== undefined && record.step >= steps[0] && record.step <= steps[1])),
  );
}
