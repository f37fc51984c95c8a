// Several judges over the same spans. Votes are written as they come, keyed by span, judge and wording, so that a jury
// that was stopped resumes, and a refined prompt starts a new count without losing the old one.
import { existsSync } from "node:fs";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { readJsonLinesFile } from "../../base/json-lines.ts";
import { Channel } from "../../evaluation/channel.ts";
import { AppendLog } from "../../runs/append-log.ts";
import type { SpanInContext } from "../span-classifier.ts";
import type { Judge, JudgeResult } from "./judge.ts";

export type JurySpan = SpanInContext & {
  readonly id: string;
  readonly trace?: string;
  readonly domain?: string;
  /** How it was chosen; at random where nothing is said. */
  readonly drawn?: string;
};

const voteSchema = z.object({
  span: z.string(),
  judge: z.string(),
  wording: z.string(),
  label: z.string().optional(),
  /** Why there is no label. */
  failure: z.string().optional(),
  cost: z.number(),
});
export type Vote = z.infer<typeof voteSchema>;

/** Of one batch. */
type JuryEvent = { readonly spans: number; readonly cost: number };

type JuryOptions = { readonly spansPerRequest: number; readonly signal?: AbortSignal };

/** Asks only for votes that are missing; failed ones are asked for again. */
export async function* collectVotes(
  spans: readonly JurySpan[],
  judges: readonly Judge[],
  votesFile: string,
  { spansPerRequest, signal }: JuryOptions,
): AsyncGenerator<JuryEvent> {
  const log = await AppendLog.open(votesFile);
  try {
    const cast = new Set((await readVotes(votesFile)).filter(({ label }) => label !== undefined).map(voteKey));
    const pending = judges.flatMap((judge) => {
      const missing = spans.filter(
        ({ id }) => !cast.has(voteKey({ span: id, judge: judge.name, wording: judge.wording })),
      );
      const batches: { judge: Judge; batch: JurySpan[] }[] = [];
      for (let i = 0; i < missing.length; i += spansPerRequest) {
        batches.push({ judge, batch: missing.slice(i, i + spansPerRequest) });
      }
      return batches;
    });
    const events = new Channel<JuryEvent>();
    // The endpoints' clients keep their own concurrency, so everything may be asked at once.
    const asked = Promise.all(
      pending.map(async ({ judge, batch }) => {
        const judged = await judge.judge(batch, signal);
        await log.append(...votesOf(judge, batch, judged));
        await events.send({ spans: batch.length, cost: judged.cost });
      }),
    );
    asked.then(
      () => events.close(),
      (error: unknown) => events.close(error),
    );
    yield* events;
  } finally {
    await log.close();
  }
}

function votesOf(judge: Judge, batch: readonly JurySpan[], { verdicts, cost }: JudgeResult): Vote[] {
  return batch.map(({ id }, i) => {
    const verdict = verdicts[i];
    const said = "label" in verdict ? { label: verdict.label } : { failure: verdict.failure };
    return { span: id, judge: judge.name, wording: judge.wording, cost: cost / batch.length, ...said };
  });
}

export const voteKey = ({ span, judge, wording }: Pick<Vote, "span" | "judge" | "wording">): string =>
  `${span}\u0000${judge}\u0000${wording}`;

export async function readVotes(path: string): Promise<Vote[]> {
  if (!existsSync(path)) return [];
  const votes: Vote[] = [];
  for await (const read of readJsonLinesFile(path)) {
    const vote = "value" in read ? voteSchema.safeParse(read.value) : undefined;
    if (!vote?.success) throw new DataError(`${path} line ${read.line} is not a vote; repair or remove that line`);
    votes.push(vote.data);
  }
  return votes;
}
