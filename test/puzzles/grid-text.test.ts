import { describe, expect, it } from "vitest";
import { readGrid } from "../../src/puzzles/grid-text.ts";

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
