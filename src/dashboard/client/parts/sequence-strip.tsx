// A trace at a glance, for lists: a strip as wide as the trace has spans, one color a span.
import { memo } from "react";
import { type Labels, spokenSequence, stretches } from "../label-looks.ts";
import { useLabels } from "../labels.tsx";
import { wholeNumber } from "../number-text.ts";

/** Hard stops of one gradient: a list of thirty strips stays thirty elements. */
function stripBackground(sequence: string, labels: Labels): string {
  const stops = stretches(sequence, labels).map(({ ink, from, to }) => {
    const at = (span: number) => `${((span / sequence.length) * 100).toFixed(2)}%`;
    return `var(--${ink}) ${at(from)} ${at(to)}`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

type StripProps = {
  readonly sequence: string | undefined;
  /** Width of one span in pixels, until the strip fills its place. */
  readonly spanWidth?: number;
  /** How many spans there are; of very long traces a list holds only the first. */
  readonly spans?: number;
};

export const SequenceStrip = memo(function SequenceStrip({ sequence, spanWidth = 7, spans }: StripProps) {
  const labels = useLabels();
  if (sequence === undefined) return <span className="strip-none">no labels</span>;
  if (sequence === "") return <span className="strip-none">no spans</span>;
  const more = (spans ?? 0) - sequence.length;
  const strip = (
    <span
      className="strip"
      role="img"
      aria-label={spokenSequence(sequence, labels)}
      style={{ background: stripBackground(sequence, labels), width: sequence.length * spanWidth }}
    />
  );
  if (more <= 0) return strip;
  return (
    <span className="inline">
      {strip}
      <small className="quiet">+{wholeNumber(more)}</small>
    </span>
  );
});
