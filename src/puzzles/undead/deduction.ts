// The state of reasoning about a maze: which monsters each cell may still hold, and which lines have something new to
// say. One workspace per maze, begun again for every set of sightings.
import { narrowLine } from "./line-domains.ts";
import type { SightLines } from "./sight-lines.ts";

/** A domain is a set of bits: 1 ghost, 2 vampire, 4 zombie. */
export const anyMonster = 7;

export class Deduction {
  readonly lines: SightLines;
  /** What is seen from each edge position, clockwise. */
  readonly seen: Int32Array;
  readonly domains: Uint8Array;
  /** How many ghosts, vampires and zombies are not yet placed. */
  readonly left: Int32Array;
  /** Cells whose monster is not known. */
  open = 0;
  /** Grows whenever a domain shrinks. */
  changes = 0;
  /** How often each line ended a branch of the search: where the trouble is. */
  readonly failures: Float64Array;
  readonly #stale: Uint8Array;
  /** Per line, when last examined: how many of its open cells could hold each monster, and the placements by then. */
  readonly #could: Int32Array;
  readonly #placementsSeen: Int32Array;
  #placements = 0;

  constructor(lines: SightLines) {
    this.lines = lines;
    this.seen = new Int32Array(2 * lines.lineCount);
    this.domains = new Uint8Array(lines.width * lines.height);
    this.left = new Int32Array(3);
    this.failures = new Float64Array(lines.lineCount).fill(1);
    this.#stale = new Uint8Array(lines.lineCount);
    this.#could = new Int32Array(3 * lines.lineCount);
    this.#placementsSeen = new Int32Array(lines.lineCount);
  }

  /** Forgets everything but the sightings. */
  begin(ghosts: number, vampires: number, zombies: number): void {
    this.domains.fill(anyMonster, 0, this.lines.monsterCount);
    this.open = this.lines.monsterCount;
    this.left[0] = ghosts;
    this.left[1] = vampires;
    this.left[2] = zombies;
    this.changes = 0;
    this.#stale.fill(1);
    this.failures.fill(1);
  }

  /** Shrinks a domain; lines other than `by` are told. */
  restrict(monster: number, domain: number, by: number): void {
    const { places, lineOfPlace } = this.lines;
    this.domains[monster] = domain;
    this.changes++;
    if ((domain & (domain - 1)) === 0) {
      this.open--;
      this.left[domain >> 1]--;
      this.#placements++;
    }
    // A cell shut in by mirrors has no line at all.
    for (let at = 2 * monster; at < 2 * monster + 2; at++) {
      const place = places[at];
      if (place < 0) return;
      const line = lineOfPlace[place];
      if (line !== by) this.#stale[line] = 1;
    }
  }

  noteCounts(line: number, ghosts: number, vampires: number, zombies: number): void {
    this.#could[3 * line] = ghosts;
    this.#could[3 * line + 1] = vampires;
    this.#could[3 * line + 2] = zombies;
  }

  #hasNews(line: number): boolean {
    if (this.#stale[line] === 1) return true;
    if (this.#placementsSeen[line] === this.#placements) return false;
    const at = 3 * line;
    const { left } = this;
    return this.#could[at] > left[0] || this.#could[at + 1] > left[1] || this.#could[at + 2] > left[2];
  }

  /** Every line once, short ones first, each knowing what the ones before it found. False on a contradiction. */
  pass(): boolean {
    const { order, lineCount } = this.lines;
    for (let i = 0; i < lineCount; i++) {
      const line = order[i];
      if (!this.#hasNews(line)) continue;
      this.#stale[line] = 0;
      if (!narrowLine(this, line)) {
        this.failures[line]++;
        return false;
      }
      this.#placementsSeen[line] = this.#placements;
    }
    return true;
  }

  /**
   * Passes until nothing changes, and what the totals alone say: a monster of which none is left is nowhere else, and
   * one that needs all of its possible cells has them. False on a contradiction.
   */
  settle(): boolean {
    for (;;) {
      const before = this.changes;
      if (!this.pass()) return false;
      if (this.changes === before && !this.#countOut()) return false;
      if (this.changes === before) return true;
    }
  }

  #countOut(): boolean {
    const { domains, left } = this;
    const count = this.lines.monsterCount;
    let [ghosts, vampires, zombies] = [0, 0, 0];
    for (let monster = 0; monster < count; monster++) {
      const domain = domains[monster];
      if ((domain & (domain - 1)) === 0) continue;
      ghosts += domain & 1;
      vampires += (domain >> 1) & 1;
      zombies += domain >> 2;
    }
    if (left[0] < 0 || left[1] < 0 || left[2] < 0) return false;
    if (ghosts < left[0] || vampires < left[1] || zombies < left[2]) return false;
    const gone =
      (left[0] === 0 && ghosts > 0 ? 1 : 0) |
      (left[1] === 0 && vampires > 0 ? 2 : 0) |
      (left[2] === 0 && zombies > 0 ? 4 : 0);
    const all = (left[0] === ghosts ? 1 : 0) | (left[1] === vampires ? 2 : 0) | (left[2] === zombies ? 4 : 0);
    if ((gone | all) === 0) return true;
    for (let monster = 0; monster < count; monster++) {
      const domain = domains[monster];
      if ((domain & (domain - 1)) === 0) continue;
      const forced = domain & all & ~gone;
      // Two monsters that both need this cell cannot both have it.
      if ((forced & (forced - 1)) !== 0) return false;
      const next = forced !== 0 ? forced : domain & ~gone;
      if (next === 0) return false;
      if (next !== domain) this.restrict(monster, next, -1);
    }
    return true;
  }

  /** Copies what is needed to come back here, once settled. */
  save(into: Uint8Array): Uint8Array {
    into.set(this.domains.subarray(0, this.lines.monsterCount));
    return into;
  }

  /** Back to a settled state, where every cell could hold at least what it can now. */
  restore(from: Uint8Array): void {
    const { domains, left } = this;
    const count = this.lines.monsterCount;
    for (let monster = 0; monster < count; monster++) {
      const now = domains[monster];
      if (now === from[monster]) continue;
      if ((now & (now - 1)) === 0) {
        left[now >> 1]++;
        this.open++;
      }
      domains[monster] = from[monster];
    }
    this.#stale.fill(0);
    // What lines could hold was noted further down; looking at all of them again when something is placed is safe.
    this.#could.fill(this.lines.monsterCount);
    this.#placementsSeen.fill(this.#placements);
  }
}
