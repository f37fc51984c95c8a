// `repertoire grade audit`: the verifier court. What several verifiers say of somebody's rollouts, side by side; every
// disagreement, to be judged with one key here or on a page; and who is wrong how often.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { emitKeypressEvents } from "node:readline";
import { Command } from "commander";
import pc from "picocolors";
import { ConfigurationError, DataError } from "../base/errors.ts";
import { makeFolder } from "../base/files.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { MathGrader } from "../grading/math/math-grader.ts";
import { importSlice } from "../imports/import-slice.ts";
import type { Row } from "../imports/row-format.ts";
import { textOf, valueAt } from "../imports/row-values.ts";
import { slicesOf, traceFiles } from "../imports/slice.ts";
import { sliceRows } from "../imports/slice-rows.ts";
import { AnswerJudge } from "../rollouts/answer-judge.ts";
import { OwnGraders } from "../rollouts/own-grader.ts";
import { taxonomySchema } from "../rollouts/taxonomy.ts";
import { type CourtCase, type CourtVerdict, divided, type Share, standings } from "../rollouts/verifier-court.ts";
import { settlePage } from "../traces/judges/settle-page.ts";
import { readSettled, settledFile } from "../traces/judges/settled.ts";
import { count, numberWithin, readPrice } from "./arguments.ts";
import { type FlagValues, flag, repeatable, withFlags } from "./flags.ts";
import { mathVerifyVerdicts } from "./math-verify.ts";
import { progressBar } from "./progress.ts";
import { textTable } from "./text-table.ts";
import { judgeEndpoint } from "./traces-options.ts";

const scoreFrom = (text: string): number => numberWithin(text, Number.isFinite, "a number");

const auditFlags = [
  flag("--out <folder>", "where the verdicts, the page and your judgments go", "audit"),
  flag("--gold <column>", "the column with the gold answer; a path with dots reaches inside"),
  flag("--paid-from <score>", "a recorded score from here on counts as paid", scoreFrom, 0.5),
  repeatable("--verifier <url>", "a verifier over HTTP: it is sent the question of `--grader` and says right or wrong"),
  flag(
    "--judge <model@url>",
    "a language model that judges every rollout, too; append #NAME for the variable with its key",
  ),
  flag("--price <prompt,completion>", "of the judge, per million tokens, to report its cost", readPrice),
  flag("--format <name>", "what the files are", "auto"),
  flag("--limit <n>", "at most so many rollouts", count),
  flag("--json", "print the table as JSON, and ask nothing"),
];
type AuditFlags = FlagValues<typeof auditFlags>;

/** What trainers and benchmarks call the gold answer. */
const goldColumns = ["gold", "gts", "gold_answer", "ground_truth", "reward_model.ground_truth", "expected_answer"];
const looserColumns = [
  "answer",
  "target",
  "label",
  "solution",
  "reference",
  "metadata.answer",
  "info.answer",
  "doc.answer",
];

type Rollout = {
  readonly id: string;
  readonly problem: string;
  readonly prompt: string;
  readonly gold: string;
  readonly response: string;
  readonly trainer?: CourtVerdict;
};

