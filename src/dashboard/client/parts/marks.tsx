// The small signs that mean the same on every page: primitives, verdicts, states of runs, checkpoints.
import { checkpointColorNames } from "../../../report/palette.ts";
import { oneLine, visibleText } from "../../../report/safe-text.ts";
import type { RunReply, RunState, StageEntry, VerdictOrNone } from "../../api.ts";
import { useLabels } from "../labels.tsx";

/** Text from a run on one line: whatever it holds, it neither reorders nor breaks what stands around it. */
export function Name({ children, className }: { readonly children: string; readonly className?: string }) {
  return <bdi className={className}>{oneLine(children)}</bdi>;
}

/** A problem by its id, or where that is only a digest by what was asked. */
export function ProblemName({ problem, asked }: { readonly problem: string; readonly asked?: string }) {
  if (asked === undefined) return <Name>{problem}</Name>;
  return (
    <span title={oneLine(problem)}>
      <Name>{`${asked}…`}</Name>
    </span>
  );
}

export function PrimitiveMark({ of, long = false }: { readonly of: string; readonly long?: boolean }) {
  const look = useLabels().named(of);
  return (
    <span className="primitive">
      <span className={`mark ink-${look?.ink ?? "grid"} ${look?.deep ? "deep" : ""}`} aria-hidden={long}>
        {look?.letter ?? "?"}
      </span>
      {long && <span className="primitive-name">{of}</span>}
    </span>
  );
}

/** Who labeled, as a sentence of its own. */
export const labelWords = (labeled: string): string => visibleText(labeled.replace(/^l/, "L"));

/** A shape beside the word, so that color is never the only sign. */
const verdictSigns: Readonly<Record<VerdictOrNone, string>> = {
  correct: "●",
  wrong: "○",
  unreadable: "◌",
  undecided: "◐",
  ungraded: "·",
};

export function VerdictMark({ of }: { readonly of: VerdictOrNone }) {
  return (
    <span className={`verdict verdict-${of}`}>
      <span aria-hidden="true">{verdictSigns[of]}</span> {of}
    </span>
  );
}

const stateWords: Readonly<Record<RunState, string>> = {
  empty: "empty",
  running: "running",
  finished: "finished",
  stopped: "stopped",
  broken: "broken",
};

export function StateMark({ of }: { readonly of: RunState }) {
  return (
    <span className={`state state-${of}`}>
      <span className="lamp" aria-hidden="true" /> {stateWords[of]}
    </span>
  );
}

export function CheckpointName({ name, ink }: { readonly name: string; readonly ink: string }) {
  return (
    <span className={`checkpoint ink-${ink}`}>
      <span className="swatch" aria-hidden="true" />
      <Name>{name}</Name>
    </span>
  );
}

/** Names that tell sources apart: a checkpoint has rollouts from its training and from its evaluation. */
export function sourceNames(
  sources: readonly { readonly id: string; readonly name: string; readonly kind?: string }[],
): ReadonlyMap<string, string> {
  const shared = (name: string) => sources.filter((other) => other.name === name).length > 1;
  return new Map(
    sources.map(({ id, name, kind }) => [id, shared(name) && kind === "training" ? `${name}, training` : name]),
  );
}

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

/** Before a run is known no checkpoint has a color. */
export const noInks: ReadonlyMap<string, string> = new Map();
