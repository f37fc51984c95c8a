// The small signs that mean the same on every page: primitives, verdicts, states of runs, checkpoints.
import type { ReactNode } from "react";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { RunState, VerdictOrNone } from "../../api.ts";
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
      <Name>{asked}</Name>
    </span>
  );
}

export function PrimitiveMark({ of, long = false }: { readonly of: string; readonly long?: boolean }) {
  const look = useLabels().named(of);
  return (
    <span className="inline primitive">
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
    <span className={`inline state state-${of}`}>
      <span className="lamp" aria-hidden="true" /> {stateWords[of]}
    </span>
  );
}

export function CheckpointName({ name, ink }: { readonly name: string; readonly ink: string }) {
  return (
    <span className={`inline checkpoint ink-${ink}`}>
      <span className="swatch" aria-hidden="true" />
      <Name>{name}</Name>
    </span>
  );
}

/** Tables of more checkpoints have no room for bars. */
export const mostBars = 6;

/** A number with a bar as long as its share. */
export function Rate({
  share,
  ink,
  children,
}: {
  readonly share: number;
  readonly ink: string;
  readonly children: ReactNode;
}) {
  return (
    <span className={`inline rate ink-${ink}`}>
      <span className="bed" aria-hidden="true">
        <span className="fill" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="rate-text">{children}</span>
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
