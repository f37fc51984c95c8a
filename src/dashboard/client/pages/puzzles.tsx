// The four puzzles to play: make a board or paste one, fill it in, let the real verifier judge it, see what a model sees.
import { useEffect, useMemo, useState } from "react";
import { catalog, puzzleOfId } from "../../../puzzles/catalog.ts";
import { puzzlePrompt } from "../../../puzzles/prompt.ts";
import { type AnyPuzzle, type Cell, type PuzzleName, puzzleNames } from "../../../puzzles/puzzle.ts";
import { visibleText } from "../../../report/safe-text.ts";
import { useKeys } from "../keys.ts";
import { useQuery } from "../navigation.tsx";
import { counted } from "../number-text.ts";
import { Check, Choice, TextField } from "../parts/fields.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { Waiting } from "../parts/states.tsx";
import { PlayBoard } from "../play/board.tsx";
import { type Cells, mistakes } from "../play/cells.ts";
import { cellsOfBoard, playingOf } from "../play/playing.ts";
import { workOn } from "../play/puzzle-desk.ts";
import type { PuzzleAnswer, PuzzleTask } from "../play/puzzle-tasks.ts";
import { readPuzzle } from "../puzzle-reading.ts";

const usualSizes: Readonly<Record<PuzzleName, string>> = {
  bridges: "7x7",
  galaxies: "7x7",
  pattern: "10x10",
  undead: "5x5",
};

/** The answer to a task, once it is there; a new task abandons the one before. */
function useWork(task: PuzzleTask | undefined): PuzzleAnswer | undefined {
  const text = JSON.stringify(task);
  const [done, setDone] = useState<{ readonly text: string; readonly answer: PuzzleAnswer }>();
  useEffect(() => {
    if (text === undefined) return;
    const cancel = new AbortController();
    workOn(JSON.parse(text), cancel.signal).then((answer) => {
      if (!cancel.signal.aborted) setDone({ text, answer });
    });
    return () => cancel.abort();
  }, [text]);
  return done?.text === text ? done?.answer : undefined;
}

export function PuzzlesPage() {
  const [query, change] = useQuery();
  const name = puzzleNames.find((candidate) => candidate === query.puzzle) ?? "bridges";
  const puzzle = catalog[name];
  const size = query.size ?? usualSizes[name];
  const difficulty = puzzle.difficulties.find((candidate) => candidate === query.difficulty);
  const seed = query.seed ?? "1";
  const made = useWork(query.id === undefined ? { task: "generate", puzzle: name, size, difficulty, seed } : undefined);
  const id = query.id ?? (made?.task === "generate" ? made.id : undefined);
  const [pasted, setPasted] = useState<string>();

  const paste = (text: string) => {
    const trimmed = text.trim();
    setPasted(undefined);
    if (trimmed === "") return change({ id: undefined });
    // An id that only one puzzle can read says which; where two could, the chosen one is meant.
    if (!("unreadable" in readPuzzle(name, trimmed))) return change({ id: trimmed });
    try {
      change({ puzzle: puzzleOfId(trimmed).name, id: trimmed });
    } catch (error) {
      setPasted(error instanceof Error ? error.message : String(error));
    }
  };
  const another = () => change({ id: undefined, seed: String((Number.parseInt(seed, 10) || 0) + 1) });
  useKeys("Puzzles", [{ keys: ["N"], about: "another board", run: another }]);

  return (
    <div className="page">
      <h1>Puzzles</h1>
      <ul className="puzzle-tabs">
        {puzzleNames.map((other) => (
          <li key={other}>
            <button
              type="button"
              aria-pressed={other === name}
              onClick={() => change({ puzzle: other, id: undefined, size: undefined, difficulty: undefined })}
            >
              {catalog[other].title}
            </button>
          </li>
        ))}
      </ul>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="size"
          type="text"
          value={size}
          onChange={(next) => change({ size: next.trim(), id: undefined })}
          pause={700}
        />
        <Choice
          label="difficulty"
          value={difficulty ?? ""}
          options={[{ value: "", name: "any" }, ...puzzle.difficulties.map((value) => ({ value, name: value }))]}
          onChange={(next) => change({ difficulty: next, id: undefined })}
        />
        <TextField
          label="seed"
          type="text"
          value={seed}
          onChange={(next) => change({ seed: next, id: undefined })}
          pause={700}
        />
        <button type="button" onClick={another}>
          Another board
        </button>
        <TextField
          label="or an id"
          type="text"
          value={query.id ?? ""}
          onChange={paste}
          placeholder="7x7m2:…"
          pause={700}
        />
      </form>
      {pasted !== undefined && (
        <p className="failure" role="alert">
          {visibleText(pasted)}
        </p>
      )}
      {made?.task === "failed" && (
        <p className="failure" role="alert">
          {visibleText(made.because)}
        </p>
      )}
      {id === undefined ? (
        made === undefined && <Waiting>Making a board …</Waiting>
      ) : (
        <Played key={`${name} ${id}`} puzzle={puzzle} id={id} />
      )}
    </div>
  );
}

