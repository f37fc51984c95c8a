// A prompt that several samples begin with is read once; torch-engine's own check is in `checks.py`.
import { afterEach, expect, it, vi } from "vitest";
import { Session } from "../../src/engine/embedded/onnx/session.ts";
import { Replica } from "../../src/engine/embedded/replica.ts";
import { decoderConfig, wordTokenizer } from "../../src/engine/index.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("the rollouts of a group share one reading of their prompt, also where slots are refilled one by one", async () => {
  const tokenizer = wordTokenizer(["a", "b", "c"]);
  const vocabularySize = tokenizer.vocabularySize;
  const config = decoderConfig({ family: "llama", vocabularySize, width: 16, layers: 2, heads: 2, contextLength: 64 });
  const replica = await Replica.create({
    model: { config: config.source, tokenizer: tokenizer.files },
    seed: 1,
    threads: 1,
    slots: 5,
    place: { index: 0, count: 1, lanes: 1 },
  });
  // The graph that reads prompts takes [1, length] tokens, the one that decodes [rows].
  const run = vi.spyOn(Session.prototype, "run");
  const prompts = [
    [1, 2, 3, 1],
    [2, 2],
    [3, 1, 2],
  ];
  const requests = prompts.flatMap((prompt, g) =>
    Array.from({ length: 8 }, (_, i) => ({ prompt, seed: 10 * g + i, maxTokens: 1 + 3 * i, temperature: 1 })),
  );
  let next = 0;
  const told: number[] = [];
  await replica.sample(
    () => (next < requests.length ? { index: next, request: requests[next++] } : undefined),
    (index) => told.push(index),
    () => {},
  );
  expect(told).toHaveLength(24);
  const read = run.mock.calls.map(([feeds]) => feeds.tokens.dims).filter((dims) => dims.length === 2);
  expect(read).toEqual(prompts.map((prompt) => [1, prompt.length]));
});
