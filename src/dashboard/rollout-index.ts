// What the dashboard remembers of the rollouts of one source: a plain record each, as lists show it, and where the whole one
// lies. Texts stay on disk.
import type { VerdictName } from "../rollouts/rollout.ts";
import { chainDepth } from "../traces/depth.ts";
import { type Alphabet, readSequence } from "../traces/sequence.ts";
import type { RolloutRow } from "./api.ts";

export const verdictNames = ["correct", "wrong", "unreadable", "undecided", "ungraded"] as const;
export const stateNames = ["complete", "truncated", "failed"] as const;

/** Where a line lies in its file. */
export type Place = { readonly offset: number; readonly bytes: number };

type Shown = Omit<RolloutRow, "note" | "excerpt" | "asked">;
/** What a log says of a rollout. */
export type ReadRollout = Place & Omit<Shown, "row" | "source" | "sequence" | "spans" | "depth">;
export type ReadGrade = Place &
  Pick<RolloutRow, "problem" | "attempt" | "parts"> & { readonly verdict: VerdictName; readonly reward: number };

/** Its sequence is whole here, a letter a span. */
export type IndexedRollout = { -readonly [Key in keyof Shown]: Shown[Key] } & {
  readonly offset: number;
  grade?: Place;
  /** A later attempt replaced it, which had failed: it is listed nowhere. */
  hidden?: true;
  /** A bit for each label that occurs. */
  contains: number;
};

/**
 * What an attempt's number means. Evaluations may ask again for a failed attempt, and then the answered one counts;
 * training keeps every record; a corpus does not number its traces, so they are counted here.
 */
type Attempts = "replaced" | "kept" | "counted";

export class RolloutIndex {
  readonly alphabet: Alphabet;
  readonly rows: IndexedRollout[] = [];
  readonly #source: string;
  readonly #attempts: Attempts;
  readonly #ofProblem = new Map<string, IndexedRollout[]>();
  readonly #ofKey = new Map<string, IndexedRollout>();
  #labeled = 0;
  #hidden = 0;
  #letters = 0;
  #version = 0;

  constructor(source: string, attempts: Attempts, alphabet: Alphabet) {
    this.#source = source;
    this.#attempts = attempts;
    this.alphabet = alphabet;
  }

  /** Rows whose sequence is known; always the first ones. */
  get labeled(): number {
    return this.#labeled;
  }
  /** Rows that lists show, and how many of them are labeled. */
  get listed(): { readonly total: number; readonly indexed: number } {
    const total = this.rows.length - this.#hidden;
    return { total, indexed: this.#labeled === this.rows.length ? total : Math.min(this.#labeled, total) };
  }
  /** Changes whenever an answer could. */
  get version(): number {
    return this.#version;
  }
  /** About: what an engine takes for a record of so many fields. */
  get byteLength(): number {
    return this.rows.length * 400 + this.#letters;
  }
  /** First and last training step; undefined where there is a row without one, or none at all. */
  get steps(): { readonly first: number; readonly last: number } | undefined {
    let [first, last] = [Number.POSITIVE_INFINITY, -1];
    for (const { step } of this.rows) {
      if (step === undefined) return undefined;
      [first, last] = [Math.min(first, step), Math.max(last, step)];
    }
    return last < 0 ? undefined : { first, last };
  }

  ofProblem(problem: string): readonly IndexedRollout[] {
    return (this.#ofProblem.get(problem) ?? []).filter(({ hidden }) => !hidden);
  }

  /** The listed row of an attempt, where attempts are unique. */
  ofAttempt(problem: string, attempt: number): IndexedRollout | undefined {
    return this.#ofKey.get(keyOf(problem, attempt));
  }

  append(read: readonly ReadRollout[]): void {
    for (const one of read) {
      const row: IndexedRollout = { ...one, row: this.rows.length, source: this.#source, contains: 0 };
      this.rows.push(row);
      const others = this.#ofProblem.get(row.problem);
      if (this.#attempts === "counted") row.attempt = others?.length ?? 0;
      if (others === undefined) this.#ofProblem.set(row.problem, [row]);
      else others.push(row);
      if (this.#attempts === "replaced") this.#supersede(row);
    }
    this.#version += 1;
  }

  /** A failed attempt gives way to the next; an answered one stays, so that nothing counts twice. */
  #supersede(row: IndexedRollout): void {
    const key = keyOf(row.problem, row.attempt);
    const before = this.#ofKey.get(key);
    const replaced = before === undefined || before.state === "failed";
    if (replaced) this.#ofKey.set(key, row);
    const loser = replaced ? before : row;
    if (loser === undefined) return;
    loser.hidden = true;
    this.#hidden += 1;
  }

  /** Returns how many grades found no row. */
  grade(grades: readonly ReadGrade[]): number {
    let homeless = 0;
    for (const { problem, attempt, verdict, reward, parts, offset, bytes } of grades) {
      const row = this.ofAttempt(problem, attempt);
      if (row === undefined) homeless += 1;
      else Object.assign(row, { verdict, reward, parts, grade: { offset, bytes } });
    }
    this.#version += 1;
    return homeless;
  }

  /** Before all grades are read again. */
  forgetGrades(): void {
    for (const row of this.rows) {
      Object.assign(row, { verdict: "ungraded", reward: undefined, parts: undefined, grade: undefined });
    }
    this.#version += 1;
  }

  /** The sequences of the next rows after `labeled`. */
  label(sequences: readonly string[]): void {
    for (const sequence of sequences) {
      const row = this.rows[this.#labeled++];
      const codes = readSequence(sequence, this.alphabet);
      row.sequence = sequence;
      row.spans = sequence.length;
      row.depth = chainDepth(codes, this.alphabet.exploit);
      row.contains = codes.reduce((bits, code) => bits | (1 << code), 0);
      this.#letters += sequence.length;
    }
    this.#version += 1;
  }
}

const keyOf = (problem: string, attempt: number): string => `${attempt} ${problem}`;

/** Letters of a sequence that a list's strip shows. */
const longestStrip = 400;

/** As lists show it. */
export function shownRow({ offset: _, grade: __, hidden: ___, contains: ____, ...row }: IndexedRollout): RolloutRow {
  const { sequence } = row;
  return { ...row, ...(sequence !== undefined && { sequence: sequence.slice(0, longestStrip) }) };
}
