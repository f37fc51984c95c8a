// Pattern (a nonogram): fill cells so that every row and column has the runs of full cells that its clue lists.
import { puzzleOf } from "../defaults.ts";
import { cellPlaying, unknown } from "../playing.ts";
import { defaultBudget, type Puzzle, type SolveBudget, type SomeSolutions } from "../puzzle.ts";
import { gridImages, movesOf } from "../symmetry.ts";
import { patternModel } from "./constraints.ts";
import { patternEffort } from "./difficulty.ts";
import { drawPattern, patternSvg } from "./drawing.ts";
import { generatePattern } from "./generate.ts";
import {
  instanceOf,
  type PatternBoard,
  type PatternInstance,
  type PatternParams,
  patternDifficulties,
} from "./instance.ts";
import { patternRules, readPatternAnswer, renderPatternAnswer, renderPatternGivens } from "./language.ts";
import {
  readPatternId,
  readPatternMove,
  readPatternParams,
  writePatternId,
  writePatternMove,
  writePatternParams,
} from "./notation.ts";
import { PropagationState } from "./propagation-state.ts";
import { searchSheet } from "./search.ts";

export type { PatternBoard, PatternDifficulty, PatternInstance, PatternParams } from "./instance.ts";

const patternPlaying = cellPlaying<PatternInstance, PatternBoard>({
  how: "Click a cell: full, then empty, then not known. On the keyboard: arrows move, x fills, . empties, Backspace clears.",
  symbols: () => ({ "#": "full", ".": "empty" }),
  keys: { x: "#", "1": "#", "0": "." },
  start: ({ width, height, prefilled }) => [...(prefilled ?? unknown.repeat(width * height))],
  fixed: ({ prefilled }, cell) => prefilled !== undefined && prefilled[cell] !== unknown,
  board: (cells) => ({ cells: cells.join("") }),
  openCounts: ".",
});

/** The largest world that is listed in seconds: 2^16 pictures. */
const largestListedArea = 16;

function patternBoards({ width, height }: PatternParams): Iterable<PatternInstance> | undefined {
  return width * height > largestListedArea ? undefined : pictures(width, height);
}

function* pictures(width: number, height: number): Generator<PatternInstance> {
  const area = width * height;
  for (let picture = 0; picture < 2 ** area; picture++)
    yield instanceOf(picture.toString(2).padStart(area, "0").replaceAll("0", ".").replaceAll("1", "#"), width, height);
}

const reversed = <T>(items: readonly T[], really: boolean): readonly T[] => (really ? items.toReversed() : items);

/** Eight images of a square, four of any other rectangle; the instance itself comes first. */
function patternImages(instance: PatternInstance): readonly PatternInstance[] {
  const { width, height, prefilled } = instance;
  const givens = prefilled === undefined ? undefined : gridImages([...prefilled], width, height);
  return movesOf(width, height).map((_, image) => {
    const [across, down] = [image % 2 === 1, image % 4 >= 2];
    const [columns, rows] = image < 4 ? [instance.columns, instance.rows] : [instance.rows, instance.columns];
    return {
      width,
      height,
      columns: reversed(columns, across).map((runs) => reversed(runs, down)),
      rows: reversed(rows, down).map((runs) => reversed(runs, across)),
      ...(givens !== undefined && { prefilled: givens[image].join("") }),
    };
  });
}

/** Up to `most` solutions. */
function patternSolutions(
  instance: PatternInstance,
  most: number,
  budget: SolveBudget = defaultBudget,
): SomeSolutions<PatternBoard> {
  const state = PropagationState.of(instance);
  if (state.deduce("placements") >= 0) return { boards: [], all: true };
  if (state.solved) return { boards: [{ cells: state.cells() }], all: true };
  const outcome = searchSheet(state, budget.searchSteps, most);
  const boards = outcome.found.map((cells) => ({ cells }));
  return { boards, all: !("gaveUp" in outcome) && boards.length < most };
}

export const pattern: Puzzle<PatternInstance, PatternBoard, PatternParams> = puzzleOf({
  name: "pattern",
  title: "Pattern",
  difficulties: patternDifficulties,
  rules: patternRules,
  promptExamples: ["5x3:2/2/2/1/1/1/3/1.3", "5x3:2/1/1/2/1/1/4/2"],
  usual: {
    small: "4x4",
    training: "4x4",
    tour: "5x5",
    play: "10x10",
    miniature: { training: "4x4", larger: "5x4", search: "4x4" },
  },
  example: "5x5:1/1/3/4/3/1.3/3/3/1/1",

  readParams: readPatternParams,
  writeParams: writePatternParams,
  readId: readPatternId,
  writeId: writePatternId,
  writeMove: (_, board) => writePatternMove(board),
  readMove: readPatternMove,

  effort: (instance) => patternEffort(instance),
  solutions: patternSolutions,
  generate: generatePattern,
  solvedBoards: patternBoards,
  images: patternImages,

  renderGivens: renderPatternGivens,
  renderAnswer: renderPatternAnswer,
  readAnswer: readPatternAnswer,

  // A cell that is not given shows "?", which no answer can hold: leaving a board as it is earns nothing, and every cell
  // that had to be found weighs the same whether it is full or empty.
  initialCells: ({ width, height, prefilled }) => [...(prefilled ?? "?".repeat(width * height))],
  answerCells: (_, board) => [...board.cells],

  svg: patternSvg,
  draw: drawPattern,
  constraints: patternModel,
  playing: patternPlaying,
});
