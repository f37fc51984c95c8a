// Satisfiability by conflict-driven clause learning: two watched literals, first unique implication point, learned
// clauses made shorter, activities, saved phases, Luby restarts (Eén & Sörensson, "An extensible SAT-solver", 2003).
// Knows clauses and nothing about puzzles. A rule that would take too many of them is said clause by clause, where a model breaks it.
import { ActivityHeap } from "./activity-heap.ts";

/** `2 · variable` says that it is true, one more that it is false; `literal ^ 1` is the opposite. */
export type Literal = number;

type ClauseVerdict = "model" | "refuted" | "gave-up";

/** On all that was done so far. */
type Limits = { readonly guesses?: number; readonly conflicts?: number };

// In the arena a clause is its size, a number for the learned (-1 for given ones), and its literals.
const header = 2;
const none = -1;
const conflictsPerRestart = 100;
const clauseDecay = 0.999;

export class ClauseSolver {
  /** Guesses made so far. */
  guesses = 0;
  conflicts = 0;
  readonly #variables: number;
  /** 1 true, -1 false, 0 open; by literal. */
  readonly #values: Int8Array;
  readonly #levels: Int32Array;
  readonly #reasons: Int32Array;
  readonly #phases: Uint8Array;
  readonly #trail: Int32Array;
  #trailLength = 0;
  #head = 0;
  readonly #levelStarts: number[] = [];
  #arena = new Int32Array(1 << 8);
  #arenaLength = 0;
  /** For each literal, clauses to look at when it becomes false, each followed by another of its literals. Those of two literals are written `~clause`. */
  readonly #watchers: (number[] | undefined)[];
  readonly #heap: ActivityHeap;
  readonly #seen: Uint8Array;
  #learnedActivity: number[] = [];
  #learnedIncrement = 1;
  #learnedLimit = 0;
  #contradictory = false;
  /** The reason that is false, after a conflict. */
  #conflict = none;

  /** Variables are first guessed to be false. */
  constructor(variables: number) {
    this.#variables = variables;
    this.#values = new Int8Array(2 * variables);
    this.#levels = new Int32Array(variables);
    this.#reasons = new Int32Array(variables);
    this.#phases = new Uint8Array(variables).fill(1);
    this.#trail = new Int32Array(variables);
    this.#watchers = new Array(2 * variables).fill(undefined);
    this.#heap = new ActivityHeap(variables);
    this.#seen = new Uint8Array(variables);
    for (let variable = 0; variable < variables; variable++) this.#heap.insert(variable);
  }

