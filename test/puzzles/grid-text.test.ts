import { describe, expect, it } from "vitest";
import { readGrid } from "../../src/puzzles/grid-text.ts";
import { boardText } from "../../src/puzzles/json-answer.ts";

const cells = ["#", ".", "#", "."];

describe("forgiven, because nothing is ambiguous", () => {
  it.each([
    ["spaces", "# .\n# ."],
    ["no spaces", "#.\n#."],
    ["three backticks", "```\n# .\n# .\n```"],
    ["a language", "```text\n# .\n# .\n```"],
    ["a language with signs", "```c++\n# .\n# .\n```"],
    ["four backticks", "````\n# .\n# .\n````"],
    ["tildes", "~~~\n# .\n# .\n~~~"],
    ["a byte order mark", "\ufeff# .\n# ."],
    ["no-break spaces", "#\u00a0.\n#\u00a0."],
    ["ideographic spaces", "#\u3000.\n#\u3000."],
    ["carriage returns alone", "# .\r# .\r"],
    ["line separators", "# .\u2028# .\u2029"],
    ["form feeds and vertical tabs", "# .\f# .\v"],
    ["blank lines", "\n\n# .\n\n# .\n\n"],
  ])("%s", (_, text) => expect(readGrid(text, 2, 2)).toEqual({ cells }));
});

describe("never forgiven", () => {
  it.each([
    ["two boards in two fences", "```\n# .\n```\n```\n# .\n```"],
    ["a fence between rows", "# .\n```\n# ."],
    ["cells behind a fence", "```#.\n# .\n# .\n```"],
    ["zero-width characters", "#\u200b.\n# ."],
    ["a word of introduction", "Board:\n# .\n# ."],
    ["a missing row", "# ."],
  ])("%s", (_, text) => expect(readGrid(text, 2, 2)).toHaveProperty("unreadable"));
});

it("a board as large as any that is made here can be answered", () => {
  const row = Array.from({ length: 1000 }, () => ".").join(" ");
  const text = Array.from({ length: 1000 }, () => row).join("\n");
  expect(readGrid(text, 1000, 1000)).toHaveProperty("cells");
});

describe("boards as JSON", () => {
  const rows = ["/ \\", "\\ /"];
  const board = rows.join("\n");
  const json = JSON.stringify({ board: rows });
  const fences = ["```json\n", "```json\r\n", "``` json\n", "```JSON \n", "~~~json\n", "\ufeff```\n", " ````jsonc\n"];
  it.each([
    ["one line", json],
    ["many lines", JSON.stringify({ board: rows }, null, 2).replaceAll("\n", "\r\n")],
    ["lists of cells", JSON.stringify(rows.map((row) => row.split(" ")))],
    ["under another name", JSON.stringify({ solution: rows })],
    ["one text with all rows", JSON.stringify({ board })],
    ["a text alone", JSON.stringify(board)],
    ["slashes with a backslash", json.replaceAll("/", "\\/")],
    ...fences.map((fence) => [JSON.stringify(fence), `${fence}${json}\r\n${fence.trim().replace(/[a-z ]+$/i, "")}`]),
  ])("%s", (_, text) => expect(boardText(text)).toBe(board));

  it.each([
    ["two names", JSON.stringify({ board: rows, other: rows })],
    ["one name twice", `{"board":["# ."],"board":${JSON.stringify(rows)}}`],
    ["a name spelled in two ways", `{"bo\\u0061rd":["# ."],"board":${JSON.stringify(rows)}}`],
    ["two boards", JSON.stringify([rows, rows])],
    ["a board within", JSON.stringify({ board: { board: rows } })],
    ["two rows in one", JSON.stringify([board])],
    ["a line separator in a row", JSON.stringify(["/ \\\u2028\\ /"])],
    ["spelled characters", json.replace("/", "\\u002f")],
    ["no rows", "{}"],
    ["words", '{"board": [true, null]}'],
  ])("%s: left as it is, and no board", (_, text) => {
    expect(boardText(text)).toBe(text);
    expect(readGrid(text, 2, 2)).toHaveProperty("unreadable");
  });
});
