// Undead by listing every filling, with a ray walk of its own: what the solver, the judge and the generator are held to.
import type { Random } from "../../src/base/random.ts";
import type { UndeadInstance } from "../../src/puzzles/undead/index.ts";

type Sightings = UndeadInstance["sightings"];

function seenAlong(cells: readonly string[], width: number, from: readonly [number, number, number, number]): number {
  const height = cells.length / width;
  let [x, y, dx, dy] = from;
  let seen = 0;
  let mirrored = false;
  for (; x >= 0 && y >= 0 && x < width && y < height; x += dx, y += dy) {
    switch (cells[y * width + x]) {
      case "/":
        mirrored = true;
        [dx, dy] = [-dy, -dx];
        break;
      case "\\":
        mirrored = true;
        [dx, dy] = [dy, dx];
        break;
      case "Z":
        seen += 1;
        break;
      case "G":
        seen += mirrored ? 1 : 0;
        break;
      case "V":
        seen += mirrored ? 0 : 1;
        break;
    }
  }
  return seen;
}

export function sightingsOfCells(cells: readonly string[], width: number): Sightings {
  const height = cells.length / width;
  const columns = Array.from({ length: width }, (_, x) => x);
  const rows = Array.from({ length: height }, (_, y) => y);
  return {
    top: columns.map((x) => seenAlong(cells, width, [x, 0, 0, 1])),
    right: rows.map((y) => seenAlong(cells, width, [width - 1, y, -1, 0])),
    bottom: columns.map((x) => seenAlong(cells, width, [x, height - 1, 0, -1])),
    left: rows.map((y) => seenAlong(cells, width, [0, y, 1, 0])),
  };
}

const countOf = (cells: readonly string[], symbol: string) => cells.filter((cell) => cell === symbol).length;

export function totalsOfCells(cells: readonly string[]): UndeadInstance["totals"] {
  return { ghosts: countOf(cells, "G"), vampires: countOf(cells, "V"), zombies: countOf(cells, "Z") };
}

/** The instance whose solution these cells are; `given` cells keep their monsters. */
export function instanceOf(cells: readonly string[], width: number, given: ReadonlySet<number> = new Set()) {
  const shown = cells.map((cell, at) => (/[GVZ]/.test(cell) && !given.has(at) ? "." : cell)).join("");
  const sightings = sightingsOfCells(cells, width);
  return { width, height: cells.length / width, totals: totalsOfCells(cells), cells: shown, sightings };
}

/** Every filling of the open cells. */
export function* fillings(cells: string): Generator<string[]> {
  const open = [...cells].flatMap((cell, at) => (cell === "." ? [at] : []));
  for (let code = 0; code < 3 ** open.length; code++) {
    const filled = [...cells];
    for (let i = 0, rest = code; i < open.length; i++, rest = Math.floor(rest / 3)) filled[open[i]] = "GVZ"[rest % 3];
    yield filled;
  }
}

export const clueKey = (cells: readonly string[], width: number) =>
  JSON.stringify([totalsOfCells(cells), sightingsOfCells(cells, width)]);

/** All boards that keep the rules. */
export function solutionsOf(instance: UndeadInstance): string[] {
  const wanted = JSON.stringify([instance.totals, instance.sightings]);
  const found: string[] = [];
  for (const cells of fillings(instance.cells)) {
    if (clueKey(cells, instance.width) === wanted) found.push(cells.join(""));
  }
  return found;
}

/** A maze with monsters everywhere else. */
export function randomCells(width: number, height: number, random: Random, mirrors = 0.4): string[] {
  return Array.from({ length: width * height }, () => random.pick([...(random.chance(mirrors) ? "/\\" : "GVZ")]));
}

/** Some of the cells, to be given in their place. */
export function someCells(cells: readonly string[], random: Random, share: number): Set<number> {
  return new Set([...cells.keys()].filter(() => random.chance(share)));
}
