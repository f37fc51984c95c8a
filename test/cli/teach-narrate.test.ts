// `teach narrate`, stopped and started again: with the same settings it goes on, with others it is refused.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { teachCommand } from "../../src/cli/teach.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { canonicalId } from "../../src/puzzles/puzzle.ts";
import { stageOf } from "../../src/puzzles/splits.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-narrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const narrate = (out: string, ...flags: string[]) =>
  teachCommand()
    .exitOverride()
    .parseAsync(["narrate", "--puzzle", "undead=4x4de", "--count", "4", "--out", out, ...flags], { from: "user" });

it("goes on with the same stories and refuses to mix in others", async () => {
  const whole = join(folder, "whole.jsonl");
  await narrate(whole);
  const lines = readFileSync(whole, "utf8");
  expect(existsSync(`${whole}.unfinished.json`)).toBe(false);
  const undead = puzzleNamed("undead");
  for (const line of lines.trim().split("\n"))
    expect(stageOf(canonicalId(undead, undead.readId(JSON.parse(line).instance)))).toBe("teaching");

  const stopped = join(folder, "stopped.jsonl");
  const options = {
    style: "prose",
    guessing: 0.5,
    errorRate: 0.02,
    maxTokens: 28_000,
    seed: "1",
    puzzle: ["undead=4x4de"],
  };
  writeFileSync(`${stopped}.unfinished.json`, JSON.stringify(options));
  writeFileSync(`${stopped}.unfinished.jsonl`, `${lines.split("\n").slice(0, 2).join("\n")}\n`);
  await expect(narrate(stopped, "--seed", "2")).rejects.toThrow(/started with other settings \(seed was "1"\)/);
  await expect(narrate(stopped, "--style", "plain")).rejects.toThrow(/style was "prose"/);
  writeFileSync(`${stopped}.unfinished.json`, '{"style":');
  await expect(narrate(stopped)).rejects.toThrow(/unfinished\.json cannot be read/);
  writeFileSync(`${stopped}.unfinished.json`, JSON.stringify(options));
  await narrate(stopped);
  expect(readFileSync(stopped, "utf8")).toBe(lines);
});
