// Undead: ghosts, vampires and zombies in a maze of mirrors, told apart by what is seen from its edges.
import { puzzleOf } from "../defaults.ts";
import { cellPlaying } from "../playing.ts";
import type { Puzzle } from "../puzzle.ts";
import { undeadModel } from "./constraints.ts";
import { draw, svg } from "./drawing.ts";
import { enumerateUndead } from "./enumeration.ts";
import { generateUndead } from "./generator.ts";
import { type UndeadBoard, type UndeadInstance, type UndeadParams, undeadDifficulties } from "./instance.ts";
import { readAnswer, renderAnswer, renderGivens, rules } from "./language.ts";
import { readId, readMove, readParams, writeId, writeMove, writeParams } from "./notation.ts";
import { undeadEffort, undeadSolutions } from "./solver.ts";
import { images } from "./symmetry.ts";

export type { UndeadBoard, UndeadInstance, UndeadParams };

const nobody = ".";
const mirrors: Readonly<Record<string, string>> = { "/": "mirror, rising", "\\": "mirror, falling" };

const undeadPlaying = cellPlaying<UndeadInstance, UndeadBoard>({
  how: "Click a cell: ghost, vampire, zombie. On the keyboard: arrows move, g v z put a monster, Backspace takes it away.",
  open: nobody,
  symbols: () => ({ G: "ghost", V: "vampire", Z: "zombie" }),
  start: ({ cells }) => [...cells],
  fixed: ({ cells }, cell) => cells[cell] !== nobody,
  board: (cells) => ({ cells: cells.join("") }),
  clue: ({ cells }, cell) => mirrors[cells[cell]] ?? "",
  cluesBeyond: 1,
});

export const undead: Puzzle<UndeadInstance, UndeadBoard, UndeadParams> = puzzleOf({
  name: "undead",
  title: "Undead",
  difficulties: undeadDifficulties,
  rules,
  promptExamples: ["4x3:4,1,3,eRaRLaLa,2,0,1,3,1,1,3,1,2,3,0,0,2,1", "4x3:3,2,2,LRLLbLe,0,0,0,0,0,3,2,2,2,2,0,2,2,2"],
  usual: {
    small: "4x4de",
    training: "4x4de",
    tour: "4x4dn",
    play: "5x5",
    miniature: { training: "3x3de", larger: "4x3de", search: "3x3dn" },
  },
  example: "4x4:2,3,4,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1,0",
  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,
  effort: undeadEffort,
  solutions: undeadSolutions,
  generate: generateUndead,
  enumerate: enumerateUndead,
  images,
  renderGivens,
  renderAnswer,
  readAnswer,
  initialCells: ({ cells }) => [...cells],
  answerCells: (_instance, board) => [...board.cells],
  svg,
  draw,
  constraints: undeadModel,
  playing: undeadPlaying,
});
