// Thinking a puzzle through, as a sequence of thoughts: what a careful solver does, in the order it does it, with guesses
// that fail and slips that are caught. It looks only at constraints and at what it has derived, never at the solution.
import type { Random } from "../base/random.ts";
import {
  type Assignment,
  type Constraint,
  type ConstraintModel,
  decidedValue,
  isDecided,
  only,
  optionsOf,
  type Possible,
  unionOf,
  type WholeBoardCheck,
} from "../puzzles/constraint-model.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import type { NarrationOptions, NarrationStyle } from "./narrator.ts";

/** What is possible for the unknowns of a constraint, in the order of its scope. */
type Local = readonly Possible[];

export type Thought = { readonly primitive: Primitive } & (
  | { readonly kind: "plan"; readonly next: "scan" | "guess" | "go-on" }
  | { readonly kind: "introduction" }
  | { readonly kind: "setup"; readonly constraint: Constraint; readonly local: Local; readonly again: boolean }
  | { readonly kind: "enumerate"; readonly constraint: Constraint; readonly options: readonly Assignment[] }
  | { readonly kind: "guess"; readonly constraint: Constraint; readonly local: Local; readonly option: Assignment }
  | { readonly kind: "deduce"; readonly constraint: Constraint; readonly before: Local; readonly after: Local }
  | { readonly kind: "check"; readonly constraint: Constraint; readonly local: Local; readonly holds: boolean }
  | {
      readonly kind: "check-board";
      readonly check: WholeBoardCheck;
      readonly values: readonly number[];
      readonly holds: boolean;
    }
  /** A guess failed; without one, a slip did, and everything derived is in doubt. */
  | { readonly kind: "return"; readonly guess?: { readonly constraint: Constraint; readonly option: Assignment } }
  | { readonly kind: "known"; readonly possible: readonly Possible[] }
  /** Words that do no work: getting started, getting ready to answer. */
  | { readonly kind: "aside"; readonly at: "start" | "middle" | "end" }
);

type Reasoning = { readonly thoughts: readonly Thought[]; readonly values?: readonly number[] };

/** Ways that can be listed in a breath. */
const fewOptions = 4;
/** Listing stops here: a line with more ways is neither deduced from nor guessed at by listing. */
const maxOptions = 20_000;
/**
 * How talkative a style is: the chance, at each deduction, of saying aloud what the work itself does not need. The terse
 * language says only what it needs; the other rates bring the mix of primitives near that of the paper's teacher.
 */
type Talk = {
  /** Share of the givens that are read out before anything is deduced. */
  readonly givens: number;
  readonly setup: number;
  readonly setupAgain: number;
  readonly enumerate: number;
  readonly check: number;
  readonly plan: number;
  readonly aside: number;
  /** Whether it says how it will go about it before it begins, and what it has found before it answers. */
  readonly frame: boolean;
};
const talk: Readonly<Record<NarrationStyle, Talk>> = {
  terse: { givens: 0, setup: 0, setupAgain: 0, enumerate: 0, check: 0, plan: 0, aside: 0, frame: false },
  plain: { givens: 0.1, setup: 1, setupAgain: 0.3, enumerate: 0.3, check: 0.5, plan: 0.05, aside: 0.1, frame: true },
  prose: { givens: 0.3, setup: 1, setupAgain: 1, enumerate: 0.8, check: 0.75, plan: 0.02, aside: 0.2, frame: true },
};

/**
 * When an eager solver guesses although it could deduce: a guess is worth its words only when a line has two ways left and
 * the board is no longer blank. Small models learn to guess only from traces that guess at a fixed moment.
 */
const eagerness: Readonly<Record<NarrationStyle, { readonly whenKnown: number; readonly chance: number }>> = {
  terse: { whenKnown: 0.3, chance: 1 },
  plain: { whenKnown: 0.4, chance: 0.5 },
  prose: { whenKnown: 0.4, chance: 0.5 },
};

type Guess = {
  readonly constraint: number;
  readonly option: Assignment;
  readonly possible: readonly Possible[];
  readonly excluded: ReadonlyMap<number, readonly Assignment[]>;
  readonly checked: ReadonlySet<number>;
};

