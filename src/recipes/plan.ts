// What a run of the paper's experiment will cost, before it costs anything: tokens by stage, and hours at given speeds.
import { mean } from "../base/statistics/descriptive.ts";
import type { Problem } from "../problems/problem.ts";
import { evaluationName } from "../runs/recipe-names.ts";
import { objectiveNeeds } from "../training/objective.ts";
import { scoringTemperature } from "../training/rl-options.ts";
import { keptSteps } from "./best-step.ts";
import type { RecipeProblems } from "./recipe-problems.ts";
import { policiesOf, type RecipeSettings, rlOptions, sftOptions } from "./settings.ts";

/** Tokens per second; `evaluated` where another engine, such as vLLM, samples the evaluations. */
export type Speed = {
  readonly sampled: number;
  readonly scored: number;
  readonly trained: number;
  readonly evaluated?: number;
};

/** One H200 with torch-engine, as `docs/engine-servers.md` reports: decoding 48 at a time at 8k, scoring and training 28k tokens. */
export const oneGpu: Speed = { sampled: 1_636, scored: 31_219, trained: 11_844 };

/** Replicas share samples and passes; what they do not share (a step, its spreading) is small beside them. */
export const onGpus = (speed: Speed, gpus: number): Speed => ({
  sampled: speed.sampled * gpus,
  scored: speed.scored * gpus,
  trained: speed.trained * gpus,
  ...(speed.evaluated !== undefined && { evaluated: speed.evaluated * gpus }),
});

/** GPUs of one machine, which is as far as torch-engine goes. */
const gpusOfOneMachine = 8;
const longestWaitHours = 14 * 24;

/** What to take instead where one machine's replicas are not enough. */
export function engineAdvice(hours: number, gpus: number): string | undefined {
  const elsewhere =
    "SkyRL (--server skyrl-fsdp or skyrl-jax) or, with our rewards and bonus, verl: docs/engine-servers.md";
  if (gpus > gpusOfOneMachine)
    return `torch-engine puts a replica on each GPU of one machine, and ${gpus} are more than one machine has: take ${elsewhere}; \`export verl --nodes\` spans machines`;
  if (hours <= longestWaitHours) return undefined;
  const enough = Math.ceil((hours * gpus) / longestWaitHours);
  const days = Math.round(hours / 24);
  return enough <= gpusOfOneMachine
    ? `${days} days are long: --gpus ${enough} would be two weeks`
    : `${days} days are long, and ${enough} GPUs would be needed for two weeks: take fewer steps, shorter responses, or ${elsewhere}`;
}

type Tokens = { readonly sampled: number; readonly scored: number; readonly trained: number };

export type PlannedStage = {
  readonly name: string;
  readonly what: string;
  readonly tokens: Tokens;
  readonly kind?: "evaluation";
  /** Absent for what another service does. */
  readonly hours?: number;
};

type PlanInput = {
  readonly settings: RecipeSettings;
  readonly sets: RecipeProblems;
  readonly benchmarks: readonly { readonly set: string; readonly problems: number }[];
  readonly teacher: "narrated" | "endpoint";
  /** RL begins from a checkpoint that was given: no teaching, no SFT. */
  readonly given?: boolean;
  /** Mean length of a response; no response is longer than its stage allows. */
  readonly responseTokens: number;
  readonly promptTokens: (problem: Problem) => number;
  readonly speed: Speed;
};

const none: Tokens = { sampled: 0, scored: 0, trained: 0 };

