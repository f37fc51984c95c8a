// Can a large evaluation be graded and summed up in little memory? Writes rollouts of 25,000 tokens (about 100 KB each),
// then grades and summarizes them and reports the peak: `npx tsx bench/evaluation-memory.ts [rollouts] [folder]`.
// 100,000 rollouts take 10 GB of disk; the default is a tenth of that.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../src/base/random.ts";
import { writeProblems } from "../src/evaluation/evaluation-folder.ts";
import { gradeRollouts } from "../src/evaluation/grades.ts";
import { RolloutStore } from "../src/evaluation/rollout-store.ts";
import { writeSummary } from "../src/evaluation/summarize.ts";
import type { MathematicsProblem } from "../src/problems/problem.ts";
import { ProblemGraders } from "../src/rollouts/problem-grading.ts";

const rollouts = Number(process.argv[2] ?? 10_000);
const folder = await mkdtemp(join(process.argv[3] ?? tmpdir(), "evaluation-memory-"));
const attempts = 32;
const random = Random.from("memory");
const problems: MathematicsProblem[] = Array.from({ length: Math.ceil(rollouts / attempts) }, (_, i) => ({
  kind: "mathematics",
  id: `p${i}`,
  set: "large",
  prompt: `problem ${i}`,
  answer: `\\frac{${i}}{7}`,
}));

const sentences = [
  "Let $x$ be the number of steps, so that $x^2 + 3x = 40$ and therefore $x = 5$.",
  "Wait, that does not hold for $n = 4$; go back and try $n = 6$ instead.",
  "Hence $\\frac{a}{b} = \\sqrt{2}$, and the area is $12\\pi$.",
  "We check: $2 \\cdot 3 + 4 = 10$, as it should be.",
];
function response(problem: number): string {
  const parts: string[] = [];
  for (let length = 0; length < 100_000; ) {
    const sentence = random.pick(sentences);
    parts.push(sentence);
    length += sentence.length + 1;
  }
  return `${parts.join(" ")}\nThe final answer is $\\boxed{\\frac{${problem}}{${random.chance(0.3) ? 7 : 9}}}$.`;
}

const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0);
try {
  let started = performance.now();
  await writeProblems(folder, problems);
  const writing = await RolloutStore.open(folder);
  for (let i = 0; i < rollouts; i += 64) {
    const batch = Array.from({ length: Math.min(64, rollouts - i) }, (_, j) => {
      const problem = Math.floor((i + j) / attempts);
      const attempt = (i + j) % attempts;
      return {
        problem: `p${problem}`,
        attempt,
        policy: "m",
        state: "complete",
        response: response(problem),
        responseTokens: 25_000,
      } as const;
    });
    await writing.append(...batch);
  }
  await writing.close();
  console.log(`wrote ${rollouts} rollouts in ${seconds(started)} s, peak ${megabytes()} MB`);

  started = performance.now();
  const store = await RolloutStore.read(folder);
  console.log(`opened by its index in ${seconds(started)} s, peak ${megabytes()} MB`);
  const graders = new ProblemGraders();
  started = performance.now();
  for await (const _ of gradeRollouts({
    folder,
    problems,
    store,
    graders,
    which: "ungraded",
  }));
  console.log(`graded in ${seconds(started)} s, peak ${megabytes()} MB`);
  started = performance.now();
  const { sets } = await writeSummary({ folder, policy: "m", problems, store });
  const [{ verdicts, passAtK }] = sets;
  console.log(
    `summed up in ${seconds(started)} s, peak ${megabytes()} MB: ${JSON.stringify(verdicts)}, pass@1 ${passAtK[0].value.toFixed(3)}`,
  );
  await store.close();
  await graders.close();
  if (megabytes() > 1024) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
