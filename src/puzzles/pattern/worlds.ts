// Small worlds: every picture of a size, as the clues that it has.
import { instanceOf, type PatternInstance, type PatternParams } from "./instance.ts";

/** The largest world that is listed in seconds: 2^16 pictures. */
const largestListedArea = 16;

export function patternBoards({ width, height }: PatternParams): Iterable<PatternInstance> | undefined {
  return width * height > largestListedArea ? undefined : pictures(width, height);
}

function* pictures(width: number, height: number): Generator<PatternInstance> {
  const area = width * height;
  for (let picture = 0; picture < 2 ** area; picture++)
    yield instanceOf(picture.toString(2).padStart(area, "0").replaceAll("0", ".").replaceAll("1", "#"), width, height);
}
