// `repertoire traces judge`: a jury at work. Which spans, who judges, what it will cost, the votes, and what came of them in files.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError, DataError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { Random } from "../base/random.ts";
import { withoutSecrets } from "../base/secrets.ts";
import { importSlice } from "../imports/import-slice.ts";
import { parseInput, planSlices } from "../imports/plan.ts";
import { nothingRead, SkipCounts, sameAttempt } from "../imports/skips.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import {
  type Consensus,
  type JuryAgreement,
  juryAgreement,
  juryOutcome,
  type SpanVotes,
} from "../traces/judges/agreement.ts";
import { Judge } from "../traces/judges/judge.ts";
import { judgePrompt } from "../traces/judges/judge-prompt.ts";
import { collectVotes, type JurySpan, readVotes, voteKey } from "../traces/judges/jury.ts";
import { settlePage } from "../traces/judges/settle-page.ts";
import { readSettled } from "../traces/judges/settled.ts";
import { segment } from "../traces/segmentation.ts";
import { inContext } from "../traces/span-classifier.ts";
import { count } from "./arguments.ts";
import { type FlagValues, flag, repeatable, required, withFlags } from "./flags.ts";
import { interruptible } from "./interruption.ts";
import { progressBar, warn } from "./progress.ts";
import { textTable } from "./text-table.ts";
import {
  judgeEndpoint,
  type ReadingFlags,
  readingFlags,
  readingOf,
  segmentationOf,
  taxonomyOf,
} from "./traces-options.ts";
import { warnUnread } from "./unread.ts";

const judgeFlags = [
  ...readingFlags,
  repeatable("--judge <model@url>", "a judge; append #NAME to name the environment variable with its key"),
  flag("--spans-per-request <n>", "how many spans a judge sees at once", count, 8),
  flag("--guidelines <file>", "instructions for the judges, instead of the built-in definitions"),
  flag("--dry-run", "print the expected cost and stop"),
  required("--out <folder>", "folder for votes, agreement, consensus and disagreements"),
  flag("--spans <file>", 'JSON lines {"id","text","previous"} instead of traces'),
  flag("--sample <n>", "how many spans, drawn at random over all traces", count, 500),
  flag("--seed <seed>", "another seed draws other spans", "1"),
  flag("--json", "print the agreement as JSON"),
];

type JudgeFlags = FlagValues<typeof judgeFlags>;
type JuryFlags = Pick<JudgeFlags, "spansPerRequest" | "price">;

export function judgeCommand(): Command {
  return withFlags(new Command("judge"), judgeFlags)
    .description("ask a jury of LLM judges to label spans; resumes where it stopped")
    .argument("[inputs...]", "traces to take spans from, unless --spans names them")
    .addHelpText(
      "after",
      `
Examples:
  repertoire traces judge rollouts.jsonl --judge a@http://localhost:8000/v1 --judge b@http://localhost:8001/v1 --out jury
  repertoire traces train-classifier --data jury/consensus.jsonl --out my-classifier     # what most judges agree on, learned`,
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

/** In one pass, however many there are: those of the largest keys stay, sorted out whenever they are twice as many as wanted. */
async function spansToJudge(
  inputs: string[],
  { spans: file, sample, seed, ...flags }: JudgeFlags,
): Promise<JurySpan[]> {
  const random = Random.from(seed).child("jury");
  let drawn: { readonly span: JurySpan; readonly key: number; readonly order: number }[] = [];
  let order = 0;
  const trim = () => {
    drawn = drawn.sort((a, b) => b.key - a.key || a.order - b.order).slice(0, sample);
  };
  for await (const span of file === undefined ? spansOfTraces(inputs, flags) : spansOfFile(file)) {
    drawn.push({ span, key: random.uniform(), order: order++ });
    if (drawn.length >= 2 * sample) trim();
  }
  if (order === 0) throw new DataError(`${file ?? inputs.join(", ")}: no span to ask about`);
  trim();
  return drawn.sort((a, b) => a.order - b.order).map(({ span }) => span);
}

/** Judges by name; those of one model on several servers carry the server's, so that each has its own votes. */
export function jurorsOf(
  { price, judge }: Pick<JudgeFlags, "judge"> & Partial<JuryFlags>,
  taxonomy: Taxonomy,
  guidelines?: string,
): Judge[] {
  if (judge.length === 0)
    throw new ConfigurationError(
      "no judge given; name one with --judge model@url, like judge-1@http://localhost:8000/v1",
    );
  const endpoints = judge.map(judgeEndpoint);
  return endpoints.map((endpoint, i) => {
    const { model, url } = endpoint;
    const twin = endpoints.findIndex((other, j) => j < i && other.model === model && other.url === url);
    if (twin >= 0)
      throw new ConfigurationError(`--judge ${withoutSecrets(judge[i])} is given twice; a jury needs different judges`);
    const alone = endpoints.filter((other) => other.model === model).length === 1;
    const name = alone ? model : `${model}@${new URL(url).host}${new URL(url).pathname}`;
    return new Judge({ ...endpoint, price }, { taxonomy, guidelines, name, onWarning: warn });
  });
}

/** Every span of the traces, one after another. */
async function* spansOfTraces(inputs: readonly string[], flags: ReadingFlags): AsyncGenerator<JurySpan> {
  const { markers } = await taxonomyOf(flags);
  const segmentation = { ...segmentationOf(flags), ...(markers && { markers }) };
  const skips = new SkipCounts();
  const known = new Set<string>();
  for (const { slice, options } of await planSlices(inputs.map(parseInput), readingOf(flags))) {
    for await (const imported of importSlice(slice, options)) {
      if ("skipped" in imported) {
        skips.add(imported.skipped, imported.where);
        continue;
      }
      const { checkpoint, problem, attempt, puzzle, kind, response, prompt } = imported.trace;
      const trace = `${checkpoint} · ${problem} · ${attempt ?? imported.where}`;
      // Votes are kept by the name of a span, which must be one span's alone.
      if (known.has(trace)) {
        skips.add(sameAttempt, imported.where);
        continue;
      }
      known.add(trace);
      // As the quality of a labeler is told apart.
      const domain = kind ?? (puzzle === undefined ? undefined : "puzzle");
      for (const [i, span] of inContext(segment(response, segmentation), prompt).entries())
        yield { ...span, id: `${trace} #${i}`, trace, domain };
    }
  }
  if (known.size === 0) throw nothingRead(skips.reasons());
  warnUnread(skips.reasons());
}

const spanSchema = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    text: z.string(),
    previous: z.string().default(""),
    question: z.string().optional(),
    place: z.number().optional(),
    trace: z.string().optional(),
    trace_id: z.string().optional(),
    domain: z.string().optional(),
    drawn: z.string().optional(),
  })
  .transform(({ trace_id, ...span }): JurySpan => ({ ...span, trace: span.trace ?? trace_id }));

