// Numbers for a Hitori in the making: shaded cells are laid at random, what is left takes the rows of a random Latin square,
// and each shaded cell repeats a number of its row or column.
import type { Random } from "../../base/random.ts";
import { neighborsOf, reachFrom } from "../cell-regions.ts";

/** Shaded cells are laid until this share is reached, or no more fit. */
const shadedShare = 0.32;

export function hitoriNumbers(width: number, height: number, random: Random): number[] {
  const shaded = shadedCells(width, height, random);
  const longer = Math.max(width, height);
  const count = () => random.shuffle(Array.from({ length: longer }, (_, at) => at));
  const [rows, columns, names] = [count(), count(), count()];
  const numbers = Array.from({ length: width * height }, (_, cell) => {
    const [row, column] = [Math.floor(cell / width), cell % width];
    return names[(rows[row] + columns[column]) % longer] + 1;
  });
  for (let cell = 0; cell < numbers.length; cell++) {
    if (shaded[cell] === 0) continue;
    const [row, column] = [Math.floor(cell / width), cell % width];
    const seen = Array.from({ length: width + height }, (_, at) =>
      at < width ? row * width + at : (at - width) * width + column,
    );
    // The more often a number is seen from here, the sooner it is known to be shaded.
    const times = new Map<number, number>();
    for (const other of seen)
      if (shaded[other] === 0 || other < cell) times.set(numbers[other], (times.get(numbers[other]) ?? 0) + 1);
    const likely = seen.filter((other) => shaded[other] === 0).map((other) => numbers[other]);
    const most = Math.max(...likely.map((number) => times.get(number)!));
    numbers[cell] = random.pick(likely.filter((number) => times.get(number) === most));
  }
  return numbers;
}

function shadedCells(width: number, height: number, random: Random): Uint8Array {
  const neighbors = neighborsOf(width, height);
  const shaded = new Uint8Array(width * height);
  const order = random.shuffle(Array.from(shaded.keys()));
  let count = 0;
  for (const cell of order) {
    if (count >= shadedShare * order.length) break;
    if (neighbors[cell].some((other) => shaded[other] === 1)) continue;
    shaded[cell] = 1;
    const free = (other: number) => shaded[other] === 0;
    const { reached } = reachFrom(neighbors[cell][0], neighbors, free);
    if (neighbors[cell].every((other) => reached[other] === 1)) count++;
    else shaded[cell] = 0;
  }
  return shaded;
}
