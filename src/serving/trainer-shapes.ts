// What each trainer sends and what it wants back. A shape reads a request into rollouts and writes their scores into
// a reply; every reply carries the verdict and the reward's parts beside the number that the trainer asked for.
import { z } from "zod";
import { readQuestion } from "./question.ts";
import type { Score } from "./score.ts";
import type { RolloutToScore } from "./scorer.ts";

export type Shape = {
  /** The rollouts of a request, and how its reply is written. Throws ZodError for what is not this trainer's request. */
  read(body: unknown): ReadRequest;
};

type ReadRequest = {
  readonly rollouts: readonly RolloutToScore[];
  readonly reply: (scores: readonly Score[]) => Reply;
};

/** `json` is a body already written; `ungraded`: the trainer has no word for a rollout without a score, so the whole request is refused with the reason. */
type Reply = { readonly body: unknown } | { readonly json: string } | { readonly ungraded: string };

/** Ground truths are checked when they are read; here anything goes but nothing. */
const truth = z.union([z.string(), z.number(), z.record(z.string(), z.unknown())]);

const shape = <Request>(schema: z.ZodType<Request>, read: (request: Request) => ReadRequest): Shape => ({
  read: (body) => read(schema.parse(body)),
});

/** Replies that need a number for every rollout. */
function numbered(scores: readonly Score[], write: (numbers: readonly number[]) => unknown): Reply {
  const numbers: number[] = [];
  for (const [i, { score, because }] of scores.entries()) {
    if (score === null) return { ungraded: `rollout ${i} has no score: ${because}` };
    numbers.push(score);
  }
  return { body: write(numbers) };
}

// ---- verl: our own request, because its reward functions are Python that may send what it likes ----------------------

const verlItem = z.object({
  data_source: z.string().optional(),
  solution_str: z.string(),
  ground_truth: truth,
  extra_info: z.unknown().optional(),
  prompt: z.unknown().optional(),
  step: z.number().int().nonnegative().optional(),
});
const verlRollout = ({ solution_str, ground_truth, data_source, ...said }: z.output<typeof verlItem>) => ({
  question: readQuestion(ground_truth, data_source),
  response: solution_str,
  prompt: said.prompt,
  step: said.step,
});

const verlBatch = shape(z.object({ items: z.array(verlItem) }), ({ items }) => ({
  rollouts: items.map(verlRollout),
  reply: (scores) => ({ body: { scores } }),
}));

const verlSingle = shape(verlItem, (item) => ({
  rollouts: [verlRollout(item)],
  reply: ([score]) => ({ body: score }),
}));

const verl: Shape = {
  read: (body) => (isRecord(body) && "items" in body ? verlBatch : verlSingle).read(body),
};

// ---- TRL: columns, as its reward functions get them -----------------------------------------------------------------

const message = z.object({ role: z.string(), content: z.string().nullish() });
const messageText = (messages: readonly z.output<typeof message>[]) =>
  messages
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content ?? "")
    .join("\n");

const trl = shape(
  z
    .object({
      prompts: z.array(z.unknown()).optional(),
      completions: z.array(z.union([z.string(), z.array(message)])),
      ground_truth: z.array(truth).optional(),
      reward_model: z.array(z.object({ ground_truth: truth })).optional(),
      data_source: z.array(z.string()).optional(),
    })
    .transform(({ prompts = [], completions, ground_truth, reward_model, data_source }, context) => {
      const truths = ground_truth ?? reward_model?.map((model) => model.ground_truth);
      if (truths?.length !== completions.length) {
        context.addIssue(
          `${completions.length} completions need as many entries in ground_truth or reward_model; got ${truths?.length ?? 0}`,
        );
        return z.NEVER;
      }
      return { prompts, completions, truths, sources: data_source ?? [] };
    }),
  ({ prompts, completions, truths, sources }) => ({
    rollouts: completions.map((completion, i) => ({
      question: readQuestion(truths[i], sources[i]),
      response: typeof completion === "string" ? completion : messageText(completion),
      prompt: prompts[i],
    })),
    // TRL reads null as "no reward" and leaves the completion out of its group's baseline. What the grader of
    // mathematics could not decide is no reason to push a completion down either.
    reply: (scores) => ({
      body: { rewards: scores.map(({ score, verdict }) => (verdict === "undecided" ? null : score)), scores },
    }),
  }),
);

// ---- OpenRLHF: --reward.remote_url ----------------------------------------------------------------------------------

const openrlhf = shape(
  z
    .object({ query: z.array(z.string()), prompts: z.array(z.string()), labels: z.array(truth) })
    .refine(
      ({ query, prompts, labels }) => query.length === prompts.length && query.length === labels.length,
      "query, prompts and labels differ in length",
    ),
  ({ query, prompts, labels }) => ({
    rollouts: query.map((text, i) => {
      const response = responseOf(text, prompts[i]);
      if (response === undefined) {
        const because = "the query does not begin with its prompt, so the response cannot be separated from it";
        return { question: { kind: "unknown", because }, response: "" };
      }
      return { question: readQuestion(labels[i]), response, prompt: prompts[i] };
    }),
    reply: (scores) => {
      const rewards = numbered(scores, (numbers) => numbers);
      if (!("body" in rewards)) return rewards;
      const column = (name: "exact" | "completion" | "format") => floats(scores.map((score) => score[name]));
      // Its logger takes numbers only; the words are in `verdicts`.
      const logs = `{"exact":${column("exact")},"completion":${column("completion")},"format":${column("format")}}`;
      const numbers = floats(scores.map(({ score }) => score ?? 0));
      return {
        json: `{"rewards":${numbers},"scores":${column("exact")},"extra_logs":${logs},"verdicts":${JSON.stringify(scores)}}`,
      };
    },
  }),
);

/** Python reads `1` as an integer, of which a tensor has no mean. */
const floats = (numbers: readonly number[]) =>
  `[${numbers.map((number) => (Number.isInteger(number) ? number.toFixed(1) : String(number))).join(",")}]`;

const endTokens = /(?:\s*(?:<\|[\w▁|-]+\|>|<\/s>|<eos>|<pad>))+\s*$/u;

/**
 * Its query is the prompt and the response decoded in one. The prompt names the answer tags itself, so it must be cut
 * off exactly; a prompt that was shortened on its left still ends the same way.
 */
function responseOf(query: string, prompt: string): string | undefined {
  if (query.startsWith(prompt)) return query.slice(prompt.length).replace(endTokens, "");
  const ending = prompt.slice(-Math.min(200, Math.ceil(prompt.length / 2)));
  const place = ending.length < 20 ? -1 : query.indexOf(ending);
  return place === -1 ? undefined : query.slice(place + ending.length).replace(endTokens, "");
}

// ---- slime: --rm-type remote_rm --rm-url ----------------------------------------------------------------------------

const slime = shape(
  z.object({ prompt: z.unknown(), response: z.string(), label: truth }),
  ({ prompt, response, label }) => ({
    rollouts: [{ question: readQuestion(label), response: response.replace(endTokens, ""), prompt }],
    // The whole reply becomes the sample's reward; `--reward-key score` takes the number out of it.
    reply: ([score]) => numbered([score], () => score),
  }),
);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** By the address that a trainer asks. */
export const requestShapes: Readonly<Record<string, Shape>> = {
  "/score": verl,
  "/trl": trl,
  "/openrlhf": openrlhf,
  "/get_reward": openrlhf,
  "/slime": slime,
};
