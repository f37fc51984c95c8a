// Two attempts at one problem: strips aligned span by span, texts scrolling together.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { ProblemReply, RolloutRow, Source, TraceReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { Check, Choice } from "../parts/fields.tsx";
import { VerdictMark } from "../parts/marks.tsx";
import { ProblemBoard } from "../parts/problem-board.tsx";
import { Nothing, Waiting } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { type Block, blocksOf } from "../trace/blocks.ts";
import { GradeLine } from "../trace/facts.tsx";
import { Minimap } from "../trace/minimap.tsx";
import { Reader, scrollToBlock } from "../trace/reader.tsx";

type Side = "first" | "second";

export function SideBySide({
  reply,
  sources,
}: {
  readonly reply: ProblemReply;
  readonly sources: Readonly<Record<Side, Source>>;
}) {
  const { run, reading, nameOf: nameOfSource } = useShownRun();
  const [query, change] = useQuery();
  const nameOf = (side: Side) => nameOfSource(sources[side].id);
  const rowsOf = (side: Side) => reply.rollouts.filter(({ source }) => source === sources[side].id);
  const chosen = (side: Side): RolloutRow | undefined => {
    const rows = rowsOf(side);
    return rows.find(({ row }) => String(row) === query[`${side}Row`]) ?? rows[0];
  };
  const traces = { first: useChosenTrace(run, chosen("first")), second: useChosenTrace(run, chosen("second")) };
  const blocks = { first: useBlocks(traces.first), second: useBlocks(traces.second) };
  const scrollers = { first: useRef<HTMLElement>(null), second: useRef<HTMLElement>(null) };
  const frames = useRef(scrollers);
  const [at, setAt] = useState({ first: 0, second: 0 });
  const [together, setTogether] = useState(true);
  /** Until when a side only follows the other: its own scrolling is no wish of the reader's. */
  const following = useRef({ first: 0, second: 0 });
  const stands = useRef({ first: 0, second: 0 });

  const spanCount = Math.max(...[blocks.first, blocks.second].map((all) => all.filter(({ label }) => label).length), 1);

  const latest = useRef({ blocks, together });
  latest.current = { blocks, together };
  const moved = useCallback((side: Side, block: number) => {
    if (stands.current[side] === block) return;
    stands.current[side] = block;
    setAt((before) => ({ ...before, [side]: block }));
    const now = performance.now();
    if (!latest.current.together || now < following.current[side]) return;
    const other = side === "first" ? "second" : "first";
    const target = sameSpan(latest.current.blocks[side], latest.current.blocks[other], block);
    if (target === undefined) return;
    following.current[other] = now + 150;
    scrollToBlock(frames.current[other].current, target);
  }, []);
  // Another attempt is read from its beginning.
  const shown = { first: traces.first?.rollout, second: traces.second?.rollout };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another attempt is shown
  useEffect(() => {
    stands.current = { first: 0, second: 0 };
    setAt({ first: 0, second: 0 });
  }, [shown.first?.row, shown.second?.row]);
  const onMoveFirst = useCallback((block: number) => moved("first", block), [moved]);
  const onMoveSecond = useCallback((block: number) => moved("second", block), [moved]);

  const attempt = (side: Side, by: number) => {
    const rows = rowsOf(side);
    if (rows.length === 0) return;
    const now = rows.findIndex(({ row }) => row === chosen(side)?.row);
    change({ [`${side}Row`]: rows[(now + by + rows.length) % rows.length].row });
  };
  useKeys("Compare", [
    { keys: ["1"], about: "next attempt of the first", run: () => attempt("first", 1) },
    { keys: ["2"], about: "next attempt of the second", run: () => attempt("second", 1) },
    { keys: ["t"], about: "scroll together, or apart", run: () => setTogether((before) => !before) },
  ]);

  const { problem } = reply;
  return (
    <div className="columns even compare">
      <div className="compare-strips">
        {(["first", "second"] as const).map((side) => (
          <div key={side} className="compare-strip">
            <Checkpoint of={sources[side].id} />
            <Minimap
              blocks={blocks[side]}
              scale={{ of: "spans", length: spanCount }}
              at={at[side]}
              onGo={(block) => scrollToBlock(scrollers[side].current, block)}
              name={`${side === "first" ? "First" : "Second"} trace, ${oneLine(nameOf(side))}`}
            />
          </div>
        ))}
        <Check checked={together} onChange={setTogether}>
          scroll together, span by span
        </Check>
      </div>
      {(["first", "second"] as const).map((side) => {
        const rows = rowsOf(side);
        const trace = traces[side];
        return (
          <section
            key={side}
            className="compare-side"
            aria-label={`${side === "first" ? "First" : "Second"}: ${oneLine(nameOf(side))}`}
          >
            <div className="row compare-head">
              <Checkpoint of={sources[side].id} />
              {rows.length > 0 && (
                <Choice
                  label="attempt"
                  value={String(chosen(side)?.row)}
                  options={rows.map((row) => ({
                    value: String(row.row),
                    name: `#${row.attempt} ${row.verdict}${row.step === undefined ? "" : `, step ${row.step}`}`,
                  }))}
                  onChange={(row) => change({ [`${side}Row`]: row })}
                />
              )}
              {chosen(side) !== undefined && <Link to={addressOf.trace(run, chosen(side)!)}>alone</Link>}
            </div>
            {rows.length === 0 && reading ? (
              <Waiting>The server is still reading this run …</Waiting>
            ) : rows.length === 0 ? (
              <Nothing title="No attempt">
                <p>This checkpoint was not asked this problem.</p>
              </Nothing>
            ) : trace === undefined ? (
              <Waiting />
            ) : (
              <>
                <GradeLine trace={trace} />
                {trace.unavailable !== undefined && <p className="quiet">{visibleText(trace.unavailable)}</p>}
                <Reader
                  key={`${trace.rollout.source} ${trace.rollout.row}`}
                  blocks={blocks[side]}
                  scroller={scrollers[side]}
                  name={`Text of the ${side} trace`}
                  onMove={side === "first" ? onMoveFirst : onMoveSecond}
                  marked={noSpans}
                />
                {problem.kind === "puzzle" && (
                  <details className="compare-board">
                    <summary>
                      Board <VerdictMark of={trace.rollout.verdict} />
                    </summary>
                    <ProblemBoard
                      problem={problem.id}
                      puzzle={problem.puzzle}
                      instance={problem.instance}
                      answer={trace.answer?.text}
                      said={trace.grade?.because}
                    />
                  </details>
                )}
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}

function useChosenTrace(run: string, row: RolloutRow | undefined): TraceReply | undefined {
  return useReply("trace", row === undefined ? undefined : { run, source: row.source, row: row.row }).reply;
}

const noBlocks: readonly Block[] = [];
const noSpans: ReadonlySet<number> = new Set();

function useBlocks(trace: TraceReply | undefined): readonly Block[] {
  return useMemo(() => (trace === undefined ? noBlocks : blocksOf(trace.text, trace.spans)), [trace]);
}

/** The block of the other trace whose span has the same number, or its last one where it is shorter. */
function sameSpan(from: readonly Block[], to: readonly Block[], block: number): number | undefined {
  const span = from.slice(block).find((candidate) => candidate.span !== undefined)?.span;
  if (block === 0) return 0;
  if (span === undefined) return to.length - 1;
  const spans = to.filter((candidate) => candidate.span !== undefined);
  return (spans[span] ?? to.at(-1))?.index;
}
