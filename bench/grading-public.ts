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
const hub = `${process.env.HF_ENDPOINT ?? "https://huggingface.co"}/datasets`;

type PublicSet = {
  readonly name: string;
  readonly from: string;
  /** Of the file; where it is not known, the revision alone says which file it is. */
  readonly sha256?: string;
  readonly questions: (rows: readonly Row[]) => Question[];
};

const sets: readonly PublicSet[] = [
  {
    name: "HardVerify-Math (MIT)",
    from: `${github}/uw-nsl/TinyV/4a9d2c720c161e2ccc0e492cc59ed5f9c226ec5f/benchmarks/HardVerify-Math.json`,
    sha256: "aea490a45e654ba246586e07a9918ea9df9c5d539542eb7f4281d26a78ccb873",
    questions: (rows) =>
      rows.flatMap(({ ground_truth: gold, fn_output, tn_output }) => [
        { gold, answer: fn_output, right: true },
        { gold, answer: tn_output, right: false },
      ]),
  },
  // The two below hold whole responses on all kinds of questions. A rule is asked about those whose gold answer is mathematics.
  {
    name: "VerifyBench (MIT), gold answers that we read as mathematics",
    from: `${hub}/ZJU-REAL/VerifyBench/resolve/73eff25c5956e75442ebdaad175f9f018b5f2e3a/verify_bench.jsonl`,
    sha256: "8e235f47bfc84a192da5a3b663ce7e9a96b30d712f8b558e3670306073748e8a",
    questions: (rows) =>
      rows
        .filter(({ answer }) => isMathematics(answer))
        .map(({ answer: gold, completion: answer, gold_correct }) => ({
          gold,
          answer,
          right: String(gold_correct) === "true",
        })),
  },
  {
    name: "VerifierBench (Apache-2.0), mathematics",
    from: `${hub}/opencompass/VerifierBench/resolve/a0f7af7/verifierbench.json`,
    questions: (rows) =>
      rows
        .filter(({ domain, gold_answer }) => /^math/i.test(domain) && isMathematics(gold_answer))
        // C is a response that is cut off or repeats itself: paid for by nobody.
        .map(({ gold_answer: gold, llm_response: answer, gold_judgment }) => ({
          gold,
          answer,
          right: gold_judgment === "A",
        })),
  },
];

/** Whether a gold answer says something that a rule can hold another against. */
const isMathematics = (gold: string): boolean =>
  gradeMath(gold, `\\boxed{${gold}}`).verdict === "equal" && /\d|\\/.test(gold);

/** Fetched once; a file that is not what it was is an error. */
async function fetched({ from, sha256 }: PublicSet): Promise<Row[]> {
  const digest = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
  const folder = join(process.env.REPERTOIRE_DATA ?? join(tmpdir(), "repertoire-public"), "grading");
  const path = join(folder, `${(sha256 ?? digest(from)).slice(0, 12)}.json`);
  if (!existsSync(path)) {
    const response = await fetch(from, { signal: AbortSignal.timeout(120_000) });
    if (!response.ok) throw new Error(`${from}: ${response.status}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  }
  const bytes = readFileSync(path);
  const found = digest(bytes);
  if (sha256 !== undefined && found !== sha256)
    throw new Error(`${path} has the digest ${found}, expected ${sha256}; remove it and try again`);
  if (sha256 === undefined) console.log(`\n${from} has the digest ${found}`);
  const text = bytes.toString("utf8").trim();
  return text.startsWith("[") ? JSON.parse(text) : text.split("\n").map((line) => JSON.parse(line));
}

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const script = `
import json, sys
kind = sys.argv[1]
if kind == "Math-Verify":
    from math_verify import parse, verify
    grade = lambda gold, answer: bool(verify(parse(gold if "$" in gold else "$" + gold + "$"), parse("$" + answer + "$" if "$" not in answer and "boxed" not in answer else answer)))
elif kind == "verl math_reward":
    from verl.utils.reward_score import math_reward
    grade = lambda gold, answer: math_reward.compute_score(answer if "boxed" in answer else "\\\\boxed{" + answer.replace("$", "") + "}", gold.replace("$", "")) > 0
else:
    from verl.utils.reward_score import math_dapo
    grade = lambda gold, answer: math_dapo.compute_score(answer if "Answer:" in answer else "Answer: " + answer.replace("$", ""), gold.replace("$", ""))["acc"]
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

/** An answer as a response states it; whole responses are what they are. */
const boxed = (answer: string): string =>
  answer.length > 300 || answer.includes("\\boxed") ? answer : `\\boxed{${answer.replace(/^\$+|\$+$/g, "")}}`;

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

for (const set of sets)
  try {
    report(set.name, set.questions(await fetched(set)));
  } catch (error) {
    console.log(`\n${set.name}: skipped, ${error instanceof Error ? error.message : error}`);
  }

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
