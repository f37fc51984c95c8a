// Whether a Tinker server can be trained on: the conformance suite of engines, run through the client as the kind that the
// server is taken for. It asks for a few tokens that every vocabulary has, so that no tokenizer is needed.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { DataError, EngineError } from "../../base/errors.ts";
import { makeFolder, writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { Random } from "../../base/random.ts";
import { type ConformanceResult, type ConformanceSubject, conformance } from "../conformance.ts";
import type { Tokenizer } from "../engine.ts";
import { capabilities, type OptimizerField, type ServerKind, serverKinds } from "./capabilities.ts";
import type { SavedCheckpoint } from "./checkpoint-paths.ts";
import { Connection } from "./connection.ts";
import { clientVersion, Session } from "./session.ts";
import { TinkerEngine } from "./tinker-engine.ts";

export type ProbedServer = {
  readonly url: string;
  readonly key?: string;
  /** What it is taken for. */
  readonly kind: ServerKind;
  /** What the server calls the model; the first that it serves unless said. */
  readonly baseModel?: string;
  readonly loraRank: number;
  readonly patienceSeconds: number;
  readonly emit?: (message: string) => void;
  readonly signal?: AbortSignal;
};

const tokenizer: Tokenizer = {
  // Not known here: as many as there can be.
  vocabularySize: 2 ** 31,
  endOfText: 0,
  encode: (text) => Array.from(text, (letter) => 1 + (letter.charCodeAt(0) % 5)),
  decode: (tokens) => tokens.join(" "),
};
const tokens = Random.from(1).child("probe");
const prompts = [12, 7].map((length) => Array.from({ length }, () => 1 + tokens.below(5)));

/** Rounding in bf16 makes every log-prob wrong by some hundredths. */
const tolerance = 0.1;

function subjectOf(
  engine: TinkerEngine,
  { kind, loraRank }: Pick<ProbedServer, "kind" | "loraRank">,
): ConformanceSubject {
  const { extendedScoring, optimizerFields } = capabilities[kind];
  const fixed = (...fields: OptimizerField[]) =>
    fields.every((field) => optimizerFields.includes(field))
      ? undefined
      : `a ${kind} server settles that when a model is made`;
  const unknown = extendedScoring ? undefined : `a ${kind} server scores at temperature 1, and gives no entropies`;
  return {
    create: async () => engine,
    prompts: [prompts[0], prompts[1]],
    tolerance,
    maxTokens: 40,
    without: {
      entropies: unknown,
      "scoring temperature": unknown,
      "same text in any batch": "a batch may round otherwise, and another token is drawn",
      "stop strings": "the protocol stops at tokens",
      "small vocabulary": "it would be asked for every token",
      "betas of each step": fixed("betas", "epsilon"),
      clipping: fixed("maxGradientNorm"),
      "weight decay": fixed("weightDecay"),
      "decay of matrices": loraRank > 0 ? "adapters have no norms" : fixed("betas", "weightDecay"),
    },
  };
}

/** What comes of each check. Throws where the server cannot be asked at all. */
export async function* probe({ kind, patienceSeconds, ...server }: ProbedServer): AsyncGenerator<ConformanceResult> {
  const options = { ...server, patienceSeconds, futureSeconds: 1800 };
  const baseModel = server.baseModel ?? (await firstServed(options));
  const saved = new Map<string, SavedCheckpoint>();
  const paths = Object.assign(saved, { serverName: (name: string) => `repertoire-probe-${name}` });
  const engine = await TinkerEngine.connect(
    { ...options, kind, baseModel, seed: 20_261, tokenizer, contextLength: 64, paths },
    { checkTokenizer: false },
  );
  try {
    yield* conformance(subjectOf(engine, { kind, loraRank: server.loraRank }));
  } finally {
    await engine.dispose();
  }
}

async function firstServed(options: Parameters<typeof Session.open>[0]): Promise<string> {
  const session = await Session.open(options);
  try {
    const [first] = await session.servedModels();
    if (first === undefined) throw new EngineError(`${options.url} does not say which models it serves; give --model`);
    return first.name;
  } finally {
    await session.close();
  }
}

export const failures = (results: readonly ConformanceResult[]): ConformanceResult[] =>
  results.filter(({ outcome }) => outcome === "failed");

/** The other kinds that the server would pass as. */
export async function otherKinds(server: ProbedServer): Promise<ServerKind[]> {
  const passing: ServerKind[] = [];
  for (const kind of serverKinds) {
    if (kind === server.kind || (server.loraRank === 0 && !capabilities[kind].fullWeights)) continue;
    let failed = false;
    for await (const { outcome } of probe({ ...server, kind })) {
      failed = outcome === "failed";
      if (failed) break;
    }
    if (!failed) passing.push(kind);
  }
  return passing;
}

export const behavesLike = (kinds: readonly ServerKind[]): string =>
  kinds.length > 0
    ? `it behaves like ${kinds.map((kind) => `--server ${kind}`).join(" or ")}`
    : "no kind of server that we know behaves so; training on it would not do what it says";

// ---- Done once for a server and written down: in the run, and for a day where all runs of a user find it -------------

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
