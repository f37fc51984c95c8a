// Complete search for up to two fillings of a maze: deduce to a standstill, guess, and start again with what was learned
// when a guess leads nowhere for long. Early guesses far from the trouble are what makes such searches endless.
import { Balance } from "./balance.ts";
import type { Deduction } from "./deduction.ts";

type Found = {
  /** Different fillings, up to as many as were wanted: for each monster cell 0 ghost, 1 vampire, 2 zombie. */
  readonly fillings: readonly Uint8Array[];
  /** Whether everything was tried, so that there are no others than these (or these two are enough). */
  readonly finished: boolean;
  /** Guesses made. */
  readonly taken: number;
};

const stepsBeforeRestart = 100;
const restartGrowth = 1.5;
/** After a restart the instance counts as hard: this often the weights are moved at every standstill. */
const roundsPerStep = 5;

/**
 * The deduction has begun and holds the givens. A step is a guess. A filling that is already known is tried first:
 * the search then walks straight to it and looks for others around it.
 */
export function searchMaze(deduction: Deduction, steps: number, known?: Uint8Array, most = 2): Found {
  const count = deduction.lines.monsterCount;
  const fillings: Uint8Array[] = [];
  if (!deduction.settle()) return { fillings, finished: true, taken: 0 };

  const root = deduction.save(new Uint8Array(count));
  // What each cell held when the search was closest to a filling is tried first after a restart.
  const preferred = known === undefined ? new Uint8Array(count) : known.slice(0, count);
  const saved: Uint8Array[] = [];
  const guessed: number[] = [];
  const untried: number[] = [];
  let depth = -1;
  let alive = true;
  let taken = 0;
  let stretch = stepsBeforeRestart;
  let restartAt = stretch;
  let fewestOpen = count;
  let balance: Balance | undefined;
  for (;;) {
    if (alive && deduction.open === 0) {
      const filling = fillingOf(deduction);
      preferred.set(filling);
      // After a restart the search meets again what it found before.
      if (!fillings.some((found) => sameFilling(found, filling))) fillings.push(filling);
      if (fillings.length === most) return { fillings, finished: true, taken };
      alive = false;
    } else if (!alive && fillings.length === 0 && known === undefined && deduction.open < fewestOpen) {
      fewestOpen = deduction.open;
      for (let monster = 0; monster < count; monster++) {
        const domain = deduction.domains[monster];
        if ((domain & (domain - 1)) === 0) preferred[monster] = domain >> 1;
      }
    }
    if (alive) {
      depth++;
      saved[depth] = deduction.save(saved[depth] ?? new Uint8Array(count));
      guessed[depth] = cellToGuess(deduction);
      untried[depth] = deduction.domains[guessed[depth]];
    } else {
      while (depth >= 0 && untried[depth] === 0) depth--;
      if (depth < 0) return { fillings, finished: true, taken };
      deduction.restore(saved[depth]);
    }
    if (taken === steps) return { fillings, finished: false, taken };
    if (taken === restartAt) {
      stretch = Math.ceil(stretch * restartGrowth);
      restartAt += stretch;
      fewestOpen = count;
      depth = -1;
      alive = true;
      deduction.restore(root);
      balance ??= new Balance(deduction);
      if (balance.refutes(stretch)) return { fillings, finished: true, taken };
      continue;
    }
    taken++;
    const choice = 1 << preferred[guessed[depth]];
    const guess = (untried[depth] & choice) !== 0 ? choice : untried[depth] & -untried[depth];
    untried[depth] &= ~guess;
    deduction.restrict(guessed[depth], guess, -1);
    alive = deduction.settle() && !balance?.refutes(roundsPerStep);
  }
}

function fillingOf(deduction: Deduction): Uint8Array {
  const filling = deduction.domains.slice(0, deduction.lines.monsterCount);
  for (let monster = 0; monster < filling.length; monster++) filling[monster] >>= 1;
  return filling;
}

function sameFilling(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((monster, cell) => monster === other[cell]);
}

let urgency = new Float64Array(64);

/** The cell on the lines that failed most often for the open cells they have; one with two candidates before three. */
function cellToGuess(deduction: Deduction): number {
  const { lines, domains, failures } = deduction;
  if (urgency.length < lines.lineCount) urgency = new Float64Array(2 * lines.lineCount);
  for (let line = 0; line < lines.lineCount; line++) {
    let openCells = 0;
    for (let place = lines.starts[line]; place < lines.starts[line + 1]; place++) {
      const domain = domains[lines.members[place]];
      if ((domain & (domain - 1)) !== 0) openCells++;
    }
    urgency[line] = failures[line] / openCells;
  }
  let cell = -1;
  let most = -1;
  for (let monster = 0; monster < lines.monsterCount; monster++) {
    const domain = domains[monster];
    if ((domain & (domain - 1)) === 0) continue;
    const [one, two] = [lines.places[2 * monster], lines.places[2 * monster + 1]];
    const sum = (one < 0 ? 0 : urgency[lines.lineOfPlace[one]]) + (two < 0 ? 0 : urgency[lines.lineOfPlace[two]]);
    const score = domain === 7 ? sum / 3 : sum / 2;
    if (score > most) {
      most = score;
      cell = monster;
    }
  }
  return cell;
}
