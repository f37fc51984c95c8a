// Cells by how often conflicts have touched them lately, the busiest on top: the order in which a search guesses.

const decay = 0.95;
const tooLarge = 1e100;

export class ActivityHeap {
  readonly #activity: Float64Array;
  readonly #heap: Int32Array;
  readonly #placeOf: Int32Array;
  #count = 0;
  #increment = 1;

  constructor(cells: number) {
    this.#activity = new Float64Array(cells);
    this.#heap = new Int32Array(cells);
    this.#placeOf = new Int32Array(cells).fill(-1);
  }

  insert(cell: number): void {
    if (this.#placeOf[cell] >= 0) return;
    this.#rise(cell, this.#count++);
  }

  /** Removes and returns the busiest cell; of equals, the one that came first. */
  take(): number {
    const top = this.#heap[0];
    this.#placeOf[top] = -1;
    const last = this.#heap[--this.#count];
    if (this.#count > 0) this.#sink(last);
    return top;
  }

  bump(cell: number): void {
    this.#activity[cell] += this.#increment;
    if (this.#activity[cell] > tooLarge) {
      for (let other = 0; other < this.#activity.length; other++) this.#activity[other] /= tooLarge;
      this.#increment /= tooLarge;
    }
    if (this.#placeOf[cell] >= 0) this.#rise(cell, this.#placeOf[cell]);
  }

  /** Makes all that was bumped before count for less. */
  decay(): void {
    this.#increment /= decay;
  }

  #rise(cell: number, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#activity[this.#heap[parent]] >= this.#activity[cell]) break;
      this.#put(this.#heap[parent], place);
      place = parent;
    }
    this.#put(cell, place);
  }

  #sink(cell: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && this.#activity[this.#heap[child + 1]] > this.#activity[this.#heap[child]]) child++;
      if (this.#activity[this.#heap[child]] <= this.#activity[cell]) break;
      this.#put(this.#heap[child], place);
      place = child;
    }
    this.#put(cell, place);
  }

  #put(cell: number, place: number): void {
    this.#heap[place] = cell;
    this.#placeOf[cell] = place;
  }
}
