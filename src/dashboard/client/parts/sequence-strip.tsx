// A trace at a glance, for lists: a strip as wide as the trace has spans, one colour a span.
import { memo } from "react";
import { spokenSequence, stretches } from "../primitive-letters.ts";

/** Hard stops of one gradient: a list of thirty strips stays thirty elements. */
function stripBackground(sequence: string): string {
  const stops = stretches(sequence).map(({ primitive, from, to }) => {
    const at = (span: number) => `${((span / sequence.length) * 100).toFixed(2)}%`;
    return `var(--${primitive}) ${at(from)} ${at(to)}`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

type StripProps = {
  readonly sequence: string | undefined;
  /** Width of one span in pixels, until the strip fills its place. */
  readonly spanWidth?: number;
};

export const SequenceStrip = memo(function SequenceStrip({ sequence, spanWidth = 7 }: StripProps) {
  if (sequence === undefined) return <span className="strip-none">no labels</span>;
  if (sequence === "") return <span className="strip-none">no spans</span>;
  return (
    <span
      className="strip"
      role="img"
      aria-label={spokenSequence(sequence)}
      style={{ background: stripBackground(sequence), width: sequence.length * spanWidth }}
    />
  );
});
