// Making the miniature's base model: next-word prediction on lessons, from scratch. The result is shipped under models/.
import type { Engine, Tokenizer, TokenSequence } from "../../engine/engine.ts";
import type { Lesson } from "../../teaching/pretraining.ts";
import { type Schedule, scheduleFactor } from "../../training/schedules.ts";

export type PretrainOptions = {
  readonly steps: number;
  readonly lessonsPerStep: number;
  readonly learningRate: number;
  readonly schedule: Schedule;
  readonly weightDecay: number;
  readonly maxGradientNorm: number;
  readonly beta2: number;
  readonly contextLength: number;
};

export type PretrainEvent = {
  readonly type: "pretrain-step";
  readonly step: number;
  readonly loss: number;
  readonly tokens: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
};

export function lessonSequence(tokenizer: Tokenizer, { prompt, response }: Lesson): TokenSequence {
  const start = tokenizer.encode(prompt);
  return { tokens: [...start, ...tokenizer.encode(response), tokenizer.endOfText], promptLength: start.length };
}

/** Only responses are learned; prompts are made by us, not by the model. Lessons longer than the context are passed over. */
export async function* pretrainLoop(
  engine: Engine,
  lessons: Iterator<TokenSequence>,
  options: PretrainOptions,
  /** Steps that are done already; the lessons resume where they stopped. */
  from = 0,
): AsyncGenerator<PretrainEvent> {
  for (let step = from; step < options.steps; step++) {
    const batch: TokenSequence[] = [];
    while (batch.length < options.lessonsPerStep) {
      const next = lessons.next();
      if (next.done) throw new Error(`the lessons ended at step ${step}`);
      if (next.value.tokens.length <= options.contextLength) batch.push(next.value);
    }
    const tokens = batch.reduce((sum, sequence) => sum + sequence.tokens.length - sequence.promptLength, 0);
    const scores = await engine.accumulate(
      batch.map((sequence) => ({
        ...sequence,
        weights: new Float32Array(sequence.tokens.length - sequence.promptLength).fill(1 / tokens),
      })),
    );
    const learningRate = options.learningRate * scheduleFactor(options.schedule, step, options.steps);
    const { weightDecay, maxGradientNorm, beta2 } = options;
    const { gradientNorm } = await engine.step({ learningRate, weightDecay, maxGradientNorm, beta2 });
    let total = 0;
    for (const { logprobs } of scores) for (const logprob of logprobs) total += logprob;
    yield { type: "pretrain-step", step, loss: -total / tokens, tokens, gradientNorm, learningRate };
  }
}