function Played({ puzzle, id }: { readonly puzzle: AnyPuzzle; readonly id: string }) {
  const read = useMemo(() => readPuzzle(puzzle.name, id), [puzzle, id]);
  if ("unreadable" in read)
    return (
      <p className="failure" role="alert">
        {visibleText(read.unreadable)}
      </p>
    );
  return <Game puzzle={puzzle} instance={read.instance} id={id} />;
}

function Game({
  puzzle,
  instance,
  id,
}: {
  readonly puzzle: AnyPuzzle;
  readonly instance: unknown;
  readonly id: string;
}) {
  const playing = playingOf(puzzle);
  const start = useMemo(() => playing.start(instance), [playing, instance]);
  const [history, setHistory] = useState<readonly Cells[]>([start]);
  const cells = history[history.length - 1];
  const [marking, setMarking] = useState(false);
  const [checked, setChecked] = useState<readonly number[]>();
  const [typed, setTyped] = useState<{ readonly text: string; readonly says?: string }>();
  const solved = useWork({ task: "solve", puzzle: puzzle.name, id });
  const solution = useMemo(() => {
    if (solved?.task !== "solve" || solved.answer === undefined) return undefined;
    const board = puzzle.readAnswer(instance, solved.answer);
    return "board" in board ? cellsOfBoard(puzzle, instance, board.board) : undefined;
  }, [solved, puzzle, instance]);

  const judgement = puzzle.judge(instance, (playing.handedIn ?? playing.board)(instance, cells));
  const unfinished = playing.unfinished?.(instance, cells);
  const complete = playing.complete(instance, cells);
  const { width } = puzzle.size(instance);
  const cellAt = (cell: number): Cell => ({ row: Math.floor(cell / width), column: cell % width });
  const wrong: readonly Cell[] =
    checked !== undefined ? checked.map(cellAt) : !judgement.correct && (marking || complete) ? judgement.cells : [];

  const set = (next: Cells) => {
    if (next === cells) return;
    setHistory((before) => [...before.slice(-200), next]);
    setChecked(undefined);
    setTyped(undefined);
  };
  const undo = () => {
    setHistory((before) => (before.length > 1 ? before.slice(0, -1) : before));
    setChecked(undefined);
    setTyped(undefined);
  };
  /** Mends the first mistake, or fills the first cell that is still open. */
  const hint = () => {
    if (solution === undefined) return;
    const wrongNow = mistakes(cells, start, solution);
    const cell = wrongNow[0] ?? cells.findIndex((symbol, at) => symbol !== solution[at]);
    if (cell < 0) return;
    set(hinted(puzzle, playing, instance, cells, solution, cell));
  };
  const readTyped = (text: string) => {
    const answer = puzzle.readAnswer(instance, text);
    if ("unreadable" in answer) return setTyped({ text, says: answer.unreadable });
    set(cellsOfBoard(puzzle, instance, answer.board));
    setTyped({ text });
  };
  useKeys("Board", [
    { keys: ["Z"], about: "undo", run: undo },
    { keys: ["H"], about: "hint", run: hint },
  ]);

  return (
    <div className="game">
      <div>
        <PlayBoard puzzle={puzzle} instance={instance} playing={playing} cells={cells} wrong={wrong} onChange={set} />
        <p className="how quiet">{playing.how}</p>
      </div>
      <div className="game-side">
        <p className={judgement.correct ? "judgement gain" : "judgement"} role="status">
          {judgement.correct ? (
            <>
              <span aria-hidden="true">✓</span> Solved: every rule is kept.
            </>
          ) : (
            <>
              <b>{complete ? "Wrong" : "Handed in now"}</b>: {visibleText(unfinished ?? judgement.because)}
            </>
          )}
        </p>
        <div className="buttons">
          <button type="button" onClick={undo} disabled={history.length < 2}>
            Undo
          </button>
          <button type="button" onClick={hint} disabled={solution === undefined || judgement.correct}>
            Hint
          </button>
          <button
            type="button"
            onClick={() => solution && setChecked(mistakes(cells, start, solution))}
            disabled={solution === undefined}
          >
            Check
          </button>
          <button type="button" onClick={() => solution && set(solution)} disabled={solution === undefined}>
            Solve
          </button>
          <button type="button" onClick={() => set(start)}>
            Clear
          </button>
        </div>
        <Check checked={marking} onChange={setMarking}>
          mark broken rules at every move
        </Check>
        {checked !== undefined && (
          <p role="status">
            {checked.length === 0
              ? "No mistake so far."
              : `${counted(checked.length, "cell differs", "cells differ")} from the solution.`}
          </p>
        )}
        <p className="quiet">{solverWords(solved)}</p>
        <p className="quiet">
          <code className="id">{visibleText(id)}</code>
        </p>
        <details open>
          <summary>The answer as a model writes it</summary>
          <label className="for-readers" htmlFor="answer-text">
            Answer text; edit or paste to read another
          </label>
          <textarea
            id="answer-text"
            rows={Math.min(14, puzzle.size(instance).height + 1)}
            spellCheck={false}
            value={typed?.text ?? answerText(puzzle, instance, cells)}
            onChange={(event) => readTyped(event.target.value)}
          />
          {typed?.says !== undefined && <p className="loss">Cannot be read: {visibleText(typed.says)}</p>}
        </details>
        <details>
          <summary>The prompt a model gets</summary>
          <Verbatim name="Prompt" text={puzzlePrompt(puzzle, instance)} />
        </details>
      </div>
    </div>
  );
}

