// The reward server over real HTTP: every trainer's shape, and clients that misbehave in every way we could think of.
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { RewardServer } from "../../src/serving/index.ts";

type Sample = { readonly truth: string; readonly response: string; readonly exact: number; readonly score: number };

/** A right and a broken answer to a few puzzles of each kind; what they earn is worked out by hand. */
const samples: readonly Sample[] = puzzleNames.flatMap((name) =>
  [0, 1, 2].flatMap((draw) => {
    const puzzle = puzzleNamed(name);
    const params = puzzle.readParams(name === "undead" ? "4x4" : "5x5");
    const { instance, solution } = puzzle.generate(params, Random.from(7).child(name, draw));
    const truth = JSON.stringify({ puzzle: name, id: puzzle.writeId(instance) });
    const answer = puzzle.renderAnswer(instance, solution);
    return [
      { truth, response: `<reasoning>so</reasoning><answer>${answer}</answer>`, exact: 1, score: 2.1 },
      { truth, response: `<reasoning>so</reasoning><answer>nothing</answer>`, exact: 0, score: 0.1 },
      { truth, response: `<answer>${answer}</answer>`, exact: 1, score: 2.05 },
      { truth, response: "I give up", exact: 0, score: 0 },
    ];
  }),
);
const [right, broken] = samples;

let server: RewardServer;
beforeAll(async () => {
  server = await RewardServer.start({ port: 0, workers: 2 });
});
afterAll(() => server.drain());

