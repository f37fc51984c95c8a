// Does a server do what it is asked? Some accept a seed or a temperature and ignore it, and then 32 rollouts are one
// rollout 32 times. Noticed in what comes back, asked for by a short probe, and known of some services.
import { hash128 } from "../base/random.ts";
import type { EndpointClient } from "./client.ts";

/** Same problem, other seed, same words: beyond this length that is not chance when sampling is on. */
const shortestTelling = 40;

/** Equal for equal texts; nothing for texts too short to tell anything by repeating. */
export function textFingerprint(text: string): string | undefined {
  if (text.length < shortestTelling) return undefined;
  return hash128(text)
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("");
}

type Told = { readonly problem: string; readonly fingerprint?: string };

/** A sentence for the person who will read pass@k, or nothing. */
export function repetitionWarning(rollouts: Iterable<Told>, temperature: number): string | undefined {
  const told = new Map<string, { rollouts: number; readonly texts: Set<string> }>();
  for (const { problem, fingerprint } of rollouts) {
    if (fingerprint === undefined) continue;
    const own = told.get(problem) ?? { rollouts: 0, texts: new Set() };
    told.set(problem, own);
    own.rollouts += 1;
    own.texts.add(fingerprint);
  }
  const problems = [...told.values()];
  const compared = problems.reduce((sum, own) => sum + own.rollouts - 1, 0);
  const repeated = problems.reduce((sum, own) => sum + own.rollouts - own.texts.size, 0);
  if (repeated === 0) return undefined;
  const share = `${repeated} of ${compared} rollouts repeat an earlier one word for word although their seeds differ`;
  if (temperature === 0) return `${share}; at temperature 0 that is expected, and pass@k for k > 1 means nothing`;
  // A server that ignores them repeats nearly everything; a model that is sure of itself, some of what it says.
  if (2 * repeated < compared)
    return `${share}: a model that is sure of itself does that; if yours is not, check that the server heeds seed and temperature`;
  return `${share}: the server seems to ignore seed or temperature, and pass@k for k > 1 is too low`;
}

export type ParameterReport = {
  /** Different seeds gave different texts. */
  readonly seedsDiffer?: boolean;
  /** The same seed gave the same text again; best effort on most servers. */
  readonly seedRepeats?: boolean;
  /** Temperature 0 gave one text and a high temperature several. */
  readonly temperatureHonored?: boolean;
  readonly notes: readonly string[];
};

const probePrompt = "Write forty random lowercase letters, separated by spaces, and nothing else.";

/** Five short requests. Answers that fail leave their question open instead of stopping an evaluation. */
export async function probeParameters(client: EndpointClient, signal?: AbortSignal): Promise<ParameterReport> {
  const ask = async (seed: number, temperature: number) => {
    const completion = await client.complete({ prompt: probePrompt, seed, temperature, maxTokens: 96 }, signal);
    return completion.outcome === "answered" ? `${completion.reasoning ?? ""}\n${completion.text}` : undefined;
  };
  const [one, other, again, greedy, greedyAgain] = await Promise.all([
    ask(1, 1),
    ask(2, 1),
    ask(1, 1),
    ask(3, 0),
    ask(4, 0),
  ]);
  const known = (...texts: (string | undefined)[]) =>
    texts.every((text) => text !== undefined && text.length >= shortestTelling);
  const seedsDiffer = known(one, other) ? one !== other : undefined;
  const seedRepeats = known(one, again) ? one === again : undefined;
  const temperatureHonored = known(one, other, greedy, greedyAgain)
    ? greedy === greedyAgain && one !== other
    : undefined;
  const notes = [...knownIgnored(client.endpoint.url, client.endpoint.model)];
  if (seedsDiffer === false)
    notes.push("two seeds gave the same text at temperature 1: seed or temperature is ignored");
  if (seedRepeats === false && seedsDiffer)
    notes.push("the same seed gave two texts: rollouts cannot be reproduced by their seed");
  if (temperatureHonored === false && seedsDiffer)
    notes.push("temperature 0 gave two texts: temperature is not honored, or the server is not deterministic");
  return { seedsDiffer, seedRepeats, temperatureHonored, notes };
}

/** What services say of themselves. */
export function knownIgnored(url: string, model: string): string[] {
  const { hostname } = new URL(url);
  if (hostname.endsWith("deepseek.com") && /reason|r1/i.test(model)) {
    return [
      "DeepSeek's reasoner accepts temperature and top_p and ignores them: no sampling temperature can be claimed",
    ];
  }
  return [];
}

/** Why a server does not go on with an answer that was begun; `surely` where its reply leaves no doubt. Nothing where it does. */
export async function probeContinuation(
  client: EndpointClient,
  signal?: AbortSignal,
): Promise<{ readonly because: string; readonly surely: boolean } | undefined> {
  const prompt = "Write the numbers from one to twelve in English words, with commas between, and nothing else.";
  const prefix = "one, two, three, four, five, six,";
  const completion = await client.complete({ prompt, prefix, seed: 1, temperature: 0, maxTokens: 24 }, signal);
  if (completion.outcome === "failed") return { because: `it refuses: ${completion.failure}`, surely: true };
  const text = completion.text.replace(/^[\s,]+/, "").toLowerCase();
  if (text.startsWith("seven")) return undefined;
  if (text.startsWith("one")) return { because: "it begins a new answer", surely: true };
  return { because: `after "${prefix}" it said ${JSON.stringify(completion.text.slice(0, 60))}`, surely: false };
}
