// The rollouts of a run, however many: searched, filtered, sorted, walked through with the keyboard.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { RolloutRow, RunReply } from "../../api.ts";
import { writeAddress } from "../address.ts";
import { inPage, linesFromLab } from "../data/labs.ts";
import { queryText, type Values } from "../data/question.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { askAhead, useReply } from "../data/use-reply.ts";
import { useRollouts } from "../data/use-rollouts.ts";
import { useListKeys } from "../keys.ts";
import { labelsOf } from "../label-looks.ts";
import { goTo, Link, useQuery } from "../navigation.tsx";
import { bytesText, compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { focusSearch } from "../parts/fields.tsx";
import { ProblemName, VerdictMark } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { SortButton, useSorting } from "../parts/sorting.tsx";
import { Answered, Failure, Nothing, Waiting } from "../parts/states.tsx";
import { filterOnly, filterValues, isFiltered, noFilter } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { useMedia } from "../use-media.ts";
import { RolloutFilters } from "./rollout-filters.tsx";

function Download({ asked }: { readonly asked: Values }) {
  const query = queryText(asked);
  const words = "Download as JSON lines";
  if (!inPage)
    return (
      <a className="download" href={`/api/download?${query}`} download="rollouts.jsonl">
        {words}
      </a>
    );
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await linesFromLab(query));
    link.download = "rollouts.jsonl";
    link.click();
    // The browser has begun by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <button type="button" className="plain download" onClick={save}>
      {words}
    </button>
  );
}

/** One line of cells, three where there is little room, and one more for what a search found. */
const rowHeight = (roomy: boolean, excerpt: boolean): number => (roomy ? 30 : 70) + (excerpt ? 22 : 0);

export function RolloutsPage() {
  const { asked } = useShownRun();
  return (
    <div className="page page-wide">
      <h1>Rollouts</h1>
      <Answered asked={asked}>
        {(about) =>
          about.sources.length === 0 ? (
            <Nothing title="No rollouts yet">
              <p>They appear here as soon as the run writes the first ones.</p>
            </Nothing>
          ) : (
            <Rollouts about={about} />
          )
        }
      </Answered>
    </div>
  );
}