export function reason(model: ConstraintModel, options: NarrationOptions): Reasoning {
  return new Reasoner(model, options).run();
}

/** One train of thought: what is possible now, which guesses are open, and what has been said. */
class Reasoner {
  readonly #model: ConstraintModel;
  readonly #options: NarrationOptions;
  readonly #random: Random;
  readonly #thoughts: Thought[] = [];
  #possible: Possible[];
  #excluded = new Map<number, readonly Assignment[]>();
  #guesses: Guess[] = [];
  /** Where the scan goes on: a solver reads line after line instead of jumping about. */
  #scan = 0;
  #slipsLeft: number;
  #introduced = new Set<number>();
  /** Lines that were read again once they were full; a guess that fails puts them in doubt with everything else. */
  #checked = new Set<number>();
  /** Whether this train of thought likes to guess before it must; decided once, so that traces have a style. */
  readonly #eager: boolean;

  constructor(model: ConstraintModel, options: NarrationOptions) {
    this.#model = model;
    this.#options = options;
    this.#random = options.random;
    this.#possible = [...model.start];
    this.#eager = options.repertoire === "full" && this.#random.chance(options.guessing);
    this.#slipsLeft = 2;
  }

  run(): Reasoning {
    if (this.#options.style === "terse") {
      // Whatever it is about, a terse trace opens with the same word, and the next one says how it will go about it.
      this.#say({ primitive: "plan", kind: "plan", next: this.#eager ? "guess" : "scan" });
    } else {
      this.#say({ primitive: "other", kind: "aside", at: "start" });
      this.#say({ primitive: "setup", kind: "introduction" });
    }
    for (const index of this.#model.constraints.keys()) {
      if (this.#random.chance(talk[this.#options.style].givens)) this.#setUp(index);
    }
    if (this.#framed) this.#say({ primitive: "plan", kind: "plan", next: "scan" });
    while (this.#thoughts.length < this.#options.maxSteps) {
      if (this.#possible.every(isDecided)) {
        if (this.#lastLook()) return { thoughts: this.#thoughts, values: this.#possible.map(decidedValue) };
        if (!this.#goBack()) break;
        continue;
      }
      if (
        this.#eager &&
        this.#guesses.length === 0 &&
        this.#knownShare() >= eagerness[this.#options.style].whenKnown &&
        this.#random.chance(eagerness[this.#options.style].chance)
      ) {
        if (this.#guess(2)) continue;
      }
      const deduced = this.#deduceNext();
      if (deduced === "nothing" && !(this.#full && this.#guess(maxOptions))) break;
      if (deduced === "contradiction" && !this.#goBack()) break;
    }
    return { thoughts: this.#thoughts };
  }

  get #full(): boolean {
    return this.#options.repertoire === "full";
  }

  get #framed(): boolean {
    return this.#full && talk[this.#options.style].frame;
  }

  #say(thought: Thought): void {
    this.#thoughts.push(thought);
  }

  #knownShare(): number {
    return this.#possible.filter(isDecided).length / this.#possible.length;
  }

  #local(constraint: Constraint): Possible[] {
    return constraint.scope.map((unknown) => this.#possible[unknown]);
  }

  /** What is left of a constraint's unknowns; nothing when it cannot be met any more. */
  #narrowed(index: number): Possible[] | undefined {
    const constraint = this.#model.constraints[index];
    if (constraint.narrow) return constraint.narrow(this.#local(constraint));
    const options = optionsOf(constraint, this.#possible, this.#excluded.get(index), maxOptions);
    if (options.length === 0) return undefined;
    return options.length === maxOptions ? this.#local(constraint) : unionOf(constraint.scope, options);
  }

  /** The different ways to settle what a guess about a constraint would settle, at least two of them if there are. */
  #ways(index: number, limit: number): Assignment[] {
    const constraint = this.#model.constraints[index];
    const { guessed = constraint.scope.length } = constraint;
    const whole = guessed === constraint.scope.length;
    const options = optionsOf(constraint, this.#possible, this.#excluded.get(index), whole ? limit : maxOptions);
    if (whole) return options;
    const settled = new Map(options.map((option) => [option.slice(0, guessed).join(), option.slice(0, guessed)]));
    return [...settled.values()].slice(0, limit);
  }

  /** Reads on until a line tells something new. */
  #deduceNext(): "progress" | "nothing" | "contradiction" {
    const { constraints } = this.#model;
    for (let read = 0; read < constraints.length; read++) {
      const index = (this.#scan + read) % constraints.length;
      const constraint = constraints[index];
      const before = this.#local(constraint);
      const after = this.#narrowed(index);
      if (after === undefined) {
        this.#scan = index;
        this.#say({ primitive: "check", kind: "check", constraint, local: before, holds: false });
        return "contradiction";
      }
      if (after.every((bits, i) => bits === before[i])) continue;
      this.#scan = index + 1;
      this.#introduce(index);
      const full = this.#options.style === "terse" ? this.#fullLines() : undefined;
      this.#apply(index, before, this.#slip(constraint, before, after) ?? after);
      return full === undefined || this.#checkNext(index, full) ? "progress" : "contradiction";
    }
    return "nothing";
  }

  /** What a talkative solver says before it deduces: what the line is, which ways there are, what it is about to do. */
  #introduce(index: number): void {
    const { setup, setupAgain, enumerate, plan, aside } = talk[this.#options.style];
    const constraint = this.#model.constraints[index];
    if (this.#full && this.#random.chance(plan)) this.#say({ primitive: "plan", kind: "plan", next: "go-on" });
    if (this.#random.chance(aside)) this.#say({ primitive: "other", kind: "aside", at: "middle" });
    if (this.#random.chance(this.#introduced.has(index) ? setupAgain : setup)) this.#setUp(index);
    if (this.#full && !constraint.narrow && this.#random.chance(enumerate)) {
      const options = this.#ways(index, fewOptions + 1);
      if (options.length >= 2 && options.length <= fewOptions)
        this.#say({ primitive: "enumerate", kind: "enumerate", constraint, options });
    }
  }

  #setUp(index: number): void {
    const constraint = this.#model.constraints[index];
    const again = this.#introduced.has(index);
    this.#introduced.add(index);
    this.#say({ primitive: "setup", kind: "setup", constraint, local: this.#local(constraint), again });
  }

  #apply(index: number, before: Local, after: Local): void {
    const constraint = this.#model.constraints[index];
    this.#say({ primitive: "compute", kind: "deduce", constraint, before, after });
    constraint.scope.forEach((unknown, i) => {
      this.#possible[unknown] = after[i];
    });
    if (this.#random.chance(talk[this.#options.style].check)) this.#check(index);
  }

  #check(index: number): boolean {
    const constraint = this.#model.constraints[index];
    const holds = this.#narrowed(index) !== undefined;
    this.#say({ primitive: "check", kind: "check", constraint, local: this.#local(constraint), holds });
    return holds;
  }

  #fullLines(): Set<number> {
    const { constraints } = this.#model;
    const full = [...constraints.keys()].filter((index) => {
      const { scope, guessed = scope.length, narrow } = constraints[index];
      return !narrow && scope.slice(0, guessed).every((unknown) => isDecided(this.#possible[unknown]));
    });
    return new Set(full);
  }

  /** A solver that checks as it goes reads a line again that its last deduction has filled, best one from across. */
  #checkNext(deduced: number, before: ReadonlySet<number>): boolean {
    const filled = [...this.#fullLines()].filter((index) => !before.has(index) && !this.#checked.has(index));
    const index = filled.find((one) => one !== deduced) ?? filled[0];
    if (index === undefined) return true;
    this.#checked.add(index);
    return this.#check(index);
  }

  /** Now and then an unknown is settled that is still open: a misread line, found out later. */
  #slip(constraint: Constraint, before: Local, after: Local): Possible[] | undefined {
    if (!this.#full || this.#slipsLeft === 0 || !this.#random.chance(this.#options.errorRate)) return undefined;
    const open = after.flatMap((bits, i) => (isDecided(bits) ? [] : [i]));
    if (open.length === 0) return undefined;
    this.#slipsLeft -= 1;
    const at = this.#random.pick(open);
    const values = [...Array(31).keys()].filter((value) => before[at] & only(value));
    return constraint.scope.map((_, i) => (i === at ? only(this.#random.pick(values)) : after[i]));
  }

  /** Tries one way to fill the line with the fewest ways left. */
  #guess(maxWays: number): boolean {
    const { constraints } = this.#model;
    let chosen: { index: number; options: Assignment[] } | undefined;
    for (const [index, constraint] of constraints.entries()) {
      if (constraint.narrow || this.#local(constraint).every(isDecided)) continue;
      const limit = Math.min(maxWays, (chosen?.options.length ?? maxOptions) - 1);
      const options = this.#ways(index, limit + 1);
      if (options.length >= 2 && options.length <= limit) chosen = { index, options };
      if (chosen?.options.length === 2) break;
    }
    if (chosen === undefined) return false;
    const constraint = constraints[chosen.index];
    const option = this.#random.pick(chosen.options);
    this.#say({ primitive: "plan", kind: "plan", next: "guess" });
    if (this.#options.style === "terse") this.#writeDown();
    if (chosen.options.length <= fewOptions) {
      this.#say({ primitive: "enumerate", kind: "enumerate", constraint, options: chosen.options });
    }
    this.#say({ primitive: "hypothesize", kind: "guess", constraint, local: this.#local(constraint), option });
    this.#guesses.push({
      constraint: chosen.index,
      option,
      possible: [...this.#possible],
      excluded: new Map(this.#excluded),
      checked: new Set(this.#checked),
    });
    option.forEach((value, i) => {
      this.#possible[constraint.scope[i]] = only(value);
    });
    this.#scan = chosen.index + 1;
    return true;
  }

  /** A board that was just written down is not written down again. */
  #writeDown(): void {
    if (this.#thoughts.at(-1)?.kind === "known") return;
    this.#say({ primitive: "summarize", kind: "known", possible: [...this.#possible] });
  }

  /** To before the last guess, which is now known to be wrong; without one, to the beginning. */
  #goBack(): boolean {
    if (!this.#full) return false;
    const guess = this.#guesses.pop();
    if (guess === undefined) {
      if (this.#slipsLeft === 2) return false; // Nothing was guessed and nothing slipped: there is no solution.
      this.#slipsLeft = 0;
      this.#say({ primitive: "backtrack", kind: "return" });
      this.#possible = [...this.#model.start];
      this.#excluded = new Map();
      this.#checked = new Set();
      this.#scan = 0;
      return true;
    }
    const constraint = this.#model.constraints[guess.constraint];
    this.#say({ primitive: "backtrack", kind: "return", guess: { constraint, option: guess.option } });
    this.#possible = [...guess.possible];
    this.#excluded = new Map(guess.excluded);
    this.#checked = new Set(guess.checked);
    this.#excluded.set(guess.constraint, [...(this.#excluded.get(guess.constraint) ?? []), guess.option]);
    this.#scan = guess.constraint;
    if (this.#options.style === "terse") this.#writeDown();
    return true;
  }

  /** Reads the finished board once more against its lines, and against the rules that only a finished board can break. */
  #lastLook(): boolean {
    const { constraints, lastLook, wholeBoard } = this.#model;
    const broken = constraints.findIndex((_, index) => this.#narrowed(index) === undefined);
    if (broken !== -1) return this.#check(broken);
    for (const index of lastLook) {
      if (this.#checked.has(index)) continue;
      if (!this.#check(index)) return false;
    }
    const values = this.#possible.map(decidedValue);
    for (const check of wholeBoard) {
      const holds = check.holds(values);
      this.#say({ primitive: "check", kind: "check-board", check, values, holds });
      if (!holds) return false;
    }
    if (this.#framed) this.#say({ primitive: "summarize", kind: "known", possible: [...this.#possible] });
    if (this.#options.style !== "terse") this.#say({ primitive: "other", kind: "aside", at: "end" });
    return true;
  }
}
