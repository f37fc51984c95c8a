// Puzzles played in turns: a wrong board is answered with every rule that it breaks, and the model may hand in another one.
// A play is one rollout. Its last response counts; what the model said before it is its thinking, and what it was told can be made again.
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { splitThinking } from "../endpoints/reply.ts";
import type { Problem, PuzzleProblem } from "../problems/problem.ts";
import { openPuzzle } from "../problems/puzzle-tasks.ts";
import { gradeResponse, violationsOf } from "../puzzles/verification.ts";
import { type Rollout, rolloutKey } from "../rollouts/rollout.ts";
import type { Sampler, SampleTask } from "./sampler.ts";

/** A turn that is over. */
type Turn = { readonly rollout: Rollout; readonly reply: string };

export function refuseOtherThanPuzzles(problems: readonly Problem[]): void {
  const other = problems.find(({ kind }) => kind !== "puzzle");
  if (other === undefined) return;
  throw new ConfigurationError(
    `--turns needs a verifier that says what is wrong, and only puzzles have one; ${other.set ?? other.id} is none`,
  );
}

/** A sampler that plays up to so many turns at each puzzle. */
export function inTurns(sampler: Sampler, turns: number): Sampler {
  const plays = new Map<string, Turn[]>();
  const withNext = (task: SampleTask): SampleTask => ({ ...task, next: (rollout) => nextTask(task, rollout) });
  const nextTask = (task: SampleTask, rollout: Rollout): SampleTask | undefined => {
    const played = plays.get(rolloutKey(rollout)) ?? [];
    const left = turns - played.length - 1;
    if (rollout.state !== "complete" || left === 0) return undefined;
    const wrong = whatIsWrong(task.problem as PuzzleProblem, rollout.response);
    if (wrong === undefined) return undefined;
    const more = left === 1 ? "one more turn" : `${left} more turns`;
    const reply = `${wrong}\n\nYou have ${more}. Answer with the whole board again, in the same form.`;
    const now = [...played, { rollout, reply }];
    plays.set(rolloutKey(rollout), now);
    // Models are not shown their own thinking again, and many templates would leave it out.
    const said = now.map((turn) => ({ response: splitThinking(turn.rollout.response).answer, reply: turn.reply }));
    return withNext({ ...task, said, seed: Random.from(task.seed).child("turn", now.length).uint32() >>> 1 });
  };
  return {
    policy: sampler.policy,
    sample: (tasks, send, signal) => {
      const send1 = async (rollout: Rollout) => {
        const played = plays.get(rolloutKey(rollout)) ?? [];
        plays.delete(rolloutKey(rollout));
        await send(asOneRollout(played, rollout));
      };
      return sampler.sample(tasks.map(withNext), send1, signal);
    },
  };
}

/** So many broken rules are said at once. */
const mostSaid = 20;

/** Every rule that the board in a response breaks, or why there is none to look at; nothing of the solution. */
function whatIsWrong({ puzzle: name, instance: id }: PuzzleProblem, response: string): string | undefined {
  const key = { ...openPuzzle(id, name), initial: [], lazyAnswers: [] };
  const grade = gradeResponse(key, response);
  const { verdict } = grade;
  if (verdict.verdict === "correct") return undefined;
  const broken = violationsOf(key, grade).map(({ because }) => because);
  if (broken.length === 0) return `That cannot be read as an answer: ${verdict.because}.`;
  const more = broken.length - mostSaid;
  const named = broken.slice(0, mostSaid).map((rule) => `- ${rule}`);
  return ["That is not the solution:", ...named, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

/** Where a conversation has become longer than the model can read, it ends with what was said until then. */
const noRoom = /context|maximum.*(?:length|tokens)|too (?:long|large|many tokens)/i;

function asOneRollout(played: readonly Turn[], last: Rollout): Rollout {
  if (played.length === 0) return last.state === "failed" ? last : { ...last, turns: 1 };
  if (last.state === "failed" && noRoom.test(last.failure ?? ""))
    return { ...asOneRollout(played.slice(0, -1), played.at(-1)!.rollout), state: "truncated" };
  const all = [...played.map(({ rollout }) => rollout), last];
  const total = (name: "promptTokens" | "responseTokens" | "milliseconds" | "cost") => {
    const counts = all.flatMap((rollout) => rollout[name] ?? []);
    return counts.length < all.length ? {} : { [name]: counts.reduce((sum, count) => sum + count, 0) };
  };
  const before = played.flatMap(({ rollout }) => [rollout.reasoning ?? [], rollout.response].flat());
  return {
    ...last,
    ...{ ...total("promptTokens"), ...total("responseTokens"), ...total("milliseconds"), ...total("cost") },
    seed: all[0].seed,
    turns: all.length,
    reasoning: [...before, ...(last.reasoning === undefined ? [] : [last.reasoning])].join("\n\n"),
  };
}
