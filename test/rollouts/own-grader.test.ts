// Graders that users bring, as modules and over HTTP, and the problems that name them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { QuestionProblem } from "../../src/problems/problem.ts";
import { ownGrade, recordedGrader } from "../../src/rollouts/own-grader.ts";
import { ProblemGraders } from "../../src/rollouts/problem-grading.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-graders-"));
afterAll(() => rmSync(root, { recursive: true }));
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => void server.close()));

function written(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return join(root, name);
}

async function serving(answer: (question: Record<string, unknown>, reply: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request: IncomingMessage, reply) => {
    let body = "";
    for await (const part of request) body += part;
    answer({ ...JSON.parse(body), authorization: request.headers.authorization }, reply);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/grade`;
}

const question = (grader: string): QuestionProblem => ({
  kind: "question",
  id: "code/1",
  set: "code",
  prompt: "Say the word.",
  grader,
  answer: "sesame",
  data: { word: "sesame", level: 3 },
});

async function graded(grader: string, response: string, weights?: ConstructorParameters<typeof ProblemGraders>[0]) {
  const graders = new ProblemGraders(weights);
  try {
    return await graders.of(question(grader))(response);
  } finally {
    await graders.close();
  }
}

describe("a module", () => {
  it("gets the question, the row and the response, and its reward is the reward", async () => {
    const module = written(
      "word.mjs",
      `export async function grade({ id, prompt, response, answer, data }) {
        const said = response.includes(data.word) && answer === data.word && prompt.startsWith("Say") && id === "code/1";
        return { correct: said, reward: said ? 0.25 * data.level : -0.5, because: said ? "" : "not said", answer: response };
      }`,
    );
    expect(await graded(module, "open sesame")).toEqual({
      verdict: "correct",
      answer: "open sesame",
      reward: { exact: 1, total: 0.75 },
    });
    expect(await graded(module, "open")).toMatchObject({
      verdict: "wrong",
      because: "not said",
      reward: { exact: 0, total: -0.5 },
    });
  });

  it("that says right or wrong only is paid as an exact answer is", async () => {
    const module = written("boolean.mjs", "export default ({ response }) => response === 'yes'");
    const { paperReward } = await import("../../src/grading/reward.ts");
    expect((await graded(module, "yes", { weights: { ...paperReward, exact: 3 } })).reward).toEqual({
      exact: 1,
      total: 3,
    });
    expect((await graded(module, "no", { weights: { ...paperReward, exact: 3 } })).reward).toEqual({
      exact: 0,
      total: 0,
    });
  });

  it("that is missing, exports nothing, throws or says nonsense is named", async () => {
    await expect(graded(join(root, "none.mjs"), "")).rejects.toThrow(/none\.mjs: there is no such file/);
    await expect(graded(written("empty.mjs", "export const a = 1"), "")).rejects.toThrow(
      /exports no function called grade/,
    );
    await expect(graded(written("broken.mjs", "export default ("), "")).rejects.toThrow(/broken\.mjs cannot be loaded/);
    const throwing = written("throwing.mjs", "export default () => { throw new Error('out of paper') }");
    await expect(graded(throwing, "")).rejects.toThrow(/failed on code\/1: out of paper; mend it/);
    const vague = written("vague.mjs", "export default () => ({ because: 'who knows' })");
    await expect(graded(vague, "")).rejects.toThrow(/returned \{"because":"who knows"\}; expected true, false/);
  });
});

describe("a service", () => {
  it("is sent JSON and answers with any of the forms", async () => {
    const replies: unknown[] = [{ score: 1.5, verdict: "correct", because: "" }, true, 0.4, { verdict: "undecided" }];
    const asked: Record<string, unknown>[] = [];
    const url = await serving((question, reply) => {
      asked.push(question);
      reply.end(JSON.stringify(replies[asked.length - 1]));
    });
    const said = [];
    for (const _ of replies) said.push(await graded(url, "hm"));
    expect(said.map(({ verdict, reward }) => [verdict, reward.total])).toEqual([
      ["correct", 1.5],
      ["correct", 1],
      ["wrong", 0.4],
      ["undecided", 0],
    ]);
    expect(asked[0]).toMatchObject({ id: "code/1", response: "hm", answer: "sesame", data: { level: 3 } });
  });

  it("is asked again when it breaks, and stops the run when it refuses", async () => {
    let calls = 0;
    const flaky = await serving((_, reply) => {
      calls += 1;
      if (calls === 1) reply.writeHead(503).end("busy");
      else reply.end("true");
    });
    expect((await graded(flaky, "x")).verdict).toBe("correct");
    expect(calls).toBe(2);
    const refusing = await serving((_, reply) => void reply.writeHead(422).end('{"error":"no such field"}'));
    await expect(graded(refusing, "x")).rejects.toThrow(/the server answered 422: no such field; mend it/);
    const chatty = await serving((_, reply) => void reply.end("fine"));
    await expect(graded(chatty, "x")).rejects.toThrow(/not JSON: fine/);
  });

  it("with a secret in its address is refused, for the address is written down", () => {
    expect(() => recordedGrader("http://u:hunter2@host/grade")).toThrow(/REPERTOIRE_GRADER_KEY/);
    expect(() => recordedGrader("http://u:hunter2@host/grade")).not.toThrow(/hunter2/);
    expect(() => recordedGrader("http://host/grade?key=sesame")).toThrow(/^(?!.*sesame)/);
    expect(recordedGrader("http://host/grade")).toBe("http://host/grade");
  });
});

it("a reply is read by its own word before its number", () => {
  expect(ownGrade({ correct: false, reward: 7 }, "g")).toEqual({ verdict: "wrong", reward: 7 });
  expect(ownGrade({ reward: 1 }, "g").verdict).toBe("correct");
  expect(ownGrade({ verdict: "unreadable", reward: 0 }, "g").verdict).toBe("unreadable");
  expect(() => ownGrade({ score: null }, "g")).toThrow(/g returned/);
  expect(() => ownGrade(Number.NaN, "g")).toThrow(/g returned/);
});
