// One board being played: fill it, undo, ask for hints, and hear from the verifier after every move.
import { useMemo, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { type Cells, mistakes, withCell } from "../../../puzzles/playing.ts";
import { puzzlePrompt } from "../../../puzzles/prompt.ts";
import type { AnyPuzzle, Cell } from "../../../puzzles/puzzle.ts";
import { useKeys } from "../keys.ts";
import { counted } from "../number-text.ts";
import { Check } from "../parts/fields.tsx";
import { Verbatim } from "../parts/scrolling.tsx";
import { PlayBoard } from "./board.tsx";
import type { PuzzleAnswer } from "./puzzle-tasks.ts";
import { useWork } from "./use-work.ts";

export function Game({
  puzzle,
  instance,
  id,
}: {
  readonly puzzle: AnyPuzzle;
  readonly instance: unknown;
  readonly id: string;
}) {
  const { playing } = puzzle;
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
    return "board" in board ? puzzle.answerCells(instance, board.board) : undefined;
  }, [solved, puzzle, instance]);

  const board = playing.board(instance, cells);
  const handedIn = playing.handedIn?.(instance, cells) ?? board;
  const judgment = puzzle.judge(instance, handedIn);
  // Cells that are not known yet stand as `?`, which no answer may hold, until the board that is handed in is right.
  const answerText = puzzle.renderAnswer(instance, judgment.correct ? handedIn : board);
  const unfinished = playing.unfinished?.(instance, cells);
  const complete = playing.complete(instance, cells);
  const { width } = puzzle.size(instance);
  const cellAt = (cell: number): Cell => ({ row: Math.floor(cell / width), column: cell % width });
  const wrong: readonly Cell[] =
    checked !== undefined ? checked.map(cellAt) : !judgment.correct && (marking || complete) ? judgment.cells : [];

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
    const next = playing.hint?.(instance, cells, cell, solution);
    set(next ?? withCell(cells, cell, solution[cell]));
  };
  const readTyped = (text: string) => {
    const answer = puzzle.readAnswer(instance, text);
    if ("unreadable" in answer) return setTyped({ text, says: answer.unreadable });
    set(puzzle.answerCells(instance, answer.board));
    setTyped({ text });
  };
  useKeys("Board", [
    { keys: ["Z"], about: "undo", run: undo },
    { keys: ["H"], about: "hint", run: hint },
  ]);

  return (
    <div className="columns game">
      <div>
        <PlayBoard puzzle={puzzle} instance={instance} cells={cells} wrong={wrong} onChange={set} />
        <p className="how quiet">{playing.how}</p>
      </div>
      <div className="game-side">
        <p className={judgment.correct ? "judgment gain" : "judgment"} role="status">
          {judgment.correct ? (
            <>
              <span aria-hidden="true">✓</span> Solved: every rule is kept.
            </>
          ) : (
            <>
              <b>{complete ? "Wrong" : "Handed in now"}</b>: {visibleText(unfinished ?? judgment.because)}
            </>
          )}
        </p>
        <div className="row">
          <button type="button" onClick={undo} disabled={history.length < 2}>
            Undo
          </button>
          <button type="button" onClick={hint} disabled={solution === undefined || judgment.correct}>
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
            value={typed?.text ?? answerText}
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

function solverWords(solved: PuzzleAnswer | undefined): string {
  if (solved === undefined) return "The solver is at work …";
  if (solved.task !== "solve") return solved.task === "failed" ? visibleText(solved.because) : "";
  if (solved.status === "unique")
    return `One solution${solved.difficulty === undefined ? "" : `; difficulty: ${solved.difficulty}`}.`;
  if (solved.status === "multiple") return "Several solutions; hints lead to one of them.";
  return solved.status === "none" ? "There is no solution." : "The solver gave up: no hints.";
}
