// Rollouts from a server: one request each, as many at once as the client finds the server can take.
import { inParallel } from "../base/in-parallel.ts";
import type { EndpointClient } from "../endpoints/client.ts";
import type { Reply } from "../endpoints/reply.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { type Sampler, type SampleTask, type SamplingSettings, taskRecord } from "./sampler.ts";

export function endpointSampler(client: EndpointClient, settings: SamplingSettings): Sampler {
  const policy = client.endpoint.model;
  const ask = async (task: SampleTask, signal: AbortSignal): Promise<Rollout> => {
    const { seed, prefix, said: before } = task;
    const request = { ...settings, prompt: task.problem.prompt, seed, prefix, said: before };
    const completion = await client.complete(request, signal);
    const record = { ...taskRecord(task, policy), milliseconds: Math.round(completion.milliseconds) };
    if (completion.outcome === "answered")
      return { ...record, state: completion.truncated ? "truncated" : "complete", ...said(completion) };
    const { failure, reply } = completion;
    return { ...record, state: "failed", failure, response: "", ...(reply && said(reply)) };
  };
  return {
    policy,
    sample: (tasks, send, signal) =>
      // One lane that learns that nothing can be answered stops the others: they need not find out for themselves.
      inParallel(tasks, client.endpoint.concurrency.largest, signal, async (first, _, stop) => {
        for (let task: SampleTask | undefined = first; task !== undefined; ) {
          const rollout = await ask(task, stop);
          task = task.next?.(rollout);
          if (task === undefined) await send(rollout);
        }
      }),
  };
}

/** What a reply leaves in the record, whether it is an answer or not. */
const said = ({ text, completionTokens, ...same }: Reply & { readonly cost?: number }) => {
  const { reasoning, promptTokens, cost, servedBy, finish } = same;
  return { response: text, reasoning, promptTokens, responseTokens: completionTokens, cost, servedBy, finish };
};
