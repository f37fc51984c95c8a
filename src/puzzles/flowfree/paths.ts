// Flow Free in the making: the grid is filled with paths that nowhere touch themselves, one growing after the other. Where
// one comes out too short, it and a neighbor of it are laid again.
import type { Random } from "../../base/random.ts";
import { neighborsOf } from "../cell-regions.ts";

const nobody = -1;
/** Shorter ones are nothing to find. */
const shortestPath = 3;
const mostRepairs = 200;

/** Paths as cells from end to end, covering the grid; nothing where this try ended with a hole. */
export function pathsOver(width: number, height: number, random: Random): number[][] | undefined {
  const neighbors = neighborsOf(width, height);
  const owner = new Int32Array(width * height).fill(nobody);
  /** By their number; those that were taken away again are empty. */
  const paths: number[][] = [];
  const order = random.shuffle(Array.from(owner.keys()));
  const free = (cell: number) => owner[cell] === nobody;
  const room = (cell: number) => neighbors[cell].filter(free).length;
  const touches = (cell: number, path: number) => neighbors[cell].filter((other) => owner[other] === path);
  const give = (cells: readonly number[], path: number) => {
    for (const cell of cells) owner[cell] = path;
  };

  const fill = () => {
    for (let open = order.filter(free); open.length > 0; open = open.filter(free)) {
      const name = paths.length;
      // Where there is least room a path has to begin soon, and to go on.
      const path = [open.reduce((least, cell) => (room(cell) < room(least) ? cell : least))];
      const longest = shortestPath + random.below(2 * (width + height));
      give(path, name);
      for (let turned = 0; turned < 2; path.reverse(), turned++)
        for (;;) {
          const ways = neighbors[path[path.length - 1]].filter(
            (cell) => free(cell) && touches(cell, name).length === 1,
          );
          if (ways.length === 0 || path.length === longest) break;
          const least = Math.min(...ways.map(room));
          const next = random.pick(random.chance(0.8) ? ways.filter((cell) => room(cell) === least) : ways);
          owner[next] = name;
          path.push(next);
        }
      paths.push(path);
    }
  };

  /** Puts a short path to the end of another one that it touches with one end alone; whether there is such a one. */
  const join = (name: number): boolean => {
    const path = paths[name];
    for (const [host, other] of paths.entries()) {
      const meeting = path.flatMap((cell) => touches(cell, host).map((beside) => [cell, beside] as const));
      if (host === name || meeting.length !== 1) continue;
      const [[own, its]] = meeting;
      if (own !== path[path.length - 1] && own !== path[0]) continue;
      if (its !== other[other.length - 1] && its !== other[0]) continue;
      if (own !== path[0]) path.reverse();
      if (its === other[0]) other.reverse();
      other.push(...path);
      give(path, host);
      paths[name] = [];
      return true;
    }
    return false;
  };

  fill();
  for (let repairs = 0; repairs < mostRepairs; repairs++) {
    const short = paths.findIndex((path, name) => path.length > 0 && path.length < shortestPath && !join(name));
    if (short < 0) return paths.filter((path) => path.length > 0);
    const beside = paths[short].flatMap((cell) => neighbors[cell].map((other) => owner[other]));
    for (const name of [short, random.pick(beside.filter((name) => name !== short))]) {
      give(paths[name], nobody);
      paths[name] = [];
    }
    fill();
  }
  return undefined;
}
