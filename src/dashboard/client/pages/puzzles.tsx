// The puzzles to play: make a board or paste one, fill it in, let the real verifier judge it, see what a model sees.
import { useMemo, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { puzzleIdentity } from "../../../problems/problem-id.ts";
import { puzzleOfId, puzzles } from "../../../puzzles/catalog.ts";
import type { AnyPuzzle } from "../../../puzzles/puzzle.ts";
import { preloadedRun } from "../data/labs.ts";
import { useKeys } from "../keys.ts";
import { useQuery } from "../navigation.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { Waiting } from "../parts/states.tsx";
import { BesideModels, useRunBoards } from "../play/beside-models.tsx";
import { Game } from "../play/game.tsx";
import { useWork } from "../play/use-work.ts";
import { readPuzzle } from "../puzzle-reading.ts";

export function PuzzlesPage() {
  const [query, change] = useQuery();
  const puzzle = puzzles.find((candidate) => candidate.name === query.puzzle) ?? puzzles[0];
  const { name } = puzzle;
  const size = query.size ?? puzzle.usual.play;
  const difficulty = puzzle.difficulties.find((candidate) => candidate === query.difficulty);
  const seed = query.seed ?? "1";
  const run = query.run ?? preloadedRun;
  const boards = useRunBoards(run, name);
  // A page begins with a board that its run's models tried; whoever asks for another gets a new one.
  const fresh = [query.seed, query.size, query.difficulty].some((chosen) => chosen !== undefined);
  const given = query.id ?? (fresh ? undefined : boards[0]?.instance);
  const made = useWork(given === undefined ? { task: "generate", puzzle: name, size, difficulty, seed } : undefined);
  const id = given ?? (made?.task === "generate" ? made.id : undefined);
  // One that was only trained on is in no list; its address names it.
  const named = [{ problem: query.problem ?? "", instance: puzzleIdentity(query.problem ?? "")?.instance }];
  const board = [...boards, ...named].find(({ instance }) => instance === id && id !== undefined);
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
      <ul className="row puzzle-tabs">
        {puzzles.map((other) => (
          <li key={other.name}>
            <button
              type="button"
              aria-pressed={other === puzzle}
              onClick={() => change({ puzzle: other.name, id: undefined, size: undefined, difficulty: undefined })}
            >
              {other.title}
            </button>
          </li>
        ))}
      </ul>
      <form className="row filters" onSubmit={(event) => event.preventDefault()}>
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
        {run !== undefined && boards.length > 0 && (
          <Choice
            label={`boards of ${visibleText(run)}`}
            value={board?.instance ?? ""}
            options={[
              ...(board === undefined ? [{ value: "", name: "choose one" }] : []),
              ...boards.map(({ instance }) => ({ value: instance, name: visibleText(instance) })),
            ]}
            onChange={(next) => change({ id: next })}
          />
        )}
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
      {run !== undefined && board !== undefined && <BesideModels run={run} problem={board.problem} />}
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
