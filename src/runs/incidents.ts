// What happened to a run that its events do not tell, because they are those of a run that nothing happened to: weights
// that a server lost, damage that somebody accepted.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { AppendLog } from "./append-log.ts";

export const incidentsFile = "incidents.jsonl";

const incidentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("weights-lost"), because: z.string(), resumesFrom: z.string() }),
  z.object({ type: z.literal("damage-accepted"), file: z.string(), problem: z.string() }),
]);
type Incident = z.infer<typeof incidentSchema>;

export async function recordIncident(folder: string, incident: Incident): Promise<void> {
  const log = await AppendLog.open(join(folder, incidentsFile));
  try {
    await log.append(incident);
  } finally {
    await log.close();
  }
}

/** Lines that tell of nothing known are passed over: a later version may know more. */
export async function readIncidents(folder: string): Promise<Incident[]> {
  const path = join(folder, incidentsFile);
  if (!existsSync(path)) return [];
  const incidents: Incident[] = [];
  for await (const read of readJsonLinesFile(path)) {
    const incident = "value" in read ? incidentSchema.safeParse(read.value) : undefined;
    if (incident?.success) incidents.push(incident.data);
  }
  return incidents;
}
