// The paper's signal table from any evaluation: its rollouts scored under a reference, and how much each candidate for a
// novelty score differs between attempts at the same problem.
import type { ChatForm } from "../engine/chat-template/chat-form.ts";
import type { Engine, TokenSequence } from "../engine/engine.ts";
import { readProblems } from "../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Problem } from "../problems/problem.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { type RolloutSignals, rolloutSignals, type SignalSpread, signalSpread } from "../training/signal-spread.ts";

export type SignalTable = {
  readonly set: string;
  readonly rollouts: number;
  readonly rows: readonly SignalSpread[];
};

type SignalRequest = {
  readonly folder: string;
  readonly engine: Engine;
  readonly chat: ChatForm;
  /** Of each set, this many problems and attempts at most. */
  readonly problems?: number;
  readonly attempts?: number;
  readonly signal?: AbortSignal;
  readonly onScored?: (done: number, total: number) => void;
};

type Signals = {
  readonly tables: readonly SignalTable[];
  /** Rollouts without a whole text of their own: failed, empty, longer than the context, or thought apart by a server. */
  readonly leftOut: number;
};

/** Scored together: enough for a batch, and few enough for long traces to fit into memory. */
const sequencesPerCall = 32;

export async function referenceSignals(request: SignalRequest): Promise<Signals> {
  const { folder, engine, signal } = request;
  const chosen = chosenProblems(await readProblems(folder), request.problems);
  const store = await RolloutStore.read(folder);
  try {
    const entries = [...store.entries()].filter(
      ({ problem, attempt }) => chosen.has(problem) && attempt < (request.attempts ?? Number.POSITIVE_INFINITY),
    );
    const signals = new Map<string, RolloutSignals[]>();
    let leftOut = 0;
    for (let from = 0; from < entries.length; from += sequencesPerCall) {
      const batch: { readonly problem: string; readonly sequence: TokenSequence }[] = [];
      for (const entry of entries.slice(from, from + sequencesPerCall)) {
        const sequence = sequenceOf(request, chosen.get(entry.problem)!, await store.rollout(entry));
        if (sequence === undefined) leftOut += 1;
        else batch.push({ problem: entry.problem, sequence });
      }
      const scores =
        batch.length === 0
          ? []
          : await engine.logprobs(
              batch.map(({ sequence }) => sequence),
              { signal },
            );
      for (const [i, { problem }] of batch.entries())
        signals.set(problem, [...(signals.get(problem) ?? []), rolloutSignals(scores[i].logprobs)]);
      request.onScored?.(Math.min(from + sequencesPerCall, entries.length), entries.length);
    }
    return { tables: tablesOf(chosen, signals), leftOut };
  } finally {
    await store.close();
  }
}

function chosenProblems(problems: readonly Problem[], most = Number.POSITIVE_INFINITY): Map<string, Problem> {
  const taken = new Map<string, number>();
  const chosen = new Map<string, Problem>();
  for (const problem of problems) {
    const set = problem.set ?? "";
    const before = taken.get(set) ?? 0;
    if (before >= most) continue;
    taken.set(set, before + 1);
    chosen.set(problem.id, problem);
  }
  return chosen;
}

function sequenceOf({ engine, chat }: SignalRequest, problem: Problem, rollout: Rollout): TokenSequence | undefined {
  const { state, response, reasoning } = rollout;
  if (state === "failed" || response === "" || reasoning !== undefined) return undefined;
  const prompt = chat.prompt(problem.prompt);
  const ending = state === "complete" ? chat.ending : [];
  const tokens = [...prompt, ...engine.tokenizer.encode(response), ...ending];
  return tokens.length > engine.contextLength ? undefined : { tokens, promptLength: prompt.length };
}

function tablesOf(
  problems: ReadonlyMap<string, Problem>,
  signals: ReadonlyMap<string, readonly RolloutSignals[]>,
): SignalTable[] {
  const sets = [...new Set([...problems.values()].map(({ set = "" }) => set))];
  return sets.flatMap((set) => {
    const groups = [...signals].filter(([id]) => (problems.get(id)!.set ?? "") === set).map(([, own]) => own);
    if (!groups.some((group) => group.length > 1)) return [];
    return [{ set, rollouts: groups.flat().length, rows: signalSpread(groups) }];
  });
}
