// Rollouts from an engine of ours.
import { messageOf } from "../base/errors.ts";
import type { Engine, Sample } from "../engine/engine.ts";
import type { Problem } from "../problems/problem.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { type Exchange, type Sampler, type SampleTask, type SamplingSettings, taskRecord } from "./sampler.ts";

/** Engines batch best when they see much at once, and records should not wait for hours. */
const tasksPerCall = 256;

export function engineSampler(
  engine: Engine,
  settings: SamplingSettings,
  options: {
    readonly policy: string;
    /** How a problem becomes tokens; the prompt as it is, unless the model wants more around it. */
    readonly encode?: (problem: Problem, said?: readonly Exchange[]) => readonly number[];
  },
): Sampler {
  const { policy } = options;
  const encode = options.encode ?? ((problem) => engine.tokenizer.encode(`${settings.system ?? ""}${problem.prompt}`));
  const { temperature, topP, topK, maxTokens, stop } = settings;

  const answered = (task: SampleTask, promptTokens: number, { text, tokens, finish }: Sample): Rollout => ({
    ...taskRecord(task, policy),
    state: finish === "length" ? "truncated" : "complete",
    response: `${gap(task.prefix, tokens)}${text}`,
    promptTokens,
    responseTokens: tokens.length,
    finish,
  });
  const failed = (task: SampleTask, failure: string): Rollout => ({
    ...taskRecord(task, policy),
    state: "failed",
    failure,
    response: "",
  });

  /** Tokenizers of whole words put a blank between two of them, which what follows a prefix does not have by itself. */
  const gap = (prefix: string | undefined, [first]: readonly number[]): string => {
    const last = engine.tokenizer.encode(prefix ?? "").at(-1);
    if (last === undefined || first === undefined) return "";
    const [one, other, both] = [[last], [first], [last, first]].map((tokens) => engine.tokenizer.decode(tokens));
    return both === `${one} ${other}` ? " " : "";
  };

  return {
    policy,
    async sample(tasks, send, signal) {
      let asked = 0;
      let again: SampleTask[] = [];
      while (asked < tasks.length || again.length > 0) {
        signal?.throwIfAborted();
        const fresh = tasks.slice(asked, asked + Math.max(0, tasksPerCall - again.length));
        asked += fresh.length;
        const chosen = [...again, ...fresh].map((task) => ({ task, prompt: encodeOrFail(task) }));
        again = [];
        const sent: Promise<void>[] = [];
        const ready = chosen.flatMap(({ task, prompt }) => {
          if (Array.isArray(prompt)) return [{ task, prompt: prompt as readonly number[] }];
          sent.push(send(failed(task, prompt as string)));
          return [];
        });
        const requests = ready.map(({ task, prompt }) => ({
          prompt,
          seed: task.seed,
          temperature,
          topP,
          topK,
          stopStrings: stop,
          maxTokens: Math.min(maxTokens, engine.contextLength - prompt.length),
        }));
        if (requests.length > 0) {
          await engine.sample(requests, {
            signal,
            onSample: (i, sample) => {
              const { task, prompt } = ready[i];
              const rollout = answered(task, prompt.length, sample);
              const next = task.next?.(rollout);
              if (next === undefined) sent.push(send(rollout));
              else again.push(next);
            },
          });
        }
        await Promise.all(sent);
      }
    },
  };

  function encodeOrFail(task: SampleTask): readonly number[] | string {
    try {
      const prompt = [...encode(task.problem, task.said), ...engine.tokenizer.encode(task.prefix ?? "")];
      return prompt.length < engine.contextLength
        ? prompt
        : `the prompt has ${prompt.length} tokens and the context ends at ${engine.contextLength}`;
    } catch (error) {
      return messageOf(error);
    }
  }
}