async function* spansOfFile(path: string): AsyncGenerator<JurySpan> {
  if (!existsSync(path)) throw new DataError(`${path} does not exist`);
  for await (const read of readJsonLinesFile(path)) {
    const span = "value" in read ? spanSchema.safeParse(read.value) : undefined;
    if (span?.success) yield span.data;
    else warn(`${path} line ${read.line}: not a span, skipped`);
  }
}

type JuryCost = {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost?: number;
  /** Where some answers cannot be used: they are paid for, and half of their spans asked at a time. */
  readonly costWithUnusable?: number;
};

/** Answers that cannot be used, where nothing is known of the judges: refusals, lists cut off, labels of their own. */
const unusableShare = 0.1;

/** Tokens a judge writes for each label of an answer; one that thinks first writes more. */
const tokensPerLabel = 4;

/** What the votes that are still missing will take, at four characters a token. */
async function expectedCost(
  spans: readonly JurySpan[],
  judges: readonly Judge[],
  folder: string,
  { spansPerRequest, price }: JuryFlags,
  taxonomy: Taxonomy,
): Promise<JuryCost> {
  const cast = await castVotes(folder);
  const labels = taxonomy.labels.map(({ name }) => name);
  let [requests, promptTokens, completionTokens] = [0, 0, 0];
  for (const { name, wording, guidelines } of judges) {
    const missing = spans.filter(({ id }) => !cast.has(voteKey({ span: id, judge: name, wording })));
    for (let i = 0; i < missing.length; i += spansPerRequest) {
      const batch = missing.slice(i, i + spansPerRequest);
      requests += 1;
      promptTokens += Math.ceil((guidelines.length + judgePrompt(batch, labels).length) / 4);
      completionTokens += tokensPerLabel * batch.length;
    }
  }
  if (price === undefined) return { requests, promptTokens, completionTokens };
  const cost = (promptTokens * price.prompt + completionTokens * price.completion) / 1e6;
  const guidelines = judges.reduce((sum, judge) => sum + judge.guidelines.length, 0) / 4 / judges.length;
  const again = unusableShare * (cost + (requests * guidelines * price.prompt) / 1e6);
  return { requests, promptTokens, completionTokens, cost, costWithUnusable: cost + again };
}

function costWords({ requests, promptTokens, completionTokens, cost, costWithUnusable }: JuryCost): string {
  if (requests === 0) return "all votes are there; no judge is called";
  const thousands = (tokens: number) => `${Math.ceil(tokens / 1000)} thousand`;
  const price =
    cost === undefined
      ? "cost unknown: give --price"
      : `about ${money(cost)} at the price given, ${money(costWithUnusable ?? cost)} if one answer in ten cannot be used`;
  return `${requests} ${requests === 1 ? "request" : "requests"}, ${thousands(promptTokens)} prompt tokens and at least ${thousands(completionTokens)} completion tokens (more if judges think first): ${price}`;
}

