// Puzzles over HTTP: the same ones as the command line makes and verdicts with every broken rule.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { catalog } from "../../src/puzzles/catalog.ts";
import type { AnyPuzzle } from "../../src/puzzles/puzzle.ts";
import { RewardServer } from "../../src/serving/index.ts";
import { repertoire } from "../cli/in-process.ts";

let server: RewardServer;
beforeAll(async () => {
  server = await RewardServer.start({ port: 0, workers: 1, deadlineMs: 30_000 });
});
afterAll(() => server.drain());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field.
const replied = async (path: string, body: unknown): Promise<any> => (await post(path, body)).json();

const kinds = ["pattern=5x5,easy*2", "undead=4x4,easy"];

it("makes the puzzles that the command line makes with the same seed, and parts of them", async () => {
  const { rows } = await replied("/puzzles/make", { kinds, count: 12, seed: "s", split: "train" });
  const mix = kinds.flatMap((kind) => ["--mix", kind]);
  const flags = ["--count", "12", "--seed", "s", "--split", "train", "--json"];
  const { stdout } = await repertoire("puzzles", "generate", ...mix, ...flags);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows.map(({ id }: { id: string }) => id)).toEqual(lines.map(({ id }) => id));
  expect(rows[0]).toMatchObject({ ability: "puzzle", rating: expect.any(Number), reward_model: { style: "rule" } });
  const part = await replied("/puzzles/make", { kinds, count: 3, from: 5, seed: "s", split: "train" });
  expect(part.rows).toEqual(rows.slice(5, 8));
});

it("plays every puzzle cell by cell: a board hears what it breaks once it is complete, and nothing of the solution before", async () => {
  for (const puzzle of Object.values(catalog) as AnyPuzzle[]) {
    const { instance, solution } = puzzle.generate(puzzle.readParams(puzzle.usual.play), Random.from("moves"));
    const { width } = puzzle.size(instance);
    const { playing } = puzzle;
    const start = playing.start(instance);
    const moves = puzzle.answerCells(instance, solution).flatMap((symbol, cell) => {
      if (symbol === start[cell] || playing.fixed(instance, cell)) return [];
      return [{ row: Math.floor(cell / width) + 1, column: (cell % width) + 1, symbol }];
    });
    const asked = (given: object[]) => ({ id: puzzle.writeId(instance), puzzle: puzzle.name, moves: given });
    const { verdicts } = await replied("/puzzles/verify", {
      items: [
        asked(moves),
        asked(moves.slice(0, 2)),
        asked([...moves.slice(0, 1), { ...moves[0], symbol: "" }]),
        asked([{ row: 1, column: width + 1, symbol: "#" }]),
        asked([{ ...moves[0], symbol: "%" }]),
      ],
    });
    const [solved, begun, cleared, outside, nonsense] = verdicts;
    expect(solved, puzzle.name).toMatchObject({ verdict: "correct", because: null, violations: [] });
    expect(begun, puzzle.name).toMatchObject({ verdict: "unfinished", violations: [] });
    expect(cleared.board).toBe(puzzle.renderAnswer(instance, playing.board(instance, start)));
    expect(outside.error).toMatch(/is not on the board/);
    expect(nonsense.error).toMatch(/cannot hold "%"/);
  }
});

it("verifies, and one bad item takes no other with it", async () => {
  const { rows } = await replied("/puzzles/make", { kinds: ["pattern=5x5"], count: 1 });
  const [{ id, puzzle, solution }] = rows;
  const wrong = solution.split("\n").toReversed().join("\n");
  const { verdicts } = await replied("/puzzles/verify", {
    items: [
      { id, puzzle, response: `<reasoning>r</reasoning><answer>${solution}</answer>` },
      { id, puzzle, answer: wrong },
      { id: "5x5:nonsense", puzzle, answer: wrong },
      { id, puzzle, answer: null },
      { id, puzzle, answer: solution, response: wrong },
      { id, puzzle },
    ],
  });
  expect(verdicts[0]).toMatchObject({ verdict: "correct", reward: 2.1 });
  expect(verdicts[1]).toMatchObject({
    verdict: "wrong",
    violations: expect.arrayContaining([expect.objectContaining({ rule: "row" })]),
  });
  expect(verdicts[2]).toMatchObject({ id: "5x5:nonsense", error: expect.any(String) });
  expect(verdicts[3].error).toContain("answer: Invalid input: expected string, received null");
  for (const at of [4, 5]) expect(verdicts[at].error).toContain("exactly one of answer, response, turns");
});

it("refuses what it cannot do, with the reason", async () => {
  const refused = async (path: string, body: unknown) => {
    const reply = await post(path, body);
    return [reply.status, ((await reply.json()) as { error: string }).error] as const;
  };
  expect(await refused("/puzzles/make", { kinds: ["brigdes=7x7"], count: 1 })).toEqual([
    422,
    expect.stringContaining("unknown puzzle"),
  ]);
  expect(await refused("/puzzles/make", { kinds: ["pattern=3x3,hard"], count: 1 })).toEqual([
    422,
    expect.stringContaining("no tricky puzzle"),
  ]);
  expect(await refused("/puzzles/make", { kinds, count: 0 })).toEqual([422, expect.stringContaining("count")]);
});

it("a deadline is one for the whole request, also for those that wait, and the next is answered", async () => {
  // Boards that take seconds each to make or to solve, by the dozen: without an end to all of it this would take minutes.
  const id = `220x220:${Array(440).fill("1").join("/")}`;
  const answer = Array(220).fill(Array(220).fill(".").join(" ")).join("\n");
  const items = Array.from({ length: 10 }, () => ({ id, puzzle: "pattern", answer }));
  const soon = { "x-deadline-ms": "300" };
  const started = performance.now();
  const replies = await Promise.all([
    post("/puzzles/verify", { items }, soon),
    post("/puzzles/make", { kinds: ["pattern=200x200,easy"], count: 100 }, soon),
    post("/puzzles/make", { kinds: ["pattern=200x200,easy"], count: 100 }, soon),
  ]);
  for (const reply of replies) {
    expect(reply.status).toBe(504);
    expect(((await reply.json()) as { error: string }).error).toContain("not done within 300 ms");
  }
  expect(performance.now() - started).toBeLessThan(30_000);
  expect((await replied("/puzzles/make", { kinds: ["pattern=4x4"], count: 1 })).rows).toHaveLength(1);
});
