import { describe, expect, it } from "vitest";
import { count, numberCell, pValue, type Table } from "../../src/drawing/table.ts";
import { csv, latex, markdown } from "../../src/drawing/table-files.ts";
import { html } from "../../src/drawing/table-html.ts";

const table: Table = {
  columns: ["checkpoint", "pass@1 | held-out", "p"],
  rows: [
    [
      "Base_1 & <b>co</b>",
      numberCell({ value: 0.125, low: 0.1, high: 0.2 }, (value) => (100 * value).toFixed(1)),
      null,
    ],
    ["=1+2", numberCell({ value: 1 }, (value) => (100 * value).toFixed(1)), numberCell({ value: 0.5 }, pValue)],
    ['a "quoted", name\nwith a line', null, numberCell({ value: Number.NaN }, pValue)],
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

  it("LaTeX of a wide table has rows for columns in its short form, where that is narrower", () => {
    const sets = ["held-out puzzles", "puzzles that need search", "larger puzzles", "synthetic mathematics"];
    const wide = {
      columns: ["checkpoint", ...sets],
      rows: ["SFT", "RL"].map((name, r) => [name, ...sets.map((_, c) => ({ value: c, text: `${c}.${r} ± 0.1` }))]),
    };
    const about = { id: "t", caption: "c" };
    const short = latex(wide, { ...about, form: "short" });
    expect(short).toContain("checkpoint & SFT & RL \\\\");
    expect(short).toContain("puzzles that need search & 1.0 $\\pm$ 0.1 & 1.1 $\\pm$ 0.1 \\\\");
    expect(short).toContain("\\begin{tabular}{lrr}");
    expect(latex(wide, about)).toContain("checkpoint & held-out puzzles &");
    // One that fits stays as it is.
    const narrow = { columns: ["a", "b"], rows: [["x", { value: 1, text: "1" }]] };
    expect(latex(narrow, { ...about, form: "short" })).toContain("a & b \\\\");
  });

  it("LaTeX fits: the short form a column, without intervals or long sentences; minus signs are minus signs", () => {
    const wide: Table = {
      columns: ["claim", "change", "p"],
      rows: [
        [
          "a sentence of many words that no column of a paper has the room for",
          numberCell({ value: -0.5, low: -0.75, high: 0.25 }, (value) => value.toFixed(2)),
          numberCell({ value: 0.00001 }, pValue),
        ],
      ],
    };
    const about = { id: "wide", caption: "c" };
    const [full, short] = [latex(wide, about), latex(wide, { ...about, form: "short" })];
    expect(full).toContain("has the room for & $-$0.50 [$-$0.75, 0.25] & 1.0e-5");
    expect(full).toContain("\\begin{table*}");
    expect(full).toContain("\\resizebox{\\ifdim\\width>\\textwidth \\textwidth\\else\\width\\fi}{!}{%");
    expect(short).toContain("a sentence of many words that no column \\ldots{} & $-$0.50 & 1.0e-5 \\\\");
    expect(short).toContain("\\ifdim\\width>\\columnwidth \\columnwidth");
    expect(short.match(/(?<!\\)[{}]/g)?.reduce((open, brace) => open + (brace === "{" ? 1 : -1), 0)).toBe(0);
  });

  it("LaTeX fits: many rows are shrunk to the height of a page", () => {
    const rows = Array.from({ length: 54 }, (_, i) => [`row ${i}`, count(i)]);
    const about = { id: "long", caption: "c" };
    for (const form of ["full", "short"] as const) {
      const long = latex({ columns: ["a", "b"], rows }, { ...about, form });
      expect(long).toContain("\\resizebox*{!}{\\ifdim\\totalheight>.85\\textheight");
      expect(long.match(/(?<!\\)[{}]/g)?.reduce((open, brace) => open + (brace === "{" ? 1 : -1), 0)).toBe(0);
      expect(latex({ columns: ["a", "b"], rows: rows.slice(0, 9) }, { ...about, form })).not.toContain("totalheight");
    }
  });

  it("HTML escapes, and says what was not measured", () => {
    const page = html(table);
    expect(page).toContain("Base_1 &amp; &lt;b&gt;co&lt;/b&gt;");
    expect(page).toContain('<span class="none" title="not measured">–</span>');
    expect(page).toContain('12.5<span class="interval"> [10.0, 20.0]</span>');
  });
});

it("a table that is too wide for the page has rows for columns there, and its motifs may be broken", () => {
  const settings = Array.from({ length: 14 }, (_, i) => `run-number-${i} · mathematics`);
  const row = (name: string) => [name, ...settings.map((_, i) => count(i))];
  const page = html({ columns: ["primitive", ...settings], rows: [row("plan"), row("check→compute")] });
  expect(page).toContain(
    '<th scope="col">primitive</th><th scope="col" class="number">plan</th><th scope="col" class="number">check→<wbr>compute</th>',
  );
  expect(page).toContain(
    '<th scope="row">run-number-3 · mathematics</th><td class="number">3</td><td class="number">3</td>',
  );
  // One that fits is as it was given, whatever the length of the names in its first column.
  const narrow = html({ columns: ["motif", "n"], rows: [["check→".repeat(40), count(1)]] });
  expect(narrow).toContain('<th scope="col">motif</th><th scope="col" class="number">n</th>');
});
