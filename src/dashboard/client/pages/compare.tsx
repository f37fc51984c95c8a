// Two checkpoints at the same problem: strips aligned span by span, texts scrolling together.
import { useCallback, useMemo, useRef, useState } from "react";
import { oneLine, visibleText } from "../../../report/safe-text.ts";
import type { PairEntry, ProblemReply, RolloutRow, RunReply, Source, TraceReply } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { useKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { CheckpointName, inksOf, Name, sourceNames, VerdictMark } from "../parts/marks.tsx";
import { ProblemBoard } from "../parts/problem-board.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered, Nothing, Waiting } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { type Block, blocksOf } from "../trace/blocks.ts";
import { GradeLine } from "../trace/facts.tsx";
import { Minimap } from "../trace/minimap.tsx";
import { Reader, scrollToBlock } from "../trace/reader.tsx";

export function ComparePage({ run }: { readonly run: string }) {
  const changes = useLiveCount((event) => event.type === "indexed" && event.run === run, 2000);
  const asked = useReply("run", { run }, changes);
  return (
    <div className="page page-full">
      <h1>Compare</h1>
      <Answered asked={asked}>
        {(about) =>
          about.sources.length < 2 ? (
            <Nothing title="There is nothing to compare yet">
              <p>Two checkpoints with rollouts of the same problems are needed; this run has {about.sources.length}.</p>
            </Nothing>
          ) : (
            <Compare run={run} about={about} />
          )
        }
      </Answered>
    </div>
  );
}

function usualPair(sources: readonly Source[]): [Source, Source] {
  const evaluated = sources.filter(({ kind }) => kind === "evaluation");
  const among = evaluated.length >= 2 ? evaluated : sources;
  const first = among.find(({ role }) => role === "sft") ?? among[0];
  const second = among.findLast(({ id }) => id !== first.id)!;
  return [first, second];
}

function Compare({ run, about }: { readonly run: string; readonly about: RunReply }) {
  const [query, change] = useQuery();
  const { sources } = about;
  const [usualFirst, usualSecond] = usualPair(sources);
  const first = sources.find(({ id }) => id === query.first) ?? usualFirst;
  const second =
    sources.find(({ id }) => id === query.second) ?? (usualSecond.id === first.id ? usualFirst : usualSecond);
  const choices = [...sourceNames(sources)].map(([id, name]) => ({ value: id, name: oneLine(name) }));
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="first"
          value={first.id}
          options={choices}
          onChange={(id) => change({ first: id, firstRow: undefined })}
        />
        <Choice
          label="second"
          value={second.id}
          options={choices}
          onChange={(id) => change({ second: id, secondRow: undefined })}
        />
        {query.problem !== undefined && (
          <span className="field">
            <span>problem</span>
            <span>
              <Link to={addressOf.problem(run, query.problem)}>
                <Name>{query.problem}</Name>
              </Link>{" "}
              <button
                type="button"
                className="plain"
                onClick={() => change({ problem: undefined, firstRow: undefined, secondRow: undefined })}
                aria-label="Another problem"
              >
                ×
              </button>
            </span>
          </span>
        )}
      </form>
      {query.problem === undefined ? (
        <PairChoice run={run} first={first} second={second} inks={inksOf(sources)} />
      ) : (
        <ProblemCompare
          key={query.problem}
          run={run}
          problem={query.problem}
          first={first}
          second={second}
          about={about}
        />
      )}
    </>
  );
}

const pairWords: Readonly<Record<PairEntry["kind"], string>> = {
  depth: "Both solve it, from the same opening; how deep each goes is typical of its checkpoint",
  recovery: "Only the second solves it, by recovering",
};

