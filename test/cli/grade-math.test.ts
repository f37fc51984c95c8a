// `repertoire grade math` as programs use it: JSON lines that say which part of a response was read, and the flags.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");

function gradeMath(args: readonly string[], records: readonly object[] = []) {
  const input = records.map((record) => JSON.stringify(record)).join("\n");
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, "grade", "math", ...args], {
    input,
    encoding: "utf8",
  });
  const lines = () =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { stdout, stderr, status, lines };
}

describe("grade math", () => {
  it("--json says which part of the response was read, also when it makes no sense", () => {
    const response = "<think>\\boxed{1}</think>So the answer is $2$.";
    const [stated, unreadable, none] = gradeMath(
      ["--json"],
      [
        { id: "a", gold: "2", pred: response },
        { gold: "7", pred: "$t=7$ \\boxed{\\clubsuit}" },
        { gold: "7", pred: "<think>\\boxed{7}" },
      ],
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

  it("takes the options of a reward designer", () => {
    const records = [
      { gold: "9", pred: "\\boxed{9\\%}" },
      { gold: "1, 2", pred: "\\boxed{2, 1}" },
      { gold: "5 \\text{ cm}", pred: "\\boxed{5}" },
      { gold: "100", pred: "\\boxed{99.5}" },
    ];
    const verdicts = (...flags: string[]) =>
      gradeMath(["--json", ...flags], records)
        .lines()
        .map(({ verdict }) => verdict);
    expect(verdicts()).toEqual(["different", "equal", "equal", "different"]);
    expect(
      verdicts("--percent-as-number", "--list-order", "as-written", "--units", "required", "--tolerance", "0.01"),
    ).toEqual(["equal", "different", "different", "equal"]);
    const choices = { A: "12", B: "13" };
    const [byText] = gradeMath(["--json"], [{ gold: "B", pred: "\\boxed{13}", choices }]).lines();
    expect(byText).toMatchObject({ verdict: "equal" });
  });

  it("refuses a tolerance that is no share, and says what was expected", () => {
    const { stderr, status } = gradeMath(["--tolerance", "5", "3", "3"]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("expected a share from 0 to below 1");
  });
});
