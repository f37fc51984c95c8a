// Search where the rules stop. The open cells fall into parts that share no dot; each part is searched on its own, so that
// doubt in one corner of the board is never multiplied by doubt in another. Before it branches, a part tries every pair
// once: what leads to a contradiction goes, and what leads furthest is where to branch.
import type { PairTable } from "./pairs.ts";

/** For each of some cells, the pair that holds it. */
type Filling = readonly number[];

/** Cells that still have several pairs. */
export function openCells(table: PairTable): number[] {
  const cells: number[] = [];
  if (table.openCells === 0) return cells;
  for (let row = 1; row <= table.height; row++)
    for (let cell = row * table.stride + 1; cell <= row * table.stride + table.width; cell++)
      if (table.left[cell] > 1) cells.push(cell);
  return cells;
}

/** The pairs of a cell that are left. */
export function pairsAt(table: PairTable, cell: number): number[] {
  const { cellA, nextOfA, nextOfB, possible } = table;
  const pairs: number[] = [];
  for (let pair = table.firstOfCell[cell]; pair >= 0; pair = cellA[pair] === cell ? nextOfA[pair] : nextOfB[pair])
    if (possible[pair] === 1) pairs.push(pair);
  return pairs;
}

/** The open ones among the cells, grouped so that no dot can hold cells of two groups; the smallest group first. */
export function openParts(table: PairTable, cells: readonly number[]): number[][] {
  const joined = new Map<number, number>();
  const leader = (dot: number): number => {
    let top = dot;
    for (let up = joined.get(top); up !== undefined && up !== top; up = joined.get(top)) top = up;
    joined.set(dot, top);
    return top;
  };
  const open = cells.filter((cell) => table.left[cell] > 1);
  const someDot = open.map((cell) => {
    const [first, ...others] = pairsAt(table, cell).map((pair) => leader(table.dotOf[pair]));
    for (const other of others) joined.set(leader(other), leader(first));
    return first;
  });
  const parts = new Map<number, number[]>();
  open.forEach((cell, at) => {
    const dot = leader(someDot[at]);
    const part = parts.get(dot);
    if (part === undefined) parts.set(dot, [cell]);
    else part.push(cell);
  });
  return [...parts.values()].sort((one, other) => one.length - other.length);
}

/** What trying every pair of a part came to. */
type Tried =
  | { readonly outcome: "impossible" }
  /** Some pairs went; the rest may now fall into smaller parts. */
  | { readonly outcome: "narrowed" }
  | { readonly outcome: "undecided"; readonly branch: number };

export class Search {
  readonly #table: PairTable;
  #stepsLeft: number;

  /**
   * A step is one pair that is given to its dot to see what follows; more where a thousand pairs are looked at for that,
   * so that a budget bounds the time on boards of any size.
   */
  constructor(table: PairTable, steps: number) {
    this.#table = table;
    this.#stepsLeft = steps;
  }

  get stepsLeft(): number {
    return this.#stepsLeft;
  }

  /** The budget ran out: what was found stands, what was not found proves nothing. */
  get exhausted(): boolean {
    return this.#stepsLeft < 0;
  }

  /** Up to `wanted` fillings of the cells, which are all that is open around their dots. Leaves the table as it was. */
  fillings(cells: readonly number[], wanted: number): Filling[] {
    // Parts know nothing of each other, so that every filling of one goes with every filling of another.
    let together: ReadonlyMap<number, number>[] = [new Map()];
    for (const part of openParts(this.#table, cells)) {
      const found = this.#fillPart(part, together.length < wanted ? wanted : 1);
      if (found.length === 0) return [];
      const wider: ReadonlyMap<number, number>[] = [];
      for (const filling of found) {
        for (const others of together) {
          if (wider.length === wanted) break;
          const pairs = new Map(others);
          for (let at = 0; at < part.length; at++) pairs.set(part[at], filling[at]);
          wider.push(pairs);
        }
      }
      together = wider;
    }
    return together.map((pairs) => cells.map((cell) => pairs.get(cell) ?? this.#table.leftXor[cell]));
  }

  #fillPart(cells: readonly number[], wanted: number): Filling[] {
    const table = this.#table;
    const before = table.trailLength;
    const found: Filling[] = [];
    const tried = this.#tryPairs(cells);
    if (!this.exhausted) {
      if (tried.outcome === "narrowed") found.push(...this.fillings(cells, wanted));
      if (tried.outcome === "undecided") {
        if (this.#give(tried.branch)) found.push(...this.fillings(cells, wanted));
        table.restore(before);
        if (found.length < wanted && !this.exhausted && this.#deny(tried.branch))
          found.push(...this.fillings(cells, wanted - found.length));
      }
    }
    table.restore(before);
    return found;
  }

  #give(pair: number): boolean {
    const before = this.#table.effort;
    this.#table.force(pair);
    const sound = this.#table.propagate();
    this.#stepsLeft -= 1 + Math.floor((this.#table.effort - before) / 1000);
    return sound;
  }

  #deny(pair: number): boolean {
    return this.#table.exclude(pair) && this.#table.propagate();
  }

  #tryPairs(cells: readonly number[]): Tried {
    const table = this.#table;
    /** How many other pairs go when this one is taken. */
    const effects = new Map<number, number>();
    let narrowed = false;
    // Cells with few pairs first: what falls there spares trying the rest.
    for (const cell of cells.toSorted((one, other) => table.left[one] - table.left[other]))
      for (const pair of pairsAt(table, cell)) {
        if (effects.has(pair) || table.possible[pair] === 0 || table.left[cell] < 2) continue;
        const before = table.trailLength;
        const sound = this.#give(pair);
        effects.set(pair, table.trailLength - before);
        table.restore(before);
        if (this.exhausted) return { outcome: "narrowed" };
        if (sound) continue;
        if (!this.#deny(pair)) return { outcome: "impossible" };
        narrowed = true;
      }
    return narrowed ? { outcome: "narrowed" } : { outcome: "undecided", branch: this.#branch(cells, effects) };
  }

  /** In the cell whose least telling pair tells most, for how few pairs it has: the most telling pair. */
  #branch(cells: readonly number[], effects: ReadonlyMap<number, number>): number {
    let best = -1;
    let bestScore = -1;
    for (const cell of cells) {
      const pairs = pairsAt(this.#table, cell);
      let least = Number.POSITIVE_INFINITY;
      let most = -1;
      let telling = -1;
      for (const pair of pairs) {
        const effect = effects.get(pair)!;
        if (effect < least) least = effect;
        if (effect > most) [most, telling] = [effect, pair];
      }
      const score = (1000 * least + most) / pairs.length;
      if (score > bestScore) [bestScore, best] = [score, telling];
    }
    return best;
  }
}