const money = (cost: number) => (cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2));

const votesIn = (folder: string) => join(folder, "votes.jsonl");

const castVotes = async (folder: string) =>
  new Set((await readVotes(votesIn(folder))).filter(({ label }) => label !== undefined).map(voteKey));

/** The share of votes after which the cost is said again, as it turned out. */
const revisedAfter = 0.1;

type JuryRun = {
  readonly agreement: JuryAgreement;
  readonly consensus: Consensus[];
  readonly undecided: number;
  readonly divided: readonly SpanVotes[];
};

/** Asks for the votes that are missing, and writes what they say. */
async function runJury(
  spans: readonly JurySpan[],
  judges: readonly Judge[],
  folder: string,
  flags: JuryFlags,
  taxonomy: Taxonomy,
): Promise<JuryRun> {
  const cast = await castVotes(folder);
  const all = judges.flatMap(({ name, wording }) => spans.map(({ id }) => voteKey({ span: id, judge: name, wording })));
  const missing = all.filter((key) => !cast.has(key)).length;
  const { spansPerRequest } = flags;
  await interruptible("\nstopping; run the same command again to resume", async (signal) => {
    const bar = progressBar("votes", all.length, all.length - missing);
    let [votes, cost, said] = [0, 0, false];
    for await (const batch of collectVotes(spans, judges, votesIn(folder), { spansPerRequest, signal })) {
      bar.advance(batch.spans);
      [votes, cost] = [votes + batch.spans, cost + batch.cost];
      // Judges that think first cost what only their answers tell.
      if (said || votes < revisedAfter * missing || cost === 0) continue;
      said = true;
      warn(`by the first ${votes} votes: about ${money((cost / votes) * missing)} in all`);
    }
  });
  const asked = new Set(all);
  const votes = (await readVotes(votesIn(folder))).filter((vote) => asked.has(voteKey(vote)));
  const agreement = juryAgreement(votes, taxonomy);
  const settled = await readSettled(folder, taxonomy);
  const { judged, consensus, undecided, disagreements } = juryOutcome(spans, votes, settled);
  await writeFileAtomically(join(folder, "agreement.json"), `${JSON.stringify(agreement, null, 2)}\n`);
  await writeLines(join(folder, "judged.jsonl"), judged);
  // Without a label they teach nothing, and whoever is measured on these spans is wrong about them.
  const unlabeled = undecided.map((span) => ({ ...span, label: null }));
  await writeLines(join(folder, "consensus.jsonl"), [...consensus, ...unlabeled]);
  await writeLines(join(folder, "disagreements.jsonl"), disagreements);
  await writeFileAtomically(join(folder, "disagreements.html"), settlePage(disagreements, taxonomy, settled));
  return { agreement, consensus, undecided: undecided.length, divided: disagreements };
}

const writeLines = (path: string, records: readonly object[]) =>
  writeFileAtomically(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));

function printJury({ agreement, consensus, undecided, divided }: JuryRun, folder: string): void {
  const { judges, spans, percent, fleissKappa, pairs, votesByLabel, monotonous, failing, failures, cost } = agreement;
  const kappa = fleissKappa === undefined ? "" : `, Fleiss' kappa ${fleissKappa.toFixed(2)}`;
  const agree = percent === undefined ? "no two of them voted on a common span" : `${percent.toFixed(1)}% agreement`;
  console.log(
    pc.bold(`${judges.length} judge${judges.length === 1 ? "" : "s"}, ${spans} spans with all votes: ${agree}${kappa}`),
  );
  if (pairs.length > 0)
    console.log(
      textTable(
        ["judges", "spans", "agree", "Cohen's kappa"],
        pairs.map((pair) => [
          pair.judges.join(" / "),
          String(pair.spans),
          pair.percent === undefined ? "–" : `${pair.percent.toFixed(1)}%`,
          pair.kappa?.toFixed(2) ?? "–",
        ]),
      ),
    );
  console.log(
    Object.entries(votesByLabel)
      .map(([label, votes]) => `${label} ${votes}`)
      .join(" · "),
  );
  for (const { judge, label, spans } of monotonous)
    warn(
      `${judge} said ${label} of all ${spans} spans, so its votes say nothing; leave it out, or look at its answers`,
    );
  for (const { judge, failures: spans, example } of failing)
    warn(`${judge} gave no usable label for ${spans} spans, for example: ${example}`);
  console.log(
    `${consensus.length} spans with a consensus, ${undecided} without a majority, ${divided.length} to look at, ${failures} failed votes${cost > 0 ? `, cost ${cost.toFixed(4)}` : ""}`,
  );
  console.log(
    pc.dim(
      `${join(folder, "consensus.jsonl")} can train a classifier; resolve the rest in ${join(folder, "disagreements.html")}`,
    ),
  );
}
