// Makes mazes of a wanted difficulty: mirrors at random, some lines filled so that they can be read off, the rest at
// random, and then a walk that changes one monster at a time along the border between too easy and ambiguous.
import type { Random } from "../../base/random.ts";
import { type Generated, GenerationError } from "../puzzle.ts";
import { anyMonster, Deduction } from "./deduction.ts";
import { deduceByLines, levelOf } from "./grading.ts";
import {
  fromClockwise,
  monsterSymbols,
  smallestSide,
  type UndeadBoard,
  type UndeadDifficulty,
  type UndeadInstance,
  type UndeadParams,
  undeadDifficulties,
} from "./instance.ts";
import { searchMaze } from "./search.ts";
import {
  backslash,
  createSightLines,
  open,
  type SightLines,
  seenFromEnd,
  seenFromStart,
  setCell,
  sightingsOf,
  slash,
  traceSightLines,
} from "./sight-lines.ts";
import { fillUniquely } from "./unique-views.ts";

// Effort is bounded by what is tried, not by time, so that the same seed gives the same puzzle everywhere.
const mostMazes = 5_000;
const searchSteps = 300;

export const tune = { walk: [6, 30, 30], slack: [99, 99, 99], order: 1 };

/** Tatham's limits: a third of the cells and more are mirrors, but not most of them. */
const leastMonsters = 5;
const [leastShare, mostShare] = [0.48, 0.78];
/** He makes no larger ones, and his limits on the length of a line suit no larger ones. */
const largestOfHis = 54;

/** A maze in the making. */
class Workshop {
  readonly lines: SightLines;
  readonly deduction: Deduction;
  /** The monster of each cell: 0 ghost, 1 vampire, 2 zombie. */
  readonly filling: Uint8Array;
  readonly totals = new Int32Array(3);
  readonly domains: Uint8Array;
  readonly candidates: Int32Array;

  constructor(width: number, height: number) {
    this.lines = createSightLines(width, height);
    this.deduction = new Deduction(this.lines);
    this.filling = new Uint8Array(width * height);
    this.domains = new Uint8Array(width * height);
    this.candidates = new Int32Array(width * height);
  }
}

// Generating thousands of one size is the usual thing, so the latest workshop is kept.
let latest: Workshop | undefined;

function workshopFor(width: number, height: number): Workshop {
  if (latest?.lines.width !== width || latest.lines.height !== height) latest = new Workshop(width, height);
  return latest;
}

export function generateUndead(params: UndeadParams, random: Random): Generated<UndeadInstance, UndeadBoard> {
  const { width, height } = params;
  if (!Number.isInteger(width) || !Number.isInteger(height) || Math.min(width, height) < smallestSide) {
    throw new GenerationError(
      `no undead puzzle of ${width}x${height}; both sides must be whole numbers from ${smallestSide} up`,
    );
  }
  const difficulty = params.difficulty ?? random.pick(undeadDifficulties);
  if (!undeadDifficulties.includes(difficulty)) {
    throw new GenerationError(
      `no undead difficulty "${difficulty}"; expected one of: ${undeadDifficulties.join(", ")}`,
    );
  }
  const workshop = workshopFor(width, height);
  let longest = longestLine(width, height, difficulty);
  for (let maze = 1; maze <= mostMazes; maze++) {
    if (!layMirrors(workshop, longest, random)) {
      // On large boards short lines are rare; what is asked for gives way slowly.
      if (maze % 16 === 0) longest++;
      continue;
    }
    fillMaze(workshop, difficulty, random);
    if (wander(workshop, difficulty, random)) return { ...record(workshop), difficulty };
  }
  throw new GenerationError(`no ${difficulty} undead puzzle of ${width}x${height} found in ${mostMazes} mazes`);
}

function longestLine(width: number, height: number, difficulty: UndeadDifficulty): number {
  if (width * height > largestOfHis) return 2 * Math.max(width, height);
  if (difficulty === "easy") return Math.min(width, height) + 1;
  return difficulty === "normal" ? Math.floor((Math.max(width, height) * 3) / 2) : 9;
}

function layMirrors({ lines }: Workshop, longest: number, random: Random): boolean {
  const area = lines.width * lines.height;
  let monsters = 0;
  for (let cell = 0; cell < area; cell++) {
    const content = random.below(5);
    if (content >= 2) monsters++;
    setCell(lines, cell, content === 0 ? backslash : content === 1 ? slash : open);
  }
  if (monsters < leastMonsters || monsters < leastShare * area || monsters > mostShare * area) return false;
  traceSightLines(lines);
  if (shutMirrors(lines, random)) {
    traceSightLines(lines);
    if (lines.monsterCount < leastMonsters || lines.monsterCount < leastShare * area) return false;
  }
  const last = lines.order[lines.lineCount - 1];
  return lines.starts[last + 1] - lines.starts[last] <= longest;
}

/** A cell that no line passes gets a mirror: nobody could see what it hides, and no line changes. */
function shutMirrors(lines: SightLines, random: Random): boolean {
  let any = false;
  for (let monster = 0; monster < lines.monsterCount; monster++) {
    if (lines.places[2 * monster] >= 0) continue;
    setCell(lines, lines.cellOfMonster[monster], random.below(2) === 0 ? backslash : slash);
    any = true;
  }
  return any;
}

/** How many cells are left to chance. */
function leftToChance({ width, height, monsterCount }: SightLines, difficulty: UndeadDifficulty): number {
  if (difficulty === "easy") return 2;
  const halfOfThem = Math.floor(monsterCount / 2);
  return difficulty === "normal" ? Math.min(width + height, halfOfThem) : Math.max(width + height, halfOfThem);
}

