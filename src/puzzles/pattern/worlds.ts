// Small worlds, listed whole: every picture of a size whose clues no other picture shares.
import { patternDifficulty } from "./difficulty.ts";
import { instanceOf, type PatternInstance, type PatternParams, runsOf } from "./instance.ts";

/** The largest world that is listed in about a second: 2^16 pictures. */
const largestListedArea = 16;

/** All uniquely solvable instances of a size, those of one difficulty if it is named; undefined where they are too many. */
export function enumeratePatterns(params: PatternParams): Iterable<PatternInstance> | undefined {
  const { width, height, difficulty } = params;
  if (width * height > largestListedArea) return undefined;
  return uniqueInstances(width, height, difficulty);
}

function* uniqueInstances(width: number, height: number, difficulty: string | undefined): Generator<PatternInstance> {
  for (const picture of uniquePictures(width, height)) {
    const digits = picture.toString(2).padStart(width * height, "0");
    const instance = instanceOf(digits.replaceAll("0", ".").replaceAll("1", "#"), width, height);
    if (difficulty === undefined || patternDifficulty(instance) === difficulty) yield instance;
  }
}

/** Pictures are numbers whose binary digits are the cells. Two have the same clues iff they have the same key. */
function* uniquePictures(width: number, height: number): Generator<number> {
  const [rowClue, columnClue] = [clueNumbers(width), clueNumbers(height)];
  const rowMask = (1 << width) - 1;
  const pictures = 2 ** (width * height);
  const keyOf = (picture: number) => {
    let key = 0;
    for (let row = 0; row < height; row++) {
      key = key * rowClue.kinds + rowClue.of[(picture >> (row * width)) & rowMask];
    }
    for (let column = 0; column < width; column++) {
      let line = 0;
      for (let row = 0; row < height; row++) line |= ((picture >> (row * width + column)) & 1) << row;
      key = key * columnClue.kinds + columnClue.of[line];
    }
    return key;
  };

  // Open addressing at half load; a slot remembers the first picture of its key and whether another came.
  const slots = 2 * pictures;
  const keys = new Float64Array(slots).fill(-1);
  const shared = new Uint8Array(slots);
  const slotOf = new Int32Array(pictures);
  for (let picture = 0; picture < pictures; picture++) {
    const key = keyOf(picture);
    let slot = (Math.imul(key % 4_294_967_291, 0x9e3779b1) >>> 1) % slots;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = slot + 1 === slots ? 0 : slot + 1;
    if (keys[slot] === key) shared[slot] = 1;
    keys[slot] = key;
    slotOf[picture] = slot;
  }
  for (let picture = 0; picture < pictures; picture++) if (shared[slotOf[picture]] === 0) yield picture;
}

/** Numbers the different clues of a line: one for each line of cells, equal where the clues are. */
function clueNumbers(length: number): { readonly of: Int32Array; readonly kinds: number } {
  const numbers = new Map<string, number>();
  const of = new Int32Array(1 << length);
  for (let line = 0; line < of.length; line++) {
    const cells = line.toString(2).padStart(length, "0").replaceAll("1", "#");
    const clue = runsOf(cells, 0, 1, length).join(".");
    if (!numbers.has(clue)) numbers.set(clue, numbers.size);
    of[line] = numbers.get(clue)!;
  }
  return { of, kinds: numbers.size };
}
