// What each dot may still hold, and what follows from that. Cells come in pairs that mirror each other in a dot; a dot
// holds both or neither. A solution picks pairs so that every cell is in exactly one and every region hangs together.
//
// Three rules, which are also what grading calls normal: a pair goes when one of its cells is another dot's, a cell with a
// single pair left gets it, and a pair goes when its dot can no longer reach it. They are monotone, so their end does not
// depend on the order in which they are applied, and mirror images of a puzzle get the same grade.

/** Cells have a border of their own around them, so that a step over the edge is a cell like any other, only blocked. */
const border = -1;
const free = 0;

/** A table to load, propagate, branch and take back. One is loaded again and again, because making one costs more. */
export class PairTable {
  width = 0;
  height = 0;
  dotCount = 0;
  pairCount = 0;
  /** Steps from a cell to the one below; to the right is 1. */
  stride = 0;
  /** Cells outside all dots that still have several pairs. */
  openCells = 0;

  /** By cell: `border`, `free`, or 1 + the dot that lies on it. */
  under = new Int32Array(0);
  /** By cell: its pairs that are left, their number and their ids xor-ed, which for a single one is the pair itself. */
  left = new Int32Array(0);
  leftXor = new Int32Array(0);
  /** By cell: the first of its pairs; `nextOfA` and `nextOfB` lead on. */
  firstOfCell = new Int32Array(0);

  /** By dot: its pairs are firstOfDot[d] … firstOfDot[d+1]−1, and those before rootEnd[d] touch the cells under it. */
  firstOfDot = new Int32Array(0);
  rootEnd = new Int32Array(0);
  /** By dot: cell + mirrored cell. */
  mirror = new Int32Array(0);
  #pairsLeft = new Int32Array(0);
  #waiting = new Uint8Array(0);
  #queue = new Int32Array(0);

  /** By pair. */
  cellA = new Int32Array(0);
  cellB = new Int32Array(0);
  dotOf = new Int32Array(0);
  nextOfA = new Int32Array(0);
  nextOfB = new Int32Array(0);
  possible = new Uint8Array(0);
  /** Four a pair: the pair of the same dot that lies next to cell A in each direction, or −1. */
  neighbors = new Int32Array(0);
  #seen = new Int32Array(0);
  #reached = new Int32Array(0);
  #forced = new Int32Array(0);
  #forcedCount = 0;

  /** Pairs that went, in order, so that they can come back. */
  trail = new Int32Array(0);
  trailLength = 0;

  /** Pairs looked at since the table was made, as a measure of effort that is the same on every machine. */
  effort = 0;

  #flood = 0;
  #queued = 0;

  /**
   * Sets out the dots (in half-cell units) and all pairs they can reach. False when no solution exists: two dots share
   * a cell, or no dot reaches some cell.
   */
  load(width: number, height: number, dotCount: number, xs: ArrayLike<number>, ys: ArrayLike<number>): boolean {
    this.#layOut(width, height, dotCount);
    for (let dot = 0; dot < dotCount; dot++) if (!this.#placeDot(dot, xs[dot], ys[dot])) return false;
    for (let dot = 0; dot < dotCount; dot++) this.#findPairs(dot, xs[dot], ys[dot]);
    this.firstOfDot[dotCount] = this.pairCount;

    const { under, left, leftXor } = this;
    for (let row = 1; row <= height; row++) {
      const end = row * this.stride + width;
      for (let cell = row * this.stride + 1; cell <= end; cell++) {
        if (under[cell] !== free) continue;
        if (left[cell] === 0) return false;
        if (left[cell] === 1) this.#forced[this.#forcedCount++] = leftXor[cell];
        else this.openCells++;
      }
    }
    return true;
  }

  #layOut(width: number, height: number, dotCount: number): void {
    const stride = width + 1;
    const cells = (height + 2) * stride + 1;
    if (this.under.length < cells) {
      this.under = new Int32Array(cells);
      this.left = new Int32Array(cells);
      this.leftXor = new Int32Array(cells);
      this.firstOfCell = new Int32Array(cells);
      this.#queue = new Int32Array(cells);
      this.firstOfDot = new Int32Array(cells);
      this.rootEnd = new Int32Array(cells);
      this.mirror = new Int32Array(cells);
      this.#pairsLeft = new Int32Array(cells);
      this.#waiting = new Uint8Array(cells);
    }
    this.width = width;
    this.height = height;
    this.stride = stride;
    const { under, left, leftXor, firstOfCell } = this;
    under.fill(border, 0, cells);
    left.fill(0, 0, cells);
    leftXor.fill(0, 0, cells);
    firstOfCell.fill(-1, 0, cells);
    for (let row = 1; row <= height; row++) under.fill(free, row * stride + 1, row * stride + width + 1);
    this.#waiting.fill(0, 0, dotCount);
    this.dotCount = dotCount;
    this.pairCount = 0;
    this.trailLength = 0;
    this.openCells = 0;
    this.#forcedCount = 0;
    this.#queued = 0;
    if (this.#flood > 1_000_000_000) {
      this.#flood = 0;
      this.#seen.fill(0);
    }
  }

