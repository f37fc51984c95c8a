// `repertoire traces judge`: several LLM judges over the same spans, how far they agree, and what to look at.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { DataError } from "../base/errors.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import type { JurySpan } from "../traces/judges/jury.ts";
import { collected, count, readPrice } from "./arguments.ts";
import { costWords, expectedCost, type JuryFlags, jurorsOf, printJury, runJury, spansOfTraces } from "./jury-run.ts";
import { type ReadingFlags, taxonomyOf, withReading } from "./traces-options.ts";

type JudgeFlags = ReadingFlags &
  JuryFlags & {
    spans?: string;
    sample: number;
    guidelines?: string;
    seed: string;
    out: string;
    dryRun?: true;
    json?: true;
  };

/** Flags of the jury itself, the same wherever one is asked. */
export function withJury(command: Command): Command {
  return command
    .option(
      "--judge <model@url>",
      "a judge; #NAME behind it names the key's environment variable; may be repeated",
      collected,
      [],
    )
    .option("--judges <list>", "several judges at once, with commas", (list: string) => list.split(","), [])
    .option("--spans-per-request <n>", "how many spans a judge sees at once", count, 8)
    .option("--guidelines <file>", "what judges are told, instead of the built-in definitions")
    .option("--price <prompt,completion>", "per million tokens, to say and add up the cost", readPrice)
    .option("--dry-run", "say what it would cost, and ask nobody");
}

export function judgeCommand(): Command {
  return withJury(
    withReading(
      new Command("judge")
        .description("ask a jury of LLM judges to label spans; resumes where it stopped")
        .argument("[inputs...]", "traces to take spans from, unless --spans names them"),
    ),
  )
    .requiredOption("--out <folder>", "votes, agreement, consensus and the queue of disagreements go here")
    .option("--spans <file>", 'JSON lines {"id","text","previous"} instead of traces')
    .option("--sample <n>", "how many spans, drawn at random over all traces", count, 500)
    .option("--seed <seed>", "which spans are drawn", "1")
    .option("--json", "print the agreement as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire traces judge rollouts.jsonl --judge a@http://localhost:8000/v1 --judge b@http://localhost:8001/v1 --out jury",
    )
    .action(judgeSpans);
}

async function judgeSpans(inputs: string[], flags: JudgeFlags): Promise<void> {
  const guidelines = flags.guidelines === undefined ? undefined : await readFile(flags.guidelines, "utf8");
  const taxonomy = await taxonomyOf(flags);
  const { spans: spansFile, sample, seed, segmentation, out } = flags;
  const judges = jurorsOf(flags, taxonomy, guidelines);
  const spans = await spansToJudge(inputs, flags);
  console.error(costWords(await expectedCost(spans, judges, out, flags, taxonomy)));
  if (flags.dryRun) return;
  const run = await openRunFolder(out, {
    kind: "analyze",
    // Not the wording: refining it is the point, and votes know their wording.
    config: {
      ...{ jury: true, inputs, spans: spansFile, sample, seed, segmentation },
      ...(flags.taxonomy !== undefined && { taxonomy }),
    },
    now: new Date(),
  });
  try {
    const found = await runJury(spans, judges, out, flags, taxonomy);
    if (flags.json) process.stdout.write(`${JSON.stringify(found.agreement)}\n`);
    else printJury(found, out);
  } finally {
    await Promise.all(judges.map((each) => each.close()));
    await run.release();
  }
}

const spanSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  previous: z.string().default(""),
  trace_id: z.string().optional(),
  domain: z.string().optional(),
});

async function spansToJudge(inputs: string[], flags: JudgeFlags): Promise<JurySpan[]> {
  const all: JurySpan[] = [];
  const given = flags.spans === undefined ? spansOfTraces(inputs, flags) : spansOfFile(flags.spans);
  for await (const span of given) all.push(span);
  if (all.length <= flags.sample) return all;
  const random = Random.from(flags.seed).child("jury");
  return random.shuffle(all).slice(0, flags.sample);
}

async function* spansOfFile(path: string): AsyncGenerator<JurySpan> {
  if (!existsSync(path)) throw new DataError(`${path} does not exist`);
  for await (const read of readJsonLinesFile(path)) {
    const span = "value" in read ? spanSchema.safeParse(read.value) : undefined;
    if (!span?.success) {
      console.error(pc.yellow(`${path} line ${read.line}: not a span, skipped`));
      continue;
    }
    const { trace_id: trace, ...rest } = span.data;
    yield { ...rest, trace };
  }
}
