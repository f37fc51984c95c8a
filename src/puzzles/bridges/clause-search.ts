// Search that learns from dead ends (conflict-driven clause learning, after Marques-Silva and Sakallah's GRASP and
// Chaff's watched literals). The rules of the puzzle come from a `Theory`, which explains each of its inferences by a clause.

/** A variable v is true as literal 2v, false as 2v + 1. */
export type Literal = number;
export const negation = (literal: Literal): Literal => literal ^ 1;

export interface Theory {
  /** A literal has become true, or is open again. */
  assigned(literal: Literal): void;
  unassigned(literal: Literal): void;
  /** Infers through `search.infer`; false as soon as that reports a conflict. Called until it infers nothing new. */
  propagate(search: ClauseSearch): boolean;
}

type SearchOutcome = "satisfied" | "impossible" | "gave-up";

const decided = -1;
const activityDecay = 0.95;
const restartUnit = 64;

export class ClauseSearch {
  readonly variableCount: number;
  /** Where a theory writes the clause it infers from: the new literal first, then literals that are all false now. */
  readonly inferred: Int32Array;
  /** Dead ends met so far, over all calls. */
  conflicts = 0;

  readonly #theory: Theory;
  readonly #values: Int8Array;
  readonly #levels: Int32Array;
  /** By variable: where its reason starts in the clause pool, or `decided`. */
  readonly #reasons: Int32Array;
  readonly #trail: Int32Array;
  #trailLength = 0;
  #handled = 0;
  readonly #levelStarts: number[] = [];

  /** Clauses one after another, each as its length and then its literals. Learned ones stay; explanations go with their level. */
  #pool = new Int32Array(256);
  #poolLength = 0;
  #explanations = new Int32Array(1024);
  #explanationLength = 0;
  readonly #levelExplanations: number[] = [];
  /** By literal: the learned clauses to look at when it becomes false, once there are any. */
  readonly #watchers: (number[] | undefined)[];
  #conflict = 0;

  readonly #activity: Float64Array;
  #activityStep = 1;
  readonly #phases: Int8Array;
  #open: Int32Array;
  readonly #seen: Uint8Array;
  #rootImpossible = false;

  constructor(variableCount: number, theory: Theory) {
    this.variableCount = variableCount;
    this.#theory = theory;
    this.inferred = new Int32Array(variableCount + 2);
    this.#values = new Int8Array(variableCount);
    this.#levels = new Int32Array(variableCount);
    this.#reasons = new Int32Array(variableCount);
    this.#trail = new Int32Array(variableCount);
    this.#watchers = new Array(2 * variableCount).fill(undefined);
    this.#activity = new Float64Array(variableCount);
    this.#phases = new Int8Array(variableCount);
    this.#seen = new Uint8Array(variableCount);
    this.#open = new Int32Array(variableCount);
    for (let variable = 0; variable < variableCount; variable++) this.#open[variable] = variable;
  }

  /** 1 for true, -1 for false, 0 for open. */
  value(literal: Literal): number {
    const value = this.#values[literal >> 1];
    return (literal & 1) === 0 ? value : -value;
  }

  /** Whether the literal is true whatever is decided. */
  settled(literal: Literal): boolean {
    return this.value(literal) === 1 && this.#levels[literal >> 1] === 0;
  }

