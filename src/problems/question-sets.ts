// Questions to train on: files and data sets of anybody's, beside puzzles. What is held out is decided by a question's own
// text, so it stays held out whoever asks, whenever, and in whatever order the file is.
import { ConfigurationError } from "../base/errors.ts";
import { hash128, Random } from "../base/random.ts";
import type { Dropped } from "./benchmarks/columns.ts";
import { paperValue } from "./paper.ts";
import type { Problem } from "./problem.ts";
import { sameQuestion } from "./problem-facts.ts";
import { loadProblems, type SourcedProblems, type SourceOptions } from "./sources.ts";
import { syntheticSet } from "./synthetic/index.ts";

/** `questions.jsonl*2`: a source, and how much of each step it gets. */
type WeightedSource = { readonly source: string; readonly weight: number };

/** Stands for the puzzles of a run among its sources. */
export const puzzlesSource = "puzzles";

export type QuestionSet = {
  readonly source: string;
  readonly set: string;
  readonly training: readonly Problem[];
  readonly heldOut: readonly Problem[];
  readonly dropped: readonly Dropped[];
  readonly from: string;
};

export type QuestionSplit = "train" | "test";

export const defaultHeldOutShare = paperValue("rl.heldOutShare");

export function readSources(texts: readonly string[]): WeightedSource[] {
  const sources = texts.map((text): WeightedSource => {
    const [, source, times] = /^(.+?)(?:\*(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
    const weight = times === undefined ? 1 : Number(times);
    if (source === undefined || !(weight > 0))
      throw new ConfigurationError(
        `problems ${JSON.stringify(text)}: expected a source and a weight above 0, as in questions.jsonl*2`,
      );
    return { source, weight };
  });
  const names = sources.map(({ source }) => source);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new ConfigurationError(`problems ${JSON.stringify(twice)} are given twice; give a weight: ${twice}*2`);
  return sources;
}

/** Which side a question is on. */
export function questionSplit(text: string, heldOutShare = defaultHeldOutShare): QuestionSplit {
  const [word] = hash128(`question split:${sameQuestion(text)}`);
  return word / 4_294_967_296 < heldOutShare ? "test" : "train";
}

/** Those of one side. What is no question of a file is held out by rules of its own, and is only ever asked. */
export function onSide(
  { problems, texts }: Pick<SourcedProblems, "problems" | "texts">,
  side: QuestionSplit,
  heldOutShare = defaultHeldOutShare,
): Problem[] {
  return problems.filter(({ id }) => {
    const text = texts?.get(id);
    return text === undefined ? side === "test" : questionSplit(text, heldOutShare) === side;
  });
}

export async function loadQuestions(
  source: string,
  options: SourceOptions & { readonly heldOutShare?: number },
): Promise<QuestionSet> {
  if (source.startsWith("puzzles:"))
    throw new ConfigurationError(
      `problems ${JSON.stringify(source)} are held-out puzzles; to train on puzzles, name them with --puzzle or puzzles.training, and give \`puzzles\` here`,
    );
  const loaded = await loadProblems(source, options);
  const { problems, dropped, from } = loaded;
  const shared = { source, set: problems[0]?.set ?? source, dropped, from };
  const heldOut = onSide(loaded, "test", options.heldOutShare);
  // Synthetic mathematics has a train side of its own.
  const training =
    source === "synthetic"
      ? syntheticSet("train", options.count, Random.from(options.seed).child("training", "synthetic"))
      : onSide(loaded, "train", options.heldOutShare);
  if (training.length === 0)
    throw new ConfigurationError(
      `${source} holds no question to train on: ${problems.length} could be read, all of them held out`,
    );
  return { ...shared, training, heldOut };
}

/**
 * What a run trains on, in the order of its steps: questions in an order of their own, and `puzzles` where the sources name
 * them, who are told how many they are to be.
 */
export function trainingMix<P = Problem>(mix: {
  readonly sources: readonly WeightedSource[];
  readonly questions: readonly Pick<QuestionSet, "source" | "training">[];
  readonly puzzles: (count: number) => readonly P[];
  readonly count: number;
  readonly seed: number | string;
}): (Problem | P)[] {
  const { sources, questions, count } = mix;
  const random = Random.from(mix.seed).child("questions");
  const shares = sharesOf(sources, count);
  const lists = sources.map(({ source, weight }, kind) => {
    const split = questions.find((one) => one.source === source);
    const problems: readonly (Problem | P)[] =
      split === undefined ? mix.puzzles(shares[kind]) : random.child("order", source).shuffle([...split.training]);
    return { source, weight, problems };
  });
  return mixedProblems(lists, count, random);
}

/** How many of `count` places each source gets. */
export function sharesOf(sources: readonly WeightedSource[], count: number): number[] {
  const shares = sources.map(() => 0);
  for (const kind of turns(sources, count)) shares[kind] += 1;
  return shares;
}

/**
 * `count` problems with the same mix from beginning to end: a source is next when it is furthest behind its share. A list that
 * is too short is repeated as a whole, in a new order each time.
 */
export function mixedProblems<P>(
  sources: readonly (WeightedSource & { readonly problems: readonly P[] })[],
  count: number,
  random: Random,
): P[] {
  const shares = sharesOf(sources, count);
  const lists = sources.map(({ source, problems }, kind) => repeated(problems, shares[kind], random.child(source)));
  const next = sources.map(() => 0);
  return [...turns(sources, count)].map((kind) => lists[kind][next[kind]++]);
}

function* turns(sources: readonly WeightedSource[], count: number): Generator<number> {
  const total = sources.reduce((sum, { weight }) => sum + weight, 0);
  const taken = sources.map(() => 0);
  for (let place = 1; place <= count; place++) {
    let furthest = 0;
    let behind = Number.NEGATIVE_INFINITY;
    for (const [kind, { weight }] of sources.entries()) {
      const missing = (place * weight) / total - taken[kind];
      // The first of several that are equally far behind, up to rounding.
      if (missing > behind + 1e-9) [furthest, behind] = [kind, missing];
    }
    taken[furthest] += 1;
    yield furthest;
  }
}

/** All of it before any of it a second time. */
export function repeated<P>(problems: readonly P[], count: number, random: Random): P[] {
  const list = [...problems];
  for (let pass = 1; list.length < count; pass++) list.push(...random.child(pass).shuffle([...problems]));
  return list.slice(0, count);
}
