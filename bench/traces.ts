// How fast traces are read: segmentation in MB/s, labeling in spans/s, and a whole analysis of ten checkpoints with its
// memory. `npx tsx bench/traces.ts [gigabytes]`; CPU time is given beside the clock, because clocks lie on busy machines.

import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../src/base/random.ts";
import { defaultAnalysis } from "../src/traces/analysis/analysis.ts";
import { analyzeTraces } from "../src/traces/analyze-traces.ts";
import { BuiltinClassifier } from "../src/traces/classifier/builtin-classifier.ts";
import { narratedSpans } from "../src/traces/classifier/narrated-spans.ts";
import { paperSegmentation, segment } from "../src/traces/segmentation.ts";

const gigabytes = Number(process.argv[2] ?? 3);
const [checkpoints, problems, attempts] = [10, 100, 32];
const workers = Math.min(2, availableParallelism());
const random = Random.from("bench traces");

/** Sentences of every kind, of many subjects, with numbers and names that differ from span to span. */
const pool = narratedSpans({ traces: 100, style: "prose", random: random.child("narrated") }).map(({ text }) => text);

function response(draws: Random, characters: number): string {
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const part = `${draws.pick(pool)} So x${draws.below(90)} = ${draws.below(9999)} and ${draws.below(99)}·${draws.below(99)} = ${draws.below(9999)}.`;
    parts.push(part);
    length += part.length + 2;
  }
  return `<reasoning>${parts.join("\n\n")}</reasoning><answer>${draws.below(1000)}</answer>`;
}

type Spent = { readonly seconds: number; readonly cpuSeconds: number };

async function timed(work: () => unknown): Promise<Spent> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
}

const texts = Array.from({ length: 200 }, (_, i) => response(random.child("text", i), 95_000));
const megabytes = texts.reduce((total, text) => total + text.length, 0) / 1e6;
const spans = texts.map((text) => segment(text, paperSegmentation));
const spanCount = spans.reduce((total, list) => total + list.length, 0);
console.log(
  `${texts.length} traces, ${megabytes.toFixed(1)} MB, ${spanCount} spans of ${((1e6 * megabytes) / spanCount).toFixed(0)} characters`,
);

function row(what: string, amount: number, unit: string, { seconds, cpuSeconds }: Spent, wanted?: number): void {
  const perCpu = amount / cpuSeconds;
  const judged =
    wanted === undefined ? "" : perCpu >= wanted ? `  (≥ ${wanted} wanted)` : `  BELOW the ${wanted} wanted`;
  console.log(
    `${what.padEnd(34)} ${perCpu.toFixed(0).padStart(8)} ${unit} of CPU, ${(amount / seconds).toFixed(0)} by the clock${judged}`,
  );
}

for (const text of texts.slice(0, 20)) segment(text);
const rounds = 5;
row(
  "segmentation, one core",
  rounds * megabytes,
  "MB/s",
  await timed(() => {
    for (let i = 0; i < rounds; i++) for (const text of texts) segment(text);
  }),
  60,
);

const classifier = await BuiltinClassifier.load();
for (const list of spans.slice(0, 20)) classifier.labelTrace(list);
// Two cores label 20,000 a second when each does half of it.
row(
  "labeling, one core",
  spanCount,
  "spans/s",
  await timed(() => {
    for (const list of spans) classifier.labelTrace(list);
  }),
  10_000,
);

const folder = mkdtempSync(join(tmpdir(), "bench-traces-"));
try {
  const characters = Math.round((gigabytes * 1e9) / (checkpoints * problems * attempts));
  const file = join(folder, "traces.jsonl");
  const stream = createWriteStream(file, { highWaterMark: 1 << 22 });
  for (let c = 0; c < checkpoints; c++) {
    for (let p = 0; p < problems; p++) {
      for (let a = 0; a < attempts; a++) {
        const draws = random.child(c, p, a);
        const record = {
          checkpoint: `checkpoint ${c}`,
          problem: `p${p}`,
          attempt: a,
          correct: draws.chance(0.1 + 0.05 * c),
          response: response(draws, characters),
        };
        if (!stream.write(`${JSON.stringify(record)}\n`)) await once(stream, "drain");
      }
    }
  }
  stream.end();
  await once(stream, "finish");
  const bytes = stream.bytesWritten;

  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 200);
  let labeled = 0;
  let read = 0;
  const started = performance.now();
  const spent = await timed(() =>
    analyzeTraces(
      join(folder, "analysis"),
      { inputs: [{ path: file }], analysis: defaultAnalysis, workers },
      (event) => {
        if (event.type === "slice") {
          labeled += event.spans;
          read = performance.now();
        }
      },
    ),
  );
  clearInterval(watch);
  const total = checkpoints * problems * attempts;
  console.log(
    `\nfull analysis of ${total} traces, ${(bytes / 1e9).toFixed(2)} GB, ${labeled} spans, ${workers} threads:`,
  );
  console.log(
    `  ${spent.seconds.toFixed(0)} s by the clock, ${spent.cpuSeconds.toFixed(0)} s of CPU (${(spent.cpuSeconds / workers).toFixed(0)} s a core when nobody else uses it)`,
  );
  console.log(
    `  reading and labeling ${((read - started) / 1000).toFixed(0)} s, statistics ${(spent.seconds - (read - started) / 1000).toFixed(0)} s`,
  );
  console.log(
    `  ${(labeled / (spent.cpuSeconds / workers)).toFixed(0)} spans/s on ${workers} cores, everything included; peak memory ${(peak / 1e9).toFixed(2)} GB`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
