// A probe that is done once for a server and written down: in the run, which is then resumed without another, and for a day where
// all runs of a user find it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { DataError } from "../../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { capabilities, largestSeeds, type ServerKind, serverKinds } from "./capabilities.ts";
import { Connection } from "./connection.ts";
import { type Measured, measuredSchema } from "./measured.ts";
import { probe } from "./probe.ts";
import { differencesFrom, refuseIfDifferent } from "./probe-report.ts";
import { clientVersion } from "./session.ts";

const recordSchema = z.object({
  url: z.string(),
  kind: z.enum(serverKinds),
  loraRank: z.number(),
  measured: measuredSchema,
});

/** Where a probe is kept: a file of the run, and a folder of the user. */
export type ProbePlaces = { readonly run: string; readonly kept: string };

/** A server that says the same of itself may behave otherwise after an upgrade. */
const keptMs = 24 * 3600 * 1000;

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
export async function checkServer({ run, kept }: ProbePlaces, server: CheckedServer): Promise<void> {
  const sound = (known: Measured | undefined) =>
    known !== undefined && differencesFrom(server.kind, known).length === 0;
  if (sound(await recorded(run, server))) return;
  const shared = join(kept, `${await identityOf(server)}.json`);
  const age = Date.now() - ((await stat(shared).catch(() => undefined))?.mtimeMs ?? 0);
  const before = age < keptMs ? await recorded(shared, server) : undefined;
  const measured = before !== undefined && sound(before) ? before : await measure(server);
  const { url, kind, loraRank } = server;
  const record = `${JSON.stringify({ url: url, kind, loraRank, measured }, null, 2)}\n`;
  await writeFileAtomically(run, record);
  if (measured !== before) {
    await makeFolder(dirname(shared));
    await writeFileAtomically(shared, record);
  }
  refuseIfDifferent(url, kind, measured);
}

/** Address, model, and all that the server says of itself: its version, where it has one. */
async function identityOf({ url, key, kind, baseModel, loraRank, patienceSeconds = 600, emit, signal }: CheckedServer) {
  const connection = new Connection({ url, key, patienceSeconds, futureSeconds: patienceSeconds, emit, signal });
  try {
    await connection.authenticate(clientVersion);
    const says = await connection.get("get_server_capabilities");
    const identity = JSON.stringify([url, kind, baseModel, loraRank, clientVersion, says]);
    return createHash("sha256").update(identity).digest("hex").slice(0, 32);
  } finally {
    await connection.close();
  }
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

function measure(server: CheckedServer): Promise<Measured> {
  const { url, key, kind, baseModel, loraRank, patienceSeconds = 600, emit, signal } = server;
  emit?.(`measuring whether ${url} behaves like a ${kind} server (once a day)`);
  const largestSeed = largestSeeds[capabilities[kind].seeds];
  return probe({ url, key, baseModel, loraRank, patienceSeconds, largestSeed, emit, signal });
}
