// Progress where nobody watches: lines now and then, with the time that is left.
import { expect, it } from "vitest";
import { duration, progressLines } from "../../src/cli/progress.ts";

it("is silent for what is over soon, and then says how far it is and how long it will take", () => {
  const said: string[] = [];
  let now = 0;
  const progress = progressLines(
    "GSPO  ",
    100,
    20,
    (line) => said.push(line),
    () => now,
  );
  const at = (seconds: number, by: number) => {
    now = seconds;
    progress.advance(by);
  };
  at(5, 1);
  expect(said).toEqual([]);
  at(20, 19);
  expect(said).toEqual(["  GSPO: 40 of 100 · 60 s left"]);
  at(30, 1);
  at(49, 1);
  expect(said).toHaveLength(1);
  now = 70;
  progress.note("slow");
  expect(said[1]).toBe("  GSPO: 42 of 100 · 2 min left · slow");
  at(110, 8);
  expect(said[2]).toBe("  GSPO: 50 of 100 · 3 min left · slow");
  // What comes last is told by whoever stops.
  at(200, 50);
  expect(said).toHaveLength(3);
});

it("durations are short", () => {
  expect([0.2, 89, 100, 5_399, 5_400, 170_000, 600_000].map(duration)).toEqual([
    "1 s",
    "89 s",
    "2 min",
    "1 h 30 min",
    "1 h 30 min",
    "47 h 13 min",
    "6 d 22 h",
  ]);
});

it("counts whole megabytes", () => {
  const said: string[] = [];
  let now = 0;
  const progress = progressLines(
    "MB",
    3,
    0,
    (line) => said.push(line),
    () => now,
  );
  now = 20;
  progress.advance(1.029266);
  expect(said).toEqual(["  MB: 1 of 3 · 39 s left"]);
});