  /**
   * The theory's inference: the first `length` literals of `inferred` form a clause of which all but the first are false.
   * No literals at all say that the rules cannot be kept whatever is decided.
   */
  infer(length: number): boolean {
    const literal = this.inferred[0];
    const value = length === 0 ? -1 : this.value(literal);
    if (value === 1) return true;
    if (this.#explanationLength + length + 1 > this.#explanations.length)
      this.#explanations = grown(this.#explanations, this.#explanationLength + length + 1);
    const at = this.#explanationLength;
    this.#explanations[at] = length;
    for (let i = 0; i < length; i++) this.#explanations[at + 1 + i] = this.inferred[i];
    this.#explanationLength += length + 1;
    if (value === 0) {
      this.#assign(literal, explanationReason(at));
      return true;
    }
    this.#conflict = explanationReason(at);
    return false;
  }

  /** Looks for an assignment that keeps all rules, with the assumption if one is given. On success the values stay readable. */
  search(conflictBudget: number, assumption?: Literal): SearchOutcome {
    this.#backtrack(0);
    let untilRestart = restartUnit;
    let restarts = 0;
    for (;;) {
      if (this.#rootImpossible) return "impossible";
      if (!this.#propagate()) {
        this.conflicts++;
        untilRestart--;
        if (this.#levelStarts.length === 0) {
          this.#rootImpossible = true;
          return "impossible";
        }
        this.#learn();
        if (this.conflicts >= conflictBudget) return "gave-up";
        continue;
      }
      if (untilRestart <= 0) {
        this.#backtrack(0);
        untilRestart = restartUnit * luby(++restarts);
      }
      if (this.#levelStarts.length === 0) {
        this.#dropSettled();
        if (assumption !== undefined) {
          const value = this.value(assumption);
          if (value === -1) return "impossible";
          if (value === 0) {
            this.#decide(assumption);
            continue;
          }
        }
      }
      const next = this.#mostActive();
      if (next < 0) return "satisfied";
      this.#decide(2 * next + (this.#phases[next] < 0 ? 1 : 0));
    }
  }

  #decide(literal: Literal): void {
    this.#levelStarts.push(this.#trailLength);
    this.#levelExplanations.push(this.#explanationLength);
    this.#assign(literal, decided);
  }

  #assign(literal: Literal, reason: number): void {
    const variable = literal >> 1;
    this.#values[variable] = (literal & 1) === 0 ? 1 : -1;
    this.#levels[variable] = this.#levelStarts.length;
    this.#reasons[variable] = reason;
    this.#trail[this.#trailLength++] = literal;
    this.#theory.assigned(literal);
  }

  #backtrack(level: number): void {
    if (this.#levelStarts.length <= level) return;
    const start = this.#levelStarts[level];
    while (this.#trailLength > start) {
      const literal = this.#trail[--this.#trailLength];
      const variable = literal >> 1;
      this.#phases[variable] = this.#values[variable];
      this.#values[variable] = 0;
      this.#theory.unassigned(literal);
    }
    this.#handled = start;
    this.#explanationLength = this.#levelExplanations[level];
    this.#levelStarts.length = this.#levelExplanations.length = level;
  }

