// pass@k of any OpenAI-compatible server on puzzles: node examples/evaluate-server.mjs http://localhost:8000/v1 my-model
import { Random } from "repertoire/base";
import { EndpointClient, endpointSchema } from "repertoire/endpoints";
import { endpointSampler, meanPassAtK, sampleMissing } from "repertoire/evaluation";
import { puzzleProblems } from "repertoire/problems";
import { puzzleGrader } from "repertoire/rollouts";

const [url, model] = process.argv.slice(2);
if (model === undefined) throw new Error("usage: evaluate-server.mjs <url, up to and including /v1> <model>");

const problems = puzzleProblems({ puzzle: "pattern", params: "5x5", count: 4, random: Random.from("example") });
const graders = new Map(problems.map((problem) => [problem.id, puzzleGrader(problem)]));
const counts = new Map(problems.map(({ id }) => [id, { attempts: 0, correct: 0 }]));

const client = new EndpointClient(endpointSchema.parse({ url, model }));
const sampler = endpointSampler(client, { temperature: 0.6, maxTokens: 4000 });
const onRollout = (rollout) => {
  // A failed request is not an attempt: it must not count as wrong.
  if (rollout.state === "failed") return console.log(`failed: ${rollout.failure}`);
  const count = counts.get(rollout.problem);
  count.attempts += 1;
  if (graders.get(rollout.problem)(rollout.response).verdict === "correct") count.correct += 1;
};
await sampleMissing({ problems, rolloutsPerProblem: 4, sampler, seed: 1, onRollout });
await client.close();

for (const k of [1, 2, 4]) console.log(`pass@${k} ${(100 * meanPassAtK([...counts.values()], k)).toFixed(1)}%`);
