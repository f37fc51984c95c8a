// Makes instances of a wanted difficulty. A random solved board is graded, and where the deductions get stuck, or finish
// too easily, just that part of the board is drawn anew: most boards are a few repairs away from what is wanted.
import type { Random } from "../../base/random.ts";
import { type Generated, GenerationError, ImpossibleRequestError } from "../puzzle.ts";
import { boardOfLanes } from "./answer.ts";
import { deduce } from "./deductions.ts";
import { emptyLayout, growFresh, growToSides, islandsWanted, type Layout, prune } from "./growth.ts";
import { type BridgesBoard, type BridgesInstance, type BridgesParams, difficulties } from "./instance.ts";
import { chart, emptyIslandGraph, type IslandGraph } from "./island-graph.ts";
import { blankKnowledge, forget, type Knowledge } from "./knowledge.ts";
import { readParams, writeParams } from "./notation.ts";
import { solveLanes } from "./solver.ts";

/** Grades end with the hard one; what they cannot solve, and search can, is unreasonable. */
const unreasonable = difficulties.indexOf("unreasonable");

/** Everything one call works on. */
type Workshop = {
  readonly params: BridgesParams;
  readonly random: Random;
  readonly layout: Layout;
  readonly sea: IslandGraph;
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
  const workshop = openWorkshop(params, random);
  while (workshop.effort > 0) {
    workshop.effort -= growthCost * (islandsWanted(params) + fixedCost);
    if (!growFresh(workshop.layout, params, random)) continue;
    survey(workshop);
    const rounds = roundsPerLayout(workshop.sea.islandCount);
    for (let round = 1; round <= rounds && workshop.effort > 0; round++) {
      const grade = assess(workshop, wanted);
      if (wanted === undefined ? grade < unreasonable : grade === wanted) return finished(workshop, grade);
      if (!repair(workshop, wanted !== undefined && grade < wanted, round)) break;
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

function openWorkshop(params: BridgesParams, random: Random): Workshop {
  const { width, height } = params;
  const sea = emptyIslandGraph(width, height);
  const lanes = sea.from.length;
  return {
    params,
    random,
    layout: emptyLayout(width, height),
    sea,
    knowledge: blankKnowledge(sea, params.maxBridges, params.loops === "forbidden"),
    bridges: new Int32Array(lanes),
    built: new Int32Array(lanes),
    stuck: new Int32Array(lanes),
    builtCount: 0,
    stuckCount: 0,
    effort: effortAllowed(params),
  };
}

/** Charts the layout and reads its bridges and clues. */
function survey(workshop: Workshop): void {
  const { layout, sea, bridges, built } = workshop;
  chart(sea, layout.island);
  const { width, clue, from, to, cellOf, horizontal, laneCount, islandCount } = sea;
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
  workshop.builtCount = count;
}

/** The grade of the board as it stands, no further than wanted; and which lanes stand in the way of a lower one. */
function assess(workshop: Workshop, wanted = unreasonable - 1): number {
  const { sea, knowledge, bridges, built, stuck, params } = workshop;
  workshop.effort -= sea.islandCount + fixedCost;
  forget(knowledge);
  const highest = Math.min(wanted, unreasonable - 1);
  for (let grade = 0; grade <= highest; grade++) if (deduce(knowledge, grade)) return grade;
  const { full } = knowledge;
  keepStuck(workshop, built, workshop.builtCount, (lane) => full[sea.from[lane]] === 0 && full[sea.to[lane]] === 0);
  if (wanted < unreasonable) return highest + 1;
  // Where much is open there are many solutions, and repairs narrow that down faster than looking at two of them.
  if (workshop.stuckCount > mostStuckForSearch) return unreasonable + 1;
  workshop.effort -= searchCost * sea.islandCount;
  const solved = solveLanes(sea, params.maxBridges, params.loops === "forbidden", searchBudget);
  if (solved.status === "unique") return unreasonable;
  if (solved.status === "multiple")
    keepStuck(
      workshop,
      stuck,
      workshop.stuckCount,
      (lane) => solved.bridges[lane] !== bridges[lane] || solved.others[lane] !== bridges[lane],
    );
  return unreasonable + 1;
}

function keepStuck(workshop: Workshop, lanes: Int32Array, count: number, isStuck: (lane: number) => boolean): void {
  workshop.stuckCount = 0;
  for (let i = 0; i < count; i++) if (isStuck(lanes[i])) workshop.stuck[workshop.stuckCount++] = lanes[i];
}

/** Draws part of the board anew. False if nothing short of a new layout can help. */
function repair(workshop: Workshop, tooEasy: boolean, round: number): boolean {
  const { params, random, built, builtCount, stuck, stuckCount } = workshop;
  if (tooEasy) {
    if (params.maxBridges === 1) return false;
    for (let i = Math.ceil(builtCount * redrawnShare); i > 0; i--) redraw(workshop, built[random.below(builtCount)]);
    return true;
  }
  if (params.maxBridges === 1 || round % roundsPerRegrowth === 0) return regrow(workshop);
  let redrawn = 0;
  for (let i = 0; i < stuckCount; i++)
    if (random.chance(redrawnStuckShare)) {
      redraw(workshop, stuck[i]);
      redrawn++;
    }
  if (redrawn === 0) redraw(workshop, stuck[random.below(stuckCount)]);
  return true;
}

/** Another number of bridges on a lane that has some. */
function redraw(workshop: Workshop, lane: number): void {
  const { params, random, bridges, sea } = workshop;
  const other = 1 + random.below(params.maxBridges - 1);
  const count = other < bridges[lane] ? other : other + 1;
  const change = count - bridges[lane];
  bridges[lane] = count;
  sea.clue[sea.from[lane]] += change;
  sea.clue[sea.to[lane]] += change;
}

/** Takes away ends of the network where it is stuck, and lets it grow again. */
function regrow(workshop: Workshop): boolean {
  const { params, random, layout, sea, bridges, built, builtCount, stuck, stuckCount } = workshop;
  const { width, from, to, cellOf, horizontal } = sea;
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
  survey(workshop);
  return true;
}

function finished(workshop: Workshop, grade: number): Generated<BridgesInstance, BridgesBoard> {
  const { params, sea, bridges } = workshop;
  const { width, height, maxBridges, loops } = params;
  // Deductions prove a single solution already; the complete solver shares no code with them and must agree.
  const solved = solveLanes(sea, maxBridges, loops === "forbidden");
  if (
    solved.status !== "unique" ||
    bridges.some((count, lane) => lane < sea.laneCount && solved.bridges[lane] !== count)
  )
    throw new Error(`the deductions found one solution where the solver says ${solved.status}`);
  const clues: number[] = new Array(width * height).fill(0);
  for (let island = 0; island < sea.islandCount; island++) clues[sea.cellOf[island]] = sea.clue[island];
  const instance: BridgesInstance = { width, height, maxBridges, loops, clues };
  return { instance, solution: boardOfLanes(instance, sea, bridges), difficulty: difficulties[grade] };
}
