import { expect, test } from "vitest";
import { messageOf } from "../../src/base/errors.ts";
import { parsedJson } from "../../src/imports/json-values.ts";
import { SkipCounts } from "../../src/imports/skips.ts";

function faultOf(text: string): string {
  try {
    parsedJson(text);
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
  throw new Error(`${text} is JSON`);
}

test("lines that are not JSON are one reason, whatever the parser says of each, with the first as the example", () => {
  const lines = ["hello", "world there", '{"a":', '{"a":1,}', "[1", '"x'];
  const faults = lines.map(faultOf);
  expect(new Set(faults).size).toBe(lines.length);
  const counts = new SkipCounts();
  for (const [i, fault] of faults.entries()) counts.add(fault, `line ${i}`);
  counts.add("JSON, but not a record", "line 6");
  expect(counts.reasons()).toEqual([
    { because: faults[0], count: 6, places: ["line 0", "line 1", "line 2"] },
    { because: "JSON, but not a record", count: 1, places: ["line 6"] },
  ]);
});
