// Public sets of answers with known verdicts, fetched at fixed revisions and checked against their digests, and what our grader in
// both modes, Math-Verify and verl's functions say of them: `npm run bench:grading -- --public`. Pythons with math_verify or verl are
// named in REPERTOIRE_PYTHON.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gradeMath } from "../src/grading/math/index.ts";
import { publicFile } from "../test/fixtures/public-data.ts";

type Question = { readonly gold: string; readonly answer: string; readonly right: boolean };
type Row = Readonly<Record<string, string>>;

const github = process.env.REPERTOIRE_GITHUB_RAW ?? "https://raw.githubusercontent.com";

const sets = [
  {
    name: "HardVerify-Math (MIT)",
    from: "uw-nsl/TinyV/4a9d2c720c161e2ccc0e492cc59ed5f9c226ec5f/benchmarks/HardVerify-Math.json",
    sha256: "aea490a45e654ba246586e07a9918ea9df9c5d539542eb7f4281d26a78ccb873",
    questions: (rows: readonly Row[]): Question[] =>
      rows.flatMap(({ ground_truth: gold, fn_output, tn_output }) => [
        { gold, answer: fn_output, right: true },
        { gold, answer: tn_output, right: false },
      ]),
  },
] as const;

/** Fetched once; a file that is not what it was is an error. */
async function fetched(from: string, sha256: string): Promise<string> {
  const folder = process.env.REPERTOIRE_DATA ?? join(tmpdir(), "repertoire-public");
  const path = join(folder, "grading", `${sha256.slice(0, 12)}.json`);
  if (!existsSync(path)) {
    const response = await fetch(`${github}/${from}`, { signal: AbortSignal.timeout(120_000) });
    if (!response.ok) throw new Error(`${github}/${from}: ${response.status}`);
    mkdirSync(join(folder, "grading"), { recursive: true });
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  }
  const bytes = readFileSync(path);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`${path} has the digest ${found}, expected ${sha256}; remove it and try again`);
  return bytes.toString("utf8");
}

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const script = `
import json, sys
kind = sys.argv[1]
if kind == "Math-Verify":
    from math_verify import parse, verify
    grade = lambda gold, answer: bool(verify(parse(gold if "$" in gold else "$" + gold + "$"), parse("$" + answer + "$" if "$" not in answer else answer)))
elif kind == "verl math_reward":
    from verl.utils.reward_score import math_reward
    grade = lambda gold, answer: math_reward.compute_score("\\\\boxed{" + answer.replace("$", "") + "}", gold.replace("$", "")) > 0
else:
    from verl.utils.reward_score import math_dapo
    grade = lambda gold, answer: math_dapo.compute_score("Answer: " + answer.replace("$", ""), gold.replace("$", ""))["acc"]
for line in sys.stdin:
    try:
        print(json.dumps(bool(grade(*json.loads(line)))))
    except Exception:
        print("false")
`;

function others(kind: string, questions: readonly Question[]): boolean[] | undefined {
  const input = questions.map(({ gold, answer }) => JSON.stringify([gold, answer])).join("\n");
  const ran = spawnSync(python, ["-c", script, kind], { input, encoding: "utf8", maxBuffer: 1 << 26 });
  return ran.status === 0
    ? ran.stdout
        .trim()
        .split("\n")
        .map((line) => line === "true")
    : undefined;
}

/** An answer as a response states it. */
const boxed = (answer: string): string => `\\boxed{${answer.replace(/^\$+|\$+$/g, "")}}`;

const graders: readonly (readonly [string, (questions: readonly Question[]) => boolean[] | undefined])[] = [
  ["ours, evaluation", (all) => all.map(({ gold, answer }) => gradeMath(gold, answer).verdict === "equal")],
  [
    "ours, reward",
    (all) => all.map(({ gold, answer }) => gradeMath(gold, boxed(answer), { mode: "reward" }).verdict === "equal"),
  ],
  ...["Math-Verify", "verl math_reward", "verl math_dapo"].map(
    (kind) => [kind, (all: readonly Question[]) => others(kind, all)] as const,
  ),
];

function report(name: string, questions: readonly Question[]): void {
  const [right, wrong] = [true, false].map((kind) => questions.filter((question) => question.right === kind).length);
  console.log(`\n${name}: ${right} equivalent pairs, ${wrong} different ones`);
  for (const [grader, grade] of graders) {
    const start = process.cpuUsage();
    const said = grade(questions);
    const { user, system } = process.cpuUsage(start);
    if (said === undefined) {
      console.log(`  ${grader}: skipped, ${python} does not have it`);
      continue;
    }
    const accepted = (kind: boolean) => questions.filter((question, i) => question.right === kind && said[i]).length;
    const share = right === 0 ? "" : ` (${((100 * accepted(true)) / right).toFixed(1)}%)`;
    const time = grader.startsWith("ours") ? `, ${((user + system) / 1e6).toFixed(1)} s` : "";
    console.log(
      `  ${grader}: ${accepted(true)} of ${right} accepted${share}, ${accepted(false)} of ${wrong} falsely${time}`,
    );
  }
}

for (const { name, from, sha256, questions } of sets)
  report(name, questions(JSON.parse(await fetched(from, sha256)) as Row[]));

const cases = publicFile("mathverify/cases.jsonl");
if (cases.missing) console.log(`\nskipped Math-Verify's own cases${cases.reason}`);
else {
  const rows = readFileSync(cases.path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const own = rows
    .filter(({ kind }) => kind === "verify")
    .map(({ gold, pred, expected }): Question => ({ gold, answer: pred, right: expected === 1 }));
  report("Math-Verify's own cases (Apache-2.0), options that a case sets left out", own);
}