export function auditCommand(): Command {
  return withFlags(new Command("audit"), auditFlags)
    .description("the verifier court: what several verifiers say of your rollouts, and who is wrong how often")
    .argument("<rollouts...>", "files or folders of rollouts with gold answers, as `traces analyze` reads them")
    .addHelpText(
      "after",
      `
Our verdict in both modes, the trainer's recorded score, Math-Verify's if REPERTOIRE_PYTHON (or python3) has it, and whoever else is
named stand side by side. In a terminal, every disagreement is then judged with one key; without one, open the page in
<out>, save ${settledFile} beside it, and run the same command again.

Examples:
  repertoire grade audit dumps/step_100.jsonl
  repertoire grade audit rollouts/ --gold reward_model.ground_truth --judge judge-1@http://localhost:8000/v1
  repertoire grade audit rollouts.jsonl --verifier http://localhost:9000/grade --json`,
    )
    .action(async (paths: string[], _flags: AuditFlags, command: Command) => {
      const flags = command.optsWithGlobals<AuditFlags>();
      const { rollouts, without } = await readRollouts(paths, flags);
      if (rollouts.length === 0)
        throw new DataError(
          without.rows === 0
            ? "no rollout could be read; name the format with --format"
            : `none of ${without.rows} rollouts has a gold answer; name its column with --gold (there are: ${without.columns.join(", ")})`,
        );
      const { cases, notes } = await tried(rollouts, flags);
      if (without.rows > 0) notes.push(`${without.rows} rollouts have no gold answer and were left out`);
      await makeFolder(flags.out);
      await writeFile(join(flags.out, "verdicts.jsonl"), cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
      const open = cases.filter(divided);
      const settled = await readSettled(flags.out, verdicts);
      const left = open.filter(({ id }) => !settled.has(id));
      await writeFile(join(flags.out, "audit.html"), settlePage(left.map(asSpan), verdicts, settled));
      const judged = new Map([...settled].flatMap(([id, { label }]) => judgment(id, label)));
      if (flags.json) {
        console.log(
          JSON.stringify({
            rollouts: cases.length,
            disagreements: open.length,
            judged: judged.size,
            standings: standings(cases, judged),
            notes,
          }),
        );
        return;
      }
      for (const note of notes) console.error(pc.dim(note));
      console.log(tableOf(cases, judged));
      console.log(`${open.length} of ${cases.length} rollouts are disputed, ${left.length} of them not judged yet`);
      if (left.length === 0) return;
      if (process.stdin.isTTY && process.stdout.isTTY) {
        for (const [id, label] of await asked(left, flags.out))
          for (const entry of judgment(id, label)) judged.set(...entry);
        console.log(`\n${tableOf(cases, judged)}`);
      } else
        console.log(
          `judge them on ${join(flags.out, "audit.html")}, save ${settledFile} beside it, and run the same again`,
        );
    });
}

const judgment = (id: string, label: string): [string, boolean][] =>
  label === "unclear" ? [] : [[id, label === "right"]];

// ---- what is read --------------------------------------------------------------------------------------------------

type Without = { readonly rows: number; readonly columns: readonly string[] };

async function readRollouts(
  paths: readonly string[],
  flags: AuditFlags,
): Promise<{ rollouts: Rollout[]; without: Without }> {
  const rollouts: Rollout[] = [];
  const columns = new Set<string>();
  let rows = 0;
  for (const path of paths)
    for (const file of await traceFiles(resolve(path))) {
      const problems = await problemsBeside(file);
      for (const slice of await slicesOf(file)) {
        const golds = new Map<string, string>();
        for await (const placed of sliceRows(slice)) {
          if (!("row" in placed)) continue;
          const gold = goldOf(placed.row, flags.gold);
          if (gold !== undefined) golds.set(placed.where, gold);
          else for (const column of Object.keys(placed.row)) columns.add(column);
        }
        for await (const read of importSlice(slice, { format: flags.format })) {
          if (!("trace" in read)) continue;
          if (flags.limit !== undefined && rollouts.length >= flags.limit)
            return { rollouts, without: { rows, columns: [...columns] } };
          const { problem, prompt = "", response, score } = read.trace;
          const gold = golds.get(read.where) ?? problems.get(problem);
          if (gold === undefined) rows++;
          else {
            // A grade by the gold answer is our own; what the trainer said of it is kept beside it.
            const said = read.trace.gradedBy === "gold" ? read.trace.recorded : read.trace.correct;
            const paid = said ?? (score === undefined ? undefined : score >= flags.paidFrom);
            const trainer = paid === undefined ? {} : { trainer: paid ? ("right" as const) : ("wrong" as const) };
            rollouts.push({ id: idOf(problem, gold, response), problem, prompt, gold, response, ...trainer });
          }
        }
      }
    }
  return { rollouts, without: { rows, columns: [...columns] } };
}

/** The same rollout is judged once, in whichever file it comes again. */
const idOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);