export function recipePlan(input: PlanInput): PlannedStage[] {
  const { settings, sets, benchmarks, speed } = input;
  const { evaluation, corpus } = settings;
  const prompt = mean([...sets.teaching, ...sets.training].slice(0, 200).map(input.promptTokens)) || 0;
  const response = (longest: number) => Math.min(input.responseTokens, longest);
  const timed = (stage: Omit<PlannedStage, "hours">): PlannedStage => ({
    ...stage,
    hours: hoursOf(stage.tokens, speed),
  });

  const asked = corpus.traces ?? sets.teaching.length * corpus.attempts;
  const sft = sftOptions(settings);
  const passes = sft.epochs * asked;
  const held =
    sft.epochs * sets.validation.length * sft.validation.rolloutsPerProblem * response(settings.rl.maxTokens);
  const parts = [
    { set: "held-out", problems: sets.heldOut.length },
    { set: "search", problems: sets.search.length },
    { set: "larger", problems: sets.larger.length },
    ...benchmarks,
  ];
  const rolloutsOf = (set: string) => evaluation.rolloutsOf[set] ?? evaluation.rollouts;
  const judged = parts.reduce((sum, { problems }) => sum + problems, 0);
  const rollouts = parts.reduce((sum, { set, problems }) => sum + problems * rolloutsOf(set), 0);
  const judging = rollouts * response(evaluation.maxTokens);
  const first: PlannedStage[] = [
    {
      name: "teach",
      what:
        corpus.traces === undefined
          ? `${number(asked)} attempts at ${number(sets.teaching.length)} puzzles (${byKind(sets.teaching)}), kept if they verify and have at most ${number(corpus.maxTokens)} tokens`
          : `${number(asked)} verified traces of the narrating solver, ${corpus.attempts} a puzzle`,
      tokens: input.teacher === "narrated" ? none : { ...none, sampled: asked * response(corpus.maxTokens) },
      ...(input.teacher === "narrated" && { hours: 0 }),
    },
    timed({
      name: "sft",
      what: `${sft.epochs} ${sft.epochs === 1 ? "epoch" : "epochs"} over at most ${number(asked)} traces, ${sft.sequencesPerStep} a step; after each, ${sets.validation.length} held-out puzzles`,
      tokens: { sampled: held, scored: 0, trained: passes * (prompt + response(corpus.maxTokens)) },
    }),
  ];
  return [
    ...(input.given ? [] : first),
    ...settings.variants.map(({ name }) => timed(rlStage(input, name, prompt))),
    ...choosing(input).map(timed),
    ...judgedNames(settings).map((name) => {
      const tokens = { ...none, sampled: judging };
      return {
        name: `evaluate ${name}`,
        kind: "evaluation" as const,
        hours: hoursOf(tokens, { ...speed, sampled: speed.evaluated ?? speed.sampled }),
        tokens,
        what: `${number(judged)} problems, ${Object.keys(evaluation.rolloutsOf).length === 0 ? `${evaluation.rollouts} rollouts each` : `${number(rollouts)} rollouts`} at temperature ${evaluation.temperature}`,
      };
    }),
  ];
}

/** Each policy, and the steps that are judged besides the last. Greedy ones cost next to nothing and are not counted. */
const judgedNames = (settings: RecipeSettings): string[] => [
  ...policiesOf(settings),
  ...Object.entries(settings.evaluation.steps).flatMap(([policy, steps]) =>
    steps === "best"
      ? [`${policy} at its best step`]
      : steps.map((step) => evaluationName(policy, { checkpoint: `${policy === "sft" ? "epoch" : "step"}-${step}` })),
  ),
];

/** Asking every kept step of a run for the best of them. */
function choosing({ settings, sets, responseTokens }: PlanInput): Omit<PlannedStage, "hours">[] {
  const { steps, best, maxTokens } = settings.evaluation;
  if (best.by === "training") return [];
  const kept = keptSteps(settings.rl).length;
  const asked = kept * sets.validation.length * best.rollouts;
  return Object.entries(steps).flatMap(([policy, wanted]) =>
    wanted !== "best"
      ? []
      : [
          {
            name: `choose ${policy}`,
            what: `${kept} kept steps, ${sets.validation.length} validation puzzles, ${best.rollouts} rollouts each`,
            tokens: { ...none, sampled: asked * Math.min(responseTokens, maxTokens) },
          },
        ],
  );
}

function rlStage({ settings, responseTokens }: PlanInput, variant: string, prompt: number) {
  const options = rlOptions(settings, variant);
  const { steps, problemsPerStep, rolloutsPerProblem, epochs, sampling, objective } = options;
  const rollouts = steps * problemsPerStep * rolloutsPerProblem;
  const sampled = rollouts * Math.min(responseTokens, sampling.maxTokens);
  const needs = objectiveNeeds(objective);
  const again = needs.noveltyTemperature !== undefined && needs.noveltyTemperature !== scoringTemperature(options);
  // Under the policy before it changes, under the reference, and under the reference at novelty's own temperature; then under the
  // policy before every update but the first.
  const first = Math.min(1, options.rolloutsPerUpdate / (problemsPerStep * rolloutsPerProblem));
  const scorings = 1 + (needs.reference ? 1 : 0) + (again ? 1 : 0) + (epochs - first);
  const whole = sampled + rollouts * prompt;
  return {
    name: variant,
    what: `${steps} steps of ${problemsPerStep} x ${rolloutsPerProblem} rollouts, each batch used ${epochs} times`,
    tokens: { sampled, scored: scorings * whole, trained: epochs * whole },
  };
}

const hoursOf = ({ sampled, scored, trained }: Tokens, speed: Speed): number =>
  (sampled / speed.sampled + scored / speed.scored + trained / speed.trained) / 3600;

const number = (value: number): string => value.toLocaleString("en-US");

/** `bridges 7x7d0: 2,240, galaxies 3x3dn: 2,240 (17 different)` */
export function byKind(problems: readonly { readonly set?: string; readonly id: string }[]): string {
  const kinds = new Map<string, string[]>();
  for (const { set = "?", id } of problems) {
    const ids = kinds.get(set);
    if (ids === undefined) kinds.set(set, [id]);
    else ids.push(id);
  }
  return [...kinds]
    .map(([set, ids]) => {
      const different = new Set(ids).size;
      return `${set}: ${number(ids.length)}${different < ids.length ? ` (${number(different)} different)` : ""}`;
    })
    .join(", ");
}
