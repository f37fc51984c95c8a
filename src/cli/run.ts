// `repertoire run`: whole recipes. `mini` is the paper in miniature, on this machine, in a quarter of an hour.
import { join, resolve } from "node:path";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import type { EvaluationSummary, SetSummary } from "../evaluation/summary.ts";
import { embeddedHost, tinkerHost } from "../recipes/engine-host.ts";
import { type MiniConfigInput, miniSchema, type PolicyName, policies } from "../recipes/mini/config.ts";
import { type Finding, findings, primitiveTable, tracesOf } from "../recipes/mini/findings.ts";
import { runMini } from "../recipes/mini/mini.ts";
import { miniContextLength } from "../recipes/mini/new-model.ts";
import { writeReport } from "../report/index.ts";
import { wholeNumber } from "./arguments.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { stageBars } from "./stage-bars.ts";
import { textTable } from "./text-table.ts";

const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export function runCommand(): Command {
  return new Command("run").description("run a whole recipe").addCommand(miniCommand());
}

type MiniOptions = { folder: string; seed: number; engine?: string; set: string[]; threads?: number };

function miniCommand(): Command {
  return new Command("mini")
    .description("the paper in miniature: teacher, SFT, GSPO with and without the novelty bonus, evaluation")
    .option("--folder <path>", "where the run is kept; the same folder again goes on or shows the result", "runs/mini")
    .option("--seed <n>", "another seed is another run", wholeNumber, 1)
    .option(
      "--engine <url>",
      "a server that speaks the Tinker protocol, started on models/mini-base; this machine's processor unless said",
    )
    .option("--threads <n>", "cores to use", wholeNumber)
    .option(
      "--set <key=value>",
      "change a setting, for example rl.steps=30",
      (text, all: string[]) => [...all, text],
      [],
    )
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire run mini\n  repertoire run mini --seed 2 --folder runs/mini-2 --set rl.kl=0.1",
    )
    .action(async (options: MiniOptions) => {
      const { folder, seed, threads } = options;
      const config = readSettings(seed, options.set);
      const host =
        options.engine === undefined
          ? embeddedHost({ run: folder, base: shippedBase, seed, threads })
          : tinkerHost({
              run: `mini-${seed}`,
              base: shippedBase,
              url: options.engine,
              server: "repertoire",
              loraRank: 0,
              contextLength: miniContextLength,
              seed,
            });
      const bars = stageBars();
      const { signal, release } = stopOnInterrupt(() =>
        console.error("\nstopping; run the same command again to go on"),
      );
      try {
        const { summaries } = await runMini({ folder, config, host, tell: bars.tell, now: () => new Date(), signal });
        bars.stop();
        await printResult(folder, summaries);
        const { page } = await writeReport({ runs: [folder] });
        console.log(`Every figure and table: ${pc.bold(page)}`);
      } catch (error) {
        if (!signal.aborted) throw error;
        process.exitCode = 130;
      } finally {
        bars.stop();
        release();
      }
    });
}

/** `rl.steps=30` into the nested settings; the schema says what is unknown or wrong. */
function readSettings(seed: number, changes: readonly string[]) {
  const settings: Record<string, unknown> = { seed };
  for (const change of changes) {
    const [, path, value] = /^([\w.]+)=(.+)$/.exec(change) ?? [];
    if (path === undefined)
      throw new ConfigurationError(`--set ${change}: expected key=value, for example rl.steps=30`);
    const keys = path.split(".");
    let at = settings;
    for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>;
    at[keys[keys.length - 1]] = Number.isNaN(Number(value)) ? value : Number(value);
  }
  const parsed = miniSchema.safeParse(settings as MiniConfigInput);
  if (!parsed.success) throw new ConfigurationError(`--set: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

// ---- What a run says at its end --------------------------------------------------------------------------------------

async function printResult(folder: string, summaries: Record<PolicyName, EvaluationSummary>): Promise<void> {
  const evaluations = (policy: PolicyName) => join(folder, "evaluations", policy);
  const traces = Object.fromEntries(
    await Promise.all(
      policies.map(async (policy) => [policy, await tracesOf(evaluations(policy), "held-out puzzles")]),
    ),
  ) as Record<PolicyName, Awaited<ReturnType<typeof tracesOf>>>;
  console.log(`\n${pc.bold("Accuracy")} (95% intervals over problems)\n`);
  console.log(accuracyTable(summaries));
  console.log(`\n${pc.bold("Primitives per trace on held-out puzzles")}\n`);
  const { header, rows } = primitiveTable(traces);
  console.log(
    textTable(
      header.map((title, c) => ({ title, align: c === 0 ? "left" : "right" })),
      rows,
    ),
  );
  console.log(`\n${pc.bold("What this run shows of the paper")}\n`);
  for (const finding of findings(summaries, traces)) console.log(findingLine(finding));
  console.log(
    `\nThis is a miniature: a model of 0.8 million parameters and boards of a few cells. Its base already solves small puzzles by plain\n` +
      `deduction (a base that cannot would need hours of SFT here); what SFT adds is the style of the teacher, guesses and returns included.\n\n` +
      `Everything is in ${pc.bold(folder)}: corpus.jsonl, sft/, vanilla/ and novelty/ (events, rollouts, checkpoints), evaluations/.`,
  );
}

function accuracyTable(summaries: Record<PolicyName, EvaluationSummary>): string {
  const { sets } = summaries.base;
  const rows = sets.flatMap(({ set, problems, attempts }) => {
    const ks = [...new Set([1, attempts.fewest])];
    return ks.map((k) => [
      `${set} (${problems})`,
      `pass@${k}`,
      ...policies.map((policy) => cell(summaries[policy].sets.find((one) => one.set === set)!, k)),
    ]);
  });
  const titles = ["problems", "", ...policies];
  return textTable(
    titles.map((title, c) => ({ title, align: c < 2 ? "left" : "right" })),
    rows,
  );
}

function cell(set: SetSummary, k: number): string {
  const entry = set.passAtK.find((one) => one.k === k);
  if (entry === undefined) return "–";
  const show = (value: number) => (100 * value).toFixed(0);
  const { newProblems: interval } = entry;
  return `${(100 * entry.value).toFixed(1)}%${interval ? ` [${show(interval.low)}, ${show(interval.high)}]` : ""}`;
}

function findingLine({ claim, verdict, evidence }: Finding): string {
  const mark = { shown: pc.green("shown    "), "not shown": pc.yellow("not shown"), reversed: pc.red("reversed ") }[
    verdict
  ];
  return `  ${mark}  ${claim}\n             ${pc.dim(evidence)}`;
}
