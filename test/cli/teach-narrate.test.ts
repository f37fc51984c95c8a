// `teach narrate`, stopped and started again: with the same settings it goes on, with others it is refused.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { commandNamed } from "../../src/cli/commands.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { canonicalId } from "../../src/puzzles/puzzle.ts";
import { stageOf } from "../../src/puzzles/splits.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "repertoire-narrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const narrate = async (out: string, ...flags: string[]) =>
  (await commandNamed("teach"))
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

it.each([
  ["SIGHUP", 129],
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("%s is answered in words, what was narrated is kept, and the exit code is %i", async (signal, code) => {
  const out = join(folder, `${signal}.jsonl`);
  const unfinished = `${out}.unfinished.jsonl`;
  const flags = ["--puzzle", "undead=4x4de", "--count", "1000000", "--out", out];
  const child = spawn(process.execPath, [main, "teach", "narrate", ...flags]);
  let said = "";
  child.stderr.on("data", (data) => {
    said += data;
  });
  const ended = new Promise((done) => child.on("close", (...how) => done(how)));
  await vi.waitUntil(() => existsSync(unfinished) && statSync(unfinished).size > 0, { timeout: 180_000 });
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(said).toContain("stopping; run the same command again to resume");
  expect(existsSync(`${out}.lock`)).toBe(false);
  for (const line of readFileSync(unfinished, "utf8").trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
});
