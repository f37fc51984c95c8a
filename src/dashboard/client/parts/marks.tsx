// The small signs that mean the same on every page: primitives, verdicts, states of runs, checkpoints.

import { checkpointInkNames, deepPrimitives, primitiveLetters } from "../../../report/primitive-colours.ts";
import { oneLine } from "../../../report/safe-text.ts";
import type { Primitive } from "../../../rollouts/primitives.ts";
import type { RunState, VerdictOrNone } from "../../api.ts";

/** Text from a run on one line: whatever it holds, it neither reorders nor breaks what stands around it. */
export function Name({ children, className }: { readonly children: string; readonly className?: string }) {
  return <bdi className={className}>{oneLine(children)}</bdi>;
}

export function PrimitiveMark({ of, long = false }: { readonly of: Primitive; readonly long?: boolean }) {
  const depth = deepPrimitives.includes(of) ? "deep" : "";
  return (
    <span className="primitive">
      <span className={`mark ink-${of} ${depth}`} aria-hidden={long}>
        {primitiveLetters[of]}
      </span>
      {long && <span className="primitive-name">{of}</span>}
    </span>
  );
}

/** A shape beside the word, so that colour is never the only sign. */
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
 * One colour per checkpoint on a page, by the role each has in its recipe: a stage that trains it and the evaluation of
 * it share theirs.
 */
export function inksOf<Entry extends { readonly id: string; readonly role?: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, string> {
  const keyOf = ({ id, role }: Entry) => (role === undefined ? `id ${id}` : `role ${role}`);
  const roles = new Map(entries.map((entry) => [keyOf(entry), entry.role]));
  const names = checkpointInkNames([...roles.values()]);
  const inkOfKey = new Map([...roles.keys()].map((key, i) => [key, names[i]]));
  return new Map(entries.map((entry) => [entry.id, inkOfKey.get(keyOf(entry))!]));
}
