// What `samplingAhead` saves, on a simulated clock: slots that decode side by side, with the rates measured on one H200 for OLMo-3-7B's
// shape (docs/engine-servers.md). Lengths are log-normal with a long tail. Memory is no limit here. `npx tsx bench/sampling-ahead.ts`
import { Random } from "../src/base/random.ts";

const rolloutsPerProblem = 8;
const steps = 20;
const stepsPerCheckpoint = 5;
const longest = 28_000;

/** Milliseconds of one token more for all rows: weights and small kernels, and 12-bit keys and values at 4.1 TB/s: 8 layers see all, 24 a window of 4,096. */
const fixed = 5.2;
const bytes = (length: number) => 100_352 * length + 301_056 * Math.min(length, 4096);
const milliseconds = (lengths: readonly number[]) => fixed + lengths.reduce((sum, n) => sum + bytes(n), 0) / 4.1e9;

type Job = { done: number; readonly until: number };

/** Takes jobs in their order whenever a slot is free; returns seconds, and the share of slots that were busy. */
function drain(queue: Job[], slots: number): { seconds: number; busy: number } {
  const active: Job[] = [];
  let time = 0;
  let used = 0;
  for (;;) {
    while (active.length < slots && queue.length > 0) active.push(queue.shift()!);
    if (active.length === 0) return { seconds: time / 1000, busy: used / (slots * time) };
    const tokens = Math.min(...active.map(({ done, until }) => until - done));
    const spent = tokens * milliseconds(active.map(({ done }) => done + tokens / 2));
    time += spent;
    used += spent * active.length;
    for (const job of active) job.done += tokens;
    for (let i = active.length - 1; i >= 0; i--) if (active[i].done >= active[i].until) active.splice(i, 1);
  }
}

function run(
  problemsPerStep: number,
  slots: number,
  mean: number,
  sigma: number,
  ahead?: { problems: number; tokens: number },
) {
  const random = Random.from(1).child("lengths");
  const length = () =>
    Math.max(1, Math.min(longest, Math.round(Math.exp(Math.log(mean) - sigma ** 2 / 2 + sigma * random.normal()))));
  const lengths = Array.from({ length: steps * problemsPerStep * rolloutsPerProblem }, length);
  const each = problemsPerStep * rolloutsPerProblem;
  let begun: number[] = [];
  let seconds = 0;
  let busy = 0;
  let old = 0;
  for (let step = 0; step < steps; step++) {
    const own = lengths.slice(step * each, (step + 1) * each);
    const begins = ahead !== undefined && step + 1 < steps && (step + 1) % stepsPerCheckpoint !== 0;
    const next = begins
      ? lengths.slice((step + 1) * each, (step + 1) * each + ahead.problems * rolloutsPerProblem)
      : [];
    const jobs = own
      .map((until, i): Job => ({ done: Math.min(begun[i] ?? 0, until), until }))
      .filter(({ done, until }) => done < until);
    begun = next.map((until) => Math.min(until, ahead?.tokens ?? 0));
    old += begun.reduce((sum, n) => sum + n, 0);
    const spent = drain([...jobs, ...begun.map((until): Job => ({ done: 0, until }))], slots);
    seconds += spent.seconds;
    busy += spent.busy * spent.seconds;
  }
  return { hours: seconds / 3600 / steps, busy: busy / seconds, old: old / lengths.reduce((sum, n) => sum + n, 0) };
}

const percent = (x: number) => `${(100 * x).toFixed(1)}%`;
// All of the paper's 128 problems on one GPU; a sixteenth of them on each of sixteen; short responses with a very long tail.
for (const [problemsPerStep, slots, mean, sigma] of [
  [128, 32, 8000, 0.8],
  [128, 256, 8000, 0.8],
  [8, 32, 8000, 0.8],
  [128, 64, 3000, 1.2],
  [8, 32, 1000, 1.2],
] as const) {
  const plain = run(problemsPerStep, slots, mean, sigma);
  const rollouts = problemsPerStep * rolloutsPerProblem;
  console.log(
    `${rollouts} rollouts of ${mean} tokens (sigma ${sigma}) in ${slots} slots: ${plain.hours.toFixed(3)} h a step, slots busy ${percent(plain.busy)}`,
  );
  for (const tokens of [1000, 4000, 16_000]) {
    const problems = Math.min(slots / rolloutsPerProblem, problemsPerStep);
    const { hours, busy, old } = run(problemsPerStep, slots, mean, sigma, { problems, tokens });
    console.log(
      `  ${problems} problems ahead, ${tokens} tokens: ${percent(1 - hours / plain.hours)} saved, busy ${percent(busy)}, ${percent(old)} of tokens drawn ahead`,
    );
  }
}