/** Of an evaluation of ours: the answers of its problems, which its rollouts do not repeat. */
async function problemsBeside(file: string): Promise<Map<string, string>> {
  if (!existsSync(join(dirname(file), evaluationFiles.problems))) return new Map();
  const problems = await readProblems(dirname(file));
  return new Map(problems.flatMap((problem) => (problem.kind === "mathematics" ? [[problem.id, problem.answer]] : [])));
}

function goldOf(row: Row, named: string | undefined): string | undefined {
  for (const column of named === undefined ? [...goldColumns, ...looserColumns] : [named]) {
    const value = valueAt(row, column);
    const gold = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof gold === "number") return String(gold);
    const text = textOf(gold);
    if (text !== undefined && text.trim() !== "" && !text.trimStart().startsWith("{")) return text;
  }
  return undefined;
}

// ---- what the verifiers say ----------------------------------------------------------------------------------------

const names = { equal: "right", different: "wrong", undecided: "undecided" } as const;

async function tried(
  rollouts: readonly Rollout[],
  flags: AuditFlags,
): Promise<{ cases: CourtCase[]; notes: string[] }> {
  const notes: string[] = [];
  const said = rollouts.map((): Record<string, CourtVerdict> => ({}));
  const because: string[] = [];
  const grader = new MathGrader();
  try {
    for (const mode of ["evaluation", "reward"] as const) {
      const graded = await grader.gradeAll(
        rollouts.map(({ gold, response }) => ({ gold, response, options: { mode } })),
      );
      for (const [i, verdict] of graded.entries()) {
        said[i][`ours, ${mode}`] = names[verdict.verdict];
        if (mode === "evaluation") because[i] = verdict.because;
      }
    }
  } finally {
    await grader.close();
  }
  for (const [i, { trainer }] of rollouts.entries()) if (trainer !== undefined) said[i].trainer = trainer;
  const theirs = await mathVerifyVerdicts(rollouts.map(({ gold, response }) => [gold, response]));
  if (theirs === undefined)
    notes.push("Math-Verify was not asked: this Python has no math_verify (REPERTOIRE_PYTHON names another)");
  for (const [i, right] of (theirs ?? []).entries()) said[i]["Math-Verify"] = right ? "right" : "wrong";
  const own = new OwnGraders();
  try {
    for (const url of flags.verifier) {
      if (!URL.canParse(url))
        throw new ConfigurationError(`--verifier ${url}: not an address, like http://localhost:9000/grade`);
      const host = new URL(url).host;
      await eachOf(`asking ${host}`, rollouts, async ({ id, prompt, gold, response }, i) => {
        const { verdict } = await own.grade({ kind: "question", id, prompt, answer: gold, grader: url }, response);
        said[i][host] = verdict === "correct" ? "right" : verdict === "wrong" ? "wrong" : "undecided";
      });
    }
  } finally {
    await own.close();
  }
  if (flags.judge !== undefined) {
    const judge = new AnswerJudge({ ...judgeEndpoint(flags.judge), price: flags.price }, (warning) =>
      console.error(warning),
    );
    try {
      await eachOf(`asking ${judge.name}`, rollouts, async ({ gold, response }, i) => {
        said[i][judge.name] = await judge.judge(gold, response);
      });
    } finally {
      await judge.close();
    }
    const { calls, cached, failed, cost } = judge.counts;
    notes.push(
      `the judge was called ${calls} times, ${cached} answers were known, ${failed} calls failed${cost > 0 ? `, for $${cost.toFixed(2)}` : ""}`,
    );
  }
  const cases = rollouts.map(({ trainer: _, prompt, ...rollout }, i) => ({
    ...rollout,
    problem: prompt.trim() === "" ? rollout.problem : prompt.trim().slice(-shownTail),
    verdicts: said[i],
    because: because[i],
  }));
  return { cases, notes };
}

