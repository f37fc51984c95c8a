// Puzzles over HTTP, for trainers that have no Node: made and verified. Keeps no state: the same request gets the same puzzles as
// `repertoire puzzles generate` makes with that seed.
import { z } from "zod";
import { messageOf, schemaProblems, UserError } from "../base/errors.ts";
import { Refusal } from "../base/http/body.ts";
import { Random } from "../base/random.ts";
import { rewardNames } from "../grading/reward.ts";
import { type DatasetRow, datasetRows } from "../problems/puzzle-dataset.ts";
import { verifyInput } from "../problems/puzzle-tasks.ts";
import { PuzzleThread } from "../problems/puzzle-thread.ts";
import { readWeightedKind } from "../puzzles/mix.ts";
import { promptVariants } from "../puzzles/prompt.ts";
export const puzzleRoutes = ["/puzzles/make", "/puzzles/verify"] as const;
type PuzzleRoute = (typeof puzzleRoutes)[number];
export const isPuzzleRoute = (route: string): route is PuzzleRoute =>
  (puzzleRoutes as readonly string[]).includes(route);

const makeRequest = z.strictObject({
  /** As in `bridges=7x7,easy*3`. */
  kinds: z.array(z.string()).min(1).max(1_000),
  count: z.number().int().min(1).max(10_000),
  /** How many to pass over first, so that a long dataset can be asked for in parts. */
  from: z.number().int().nonnegative().max(1_000_000).default(0),
  seed: z.union([z.string(), z.number()]).default("1"),
  split: z.enum(["train", "test"]).optional(),
  testShare: z.number().min(0).max(1).optional(),
  prompt: z.enum(["full", "board"]).optional(),
  promptWith: z.array(z.enum(promptVariants)).optional(),
});

const verifyRequest = z.strictObject({
  items: z.array(z.unknown()).min(1).max(10_000),
  reward: z.enum(rewardNames).default("paper"),
});

/** One thread for all: requests wait for each other, and each ends when its signal does, also one that waits. */
export class PuzzleRequests {
  readonly #thread: PuzzleThread;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deadlineMs: number) {
    this.#thread = new PuzzleThread(deadlineMs / 1000);
  }

  async answer(route: PuzzleRoute, body: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      const work = this.#last.then((): Promise<unknown> => {
        signal.throwIfAborted();
        this.#thread.signal = signal;
        return route === "/puzzles/make" ? this.#make(body) : this.#verify(body);
      });
      this.#last = work.catch(() => {});
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return await Promise.race([work, aborted]);
    } catch (error) {
      if (error instanceof UserError) throw new Refusal(422, messageOf(error));
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #make(body: unknown): Promise<{ readonly rows: DatasetRow[] }> {
    const { kinds, count, from, seed, split, testShare, prompt, promptWith } = makeRequest.parse(body);
    const request = {
      kinds: kinds.map(readWeightedKind),
      count: from + count,
      random: Random.from(seed).child("puzzles"),
      split,
      testShare,
      promptStyle: prompt,
      promptVariants: promptWith,
    };
    const rows: DatasetRow[] = [];
    for await (const row of datasetRows(request, this.#thread)) {
      if (row.extra_info.index >= from) rows.push(row);
    }
    return { rows };
  }

  async #verify(body: unknown): Promise<{ readonly verdicts: unknown[] }> {
    const { items, reward } = verifyRequest.parse(body);
    const verdicts: unknown[] = [];
    for (const one of items) {
      // One item that cannot be graded takes no other with it.
      const input = verifyInput.safeParse(one);
      if (!input.success) {
        verdicts.push({ error: schemaProblems(input.error) });
        continue;
      }
      try {
        verdicts.push(await this.#thread.run({ task: "verify", ...input.data, reward }));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        verdicts.push({ id: input.data.id, error: messageOf(error) });
      }
    }
    return { verdicts };
  }
}
