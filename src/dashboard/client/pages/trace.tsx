// One trace to read: its text with labels, the strip to move along, the board, the reward, what else is known.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { TraceReply } from "../../api.ts";
import { readAddress } from "../address.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { ask } from "../data/source.ts";
import { useReply } from "../data/use-reply.ts";
import { useKeys } from "../keys.ts";
import { useLabels } from "../labels.tsx";
import { goTo, Link, useQuery } from "../navigation.tsx";
import { wholeNumber } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { ProblemName } from "../parts/marks.tsx";
import { ProblemBoard } from "../parts/problem-board.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered, Nothing, Waiting } from "../parts/states.tsx";
import { filterValues, motifLabels, motifOfText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { blocksOf, occurrences } from "../trace/blocks.ts";
import { GradeLine, LabelSource, PrimitiveCounts, RewardParts, TraceFacts, TraceForks } from "../trace/facts.tsx";
import { Minimap } from "../trace/minimap.tsx";
import { NoteEditor } from "../trace/note-editor.tsx";
import { Reader, scrollToBlock, topBlock } from "../trace/reader.tsx";

export function TracePage({ source, row }: { readonly source: string; readonly row: number }) {
  const { run, reading, version } = useShownRun();
  // While the server reads, a trace may be missing or not graded yet; once it has read everything, it is asked once more.
  const asked = useReply("trace", { run, source, row }, { version: reading ? version : -1 });
  const notYet = asked.failure?.status === 404 && reading;
  return (
    <div className="page page-full">
      <TraceHead source={source} trace={asked.reply} />
      {notYet ? (
        <Waiting>The server is still reading this run …</Waiting>
      ) : (
        <Answered asked={asked}>{(trace) => <TraceBody key={`${source} ${row}`} trace={trace} />}</Answered>
      )}
    </div>
  );
}

/** The trace before or after this one in the list that it was opened from. */
function useNeighbors(): { readonly at?: number; readonly step: (by: 1 | -1) => void } {
  const { run } = useShownRun();
  const [query] = useQuery();
  const labels = useLabels();
  const at = query.list === undefined ? undefined : Number(query.at ?? 0);
  const step = async (by: 1 | -1) => {
    if (at === undefined || at + by < 0) return;
    const filter = filterValues(run, readAddress(`/?${query.list}`).query, labels);
    const { rows } = await ask("rollouts", { ...filter, offset: at + by, limit: 1 });
    if (rows.length > 0) goTo(addressOf.trace(run, rows[0], { list: query.list, at: at + by }), "replace");
  };
  return { at, step };
}

function TraceHead({ source, trace }: { readonly source: string; readonly trace?: TraceReply }) {
  const { run } = useShownRun();
  const [query] = useQuery();
  const { at, step } = useNeighbors();
  const list = query.list === undefined ? {} : { ...readAddress(`/?${query.list}`).query, at };
  useKeys("Trace", [
    { keys: ["n"], about: "next trace of the list", run: () => step(1) },
    { keys: ["p"], about: "previous trace of the list", run: () => step(-1) },
    { keys: ["u"], about: "back to the list", run: () => goTo(addressOf.rollouts(run, list)) },
  ]);
  return (
    <header className="row baseline trace-head">
      <Link to={addressOf.rollouts(run, list)} className="up">
        Rollouts
      </Link>
      <h1>
        {trace === undefined ? (
          "Trace"
        ) : (
          <Link to={addressOf.problem(run, trace.rollout.problem)}>
            <ProblemName problem={trace.rollout.problem} asked={trace.rollout.asked} />
          </Link>
        )}
      </h1>
      {trace !== undefined && <span className="quiet">#{trace.rollout.attempt}</span>}
      <Checkpoint of={source} />
      {at !== undefined && (
        <span className="inline aside">
          <button type="button" onClick={() => step(-1)} disabled={at === 0} aria-label="Previous trace of the list">
            ←
          </button>
          <span className="quiet">{wholeNumber(at + 1)}</span>
          <button type="button" onClick={() => step(1)} aria-label="Next trace of the list">
            →
          </button>
        </span>
      )}
    </header>
  );
}

function TraceBody({ trace }: { readonly trace: TraceReply }) {
  const { run } = useShownRun();
  const [query, change] = useQuery();
  const labels = useLabels();
  const { recover } = labels.taxonomy;
  const blocks = useMemo(() => blocksOf(trace.text, trace.spans), [trace]);
  const scroller = useRef<HTMLElement>(null);
  const [at, setAt] = useState(0);
  const go = useCallback((block: number) => scrollToBlock(scroller.current, block), []);
  const blockOfSpan = useCallback((span: number) => blocks.findIndex((block) => block.span === span), [blocks]);

  const { text: find, motif } = readAddress(`/?${query.list ?? ""}`).query;
  // The span that the address names; else every occurrence of the motif that was asked for.
  const marked = useMemo((): ReadonlySet<number> => {
    if (query.span !== undefined) return new Set([Number(query.span)]);
    return new Set(motif ? occurrences(trace.spans, motifLabels(motifOfText(motif, labels), labels)) : []);
  }, [query.span, motif, trace, labels]);
  useEffect(() => {
    const [first] = marked;
    if (first !== undefined) go(Math.max(0, blockOfSpan(first)));
  }, [marked, go, blockOfSpan]);

  const spans = blocks.filter(({ label }) => label !== undefined);
  const here = () => (scroller.current === null ? 0 : topBlock(scroller.current));
  const next = (wanted: (block: (typeof spans)[number]) => boolean) => {
    const target = spans.find((block) => block.index > here() && wanted(block)) ?? spans.find(wanted);
    if (target !== undefined) go(target.index);
  };
  useKeys("Text of the trace", [
    { keys: ["j"], about: "next span", run: () => next(() => true) },
    {
      keys: ["k"],
      about: "previous span",
      run: () => go(spans.findLast(({ index }) => index < here())?.index ?? 0),
    },
    {
      keys: ["r"],
      about: `next recovery move (${recover.join(" or ")})`,
      run: () => next(({ label }) => recover.includes(label!)),
    },
    {
      keys: ["s"],
      about: "put the span in view into the address, to share it",
      run: () => change({ span: spans.find(({ index }) => index >= here())?.span }),
    },
    { keys: ["c"], about: "compare with another checkpoint", run: () => goTo(compareAddress(run, trace)) },
  ]);

  const { problem } = trace;
  const prompt = trace.prompt ?? problem.prompt;
  return (
    <div className="columns trace">
      <div className="trace-main">
        <Minimap
          blocks={blocks}
          scale={{ of: "characters", length: trace.text.length }}
          at={at}
          onGo={go}
          name="The whole trace; arrow keys go from span to span"
          nll={trace.tokenNll}
        />
        {trace.unavailable !== undefined ? (
          <Nothing title="There is no text">
            <p>{visibleText(trace.unavailable)}</p>
            <p>
              <SequenceStrip sequence={trace.rollout.sequence} spans={trace.rollout.spans} />
            </p>
          </Nothing>
        ) : (
          <Reader
            blocks={blocks}
            scroller={scroller}
            name="Text of the trace"
            onMove={setAt}
            marked={marked}
            find={find}
          />
        )}
      </div>
      <aside className="trace-aside" aria-label="About this trace">
        <GradeLine trace={trace} />
        {problem.kind === "puzzle" && (
          <ProblemBoard
            problem={problem.id}
            puzzle={problem.puzzle}
            instance={problem.instance}
            answer={trace.answer?.text}
            said={trace.grade?.because}
          />
        )}
        {"answer" in problem && problem.answer !== undefined && (
          <p>
            Right answer: <code>{visibleText(problem.answer)}</code>
          </p>
        )}
        <NoteEditor trace={trace} />
        {trace.grade !== undefined && <RewardParts reward={trace.grade.reward} />}
        <PrimitiveCounts spans={trace.spans} />
        <TraceForks trace={trace} run={run} span={query.span} onSpan={(span) => change({ span })} />
        <LabelSource trace={trace} />
        <TraceFacts trace={trace} />
        {prompt !== undefined && (
          <details open={trace.rollout.asked !== undefined}>
            <summary>Prompt</summary>
            <Verbatim name="Prompt" text={prompt} />
          </details>
        )}
        <p>
          <Link to={compareAddress(run, trace)}>Compare with another checkpoint</Link>
        </p>
      </aside>
    </div>
  );
}

const compareAddress = (run: string, { rollout }: TraceReply) =>
  addressOf.compare(run, { problem: rollout.problem, first: rollout.source, firstRow: rollout.row });
