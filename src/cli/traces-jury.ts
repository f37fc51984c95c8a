// `repertoire traces judge`: several LLM judges over the same spans, how far they agree, and what to look at.
import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { DataError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import type { Price } from "../endpoints/endpoint.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { importSlice } from "../traces/importers/import-slice.ts";
import { type JuryAgreement, juryAgreement, juryOutcome } from "../traces/judges/agreement.ts";
import { Judge } from "../traces/judges/judge.ts";
import { collectVotes, type JurySpan, readVotes } from "../traces/judges/jury.ts";
import { parseInput, planSlices } from "../traces/read-traces.ts";
import { segment } from "../traces/segmentation.ts";
import { inContext } from "../traces/span-classifier.ts";
import { collected, count, readPrice } from "./arguments.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { progressBar, sayTrouble } from "./progress.ts";
import { textTable } from "./text-table.ts";
import {
  judgeEndpoint,
  type ReadingFlags,
  readingOf,
  segmentationOf,
  taxonomyOf,
  withReading,
} from "./traces-options.ts";

type JudgeFlags = ReadingFlags & {
  judge: string[];
  spans?: string;
  sample: number;
  spansPerRequest: number;
  guidelines?: string;
  price?: Price;
  seed: string;
  out: string;
  json?: true;
};

export function judgeCommand(): Command {
  return withReading(
    new Command("judge")
      .description("ask a jury of LLM judges to label spans; goes on where it stopped")
      .argument("[inputs...]", "traces to take spans from, unless --spans names them"),
  )
    .requiredOption(
      "--judge <model@url>",
      "a judge; #NAME behind it names the key's environment variable; may be repeated",
      collected,
    )
    .requiredOption("--out <folder>", "votes, agreement, consensus and the queue of disagreements go here")
    .option("--spans <file>", 'JSON lines {"id","text","previous"} instead of traces')
    .option("--sample <n>", "how many spans, drawn at random over all traces", count, 500)
    .option("--spans-per-request <n>", "how many spans a judge sees at once", count, 8)
    .option("--guidelines <file>", "what judges are told, instead of the built-in definitions")
    .option("--price <prompt,completion>", "per million tokens, to add up the cost", readPrice)
    .option("--seed <seed>", "which spans are drawn", "1")
    .option("--json", "print the agreement as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  repertoire traces judge rollouts.jsonl --judge a@http://localhost:8000/v1 --judge b@http://localhost:8001/v1 --out jury",
    )
    .action(runJury);
}

async function runJury(inputs: string[], flags: JudgeFlags): Promise<void> {
  const guidelines = flags.guidelines === undefined ? undefined : await readFile(flags.guidelines, "utf8");
  const taxonomy = await taxonomyOf(flags);
  const { judge, spans: spansFile, sample, seed, segmentation, out } = flags;
  const run = await openRunFolder(out, {
    kind: "analyze",
    // Not the wording: refining it is the point, and votes know their wording.
    config: {
      ...{ jury: true, inputs, spans: spansFile, sample, seed, segmentation },
      ...(flags.taxonomy !== undefined && { taxonomy }),
    },
    now: new Date(),
  });
  const interruption = stopOnInterrupt(() => console.error("\nstopping; run the same command to go on"));
  // Every request under way listens to it, and many are.
  setMaxListeners(0, interruption.signal);
  const judges = judge.map((text) => jurorOf(text, flags, taxonomy, guidelines));
  try {
    const spans = await spansToJudge(inputs, flags);
    const votesFile = join(out, "votes.jsonl");
    const bar = progressBar("votes", spans.length * judges.length);
    const { spansPerRequest } = flags;
    for await (const { spans: voted } of collectVotes(spans, judges, votesFile, {
      spansPerRequest,
      signal: interruption.signal,
    })) {
      bar.advance(voted);
    }
    bar.stop();
    const votes = await readVotes(votesFile);
    const agreement = juryAgreement(votes, taxonomy);
    const { judged, consensus, disagreements } = juryOutcome(spans, votes);
    await writeFileAtomically(join(out, "agreement.json"), `${JSON.stringify(agreement, null, 2)}\n`);
    await writeLines(join(out, "judged.jsonl"), judged);
    await writeLines(join(out, "consensus.jsonl"), consensus);
    await writeLines(join(out, "disagreements.jsonl"), disagreements);
    if (flags.json) process.stdout.write(`${JSON.stringify(agreement)}\n`);
    else printAgreement(agreement, consensus.length, disagreements.length, out);
  } finally {
    interruption.release();
    await Promise.all(judges.map((each) => each.close()));
    await run.release();
  }
}

function jurorOf(text: string, { price }: JudgeFlags, taxonomy: Taxonomy, guidelines?: string): Judge {
  const endpoint = { ...judgeEndpoint(text), price };
  return new Judge(endpoint, { taxonomy, guidelines, onTrouble: sayTrouble });
}

const writeLines = (path: string, records: readonly object[]) =>
  writeFileAtomically(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));

const spanSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  previous: z.string().default(""),
  trace_id: z.string().optional(),
  domain: z.string().optional(),
});

async function spansToJudge(inputs: string[], flags: JudgeFlags): Promise<JurySpan[]> {
  const all = flags.spans === undefined ? await spansOfTraces(inputs, flags) : await spansOfFile(flags.spans);
  if (all.length <= flags.sample) return all;
  const random = Random.from(flags.seed).child("jury");
  return random.shuffle([...all]).slice(0, flags.sample);
}

async function spansOfFile(path: string): Promise<JurySpan[]> {
  if (!existsSync(path)) throw new DataError(`${path} does not exist`);
  const spans: JurySpan[] = [];
  for await (const read of readJsonLinesFile(path)) {
    const span = "value" in read ? spanSchema.safeParse(read.value) : undefined;
    if (!span?.success) {
      console.error(pc.yellow(`${path} line ${read.line}: not a span, skipped`));
      continue;
    }
    const { trace_id: trace, ...rest } = span.data;
    spans.push({ ...rest, trace });
  }
  return spans;
}

async function spansOfTraces(inputs: string[], flags: JudgeFlags): Promise<JurySpan[]> {
  const spans: JurySpan[] = [];
  const { markers } = await taxonomyOf(flags);
  const segmentation = { ...segmentationOf(flags), ...(markers && { markers }) };
  for (const { slice, options } of await planSlices(inputs.map(parseInput), readingOf(flags))) {
    for await (const imported of importSlice(slice, options)) {
      if ("skipped" in imported) continue;
      const { checkpoint, problem, attempt, puzzle, response } = imported.trace;
      const trace = `${checkpoint} · ${problem} · ${attempt ?? imported.where}`;
      const domain = puzzle === undefined ? undefined : "puzzle";
      inContext(segment(response, segmentation)).forEach((span, i) => {
        spans.push({ ...span, id: `${trace} #${i}`, trace, domain });
      });
    }
  }
  return spans;
}

function printAgreement(agreement: JuryAgreement, agreed: number, divided: number, folder: string): void {
  const { judges, spans, percent, fleissKappa, pairs, votesByLabel, failures, cost } = agreement;
  const kappa = fleissKappa === undefined ? "" : `, Fleiss' kappa ${fleissKappa.toFixed(2)}`;
  console.log(pc.bold(`${judges.length} judges on ${spans} spans: ${percent.toFixed(1)}% agreement${kappa}`));
  console.log(
    textTable(
      [{ title: "judges", align: "left" }, { title: "spans" }, { title: "agree" }, { title: "Cohen's kappa" }],
      pairs.map((pair) => [
        pair.judges.join(" / "),
        String(pair.spans),
        `${pair.percent.toFixed(1)}%`,
        pair.kappa?.toFixed(2) ?? "–",
      ]),
    ),
  );
  console.log(
    Object.entries(votesByLabel)
      .map(([label, votes]) => `${label} ${votes}`)
      .join(" · "),
  );
  console.log(
    `${agreed} spans with a consensus, ${divided} to look at, ${failures} failed votes, cost ${cost.toFixed(4)}`,
  );
  console.log(
    pc.dim(
      `${join(folder, "consensus.jsonl")} trains a classifier; ${join(folder, "disagreements.jsonl")} shows where the wording is unclear`,
    ),
  );
}
