// Makes instances of a wanted difficulty. A random solved board is graded, and where the deductions get stuck, or finish
// too easily, just that part of the board is drawn anew: most boards are a few repairs away from what is wanted.
import type { Random } from "../../base/random.ts";
import { type Generated, GenerationError, ImpossibleRequestError } from "../puzzle.ts";
import { boardOfLanes } from "./answer.ts";
import { deduce } from "./deductions.ts";
import { emptyLayout, growFresh, growToSides, islandsWanted, type Layout, prune } from "./growth.ts";
import { type BridgesBoard, type BridgesInstance, type BridgesParams, difficulties } from "./instance.ts";
import { buildGraph, emptyIslandGraph, type IslandGraph } from "./island-graph.ts";
import { blankKnowledge, forget, type Knowledge } from "./knowledge.ts";
import { readParams, writeParams } from "./notation.ts";
import { laneSolutions } from "./solver.ts";

/** Grades end with the hard one; what they cannot solve, and search can, is unreasonable. */
const unreasonable = difficulties.indexOf("unreasonable");

/** Everything one call works on. */
type GeneratorState = {
  readonly params: BridgesParams;
  readonly random: Random;
  readonly layout: Layout;
  readonly graph: IslandGraph;
  readonly knowledge: Knowledge;
  /** By lane: the bridges of the hidden solution. */
  readonly bridges: Int32Array;
  /** Lanes with bridges, and those among them that the last grading left undecided. */
  readonly built: Int32Array;
  readonly stuck: Int32Array;
  builtCount: number;
  stuckCount: number;
  /** How many more islands may be looked at, over all gradings. */
  effort: number;
};

/** Less than a second's work on small boards, where a difficulty may not exist at all; more on large ones, where it does. */
const effortAllowed = (params: BridgesParams): number => 3_000_000 + 4_000 * islandsWanted(params);
/** Even the smallest board costs as much as one with a few islands more. */
const fixedCost = 4;
/** Growing a layout, and searching for a second solution, cost about this many times as much as grading. */
const growthCost = 2;
const searchCost = 20;
const searchBudget = { searchSteps: 2_000 };
const mostStuckForSearch = 40;
const roundsPerLayout = (islands: number): number => 24 + (islands >> 2);
const roundsPerRegrowth = 8;
/** Of the lanes with bridges, when a board is too easy; and of the stuck ones, when it is too hard. */
const redrawnShare = 0.15;
const redrawnStuckShare = 0.5;

export function generate(params: BridgesParams, random: Random): Generated<BridgesInstance, BridgesBoard> {
  // Parameters made in code are held to the same ranges as written ones.
  readParams(writeParams(params));
  refuseImpossible(params);
  const wanted = params.difficulty === undefined ? undefined : difficulties.indexOf(params.difficulty);
  const state = initialState(params, random);
  while (state.effort > 0) {
    state.effort -= growthCost * (islandsWanted(params) + fixedCost);
    if (!growFresh(state.layout, params, random)) continue;
    survey(state);
    const rounds = roundsPerLayout(state.graph.islandCount);
    for (let round = 1; round <= rounds && state.effort > 0; round++) {
      const grade = assess(state, wanted);
      if (wanted === undefined ? grade < unreasonable : grade === wanted) return finished(state, grade);
      if (!repair(state, wanted !== undefined && grade < wanted, round)) break;
    }
  }
  throw new GenerationError(
    `no ${params.difficulty ?? "solvable"} Bridges board found for ${writeParams(params)} within ${effortAllowed(params)} island gradings; try another difficulty, a larger board or more islands`,
  );
}

function refuseImpossible({ maxBridges, loops, difficulty }: BridgesParams): void {
  // With single bridges, "this island needs that direction" says no more than "its free places are just enough".
  if (difficulty === "medium" && maxBridges === 1 && loops === "allowed")
    throw new ImpossibleRequestError(
      "no medium Bridges board exists with single bridges (m1) and loops allowed: the deductions that make a board medium add nothing there; ask for easy or hard, or forbid loops",
    );
}

function initialState(params: BridgesParams, random: Random): GeneratorState {
  const { width, height } = params;
  const graph = emptyIslandGraph(width, height);
  const lanes = graph.from.length;
  return {
    params,
    random,
    layout: emptyLayout(width, height),
    graph,
    knowledge: blankKnowledge(graph, params.maxBridges, params.loops === "forbidden"),
    bridges: new Int32Array(lanes),
    built: new Int32Array(lanes),
    stuck: new Int32Array(lanes),
    builtCount: 0,
    stuckCount: 0,
    effort: effortAllowed(params),
  };
}