const post = (path: string, body: unknown, headers: Record<string, string> = {}, to = server) =>
  fetch(`${to.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field.
const answered = async (reply: Promise<Response>): Promise<any> => {
  const response = await reply;
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
};

const refusal = async (reply: Response) => ((await reply.json()) as { readonly error: string }).error;

describe("a server without a token", () => {
  /** By hand, because fetch does not let a page lie about itself. */
  const status = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(server.url);
      const json = { "content-type": "application/json", ...headers };
      const asked = request({ host: "127.0.0.1", port, path: "/trl", method: "POST", headers: json }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("error", reject);
      asked.end(JSON.stringify({ completions: [right.response], ground_truth: [right.truth] }));
    });

  it("answers programs, also through a forwarded port", async () => {
    for (const host of [new URL(server.url).host, "localhost:1234", "[::1]:80", "127.0.0.1"])
      expect(await status({ host }), host).toBe(200);
  });

  it("does not answer to names of others, nor to pages of other sites", async () => {
    for (const host of ["evil.example", "127.0.0.1.nip.io", "localhost.evil.example:80", "192.168.0.7"])
      expect(await status({ host }), host).toBe(421);
    for (const origin of ["https://evil.example", "null", "http://localhost:1"])
      expect(await status({ origin, "content-type": "text/plain" }), origin).toBe(403);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
  });
});

describe("shapes", () => {
  it("verl: a batch, with the parts of every verdict", async () => {
    const items = samples.map(({ truth, response }) => ({ solution_str: response, ground_truth: truth }));
    const { scores } = await answered(post("/score", { items }));
    expect(scores.map(({ score }: { score: number }) => Math.round(score * 1e9) / 1e9)).toEqual(
      samples.map(({ score }) => score),
    );
    expect(scores.map(({ exact }: { exact: number }) => exact)).toEqual(samples.map(({ exact }) => exact));
    expect(scores[1]).toMatchObject({ verdict: "unreadable", completion: 0, format: 1 });
    expect(scores[1].because).not.toBe("");
  });

  it("verl: a single rollout, named by its data source", async () => {
    const { id, puzzle } = JSON.parse(right.truth);
    const score = await answered(
      post("/score", { data_source: `repertoire/${puzzle}`, solution_str: right.response, ground_truth: id }),
    );
    expect(score).toEqual({ score: 2.1, verdict: "correct", because: "", exact: 1, completion: 1, format: 1 });
  });

  it("mathematics by equivalence, sets and fractions included", async () => {
    const cases = [
      ["\\frac{1}{2}", "so $x = \\boxed{0.5}$", "correct"],
      ["\\frac{1}{2}", "so $x = 0.5$", "undecided"],
      ["{1, 2}", "\\boxed{\\{2, 1\\}}", "correct"],
      ["17", "it is \\boxed{18}", "wrong"],
      ['{"answer":"3.14","decimals":2}', "\\boxed{3.1416}", "correct"],
    ];
    const items = cases.map(([ground_truth, solution_str]) => ({ ground_truth, solution_str }));
    const { scores } = await answered(post("/score", { items }));
    expect(scores.map(({ verdict }: { verdict: string }) => verdict)).toEqual(cases.map(([, , verdict]) => verdict));
    expect(scores[0].score).toBe(1);
    expect(scores[1].score).toBe(0);
    expect(scores[3].score).toBe(0);
  });

  it("a rollout that cannot be graded has no score, and its siblings have theirs", async () => {
    const items = [
      { ground_truth: '{"puzzle":"bridges","id":"5x5:nonsense!"}', solution_str: right.response },
      { ground_truth: '{"puzzle":"sudoku","id":"9x9:"}', solution_str: right.response },
      { ground_truth: right.truth, solution_str: right.response },
    ];
    const { scores } = await answered(post("/score", { items }));
    expect(scores[0]).toMatchObject({ score: null, verdict: "failed" });
    expect(scores[1]).toMatchObject({ score: null, verdict: "failed" });
    expect(scores[2]).toMatchObject({ score: 2.1 });
  });

  it("TRL: columns, completions as text or as messages; null where there is no score", async () => {
    const reply = await answered(
      post("/trl", {
        prompts: ["a", "b", "c"],
        completions: [right.response, [{ role: "assistant", content: broken.response }], right.response],
        reward_model: [right.truth, broken.truth, '{"puzzle":"sudoku"}'].map((ground_truth) => ({ ground_truth })),
      }),
    );
    expect(reply.rewards).toEqual([2.1, 0.1, null]);
    expect(reply.scores[0].verdict).toBe("correct");
  });

  it("OpenRLHF: the response is what follows the prompt, without end tokens", async () => {
    const prompt = "<|im_start|>user\nWrite <answer>…</answer> around it.<|im_end|>\n<|im_start|>assistant\n";
    const query = [`${prompt}${right.response}<|im_end|>`, `${prompt.slice(20)}${broken.response}<|endoftext|>`];
    const reply = await answered(
      post("/get_reward", { query, prompts: [prompt, prompt], labels: [right.truth, broken.truth] }),
    );
    expect(reply.rewards).toEqual([2.1, 0.1]);
    expect(reply.extra_logs.exact).toEqual([1, 0]);
    // Python makes integers of `1`, and a tensor of integers has no mean.
    const mathematics = { query: ["ab\\boxed{3}"], prompts: ["ab"], labels: ["3"] };
    const written = await (await post("/openrlhf", mathematics)).text();
    expect(written).toContain('{"rewards":[1.0],"scores":[1.0],"extra_logs":{"exact":[1.0],"completion":[0.0]');
    expect(JSON.parse(written).verdicts[0].verdict).toBe("correct");
    expect(reply.verdicts[1].verdict).toBe("unreadable");
    const strange = await post("/openrlhf", { query: ["else"], prompts: [prompt], labels: [right.truth] });
    expect(strange.status).toBe(422);
    expect(await refusal(strange)).toContain("does not begin with its prompt");
  });

  it("pays puzzles by the reward that it was started with, in every shape", async () => {
    const puzzle = puzzleNamed("pattern");
    const { instance } = puzzle.generate(puzzle.readParams("5x5"), Random.from(7));
    const truth = JSON.stringify({ puzzle: "pattern", id: puzzle.writeId(instance) });
    // One symbol everywhere: by cells it is paid for what is empty, by classes it is worth its tags alone.
    const response = `<reasoning>so</reasoning><answer>${Array(5).fill(". . . . .").join("\n")}</answer>`;
    const balanced = await RewardServer.start({ port: 0, reward: "balanced" });
    try {
      const scored = async (to: RewardServer) => [
        (await answered(post("/score", { solution_str: response, ground_truth: truth }, {}, to))).score,
        (await answered(post("/trl", { completions: [response], ground_truth: [truth] }, {}, to))).rewards[0],
        (await answered(post("/slime", { prompt: "", response, label: truth }, {}, to))).score,
      ];
      expect(await scored(balanced)).toEqual([0.1, 0.1, 0.1]);
      const [byCells, ...others] = await scored(server);
      expect(byCells).toBeGreaterThan(0.1);
      expect(others).toEqual([byCells, byCells]);
      expect(
        await answered(post("/score", { solution_str: right.response, ground_truth: right.truth }, {}, balanced)),
      ).toMatchObject({
        score: 2.1,
      });
    } finally {
      await balanced.drain();
    }
  });

  it("health and metrics", async () => {
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: "ok", mathematics: "reward" });
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toMatch(/^repertoire_rollouts_total\{kind="puzzle",verdict="correct"\} \d+$/m);
    expect(text).toMatch(/^repertoire_request_seconds_bucket\{route="\/score",le="\+Inf"\} \d+$/m);
    expect(text).toMatch(/^repertoire_held_rollouts 0$/m);
  });
});

describe("requests that are refused", () => {
  it.each([
    ["not JSON", "/score", "{", 400],
    ["nothing", "/score", "", 400],
    ["another shape", "/score", { items: [{ solution_str: 3 }] }, 422],
    ["null", "/trl", "null", 422],
    ["columns of different lengths", "/trl", { completions: ["a", "b"], ground_truth: ["1"] }, 422],
    ["lists of different lengths", "/openrlhf", { query: ["a"], prompts: [], labels: [] }, 422],
    ["an unknown address", "/../../etc/passwd", {}, 404],
  ])("%s", async (_, path, body, status) => {
    const reply = await post(path, body);
    expect(reply.status).toBe(status);
    expect(await refusal(reply)).toBeTypeOf("string");
  });

  it("a GET where a POST is meant, and the other way round", async () => {
    expect((await fetch(`${server.url}/score`)).status).toBe(405);
    expect((await post("/metrics", {})).status).toBe(405);
  });

  it("a compressed body", async () => {
    expect((await post("/score", "{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  it("a host that others can reach, without a token", async () => {
    await expect(RewardServer.start({ host: "0.0.0.0", port: 0 })).rejects.toThrow("REPERTOIRE_TOKEN");
    await expect(RewardServer.start({ token: "short", port: 0 })).rejects.toThrow("at least 16");
  });
});

describe("a server with narrow limits", () => {
  let narrow: RewardServer;
  const token = "a-token-for-this-test";
  const bearer = { authorization: `Bearer ${token}` };
  beforeAll(async () => {
    narrow = await RewardServer.start({
      port: 0,
      token,
      maxBodyBytes: 2_000_000,
      maxHeldBytes: 12_000_000,
      maxQueuedRollouts: 100,
      bodyDeadlineMs: 400,
      readerDeadlineMs: 400,
    });
  });
  afterAll(() => narrow.drain());
  const one = { solution_str: right.response, ground_truth: right.truth };

  it("asks for its token, in a header or in the address", async () => {
    expect((await post("/score", one, {}, narrow)).status).toBe(401);
    expect((await post("/score", one, { authorization: "Bearer wrong" }, narrow)).status).toBe(401);
    expect((await fetch(`${narrow.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${narrow.url}/health`)).status).toBe(200);
    expect((await answered(post("/score", one, bearer, narrow))).score).toBe(2.1);
    expect((await answered(post(`/score?token=${token}`, one, {}, narrow))).score).toBe(2.1);
  });

  it.each([
    ["silent", ""],
    ["sending headers", "POST /score HTTP/1.1\r\nHost: x\r\n"],
    [
      "sending a body",
      `POST /score HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer.authorization}\r\nContent-Length: 900\r\n\r\n{`,
    ],
  ])("answers while more connections than it takes are %s without end", async (_, bytes) => {
    const small = await RewardServer.start({ port: 0, token, maxConnections: 20 });
    const opened: Socket[] = [];
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(small.url).port), "127.0.0.1", () =>
          socket.write(bytes, () => resolve()),
        );
        opened.push(socket.on("error", () => {}));
      });
    try {
      await Promise.all(Array.from({ length: 40 }, open));
      for (let i = 0; i < 5; i++) expect((await answered(post("/score", one, bearer, small))).score).toBe(2.1);
    } finally {
      for (const socket of opened) socket.destroy();
      await small.drain();
    }
  });

  it("refuses oversized bodies, announced or not", async () => {
    const large = "x".repeat(2_100_000);
    expect((await post("/score", large, bearer, narrow)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 42; i++) controller.enqueue(new TextEncoder().encode("x".repeat(50_000)));
        controller.close();
      },
    });
    const init = { method: "POST", body: stream, duplex: "half", headers: bearer } as RequestInit;
    expect((await fetch(`${narrow.url}/score`, init)).status).toBe(413);
  });

  it("a client that sends everything before it reads still hears why it was refused", async () => {
    // With time enough for the rest of a body, however busy the machine is.
    const patient = await RewardServer.start({ port: 0, token, maxBodyBytes: 2_000_000, maxHeldBytes: 12_000_000 });
    const told = async (headers: string, bytes: number) => {
      const { hostname, port } = new URL(patient.url);
      const socket = connect(Number(port), hostname);
      let heard = "";
      socket.on("data", (chunk) => {
        heard += chunk;
      });
      const broken = new Promise<string>((resolve) => socket.on("error", (error) => resolve(error.message)));
      const sent = new Promise<string>((resolve) => {
        socket.write(`POST /score HTTP/1.1\r\nhost: x\r\n${headers}content-length: ${bytes}\r\n\r\n`);
        socket.write(Buffer.alloc(bytes, "x"), () => resolve("sent"));
      });
      expect(await Promise.race([sent, broken])).toBe("sent");
      await until(async () => heard.includes("error"));
      // The connection can be used again.
      socket.write(`GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      await until(async () => heard.includes('"ok"'));
      return heard;
    };
    expect(await told("", 8_000_000)).toMatch(/^HTTP\/1.1 401 .*no valid token/s);
    expect(await told(`authorization: Bearer ${token}\r\n`, 30_000_000)).toMatch(
      /^HTTP\/1.1 413 .*send fewer rollouts/s,
    );
    await patient.drain();
  });

  it("counts what a body takes while it is graded, not its bytes alone", async () => {
    const head = `POST /score HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000000\r\n\r\n{`;
    const slow = await raw(narrow, head);
    await until(async () => {
      const metrics = await (await fetch(`${narrow.url}/metrics`, { headers: bearer })).text();
      return /^repertoire_held_bytes 4000000$/m.test(metrics);
    });
    slow.socket.destroy();
    await expect(RewardServer.start({ port: 0, maxBodyBytes: 100, maxHeldBytes: 300 })).rejects.toThrow("4 times");
  });

  it("refuses more rollouts than the queue holds", async () => {
    const items = Array.from({ length: 101 }, () => one);
    expect((await post("/score", { items }, bearer, narrow)).status).toBe(413);
  });

  it("gives up on bodies and headers that never come to an end", async () => {
    const unfinishedBody = await raw(
      narrow,
      `POST /score HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 50\r\n\r\n{"it`,
    );
    expect(await unfinishedBody.closed).toMatch(/^HTTP\/1.1 408 .*did not arrive within 400 ms/s);
    const unfinishedHeaders = await raw(narrow, "POST /score HTTP/1.1\r\nhost: localhost\r\nx-slow:");
    expect(await unfinishedHeaders.closed).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it("pushes back when bodies together hold too much, and recovers", async () => {
    const head = (bytes: number) =>
      `POST /score HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n\r\n{`;
    const first = await raw(narrow, head(1_900_000));
    const second = await raw(narrow, head(1_900_000));
    expect(await second.closed).toMatch(/^HTTP\/1.1 503 .*retry-after: 1/is);
    await first.closed;
    expect((await answered(post("/score", one, bearer, narrow))).score).toBe(2.1);
    const metrics = await (await fetch(`${narrow.url}/metrics`, { headers: bearer })).text();
    expect(metrics).toMatch(/^repertoire_held_bytes 0$/m);
  });

  it("hangs up on a client that does not read its replies", async () => {
    const body = JSON.stringify({ items: Array.from({ length: 100 }, () => ({ ...one, ground_truth: "{}" })) });
    const request = `POST /score HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const reader = await raw(narrow, "");
    reader.socket.pause();
    reader.socket.write(request.repeat(400));
    await until(async () => {
      const metrics = await (await fetch(`${narrow.url}/metrics`, { headers: bearer })).text();
      const asked = Number(/requests_total\{route="\/score",status="200"\} (\d+)/.exec(metrics)?.[1] ?? 0);
      return asked > 20 && /^repertoire_open_requests 1$/m.test(metrics) && /^repertoire_held_bytes 0$/m.test(metrics);
    });
    reader.socket.destroy();
    expect((await answered(post("/score", one, bearer, narrow))).score).toBe(2.1);
  });
});

describe("under load", () => {
  it("a hundred clients, singly and in batches, get the right verdict each or are told to wait", async () => {
    const busy = await RewardServer.start({ port: 0, workers: 1, maxQueuedRollouts: 60 });
    try {
      let pushedBack = 0;
      await Promise.all(
        Array.from({ length: 100 }, async (_, client) => {
          const random = Random.from(client);
          for (let request = 0; request < 3; request++) {
            const chosen = Array.from({ length: client % 2 === 0 ? 1 : 20 }, () => random.pick(samples));
            const items = chosen.map(({ truth, response }) => ({ solution_str: response, ground_truth: truth }));
            for (;;) {
              const reply = await post("/score", { items }, {}, busy);
              if (reply.status === 429) {
                expect(reply.headers.get("retry-after")).toBe("1");
                await reply.arrayBuffer();
                pushedBack++;
                await new Promise((resolve) => setTimeout(resolve, 10));
                continue;
              }
              const { scores } = await answered(Promise.resolve(reply));
              expect(scores.map(({ exact }: { exact: number }) => exact)).toEqual(chosen.map(({ exact }) => exact));
              for (const [i, { score }] of scores.entries()) expect(score).toBeCloseTo(chosen[i].score, 9);
              break;
            }
          }
        }),
      );
      expect(pushedBack).toBeGreaterThan(0);
    } finally {
      await busy.drain();
    }
  });

  it("a deadline that passes is an answer, too", async () => {
    const items = Array.from({ length: 2_000 }, (_, i) => ({
      solution_str: "\\boxed{\\sqrt{2}+\\sqrt{3}}",
      ground_truth: `\\sqrt{${i}}+\\frac{1}{3}`,
    }));
    const reply = await post("/score", { items }, { "x-deadline-ms": "5" });
    expect(reply.status).toBe(504);
    expect((await answered(post("/score", { items: items.slice(0, 2) }))).scores).toHaveLength(2);
  });

  it("draining answers what was accepted, refuses what comes after, and ends", async () => {
    const draining = await RewardServer.start({ port: 0, workers: 1 });
    const items = Array.from({ length: 3_000 }, (_, i) => samples[i % samples.length]).map(({ truth, response }) => ({
      solution_str: response,
      ground_truth: truth,
    }));
    const body = JSON.stringify({ items });
    const accepted = Array.from({ length: 4 }, () => answered(post("/score", body, {}, draining)));
    const late = await raw(draining, `POST /score HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n`);
    await until(async () => (await (await fetch(`${draining.url}/metrics`)).text()).includes("open_requests 5"));
    const drained = draining.drain();
    late.socket.write("\r\n{}");
    expect(await late.closed).toMatch(/^(HTTP\/1.1 503 .*shutting down|$)/s);
    for (const reply of await Promise.all(accepted)) {
      expect(reply.scores.map(({ exact }: { exact: number }) => exact)).toEqual(
        items.map((_, i) => samples[i % samples.length].exact),
      );
    }
    await drained;
    await expect(fetch(`${draining.url}/health`)).rejects.toThrow();
  });
});

async function raw(
  to: RewardServer,
  text: string,
): Promise<{ readonly socket: Socket; readonly closed: Promise<string> }> {
  const { hostname, port } = new URL(to.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once("connect", resolve));
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => {
    socket.on("close", () => resolve(heard));
  });
  if (text !== "") socket.write(text);
  return { socket, closed };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let wait = 0; wait < 2_000; wait++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("what was waited for did not happen within a hundred seconds");
}
