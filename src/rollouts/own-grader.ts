// Graders that users bring: a module of theirs in this process, or a service of theirs over HTTP. Both get the same question
// and give the same reply. A grader that fails stops the run where it can go on: a reward that nobody gave must not train.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import PQueue from "p-queue";
import { Agent, request } from "undici";
import { z } from "zod";
import { ConfigurationError, DataError, messageOf, RemoteServiceError } from "../base/errors.ts";
import { hopelessLookup, rememberHost } from "../base/http/host-lookup.ts";
import { plainAddress, withoutSecrets } from "../base/secrets.ts";
import { type Asked, failureOfStatus, persist } from "../endpoints/failures.ts";
import type { QuestionProblem } from "../problems/problem.ts";
import { type Grade, verdictNameSchema } from "./rollout.ts";

/** What a grader is told. */
export type GraderQuestion = {
  readonly id: string;
  readonly prompt: string;
  readonly response: string;
  /** The gold answer, where the file has one. */
  readonly answer?: string;
  /** The row that the question came from. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** Sent as a bearer token where it is set. */
const keyVariable = "REPERTOIRE_GRADER_KEY";

/** Longer answers are cut in records: nobody votes with a page. */
export const longestRecordedAnswer = 500;

const finite = z.number().refine(Number.isFinite);

/** What it may say: right or wrong, a number (1 and more is right), or a record. */
const graderReplySchema = z.union([
  z.boolean(),
  finite,
  z
    .object({
      correct: z.boolean().optional(),
      verdict: verdictNameSchema.optional(),
      /** What the objective is given; without one, the recipe's reward for an exact answer. */
      reward: finite.optional(),
      /** The same, as reward servers call it. */
      score: finite.optional(),
      answer: z.string().nullish(),
      because: z.string().nullish(),
    })
    .refine((said) => (said.correct ?? said.verdict ?? said.reward ?? said.score) !== undefined),
]);
export type GraderReply = z.infer<typeof graderReplySchema>;

type OwnGrade = Omit<Grade, "reward"> & { readonly reward?: number };
type AskGrader = (question: GraderQuestion) => unknown;

export class OwnGraders {
  readonly #loaded = new Map<string, Promise<AskGrader>>();
  #agent: Agent | undefined;

  async prepare(grader: string): Promise<void> {
    await this.#open(grader);
  }

  async grade({ id, prompt, answer, data = {}, grader }: QuestionProblem, response: string): Promise<OwnGrade> {
    const ask = await this.#open(grader);
    let said: unknown;
    try {
      said = await ask({ id, prompt, response, ...(answer !== undefined && { answer }), data });
    } catch (error) {
      if (error instanceof RemoteServiceError) throw error;
      throw new DataError(`the grader ${grader} failed on ${id}: ${messageOf(error)}; mend it and run the same again`);
    }
    return ownGrade(said, `the grader ${grader} on ${id}`);
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  #open(grader: string): Promise<AskGrader> {
    let opened = this.#loaded.get(grader);
    if (opened === undefined) {
      opened = isAddress(grader)
        ? Promise.resolve(overHttp(grader, (this.#agent ??= connections())))
        : moduleGrader(grader);
      this.#loaded.set(grader, opened);
    }
    return opened;
  }
}

/** Where a grader thinks for minutes, undici would give up before our own deadline. */
const connections = () => new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });

const isAddress = (grader: string): boolean => /^https?:\/\//.test(grader);

/** As it is recorded: a module by its whole path, so that the run can be graded again from elsewhere. */
export function recordedGrader(grader: string): string {
  if (!isAddress(grader)) return resolve(grader);
  if (!URL.canParse(grader)) throw new ConfigurationError(`--grader ${withoutSecrets(grader)}: not an address`);
  return plainAddress(grader, "--grader", `the address is written into the run; give a key in ${keyVariable}`);
}

export function ownGrade(said: unknown, who: string): OwnGrade {
  const read = graderReplySchema.safeParse(said);
  if (!read.success) {
    const given = JSON.stringify(said)?.slice(0, 120) ?? String(said);
    throw new DataError(
      `${who} returned ${given}; expected true, false, a number, or {"correct", "reward", "because"}`,
    );
  }
  const { correct, verdict, answer, because, ...paid } = recordOf(read.data);
  const reward = paid.reward ?? paid.score;
  const right = correct ?? (reward !== undefined && reward >= 1);
  return {
    verdict: verdict ?? (right ? "correct" : "wrong"),
    ...(because && { because }),
    ...(answer && { answer: answer.slice(0, longestRecordedAnswer) }),
    ...(reward !== undefined && { reward }),
  };
}

function recordOf(reply: GraderReply): Exclude<GraderReply, boolean | number> {
  if (typeof reply === "boolean") return { correct: reply };
  return typeof reply === "number" ? { reward: reply } : reply;
}

async function moduleGrader(path: string): Promise<AskGrader> {
  const whole = resolve(path);
  if (!existsSync(whole)) throw new ConfigurationError(`--grader ${path}: there is no such file`);
  let exported: { default?: unknown; grade?: unknown };
  try {
    exported = await import(pathToFileURL(whole).href);
  } catch (error) {
    throw new ConfigurationError(`--grader ${path} cannot be loaded: ${messageOf(error)}`);
  }
  const grade = exported.grade ?? exported.default;
  if (typeof grade !== "function")
    throw new ConfigurationError(`--grader ${path} exports no function called grade, nor one by default`);
  return (question) => grade(question);
}

const requestsAtOnce = 16;
const tries = 6;
const deadlineSeconds = 300;

function overHttp(address: string, dispatcher: Agent): AskGrader {
  const queue = new PQueue({ concurrency: requestsAtOnce });
  return (question) =>
    queue.add(async () => {
      const { asked } = await persist(
        (waited) => post(address, JSON.stringify(question), dispatcher, waited),
        (_, failures) => (failures < tries ? 0.25 * 2 ** failures : undefined),
      );
      if ("reply" in asked) return asked.reply;
      throw new RemoteServiceError(`the grader ${address}: ${asked.failure.message}; mend it and run the same again`);
    });
}

async function post(address: string, body: string, dispatcher: Agent, waitedSeconds: number): Promise<Asked<unknown>> {
  const key = process.env[keyVariable];
  try {
    const reply = await request(address, {
      ...{ method: "POST", body, dispatcher },
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      signal: AbortSignal.timeout(1000 * deadlineSeconds),
    });
    rememberHost(address);
    const text = await reply.body.text();
    if (reply.statusCode >= 300) return { failure: failureOfStatus(reply.statusCode, text, reply.headers) };
    return jsonReply(text);
  } catch (error) {
    const hopeless = hopelessLookup(error, waitedSeconds);
    return { failure: { kind: hopeless === undefined ? "broken" : "hopeless", message: hopeless ?? messageOf(error) } };
  }
}

function jsonReply(text: string): Asked<unknown> {
  try {
    return { reply: JSON.parse(text) };
  } catch {
    const message = `it answered with text that is not JSON: ${text.slice(0, 120)}`;
    return { failure: { kind: "rejected", message } };
  }
}
