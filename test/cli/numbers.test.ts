// Every option that takes a number reads it alike, whichever command it belongs to.
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { seedList } from "../../src/cli/arguments.ts";
import { commandNamed } from "../../src/cli/commands.ts";
import { readWeightedKind } from "../../src/puzzles/mix.ts";

const nouns = await Promise.all(
  ["dashboard", "engine", "evaluate", "export", "grade", "puzzles", "run", "serve", "teach", "traces", "train"].map(
    commandNamed,
  ),
);

type Reading = { readonly flag: string; readonly read: (text: string) => unknown };

function readings(command: Command, above = ""): Reading[] {
  const name = `${above}${command.name()} `;
  const own = command.options.flatMap(({ flags, parseArg }) =>
    parseArg === undefined ? [] : [{ flag: `${name}${flags}`, read: (text: string) => parseArg(text, undefined) }],
  );
  return [...own, ...command.commands.flatMap((inner) => readings(inner, name))];
}

function outcome(read: Reading["read"], text: string): unknown {
  try {
    return read(text);
  } catch {
    return "refused";
  }
}

/** Options that turn "1" or "0.5" into a number. */
const numeric = nouns
  .flatMap((noun) => readings(noun))
  .filter(({ read }) => ["1", "0.5"].some((text) => typeof outcome(read, text) === "number"));

const noNumbers = ["", " ", "abc", "NaN", "Infinity", "-Infinity", "0x1", "0b1", "0o1", "1_0", "5%", "1/10"].concat([
  ...["١", "１", "1,5", "1 0", "1e", "e1", ".", "1..2", "\u00a01", "\ufeff1", "1n", "+", "--1", "1e999"],
]);

describe("options that take a number", () => {
  it("are many", () => expect(numeric.length).toBeGreaterThan(50));

  it.each(numeric)("$flag: decimal and nothing else", ({ read }) => {
    for (const text of noNumbers) expect([text, outcome(read, text)]).toEqual([text, "refused"]);
    // One number in three spellings is one number, accepted or refused alike.
    for (const [plain, ...others] of [
      ["0.1", "1e-1", ".1", " 0.1 ", "+0.1", "0.10"],
      ["10", "1e1", "10.0", "+10", "010"],
    ])
      for (const other of others) expect([other, outcome(read, other)]).toEqual([other, outcome(read, plain)]);
  });
});

it("weights of a mix are read in the same way", () => {
  expect(readWeightedKind("pattern=4x4*1e-1").weight).toBe(0.1);
  for (const weight of ["0x1", "", "1_0", "5%", "0", "-1", "1.2.3"])
    expect(() => readWeightedKind(`pattern=4x4*${weight}`)).toThrow(/a weight is a number above 0/);
});

it("seeds are a range or a list, at least two, none twice", () => {
  expect(seedList("31..33")).toEqual([31, 32, 33]);
  expect(seedList("5,2,5")).toEqual([5, 2]);
  for (const text of ["", "3", "3..3", "5..4", "4,4", "1..2..3", "-1..3", "1.5,2", "a,b", "0..5000"])
    expect([text, outcome(seedList, text)]).toEqual([text, "refused"]);
});
