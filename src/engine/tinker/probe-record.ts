// A probe that is done once for a server and written down, so that a resumed run does not repeat it.
import { existsSync } from "node:fs";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { capabilities, largestSeeds, type ServerKind, serverKinds } from "./capabilities.ts";
import { type Measured, measuredSchema } from "./measured.ts";
import { probe } from "./probe.ts";
import { differencesFrom, refuseIfDifferent } from "./probe-report.ts";

const recordSchema = z.object({
  url: z.string(),
  kind: z.enum(serverKinds),
  loraRank: z.number(),
  measured: measuredSchema,
});

type CheckedServer = {
  readonly url: string;
  readonly key?: string;
  readonly kind: ServerKind;
  readonly baseModel: string;
  readonly loraRank: number;
  readonly patienceSeconds?: number;
  readonly emit?: (message: string) => void;
  readonly signal?: AbortSignal;
};

/**
 * Measures the server, unless the file says what it did when it was measured, and throws where it is not of its kind. A
 * refusal is not for ever: what was kept and would refuse is measured again, for the server may have been changed since.
 */
export async function checkServer(file: string, server: CheckedServer): Promise<void> {
  const known = await recorded(file, server);
  if (known !== undefined && differencesFrom(server.kind, known).length === 0) return;
  refuseIfDifferent(server.url, server.kind, await measure(file, server));
}

async function recorded(file: string, { url, loraRank, kind }: CheckedServer): Promise<Measured | undefined> {
  if (!existsSync(file)) return undefined;
  // Measured again, and written anew, when it cannot be read.
  const data = await readJsonFile(file, recordSchema).catch((error: unknown) => {
    if (error instanceof DataError) return undefined;
    throw error;
  });
  const same = data !== undefined && data.url === url && data.loraRank === loraRank && data.kind === kind;
  return same ? data.measured : undefined;
}

async function measure(file: string, server: CheckedServer): Promise<Measured> {
  const { url, key, kind, baseModel, loraRank, patienceSeconds = 600, emit, signal } = server;
  emit?.(`measuring whether ${url} behaves like a ${kind} server (once for this run)`);
  const largestSeed = largestSeeds[capabilities[kind].seeds];
  const measured = await probe({ url, key, baseModel, loraRank, patienceSeconds, largestSeed, emit, signal });
  await writeFileAtomically(file, `${JSON.stringify({ url, kind, loraRank, measured }, null, 2)}\n`);
  return measured;
}
