// Rollouts from a server: one request each, as many at once as the client finds the server can take.
import { setMaxListeners } from "node:events";
import type { EndpointClient } from "../endpoints/client.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { recordOf, type Sampler, type SampleTask, type SamplingSettings } from "./sampler.ts";

export function endpointSampler(client: EndpointClient, settings: SamplingSettings): Sampler {
  const policy = client.endpoint.model;
  const ask = async (task: SampleTask, signal: AbortSignal): Promise<Rollout> => {
    const request = { ...settings, prompt: task.problem.prompt, seed: task.seed };
    const completion = await client.complete(request, signal);
    const record = { ...recordOf(task, policy), milliseconds: Math.round(completion.milliseconds) };
    if (completion.outcome === "failed")
      return { ...record, state: "failed", failure: completion.failure, response: "" };
    const { text, reasoning, truncated, finish, promptTokens, completionTokens, servedBy, cost } = completion;
    return {
      ...record,
      state: truncated ? "truncated" : "complete",
      response: text,
      reasoning,
      promptTokens,
      responseTokens: completionTokens,
      cost,
      servedBy,
      finish,
    };
  };
  return {
    policy,
    async sample(tasks, send, signal) {
      const stop = new AbortController();
      // Every request under way listens to it; that is many on purpose, not a leak.
      setMaxListeners(0, stop.signal);
      const onAbort = () => stop.abort(signal?.reason);
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      let next = 0;
      const lane = async () => {
        while (next < tasks.length) {
          const task = tasks[next++];
          await send(await ask(task, stop.signal));
        }
      };
      const lanes = Array.from({ length: Math.min(tasks.length, client.endpoint.concurrency.largest) }, lane);
      try {
        await Promise.all(lanes);
      } catch (error) {
        // One lane learned that nothing can be answered: the others need not find out for themselves.
        stop.abort(error);
        await Promise.allSettled(lanes);
        throw error;
      } finally {
        signal?.removeEventListener("abort", onAbort);
      }
    },
  };
}
