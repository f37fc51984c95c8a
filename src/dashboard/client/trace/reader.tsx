// A trace to read: its text with every span's label beside it. Blocks far from view are not laid out, so that the
// longest traces open at once and the browser's own search still finds everything.
import { memo, type ReactNode, type RefObject, useDeferredValue, useEffect, useMemo } from "react";
import { openings, terseMeaning } from "../../../teaching/terse-language.ts";
import { useLabels } from "../labels.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { type Block, guessedLines } from "./blocks.ts";

const lineHeight = 21;
/** Labels of which the classifier is less sure than this carry a question mark. */
const doubtful = 0.5;
/** What a screen can show at once, and some more: drawn first, the rest as soon as that is seen. */
const drawnFirst = 120;

type ReaderProps = {
  readonly blocks: readonly Block[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly name: string;
  /** The block that stands at the top of the view, told after scrolling; at first it is the first one. */
  readonly onMove?: (block: number) => void;
  /** Numbers of spans to mark. */
  readonly marked: ReadonlySet<number>;
  /** Words to mark wherever they occur. */
  readonly find?: string;
};

export function Reader({ blocks, scroller, name, onMove, marked, find }: ReaderProps) {
  const shown = useDeferredValue(
    blocks,
    useMemo(() => blocks.slice(0, drawnFirst), [blocks]),
  );
  useEffect(() => {
    const frame = scroller.current;
    if (frame === null || onMove === undefined) return;
    let asked = 0;
    const tell = () => {
      asked = 0;
      onMove(topBlock(frame));
    };
    const onScroll = () => {
      if (asked === 0) asked = requestAnimationFrame(tell);
    };
    frame.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(asked);
      frame.removeEventListener("scroll", onScroll);
    };
  }, [scroller, onMove]);

  const charactersPerLine = useMemo(
    () => Math.max(30, Math.floor(((scroller.current?.clientWidth ?? 760) - 130) / 8)),
    [scroller],
  );
  return (
    <Scrolling className="reader" frame={scroller} name={name}>
      <ol className="blocks">
        {shown.map((block) => (
          <BlockText
            key={block.index}
            block={block}
            height={guessedLines(block.text, charactersPerLine) * lineHeight + 6}
            marked={block.span !== undefined && marked.has(block.span)}
            find={find}
          />
        ))}
      </ol>
    </Scrolling>
  );
}

/**
 * One element a block, because a trace may have thousands: its mark and its label are drawn by the style sheet, from
 * these attributes, which also keeps them out of what is copied.
 */
const BlockText = memo(function BlockText({
  block,
  height,
  marked,
  find,
}: {
  readonly block: Block;
  readonly height: number;
  readonly marked: boolean;
  readonly find?: string;
}) {
  const { label, confidence, text } = block;
  const { named } = useLabels();
  const style = { containIntrinsicSize: `auto ${height}px` };
  if (label === undefined)
    return (
      <li className="block unlabeled" style={style}>
        {found(text, find)}
      </li>
    );
  const unsure = confidence !== undefined && confidence < doubtful;
  const look = named(label);
  const deep = look?.deep ? " deep" : "";
  return (
    <li
      className={`block ink-${look?.ink ?? "grid"}${deep}${marked ? " marked" : ""}`}
      data-label={unsure ? `${label}?` : label}
      data-letter={look?.letter ?? "?"}
      // Only a line of the terse language opens with its label's own word.
      title={
        text.trimStart().startsWith(`${openings[label as keyof typeof openings]} `) ? terseMeaning(text) : undefined
      }
      style={style}
    >
      {found(text, find)}
    </li>
  );
});

/** The text with every occurrence of some words marked, letter case aside. */
function found(text: string, find: string | undefined): ReactNode {
  if (find === undefined || find.length < 2) return text;
  const [lower, wanted] = [text.toLowerCase(), find.toLowerCase()];
  // A few characters change length with case; then positions would lie.
  if (lower.length !== text.length) return text;
  const pieces: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(from)];
}

const listOf = (frame: HTMLElement) => frame.firstElementChild as HTMLOListElement;

/** Blocks are in order from top to bottom, so the one in view is found by halving. */
export function topBlock(frame: HTMLElement): number {
  const items = listOf(frame).children;
  const top = frame.scrollTop + 8;
  let [low, high] = [0, items.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((items[middle] as HTMLElement).offsetTop <= top) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** How many frames to wait for a block that is still being drawn. */
const patience = 120;

export function scrollToBlock(frame: HTMLElement | null, block: number, waited = 0): void {
  if (frame === null) return;
  const item = listOf(frame).children[block] as HTMLElement | undefined;
  if (item === undefined) {
    if (waited < patience) requestAnimationFrame(() => scrollToBlock(frame, block, waited + 1));
    return;
  }
  // What stands above the first block belongs to it.
  if (block === 0) {
    frame.scrollTop = 0;
    return;
  }
  frame.scrollTop = item.offsetTop;
  // Blocks that come into view get their true height, which moves the others: once more, with what is now known.
  requestAnimationFrame(() => {
    frame.scrollTop = item.offsetTop;
  });
}
