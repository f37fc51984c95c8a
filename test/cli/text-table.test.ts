import { expect, test } from "vitest";
import { withInterval } from "../../src/cli/analysis-tables.ts";
import { terminalItem } from "../../src/cli/terminal-item.ts";
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

test("an item in a terminal is its table, with rows for columns where that is narrower", () => {
  const cell = (value: number) => ({
    value,
    low: value - 1,
    high: value + 1,
    text: `${value}.0 [${value - 1}.0, ${value + 1}.0]`,
  });
  const columns = ["checkpoint", "held out @1", "held out @8"];
  const about = { id: "accuracy", title: "Accuracy", caption: "", n: "8 problems", interval: "95%" };
  const item = { ...about, body: { kind: "table", columns, rows: [["SFT", cell(12), null]] } } as const;
  expect(terminalItem(item)).toBe(
    [
      "Accuracy (8 problems; 95%)",
      "",
      "checkpoint        held out @1  held out @8",
      "──────────  ─────────────────  ───────────",
      "SFT         12.0 [11.0, 13.0]            –",
    ].join("\n"),
  );
  expect(terminalItem(item, 36)).toContain("held out @1  12.0 [11.0, 13.0]");
  expect(terminalItem({ ...about, body: { kind: "missing", needs: "grades" } })).toBeUndefined();
});

test("a mean over a single problem stands without an interval", () => {
  expect(withInterval({ value: 1.1, low: Number.NaN, high: Number.NaN })).toBe("1.10");
  expect(withInterval({ value: 1.1, low: 1, high: 1.25 })).toBe("1.10 [1.00, 1.25]");
  expect(withInterval({ value: Number.NaN, low: Number.NaN, high: Number.NaN })).toBe("–");
});
