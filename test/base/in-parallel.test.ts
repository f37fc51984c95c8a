import { expect, it } from "vitest";
import { inParallel } from "../../src/base/in-parallel.ts";

const turn = () => new Promise((done) => setTimeout(done, 1));

it("does every task once, by its index, and never more than so many at a time", async () => {
  const seen: [string, number][] = [];
  let running = 0;
  let most = 0;
  await inParallel([..."abcdefg"], 3, undefined, async (item, index) => {
    most = Math.max(most, ++running);
    await turn();
    seen.push([item, index]);
    running -= 1;
  });
  expect(seen.sort()).toEqual([..."abcdefg"].map((item, index) => [item, index]));
  expect(most).toBe(3);
});

it("a failure aborts the others, starts none, and is thrown when all have ended", async () => {
  const started: number[] = [];
  let running = 0;
  const all = inParallel([0, 1, 2, 3, 4, 5], 2, undefined, async (item, _, signal) => {
    started.push(item);
    running += 1;
    if (item === 1) {
      running -= 1;
      throw new Error("one failed");
    }
    await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
    running -= 1;
    signal.throwIfAborted();
  });
  await expect(all).rejects.toThrow("one failed");
  expect(running).toBe(0);
  expect(started).toEqual([0, 1]);
});

it("hears the caller's signal", async () => {
  const caller = new AbortController();
  const all = inParallel([0], 1, caller.signal, async (_, __, signal) => {
    caller.abort(new Error("enough"));
    signal.throwIfAborted();
  });
  await expect(all).rejects.toThrow("enough");
});