/** Cells that are not known yet stand as `?`, which no answer may hold. */
function answerText(puzzle: AnyPuzzle, instance: unknown, cells: Cells): string {
  return puzzle.renderAnswer(instance, playingOf(puzzle).board(instance, cells));
}

/** A bridge is longer than a cell: the solution's whole bridge is built; elsewhere it is the one cell. */
function hinted(
  puzzle: AnyPuzzle,
  playing: ReturnType<typeof playingOf>,
  instance: unknown,
  cells: Cells,
  solution: Cells,
  cell: number,
): Cells {
  if (puzzle.name !== "bridges") return cells.map((symbol, at) => (at === cell ? solution[at] : symbol));
  return playing.type(instance, cells, cell, solution[cell] === "." ? "Backspace" : solution[cell]) ?? cells;
}

function solverWords(solved: PuzzleAnswer | undefined): string {
  if (solved === undefined) return "The solver is at work …";
  if (solved.task !== "solve") return solved.task === "failed" ? visibleText(solved.because) : "";
  if (solved.status === "unique")
    return `One solution${solved.difficulty === undefined ? "" : `; difficulty: ${solved.difficulty}`}.`;
  if (solved.status === "multiple") return "Several solutions; hints lead to one of them.";
  return solved.status === "none" ? "There is no solution." : "The solver gave up: no hints.";
}
