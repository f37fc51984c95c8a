import { describe, expect, it } from "vitest";
import { csv, html, latex, markdown, numberCell, pValue, type Table } from "../../src/report/table.ts";

const table: Table = {
  columns: ["checkpoint", "pass@1 | held-out", "p"],
  rows: [
    [
      "Base_1 & <b>co</b>",
      numberCell({ value: 0.125, low: 0.1, high: 0.2 }, (value) => (100 * value).toFixed(1)),
      undefined,
    ],
    ["=1+2", numberCell({ value: 1 }, (value) => (100 * value).toFixed(1)), numberCell({ value: 0.5 }, pValue)],
    ['a "quoted", name\nwith a line', undefined, numberCell({ value: Number.NaN }, pValue)],
  ],
};

describe("tables", () => {
  it("CSV keeps full values and intervals, leaves missing ones empty, and defuses formulas", () => {
    expect(csv(table)).toBe(
      [
        "checkpoint,pass@1 | held-out,pass@1 | held-out low,pass@1 | held-out high,p",
        "Base_1 & <b>co</b>,0.125,0.1,0.2,",
        "'=1+2,1,,,0.5",
        '"a ""quoted"", name with a line",,,,',
        "",
      ].join("\n"),
    );
  });

  it("Markdown escapes what would end a cell or start markup", () => {
    expect(markdown(table)).toBe(
      [
        "| checkpoint | pass@1 \\| held-out | p |",
        "| :-- | --: | --: |",
        "| Base\\_1 & \\<b\\>co\\</b\\> | 12.5 \\[10.0, 20.0\\] | – |",
        "| =1+2 | 100.0 | 0.500 |",
        '| a "quoted", name with a line | – | – |',
        "",
      ].join("\n"),
    );
  });

  it("LaTeX is a table with rules, and its characters are safe", async () => {
    await expect(latex(table, { id: "example", caption: "50 % of $x_1$ → y" })).toMatchFileSnapshot(
      "snapshots/table.tex",
    );
  });

  it("HTML escapes, and says what was not measured", () => {
    const page = html(table);
    expect(page).toContain("Base_1 &amp; &lt;b&gt;co&lt;/b&gt;");
    expect(page).toContain('<span class="none" title="not measured">–</span>');
    expect(page).toContain('12.5<span class="interval"> [10.0, 20.0]</span>');
  });
});
