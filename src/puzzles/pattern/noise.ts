// Pictures to start from: noise, smoothed over neighbors so that it clumps, and cut so that a given share is full.
import type { Random } from "../../base/random.ts";
import { empty, full } from "./mark.ts";

/**
 * How often noise is averaged over neighbors. Once is how Tatham's pictures look; not at all leaves every cell for itself.
 * Lines say less about a large board, and more where its cells clump: solvable pictures need clumps that grow with it.
 */
export function usualSmoothing(width: number, height: number): number {
  return Math.max(1, Math.round((width * height) / 900));
}

export class NoiseMaker {
  readonly #width: number;
  readonly #height: number;
  #noise: Float64Array;
  #spare: Float64Array;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#noise = new Float64Array(width * height);
    this.#spare = new Float64Array(width * height);
  }

  /** Fills `picture`; the number of full cells is what `fullPercent` says, rounded up or down by chance. */
  fill(picture: Uint8Array, smoothing: number, fullPercent: number, random: Random): void {
    const area = picture.length;
    for (let cell = 0; cell < area; cell++) this.#noise[cell] = random.uint32();
    for (let round = 0; round < smoothing; round++) {
      // Two cells side by side would become equal, and then nothing could tell them apart: a side of two stays rough.
      if (this.#width > 2) this.#smooth(1, this.#width, this.#width, this.#height);
      if (this.#height > 2) this.#smooth(this.#width, this.#height, 1, this.#width);
    }
    const wanted = (area * fullPercent) / 100;
    const fullCells = Math.floor(wanted) + (Number.isInteger(wanted) || !random.chance(wanted % 1) ? 0 : 1);
    const noise = this.#noise;
    this.#spare.set(noise);
    const cut = fullCells === 0 ? Infinity : nthSmallest(this.#spare, area - fullCells);
    for (let cell = 0; cell < area; cell++) picture[cell] = noise[cell] >= cut ? full : empty;
  }

  /** Replaces each value by the mean of itself and its neighbors along lines of `length` cells, `step` apart. */
  #smooth(step: number, length: number, lineStep: number, lines: number): void {
    const noise = this.#noise;
    const means = this.#spare;
    for (let line = 0; line < lines; line++) {
      const start = line * lineStep;
      const last = start + (length - 1) * step;
      means[start] = (noise[start] + noise[start + step]) / 2;
      for (let cell = start + step; cell < last; cell += step) {
        means[cell] = (noise[cell - step] + noise[cell] + noise[cell + step]) / 3;
      }
      means[last] = (noise[last - step] + noise[last]) / 2;
    }
    this.#noise = means;
    this.#spare = noise;
  }
}

/** The value that would stand at `rank` if the values were sorted. Reorders them. */
function nthSmallest(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left] < pivot) left++;
      while (values[right] > pivot) right--;
      if (left <= right) {
        const held = values[left];
        values[left++] = values[right];
        values[right--] = held;
      }
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank];
}
