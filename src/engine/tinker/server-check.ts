// A probe that is done once for a server and written down: in the run, which is then resumed without another, and for a day where
// all runs of a user find it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { DataError, EngineError } from "../../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import type { ConformanceResult } from "../conformance.ts";
import { serverKinds } from "./capabilities.ts";
import { Connection } from "./connection.ts";
import { behavesLike, failures, otherKinds, type ProbedServer, probe } from "./probe.ts";
import { clientVersion } from "./session.ts";

const recordSchema = z.object({
  url: z.string(),
  kind: z.enum(serverKinds),
  loraRank: z.number(),
  results: z.array(
    z.object({
      name: z.string(),
      outcome: z.enum(["passed", "skipped", "failed"]),
      because: z.string().optional(),
    }),
  ),
});

/** Where a probe is kept: a file of the run, and a folder of the user. */
export type ProbePlaces = { readonly run: string; readonly kept: string };

/** A server that says the same of itself may behave otherwise after an upgrade. */
const keptMs = 24 * 3600 * 1000;

/** Probes the server unless that was done and it passed, and throws where it is not what it is taken for. */
export async function checkServer({ run, kept }: ProbePlaces, server: ProbedServer): Promise<void> {
  if ((await recorded(run, server)) !== undefined) return;
  const { url, kind, loraRank, emit } = server;
  const shared = join(kept, `${await identityOf(server)}.json`);
  const age = Date.now() - ((await stat(shared).catch(() => undefined))?.mtimeMs ?? 0);
  let results = age < keptMs ? await recorded(shared, server) : undefined;
  if (results === undefined) {
    emit?.(`probing whether ${url} does what a ${kind} server must (once a day)`);
    results = [];
    for await (const result of probe(server)) results.push(result);
    const failed = failures(results);
    if (failed.length > 0) {
      const lines = failed.map(({ name, because }) => `  ${name}: ${because}`);
      throw new EngineError(
        `${url} is not a ${kind} server:\n${lines.join("\n")}\n${behavesLike(await otherKinds(server))}`,
      );
    }
    await makeFolder(dirname(shared));
    await writeFileAtomically(shared, `${JSON.stringify({ url, kind, loraRank, results }, null, 2)}\n`);
  }
  await writeFileAtomically(run, `${JSON.stringify({ url, kind, loraRank, results }, null, 2)}\n`);
}

/** Address, model, and all that the server says of itself: its version, where it has one. */
async function identityOf({ url, key, kind, baseModel, loraRank, patienceSeconds, emit, signal }: ProbedServer) {
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

/** Undefined where nothing is known that holds: it is probed again, and written anew. */
async function recorded(file: string, { url, loraRank, kind }: ProbedServer): Promise<ConformanceResult[] | undefined> {
  if (!existsSync(file)) return undefined;
  const data = await readJsonFile(file, recordSchema).catch((error: unknown) => {
    if (error instanceof DataError) return undefined;
    throw error;
  });
  const same = data !== undefined && data.url === url && data.loraRank === loraRank && data.kind === kind;
  return same && failures(data.results).length === 0 ? data.results : undefined;
}
