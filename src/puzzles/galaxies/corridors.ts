// A rule for search alone, beyond what grading calls normal: when all ways from a dot to a cell that it holds pass through
// one pair, the dot holds that pair too. By Tarjan's lowpoints, over the graph of a dot's pairs with the dot as its root.
import type { PairTable } from "./pairs.ts";

export class Corridors {
  /** By pair: when the walk met it, the earliest pair that its subtree touches, where it came from, where it looks next. */
  #met = new Int32Array(0);
  #low = new Int32Array(0);
  #from = new Int32Array(0);
  #direction = new Uint8Array(0);
  /** By pair: whether the dot holds it or something beyond it in the walk. */
  #needed = new Uint8Array(0);

  /** Forces every pair of the dot that something it holds hangs on. */
  claim(table: PairTable, dot: number): void {
    if (!worthwhile(table, dot)) return;
    const { possible, neighbors } = table;
    const first = table.firstOfDot[dot];
    const rootEnd = table.rootEnd[dot];
    if (this.#met.length < table.cellA.length) this.#grow(table.cellA.length);
    const met = this.#met;
    const low = this.#low;
    const from = this.#from;
    const direction = this.#direction;
    const needed = this.#needed;
    met.fill(0, first, table.firstOfDot[dot + 1]);
    const atDot = 1;
    let clock = atDot;
    for (let root = first; root < rootEnd; root++) {
      if (possible[root] === 0 || met[root] !== 0) continue;
      let pair = root;
      from[pair] = -1;
      for (;;) {
        if (met[pair] === 0) {
          met[pair] = ++clock;
          low[pair] = pair < rootEnd ? atDot : clock;
          needed[pair] = held(table, pair) ? 1 : 0;
          direction[pair] = 0;
        }
        if (direction[pair] < 4) {
          const next = neighbors[4 * pair + direction[pair]++];
          if (next < 0 || possible[next] === 0) continue;
          if (met[next] === 0) {
            from[next] = pair;
            pair = next;
          } else if (next !== from[pair] && met[next] < low[pair]) low[pair] = met[next];
          continue;
        }
        const back = from[pair];
        if (back < 0) break;
        if (low[pair] < low[back]) low[back] = low[pair];
        if (needed[pair] === 1) {
          if (low[pair] >= met[back] && !held(table, back)) table.force(back);
          needed[back] = 1;
        }
        pair = back;
      }
    }
  }

  #grow(size: number): void {
    this.#met = new Int32Array(size);
    this.#low = new Int32Array(size);
    this.#from = new Int32Array(size);
    this.#direction = new Uint8Array(size);
    this.#needed = new Uint8Array(size);
  }
}

function held(table: PairTable, pair: number): boolean {
  return table.left[table.cellA[pair]] === 1;
}

/** The dot holds something that does not touch it, and is in doubt about something else. */
function worthwhile(table: PairTable, dot: number): boolean {
  const end = table.firstOfDot[dot + 1];
  let far = false;
  let doubt = false;
  for (let pair = table.firstOfDot[dot]; pair < end && !(far && doubt); pair++) {
    if (table.possible[pair] === 0) continue;
    if (!held(table, pair)) doubt = true;
    else if (pair >= table.rootEnd[dot]) far = true;
  }
  return far && doubt;
}
