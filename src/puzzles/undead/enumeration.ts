// The whole world of the smallest size: every maze that the generator could make there, listed one by one.
import { Deduction } from "./deduction.ts";
import { cellsOnLongestLine, isBalanced } from "./draft.ts";
import { longestLine, worthwhile } from "./generator.ts";
import { deduceByLines, levelOf } from "./grading.ts";
import { fromClockwise, smallestSide, type UndeadInstance, type UndeadParams } from "./instance.ts";
import { createSightLines, setCell, sightingsOf, traceSightLines } from "./sight-lines.ts";

const symbols = [".", "\\", "/"];

/** Undefined where there are too many to list. */
export function enumerateUndead(params: UndeadParams): Iterable<UndeadInstance> | undefined {
  return params.width === smallestSide && params.height === smallestSide ? allMazes(params) : undefined;
}

function* allMazes({ width, height, difficulty }: UndeadParams): Generator<UndeadInstance> {
  const area = width * height;
  const lines = createSightLines(width, height);
  const deduction = new Deduction(lines);
  const totals = new Int32Array(3);
  for (let maze = 0; maze < 3 ** area; maze++) {
    let cells = "";
    for (let cell = 0, rest = maze; cell < area; cell++, rest = Math.floor(rest / 3)) {
      cells += symbols[rest % 3];
      setCell(lines, cell, rest % 3);
    }
    traceSightLines(lines);
    if (!isBalanced(lines)) continue;
    const count = lines.monsterCount;
    if (lines.places.subarray(0, 2 * count).some((place, at) => at % 2 === 0 && place < 0)) continue;

    for (const filling of singularFillings(count, (monsters) => {
      sightingsOf(lines, monsters, deduction.seen);
      return String.fromCharCode(...deduction.seen);
    })) {
      totals.fill(0);
      for (const monster of filling) totals[monster]++;
      sightingsOf(lines, filling, deduction.seen);
      deduction.begin(totals[0], totals[1], totals[2]);
      const level = levelOf(deduceByLines(deduction)!);
      if (difficulty !== undefined && level !== difficulty) continue;
      if (!worthwhile(totals, count, level) || cellsOnLongestLine(lines) > longestLine(width, height, level)) continue;
      const [ghosts, vampires, zombies] = totals;
      const sightings = fromClockwise(width, height, deduction.seen);
      yield { width, height, totals: { ghosts, vampires, zombies }, cells, sightings };
    }
  }
}

/** The fillings that share what they show, and their numbers of monsters, with no other. */
function singularFillings(count: number, shown: (filling: Uint8Array) => string): Uint8Array[] {
  const alone = new Map<string, Uint8Array | undefined>();
  for (let code = 0; code < 3 ** count; code++) {
    const filling = new Uint8Array(count);
    let [ghosts, vampires] = [0, 0];
    for (let cell = 0, rest = code; cell < count; cell++, rest = Math.floor(rest / 3)) {
      filling[cell] = rest % 3;
      if (rest % 3 === 0) ghosts++;
      else if (rest % 3 === 1) vampires++;
    }
    const key = String.fromCharCode(ghosts, vampires) + shown(filling);
    alone.set(key, alone.has(key) ? undefined : filling);
  }
  return [...alone.values()].filter((filling) => filling !== undefined);
}
