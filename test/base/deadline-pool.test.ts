// A task that does not end, or fills its memory, costs its own answer and no other; a bug of ours reaches whoever waits.
import { Worker } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { DeadlinePool } from "../../src/base/deadline-pool.ts";

type Task = number | "stuck" | "full" | "broken";

const open: DeadlinePool<Task, Task | string>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

function poolOf(file: string): DeadlinePool<Task, Task | string> {
  const pool = new DeadlinePool<Task, Task | string>({
    name: "the pool",
    start: (options) => new Worker(new URL(file, import.meta.url), options),
    ...{ workers: 2, spares: 1, deadlineMs: 2_000, memoryMb: 64, tasksAtOnce: 16 },
    cutShort: (by) => by,
  });
  open.push(pool);
  return pool;
}

it("answers in order around tasks that are stuck or fill their memory, and replaces their threads", async () => {
  const pool = poolOf("./deadline-worker.mjs");
  const answers = await pool.run([1, 2, "full", 3, "stuck", 4, 5, 6, "stuck", 7]);
  expect(answers).toEqual([1, 2, "memory", 3, "deadline", 4, 5, 6, "deadline", 7]);
  expect(pool.killed).toBe(3);
  expect(await pool.run([8, 9])).toEqual([8, 9]);
});

it("rejects with an error that is no task's, and starts anew for the next ones", async () => {
  const pool = poolOf("./deadline-worker.mjs");
  await expect(pool.run(["broken"])).rejects.toThrow("our own bug");
  expect(await pool.run([1])).toEqual([1]);
});

it("says at once that its threads cannot start", async () => {
  await expect(poolOf("./no-such-worker.mjs").ready()).rejects.toThrow("no-such-worker");
});

it("says that its threads end before they answer", async () => {
  await expect(poolOf("data:text/javascript,").ready()).rejects.toThrow("a worker thread ended by itself (code 0)");
  await expect(poolOf("data:text/javascript,").run([1])).rejects.toThrow("ended by itself");
});
