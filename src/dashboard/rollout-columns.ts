// What the dashboard remembers of the rollouts of one source: a row of small numbers each, in flat arrays that grow, and
// the sequence of primitives at a byte a span. Texts stay on disk. Nothing of Node, so that a static export uses it too.
import type { RolloutState } from "../rollouts/rollout.ts";
import { categoryCounts } from "../traces/categories.ts";
import { chainDepth } from "../traces/depth.ts";
import type { Alphabet, PrimitiveSequence } from "../traces/sequence.ts";
import type { VerdictOrNone } from "./api.ts";

export const verdictNames = ["correct", "wrong", "unreadable", "undecided", "ungraded"] as const;
export const stateNames = ["complete", "truncated", "failed"] as const;

/** What a log says of a rollout, as numbers; -1 and NaN stand for unknown. */
export const rolloutColumnTypes = {
  problem: Uint32Array,
  attempt: Uint32Array,
  step: Int32Array,
  state: Uint8Array,
  verdict: Uint8Array,
  reward: Float32Array,
  tokens: Int32Array,
  novelty: Float32Array,
  surprisal: Float32Array,
  /** Where the record lies in its log, and where in the record its texts are (0 and 0 where there is none). */
  offset: Float64Array,
  bytes: Uint32Array,
  responseStart: Uint32Array,
  responseEnd: Uint32Array,
  reasoningStart: Uint32Array,
  reasoningEnd: Uint32Array,
} as const;

export const gradeColumnTypes = {
  problem: Uint32Array,
  attempt: Uint32Array,
  verdict: Uint8Array,
  reward: Float32Array,
  offset: Float64Array,
  bytes: Uint32Array,
} as const;

/** Records in the order of their file, as a reader hands them over; `problem` points into `problems`. */
export type Batch<Types> = {
  readonly problems: readonly string[];
  readonly columns: {
    readonly [Name in keyof Types]: Types[Name] extends new (length: number) => infer Column ? Column : never;
  };
};
export type RolloutBatch = Batch<typeof rolloutColumnTypes>;
export type GradeBatch = Batch<typeof gradeColumnTypes>;

/** The spans of consecutive rows, one after another. */
export type SequenceBatch = { readonly lengths: Uint32Array; readonly codes: Uint8Array };

type Numbers = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

const columnTypes = {
  ...rolloutColumnTypes,
  gradeOffset: Float64Array,
  gradeBytes: Uint32Array,
  /** 1 where a later attempt replaced a failed one; such rows are listed nowhere. */
  hidden: Uint8Array,
  sequenceStart: Float64Array,
  spans: Uint32Array,
  depth: Uint32Array,
  /** A bit for each label that occurs, and one for each category. */
  contains: Uint32Array,
  categories: Uint32Array,
} as const;
type ColumnName = keyof typeof columnTypes;
type Columns = { readonly [Name in ColumnName]: InstanceType<(typeof columnTypes)[Name]> };

const names = Object.keys(columnTypes) as ColumnName[];

/** As many as a number has bits; no taxonomy has more that anybody could tell apart. */
export const mostCategories = 32;

/**
 * What an attempt's number means. Evaluations may ask again for a failed attempt, and then the answered one counts;
 * training keeps every record; a corpus does not number its traces, so they are counted here.
 */
type Attempts = "replaced" | "kept" | "counted";

export class RolloutColumns {
  readonly #attempts: Attempts;
  readonly alphabet: Alphabet;
  #columns: Columns = emptyColumns(0);
  #capacity = 0;
  #rows = 0;
  #labeled = 0;
  #hidden = 0;
  #codes = new Uint8Array(0);
  #codesUsed = 0;
  #problems: string[] = [];
  #codeOfProblem = new Map<string, number>();
  #rowOfKey = new Map<number, number>();
  #counted = new Map<number, number>();
  #version = 0;
  #gradesVersion = 0;

  constructor(attempts: Attempts, alphabet: Alphabet) {
    this.#attempts = attempts;
    this.alphabet = alphabet;
  }

  get rows(): number {
    return this.#rows;
  }
  /** Rows whose sequence is known; always the first ones. */
  get labeled(): number {
    return this.#labeled;
  }
  /** Rows that lists show. */
  get listed(): number {
    return this.#rows - this.#hidden;
  }
  /** Changes whenever an answer could. */
  get version(): number {
    return this.#version;
  }
  /** Changes whenever a count of verdicts could; labels do not matter to it. */
  get gradesVersion(): number {
    return this.#gradesVersion;
  }
  get columns(): Columns {
    return this.#columns;
  }
  get problems(): readonly string[] {
    return this.#problems;
  }
  get byteLength(): number {
    const perRow = names.reduce((total, name) => total + columnTypes[name].BYTES_PER_ELEMENT, 0);
    // A key of the map costs about as much as six numbers.
    return this.#capacity * perRow + this.#codes.byteLength + this.#rowOfKey.size * 48;
  }