function fillMaze(workshop: Workshop, difficulty: UndeadDifficulty, random: Random): void {
  const { lines, domains, filling, totals, deduction } = workshop;
  const count = lines.monsterCount;
  domains.fill(anyMonster, 0, count);
  const chance = leftToChance(lines, difficulty);
  const filled = new Uint8Array(lines.lineCount);
  for (let unset = count; unset > chance; ) {
    const line = nextToFill(lines, domains, filled);
    if (line < 0) break;
    filled[line] = 1;
    unset -= fillUniquely(lines, domains, line, random);
  }
  totals.fill(0);
  for (let monster = 0; monster < count; monster++) {
    filling[monster] = domains[monster] === anyMonster ? random.below(3) : domains[monster] >> 1;
    totals[filling[monster]]++;
  }
  sightingsOf(lines, filling, deduction.seen);
}

/**
 * Between two mirrors only vampires can be told from the rest, and a line filled uniquely has nothing else there. So
 * lines with few such open cells come first: the cells of the others are then decided where they can be anything.
 */
function nextToFill(lines: SightLines, domains: Uint8Array, filled: Uint8Array): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let line = 0; line < lines.lineCount; line++) {
    if (filled[line] === 1) continue;
    let cost = 0;
    for (let place = lines.starts[line]; place < lines.starts[line + 1]; place++) {
      if (domains[lines.members[place]] !== anyMonster) continue;
      const entry = lines.kinds[place] * 3;
      cost +=
        seenFromStart[entry] === seenFromStart[entry + 2] && seenFromEnd[entry] === seenFromEnd[entry + 2] ? 5 : 1;
    }
    if (cost === 0) filled[line] = 1;
    else if (cost < least) {
      least = cost;
      best = line;
    }
  }
  return best;
}

/** Changes one monster at a time until the maze has one solution and the wanted level. False when it does not get there. */
function wander(workshop: Workshop, wanted: UndeadDifficulty, random: Random): boolean {
  const { lines, deduction, filling, totals } = workshop;
  const level = undeadDifficulties.indexOf(wanted);
  let before = 1000,
    moved = -1,
    was = 0;
  for (let step = 0; step < tune.walk[level]; step++) {
    deduction.begin(totals[0], totals[1], totals[2]);
    const deduced = deduceByLines(deduction)!;
    let cell: number;
    if (moved >= 0 && deduced.open > before + tune.slack[level]) {
      change(workshop, moved, was);
      cell = moved;
    } else {
      before = deduced.open;
      cell = -1;
      if (levelOf(deduced) === wanted && worthwhile(workshop, wanted)) {
        if (deduced.open === 0) return true;
        const { fillings, finished } = searchMaze(deduction, searchSteps, filling);
        if (finished && fillings.length === 1) return true;
        cell =
          fillings.length === 2
            ? differingCell(workshop, fillings[0], fillings[1], random)
            : random.below(lines.monsterCount);
      } else cell = deduced.open === 0 ? random.below(lines.monsterCount) : openCell(workshop, random);
    }
    moved = cell;
    was = filling[cell];
    change(workshop, cell, (filling[cell] + 1 + random.below(2)) % 3);
  }
  return false;
}

/** One kind of monster alone is no puzzle, and a tricky one has at least two of each. */
function worthwhile({ totals, lines }: Workshop, wanted: UndeadDifficulty): boolean {
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  return most < lines.monsterCount && (wanted !== "tricky" || least >= 2);
}

function openCell({ deduction, candidates, lines }: Workshop, random: Random): number {
  let count = 0;
  for (let monster = 0; monster < lines.monsterCount; monster++) {
    const domain = deduction.domains[monster];
    if ((domain & (domain - 1)) !== 0) candidates[count++] = monster;
  }
  return candidates[random.below(count)];
}

function differingCell({ candidates }: Workshop, one: Uint8Array, other: Uint8Array, random: Random): number {
  let count = 0;
  for (let monster = 0; monster < one.length; monster++) {
    if (one[monster] !== other[monster]) candidates[count++] = monster;
  }
  return candidates[random.below(count)];
}

function change({ lines, filling, totals, deduction }: Workshop, monster: number, kind: number): void {
  for (let side = 0; side < 2; side++) {
    const place = lines.places[2 * monster + side];
    if (place < 0) break;
    const line = lines.lineOfPlace[place];
    const entry = lines.kinds[place] * 3;
    deduction.seen[lines.startEdges[line]] += seenFromStart[entry + kind] - seenFromStart[entry + filling[monster]];
    deduction.seen[lines.endEdges[line]] += seenFromEnd[entry + kind] - seenFromEnd[entry + filling[monster]];
  }
  totals[filling[monster]]--;
  totals[kind]++;
  filling[monster] = kind;
}

function record({ lines, filling, totals, deduction }: Workshop): { instance: UndeadInstance; solution: UndeadBoard } {
  const { width, height, grid } = lines;
  let givens = "";
  let solved = "";
  let monster = 0;
  for (let row = 1; row <= height; row++) {
    for (let at = row * (width + 2) + 1; at <= row * (width + 2) + width; at++) {
      const mirror = grid[at] === backslash ? "\\" : grid[at] === slash ? "/" : undefined;
      givens += mirror ?? ".";
      solved += mirror ?? monsterSymbols[filling[monster++]];
    }
  }
  const [ghosts, vampires, zombies] = totals;
  const sightings = fromClockwise(width, height, deduction.seen);
  return {
    instance: { width, height, totals: { ghosts, vampires, zombies }, cells: givens, sightings },
    solution: { cells: solved },
  };
}
