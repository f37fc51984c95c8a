// Mazes too large for their sightings. A maze of n by n is seen from 4n places and hides about 0.6 n² monsters: from 16 by 16
// or so on, sightings cannot tell that many fillings apart. There, as Tatham's notation allows, some monsters are given in
// their place: as few as it takes, where doubt is, until the maze has one solution and the level that is wanted.
import type { Random } from "../../base/random.ts";
import type { Draft } from "./draft.ts";
import { type Deduced, deduceByLines, easyPasses, levelOf } from "./grading.ts";
import type { UndeadDifficulty } from "./instance.ts";
import { searchMaze } from "./search.ts";

const searchSteps = 100;
/** While lines leave many cells open, every twelfth of them is given at once, so that a large maze is soon done. */
const givenAtOnce = 1 / 12;
/** With a larger share open there are more solutions than search could tell apart. */
const mostSearchedShare = 1 / 6;
const fewCells = 40;

/** Gives monsters of the filling until the maze is as wanted. False when it came out too easy; another maze may do. */
export function giveMonsters(draft: Draft, wanted: UndeadDifficulty, random: Random): boolean {
  draft.given.fill(0);
  for (;;) {
    const cells = doubtful(draft, wanted, random);
    if (cells.length === 0) break;
    for (const cell of cells) draft.given[cell] = 1;
  }
  // The fewer are given, the more has to be found.
  if (wanted !== "easy") takeBack(draft, wanted, random);
  return levelOf(deduceWithGiven(draft)) === wanted;
}

/** Cells to give: some of those that the wanted kind of reasoning cannot decide. */
function doubtful(draft: Draft, wanted: UndeadDifficulty, random: Random): readonly number[] {
  const { deduction, filling, lines } = draft;
  const { open } = deduceWithGiven(draft, wanted === "easy" ? easyPasses : undefined);
  if (open === 0) return [];
  if (wanted !== "tricky" || open > Math.max(fewCells, lines.monsterCount * mostSearchedShare)) {
    return Array.from({ length: Math.ceil(open * givenAtOnce) }, () => draft.openCell(random));
  }
  const somewhere = draft.openCell(random);
  const { fillings, finished } = searchMaze(deduction, searchSteps, filling);
  if (fillings.length === 2) return [draft.differingCell(fillings[0], fillings[1], random)];
  return finished ? [] : [somewhere];
}

function takeBack(draft: Draft, wanted: UndeadDifficulty, random: Random): void {
  const { given, lines } = draft;
  const cells = [...given.keys()].filter((cell) => cell < lines.monsterCount && given[cell] === 1);
  for (const cell of random.shuffle(cells)) {
    given[cell] = 0;
    if (doubtful(draft, wanted, random).length > 0) given[cell] = 1;
  }
}

function deduceWithGiven(draft: Draft, mostPasses?: number): Deduced {
  const { deduction, filling, given, totals, lines } = draft;
  draft.looks++;
  deduction.begin(totals[0], totals[1], totals[2]);
  for (let cell = 0; cell < lines.monsterCount; cell++) {
    if (given[cell] === 1) deduction.restrict(cell, 1 << filling[cell], -1);
  }
  const deduced = deduceByLines(deduction, mostPasses);
  if (deduced === undefined) throw new Error("a maze contradicts its own filling");
  return deduced;
}
