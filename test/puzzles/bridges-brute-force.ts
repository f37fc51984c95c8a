// All solutions of a small Bridges board by trying every number of bridges on every pair of islands that see each other.
// Shares nothing with the solver: its own geometry, its own connectivity, no propagation beyond "already too many".
import type { BridgesInstance } from "../../src/puzzles/bridges/index.ts";

type Way = { readonly a: number; readonly b: number; readonly cells: readonly number[]; readonly vertical: boolean };

const across = [".", "-", "=", "~", "%"];
const upright = [".", "|", "#", "!", "$"];
const digits = ".123456789ABCDEFG";

function waysOf({ width, height, clues }: BridgesInstance): Way[] {
  const ways: Way[] = [];
  for (let cell = 0; cell < width * height; cell++) {
    if (clues[cell] === 0) continue;
    for (const vertical of [false, true]) {
      const step = vertical ? width : 1;
      const end = vertical ? width * height : (Math.floor(cell / width) + 1) * width;
      const cells: number[] = [];
      let at = cell + step;
      while (at < end && clues[at] === 0) {
        cells.push(at);
        at += step;
      }
      if (at < end && cells.length > 0) ways.push({ a: cell, b: at, cells, vertical });
    }
  }
  return ways;
}

/** Every solution as its cells joined into one string. */
export function bruteForceSolutions(instance: BridgesInstance): string[] {
  const { clues, maxBridges, loops } = instance;
  const ways = waysOf(instance);
  const islands = clues.flatMap((clue, cell) => (clue > 0 ? [cell] : []));
  const left = [...clues];
  const cells = clues.map((clue) => digits[clue]);
  const chosen: Way[] = [];
  const solutions: string[] = [];

  const connected = () => {
    const reached = new Set([islands[0]]);
    for (let grew = true; grew; ) {
      grew = false;
      for (const { a, b } of chosen) {
        if (reached.has(a) === reached.has(b)) continue;
        reached.add(a).add(b);
        grew = true;
      }
    }
    return reached.size === islands.length;
  };

  const lastUse = new Map<number, number>();
  ways.forEach(({ a, b }, index) => {
    lastUse.set(a, index);
    lastUse.set(b, index);
  });
  const settled = ways.map((_, index) => islands.filter((cell) => lastUse.get(cell) === index));
  if (islands.some((cell) => !lastUse.has(cell))) return [];

  const choose = (index: number): void => {
    if (index === ways.length) {
      if (connected() && (loops === "allowed" || chosen.length === islands.length - 1)) solutions.push(cells.join(""));
      return;
    }
    const way = ways[index];
    const most = Math.min(maxBridges, left[way.a], left[way.b]);
    for (let count = 0; count <= most; count++) {
      if (count > 0 && way.cells.some((cell) => cells[cell] !== ".")) break;
      left[way.a] -= count;
      left[way.b] -= count;
      if (settled[index].every((cell) => left[cell] === 0)) {
        if (count > 0) {
          for (const cell of way.cells) cells[cell] = (way.vertical ? upright : across)[count];
          chosen.push(way);
        }
        choose(index + 1);
        if (count > 0) {
          for (const cell of way.cells) cells[cell] = ".";
          chosen.pop();
        }
      }
      left[way.a] += count;
      left[way.b] += count;
    }
  };
  choose(0);
  return solutions;
}
