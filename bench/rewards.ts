// Rollouts a second of the reward server over HTTP, in a process of its own as it is deployed: 5x5 puzzle rollouts in
// batches and singly, right and wrong answers mixed, every verdict checked. CPU seconds of the server stand beside wall
// time, because on a busy machine only they mean something.
//
//   npx tsx bench/rewards.ts [--seconds 5] [--workers 1]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { Random } from "../src/base/random.ts";
import { puzzleNamed, puzzleNames } from "../src/puzzles/catalog.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, workers: { type: "string", default: "1" } },
});
const seconds = Number(values.seconds);

/** About as long as a short trace of reasoning: parsing and scanning it is part of the work. */
const reasoning = "If the island in the corner needs two bridges, both must go right. ".repeat(30);
const samples = puzzleNames.flatMap((name) =>
  Array.from({ length: 16 }, (_, draw) => {
    const puzzle = puzzleNamed(name);
    const made = puzzle.generate(puzzle.readParams("5x5"), Random.from(1).child(name, draw));
    const answer = puzzle.renderAnswer(made.instance, made.solution);
    const right = draw % 2 === 0;
    const text = right ? answer : answer.slice(0, -1);
    return {
      item: {
        data_source: `repertoire/${name}`,
        solution_str: `<reasoning>${reasoning}</reasoning>\n<answer>\n${text}\n</answer>`,
        ground_truth: JSON.stringify({ puzzle: name, id: puzzle.writeId(made.instance) }),
      },
      exact: right ? 1 : 0,
    };
  }),
);

const entry = fileURLToPath(new URL("./reward-server-process.ts", import.meta.url));
const child = spawn(process.execPath, ["--import", "tsx", entry, values.workers], {
  stdio: ["pipe", "pipe", "inherit"],
});
const url: string = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));

/** User and system seconds of the server's process, all threads, where the system tells. */
function cpuSeconds(): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

async function measure(name: string, batch: number, clients: number): Promise<void> {
  const pool = new Pool(url, { connections: clients });
  const bodies = Array.from({ length: 16 }, (_, k) => {
    const chosen = Array.from({ length: batch }, (_, i) => samples[(k * 5 + i) % samples.length]);
    return { body: JSON.stringify({ items: chosen.map(({ item }) => item) }), exact: chosen.map(({ exact }) => exact) };
  });
  let rollouts = 0;
  const ask = async (k: number) => {
    const { body, exact } = bodies[k % bodies.length];
    const headers = { "content-type": "application/json" };
    const reply = await pool.request({ path: "/score", method: "POST", headers, body });
    const { scores } = (await reply.body.json()) as { readonly scores: readonly { readonly exact: number }[] };
    if (scores.some((score, i) => score.exact !== exact[i])) throw new Error(`wrong verdict in ${name}`);
    rollouts += batch;
  };
  for (let k = 0; k < 32; k++) await ask(k);
  rollouts = 0;
  const cpuBefore = cpuSeconds();
  const started = performance.now();
  const client = async (first: number) => {
    for (let k = first; performance.now() - started < seconds * 1000; k++) await ask(k);
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  const wall = (performance.now() - started) / 1000;
  const cpu = cpuSeconds() - cpuBefore;
  await pool.close();
  console.log(
    `${name.padEnd(34)} ${Math.round(rollouts / wall)
      .toString()
      .padStart(7)} /s of wall time   ${Math.round(rollouts / cpu)
      .toString()
      .padStart(7)} /s of server CPU   (${(cpu / wall).toFixed(2)} cores used)`,
  );
}

console.log(`${seconds} s each, ${values.workers} worker threads, traces of ${reasoning.length} characters`);
await measure("batches of 128, 8 clients", 128, 8);
await measure("batches of 8, 32 clients", 8, 32);
await measure("singly, 100 clients", 1, 100);
child.stdin.end();