  /** Adds a clause of different literals. A model found before can no longer be read. */
  add(literals: readonly Literal[]): void {
    this.#backTo(0);
    const open: Literal[] = [];
    for (const literal of literals) {
      if (this.#values[literal] === 1) return;
      if (this.#values[literal] === 0) open.push(literal);
    }
    if (open.length === 0) this.#contradictory = true;
    else if (open.length === 1) {
      this.#assign(open[0], none);
      if (!this.#propagate()) this.#contradictory = true;
    } else this.#store(open, none);
  }

  /** The value of a variable in the model just found. */
  isTrue(variable: number): boolean {
    return this.#values[2 * variable] === 1;
  }

  /** Looks for a model; it can be read until something is added. */
  solve({ guesses = Number.POSITIVE_INFINITY, conflicts = Number.POSITIVE_INFINITY }: Limits): ClauseVerdict {
    this.#backTo(0);
    let restarts = 0;
    let restartAt = this.conflicts + conflictsPerRestart * luby(0);
    if (this.#learnedLimit === 0) this.#learnedLimit = 2000 + this.#arenaLength / 20;
    while (!this.#contradictory) {
      if (!this.#propagate()) {
        this.conflicts++;
        if (this.#levelStarts.length === 0) this.#contradictory = true;
        else this.#learn();
        continue;
      }
      if (this.conflicts >= restartAt) {
        restartAt = this.conflicts + conflictsPerRestart * luby(++restarts);
        this.#backTo(0);
        if (this.#learnedActivity.length > this.#learnedLimit) {
          this.#forgetHalf();
          this.#learnedLimit *= 1.1;
        }
      }
      if (this.#trailLength === this.#variables) return "model";
      if (this.guesses >= guesses || this.conflicts >= conflicts) return "gave-up";
      this.guesses++;
      const guess = this.#nextGuess();
      this.#levelStarts.push(this.#trailLength);
      this.#assign(guess, none);
    }
    return "refuted";
  }

  #nextGuess(): Literal {
    for (;;) {
      const variable = this.#heap.take();
      if (this.#values[2 * variable] === 0) return 2 * variable + this.#phases[variable];
    }
  }

  #assign(literal: Literal, reason: number): void {
    const variable = literal >> 1;
    this.#values[literal] = 1;
    this.#values[literal ^ 1] = -1;
    this.#levels[variable] = this.#levelStarts.length;
    this.#reasons[variable] = reason;
    this.#trail[this.#trailLength++] = literal;
  }

  #backTo(level: number): void {
    if (this.#levelStarts.length <= level) return;
    const start = this.#levelStarts[level];
    while (this.#trailLength > start) {
      const literal = this.#trail[--this.#trailLength];
      this.#values[literal] = 0;
      this.#values[literal ^ 1] = 0;
      this.#phases[literal >> 1] = literal & 1;
      this.#heap.insert(literal >> 1);
    }
    this.#levelStarts.length = level;
    this.#head = start;
  }

  #store(literals: ArrayLike<Literal>, learned: number): number {
    const clause = this.#arenaLength;
    const end = clause + header + literals.length;
    if (end > this.#arena.length) this.#arena = grown(this.#arena, end);
    this.#arena[clause] = literals.length;
    this.#arena[clause + 1] = learned;
    this.#arena.set(literals, clause + header);
    this.#arenaLength = end;
    const watched = literals.length === 2 ? ~clause : clause;
    this.#watch(literals[0], watched, literals[1]);
    this.#watch(literals[1], watched, literals[0]);
    return clause;
  }

  #watch(literal: Literal, clause: number, blocker: Literal): void {
    const watchers = this.#watchers[literal];
    if (watchers === undefined) this.#watchers[literal] = [clause, blocker];
    else watchers.push(clause, blocker);
  }

  /** Follows all that clauses imply; false when one has become false, which is then `#conflict`. */
  #propagate(): boolean {
    const values = this.#values;
    const arena = this.#arena;
    while (this.#head < this.#trailLength) {
      const falseLiteral = this.#trail[this.#head++] ^ 1;
      const watchers = this.#watchers[falseLiteral];
      if (watchers === undefined) continue;
      const count = watchers.length;
      let kept = 0;
      for (let index = 0; index < count; index += 2) {
        const clause: number = watchers[index];
        const blocker = watchers[index + 1];
        if (values[blocker] === 1) {
          watchers[kept++] = clause;
          watchers[kept++] = blocker;
          continue;
        }
        // Of two literals the other one is at hand, and the clause itself need not be fetched from memory.
        let other: Literal = blocker;
        if (clause >= 0) {
          const start: number = clause + header;
          if (arena[start] === falseLiteral) {
            arena[start] = arena[start + 1];
            arena[start + 1] = falseLiteral;
          }
          other = arena[start];
          if (values[other] !== 1) {
            const end = start + arena[clause];
            let place = start + 2;
            while (place < end && values[arena[place]] === -1) place++;
            if (place < end) {
              const literal = arena[place];
              arena[start + 1] = literal;
              arena[place] = falseLiteral;
              this.#watch(literal, clause, other);
              continue;
            }
          }
        }
        watchers[kept++] = clause;
        watchers[kept++] = other;
        if (values[other] === 1) continue;
        const reason = clause < 0 ? ~clause : clause;
        if (values[other] === -1) {
          for (index += 2; index < count; index++) watchers[kept++] = watchers[index];
          watchers.length = kept;
          // The literals in the order that fetching would have left: it decides which of equals is guessed next.
          arena[reason + header] = other;
          arena[reason + header + 1] = falseLiteral;
          this.#conflict = reason;
          return false;
        }
        this.#assign(other, reason);
      }
      if (kept < count) watchers.length = kept;
    }
    return true;
  }

  /** Resolves a conflict back to the one literal of the last level that explains it, learns that, and goes back. */
  #learn(): void {
    const seen = this.#seen;
    const level = this.#levelStarts.length;
    const learned: Literal[] = [0];
    let open = 0;
    let reason = this.#conflict;
    let at = this.#trailLength;
    let literal = none;
    do {
      const clauses = this.#arena;
      const learnedAs = clauses[reason + 1];
      if (learnedAs !== none) this.#learnedActivity[learnedAs] += this.#learnedIncrement;
      const end = reason + header + clauses[reason];
      for (let place = reason + header; place < end; place++) {
        const other = clauses[place];
        const variable = other >> 1;
        if (other === literal || seen[variable] === 1 || this.#levels[variable] === 0) continue;
        seen[variable] = 1;
        this.#heap.bump(variable);
        if (this.#levels[variable] === level) open++;
        else learned.push(other);
      }
      do literal = this.#trail[--at];
      while (seen[literal >> 1] === 0);
      reason = this.#reasons[literal >> 1];
      seen[literal >> 1] = 0;
      open--;
    } while (open > 0);
    learned[0] = literal ^ 1;

    const needed = learned.filter((other, index) => index === 0 || !this.#follows(other));
    for (const other of learned) seen[other >> 1] = 0;
    for (const variable of this.#followed) seen[variable] = 0;
    this.#followed.length = 0;

    let back = 0;
    for (let index = 1; index < needed.length; index++) {
      const otherLevel = this.#levels[needed[index] >> 1];
      if (otherLevel <= back) continue;
      back = otherLevel;
      [needed[1], needed[index]] = [needed[index], needed[1]];
    }
    this.#backTo(back);
    if (needed.length === 1) this.#assign(needed[0], none);
    else {
      this.#assign(needed[0], this.#store(needed, this.#learnedActivity.length));
      this.#learnedActivity.push(this.#learnedIncrement);
    }
    this.#heap.decay();
    this.#learnedIncrement /= clauseDecay;
  }

  readonly #followed: number[] = [];

  /** Whether a literal of the clause being learned is implied by the others, so that it need not be said. */
  #follows(literal: Literal): boolean {
    if (this.#reasons[literal >> 1] === none) return false;
    const { length } = this.#followed;
    const waiting = [literal >> 1];
    for (let variable = waiting.pop(); variable !== undefined; variable = waiting.pop()) {
      const reason = this.#reasons[variable];
      const clauses = this.#arena;
      const end = reason + header + clauses[reason];
      for (let place = reason + header; place < end; place++) {
        const other = clauses[place] >> 1;
        if (other === variable || this.#seen[other] === 1 || this.#levels[other] === 0) continue;
        if (this.#reasons[other] === none) {
          for (const undone of this.#followed.splice(length)) this.#seen[undone] = 0;
          return false;
        }
        this.#seen[other] = 1;
        this.#followed.push(other);
        waiting.push(other);
      }
    }
    return true;
  }

  /** Keeps the busier half of the learned clauses, and drops all that are true for good. Only before the first guess. */
  #forgetHalf(): void {
    const ranked = Float64Array.from(this.#learnedActivity).sort();
    const threshold = ranked[ranked.length >> 1];
    const old = this.#arena.slice(0, this.#arenaLength);
    const activities = this.#learnedActivity;
    // Activities only matter relative to each other, and would grow beyond all numbers.
    const scale = 1 / this.#learnedIncrement;
    this.#learnedActivity = [];
    this.#learnedIncrement = 1;
    this.#arenaLength = 0;
    this.#watchers.fill(undefined);
    for (let clause = 0; clause < old.length; clause += header + old[clause]) {
      const learned = old[clause + 1];
      const literals = old.subarray(clause + header, clause + header + old[clause]);
      if (learned !== none && literals.length > 2 && activities[learned] < threshold) continue;
      if (literals.some((literal) => this.#values[literal] === 1)) continue;
      // What is false for good goes, too; what is left has two literals or more, or propagation would have seen it.
      const open = literals.filter((literal) => this.#values[literal] === 0);
      this.#store(open, learned === none ? none : this.#learnedActivity.length);
      if (learned !== none) this.#learnedActivity.push(activities[learned] * scale);
    }
  }
}

function grown(array: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * needed);
  larger.set(array);
  return larger;
}

/** Luby's sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … */
function luby(index: number): number {
  let size = 1;
  let power = 0;
  while (size < index + 1) {
    size = 2 * size + 1;
    power++;
  }
  let left = index;
  while (size - 1 !== left) {
    size = (size - 1) >> 1;
    power--;
    left %= size;
  }
  return 2 ** power;
}
