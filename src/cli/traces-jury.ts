import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { DataError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import type { JurySpan } from "../traces/judges/jury.ts";
import { Reservoir } from "../traces/judges/need-sample.ts";
import { count } from "./arguments.ts";
import { type FlagValues, flag, required, withFlags } from "./flags.ts";
import {
  costWords,
  expectedCost,
  jurorsOf,
  juryFlags,
  printJury,
  runJury,
  spansOfFile,
  spansOfTraces,
} from "./jury-run.ts";
import { warn } from "./progress.ts";
import { readingFlags, taxonomyOf } from "./traces-options.ts";

const judgeFlags = [
  ...readingFlags,
  ...juryFlags,
  required("--out <folder>", "folder for votes, agreement, consensus and disagreements"),
  flag("--spans <file>", 'JSON lines {"id","text","previous"} instead of traces'),
  flag("--sample <n>", "how many spans, drawn at random over all traces", count, 500),
  flag("--seed <seed>", "another seed draws other spans", "1"),
  flag("--json", "print the agreement as JSON"),
];

type JudgeFlags = FlagValues<typeof judgeFlags>;

export function judgeCommand(): Command {
  return withFlags(new Command("judge"), judgeFlags)
    .description("ask a jury of LLM judges to label spans; resumes where it stopped")
    .argument("[inputs...]", "traces to take spans from, unless --spans names them")
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

/** In one pass, however many there are. */
async function spansToJudge(inputs: string[], flags: JudgeFlags): Promise<JurySpan[]> {
  const random = Random.from(flags.seed).child("jury");
  const drawn = new Reservoir<JurySpan>(flags.sample);
  const given =
    flags.spans === undefined
      ? spansOfTraces(inputs, flags)
      : spansOfFile(flags.spans, (line) => warn(`${flags.spans} line ${line}: not a span, skipped`));
  let order = 0;
  for await (const span of given) drawn.add({ span, key: random.uniform(), order: order++ });
  if (order === 0) throw new DataError(`${flags.spans ?? inputs.join(", ")}: no span to ask about`);
  return drawn
    .sorted()
    .sort((a, b) => a.order - b.order)
    .map(({ span }) => span);
}
