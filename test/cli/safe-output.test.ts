import { describe, expect, it } from "vitest";
import { guardConsole, printable } from "../../src/cli/safe-output.ts";

describe("what is printed", () => {
  it("shows control characters instead of obeying them", () => {
    expect(printable("\u001b[31mred\u001b]0;title\u0007 x\u0000y \u009b2J a\u202eb\r")).toBe(
      "\\u001b[31mred\\u001b]0;title\\u0007 x\\u0000y \\u009b2J a\\u202eb\\u000d",
    );
    expect(printable("lines\nand\ttabs, ä, 漢, 🙂")).toBe("lines\nand\ttabs, ä, 漢, 🙂");
  });

  it("keeps JSON what it was", () => {
    const value = { text: "\u001b[2J \u007f \u009b \u2066" };
    expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
  });

  it("keeps the program's own colors where there are colors, and nothing else", () => {
    expect(printable("\u001b[31mred\u001b[39m \u001b[8mhidden \u001b[2J", true)).toBe(
      "\u001b[31mred\u001b[39m \\u001b[8mhidden \\u001b[2J",
    );
  });

  it("goes through one place", () => {
    const told: unknown[] = [];
    const print = (...given: unknown[]) => void told.push(...given);
    const target = { log: print, error: print, warn: print, info: print } as unknown as Console;
    guardConsole(target, false);
    target.log("100%", { a: "\u001b" });
    target.error("\u001b[2J");
    expect(told).toEqual(["100% { a: '\\x1B' }", "\\u001b[2J"]);
  });
});
