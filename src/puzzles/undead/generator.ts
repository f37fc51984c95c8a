// Makes mazes of a wanted difficulty: some lines can be read off, the rest is chance, and a walk that changes one
// monster at a time follows the border between too easy and ambiguous, where the puzzles are.
import type { Random } from "../../base/random.ts";
import { checkRequest } from "../notation.ts";
import { canonicalId, type Generated, GenerationError } from "../puzzle.ts";
import { Draft } from "./draft.ts";
import { deduceByLines, levelOf } from "./grading.ts";
import {
  type UndeadBoard,
  type UndeadDifficulty,
  type UndeadInstance,
  type UndeadParams,
  undeadDifficulties,
} from "./instance.ts";
import { readId, undeadForm, writeId } from "./notation.ts";
import { searchMaze } from "./search.ts";
import type { SightLines } from "./sight-lines.ts";
import { undeadLevel } from "./solver.ts";
import { images } from "./symmetry.ts";

// Effort is bounded by what is tried, not by time, so that a seed gives the same puzzle on every machine.
const mostCellsLookedAt = 20_000_000;
const searchSteps = 300;
const mazesBeforeLongerLines = 16;

/** Tatham makes no larger ones, and his limits on the length of a line suit no larger ones. */
const largestOfHis = 54;
/** A maze of n by n has 4n sightings and some 0.6 n² monsters: those of large ones cannot be told apart. */
const largestBySight = 100;

// Generating thousands of one size is the usual thing, so the latest draft is kept.
let latest: Draft | undefined;

function draftFor(width: number, height: number): Draft {
  if (latest?.lines.width !== width || latest.lines.height !== height) latest = new Draft(width, height);
  return latest;
}

export function generateUndead(params: UndeadParams, random: Random): Generated<UndeadInstance, UndeadBoard> {
  const { width, height } = params;
  checkRequest(undeadForm, params, largestBySight);
  const difficulty = params.difficulty ?? random.pick(undeadDifficulties);
  const area = width * height;
  const large = area > largestOfHis;
  const easy = difficulty === "easy";
  const changes = large ? (easy ? Math.ceil(area / 8) : 4 * area) : easy ? 6 : 30;
  // Small easy mazes are even enough, and there the time for it would be felt.
  const evening = easy && !large ? 0 : Math.ceil(area / 2);
  const draft = draftFor(width, height);
  draft.looks = 0;
  const mostLooks = Math.ceil(mostCellsLookedAt / area);
  let longest = longestLine(width, height, difficulty);
  for (let maze = 1; draft.looks + maze <= mostLooks; maze++) {
    if (!draft.layMirrors(longest, random)) {
      // On large boards mazes with short lines only are rare, so the limit gives way.
      if (maze % mazesBeforeLongerLines === 0) longest++;
      continue;
    }
    draft.fill(leftToChance(draft.lines, difficulty), random);
    if (!wander(draft, difficulty, changes, random)) continue;
    evenOut(draft, difficulty, evening, random);
    const { instance, solution } = draft.record();
    // How many passes it takes depends on the order of lines, so an image may have another level: the canonical one counts.
    // An easy maze has one in hundreds, and looking there would take longer than making it.
    if (difficulty === "normal" && undeadLevel(readId(canonicalId({ images, writeId }, instance))) !== "normal")
      continue;
    return { instance, solution, difficulty };
  }
  throw new GenerationError(
    `no ${difficulty} undead puzzle of ${width}x${height} found in ${mostLooks} looks at mazes of that size`,
  );
}

export function longestLine(width: number, height: number, difficulty: UndeadDifficulty): number {
  if (width * height > largestOfHis) return 2 * Math.max(width, height);
  if (difficulty === "easy") return Math.min(width, height) + 1;
  return difficulty === "normal" ? Math.floor((Math.max(width, height) * 3) / 2) : 9;
}

function leftToChance({ width, height, monsterCount }: SightLines, difficulty: UndeadDifficulty): number {
  if (difficulty === "easy") return 2;
  const half = Math.floor(monsterCount / 2);
  return difficulty === "normal" ? Math.min(width + height, half) : Math.max(width + height, half);
}

/** What the filling makes of the maze: the puzzle that is wanted, or else a cell that is to blame. */
function blame(draft: Draft, wanted: UndeadDifficulty, random: Random): number | undefined {
  const { lines, deduction, filling, totals } = draft;
  draft.looks++;
  deduction.begin(totals[0], totals[1], totals[2]);
  const deduced = deduceByLines(deduction);
  // Its own filling is a solution, so there is no contradiction to find.
  if (deduced === undefined) throw new Error("a maze contradicts its own filling");
  if (levelOf(deduced) === wanted && worthwhile(totals, lines.monsterCount, wanted)) {
    if (deduced.open === 0) return undefined;
    const { fillings, finished } = searchMaze(deduction, searchSteps, filling);
    if (fillings.length === 2) return draft.differingCell(fillings[0], fillings[1], random);
    return finished ? undefined : random.below(lines.monsterCount);
  }
  return deduced.open === 0 ? random.below(lines.monsterCount) : draft.openCell(random);
}

/** One kind of monster alone is no puzzle, and a tricky one has at least two of each. */
export function worthwhile(totals: ArrayLike<number>, monsters: number, wanted: UndeadDifficulty): boolean {
  const least = Math.min(totals[0], totals[1], totals[2]);
  const most = Math.max(totals[0], totals[1], totals[2]);
  return most < monsters && (wanted !== "tricky" || least >= 2);
}

function wander(draft: Draft, wanted: UndeadDifficulty, changes: number, random: Random): boolean {
  for (let change = 0; ; change++) {
    const cell = blame(draft, wanted, random);
    if (cell === undefined) return true;
    if (change === changes) return false;
    draft.change(cell, (draft.filling[cell] + 1 + random.below(2)) % 3);
  }
}

/** Tries to replace some of the most frequent monster, so that guessing it everywhere is worth as little as possible. */
function evenOut(draft: Draft, wanted: UndeadDifficulty, changes: number, random: Random): void {
  const { filling, totals, lines } = draft;
  for (let change = 0; change < changes; change++) {
    const most = totals[0] >= totals[1] && totals[0] >= totals[2] ? 0 : totals[1] >= totals[2] ? 1 : 2;
    if (totals[most] <= 0.4 * lines.monsterCount) return;
    const cell = random.below(lines.monsterCount);
    if (filling[cell] !== most) continue;
    draft.change(cell, (most + 1 + random.below(2)) % 3);
    if (blame(draft, wanted, random) !== undefined) draft.change(cell, most);
  }
}
