// A fork: a place in a rollout where a move was made, and two ways on from there, with the move and without it. What is
// recorded of each draw, and how draws become a continuation.
import { z } from "zod";
import { gradeSchema, rolloutStateSchema } from "../../rollouts/rollout.ts";
import type { Span } from "../segmentation.ts";

export const arms = ["with", "without"] as const;
type Arm = (typeof arms)[number];

export const forkSchema = z.object({
  /** `problem#attempt:7`, or `…:7-8` for a move of two spans, counted as a trace page's address counts them. */
  id: z.string(),
  problem: z.string(),
  attempt: z.int().nonnegative(),
  first: z.int().nonnegative(),
  /** The labels of its spans. */
  move: z.array(z.string()).min(1),
  /** What the response says before the move, and the move itself with what separates it from the next. */
  prefix: z.string(),
  made: z.string(),
  /** Of the whole rollout, a letter a span. */
  sequence: z.string(),
  correct: z.boolean().optional(),
});
export type Fork = z.infer<typeof forkSchema>;

export const forkId = (problem: string, attempt: number, first: number, count: number): string =>
  `${problem}#${attempt}:${first}${count === 1 ? "" : `-${first + count - 1}`}`;

/**
 * Where a model would have gone on: line ends belong to what was written, blanks to the word that comes next, as most
 * tokenizers have it.
 */
export function cutBefore(text: string, place: number): number {
  let at = place;
  while (at < text.length && /\s/.test(text[at])) at += 1;
  while (at > 0 && (text[at - 1] === " " || text[at - 1] === "\t")) at -= 1;
  return at;
}

export function cutOut(
  text: string,
  spans: readonly Span[],
  first: number,
  count: number,
): Pick<Fork, "prefix" | "made"> {
  const from = cutBefore(text, spans[first].start);
  const to = Math.max(from, cutBefore(text, spans[first + count - 1].end));
  return { prefix: text.slice(0, from), made: text.slice(from, to) };
}

/** From which span on the labels are the move's, at or behind a place; undefined where they never are. */
export function movePlace(labels: readonly string[], move: readonly string[], from = 0): number | undefined {
  for (let at = from; at + move.length <= labels.length; at++)
    if (move.every((label, i) => labels[at + i] === label)) return at;
  return undefined;
}

export const drawSchema = z.object({
  fork: z.string(),
  arm: z.enum(arms),
  /** Which of the continuations of its arm, and which of its draws. */
  place: z.int().nonnegative(),
  draw: z.int().nonnegative(),
  state: rolloutStateSchema,
  failure: z.string().optional(),
  text: z.string(),
  finish: z.string().optional(),
  promptTokens: z.int().optional(),
  responseTokens: z.int().optional(),
  milliseconds: z.number().optional(),
  cost: z.number().optional(),
  servedBy: z.string().optional(),
  /**
   * `rejected`: it makes the move, which this arm is without. `cut`: it makes it later, where it may never be made; `keep`
   * characters stay, and the next draw goes on from there.
   */
  outcome: z.enum(["ended", "rejected", "cut", "failed"]),
  keep: z.int().nonnegative().optional(),
  /** Of what follows the fork in the whole continuation, a letter a span. */
  sequence: z.string().optional(),
  grade: gradeSchema.optional(),
});
export type Draw = z.infer<typeof drawSchema>;

/** One way on from a fork, as far as it has come. */
export class Continuation {
  readonly fork: Fork;
  readonly arm: Arm;
  readonly place: number;
  /** What was drawn and stays. */
  text = "";
  draws = 0;
  rejected = 0;
  ended: Draw | undefined;
  /** Its last draw failed; it is asked again when the command is run again. */
  failed = false;
  #rejectedHere = 0;

  constructor(fork: Fork, arm: Arm, place: number) {
    this.fork = fork;
    this.arm = arm;
    this.place = place;
  }

  /** What the response says before anything is drawn. */
  get start(): string {
    return this.arm === "with" ? this.fork.prefix + this.fork.made : this.fork.prefix;
  }

  isOpen(tries: number): boolean {
    return this.ended === undefined && !this.failed && this.#rejectedHere < tries;
  }

  add(draw: Draw): void {
    this.failed = draw.outcome === "failed";
    if (this.failed) return;
    this.draws += 1;
    if (draw.outcome === "ended") this.ended = draw;
    if (draw.outcome !== "ended") this.rejected += 1;
    if (draw.outcome === "rejected") this.#rejectedHere += 1;
    if (draw.outcome === "cut") {
      this.text += draw.text.slice(0, draw.keep);
      this.#rejectedHere = 0;
    }
  }
}

export const continuationKey = ({ fork, arm, place }: Pick<Draw, "fork" | "arm" | "place">): string =>
  `${fork}\u0000${arm}\u0000${place}`;
