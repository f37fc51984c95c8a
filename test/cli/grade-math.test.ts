// `repertoire grade math` as programs use it: JSON lines that say which part of a response was read, and the flags.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { gradeCommand } from "../../src/cli/grade.ts";
import { repertoireReading } from "./in-process.ts";

async function gradeMath(args: readonly string[], records: readonly object[] = []) {
  const input = records.map((record) => JSON.stringify(record)).join("\n");
  const ended = await repertoireReading(input, "grade", "math", ...args);
  const lines = () =>
    ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...ended, lines };
}

describe("grade math", () => {
  it("--json says which part of the response was read, also when it makes no sense", async () => {
    const response = "<think>\\boxed{1}</think>So the answer is $2$.";
    const [stated, unreadable, none] = (
      await gradeMath(
        ["--json"],
        [
          { id: "a", gold: "2", pred: response },
          { gold: "7", pred: "$t=7$ \\boxed{\\clubsuit}" },
          { gold: "7", pred: "<think>\\boxed{7}" },
        ],
      )
    ).lines();
    expect(stated).toMatchObject({ id: "a", verdict: "equal", answer: "2", source: "answer" });
    expect(response.slice(...(stated.at as [number, number]))).toBe("$2$");
    expect(unreadable).toMatchObject({ verdict: "undecided", answer: "\\clubsuit", source: "box" });
    expect(none).toMatchObject({
      verdict: "different",
      because: "the thinking never ended",
      answer: "",
      source: "none",
    });
  });

  it("takes the options of a reward designer", async () => {
    const records = [
      { gold: "9", pred: "\\boxed{9\\%}" },
      { gold: "1, 2", pred: "\\boxed{2, 1}" },
      { gold: "5 \\text{ cm}", pred: "\\boxed{5}" },
      { gold: "100", pred: "\\boxed{99.5}" },
    ];
    const verdicts = async (...flags: string[]) =>
      (await gradeMath(["--json", ...flags], records)).lines().map(({ verdict }) => verdict);
    expect(await verdicts()).toEqual(["different", "equal", "equal", "different"]);
    expect(
      await verdicts("--percent-as-number", "--list-order", "as-written", "--units", "required", "--tolerance", "0.01"),
    ).toEqual(["equal", "different", "different", "equal"]);
    const choices = { A: "12", B: "13" };
    const [byText] = (await gradeMath(["--json"], [{ gold: "B", pred: "\\boxed{13}", choices }])).lines();
    expect(byText).toMatchObject({ verdict: "equal" });
  });

  it("refuses a tolerance that is no share, and says what was expected", async () => {
    const { stderr, status } = await gradeMath(["--tolerance", "5", "3", "3"]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("expected a share from 0 to below 1");
  });
});

describe("grade audit", () => {
  it("sets the score that the trainer recorded beside our verdicts, and takes up judgments", async () => {
    const folder = await mkdtemp(join(tmpdir(), "audit-"));
    const rollout = (id: string, response: string, score: number) =>
      JSON.stringify({ problem: id, prompt: `${id}: 1 + 1?`, response, ground_truth: "2", score });
    const rollouts = [
      rollout("paid", "The answer is \\boxed{2}.", 1),
      rollout("refused", "It is 1 + 1 = \\boxed{2}.", 0),
      rollout("denied", "We can rule out \\boxed{2}.", 1),
    ];
    await writeFile(join(folder, "rollouts.jsonl"), rollouts.join("\n"));
    const said = vi.spyOn(console, "log").mockImplementation(() => {});
    const audit = async () => {
      const out = ["audit", join(folder, "rollouts.jsonl"), "--out", folder, "--json"];
      await gradeCommand().parseAsync(out, { from: "user" });
      return JSON.parse(said.mock.calls.at(-1)![0] as string);
    };
    try {
      const first = await audit();
      const of = (verifier: string, { standings }: typeof first) =>
        standings.find((one: { verifier: string }) => one.verifier === verifier);
      expect([first.rollouts, first.disagreements]).toEqual([3, 2]);
      expect(of("trainer", first).paid).toBe(2);
      expect(of("ours, reward", first)).toMatchObject({ paid: 2, undecided: 1 });
      const cases = await readFile(join(folder, "verdicts.jsonl"), "utf8");
      const ids = Object.fromEntries(
        cases
          .trim()
          .split("\n")
          .map((line) => [JSON.parse(line).problem.split(":")[0], JSON.parse(line).id]),
      );
      const settled = [
        { span: ids.refused, label: "right" },
        { span: ids.denied, label: "wrong" },
      ];
      await writeFile(join(folder, "settled.jsonl"), settled.map((one) => `${JSON.stringify(one)}\n`).join(""));
      const second = await audit();
      expect(second.judged).toBe(2);
      expect(of("trainer", second)).toMatchObject({
        paidWrongly: { count: 1, of: 1 },
        refusedWrongly: { count: 1, of: 1 },
      });
      expect(of("ours, reward", second)).toMatchObject({ paidWrongly: { count: 0 }, refusedWrongly: { count: 0 } });
    } finally {
      said.mockRestore();
      await rm(folder, { recursive: true });
    }
  });
});
