// Bridges, as everything outside this folder sees it.
import { puzzleOf } from "../defaults.ts";
import { inRounds, type Puzzle } from "../puzzle.ts";
import { gridImages } from "../symmetry.ts";
import { boardOfLanes, initialCells, readAnswer, readMove, renderAnswer, renderGivens, writeMove } from "./answer.ts";
import { bridgesModel } from "./constraints.ts";
import { deduce } from "./deductions.ts";
import { draw, svg } from "./drawing.ts";
import { solvedBoards } from "./enumeration.ts";
import { generate } from "./generator.ts";
import {
  type BridgesBoard,
  type BridgesInstance,
  type BridgesParams,
  difficulties,
  horizontalSymbols,
  verticalSymbols,
} from "./instance.ts";
import { buildGraph, emptyIslandGraph } from "./island-graph.ts";
import { blankKnowledge, forget, type Knowledge } from "./knowledge.ts";
import { readId, readParams, writeId, writeParams } from "./notation.ts";
import { bridgesPlaying } from "./playing.ts";
import { laneSolutions } from "./solver.ts";

export type { BridgesBoard, BridgesDifficulty, BridgesInstance, BridgesParams, LoopRule } from "./instance.ts";

const symbolList = ["one", "two", "three", "four"]
  .map((count, index) => `${count}: ${horizontalSymbols[index + 1]} or ${verticalSymbols[index + 1]}`)
  .join("; ");

const rules = `Bridges (Hashiwokakero). Connect all islands with bridges.

The board is a grid. A number is an island; a dot is water. Islands with 10 to 16 bridges are written A to G.
1. A bridge runs in a straight line, horizontally or vertically, from one island to the next island in its row or column. It passes over water only, never over an island, and ends at an island on both sides.
2. Each island's number is the number of bridges that end at it.
3. Between two neighbouring islands there may be no bridge, one bridge or two parallel bridges. If a line above the board gives another maximum, that maximum holds instead of two.
4. Bridges do not cross each other.
5. Every island can be reached from every other island over bridges.
6. Bridges may form loops, unless a line above the board says that loops are forbidden. Then no tour over different bridges leads back to where it began; parallel bridges between the same two islands do not count as a loop.

The answer is the same grid and nothing above it, one row per line, cells separated by spaces. Islands stay exactly as they are. Every water cell under a bridge shows how many parallel bridges run over it, with one symbol for horizontal and one for vertical bridges (${symbolList}). All cells between the two islands show the same symbol. Water without a bridge stays a dot.`;

// Made once a size, because making it costs more than solving a small board; begun anew by every call and never held across one.
let latest: Knowledge | undefined;

/** What is known of a board at first: its graph and its clues. */
function knowledgeOf({ width, height, clues, maxBridges, loops }: BridgesInstance): Knowledge {
  const loopsForbidden = loops === "forbidden";
  const fits = latest?.graph.width === width && latest.graph.height === height;
  if (latest === undefined || !fits || latest.maxBridges !== maxBridges || latest.loopsForbidden !== loopsForbidden)
    latest = blankKnowledge(emptyIslandGraph(width, height), maxBridges, loopsForbidden);
  buildGraph(latest.graph, clues);
  forget(latest);
  return latest;
}

export const bridges: Puzzle<BridgesInstance, BridgesBoard, BridgesParams> = puzzleOf({
  name: "bridges",
  title: "Bridges",
  difficulties,
  rules,
  promptExamples: ["5x4m2:4a3a1j4a5a3", "5x4m2:2b1c1a2e3c3"],
  usual: {
    small: "5x5i30e10m2d1",
    training: "7x7d0",
    tour: "7x7d1",
    play: "7x7",
    miniature: { training: "5x5i30e10m2d0", larger: "6x5i30e10m2d0", search: "5x5i30e10m2d2" },
  },
  example: "7x7m2:a2d3g2e4h2d3h1a1b2",

  readParams,
  writeParams,
  readId,
  writeId,
  writeMove,
  readMove,

  solutions(instance, most, budget) {
    const knowledge = knowledgeOf(instance);
    const { boards, all } = laneSolutions(knowledge, most, budget);
    return { boards: boards.map((bridges) => boardOfLanes(instance, knowledge.graph, bridges)), all };
  },
  /** Conclusions are lanes with bridges; search is counted in dead ends. */
  effort(instance) {
    const knowledge = knowledgeOf(instance);
    const { graph } = knowledge;
    const solved = [0, 1, 2].findIndex((grade) => deduce(knowledge, grade));
    const difficulty = difficulties.at(solved)!;
    const { builtLanes, fullCount, looks } = knowledge;
    const deduced = { difficulty, steps: builtLanes, chain: inRounds(looks, graph.islandCount) };
    if (solved >= 0) return { ...deduced, guesses: 0, searchSteps: 0 };
    const { boards, all, steps } = laneSolutions(knowledge, 2);
    if (!all || boards.length !== 1) return undefined;
    return { ...deduced, guesses: graph.islandCount - fullCount, searchSteps: steps };
  },
  generate,
  solvedBoards,
  images: (instance) =>
    gridImages(instance.clues, instance.width, instance.height).map((clues) => ({ ...instance, clues })),

  renderGivens,
  renderAnswer,
  readAnswer,
  lazyAnswers(instance) {
    const { graph } = knowledgeOf(instance);
    const all = (count: number) =>
      renderAnswer(instance, boardOfLanes(instance, graph, new Int32Array(graph.laneCount).fill(count)));
    return { "every lane one": all(1), ...(instance.maxBridges > 1 && { "every lane two": all(2) }) };
  },

  initialCells,
  answerCells: (_instance, board) => board.cells,

  svg,
  draw,
  constraints: bridgesModel,
  playing: bridgesPlaying,
});
