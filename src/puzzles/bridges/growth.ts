// Solved boards that grow at random: from one island, bridge by bridge, to a connected network that fills the grid.
import type { Random } from "../../base/random.ts";
import type { BridgesParams } from "./instance.ts";

export type Layout = {
  readonly width: number;
  readonly height: number;
  /** By cell: 1 where an island is. */
  readonly island: Uint8Array;
  /** By cell: how many bridges run over it, negative for vertical ones. */
  readonly bridges: Int8Array;
  readonly islandCells: Int32Array;
  islandCount: number;
};

export function emptyLayout(width: number, height: number): Layout {
  const area = width * height;
  return {
    width,
    height,
    island: new Uint8Array(area),
    bridges: new Int8Array(area),
    islandCells: new Int32Array((area + 1) >> 1),
    islandCount: 0,
  };
}

const fewestIslands = 3;

export function islandsWanted(params: BridgesParams): number {
  return Math.max(fewestIslands, Math.floor((params.islandPercent * params.width * params.height) / 100));
}

// Growth ends early where the grid is so full that about every way from every island was tried in vain.
const failuresPerIsland = 4;

/** Clears the layout and grows a new one. False if that failed, which on narrow boards it may. */
export function growFresh(layout: Layout, params: BridgesParams, random: Random): boolean {
  layout.island.fill(0);
  layout.bridges.fill(0);
  layout.islandCount = 0;
  addIsland(layout, random.below(layout.width * layout.height));
  return growToSides(layout, params, random);
}

/**
 * Grows on from what stands, and stretches the result until an island is on each of the four sides: without that a
 * board would be a smaller one with a margin.
 */
export function growToSides(layout: Layout, params: BridgesParams, random: Random): boolean {
  growOn(layout, params, random);
  const { width, height } = layout;
  const stretched = stretch(layout, "across", random);
  const heightened = stretch(layout, "down", random);
  if (stretched === "impossible" || heightened === "impossible") return false;
  if (stretched === "done" || heightened === "done") {
    collectIslands(layout, width * height);
    growOn(layout, params, random);
  }
  return true;
}

function collectIslands(layout: Layout, area: number): void {
  layout.islandCount = 0;
  for (let cell = 0; cell < area; cell++)
    if (layout.island[cell] === 1) layout.islandCells[layout.islandCount++] = cell;
}

function addIsland(layout: Layout, cell: number): void {
  layout.island[cell] = 1;
  layout.islandCells[layout.islandCount++] = cell;
}

/** Adds islands and bridges until the wanted number of islands stands or no place is found. */
function growOn(layout: Layout, params: BridgesParams, random: Random): void {
  const { width, height, island, bridges, islandCells } = layout;
  const wanted = islandsWanted(params);
  const expansion = params.expansionPercent / 100;
  let failures = 0;
  while (layout.islandCount < wanted && failures <= failuresPerIsland * layout.islandCount + 8) {
    failures++;
    const start = islandCells[random.below(layout.islandCount)];
    const x = start % width;
    const y = (start - x) / width;
    const direction = random.below(4);
    const step = direction === 0 ? -1 : direction === 1 ? 1 : direction === 2 ? -width : width;
    const toEdge = direction === 0 ? x : direction === 1 ? width - 1 - x : direction === 2 ? y : height - 1 - y;
    let free = 0;
    while (free < toEdge && island[start + (free + 1) * step] === 0 && bridges[start + (free + 1) * step] === 0) free++;
    if (free === 0) continue;
    const reachesIsland = free < toEdge && island[start + (free + 1) * step] === 1;
    if (reachesIsland && params.loops === "allowed" && random.chance(expansion)) {
      lay(layout, start, step, free, 1 + random.below(params.maxBridges));
      failures = 0;
      continue;
    }
    // No two islands may touch: one cell of water after the start, and one before whatever island ends the stretch.
    const farthest = reachesIsland ? free - 1 : free;
    if (farthest < 2) continue;
    const distance = random.chance(expansion) ? farthest : 2 + random.below(farthest - 1);
    const cell = start + distance * step;
    if (touchesIsland(layout, cell)) continue;
    addIsland(layout, cell);
    lay(layout, start, step, distance - 1, 1 + random.below(params.maxBridges));
    failures = 0;
  }
}

