// A board to fill in: the puzzle's own picture with a grid of buttons over it, one a cell.
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { cellSize, margin } from "../../../puzzles/picture.ts";
import { type Cells, unknown } from "../../../puzzles/playing.ts";
import type { AnyPuzzle, Cell } from "../../../puzzles/puzzle.ts";
import { BoardPicture } from "../parts/drawing.tsx";

type BoardProps = {
  readonly puzzle: AnyPuzzle;
  readonly instance: unknown;
  readonly cells: Cells;
  readonly wrong: readonly Cell[];
  readonly onChange: (cells: Cells) => void;
};

export function PlayBoard({ puzzle, instance, cells, wrong, onChange }: BoardProps) {
  const { playing } = puzzle;
  const { width, height } = puzzle.size(instance);
  const [brush, setBrush] = useState<string>();
  const [at, setAt] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const complete = playing.complete(instance, cells);
  // A region that is not painted yet must not look like one: until then the picture shows the givens, the buttons the paint.
  const paints = playing.brushAt !== undefined && !complete;
  const svg = paints
    ? puzzle.svg(instance, undefined, wrong)
    : puzzle.svg(instance, playing.board(instance, cells), wrong);
  const total = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!.slice(1).map(Number);
  // Clues stand above and to the left of the grid; some puzzles have more of them beyond it.
  const { cluesBeyond = 0 } = playing;
  const left = margin + total[0] - 2 * margin - (width + cluesBeyond) * cellSize;
  const top = margin + total[1] - 2 * margin - (height + cluesBeyond) * cellSize;

  const press = (cell: number, backwards: boolean) => {
    setAt(cell);
    const picked = playing.brushAt?.(instance, cell);
    if (picked !== undefined) setBrush(picked);
    else onChange(playing.press(instance, cells, cell, backwards, brush));
  };
  const onKey = (event: KeyboardEvent) => {
    const [row, column] = [Math.floor(at / width), at % width];
    const moves: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, width - 1],
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(height - 1, move[0])) * width + Math.max(0, Math.min(width - 1, move[1]));
      setAt(next);
      grid.current?.querySelectorAll<HTMLElement>("button")[next]?.focus();
      return;
    }
    const typed = playing.type(instance, cells, at, event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (typed === undefined) return;
    event.preventDefault();
    onChange(typed);
  };
  const labels = paints ? [...new Set(cells)].filter((label) => label !== unknown).sort() : [];
  const wrongCells = new Set(wrong.map(({ row, column }) => row * width + column));
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div
      className="play-board"
      style={{ maxWidth: Math.min(total[0] * 1.6, 660), aspectRatio: `${total[0]} / ${total[1]}` }}
    >
      <BoardPicture svg={svg} />
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of buttons over a picture is no table */}
      <div
        ref={grid}
        className="play-grid"
        role="grid"
        tabIndex={-1}
        aria-label={`${puzzle.title} board, ${width} by ${height}`}
        style={{
          left: share(left, total[0]),
          top: share(top, total[1]),
          width: share(width * cellSize, total[0]),
          height: share(height * cellSize, total[1]),
        }}
        onKeyDown={onKey}
      >
        {Array.from({ length: height }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows and cells are places and have no other name
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          // biome-ignore lint/a11y/useFocusableInteractive: its cells are
          <div key={row} role="row" className="play-row">
            {Array.from({ length: width }, (_, column) => {
              const cell = row * width + column;
              const label = paints && cells[cell] !== unknown ? cells[cell] : undefined;
              const painted = label !== undefined && {
                style: regionStyle(labels.indexOf(label), walls(cells, cell, width, height)),
              };
              return (
                // biome-ignore lint/a11y/useSemanticElements: see the grid
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: see the rows
                  key={column}
                  type="button"
                  role="gridcell"
                  tabIndex={cell === at ? 0 : -1}
                  className={`play-cell ${painted ? "tint" : ""} ${label !== undefined && label === brush ? "brushed" : ""}`}
                  {...painted}
                  aria-label={`row ${row + 1}, column ${column + 1}: ${playing.spoken(instance, cells, cell)}${wrongCells.has(cell) ? ", wrong" : ""}`}
                  onFocus={() => setAt(cell)}
                  onClick={() => press(cell, false)}
                  onContextMenu={(event: MouseEvent) => {
                    event.preventDefault();
                    press(cell, true);
                  }}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

const tints = ["at-sft", "at-teacher", "at-novelty", "is-hypothesize", "at-vanilla", "muted"];
const wall = "2px solid var(--board-answer)";

function regionStyle(region: number, [top, right, bottom, left]: readonly boolean[]): CSSProperties {
  return {
    ["--tint" as string]: `var(--${tints[region % tints.length]})`,
    ...(top && { borderTop: wall }),
    ...(right && { borderRight: wall }),
    ...(bottom && { borderBottom: wall }),
    ...(left && { borderLeft: wall }),
  };
}

/** Where a painted region ends: above, to the right, below, to the left. */
function walls(cells: Cells, cell: number, width: number, height: number): readonly boolean[] {
  const [row, column] = [Math.floor(cell / width), cell % width];
  const differs = (other: number) => cells[other] !== cells[cell];
  return [
    row > 0 && differs(cell - width),
    column < width - 1 && differs(cell + 1),
    row < height - 1 && differs(cell + width),
    column > 0 && differs(cell - 1),
  ];
}
