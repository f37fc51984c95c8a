// An evaluation in a process of its own, for tests that kill it: node --import tsx evaluation-child.ts <folder> <url>
// <problems> <rollouts>. Writes a dot for every record that comes in.
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { endpointSampler } from "../../src/evaluation/endpoint-sampler.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { sampleIntoStore } from "../../src/evaluation/sampling-loop.ts";
import { impatient, numberedProblems, testSettings } from "./numbered-problems.ts";

const [folder, url, problems, rolloutsPerProblem] = process.argv.slice(2);
const endpoint = endpointSchema.parse({ url, model: "m", ...impatient });
const client = new EndpointClient(endpoint, {});
const store = await RolloutStore.open(folder);
await sampleIntoStore(store, {
  problems: numberedProblems(Number(problems)),
  rolloutsPerProblem: Number(rolloutsPerProblem),
  sampler: endpointSampler(client, testSettings),
  seed: 1,
  onRollout: () => void process.stdout.write("."),
});
await store.close();
await client.close();