function Rollouts({ about }: { readonly about: RunReply }) {
  const { run, version } = useShownRun();
  const [query, change] = useQuery();
  const asked = filterValues(run, query, labelsOf(about.taxonomy));
  const list = useRollouts(asked, version);
  // What was answered before is no answer to a question that was refused.
  const known = list.failure?.status === 400 ? undefined : list.about;
  const notes = useReply("notes", { run }, { version }).reply?.notes ?? [];
  const matching = known?.matching ?? 0;
  const searching = (query.text ?? "").length >= 2;
  const roomy = useMedia("(min-width: 901px)");
  // Where there is little room the heads have two lines.
  const headHeight = roomy ? 26 : 52;

  const frame = useRef<HTMLElement>(null);
  const [selected, setSelected] = useState(Number(query.at ?? 0) || 0);
  const focusWanted = useRef(false);
  const rows = useVirtualizer({
    count: matching,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight(roomy, searching),
    // The column heads stay on top of the rows.
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change only with the kind of row
  useEffect(() => rows.measure(), [searching, roomy]);

  // Back from a trace: the list stands where it was left.
  const restored = useRef(false);
  useEffect(() => {
    if (restored.current || matching === 0) return;
    restored.current = true;
    if (selected > 0) rows.scrollToIndex(Math.min(selected, matching - 1), { align: "center" });
  }, [matching, rows, selected]);

  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { need } = list;
  useEffect(() => need(first, last), [need, first, last]);

  const current = Math.max(0, Math.min(selected, matching - 1));
  useEffect(() => {
    if (!focusWanted.current) return;
    const link = frame.current?.querySelector<HTMLElement>(`[data-index="${current}"] a`);
    if (link === undefined || link === null) return;
    focusWanted.current = false;
    link.focus({ preventScroll: true });
  });
  // Whoever rests on a rollout is likely to open it.
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const fetchAhead = (index: number) => {
    const row = list.rowAt(index);
    if (row !== undefined) askAhead("trace", { run, source: row.source, row: row.row });
  };
  const restOn = (index: number) => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => fetchAhead(index), 120);
  };
  useEffect(() => () => clearTimeout(resting.current), []);
  const move = (next: number) => {
    focusWanted.current = true;
    setSelected(next);
    restOn(next);
    rows.scrollToIndex(next);
  };
  const traceAddress = (row: RolloutRow, index: number) =>
    addressOf.trace(run, row, { list: writeAddress([], filterOnly(query)).slice(2), at: index });
  const open = (index: number) => {
    const row = list.rowAt(index);
    if (row === undefined) return;
    change({ at: index });
    goTo(traceAddress(row, index));
  };
  useListKeys("Rollouts", "rollout", { length: matching, current, move, open }, [
    { keys: ["/"], about: "search", run: focusSearch },
    { keys: ["x"], about: "clear all filters", run: () => change(noFilter) },
  ]);

  return (
    <div className="columns rollouts">
      <RolloutFilters
        query={query}
        onChange={(part) => change({ ...part, at: undefined })}
        facets={known?.facets}
        sources={about.sources}
        notes={notes}
      />
      <div className="rollout-list">
        <Failure asked={{ stale: false, failure: list.failure, again: list.again }} />
        {matching > 0 && <Download asked={asked} />}
        <p className="count" role="status" aria-live="polite">
          {known === undefined ? (
            list.failure === undefined && "Reading …"
          ) : (
            <>
              <b>{wholeNumber(matching)}</b> of {counted(known.total, "rollout")}
              {known.indexed < known.total && (
                <span className="quiet"> · {percent(known.indexed / known.total)} read so far</span>
              )}
              {known.search !== undefined && !known.search.complete && (
                <span className="quiet">
                  {" "}
                  · searched {wholeNumber(known.search.searched)} of {wholeNumber(known.search.of)} …
                </span>
              )}
            </>
          )}
        </p>
        <Scrolling className={list.stale ? "virtual stale" : "virtual"} frame={frame} name="Rollouts">
          <RolloutHeads />
          <ul className="rows" style={{ height: rows.getTotalSize() - headHeight }}>
            {items.map(({ index, start, size }) => {
              const row = list.rowAt(index);
              return (
                <li
                  key={index}
                  data-index={index}
                  aria-setsize={matching}
                  aria-posinset={index + 1}
                  className={index === current ? "selected" : undefined}
                  style={{ transform: `translateY(${start - headHeight}px)`, height: size }}
                >
                  {row === undefined ? (
                    <span className="row-waiting">…</span>
                  ) : (
                    <Link
                      to={traceAddress(row, index)}
                      className="rollout-row"
                      onPointerEnter={() => restOn(index)}
                      onPointerDown={() => fetchAhead(index)}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                        event.preventDefault();
                        setSelected(index);
                        open(index);
                      }}
                    >
                      <RolloutCells row={row} />
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
          {known !== undefined && matching === 0 && !list.stale && (
            <Nothing title={isFiltered(query) ? "No rollout matches" : "No rollouts yet"}>
              {isFiltered(query) && (
                <button type="button" onClick={() => change(noFilter)}>
                  Clear the filters
                </button>
              )}
            </Nothing>
          )}
          {list.about === undefined && list.failure === undefined && <Waiting />}
        </Scrolling>
      </div>
    </div>
  );
}

const heads = [
  ["verdict", "verdict"],
  ["checkpoint", "source"],
  ["problem", "problem"],
  ["step", "step"],
  ["tokens", "tokens"],
  ["reward", "reward"],
  ["depth", "depth"],
  ["primitives", "spans"],
] as const;
const words: readonly string[] = ["verdict", "source", "problem"];

function RolloutHeads() {
  const sorting = useSorting();
  return (
    <div className="rollout-head">
      {heads.map(([name, key]) => (
        <span key={key} className={words.includes(key) || key === "spans" ? undefined : "number"}>
          <SortButton column={key} as={words.includes(key) ? "words" : "numbers"} sorting={sorting}>
            {name}
          </SortButton>
        </span>
      ))}
    </div>
  );
}

/** Where a cell stands on a narrow screen, where a row has three lines. */
const placed = (area: string): CSSProperties => ({ ["--area" as string]: area });

/** Spaces at the ends stay: what is found stands between two pieces. */
const inOneLine = (text: string) => visibleText(text).replace(/\s+/g, " ");

function RolloutCells({ row }: { readonly row: RolloutRow }) {
  return (
    <>
      <span style={placed("verdict")}>
        <VerdictMark of={row.verdict} />
        {row.state !== "complete" && <span className="row-state">{row.state}</span>}
      </span>
      <span style={placed("source")}>
        <Checkpoint of={row.source} />
      </span>
      <span className="row-problem" style={placed("problem")}>
        {row.note?.bookmarked && <span title="bookmarked">★ </span>}
        {row.note?.text && <span title={visibleText(row.note.text.slice(0, 300))}>✎ </span>}
        <ProblemName problem={row.problem} asked={row.asked} /> <span className="quiet">#{row.attempt}</span>
        {row.note?.tags.map((tag) => (
          <bdi key={tag} className="tag">
            {oneLine(tag)}
          </bdi>
        ))}
      </span>
      <span className="number" data-name="step" style={placed("step")}>
        {row.step ?? ""}
      </span>
      <span className="number" style={placed("tokens")}>
        {row.tokens === undefined ? bytesText(row.bytes) : wholeNumber(row.tokens)}
      </span>
      <span className="number" data-name="reward" style={placed("reward")}>
        {row.reward === undefined ? "" : compactNumber(row.reward)}
      </span>
      <span className="number" data-name="depth" style={placed("depth")}>
        {row.depth ?? ""}
      </span>
      <span style={placed("strip")}>
        <SequenceStrip sequence={row.sequence} spans={row.spans} />
      </span>
      {row.excerpt !== undefined && (
        <span className="excerpt">
          {inOneLine(row.excerpt.before)}
          <mark>{inOneLine(row.excerpt.match)}</mark>
          {inOneLine(row.excerpt.after)}
        </span>
      )}
    </>
  );
}