function touchesIsland(layout: Layout, cell: number): boolean {
  const { width, height, island } = layout;
  const x = cell % width;
  return (
    (x > 0 && island[cell - 1] === 1) ||
    (x < width - 1 && island[cell + 1] === 1) ||
    (cell >= width && island[cell - width] === 1) ||
    (cell < width * (height - 1) && island[cell + width] === 1)
  );
}

function lay(layout: Layout, start: number, step: number, length: number, count: number): void {
  const signed = step === 1 || step === -1 ? count : -count;
  for (let i = 1; i <= length; i++) layout.bridges[start + i * step] = signed;
}

/**
 * Moves the parts of a layout apart, at random places, so that it spans the grid in one direction. Bridges across a
 * place that widens become longer. Impossible where all islands are in one line.
 */
function stretch(layout: Layout, axis: "across" | "down", random: Random): "needless" | "done" | "impossible" {
  const { width, height, island, bridges, islandCells, islandCount } = layout;
  const [length, step, lines, lineStep] = axis === "across" ? [width, 1, height, width] : [height, width, width, 1];
  const sign = axis === "across" ? 1 : -1;
  let first = length;
  let last = -1;
  for (let i = 0; i < islandCount; i++) {
    const x = islandCells[i] % width;
    const position = axis === "across" ? x : (islandCells[i] - x) / width;
    if (position < first) first = position;
    if (position > last) last = position;
  }
  if (first === 0 && last === length - 1) return "needless";
  if (first === last) return "impossible";
  // `origin[position]` is the old position that a new one copies; a widened place repeats the one before it.
  const origin: number[] = [];
  const repeats: number[] = new Array(last - first).fill(0);
  for (let extra = length - 1 - (last - first); extra > 0; extra--) repeats[random.below(repeats.length)]++;
  for (let position = first; position <= last; position++)
    for (let i = position < last ? repeats[position - first] : 0; i >= 0; i--) origin.push(position);
  const oldIsland = new Uint8Array(length);
  const oldBridges = new Int8Array(length);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let position = 0; position < length; position++) {
      oldIsland[position] = island[start + position * step];
      oldBridges[position] = bridges[start + position * step];
    }
    for (let position = 0; position < length; position++) {
      const from = origin[position];
      const cell = start + position * step;
      const widened = position > 0 && origin[position - 1] === from;
      island[cell] = widened ? 0 : oldIsland[from];
      // A bridge passes a widened place if it runs along the axis on either side of it.
      bridges[cell] = widened
        ? sign * Math.max(0, sign * oldBridges[from], sign * oldBridges[from + 1])
        : oldBridges[from];
    }
  }
  return "done";
}

/**
 * Takes away islands at the ends of the network, among those marked, each with an even chance; those that become ends
 * thereby may follow. What stands stays connected, and at least one island stands.
 */
export function prune(layout: Layout, marked: Uint8Array, random: Random): void {
  const { width, height, island, bridges, islandCells } = layout;
  for (let pass = 0; pass < 3; pass++) {
    for (let i = 0; i < layout.islandCount; i++) {
      const cell = islandCells[i];
      if (marked[cell] === 0 || layout.islandCount < 3 || random.chance(0.5)) continue;
      const x = cell % width;
      let ways = 0;
      let step = 0;
      if (x > 0 && bridges[cell - 1] > 0) [ways, step] = [ways + 1, -1];
      if (x < width - 1 && bridges[cell + 1] > 0) [ways, step] = [ways + 1, 1];
      if (cell >= width && bridges[cell - width] < 0) [ways, step] = [ways + 1, -width];
      if (cell < width * (height - 1) && bridges[cell + width] < 0) [ways, step] = [ways + 1, width];
      if (ways !== 1) continue;
      island[cell] = 0;
      for (let at = cell + step; island[at] === 0; at += step) bridges[at] = 0;
      islandCells[i--] = islandCells[--layout.islandCount];
    }
  }
}
