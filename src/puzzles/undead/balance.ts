// All sightings and totals at once: a weighted sum of them must be reachable by the cells' best candidates, whatever the
// weights. Weights that show the opposite are looked for as a perceptron would: integers throughout, so that what they
// refute is refuted exactly.
import type { Deduction } from "./deduction.ts";
import { seenFromEnd, seenFromStart } from "./sight-lines.ts";

export class Balance {
  readonly #deduction: Deduction;
  readonly #totals: readonly number[];
  readonly #startWeights: Int32Array;
  readonly #endWeights: Int32Array;
  readonly #monsterWeights = new Int32Array(3);
  readonly #shownStart: Int32Array;
  readonly #shownEnd: Int32Array;

  constructor(deduction: Deduction) {
    const { lineCount, monsterCount } = deduction.lines;
    this.#deduction = deduction;
    const totals = [...deduction.left];
    for (let monster = 0; monster < monsterCount; monster++) {
      const domain = deduction.domains[monster];
      if ((domain & (domain - 1)) === 0) totals[domain >> 1]++;
    }
    this.#totals = totals;
    this.#startWeights = new Int32Array(lineCount);
    this.#endWeights = new Int32Array(lineCount);
    this.#shownStart = new Int32Array(lineCount);
    this.#shownEnd = new Int32Array(lineCount);
  }

  /** True when some weighting proves that the domains hold no filling. */
  refutes(rounds: number): boolean {
    for (let round = 0; round < rounds; round++) {
      if (this.#adjust() < 0) return true;
    }
    return false;
  }

  /** What the best candidates exceed the weighted sum by; then moves the weights against what those candidates show. */
  #adjust(): number {
    const { lines, domains, seen } = this.#deduction;
    const { places, lineOfPlace, kinds, lineCount, monsterCount } = lines;
    const [startWeights, endWeights, monsterWeights] = [this.#startWeights, this.#endWeights, this.#monsterWeights];
    const [shownStart, shownEnd] = [this.#shownStart, this.#shownEnd];
    let slack = 0;
    for (let line = 0; line < lineCount; line++) {
      shownStart[line] = -seen[lines.startEdges[line]];
      shownEnd[line] = -seen[lines.endEdges[line]];
      slack += startWeights[line] * shownStart[line] + endWeights[line] * shownEnd[line];
    }
    const excess = [-this.#totals[0], -this.#totals[1], -this.#totals[2]];
    for (let monster = 0; monster < 3; monster++) slack += monsterWeights[monster] * excess[monster];
    for (let cell = 0; cell < monsterCount; cell++) {
      const domain = domains[cell];
      const [one, two] = [places[2 * cell], places[2 * cell + 1]];
      let best = Number.NEGATIVE_INFINITY;
      let choice = 0;
      for (let monster = 0; monster < 3; monster++) {
        if (((domain >> monster) & 1) === 0) continue;
        let weight = monsterWeights[monster];
        if (one >= 0) {
          const line = lineOfPlace[one];
          const entry = kinds[one] * 3 + monster;
          weight += startWeights[line] * seenFromStart[entry] + endWeights[line] * seenFromEnd[entry];
        }
        if (two >= 0) {
          const line = lineOfPlace[two];
          const entry = kinds[two] * 3 + monster;
          weight += startWeights[line] * seenFromStart[entry] + endWeights[line] * seenFromEnd[entry];
        }
        if (weight > best) {
          best = weight;
          choice = monster;
        }
      }
      slack += best;
      excess[choice]++;
      for (let side = 0; side < 2; side++) {
        const place = places[2 * cell + side];
        if (place < 0) break;
        const entry = kinds[place] * 3 + choice;
        shownStart[lineOfPlace[place]] += seenFromStart[entry];
        shownEnd[lineOfPlace[place]] += seenFromEnd[entry];
      }
    }
    if (slack < 0) return slack;
    for (let line = 0; line < lineCount; line++) {
      startWeights[line] -= shownStart[line];
      endWeights[line] -= shownEnd[line];
    }
    for (let monster = 0; monster < 3; monster++) monsterWeights[monster] -= excess[monster];
    return slack;
  }
}
