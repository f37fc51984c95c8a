// A list of flags gives its command what its types say: names, values read, and what is there without the flag.
import { Command } from "commander";
import { expect, it } from "vitest";
import { collected, count } from "../../src/cli/arguments.ts";
import { choice, type FlagValues, flag, repeatable, required, withFlags } from "../../src/cli/flags.ts";

const flags = [
  required("--out <folder>", ""),
  flag("--max-tokens <n>", "", count, 10),
  flag("--top-k <n>", "", count),
  flag("--seed <seed>", "", "1"),
  flag("--dry-run", ""),
  flag("--no-probe", ""),
  flag("--slips, --error-rate <rate>", "", Number),
  flag("--puzzle <name=params>", "", collected),
  choice("--style <style>", "", ["terse", "prose"], "prose"),
  choice("--split <side>", "", ["train", "test"]),
  repeatable("--set <key=value>", ""),
];

function given(...words: string[]): FlagValues<typeof flags> {
  const command = withFlags(new Command("x").exitOverride().configureOutput({ writeErr: () => {} }), flags);
  return command.parse(words, { from: "user" }).opts();
}

it("has every value by its name, and the usual one where a flag is not given", () => {
  const usual: FlagValues<typeof flags> = {
    ...{ out: "o", maxTokens: 10, topK: undefined, seed: "1", dryRun: undefined, probe: true, errorRate: undefined },
    ...{ puzzle: undefined, style: "prose", split: undefined, set: [] },
  };
  expect(given("--out", "o")).toEqual(usual);
  const words =
    "--out o --max-tokens 3 --top-k 4 --seed s --dry-run --no-probe --slips 0.5 --puzzle a --puzzle b --style terse";
  expect(given(...words.split(" "), "--split", "test", "--set", "k=1", "--set", "k=2")).toEqual({
    ...{ out: "o", maxTokens: 3, topK: 4, seed: "s", dryRun: true, probe: false, errorRate: 0.5 },
    ...{ puzzle: ["a", "b"], style: "terse", split: "test", set: ["k=1", "k=2"] },
  });
  // Lists are shared by commands: one command's values must not stay in them.
  expect(given("--out", "o")).toEqual(usual);
});

it("refuses what is missing or is none of the choices", () => {
  expect(() => given()).toThrow("required option '--out <folder>' not specified");
  expect(() => given("--out", "o", "--style", "verse")).toThrow("Allowed choices are terse, prose");
  // @ts-expect-error a choice is one of its names
  expect(given("--out", "o").split === "validation").toBe(false);
});