/** Charts the layout and reads its bridges and clues. */
function survey(state: GeneratorState): void {
  const { layout, graph, bridges, built } = state;
  buildGraph(graph, layout.island);
  const { width, clue, from, to, cellOf, horizontal, laneCount, islandCount } = graph;
  for (let island = 0; island < islandCount; island++) clue[island] = 0;
  let count = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    const next = layout.bridges[cellOf[from[lane]] + (horizontal[lane] === 1 ? 1 : width)];
    bridges[lane] = Math.max(0, horizontal[lane] === 1 ? next : -next);
    if (bridges[lane] === 0) continue;
    built[count++] = lane;
    clue[from[lane]] += bridges[lane];
    clue[to[lane]] += bridges[lane];
  }
  state.builtCount = count;
}

/** The grade of the board as it stands, no further than wanted; and which lanes stand in the way of a lower one. */
function assess(state: GeneratorState, wanted = unreasonable - 1): number {
  const { graph, knowledge, bridges, built, stuck } = state;
  state.effort -= graph.islandCount + fixedCost;
  forget(knowledge);
  const highest = Math.min(wanted, unreasonable - 1);
  for (let grade = 0; grade <= highest; grade++) if (deduce(knowledge, grade)) return grade;
  const { full } = knowledge;
  keepStuck(state, built, state.builtCount, (lane) => full[graph.from[lane]] === 0 && full[graph.to[lane]] === 0);
  if (wanted < unreasonable) return highest + 1;
  // Where much is open there are many solutions, and repairs narrow that down faster than looking at two of them.
  if (state.stuckCount > mostStuckForSearch) return unreasonable + 1;
  state.effort -= searchCost * graph.islandCount;
  const { boards, all } = laneSolutions(knowledge, 2, searchBudget);
  if (all && boards.length === 1) return unreasonable;
  if (boards.length === 2)
    keepStuck(state, stuck, state.stuckCount, (lane) => boards.some((board) => board[lane] !== bridges[lane]));
  return unreasonable + 1;
}

function keepStuck(state: GeneratorState, lanes: Int32Array, count: number, isStuck: (lane: number) => boolean): void {
  state.stuckCount = 0;
  for (let i = 0; i < count; i++) if (isStuck(lanes[i])) state.stuck[state.stuckCount++] = lanes[i];
}

/** Draws part of the board anew. False if nothing short of a new layout can help. */
function repair(state: GeneratorState, tooEasy: boolean, round: number): boolean {
  const { params, random, built, builtCount, stuck, stuckCount } = state;
  if (tooEasy) {
    if (params.maxBridges === 1) return false;
    for (let i = Math.ceil(builtCount * redrawnShare); i > 0; i--) redraw(state, built[random.below(builtCount)]);
    return true;
  }
  if (params.maxBridges === 1 || round % roundsPerRegrowth === 0) return regrow(state);
  let redrawn = 0;
  for (let i = 0; i < stuckCount; i++)
    if (random.chance(redrawnStuckShare)) {
      redraw(state, stuck[i]);
      redrawn++;
    }
  if (redrawn === 0) redraw(state, stuck[random.below(stuckCount)]);
  return true;
}

/** Another number of bridges on a lane that has some. */
function redraw(state: GeneratorState, lane: number): void {
  const { params, random, bridges, graph } = state;
  const other = 1 + random.below(params.maxBridges - 1);
  const count = other < bridges[lane] ? other : other + 1;
  const change = count - bridges[lane];
  bridges[lane] = count;
  graph.clue[graph.from[lane]] += change;
  graph.clue[graph.to[lane]] += change;
}

/** Takes away ends of the network where it is stuck, and lets it grow again. */
function regrow(state: GeneratorState): boolean {
  const { params, random, layout, graph, bridges, built, builtCount, stuck, stuckCount } = state;
  const { width, from, to, cellOf, horizontal } = graph;
  for (let i = 0; i < builtCount; i++) {
    const lane = built[i];
    const step = horizontal[lane] === 1 ? 1 : width;
    const signed = horizontal[lane] === 1 ? bridges[lane] : -bridges[lane];
    for (let cell = cellOf[from[lane]] + step; cell < cellOf[to[lane]]; cell += step) layout.bridges[cell] = signed;
  }
  const marked = new Uint8Array(layout.island.length);
  for (let i = 0; i < stuckCount; i++) marked[cellOf[from[stuck[i]]]] = marked[cellOf[to[stuck[i]]]] = 1;
  prune(layout, marked, random);
  if (!growToSides(layout, params, random)) return false;
  survey(state);
  return true;
}

function finished(state: GeneratorState, grade: number): Generated<BridgesInstance, BridgesBoard> {
  const { params, graph, bridges } = state;
  const { width, height, maxBridges, loops } = params;
  const clues: number[] = new Array(width * height).fill(0);
  for (let island = 0; island < graph.islandCount; island++) clues[graph.cellOf[island]] = graph.clue[island];
  const instance: BridgesInstance = { width, height, maxBridges, loops, clues };
  return { instance, solution: boardOfLanes(instance, graph, bridges), difficulty: difficulties[grade] };
}