/** Without a problem: pairs that are worth reading. */
function PairChoice({
  run,
  first,
  second,
  inks,
}: {
  readonly run: string;
  readonly first: Source;
  readonly second: Source;
  readonly inks: ReadonlyMap<string, string>;
}) {
  const [, change] = useQuery();
  const changes = useLiveCount((event) => event.type === "indexed" && event.run === run, 2000);
  const asked = useReply("pairs", { run, first: first.id, second: second.id }, changes);
  const reading = [first, second].some(({ indexed, rollouts }) => indexed < rollouts || rollouts === 0);
  const open = (pair: PairEntry) =>
    change(
      {
        problem: pair.problem,
        first: first.id,
        second: second.id,
        firstRow: pair.first.row,
        secondRow: pair.second.row,
      },
      "push",
    );
  return (
    <Answered asked={asked}>
      {({ pairs }) => (
        <>
          {(["depth", "recovery"] as const).map((kind) => {
            const own = pairs.filter((pair) => pair.kind === kind);
            return own.length === 0 ? null : (
              <section key={kind}>
                <h2>{pairWords[kind]}</h2>
                <ul className="pairs">
                  {own.map((pair) => (
                    <li key={`${pair.problem} ${pair.first.row} ${pair.second.row}`}>
                      <button type="button" className="link" onClick={() => open(pair)}>
                        <Name>{pair.problem}</Name>
                      </button>
                      <span className="pair-strips">
                        <span className={`swatch ink-${inks.get(first.id)}`} />
                        <SequenceStrip sequence={pair.first.sequence} />
                        <span className={`swatch ink-${inks.get(second.id)}`} />
                        <SequenceStrip sequence={pair.second.sequence} />
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
          {pairs.length === 0 && (
            <Nothing title={reading ? "Still reading …" : "No pair stands out"}>
              <p>
                Pairs worth reading side by side need problems that both checkpoints tried. Choose any problem from{" "}
                <Link to={addressOf.problems(run, { first: first.id, second: second.id })}>the list</Link>.
              </p>
            </Nothing>
          )}
          {pairs.length > 0 && (
            <p>
              Or choose from{" "}
              <Link to={addressOf.problems(run, { first: first.id, second: second.id })}>all problems</Link>.
            </p>
          )}
        </>
      )}
    </Answered>
  );
}

type Side = "first" | "second";

function ProblemCompare({
  run,
  problem,
  first,
  second,
  about,
}: {
  readonly run: string;
  readonly problem: string;
  readonly first: Source;
  readonly second: Source;
  readonly about: RunReply;
}) {
  const asked = useReply("problem", { run, problem });
  return (
    <Answered asked={asked}>
      {(reply) => <SideBySide run={run} reply={reply} sources={{ first, second }} about={about} />}
    </Answered>
  );
}

function SideBySide({
  run,
  reply,
  sources,
  about,
}: {
  readonly run: string;
  readonly reply: ProblemReply;
  readonly sources: Readonly<Record<Side, Source>>;
  readonly about: RunReply;
}) {
  const [query, change] = useQuery();
  const inks = inksOf(about.sources);
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
    <div className="compare">
      <div className="compare-strips">
        {(["first", "second"] as const).map((side) => (
          <div key={side} className="compare-strip">
            <CheckpointName name={sources[side].name} ink={inks.get(sources[side].id) ?? "muted"} />
            <Minimap
              blocks={blocks[side]}
              scale={{ of: "spans", length: spanCount }}
              at={at[side]}
              onGo={(block) => scrollToBlock(scrollers[side].current, block)}
              name={`${side === "first" ? "First" : "Second"} trace, ${oneLine(sources[side].name)}`}
            />
          </div>
        ))}
        <label className="check">
          <input type="checkbox" checked={together} onChange={(event) => setTogether(event.target.checked)} />
          <span>scroll together, span by span</span>
        </label>
      </div>
      {(["first", "second"] as const).map((side) => {
        const rows = rowsOf(side);
        const trace = traces[side];
        return (
          <section
            key={side}
            className="compare-side"
            aria-label={`${side === "first" ? "First" : "Second"}: ${oneLine(sources[side].name)}`}
          >
            <div className="compare-head">
              <CheckpointName name={sources[side].name} ink={inks.get(sources[side].id) ?? "muted"} />
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
            {rows.length === 0 ? (
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
                  blocks={blocks[side]}
                  scroller={scrollers[side]}
                  name={`Text of the ${side} trace`}
                  onMove={side === "first" ? onMoveFirst : onMoveSecond}
                />
                {problem.kind === "puzzle" && (
                  <details className="compare-board">
                    <summary>
                      Board <VerdictMark of={trace.rollout.verdict} />
                    </summary>
                    <ProblemBoard puzzle={problem.puzzle} instance={problem.instance} answer={trace.answer?.text} />
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
  const asked = useReply("trace", row === undefined ? undefined : { run, source: row.source, row: row.row });
  return asked.stale ? undefined : asked.reply;
}

const noBlocks: readonly Block[] = [];

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
