// `repertoire grade`: the verdicts of an evaluation, made or made again without sampling; and single answers of
// mathematics, for people and as JSON lines.
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { evaluationFiles, readProblems, reopenEvaluation, rolloutFile } from "../evaluation/evaluation-folder.ts";
import { type GradeFolderInput, gradeFolder } from "../evaluation/grade-folder.ts";
import type { GradeChange, GradingEvent } from "../evaluation/grades.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import { MathGrader } from "../grading/math/math-grader.ts";
import { gradingModes, type MathOptionsInput } from "../grading/math/options.ts";
import { acceptingDamage } from "../recipes/accepted-damage.ts";
import { openRunFolder, readRunDescription } from "../runs/run-folder.ts";
import { shareOf } from "./arguments.ts";
import { acceptDamageFlag, damageWatch } from "./damage.ts";
import { summaryTable } from "./evaluation-tables.ts";
import { choice, type FlagValues, flag, withFlags } from "./flags.ts";
import { auditCommand } from "./grade-audit.ts";
import { interruptible } from "./interruption.ts";
import { answerLines } from "./line-stream.ts";
import { type Progress, progressBar } from "./progress.ts";

const gradeFlags = [
  flag("--again", "grade everything again and report which verdicts changed"),
  flag("--json", "print the summary as JSON"),
  acceptDamageFlag,
];

export function gradeCommand(): Command {
  return withFlags(new Command("grade"), gradeFlags)
    .enablePositionalOptions()
    .argument("[run]", "folder of an evaluation")
    .addHelpText(
      "after",
      '\nExamples:\n  repertoire grade runs/hard\n  repertoire grade runs/hard --again\n  echo \'{"gold":"1/2","pred":"so $x = 0.5$"}\' | repertoire grade math --json',
    )
    .action(async (folder: string | undefined, options: FlagValues<typeof gradeFlags>) => {
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
          const which = options.again ? "all" : "ungraded";
          const { summary, changes } = await gradeWithBar({ folder, problems, store, which });
          if (options.json) console.log(JSON.stringify(summary));
          else console.log(`${options.again ? `${changesText(folder, changes)}\n\n` : ""}${summaryTable(summary)}`);
        } finally {
          await store.close();
        }
      } finally {
        await run.release();
      }
    })
    .addCommand(mathCommand())
    .addCommand(auditCommand());
}

/** `gradeFolder` with a progress bar; Ctrl-C keeps what was graded. */
export async function gradeWithBar(input: GradeFolderInput): ReturnType<typeof gradeFolder> {
  let bar: Progress | undefined;
  const onEvent = (event: GradingEvent) => {
    if (event.type === "grading-plan" && event.total > 0) bar = progressBar("grading", event.total);
    if (event.type === "grading-progress") bar?.advance();
  };
  return interruptible("\nstopping; what was graded is kept", (signal) => gradeFolder({ ...input, signal, onEvent }));
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
  /** The texts of a multiple choice by letter. */
  choices: z.record(z.string(), z.string()).optional(),
  id: z.unknown().optional(),
});

const mathFlags = [
  flag(
    "--json",
    'print JSON; without a gold answer, read and write JSON lines: {"gold","pred"} (and "decimals", "choices", "id") → {"verdict","because","gold","pred","answer","source","at","ms"}',
  ),
  choice(
    "--mode <mode>",
    "evaluation reads generously; reward pays only plain statements, as training should",
    gradingModes,
    "evaluation",
  ),
  flag("--percent-as-number", "9% also equals 9"),
  choice("--list-order <order>", "whether lists keep their order", ["any", "as-written"]),
  choice("--units <units>", "whether a gold unit must be in the answer", ["optional", "required"]),
  flag("--tolerance <share>", "allowed error of a constant, as a fraction of the gold answer", shareOf),
];

type MathFlags = FlagValues<typeof mathFlags>;

const gradingOptions = (flags: MathFlags): MathOptionsInput => ({
  mode: flags.mode,
  ...(flags.percentAsNumber && { percentEqualsNumber: true }),
  ...(flags.listOrder !== undefined && { listOrder: flags.listOrder }),
  ...(flags.units !== undefined && { units: flags.units }),
  ...(flags.tolerance !== undefined && { tolerance: { relative: flags.tolerance } }),
});

const verdictRecord = ({
  prediction: pred,
  ...verdict
}: Awaited<ReturnType<MathGrader["grade"]>>): Record<string, unknown> => ({ ...verdict, pred });

function mathCommand(): Command {
  return withFlags(new Command("math"), mathFlags)
    .description("compare the final answer of a response with a gold answer: equal, different or undecided")
    .argument("[gold]", "the gold answer")
    .argument("[response]", "a response, or just an answer")
    .addHelpText(
      "after",
      "\nExamples:\n  repertoire grade math '\\frac{1}{2}' 'The answer is $0.5$.'\n  repertoire grade math --json < pairs.jsonl > verdicts.jsonl\n  repertoire grade math --tolerance 0.01 3.14159 'about 3.15'",
    )
    .action(async (gold: string | undefined, response: string | undefined, flags: MathFlags) => {
      const options = gradingOptions(flags);
      const grader = new MathGrader();
      try {
        if (flags.json && gold === undefined) {
          await answerLines(mathInput, async ({ id, gold: wanted, pred, decimals, choices }) => {
            const graded = await grader.grade(wanted, pred, {
              ...options,
              ...(decimals !== undefined && { decimalPlaces: decimals, decimalShare: Number.POSITIVE_INFINITY }),
              ...(choices !== undefined && { choices }),
            });
            return { ...(id !== undefined && { id }), ...verdictRecord(graded) };
          });
          return;
        }
        if (gold === undefined || response === undefined) {
          throw new ConfigurationError(
            "give a gold answer and a response, or --json with JSON lines on standard input",
          );
        }
        const graded = await grader.grade(gold, response, options);
        const { verdict, because, prediction, answer, source } = graded;
        if (verdict !== "equal") process.exitCode = 1;
        if (flags.json) {
          console.log(JSON.stringify(verdictRecord(graded)));
          return;
        }
        const color = verdict === "equal" ? pc.green : verdict === "different" ? pc.red : pc.yellow;
        const read = source === "none" ? "" : `\n  read  ${JSON.stringify(answer.slice(0, 200))} (${source})`;
        console.log(`${color(verdict)}: ${because}\n  gold  ${graded.gold}\n  given ${prediction}${read}`);
      } finally {
        await grader.close();
      }
    });
}
