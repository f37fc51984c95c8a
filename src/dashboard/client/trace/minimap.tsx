// The whole trace as one strip: click or drag to go there, arrow keys go from span to span. Under it, where token
// likelihoods under the reference are known, a line of heat.
import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useMemo } from "react";
import type { TraceReply } from "../../api.ts";
import { useLabels } from "../labels.tsx";
import { useWidth } from "../use-width.ts";
import type { Block } from "./blocks.ts";

const height = 26;
const heatHeight = 8;

type MinimapProps = {
  readonly blocks: readonly Block[];
  /** How long the strip is: characters of the text, or spans where strips are compared span by span. */
  readonly scale: { readonly of: "characters" | "spans"; readonly length: number };
  readonly at: number;
  readonly onGo: (block: number) => void;
  readonly name: string;
  readonly nll?: TraceReply["tokenNll"];
};

export function Minimap({ blocks, scale, at, onGo, name, nll }: MinimapProps) {
  const [frame, width] = useWidth<HTMLDivElement>(800);
  const spans = useMemo(() => blocks.filter((block) => block.label !== undefined), [blocks]);
  const place = useMemo(() => {
    const unit = width / Math.max(1, scale.length);
    return scale.of === "characters"
      ? (block: Block) => ({ x: block.start * unit, width: (block.end - block.start) * unit })
      : (block: Block) => ({ x: (block.span ?? 0) * unit, width: unit });
  }, [width, scale.of, scale.length]);
  const current = Math.max(
    0,
    lastIndex(spans, (block) => block.index <= at),
  );

  const point = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1 || spans.length === 0) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const target = Math.max(
      0,
      lastIndex(spans, (block) => place(block).x <= x),
    );
    onGo(spans[target].index);
  };
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: spans.length - 1,
      PageUp: current - 10,
      PageDown: current + 10,
    };
    if (!(event.key in moves) || spans.length === 0) return;
    event.preventDefault();
    onGo(spans[Math.max(0, Math.min(spans.length - 1, moves[event.key]))].index);
  };

  if (spans.length === 0) return null;
  const here = place(spans[current]);
  return (
    <div
      ref={frame}
      className="minimap"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={1}
      aria-valuemax={spans.length}
      aria-valuenow={current + 1}
      aria-valuetext={`span ${current + 1} of ${spans.length}, ${spans[current].label}`}
      onPointerDown={point}
      onPointerMove={point}
      onKeyDown={press}
    >
      <svg width={width} height={height + (nll === undefined ? 0 : heatHeight + 2)} aria-hidden="true">
        <Strip spans={spans} place={place} />
        {nll !== undefined && scale.of === "characters" && <Heat nll={nll} width={width} length={scale.length} />}
        <rect className="here" x={here.x} y="0.75" width={Math.max(4, here.width)} height={height - 1.5} rx="1.5" />
      </svg>
    </div>
  );
}

/** One path a label, however many spans there are; letters where they fit. */
const Strip = memo(function Strip({
  spans,
  place,
}: {
  readonly spans: readonly Block[];
  readonly place: (block: Block) => { readonly x: number; readonly width: number };
}) {
  const { named } = useLabels();
  const paths = new Map<string, string>();
  const letters: ReactNode[] = [];
  for (const block of spans) {
    const { x, width } = place(block);
    const look = named(block.label!);
    const ink = look?.ink ?? "grid";
    const drawn = Math.max(0.5, width - (width > 4 ? 0.75 : 0));
    paths.set(
      ink,
      `${paths.get(ink) ?? ""}M${x.toFixed(2)} 3h${drawn.toFixed(2)}v${height - 6}h${(-drawn).toFixed(2)}z`,
    );
    if (width >= 11)
      letters.push(
        <text
          key={block.index}
          className={`letter ${look?.deep ? "deep" : ""}`}
          x={x + width / 2}
          y={height / 2 + 0.5}
          textAnchor="middle"
          dominantBaseline="central"
        >
          {look?.letter ?? "?"}
        </text>,
      );
  }
  return (
    <>
      {[...paths].map(([ink, path]) => (
        <path key={ink} className={`cell ink-${ink}`} d={path} />
      ))}
      {letters}
    </>
  );
});

/** Nats per token, the mean over the tokens under each two pixels: the brighter, the less the reference expected them. */
function Heat({
  nll,
  width,
  length,
}: {
  readonly nll: NonNullable<TraceReply["tokenNll"]>;
  readonly width: number;
  readonly length: number;
}) {
  const bins = useMemo(() => {
    const count = Math.max(1, Math.floor(width / 2));
    const sums = new Float64Array(count);
    const tokens = new Uint32Array(count);
    nll.ends.forEach((end, i) => {
      const first = Math.floor(((nll.ends[i - 1] ?? 0) / Math.max(1, length)) * count);
      const last = Math.min(count - 1, Math.ceil((end / Math.max(1, length)) * count) - 1);
      for (let bin = first; bin <= last; bin++) {
        sums[bin] += nll.nll[i];
        tokens[bin] += 1;
      }
    });
    const means = Array.from(sums, (sum, i) => (tokens[i] === 0 ? 0 : sum / tokens[i]));
    const most = means.reduce((high, mean) => Math.max(high, mean), 0);
    return means.map((mean) => (most === 0 ? 0 : mean / most));
  }, [nll, width, length]);
  return bins.map((share, i) =>
    share < 0.02 ? null : (
      // biome-ignore lint/suspicious/noArrayIndexKey: bins are places along the strip and have no other name
      <rect key={i} className="heat" x={i * 2} y={height + 1} width="2" height={heatHeight} opacity={share} />
    ),
  );
}

function lastIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [-1, items.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(items[middle])) low = middle;
    else high = middle - 1;
  }
  return low;
}
