import { expect, test } from "vitest";
import { brokenRows, textTable } from "../../src/cli/text-table.ts";

const rows: [string, string, string][] = [
  ["sft.epochs", "8", "Table 1"],
  [
    "puzzles.training",
    "bridges=7x7d0 pattern=4x4 undead=4x4de galaxies=3x3dn",
    "ours: ".concat("not stated ".repeat(30)).trim(),
  ],
];

test.each([60, 80, 100, 230])("a table of settings fits %i columns and loses no word", (width) => {
  const broken = brokenRows(rows, width);
  for (const line of textTable(["setting", "value", "from"], broken, 3).split("\n"))
    expect(line.length).toBeLessThanOrEqual(width);
  const columnOf = (column: number) =>
    broken
      .map((row) => row[column])
      .join(" ")
      .split(/\s+/)
      .filter(Boolean);
  for (const column of [0, 1, 2]) expect(columnOf(column)).toEqual(rows.flatMap((row) => row[column].split(" ")));
});

test("what fits stays on its line", () => {
  expect(brokenRows([rows[0]], 100)).toEqual([rows[0]]);
});
