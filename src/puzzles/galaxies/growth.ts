// Grows a random partition of a board into symmetric regions: places are visited in random order, and each either joins a
// region beside it, which may have to shift its center for that, or becomes the dot of a new one.
import type { Random } from "../../base/random.ts";

const border = -1;
const free = 0;

export class Growth {
  width = 0;
  height = 0;
  stride = 0;
  regionCount = 0;
  /** By region: its center in half-cell units, and how many cells it has. */
  x = new Int32Array(0);
  y = new Int32Array(0);
  size = new Int32Array(0);
  /** By cell, with a border around: `border`, `free`, or 1 + its region. */
  owner = new Int32Array(0);

  #firstCell = new Int32Array(0);
  #nextCell = new Int32Array(0);
  #places = new Int32Array(0);
  /** A region over half of the board leaves nothing to think about. */
  #largest = 0;
  readonly #beside = new Int32Array(6);

  /** An empty board. */
  clear(width: number, height: number): void {
    if (this.width !== width || this.height !== height) this.#layOut(width, height);
    for (let row = 1; row <= height; row++) this.owner.fill(free, row * this.stride + 1, row * this.stride + width + 1);
    this.regionCount = 0;
  }

  #layOut(width: number, height: number): void {
    const stride = width + 1;
    const cells = (height + 2) * stride + 1;
    this.width = width;
    this.height = height;
    this.stride = stride;
    this.owner = new Int32Array(cells).fill(border);
    this.#nextCell = new Int32Array(cells);
    this.#firstCell = new Int32Array(cells);
    this.x = new Int32Array(cells);
    this.y = new Int32Array(cells);
    this.size = new Int32Array(cells);
    this.#places = new Int32Array((2 * width - 1) * (2 * height - 1));
    this.#largest = 2 * Math.floor(Math.sqrt(width * height));
  }

  /** Covers every free cell. */
  fill(random: Random): void {
    const columns = 2 * this.width - 1;
    const rows = 2 * this.height - 1;
    let count = 0;
    for (let y = 1; y <= rows; y++)
      for (let x = 1; x <= columns; x++) if (this.#isFree(x, y)) this.#places[count++] = y * columns + x - 1;
    // A shuffle that visits as it goes.
    const places = this.#places;
    for (; count > 0; count--) {
      const at = random.below(count);
      const place = places[at];
      places[at] = places[count - 1];
      this.#visit((place % columns) + 1, Math.floor(place / columns), random);
    }
  }

  #visit(x: number, y: number, random: Random): void {
    if (!this.#isFree(x, y)) return;
    const between = (x & 1) + (y & 1);
    // Corners do not join: growing by four cells at once makes regions that are too large. Half of the places between two
    // cells start no region either, or dots in the middle of cells would be rare.
    if (between > 0 && this.#join(x, y, random)) return;
    if (between === 1 && random.below(2) === 0) return;
    const region = this.regionCount++;
    this.x[region] = x;
    this.y[region] = y;
    this.size[region] = 0;
    this.#firstCell[region] = -1;
    this.#takePlace(region, x, y);
  }

  /** All cells that the place touches are free. */
  #isFree(x: number, y: number): boolean {
    const { owner, stride } = this;
    const top = ((y + 1) >> 1) * stride;
    const left = (x + 1) >> 1;
    const bottom = ((y >> 1) + 1) * stride;
    const right = (x >> 1) + 1;
    return (
      owner[top + left] === free &&
      owner[top + right] === free &&
      owner[bottom + left] === free &&
      owner[bottom + right] === free
    );
  }

  #take(region: number, cell: number): void {
    if (this.owner[cell] !== free) return;
    this.owner[cell] = region + 1;
    this.size[region]++;
    this.#nextCell[cell] = this.#firstCell[region];
    this.#firstCell[region] = cell;
  }

  #takePlace(region: number, x: number, y: number): void {
    const top = ((y + 1) >> 1) * this.stride;
    const bottom = ((y >> 1) + 1) * this.stride;
    this.#take(region, top + ((x + 1) >> 1));
    this.#take(region, top + (x >> 1) + 1);
    this.#take(region, bottom + ((x + 1) >> 1));
    this.#take(region, bottom + (x >> 1) + 1);
  }

  /** Adds the one or two cells of a place to a region beside them. */
  #join(x: number, y: number, random: Random): boolean {
    const { owner, stride, size } = this;
    const beside = this.#beside;
    const one = ((y + 1) >> 1) * stride + ((x + 1) >> 1);
    const other = ((y >> 1) + 1) * stride + (x >> 1) + 1;
    let count = 0;
    for (let cell = one; ; cell = other) {
      if (owner[cell + 1] > 0) beside[count++] = owner[cell + 1] - 1;
      if (owner[cell - 1] > 0) beside[count++] = owner[cell - 1] - 1;
      if (owner[cell + stride] > 0) beside[count++] = owner[cell + stride] - 1;
      if (owner[cell - stride] > 0) beside[count++] = owner[cell - stride] - 1;
      if (cell === other) break;
    }
    if (count === 0) return false;
    let at = count > 1 ? random.below(count) : 0;
    for (let tried = 0; tried < count; tried++) {
      const region = beside[at];
      if (++at === count) at = 0;
      if (size[region] >= this.#largest) continue;
      if (this.#expand(region, one, other) || this.#shift(region, x, y, one, other)) return true;
    }
    return false;
  }

  /** With the center where it is: the mirror cells must be free or the region's own. */
  #expand(region: number, one: number, other: number): boolean {
    const oppositeOne = this.#opposite(region, one);
    if (oppositeOne < 0) return false;
    const oppositeOther = one === other ? oppositeOne : this.#opposite(region, other);
    if (oppositeOther < 0) return false;
    this.#take(region, one);
    this.#take(region, other);
    this.#take(region, oppositeOne);
    this.#take(region, oppositeOther);
    return true;
  }

  #opposite(region: number, cell: number): number {
    const column = this.x[region] + 1 - (cell % this.stride);
    if (column < 1 || column > this.width) return -1;
    const row = this.y[region] + 1 - Math.floor(cell / this.stride);
    if (row < 1 || row > this.height) return -1;
    const opposite = row * this.stride + column;
    return this.owner[opposite] === free || this.owner[opposite] === region + 1 ? opposite : -1;
  }

  /** With a new center, about which the region and the new cells together are symmetric. */
  #shift(region: number, x: number, y: number, one: number, other: number): boolean {
    const added = one === other ? 1 : 2;
    const total = this.size[region] + added;
    const sumX = this.size[region] * this.x[region] + added * x;
    const sumY = this.size[region] * this.y[region] + added * y;
    if (sumX % total !== 0 || sumY % total !== 0) return false;
    const [oldX, oldY] = [this.x[region], this.y[region]];
    this.x[region] = sumX / total;
    this.y[region] = sumY / total;
    const inside = (cell: number) => this.owner[cell] === region + 1 || cell === one || cell === other;
    let symmetric = inside(this.#opposite(region, one)) && inside(this.#opposite(region, other));
    for (let cell = this.#firstCell[region]; symmetric && cell >= 0; cell = this.#nextCell[cell])
      symmetric = inside(this.#opposite(region, cell));
    // A ring is symmetric too, but its dot would lie outside.
    if (symmetric && this.#holdsCenter(region, inside)) {
      this.#take(region, one);
      this.#take(region, other);
      return true;
    }
    this.x[region] = oldX;
    this.y[region] = oldY;
    return false;
  }

  #holdsCenter(region: number, inside: (cell: number) => boolean): boolean {
    const [x, y] = [this.x[region], this.y[region]];
    const top = ((y + 1) >> 1) * this.stride;
    const bottom = ((y >> 1) + 1) * this.stride;
    const left = (x + 1) >> 1;
    const right = (x >> 1) + 1;
    return inside(top + left) && inside(top + right) && inside(bottom + left) && inside(bottom + right);
  }

  /** Frees the cells of some regions. The last regions take their numbers, so that there are never gaps. */
  dissolve(regions: Iterable<number>): void {
    for (const region of [...regions].sort((one, other) => other - one)) {
      this.#hand(region, free);
      const last = --this.regionCount;
      if (region === last) continue;
      this.#hand(last, region + 1);
      this.x[region] = this.x[last];
      this.y[region] = this.y[last];
      this.size[region] = this.size[last];
      this.#firstCell[region] = this.#firstCell[last];
    }
  }

  #hand(region: number, owner: number): void {
    for (let cell = this.#firstCell[region]; cell >= 0; cell = this.#nextCell[cell]) this.owner[cell] = owner;
  }
}
