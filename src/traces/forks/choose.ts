// Which moves of which rollouts are forked: at each problem a few, from different rollouts, whether these were right or not.
// Problems and rollouts come in an order that the seed draws, and no more are read than are needed.
import { DataError } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Span } from "../segmentation.ts";
import { cutOut, type Fork, forkId, movePlace } from "./fork.ts";

export type LabeledRollout = {
  readonly problem: string;
  readonly attempt: number;
  readonly text: string;
  readonly spans: readonly Span[];
  readonly labels: readonly string[];
  readonly sequence: string;
  readonly correct?: boolean;
};

export type ForkChoice = {
  readonly moves: readonly (readonly string[])[];
  /** Forks of each move at each problem. */
  readonly perProblem: number;
  /** Problems of each set that are forked. */
  readonly problems: number;
};

export async function chosenForks(
  problems: readonly Problem[],
  attempts: (problem: string) => readonly number[],
  read: (problem: string, attempt: number) => Promise<LabeledRollout | undefined>,
  { moves, perProblem, problems: mostProblems }: ForkChoice,
  random: Random,
): Promise<Fork[]> {
  const forks: Fork[] = [];
  const forked = new Map<string, number>();
  for (const { id, set = "" } of random.child("problems").shuffle([...problems])) {
    const own = random.child("problem", id);
    const wanted = new Map(
      moves
        .filter((move) => (forked.get(`${set} ${move}`) ?? 0) < mostProblems)
        .map((move) => [move, perProblem] as const),
    );
    for (const attempt of own.child("attempts").shuffle([...attempts(id)])) {
      if (wanted.size === 0) break;
      const rollout = await read(id, attempt);
      if (rollout === undefined) continue;
      for (const [move, left] of wanted) {
        const fork = forkOf(rollout, move, own.child("span", attempt, ...move));
        if (fork === undefined) continue;
        forks.push(fork);
        if (left === perProblem) forked.set(`${set} ${move}`, (forked.get(`${set} ${move}`) ?? 0) + 1);
        if (left === 1) wanted.delete(move);
        else wanted.set(move, left - 1);
      }
    }
  }
  return forks;
}

/** At one of the places where it makes the move, each as likely as the others. */
function forkOf(rollout: LabeledRollout, move: readonly string[], random: Random): Fork | undefined {
  const places: number[] = [];
  for (let at = movePlace(rollout.labels, move); at !== undefined; at = movePlace(rollout.labels, move, at + 1))
    places.push(at);
  return places.length === 0 ? undefined : forkAt(rollout, places[random.below(places.length)], move.length);
}

export function forkAt(rollout: LabeledRollout, first: number, count: number): Fork {
  const { problem, attempt, text, spans, labels, sequence, correct } = rollout;
  const move = labels.slice(first, first + count);
  if (move.length < count || spans.length !== labels.length)
    throw new DataError(
      `${problem}#${attempt} has ${spans.length} spans, counted from 0; there is no span ${first + count - 1}`,
    );
  const about = { id: forkId(problem, attempt, first, count), problem, attempt, first, move };
  return { ...about, ...cutOut(text, spans, first, count), sequence, ...(correct !== undefined && { correct }) };
}

/** `bridges:5x5…#3:7` or `…:7-8`; a problem's id may hold the same marks itself. */
export function readSpanAddress(text: string) {
  const [, problem, attempt, first, last = first] = /^(.+)#(\d+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (problem === undefined || Number(last) < Number(first))
    throw new DataError(`${text} names no span; expected problem#attempt:span, such as 'synthetic 12#3:7', or …:7-8`);
  return { problem, attempt: Number(attempt), first: Number(first), count: Number(last) - Number(first) + 1 };
}