  problemCode(problem: string): number | undefined {
    return this.#codeOfProblem.get(problem);
  }
  problemOf(row: number): string {
    return this.#problems[this.#columns.problem[row]];
  }
  verdictOf(row: number): VerdictOrNone {
    return verdictNames[this.#columns.verdict[row]];
  }
  stateOf(row: number): RolloutState {
    return stateNames[this.#columns.state[row]];
  }

  sequenceOf(row: number): PrimitiveSequence {
    const start = this.#columns.sequenceStart[row];
    return this.#codes.subarray(start, start + this.#columns.spans[row]);
  }

  /** The listed row of an attempt, where attempts are unique. */
  rowOf(problem: string, attempt: number): number | undefined {
    const code = this.#codeOfProblem.get(problem);
    return code === undefined ? undefined : this.#rowOfKey.get(key(code, attempt));
  }

  append({ problems, columns: added }: RolloutBatch): void {
    const at = this.#rows;
    const count = added.problem.length;
    this.#reserve(at + count);
    const codes = problems.map((problem) => this.#internProblem(problem));
    for (const name of Object.keys(added) as (keyof typeof added)[])
      (this.#columns[name] as Numbers).set(added[name], at);
    for (let i = 0; i < count; i++) this.#columns.problem[at + i] = codes[added.problem[i]];
    this.#rows += count;
    for (let row = at; row < this.#rows; row++) {
      if (this.#attempts === "replaced") this.#supersede(row);
      if (this.#attempts === "counted") this.#count(row);
    }
    this.#version += 1;
    this.#gradesVersion += 1;
  }

  /** A failed attempt gives way to the next; an answered one stays, so that nothing counts twice. */
  #supersede(row: number): void {
    const { problem, attempt, state, hidden } = this.#columns;
    const own = key(problem[row], attempt[row]);
    const before = this.#rowOfKey.get(own);
    const replaced = before === undefined || stateNames[state[before]] === "failed";
    if (replaced) this.#rowOfKey.set(own, row);
    const loser = replaced ? before : row;
    if (loser === undefined) return;
    hidden[loser] = 1;
    this.#hidden += 1;
  }

  #count(row: number): void {
    const { problem, attempt } = this.#columns;
    const next = this.#counted.get(problem[row]) ?? 0;
    attempt[row] = next;
    this.#counted.set(problem[row], next + 1);
  }

  /** Returns how many grades found no row. */
  grade({ problems, columns: graded }: GradeBatch): number {
    let homeless = 0;
    const { verdict, reward, gradeOffset, gradeBytes } = this.#columns;
    for (let i = 0; i < graded.problem.length; i++) {
      const row = this.rowOf(problems[graded.problem[i]], graded.attempt[i]);
      if (row === undefined) {
        homeless += 1;
        continue;
      }
      verdict[row] = graded.verdict[i];
      reward[row] = graded.reward[i];
      gradeOffset[row] = graded.offset[i];
      gradeBytes[row] = graded.bytes[i];
    }
    this.#version += 1;
    this.#gradesVersion += 1;
    return homeless;
  }

  /** First and last training step; undefined where there is a row without one, or none at all. */
  get steps(): { readonly first: number; readonly last: number } | undefined {
    const { step } = this.#columns;
    let [first, last] = [this.#rows > 0 ? step[0] : -1, -1];
    for (let row = 0; row < this.#rows; row++) {
      first = Math.min(first, step[row]);
      last = Math.max(last, step[row]);
    }
    return first < 0 ? undefined : { first, last };
  }

  /** Before all grades are read again. */
  forgetGrades(): void {
    const { verdict, reward, gradeBytes } = this.#columns;
    verdict.fill(verdictNames.indexOf("ungraded"), 0, this.#rows);
    reward.fill(Number.NaN, 0, this.#rows);
    gradeBytes.fill(0, 0, this.#rows);
    this.#version += 1;
    this.#gradesVersion += 1;
  }

  /** The sequences of the next rows after `labeled`. */
  label({ lengths, codes }: SequenceBatch): void {
    const needed = this.#codesUsed + codes.length;
    if (needed > this.#codes.length) {
      const grown = new Uint8Array(Math.max(needed, Math.ceil(this.#codes.length * 1.5)));
      grown.set(this.#codes.subarray(0, this.#codesUsed));
      this.#codes = grown;
    }
    this.#codes.set(codes, this.#codesUsed);
    const { sequenceStart, spans, depth, contains, categories } = this.#columns;
    for (let i = 0; i < lengths.length; i++) {
      const row = this.#labeled + i;
      sequenceStart[row] = this.#codesUsed;
      spans[row] = lengths[i];
      this.#codesUsed += lengths[i];
      const sequence = this.sequenceOf(row);
      depth[row] = chainDepth(sequence, this.alphabet.exploit);
      contains[row] = sequence.reduce((bits, code) => bits | (1 << code), 0);
      categories[row] = categoryCounts(sequence, this.alphabet)
        .slice(0, mostCategories)
        .reduce((bits, count, i) => (count > 0 ? bits | (1 << i) : bits), 0);
    }
    this.#labeled += lengths.length;
    this.#version += 1;
  }

  #internProblem(problem: string): number {
    let code = this.#codeOfProblem.get(problem);
    if (code === undefined) {
      code = this.#problems.length;
      this.#problems.push(problem);
      this.#codeOfProblem.set(problem, code);
    }
    return code;
  }

  #reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    this.#capacity = Math.max(rows, Math.ceil(this.#capacity * 1.5), 64);
    const grown = emptyColumns(this.#capacity);
    for (const name of names) (grown[name] as Numbers).set((this.#columns[name] as Numbers).subarray(0, this.#rows));
    this.#columns = grown;
  }
}

/** Attempts below 2^20 are told apart; more at one problem would be a log nobody can read anyway. */
const key = (problem: number, attempt: number): number => problem * 1_048_576 + (attempt % 1_048_576);

function emptyColumns(rows: number): Columns {
  return Object.fromEntries(names.map((name) => [name, new columnTypes[name](rows)])) as unknown as Columns;
}
