// The verifier court's table, and the cascade: our `equal` is final, a judge is asked about the rest, once a pair.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointSchema } from "../../src/endpoints/index.ts";
import { AnswerJudge } from "../../src/rollouts/answer-judge.ts";
import { ProblemGraders } from "../../src/rollouts/problem-grading.ts";
import { type CourtCase, divided, standings } from "../../src/rollouts/verifier-court.ts";

describe("standings", () => {
  const one = (id: string, a: "right" | "wrong" | "undecided", b?: "right" | "wrong"): CourtCase => ({
    id,
    problem: id,
    gold: "1",
    response: "1",
    because: "",
    verdicts: { a, ...(b !== undefined && { b }) },
  });
  const cases = [
    one("1", "right", "wrong"),
    one("2", "wrong", "right"),
    one("3", "right", "right"),
    one("4", "undecided", "right"),
    one("5", "wrong"),
  ];

  it("counts who is wrong among what was disputed and judged", () => {
    expect(cases.filter(divided).map(({ id }) => id)).toEqual(["1", "2", "4"]);
    const [a, b] = standings(
      cases,
      new Map([
        ["1", true],
        ["2", false],
        ["3", false],
        ["4", true],
      ]),
    );
    expect(a).toMatchObject({ verifier: "a", graded: 5, paid: 2, undecided: 1 });
    expect(a.paidWrongly).toMatchObject({ count: 0, of: 1 });
    expect(a.refusedWrongly).toMatchObject({ count: 1, of: 2 });
    expect(b.graded).toBe(4);
    expect(b.paidWrongly).toMatchObject({ count: 1, of: 1 });
    expect(b.refusedWrongly).toMatchObject({ count: 1, of: 2 });
  });

  it("says nothing where nothing was judged", () => {
    expect(standings(cases, new Map())[0].paidWrongly).toMatchObject({ of: 0, low: 0, high: 1 });
  });
});

describe("the cascade", () => {
  let server: Server;
  const asked: string[] = [];
  let reply = "RIGHT";
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (text) => (body += text));
      request.on("end", () => {
        asked.push(body);
        response.setHeader("content-type", "application/json");
        const message = { role: "assistant", content: reply };
        const usage = { prompt_tokens: 1_000, completion_tokens: 500 };
        response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }], usage }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const judgeOf = () =>
    new AnswerJudge(
      endpointSchema.parse({
        model: "judge",
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        price: { prompt: 1, completion: 2 },
      }),
    );

  it("asks about what is not equal by rule, and about the same pair once", async () => {
    const judge = judgeOf();
    const graders = new ProblemGraders({ mode: "reward", judge });
    const graded = ({ gold, response }: { gold: string; response: string }) =>
      graders.of({ kind: "mathematics", id: "asked", prompt: "", answer: gold })(response);
    try {
      asked.length = 0;
      reply = "RIGHT";
      expect((await graded({ gold: "7", response: "\\boxed{7}" })).verdict).toBe("correct");
      expect((await graded({ gold: "7", response: "" })).verdict).toBe("unreadable");
      expect(asked).toEqual([]);
      const open = { gold: "7", response: "I am fairly sure that it is \\boxed{7}, as one sees" };
      expect(await graded(open)).toMatchObject({
        verdict: "correct",
        because: expect.stringContaining("the judge"),
      });
      expect((await graded(open)).verdict).toBe("correct");
      expect(judge.counts).toMatchObject({ calls: 1, cached: 1, failed: 0 });
      expect(judge.counts.cost).toBeCloseTo(0.002, 10);
      reply = "WRONG";
      expect((await graded({ gold: "8", response: "\\boxed{7}" })).verdict).toBe("wrong");
      reply = "RIGHT or WRONG";
      expect((await graded({ gold: "9", response: "so maybe 9?" })).verdict).not.toBe("correct");
    } finally {
      await Promise.all([graders.close(), judge.close()]);
    }
  });

  it("goes on without a judge that takes too long, and keeps what it says in the end", async () => {
    let arrived: (answer: () => void) => void = () => {};
    const asked = new Promise<() => void>((resolve) => (arrived = resolve));
    const slow = createServer((_, response) => {
      const message = { role: "assistant", content: "RIGHT" };
      response.setHeader("content-type", "application/json");
      arrived(() => response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] })));
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`;
    const judge = new AnswerJudge(endpointSchema.parse({ model: "judge", url }), undefined, 50);
    try {
      expect(await judge.judge("7", "it is 7")).toBe("undecided");
      (await asked)();
      let said = await judge.judge("7", "it is 7");
      while (said === "undecided") said = await judge.judge("7", "it is 7");
      expect(said).toBe("right");
      expect(judge.counts.calls).toBe(1);
    } finally {
      await judge.close();
      await new Promise((resolve) => slow.close(resolve));
    }
  });

  it("shows the judge nothing that was only thought", async () => {
    const judge = judgeOf();
    asked.length = 0;
    reply = "WRONG";
    await judge.judge("7", "<think>secretly 7</think>It is 8.");
    expect(asked[0]).toContain("It is 8.");
    expect(asked[0]).not.toContain("secretly");
    await judge.close();
  });
});
