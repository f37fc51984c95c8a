// `repertoire grade`: the verdicts of an evaluation, made or made again without sampling; and single answers of
// mathematics, for people and as JSON lines.
import { Command, Option } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { equivalenceGrader } from "../evaluation/equivalence.ts";
import {
  evaluationFiles,
  readProblems,
  readSampling,
  reopenEvaluation,
  rolloutFile,
} from "../evaluation/evaluation-folder.ts";
import { type GradeChange, gradeRollouts } from "../evaluation/grades.ts";
import type { EquivalenceGrader } from "../evaluation/grading.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import { writeSummary } from "../evaluation/summarise.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import type { Problem } from "../problems/problem.ts";
import { acceptingDamage } from "../recipes/accepted-damage.ts";
import { openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { acceptDamageOption, damageWatch } from "./damage.ts";
import { summaryTable } from "./evaluation-tables.ts";
import { stopOnInterrupt } from "./interruption.ts";
import { answerLines } from "./line-stream.ts";
import { progressBar } from "./progress.ts";

export function gradeCommand(): Command {
  return new Command("grade")
    .description("grade the rollouts of an evaluation, or single answers")
    .enablePositionalOptions()
    .argument("[run]", "folder of an evaluation")
    .option("--again", "grade everything anew and say which verdicts changed")
    .addOption(new Option("--json", "print the summary as JSON"))
    .addOption(acceptDamageOption())
    .addHelpText(
      "after",
      '\nExamples:\n  repertoire grade runs/hard\n  repertoire grade runs/hard --again\n  echo \'{"gold":"1/2","pred":"so $x = 0.5$"}\' | repertoire grade math --json',
    )
    .action(async (folder: string | undefined, options: { again?: true; json?: true; acceptDamage?: true }) => {
      if (folder === undefined)
        throw new ConfigurationError("give the folder of an evaluation, or `repertoire grade math`");
      const { kind, config } = await readRunDescription(folder);
      const run = await openRunFolder(folder, { kind, config, now: new Date() });
      try {
        // Grading everything anew replaces grades, whatever has become of them.
        const only = options.again ? [evaluationFiles.problems, rolloutFile] : undefined;
        await acceptingDamage(damageWatch(folder, options), (damage) => reopenEvaluation(folder, { ...damage, only }));
        const problems = await readProblems(folder);
        const store = await RolloutStore.read(folder);
        try {
          const { summary, changes } = await gradeFolder({
            folder,
            problems,
            store,
            which: options.again ? "all" : "ungraded",
          });
          if (options.json) console.log(JSON.stringify(summary));
          else console.log(`${options.again ? `${changesText(folder, changes)}\n\n` : ""}${summaryTable(summary)}`);
        } finally {
          await store.close();
        }
      } finally {
        await run.release();
      }
    })
    .addCommand(mathCommand());
}

export type GradeFolderInput = {
  readonly folder: string;
  readonly problems: readonly Problem[];
  readonly store: RolloutStore;
  readonly which: "ungraded" | "all";
};

/** Grades with a progress bar and writes the summary anew. */
export async function gradeFolder(
  input: GradeFolderInput,
): Promise<{ readonly summary: EvaluationSummary; readonly changes: readonly GradeChange[] }> {
  const { folder, problems, store } = input;
  let equivalence: EquivalenceGrader | undefined;
  const interruption = stopOnInterrupt(() => console.error("\nstopping; what was graded is kept"));
  const changes: GradeChange[] = [];
  let bar: ReturnType<typeof progressBar> | undefined;
  try {
    const signal = interruption.signal;
    for await (const event of gradeRollouts({
      ...input,
      equivalence: () => (equivalence ??= equivalenceGrader()),
      signal,
    })) {
      if (event.type === "grading-plan" && event.total > 0) bar = progressBar("grading", event.total);
      if (event.type !== "grading-progress") continue;
      bar?.advance();
      if (event.changed !== undefined) changes.push(event.changed);
    }
  } finally {
    bar?.stop();
    interruption.release();
    await equivalence?.close();
  }
  const [first] = store.entries();
  const policy = first === undefined ? "nobody" : (await store.rollout(first)).policy;
  const sampling = await readSampling(folder);
  const warnings = [...(sampling?.probe?.notes ?? []), ...Object.values(sampling?.warnings ?? {})];
  return { summary: await writeSummary({ folder, policy, problems, store, warnings }), changes };
}

function changesText(folder: string, changes: readonly GradeChange[]): string {
  if (changes.length === 0) return "no verdict changed";
  const shown = changes
    .slice(0, 20)
    .map(({ problem, attempt, from, to }) => `  ${problem} attempt ${attempt}: ${from} → ${to}`);
  const more = changes.length > shown.length ? [`  … all of them in ${folder}/${evaluationFiles.gradeChanges}`] : [];
  return [`${changes.length} verdicts changed:`, ...shown, ...more].join("\n");
}

// ---- math ----------------------------------------------------------------------------------------------------------

const mathInput = z.object({
  gold: z.string(),
  pred: z.string(),
  /** Decimal places that the gold answer was rounded to. */
  decimals: z.number().int().nonnegative().optional(),
  id: z.unknown().optional(),
});

function mathCommand(): Command {
  return new Command("math")
    .description("is the final answer of a response equal to a gold answer: equal, different or undecided")
    .argument("[gold]", "the gold answer")
    .argument("[response]", "a response, or just an answer")
    .option(
      "--json",
      'JSON lines on standard input and output: {"gold","pred"} → {"verdict","because","gold","pred","ms"}',
    )
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire grade math '\\frac{1}{2}' 'The answer is $0.5$.'\n  repertoire grade math --json < pairs.jsonl > verdicts.jsonl",
    )
    .action(async (gold: string | undefined, response: string | undefined, options: { json?: true }) => {
      const grader = equivalenceGrader();
      try {
        if (options.json) {
          await answerLines(mathInput, async (input) => {
            const started = performance.now();
            const grade = await grader.grade({ gold: input.gold, response: input.pred, decimals: input.decimals });
            const ms = Math.round(1000 * (performance.now() - started)) / 1000;
            const verdict = grade.verdict === "unreadable" ? "different" : grade.verdict;
            return {
              ...(input.id !== undefined && { id: input.id }),
              verdict,
              because: grade.because,
              gold: grade.gold,
              pred: grade.prediction,
              ms,
            };
          });
          return;
        }
        if (gold === undefined || response === undefined) {
          throw new ConfigurationError(
            "give a gold answer and a response, or --json with JSON lines on standard input",
          );
        }
        const { verdict, because, gold: goldForm, prediction } = await grader.grade({ gold, response });
        const colour =
          verdict === "equal" ? pc.green : verdict === "different" || verdict === "unreadable" ? pc.red : pc.yellow;
        console.log(`${colour(verdict)}: ${because}\n  gold  ${goldForm}\n  given ${prediction}`);
        if (verdict !== "equal") process.exitCode = 1;
      } finally {
        await grader.close();
      }
    });
}
