// What NeMo-Gym asks a resources server besides /verify, for those who point it at our server directly. The plugin in
// `integrations/nemo-gym` is a resources server of its own and has all of this from NeMo-Gym.
import { z } from "zod";
import { mean, median, standardDeviation } from "../base/statistics.ts";

/** With its observability on, paths begin with the rollout that they are about. */
export const gymPath = (path: string): string => path.replace(/^\/ng-rollout\/[^/]+(?=\/)/, "");

const metricsRequest = z.object({ verify_responses: z.array(z.record(z.string(), z.unknown())) });

/** Statistics of every number in the verdicts, under NeMo-Gym's names. */
export function gymMetrics(body: unknown) {
  const { verify_responses } = metricsRequest.parse(body);
  const columns = new Map<string, number[]>();
  for (const response of verify_responses) {
    for (const [name, value] of Object.entries(response)) {
      const number = typeof value === "boolean" ? Number(value) : value;
      if (typeof number !== "number" || name.startsWith("_ng_")) continue;
      columns.set(name, [...(columns.get(name) ?? []), number]);
    }
  }
  const agent: Record<string, number> = {};
  for (const [name, values] of columns) {
    agent[`mean/${name}`] = mean(values);
    agent[`max/${name}`] = Math.max(...values);
    agent[`min/${name}`] = Math.min(...values);
    agent[`median/${name}`] = median(values);
    agent[`std/${name}`] = values.length < 2 ? 0 : standardDeviation(values);
  }
  const key = "mean/reward" in agent ? { "mean/reward": agent["mean/reward"] } : {};
  return { group_level_metrics: [], agent_metrics: agent, key_metrics: key };
}
