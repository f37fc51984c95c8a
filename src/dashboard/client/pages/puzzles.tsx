// The puzzles to play: make a board or paste one, fill it in, let the real verifier judge it, see what a model sees.
import { useMemo, useState } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { puzzleOfId, puzzles } from "../../../puzzles/catalog.ts";
import type { AnyPuzzle } from "../../../puzzles/puzzle.ts";
import { useKeys } from "../keys.ts";
import { useQuery } from "../navigation.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { Waiting } from "../parts/states.tsx";
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
