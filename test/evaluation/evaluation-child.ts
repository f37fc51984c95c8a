// An evaluation in a process of its own, for tests that kill it: node --import tsx evaluation-child.ts <folder> <url>
// <problems> <rollouts>. Writes a dot for every record that is kept.
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { endpointSampler } from "../../src/evaluation/endpoint-sampler.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { sampleMissing } from "../../src/evaluation/sampling-loop.ts";
import { numberedProblems, testSettings } from "./numbered-problems.ts";

const [folder, url, problems, rolloutsPerProblem] = process.argv.slice(2);
const endpoint = endpointSchema.parse({
  url,
  model: "m",
  backoffSeconds: 0.01,
  deadlineSeconds: 0.5,
  silenceSeconds: 0.3,
});
const client = new EndpointClient(endpoint, {});
const store = await RolloutStore.open(folder);
for await (const event of sampleMissing({
  problems: numberedProblems(Number(problems)),
  rolloutsPerProblem: Number(rolloutsPerProblem),
  sampler: endpointSampler(client, testSettings),
  seed: 1,
  temperature: testSettings.temperature,
  known: store.entries(),
})) {
  if (event.type !== "evaluation-rollout") continue;
  await store.append(event.rollout);
  process.stdout.write(".");
}
await store.close();
await client.close();