  #propagate(): boolean {
    for (;;) {
      while (this.#handled < this.#trailLength)
        if (!this.#visitWatchers(negation(this.#trail[this.#handled++]))) return false;
      const before = this.#trailLength;
      if (!this.#theory.propagate(this)) return false;
      if (this.#trailLength === before) return true;
    }
  }

  /** The clauses that watch a literal which has just become false: each finds another to watch, or implies its last one. */
  #visitWatchers(falseLiteral: Literal): boolean {
    const watching = this.#watchers[falseLiteral];
    if (watching === undefined) return true;
    const pool = this.#pool;
    let kept = 0;
    for (let i = 0; i < watching.length; i++) {
      const clause: number = watching[i];
      const first = clause + 1;
      if (pool[first] === falseLiteral) {
        pool[first] = pool[first + 1];
        pool[first + 1] = falseLiteral;
      }
      const other = pool[first];
      if (this.value(other) === 1) {
        watching[kept++] = clause;
        continue;
      }
      const end = first + pool[clause];
      let at = first + 2;
      while (at < end && this.value(pool[at]) === -1) at++;
      if (at < end) {
        pool[first + 1] = pool[at];
        pool[at] = falseLiteral;
        this.#watch(pool[first + 1], clause);
        continue;
      }
      watching[kept++] = clause;
      if (this.value(other) === -1) {
        for (i++; i < watching.length; i++) watching[kept++] = watching[i];
        watching.length = kept;
        this.#conflict = clause;
        return false;
      }
      this.#assign(other, clause);
    }
    watching.length = kept;
    return true;
  }

  /** Resolves the conflict back to the one literal of this level that implies it, keeps that clause, and goes back to where it acts. */
  #learn(): void {
    const learned: Literal[] = [0];
    const seen = this.#seen;
    const level = this.#levelStarts.length;
    const touched: number[] = [];
    let openHere = 0;
    let reason = this.#conflict;
    let at = this.#trailLength;
    let implied: Literal = -1;
    for (;;) {
      const clauses = isExplanation(reason) ? this.#explanations : this.#pool;
      const start = isExplanation(reason) ? explanationStart(reason) : reason;
      for (let i = start + 1; i <= start + clauses[start]; i++) {
        const literal = clauses[i];
        const variable = literal >> 1;
        if (literal === implied || seen[variable] === 1 || this.#levels[variable] === 0) continue;
        seen[variable] = 1;
        touched.push(variable);
        this.#bump(variable);
        if (this.#levels[variable] === level) openHere++;
        else learned.push(literal);
      }
      while (seen[this.#trail[--at] >> 1] === 0);
      implied = this.#trail[at];
      if (--openHere === 0) break;
      reason = this.#reasons[implied >> 1];
    }
    learned[0] = negation(implied);
    for (const variable of touched) seen[variable] = 0;
    this.#activityStep /= activityDecay;

    let backTo = 0;
    for (let i = 1; i < learned.length; i++) {
      const itsLevel = this.#levels[learned[i] >> 1];
      if (itsLevel <= backTo) continue;
      backTo = itsLevel;
      // The second watched literal must be the last to become open again.
      [learned[1], learned[i]] = [learned[i], learned[1]];
    }
    this.#backtrack(backTo);
    this.#assign(learned[0], this.#keep(learned));
  }

  /** One more rule: at least one of the literals is true. What was found before can no longer be read. */
  add(literals: readonly Literal[]): void {
    this.#backtrack(0);
    if (literals.some((literal) => this.value(literal) === 1)) return;
    const open = literals.filter((literal) => this.value(literal) === 0);
    if (open.length === 0) this.#rootImpossible = true;
    else if (open.length === 1) this.#assign(open[0], this.#keep(open));
    else this.#keep(open);
  }

  #keep(clause: readonly Literal[]): number {
    const start = this.#poolLength;
    if (start + clause.length + 1 > this.#pool.length) this.#pool = grown(this.#pool, start + clause.length + 1);
    this.#pool[start] = clause.length;
    for (let i = 0; i < clause.length; i++) this.#pool[start + 1 + i] = clause[i];
    this.#poolLength += clause.length + 1;
    if (clause.length > 1) {
      this.#watch(clause[0], start);
      this.#watch(clause[1], start);
    }
    return start;
  }

  #watch(literal: Literal, clause: number): void {
    const watching = this.#watchers[literal];
    if (watching === undefined) this.#watchers[literal] = [clause];
    else watching.push(clause);
  }

  #bump(variable: number): void {
    this.#activity[variable] += this.#activityStep;
    if (this.#activity[variable] < 1e100) return;
    for (let v = 0; v < this.variableCount; v++) this.#activity[v] *= 1e-100;
    this.#activityStep *= 1e-100;
  }

  #dropSettled(): void {
    if (this.#open.length + this.#trailLength === this.variableCount) return;
    this.#open = this.#open.filter((variable) => this.#values[variable] === 0);
  }

  #mostActive(): number {
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#open.length; i++) {
      const variable = this.#open[i];
      if (this.#values[variable] !== 0 || this.#activity[variable] <= most) continue;
      best = variable;
      most = this.#activity[variable];
    }
    return best;
  }
}

// Reasons name a clause of the pool by its start; explanations share the number line on the other side of `decided`.
const explanationReason = (start: number): number => -2 - start;
const isExplanation = (reason: number): boolean => reason < decided;
const explanationStart = (reason: number): number => -2 - reason;

function grown(array: Int32Array<ArrayBuffer>, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(needed, 2 * array.length));
  larger.set(array);
  return larger;
}

/** 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman 1993). */
function luby(index: number): number {
  let size = 1;
  while (size < index + 1) size = 2 * size + 1;
  let at = index;
  while (size - 1 !== at) {
    size = (size - 1) >> 1;
    at %= size;
  }
  return (size + 1) >> 1;
}
