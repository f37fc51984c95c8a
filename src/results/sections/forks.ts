// What a move does: forks of rollouts, gone on from with it and without it. The one figure here that is about cause.
import { type Item, missing, type ShownTrace } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, tableBody } from "../../drawing/table.ts";
import { displayName, inRecipeOrder } from "../../runs/recipe-names.ts";
import { judged, minProblems, tableTotals } from "../../traces/analysis/verdicts.ts";
import type { Ending, ForkEffect, ForkStory } from "../../traces/forks/effects.ts";
import type { ForkResult } from "../../traces/forks/fork-folder.ts";
import type { Alphabet } from "../../traces/sequence.ts";
import { estimated, overProblems, toldVerdict, wouldShow } from "../intervals.ts";

const needs = "forks of its rollouts: repertoire traces fork <run> --label <label>";

export function forksTable(results: readonly ForkResult[], nameOf: (policy: string) => string = displayName): Item {
  const [id, title] = ["forks", "What a move causes"];
  const order = inRecipeOrder([...new Set(results.map(({ of }) => of))]);
  const moves = [...new Set(results.flatMap(({ effects }) => effects.map(({ move }) => move)))];
  const sorted = [...results].sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of));
  const shown = moves.flatMap((move) =>
    sorted.flatMap((result) =>
      told(result.effects.filter((effect) => effect.move === move)).map((effect) => ({ result, effect })),
    ),
  );
  if (shown.length === 0) return missing(id, title, needs);
  const judgments = shown.filter(({ effect }) => effect.forks > 0).map(({ effect }) => judgedEffect(effect));
  const totals = judgments.length === 0 ? "" : `; it causes ${tableTotals(judgments, causes)}`;
  const forks = results.reduce((sum, { stories }) => sum + stories.length, 0);
  return {
    id,
    title,
    caption: `From the same words of a rollout a policy goes on several times with the move that stood there, and as often without it: a continuation whose next span is the move again is drawn again. The effect is P(right | with) − P(right | without) in percentage points, at the same place, averaged over the forks of a problem and then over problems. Made again: draws without the move that made it all the same. Later: ends without the move that make it later. Blocked: forks that no draw left without the move, which count nowhere. ${wouldShow}`,
    body: tableBody(
      ["causes", "move", "policy", "effect", "set", "problems", "with", "without", "made again", "later", "blocked"],
      shown.map(({ result, effect }) => row(result, effect, nameOf)),
    ),
    n: `${forks} forks, each gone on from ${[...new Set(results.map(({ n }) => n))].join(" or ")} times with the move and as often without it${totals}`,
    interval: overProblems,
    labeled: [...new Set(results.map(({ labeled }) => labeled))].join("; "),
  };
}

/** Where a move can never be left out, that is said once, and of parts with few problems only the largest stands for all. */
function told(effects: readonly ForkEffect[]): readonly ForkEffect[] {
  const some = effects.filter(({ problems }) => problems >= minProblems);
  const most = Math.max(...effects.map(({ problems }) => problems));
  return some.length > 0 ? some : effects.filter(({ problems }) => problems === most).slice(0, 1);
}

function row({ of, by, without: how }: ForkResult, effect: ForkEffect, nameOf: (policy: string) => string): Cell[] {
  const share = (value: number): Cell => ({ value, text: `${percentage(value)}%` });
  const { forks, problems, with: made, without, effect: difference, rejected, later, blocked } = effect;
  const policy = by === of ? nameOf(of) : `${nameOf(of)}, then ${nameOf(by)}`;
  return [
    ...[words(effect), effect.move, how === "ever" ? `${policy}, never again` : policy],
    ...[numberCell(estimated(difference), percentage), effect.scope, count(problems)],
    ...[made, without].map((one) => numberCell(estimated(one), percentage)),
    ...[share(rejected), forks === 0 ? null : share(later), count(blocked)],
  ];
}

const causes = {
  ...{ shown: "success", reversed: "failure", "not shown": "neither seen" },
  "cannot be tested here": `under ${minProblems} problems`,
};
const judgedEffect = ({ effect, problems }: ForkEffect) => judged(effect, problems, "rises");
const words = (one: ForkEffect): string =>
  one.forks === 0 ? "never left out" : toldVerdict(judgedEffect(one), causes, percentage);

/** Of each arm. */
const endingsShown = 4;

/** One rollout, or the one whose fork matters most, with what became of it: its spans, and those of its ends. */
export function forkedTraces(
  results: readonly ForkResult[],
  alphabet: Alphabet,
  wanted?: (story: ForkStory) => boolean,
  nameOf: (policy: string) => string = displayName,
): Item {
  const [id, title] = ["forked-traces", "A trace, its forks, and what became of them"];
  const candidates = results.flatMap((result) => result.stories.map((story) => ({ result, story })));
  const most = [...candidates].sort((a, b) => difference(b.story) - difference(a.story)).slice(0, 1);
  const shown = wanted === undefined ? most : candidates.filter(({ story }) => wanted(story));
  if (shown.length === 0) return missing(id, title, needs);
  return {
    id,
    title,
    caption: `Each cell is a span; the box is the move. Below the trace stand ends of the way with the move and of the way without it${wanted === undefined ? ", at the fork where the two differ most" : ""}.`,
    n: `${shown.length} ${shown.length === 1 ? "fork" : "forks"}; at most ${endingsShown} ends of each way are drawn`,
    labeled: [...new Set(shown.map(({ result }) => result.labeled))].join("; "),
    body: { kind: "traces", traces: shown.flatMap(({ result, story }) => tracesOf(result, story, alphabet, nameOf)) },
  };
}

const right = (endings: readonly Ending[]): number => endings.filter((ending) => ending.right).length;
const difference = ({ with: made, without }: ForkStory): number =>
  made.length === 0 || without.length === 0
    ? -1
    : Math.abs(right(made) / made.length - right(without) / without.length);

function tracesOf(
  { of, by }: ForkResult,
  story: ForkStory,
  alphabet: Alphabet,
  nameOf: (policy: string) => string,
): ShownTrace[] {
  const { problem, attempt, first, move, sequence, correct, gaveUp } = story;
  const spans = (letters: string) =>
    [...letters].map((letter) => ({ label: alphabet.labels[alphabet.letters.indexOf(letter)] ?? "unsure", letter }));
  const verdict = (solved: boolean | undefined) => (solved === undefined ? "not graded" : solved ? "right" : "wrong");
  const none = { start: 0, length: 0 };
  const ends = (name: string, endings: readonly Ending[], made: number): ShownTrace[] =>
    endings.slice(0, endingsShown).map((ending, i) => ({
      name: `${nameOf(by)}, ${name}`,
      note: `${verdict(ending.right)}${i > 0 ? "" : `; ${right(endings)} of ${endings.length} right${made > 0 ? `, ${made} given up` : ""}`}`,
      problem: "",
      spans: spans(ending.sequence),
      boxed: none,
    }));
  return [
    {
      name: `${nameOf(of)}, attempt ${attempt}`,
      note: `${verdict(correct)}; forked at span ${first}`,
      problem,
      spans: spans(sequence),
      boxed: { start: first, length: move.length },
    },
    ...ends("with the move", story.with, 0),
    ...ends("without it", story.without, gaveUp),
  ];
}
