// The graph behind an instance: islands, the lanes between neighboring islands where bridges may run, and which lanes
// cross. Flat arrays that can be filled again and again, because a generator charts thousands of boards for one puzzle.

/** Directions from an island, in the order of `laneAt`. */
export const [left, right, up, down] = [0, 1, 2, 3] as const;

export type IslandGraph = {
  readonly width: number;
  readonly height: number;
  islandCount: number;
  laneCount: number;
  /** By island: its cell and its clue. */
  readonly cellOf: Int32Array;
  readonly clue: Int32Array;
  /** By 4 · island + direction: the lane that way and the island at its other end, or -1. */
  readonly laneAt: Int32Array;
  readonly islandAt: Int32Array;
  /** By lane: the island above or to the left, and the one below or to the right. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly horizontal: Uint8Array;
  /** By lane: the first entry of its list of crossing lanes, or -1; then by entry. */
  readonly firstCrossing: Int32Array;
  readonly nextCrossing: Int32Array;
  readonly crossingLane: Int32Array;
  /** Scratch for charting: the horizontal lane over each cell, and the last island seen in each column. */
  readonly laneOver: Int32Array;
  readonly lastInColumn: Int32Array;
};

export function emptyIslandGraph(width: number, height: number): IslandGraph {
  const area = width * height;
  const mostIslands = (area + 1) >> 1;
  return {
    width,
    height,
    islandCount: 0,
    laneCount: 0,
    cellOf: new Int32Array(mostIslands),
    clue: new Int32Array(mostIslands),
    laneAt: new Int32Array(4 * mostIslands),
    islandAt: new Int32Array(4 * mostIslands),
    from: new Int32Array(2 * mostIslands),
    to: new Int32Array(2 * mostIslands),
    horizontal: new Uint8Array(2 * mostIslands),
    firstCrossing: new Int32Array(2 * mostIslands),
    // A cell sees at most one crossing, and a crossing makes two entries.
    nextCrossing: new Int32Array(2 * area),
    crossingLane: new Int32Array(2 * area),
    laneOver: new Int32Array(area),
    lastInColumn: new Int32Array(width),
  };
}

/** Fills the graph from a grid that is non-zero where an island is. The caller sees to it that no two islands touch. */
export function buildGraph(graph: IslandGraph, clues: ArrayLike<number>): void {
  const { width, height, cellOf, clue, laneAt, islandAt, from, to, horizontal, laneOver, lastInColumn } = graph;
  const { firstCrossing, nextCrossing, crossingLane } = graph;
  let islands = 0;
  let lanes = 0;
  let crossings = 0;
  lastInColumn.fill(-1);
  laneOver.fill(-1);
  for (let y = 0, cell = 0; y < height; y++) {
    let lastInRow = -1;
    for (let x = 0; x < width; x++, cell++) {
      if (clues[cell] === 0) continue;
      const island = islands++;
      cellOf[island] = cell;
      clue[island] = clues[cell];
      laneAt[4 * island + left] = laneAt[4 * island + right] = -1;
      laneAt[4 * island + up] = laneAt[4 * island + down] = -1;
      if (lastInRow >= 0) {
        const lane = lanes++;
        from[lane] = lastInRow;
        to[lane] = island;
        horizontal[lane] = 1;
        firstCrossing[lane] = -1;
        laneAt[4 * lastInRow + right] = laneAt[4 * island + left] = lane;
        islandAt[4 * lastInRow + right] = island;
        islandAt[4 * island + left] = lastInRow;
        for (let between = cellOf[lastInRow] + 1; between < cell; between++) laneOver[between] = lane;
      }
      const above = lastInColumn[x];
      if (above >= 0) {
        const lane = lanes++;
        from[lane] = above;
        to[lane] = island;
        horizontal[lane] = 0;
        firstCrossing[lane] = -1;
        laneAt[4 * above + down] = laneAt[4 * island + up] = lane;
        islandAt[4 * above + down] = island;
        islandAt[4 * island + up] = above;
        for (let between = cellOf[above] + width; between < cell; between += width) {
          const crossed = laneOver[between];
          if (crossed < 0) continue;
          crossingLane[crossings] = crossed;
          nextCrossing[crossings] = firstCrossing[lane];
          firstCrossing[lane] = crossings++;
          crossingLane[crossings] = lane;
          nextCrossing[crossings] = firstCrossing[crossed];
          firstCrossing[crossed] = crossings++;
        }
      }
      lastInRow = lastInColumn[x] = island;
    }
  }
  graph.islandCount = islands;
  graph.laneCount = lanes;
}
