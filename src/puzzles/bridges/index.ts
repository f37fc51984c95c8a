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
import { type BridgesBoard, type BridgesInstance, type BridgesParams, difficulties } from "./instance.ts";
import { buildGraph, emptyIslandGraph } from "./island-graph.ts";
import { blankKnowledge, forget } from "./knowledge.ts";
import { readId, readParams, writeId, writeParams } from "./notation.ts";
import { bridgesPlaying } from "./playing.ts";
import { rules } from "./rules.ts";
import { solveLanes, someLaneSolutions } from "./solver.ts";

export type { BridgesBoard, BridgesDifficulty, BridgesInstance, BridgesParams, LoopRule } from "./instance.ts";

function chartOf(instance: BridgesInstance) {
  const graph = emptyIslandGraph(instance.width, instance.height);
  buildGraph(graph, instance.clues);
  return graph;
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

  solve(instance, budget) {
    const graph = chartOf(instance);
    const solved = solveLanes(graph, instance.maxBridges, instance.loops === "forbidden", budget);
    if (solved.status === "unique")
      return { status: "unique", solution: boardOfLanes(instance, graph, solved.bridges) };
    if (solved.status === "multiple") {
      const { bridges, others } = solved;
      return {
        status: "multiple",
        solutions: [boardOfLanes(instance, graph, bridges), boardOfLanes(instance, graph, others)],
      };
    }
    return solved;
  },
  solutions(instance, most, budget) {
    const graph = chartOf(instance);
    const found = someLaneSolutions(graph, instance.maxBridges, instance.loops === "forbidden", most, budget);
    return { ...found, boards: found.boards.map((bridges) => boardOfLanes(instance, graph, bridges)) };
  },
  /** Conclusions are lanes with bridges; search is counted in dead ends. */
  effort(instance) {
    const graph = chartOf(instance);
    const loopsForbidden = instance.loops === "forbidden";
    const knowledge = blankKnowledge(graph, instance.maxBridges, loopsForbidden);
    forget(knowledge);
    const solved = [0, 1, 2].findIndex((grade) => deduce(knowledge, grade));
    const difficulty = difficulties.at(solved)!;
    const steps = knowledge.builtLanes;
    const chain = inRounds(knowledge.looks, graph.islandCount);
    if (solved >= 0) return { difficulty, steps, chain, guesses: 0, searchSteps: 0 };
    const found = solveLanes(graph, instance.maxBridges, loopsForbidden);
    if (found.status !== "unique") return undefined;
    return { difficulty, steps, chain, guesses: graph.islandCount - knowledge.fullCount, searchSteps: found.deadEnds };
  },
  generate,
  solvedBoards,
  images: (instance) =>
    gridImages(instance.clues, instance.width, instance.height).map((clues) => ({ ...instance, clues })),

  renderGivens,
  renderAnswer,
  readAnswer,
  lazyAnswers(instance) {
    const graph = chartOf(instance);
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
