// Solving any puzzle from its constraint model alone: constraints are looked at until none says anything new, then values
// are supposed, first one at a time and then within each other. Knows no puzzle. Puzzles whose own solver is faster bring
// it; it is tested against this one.
import { type Constraint, type ConstraintModel, decidedValue, isDecided, type Possible } from "./constraint-model.ts";

export class ModelSearch {
  readonly model: ConstraintModel;
  /** What is possible for each unknown. */
  readonly possible: Int32Array;
  /** Constraints looked at, and suppositions within suppositions: the measures of effort. */
  looks = 0;
  nodes = 0;
  readonly #constraintsOf: readonly number[][];
  readonly #waiting: Uint8Array;
  readonly #queue: number[] = [];
  readonly #wide: number[] = [];
  /** Unknowns and what they could be before, so that suppositions can be taken back. */
  readonly #trail: number[] = [];
  /** How often a constraint ended a supposition: where the trouble is. */
  readonly #trouble: Float64Array;

  constructor(model: ConstraintModel) {
    this.model = model;
    this.possible = Int32Array.from(model.start);
    this.#constraintsOf = Array.from(model.start, () => []);
    for (const [index, { scope }] of model.constraints.entries())
      for (const unknown of scope) this.#constraintsOf[unknown].push(index);
    this.#waiting = new Uint8Array(model.constraints.length);
    this.#trouble = new Float64Array(model.constraints.length).fill(1);
    for (let index = 0; index < model.constraints.length; index++) this.#wait(index);
  }

  get open(): number {
    let count = 0;
    for (const possible of this.possible) if (!isDecided(possible)) count++;
    return count;
  }

  #wait(constraint: number): void {
    if (this.#waiting[constraint] === 1) return;
    this.#waiting[constraint] = 1;
    (this.model.constraints[constraint].scope.length === this.possible.length ? this.#wide : this.#queue).push(
      constraint,
    );
  }

  /** Leaves of an unknown what is also in `possible`; false if that is nothing. */
  #restrict(unknown: number, possible: Possible): boolean {
    const before = this.possible[unknown];
    const after = before & possible;
    if (after === before) return true;
    this.#trail.push(unknown, before);
    this.possible[unknown] = after;
    for (const constraint of this.#constraintsOf[unknown]) this.#wait(constraint);
    return after !== 0;
  }

  /** All that constraints say one by one. False on a contradiction. */
  propagate(): boolean {
    for (;;) {
      // Those about the whole board take longest and are looked at last.
      const index = this.#queue.shift() ?? this.#wide.shift();
      if (index === undefined) return true;
      this.#waiting[index] = 0;
      if (this.#lookAt(index)) continue;
      this.#trouble[index]++;
      return this.#contradicted();
    }
  }

  #contradicted(): false {
    for (const waiting of [this.#queue, this.#wide]) {
      for (const index of waiting) this.#waiting[index] = 0;
      waiting.length = 0;
    }
    return false;
  }

  #lookAt(index: number): boolean {
    const constraint = this.model.constraints[index];
    this.looks++;
    const before = constraint.scope.map((unknown) => this.possible[unknown]);
    const left = constraint.narrow === undefined ? supported(constraint, before) : constraint.narrow(before);
    if (left === undefined) return false;
    for (let at = 0; at < left.length; at++) if (!this.#restrict(constraint.scope[at], left[at])) return false;
    return true;
  }

  #undoTo(length: number): void {
    while (this.#trail.length > length) {
      const before = this.#trail.pop()!;
      this.possible[this.#trail.pop()!] = before;
    }
  }

  /** Whether a value can be supposed without a contradiction; nothing is left of the supposition. */
  #holdsFor(unknown: number, value: Possible): boolean {
    const before = this.#trail.length;
    const holds = this.#restrict(unknown, value) && this.propagate();
    this.#undoTo(before);
    return holds;
  }

  /** Leaves out every value that leads to a contradiction by itself. How many had to be supposed; undefined if none is left. */
  settleBySupposing(): number | undefined {
    let supposed = 0;
    const { length } = this.possible;
    for (let unknown = 0, sinceNews = 0; sinceNews < length; unknown = (unknown + 1) % length, sinceNews++) {
      if (isDecided(this.possible[unknown])) continue;
      for (let rest = this.possible[unknown]; rest !== 0; rest &= rest - 1) {
        const value = rest & -rest;
        supposed++;
        if (this.#holdsFor(unknown, value)) continue;
        sinceNews = -1;
        if (!this.#restrict(unknown, ~value) || !this.propagate()) return undefined;
      }
    }
    return supposed;
  }

  /** Full assignments that keep every rule, one by one; ends early once `nodes` reaches the limit. */
  *solutions(limit: number): Generator<number[]> {
    const before = this.#trail.length;
    if (this.propagate()) {
      const unknown = this.#nextToSuppose();
      if (unknown < 0) {
        const values = Array.from(this.possible, decidedValue);
        if (this.model.wholeBoard.every(({ holds }) => holds(values))) yield values;
      } else
        for (let rest = this.possible[unknown]; rest !== 0 && this.nodes < limit; rest &= rest - 1) {
          const here = this.#trail.length;
          this.nodes++;
          if (this.#restrict(unknown, rest & -rest)) yield* this.solutions(limit);
          else this.#contradicted();
          this.#undoTo(here);
        }
    }
    this.#undoTo(before);
  }

  /** Few values, much trouble (Boussemart et al., "Boosting systematic search by weighting constraints", 2004). -1 if none is open. */
  #nextToSuppose(): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let unknown = 0; unknown < this.possible.length; unknown++) {
      if (isDecided(this.possible[unknown])) continue;
      let values = 0;
      for (let rest = this.possible[unknown]; rest !== 0; rest &= rest - 1) values++;
      let trouble = 1;
      for (const index of this.#constraintsOf[unknown]) trouble += this.#trouble[index];
      if (values / trouble >= least) continue;
      best = unknown;
      least = values / trouble;
    }
    return best;
  }
}

/** What each unknown of a constraint can be in some way to fill all of them. Looks for such ways only until every value has one. */
function supported({ scope, compatible }: Constraint, possible: readonly Possible[]): Possible[] | undefined {
  if (scope.length === 0) return compatible([]) ? [] : undefined;
  const found = scope.map(() => 0);
  const values: number[] = [];
  const fill = (at: number, tried: Possible): boolean => {
    if (values.length === scope.length) return true;
    const unknown = values.length;
    const choice = unknown === at ? tried : possible[unknown];
    // Values that nothing supports yet come first, so that one way shows as much as it can.
    for (const part of [choice & ~found[unknown], choice & found[unknown]])
      for (let rest = part; rest !== 0; rest &= rest - 1) {
        values.push(31 - Math.clz32(rest & -rest));
        if (compatible(values) && fill(at, tried)) return true;
        values.pop();
      }
    return false;
  };
  for (let at = 0; at < scope.length; at++) {
    for (let rest = possible[at] & ~found[at]; rest !== 0; rest &= rest - 1) {
      const tried = rest & -rest;
      if ((found[at] & tried) !== 0) continue;
      values.length = 0;
      if (!fill(at, tried)) continue;
      for (const [unknown, value] of values.entries()) found[unknown] |= 1 << value;
    }
    if (found[at] === 0) return undefined;
  }
  return found;
}