const atOnce = 16;

async function eachOf(
  title: string,
  rollouts: readonly Rollout[],
  ask: (rollout: Rollout, index: number) => Promise<void>,
): Promise<void> {
  const bar = progressBar(title, rollouts.length);
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < rollouts.length; i = next++) {
      await ask(rollouts[i], i);
      bar.advance();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// ---- what is shown and asked ---------------------------------------------------------------------------------------

const verdicts = taxonomySchema.parse({
  name: "the verifier court",
  labels: [
    {
      name: "right",
      letter: "R",
      meaning: "the response states the gold answer",
      color: { light: "#2e7d32", dark: "#81c784" },
    },
    {
      name: "wrong",
      letter: "W",
      meaning: "it states another answer, or none",
      color: { light: "#c62828", dark: "#e57373" },
    },
    {
      name: "unclear",
      letter: "U",
      meaning: "nobody can say; it counts for no one",
      color: { light: "#616161", dark: "#bdbdbd" },
    },
  ],
  break: "unclear",
  exploit: ["right"],
  recover: ["wrong"],
});

const shownTail = 1_200;

const asSpan = ({ id, gold, response, verdicts: votes, problem }: CourtCase) => ({
  id,
  trace: problem,
  index: 0,
  previous: response.slice(-4 * shownTail, -shownTail),
  text: `gold: ${gold}\n\n${response.slice(-shownTail)}`,
  votes,
});

const percent = ({ count: wrong, of, low, high }: Share): string =>
  of === 0 ? "–" : `${wrong} of ${of} (${Math.round(100 * low)}–${Math.round(100 * high)}%)`;

const tableOf = (cases: readonly CourtCase[], judged: ReadonlyMap<string, boolean>): string =>
  textTable(
    ["verifier", "graded", "paid", "undecided", "of judged: paid wrongly", "refused wrongly"],
    standings(cases, judged).map((one) => [
      one.verifier,
      `${one.graded}`,
      `${one.paid}`,
      `${one.undecided}`,
      percent(one.paidWrongly),
      percent(one.refusedWrongly),
    ]),
  );

/** What a model wrote must not steer the terminal. */
const printed = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "�");

/** One key a case; every judgment is on disk before the next is asked. */
async function asked(left: readonly CourtCase[], folder: string): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  emitKeypressEvents(process.stdin);
  process.stdin.setRawMode(true);
  process.stdin.resume();
  try {
    for (const [at, one] of left.entries()) {
      const votes = Object.entries(one.verdicts).map(([name, verdict]) => `${name} ${verdict}`);
      console.log(
        `\n${pc.bold(`${at + 1} of ${left.length}`)}  ${printed(one.problem)}\n…${printed(one.response.slice(-shownTail))}\n`,
      );
      console.log(`${pc.bold("gold")} ${printed(one.gold)}\n${votes.join(" · ")}\n${pc.dim(`ours: ${one.because}`)}`);
      console.log(pc.bold("r right   w wrong   u unclear   q stop"));
      const label = await keyOf({ r: "right", w: "wrong", u: "unclear", q: "stop" });
      if (label === "stop") break;
      given.set(one.id, label);
      await appendFile(join(folder, settledFile), `${JSON.stringify({ span: one.id, label })}\n`);
    }
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }
  return given;
}

const keyOf = (keys: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    const hear = (_: string, key: { readonly name?: string; readonly ctrl?: boolean }) => {
      const meant = key.ctrl && key.name === "c" ? "stop" : keys[key.name ?? ""];
      if (meant === undefined) return;
      process.stdin.off("keypress", hear);
      resolve(meant);
    };
    process.stdin.on("keypress", hear);
  });
