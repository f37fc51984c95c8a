import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escaped, oneLine, visibleText } from "../../src/drawing/safe-text.ts";

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** Any code points, lone surrogates too, with the dangerous ones often. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }),
      fc.integer({ min: 0, max: 0xa0 }),
      fc.integer({ min: 0x2000, max: 0x2070 }),
    ),
  )
  .map((codes) => String.fromCodePoint(...codes));

describe("text from elsewhere", () => {
  it("shows markup as the characters it is", () => {
    expect(escaped(`<script>alert("1 & 2")</script>'`)).toBe(
      "&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;&#39;",
    );
  });

  it("names what cannot be seen, and keeps lines and tabs", () => {
    expect(visibleText("a\u0000b\u001b[31m\u202ecba\u200b\ufeff\ud800\r\n\tc")).toBe(
      "a‹U+0000›b‹U+001B›[31m‹U+202E›cba‹U+200B›‹U+FEFF›‹U+D800›\n\tc",
    );
  });

  it("leaves ordinary text of any script alone", () => {
    expect(visibleText("überprüfe ∑ 数独 🧩 עברית")).toBe("überprüfe ∑ 数独 🧩 עברית");
  });

  it("puts anything on one line", () => {
    expect(oneLine(" a\n\tb \r\n c ")).toBe("a b c");
  });

  it("never lets markup, controls or direction marks through, and loses nothing else", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const safe = escaped(text);
        expect(safe).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
        expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/);
        expect(unescaped(safe)).toBe(visibleText(text));
      }),
    );
  });
});
