// `repertoire serve rewards`: rollouts scored for any trainer.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Command } from "commander";
import { ConfigurationError } from "../base/errors.ts";
import { gradingModes } from "../grading/math/options.ts";
import { recordedGrader } from "../rollouts/own-grader.ts";
import { Recording, RewardServer, type RewardServerOptions, rewardServerOptionsSchema } from "../serving/index.ts";
import { count, port, readPrice } from "./arguments.ts";
import { commandText } from "./command-text.ts";
import { choice, type FlagValues, flag, withFlags } from "./flags.ts";
import { stopAsked } from "./interruption.ts";
import { puzzleRewardFlag } from "./puzzle-flags.ts";
import { judgeEndpoint } from "./traces-options.ts";

const defaults = rewardServerOptionsSchema.parse({});

const rewardsFlags = [
  flag("--host <address>", "address to listen on; a token is required unless it is this machine", defaults.host),
  flag("--port <number>", "0 picks a free port", port, defaults.port),
  flag("--token <text>", "token that clients must send; safer in REPERTOIRE_TOKEN, where other users cannot see it"),
  flag("--token-file <path>", "a file that holds the token"),
  flag("--workers <count>", "grading threads", count, Math.max(1, availableParallelism() - 1)),
  puzzleRewardFlag,
  flag("--grader <module or url>", "your own grader, for exported questions that have one: ./grade.mjs or http://…"),
  flag("--record <folder>", "write every prompt, response and grade there, as a run; the same folder goes on"),
  flag(
    "--rollouts-per-step <n>",
    "with --record: how many rollouts the trainer grades in a step (prompts times samples), so that the record has steps",
    count,
  ),
  choice(
    "--grading <mode>",
    "how mathematics is graded: reward pays only plain statements, evaluation reads generously",
    gradingModes,
    defaults.grading,
  ),
  flag(
    "--cascade <model@url>",
    "a language model that is asked about every answer of mathematics that is not equal by rule; append #NAME for the variable with its key",
    judgeEndpoint,
  ),
  flag("--price <prompt,completion>", "of the model of --cascade, per million tokens, for /metrics", readPrice),
  flag("--deadline <seconds>", "time limit for grading a request", count, defaults.deadlineMs / 1000),
  flag(
    "--queue <rollouts>",
    "how many rollouts may be queued before clients are asked to wait",
    count,
    defaults.maxQueuedRollouts,
  ),
  flag("--body-megabytes <count>", "the largest request", count, defaults.maxBodyBytes / 2 ** 20),
  flag(
    "--memory-megabytes <count>",
    "memory for all requests together; a request takes four times its size",
    count,
    defaults.maxHeldBytes / 2 ** 20,
  ),
];

type Flags = FlagValues<typeof rewardsFlags>;

export function rewardsCommand(): Command {
  return withFlags(new Command("rewards"), rewardsFlags)
    .description("score puzzle and mathematics rollouts over HTTP, in the formats of verl, TRL, OpenRLHF and slime")
    .addHelpText(
      "after",
      `
Addresses:
  POST /score        {"items":[{"solution_str","ground_truth","data_source"?}]}, or one item    (verl)
  POST /trl          {"completions":[…],"ground_truth":[…]}                                     (TRL)
  POST /openrlhf     {"query":[…],"prompts":[…],"labels":[…]}; also /get_reward                 (OpenRLHF)
  POST /slime        {"prompt","response","label"}                                              (slime)
  POST /puzzles/make         {"kinds": ["bridges=7x7,easy*3"], "count": 100, "seed": 1}: puzzles as "puzzles generate" makes them
  POST /puzzles/verify       {"items": [{"id": …, "response": …}]}: verdicts with every broken rule
  GET  /health, /metrics

Examples:
  repertoire serve rewards --port 8123
  repertoire serve rewards --reward balanced
  repertoire serve rewards --cascade judge-1@http://localhost:8000/v1
  repertoire serve rewards --record runs/openrlhf --rollouts-per-step 1024      and, beside it, live curves:
  repertoire traces analyze runs/openrlhf --follow --out runs/openrlhf-traces
  REPERTOIRE_TOKEN=$(openssl rand -hex 16) repertoire serve rewards --host 0.0.0.0`,
    )
    .action(async (flags: Flags) => {
      const { record, rolloutsPerStep, reward } = flags;
      const grader = flags.grader === undefined ? undefined : recordedGrader(flags.grader);
      if (record === undefined && rolloutsPerStep !== undefined)
        throw new ConfigurationError("--rollouts-per-step counts the steps of a record; give --record <folder>, too");
      const options = { ...serverOptions(flags), grader };
      const recording =
        record === undefined
          ? undefined
          : await Recording.open({ folder: record, rolloutsPerStep, reward, grader, command: commandText() });
      const server = await RewardServer.start(options, recording).catch(async (error: unknown) => {
        await recording?.close();
        throw error;
      });
      if (record !== undefined)
        console.error(
          `recording what is graded in ${record}${recording!.size > 0 ? `, which has ${recording!.size} rollouts already` : ""}`,
        );
      console.error(
        `scoring rollouts on ${server.url} with ${flags.workers} worker threads, mathematics in ${flags.grading} mode; Ctrl-C drains and stops`,
      );
      await stopAsked();
      console.error("draining: answering accepted requests");
      await server.drain();
    });
}

function serverOptions(flags: Flags): Partial<RewardServerOptions> {
  const { host, port, workers, reward, grading, cascade, price, deadline, queue, bodyMegabytes, memoryMegabytes } =
    flags;
  const options = {
    host,
    port,
    workers,
    reward,
    grading,
    judge: cascade && { ...cascade, price },
    deadlineMs: deadline * 1000,
    maxQueuedRollouts: queue,
    maxBodyBytes: bodyMegabytes * 2 ** 20,
    maxHeldBytes: memoryMegabytes * 2 ** 20,
    token: tokenOf(flags),
  };
  const checked = rewardServerOptionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [{ path, message }] = checked.error.issues;
  throw new ConfigurationError(`${path.join(".")}: ${message}`);
}

function tokenOf({ token, tokenFile }: Flags): string | undefined {
  if (tokenFile === undefined) return token ?? (process.env.REPERTOIRE_TOKEN || undefined);
  try {
    return readFileSync(tokenFile, "utf8").trim();
  } catch (error) {
    throw new ConfigurationError(`--token-file ${tokenFile} cannot be read: ${(error as Error).message}`);
  }
}
