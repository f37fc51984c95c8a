// Whether a Tinker server can be trained on: the conformance suite of engines, run through the client as the kind that the
// server is taken for. It asks for a few tokens that every vocabulary has, so that no tokenizer is needed.
import { EngineError } from "../../base/errors.ts";
import { Random } from "../../base/random.ts";
import { type ConformanceResult, type ConformanceSubject, conformance } from "../conformance.ts";
import type { Tokenizer } from "../engine.ts";
import { capabilities, type OptimizerField, type ServerKind, serverKinds } from "./capabilities.ts";
import type { SavedCheckpoint } from "./checkpoint-paths.ts";
import { Session } from "./session.ts";
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
  vocabularySize: 6,
  endOfText: 0,
  encode: (text) => Array.from(text, (letter) => 1 + (letter.charCodeAt(0) % 5)),
  decode: (tokens) => tokens.join(" "),
};
const tokens = Random.from(1).child("probe");
const prompts = [12, 7].map((length) => Array.from({ length }, () => 1 + tokens.below(5)));

/** Rounding in bf16 makes every log-prob wrong by some hundredths. */
const tolerance = 0.1;

function subjectOf(engine: TinkerEngine, kind: ServerKind): ConformanceSubject {
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
      "decay of matrices": "adapters have no norms",
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
    yield* conformance(subjectOf(engine, kind));
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