  #placeDot(dot: number, x: number, y: number): boolean {
    const { under, stride } = this;
    const top = ((y + 1) >> 1) * stride;
    const left = (x + 1) >> 1;
    const bottom = ((y >> 1) + 1) * stride;
    const right = (x >> 1) + 1;
    const corners = under[top + left] | under[top + right] | under[bottom + left] | under[bottom + right];
    if (corners !== free) return false;
    under[top + left] = under[top + right] = under[bottom + left] = under[bottom + right] = dot + 1;
    this.mirror[dot] = top + left + bottom + right;
    return true;
  }

  /** Walks outwards from the dot over cells that are free and whose mirror cells are; the walk also links the pairs. */
  #findPairs(dot: number, x: number, y: number): void {
    const stride = this.stride;
    const mirror = this.mirror[dot];
    const first = this.pairCount;
    this.firstOfDot[dot] = first;
    const top = ((y + 1) >> 1) * stride;
    const left = (x + 1) >> 1;
    const bottom = ((y >> 1) + 1) * stride;
    const right = (x >> 1) + 1;
    // One half of what the dot lies on is enough: the other half's surroundings are the mirror image.
    this.#enter(dot, mirror, first, top + left);
    if (top !== bottom && left !== right) this.#enter(dot, mirror, first, top + right);
    this.rootEnd[dot] = this.pairCount;
    for (let pair = first; pair < this.pairCount; pair++) {
      const cell = this.cellA[pair];
      const links = 4 * pair;
      const right = this.#pairAt(dot, mirror, first, cell + 1);
      const left = this.#pairAt(dot, mirror, first, cell - 1);
      const below = this.#pairAt(dot, mirror, first, cell + stride);
      const above = this.#pairAt(dot, mirror, first, cell - stride);
      const neighbors = this.neighbors;
      neighbors[links] = right;
      neighbors[links + 1] = left;
      neighbors[links + 2] = below;
      neighbors[links + 3] = above;
    }
    this.#pairsLeft[dot] = this.pairCount - first;
  }

  #enter(dot: number, mirror: number, first: number, cell: number): void {
    this.#pairAt(dot, mirror, first, cell + 1);
    this.#pairAt(dot, mirror, first, cell - 1);
    this.#pairAt(dot, mirror, first, cell + this.stride);
    this.#pairAt(dot, mirror, first, cell - this.stride);
  }

  /** The dot's pair that holds the cell, made when the cell is met for the first time; −1 when it cannot hold it. */
  #pairAt(dot: number, mirror: number, first: number, cell: number): number {
    const { under, firstOfCell } = this;
    if (under[cell] !== free) return -1;
    // The newest pair of a cell is at the head of its list, so a pair of this dot could only be there.
    const head = firstOfCell[cell];
    if (head >= first) return head;
    const opposite = mirror - cell;
    if (under[opposite] !== free) return -1;
    const pair = this.pairCount++;
    if (pair === this.cellA.length) this.#grow();
    this.cellA[pair] = cell;
    this.cellB[pair] = opposite;
    this.dotOf[pair] = dot;
    this.possible[pair] = 1;
    this.nextOfA[pair] = head;
    this.nextOfB[pair] = firstOfCell[opposite];
    firstOfCell[cell] = firstOfCell[opposite] = pair;
    this.left[cell]++;
    this.left[opposite]++;
    this.leftXor[cell] ^= pair;
    this.leftXor[opposite] ^= pair;
    return pair;
  }

  #grow(): void {
    const size = Math.max(256, 2 * this.cellA.length);
    const wider = (old: Int32Array<ArrayBuffer>, length: number) => {
      const array = new Int32Array(length);
      array.set(old);
      return array;
    };
    this.cellA = wider(this.cellA, size);
    this.cellB = wider(this.cellB, size);
    this.dotOf = wider(this.dotOf, size);
    this.nextOfA = wider(this.nextOfA, size);
    this.nextOfB = wider(this.nextOfB, size);
    this.neighbors = wider(this.neighbors, 4 * size);
    this.#seen = wider(this.#seen, size);
    this.#reached = new Int32Array(size);
    // Every cell asks at most once per branch, and one answer may stand for two cells.
    this.#forced = wider(this.#forced, 2 * size);
    this.trail = wider(this.trail, size);
    const possible = new Uint8Array(size);
    possible.set(this.possible);
    this.possible = possible;
  }

  /** Rules to their end. False when they show that there is no solution; then only `restore` makes sense. */
  propagate(): boolean {
    for (;;) {
      while (this.#forcedCount > 0) {
        const pair = this.#forced[--this.#forcedCount];
        if (!this.#clear(this.cellA[pair], pair) || !this.#clear(this.cellB[pair], pair)) return this.#stop();
      }
      if (this.#queued === 0) return true;
      const dot = this.#queue[--this.#queued];
      this.#waiting[dot] = 0;
      if (!this.#reach(dot)) return this.#stop();
    }
  }

  #stop(): false {
    this.#forcedCount = 0;
    while (this.#queued > 0) this.#waiting[this.#queue[--this.#queued]] = 0;
    return false;
  }

  /** Gives a pair's cells to its dot; `propagate` draws the consequences. */
  force(pair: number): void {
    this.#forced[this.#forcedCount++] = pair;
  }

  /** Takes a pair away; `propagate` draws the consequences. False when a cell is left with none. */
  exclude(pair: number): boolean {
    return this.#drop(pair) || this.#stop();
  }

  /** Undoes everything since the trail was this long. */
  restore(trailLength: number): void {
    const { trail, possible, cellA, cellB, left, leftXor, dotOf } = this;
    for (let at = this.trailLength - 1; at >= trailLength; at--) {
      const pair = trail[at];
      const a = cellA[pair];
      const b = cellB[pair];
      possible[pair] = 1;
      this.#pairsLeft[dotOf[pair]]++;
      leftXor[a] ^= pair;
      leftXor[b] ^= pair;
      if (++left[a] === 2) this.openCells++;
      if (++left[b] === 2) this.openCells++;
    }
    this.trailLength = trailLength;
  }

  #clear(cell: number, keep: number): boolean {
    const { left, cellA, nextOfA, nextOfB, possible } = this;
    if (left[cell] < 2) return true;
    for (let pair = this.firstOfCell[cell]; pair >= 0; pair = cellA[pair] === cell ? nextOfA[pair] : nextOfB[pair]) {
      if (pair === keep || possible[pair] === 0) continue;
      if (!this.#drop(pair)) return false;
      if (left[cell] === 1) break;
    }
    return true;
  }

  #drop(pair: number): boolean {
    const { left, leftXor } = this;
    const a = this.cellA[pair];
    const b = this.cellB[pair];
    const dot = this.dotOf[pair];
    this.possible[pair] = 0;
    this.trail[this.trailLength++] = pair;
    this.#pairsLeft[dot]--;
    leftXor[a] ^= pair;
    leftXor[b] ^= pair;
    const leftA = --left[a];
    const leftB = --left[b];
    if (leftA === 1) {
      this.openCells--;
      this.#forced[this.#forcedCount++] = leftXor[a];
    }
    if (leftB === 1) {
      this.openCells--;
      this.#forced[this.#forcedCount++] = leftXor[b];
    }
    if (this.#waiting[dot] === 0) {
      this.#waiting[dot] = 1;
      this.#queue[this.#queued++] = dot;
    }
    return leftA > 0 && leftB > 0;
  }

  /** Drops the pairs of a dot that no path of its pairs joins to it. */
  #reach(dot: number): boolean {
    const { possible } = this;
    const neighbors = this.neighbors;
    const seen = this.#seen;
    const reached = this.#reached;
    const flood = ++this.#flood;
    const first = this.firstOfDot[dot];
    const end = this.firstOfDot[dot + 1];
    let count = 0;
    for (let pair = first; pair < this.rootEnd[dot]; pair++) {
      if (possible[pair] === 0) continue;
      seen[pair] = flood;
      reached[count++] = pair;
    }
    for (let at = 0; at < count; at++) {
      const links = 4 * reached[at];
      for (let link = links; link < links + 4; link++) {
        const pair = neighbors[link];
        if (pair < 0 || possible[pair] === 0 || seen[pair] === flood) continue;
        seen[pair] = flood;
        reached[count++] = pair;
      }
    }
    this.effort += count;
    if (count === this.#pairsLeft[dot]) return true;
    // What goes now was out of reach, so the dot need not look again on its account.
    this.#waiting[dot] = 1;
    let sound = true;
    for (let pair = first; sound && pair < end; pair++)
      if (possible[pair] === 1 && seen[pair] !== flood) sound = this.#drop(pair);
    this.#waiting[dot] = 0;
    return sound;
  }
}
