// Sampling both ways on from each fork, in rounds: whatever makes the move where it must not is drawn again in the next one.
// It writes nothing; whoever reads the events keeps the draws and gives them back at the next start.
import { RemoteServiceError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import { Channel } from "../../evaluation/channel.ts";
import type { Sampler, SampleTask } from "../../evaluation/sampler.ts";
import type { Problem } from "../../problems/problem.ts";
import type { ResponseGrader } from "../../rollouts/problem-grading.ts";
import { type Rollout, rolloutKey } from "../../rollouts/rollout.ts";
import type { ReadTrace } from "../trace-reader.ts";
import { arms, Continuation, continuationKey, cutBefore, type Draw, type Fork, movePlace } from "./fork.ts";

export type ForkSettings = {
  /** Continuations of each arm. */
  readonly n: number;
  /** A continuation is given up when so many draws in a row make the move at the same place. */
  readonly tries: number;
  /** Without the move as the next one, or ever again. */
  readonly without: "next" | "ever";
  readonly seed: number | string;
};

export type ForkInput = {
  readonly forks: readonly Fork[];
  readonly settings: ForkSettings;
  readonly known: Iterable<Draw>;
  readonly sampler: Sampler;
  /** The problem of a fork in the words in which it is asked. */
  readonly asked: (fork: Fork) => Problem;
  /** What of a response is sent as already said. */
  readonly sent?: (response: string) => string;
  readonly read: (
    response: string,
    fork: Fork,
  ) => Promise<Pick<ReadTrace, "spans"> & { readonly labels: readonly string[]; readonly letters: string }>;
  readonly graderOf: (problem: string) => ResponseGrader;
  readonly signal?: AbortSignal;
};

export type ForkEvent =
  | { readonly type: "fork-plan"; readonly total: number; readonly done: number }
  | { readonly type: "fork-draw"; readonly draw: Draw; readonly done: number }
  | { readonly type: "fork-end"; readonly failed: number; readonly stopped: boolean };

/** What is there of each continuation, draws that were given back included. */
export function continuations(forks: readonly Fork[], n: number, known: Iterable<Draw>): Map<string, Continuation> {
  const all = new Map<string, Continuation>();
  for (const fork of forks)
    for (const arm of arms)
      for (let place = 0; place < n; place++)
        all.set(continuationKey({ fork: fork.id, arm, place }), new Continuation(fork, arm, place));
  // A later attempt may have been written first, and one that was asked twice counts once.
  const sorted = [...known].sort((a, b) => a.draw - b.draw);
  for (const draw of sorted) {
    const own = all.get(continuationKey(draw));
    if (own !== undefined && draw.outcome !== "failed" && draw.draw === own.draws) own.add(draw);
  }
  return all;
}

export async function* sampleForks(input: ForkInput): AsyncGenerator<ForkEvent> {
  const { forks, settings, sampler, asked, sent = (response) => response } = input;
  const all = [...continuations(forks, settings.n, input.known).values()];
  const open = () => all.filter((one) => one.isOpen(settings.tries));
  const done = () => all.length - open().length;
  yield { type: "fork-plan", total: all.length, done: done() };
  const random = Random.from(settings.seed).child("forks");
  for (let round = open(); round.length > 0 && !input.signal?.aborted; round = open()) {
    const byKey = new Map<string, Continuation>();
    const tasks = round.map((one): SampleTask => {
      const { fork, arm, place, draws } = one;
      const problem = { ...asked(fork), id: `${fork.id} ${arm}` };
      byKey.set(rolloutKey({ problem: problem.id, attempt: place }), one);
      const seed = random.child(fork.id, arm, place, draws).uint32() >>> 1;
      return { problem, attempt: place, seed, prefix: sent(one.start + one.text) };
    });
    const arrivals = new Channel<{ readonly one: Continuation; readonly draw: Draw }>();
    const stop = new AbortController();
    const onAbort = () => stop.abort(input.signal?.reason);
    input.signal?.addEventListener("abort", onAbort, { once: true });
    const sampling = sampler
      .sample(
        tasks,
        async (rollout) => {
          const one = byKey.get(rolloutKey(rollout))!;
          await arrivals.send({ one, draw: await drawOf(one, rollout, input) });
        },
        stop.signal,
      )
      .then(
        () => arrivals.close(),
        (error) => arrivals.close(input.signal?.aborted ? undefined : error),
      );
    let failure: string | undefined;
    let answered = 0;
    try {
      for await (const { one, draw } of arrivals) {
        one.add(draw);
        if (draw.outcome === "failed") failure = draw.failure;
        else answered += 1;
        yield { type: "fork-draw", draw, done: done() };
      }
    } finally {
      stop.abort(new Error("the forks have ended"));
      input.signal?.removeEventListener("abort", onAbort);
      arrivals.abandon();
      await sampling;
    }
    if (answered === 0 && failure !== undefined)
      throw new RemoteServiceError(
        `all ${round.length} continuations failed, the last because ${failure}; what there is is kept: run the same again`,
      );
  }
  const failed = all.filter((one) => one.failed).length;
  yield { type: "fork-end", failed, stopped: input.signal?.aborted ?? false };
}

/** What a draw is: an end to keep, or the move where it must not be made. */
async function drawOf(one: Continuation, rollout: Rollout, input: ForkInput): Promise<Draw> {
  const { fork, arm, place, draws: draw } = one;
  const {
    state,
    failure,
    response: text,
    finish,
    promptTokens,
    responseTokens,
    milliseconds,
    cost,
    servedBy,
  } = rollout;
  const about = {
    fork: fork.id,
    arm,
    place,
    draw,
    state,
    text,
    finish,
    promptTokens,
    responseTokens,
    milliseconds,
    cost,
    servedBy,
  };
  if (state === "failed") return { ...about, failure, outcome: "failed" };
  const before = one.start.length + one.text.length;
  const response = one.start + one.text + text;
  const { spans, labels, letters } = await input.read(response, fork);
  const firstAfter = (place: number) => {
    const found = spans.findIndex(({ end }) => end > place);
    return found === -1 ? labels.length : found;
  };
  if (arm === "without") {
    const next = firstAfter(before);
    const made = movePlace(labels, fork.move, next);
    if (made === next) return { ...about, outcome: "rejected" };
    if (made !== undefined && input.settings.without === "ever") {
      const keep = Math.max(0, cutBefore(response, spans[made].start) - before);
      return { ...about, outcome: "cut", keep };
    }
  }
  const grade = await input.graderOf(fork.problem)(response);
  return { ...about, outcome: "ended", sequence: letters.slice(firstAfter(one.start.length)), grade };
}
