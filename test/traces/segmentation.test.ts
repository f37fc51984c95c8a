import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reasoningPart } from "../../src/grading/reasoning.ts";
import { paperSegmentation, type Segmentation, segment, terseSegmentation } from "../../src/traces/segmentation.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";
import { publicFile } from "../fixtures/public-data.ts";

/** A sentence of exactly this many characters, full stop included. */
const sentence = (characters: number, word = "x") => `${word.repeat(characters).slice(0, characters - 1)}.`;
const texts = (response: string, options?: Segmentation) => segment(response, options).map((span) => span.text);

describe("the reasoning block", () => {
  const inside = (response: string) => {
    const { start, end, tags } = reasoningPart(response);
    return [response.slice(start, end), tags];
  };
  test("between the tags where they are, else everything", () => {
    expect(inside("<reasoning>a</reasoning><answer>b</answer>")).toEqual(["a", "closed"]);
    expect(inside("no tags at all")).toEqual(["no tags at all", "absent"]);
    expect(inside("<think>a</think>b")).toEqual(["a", "closed"]);
    expect(inside("<Reasoning>a</REASONING>b")).toEqual(["a", "closed"]);
  });
  test("a block that never closes goes to the end; one that never opens starts at the beginning", () => {
    expect(inside("<reasoning>a b c")).toEqual(["a b c", "unclosed"]);
    expect(inside("a b</think>c")).toEqual(["a b", "unopened"]);
  });
  test("other models' tags are read like these", () => {
    expect(inside("◁think▷a◁/think▷b")).toEqual(["a", "closed"]);
    expect(inside("<|begin_of_thought|>a<|end_of_thought|>b")).toEqual(["a", "closed"]);
    expect(inside("[THINK]a[/THINK]b")).toEqual(["a", "closed"]);
    expect(inside("<seed:think>a</seed:think>b")).toEqual(["a", "closed"]);
    expect(inside("<|START_THINKING|>a<|END_THINKING|>b")).toEqual(["a", "closed"]);
    expect(inside("I [think] so [/think]")).toEqual(["I [think] so [/think]", "absent"]);
    expect(inside("a<|end_of_thought|>b")).toEqual(["a", "unopened"]);
  });
  test("a stray closing tag opens at the beginning, unless the response reasoned in a block of its own before it", () => {
    expect(inside("<reasoning>y</reasoning>z</think>")).toEqual(["y", "closed"]);
    expect(inside("x</reasoning>y</think>z")).toEqual(["x</reasoning>y", "unopened"]);
    expect(inside("x<reasoning>y</think>z</reasoning>")).toEqual(["x<reasoning>y", "unopened"]);
  });
  test("the paper's tag is read before any other", () => {
    expect(inside("<think>x</think><reasoning>y</reasoning>")).toEqual(["y", "closed"]);
  });
});

describe("segmentation", () => {
  test("fragments below 80 tokens wait until the buffer holds 80", () => {
    // Three paragraphs of 120 characters: 30 tokens, then 242 characters = 61, then 364 = 91 ≥ 80.
    const paragraphs = ["a", "b", "c"].map((word) => sentence(120, word));
    expect(segment(paragraphs.join("\n\n"))).toEqual([
      { text: paragraphs.join("\n\n"), tokens: 91, start: 0, end: 364 },
    ]);
  });

  test("exactly 80 tokens is enough, 79 is not", () => {
    const [exact, short] = [sentence(317, "a"), sentence(316, "b")];
    // 317 characters are 80 tokens when a started token counts; 316 are 79.
    expect(texts(`${exact}\n\n${exact}`)).toHaveLength(2);
    expect(texts(`${short}\n\n${short}`)).toHaveLength(1);
  });

  test("a marker inside a paragraph cuts it, at the start of a sentence or a line", () => {
    const lead = sentence(330, "a");
    for (const opening of [
      "Wait, this",
      "Case 2: the",
      "Suppose that",
      "going back to",
      "Alternatively, the",
      "Thus it",
      "This doesn't work",
      "HMM so",
    ]) {
      expect(texts(`${lead} ${opening} ${sentence(330, "b")}`), opening).toHaveLength(2);
      expect(texts(`${lead}\n${opening} ${sentence(330, "b")}`), opening).toHaveLength(2);
    }
    // In the middle of a sentence the same words are only words.
    expect(texts(`${lead.slice(0, -1)} and then wait, therefore check ${sentence(330, "b")}`)).toHaveLength(1);
    expect(texts(`${lead} Waiting is ${sentence(330, "b")}`)).toHaveLength(1);
    expect(texts(`${lead} Case by case ${sentence(330, "b")}`)).toHaveLength(1);
  });

  test("after a colon only a capital starts anew", () => {
    expect(texts(`${sentence(330, "a").slice(0, -1)}: Then ${sentence(330, "b")}`)).toHaveLength(2);
    expect(texts(`${sentence(330, "a").slice(0, -1)}: then ${sentence(330, "b")}`)).toHaveLength(1);
  });

  test("fragments above 250 tokens are split at sentences into pieces of at most 250", () => {
    // Five sentences of 300 characters: three are 902 with their spaces (226 tokens), four are 1203 (301).
    const long = Array.from({ length: 5 }, (_, i) => sentence(300, "abcde"[i])).join(" ");
    expect(segment(long).map((span) => span.tokens)).toEqual([226, 151]);
    expect(texts(long).join(" ")).toBe(long);
  });

  test("a sentence without an end stays whole, however long", () => {
    expect(segment("y".repeat(5000)).map((span) => span.tokens)).toEqual([1250]);
  });

  test("a trailing buffer below 40 tokens joins the span before it; one of 40 stands alone", () => {
    const first = sentence(400, "a");
    const tail = (characters: number) => segment(`${first}\n\n${sentence(characters, "b")}`);
    // 156 characters are 39 tokens, 157 are 40.
    expect(tail(156)).toHaveLength(1);
    expect(tail(156)[0]).toMatchObject({ tokens: Math.ceil((400 + 2 + 156) / 4), start: 0, end: 558 });
    expect(tail(157)).toHaveLength(2);
    expect(texts("Only this.")).toEqual(["Only this."]);
  });

  test("thresholds are parameters", () => {
    const options = { ...paperSegmentation, mergeBelow: 2, joinTrailingBelow: 1 };
    expect(texts("One two.\n\nThree four.\n\nFive.", options)).toEqual(["One two.", "Three four.", "Five."]);
  });

  test("terse traces give one span a step, that is a line", () => {
    const trace = "<reasoning>plan rows\ncomp R1 3 > X X X\n\n check R1 ok \n</reasoning><answer>…</answer>";
    expect(texts(trace, terseSegmentation)).toEqual(["plan rows", "comp R1 3 > X X X", "check R1 ok"]);
  });

  test("empty and blank responses have no spans", () => {
    for (const response of ["", "  \n\n ", "<reasoning></reasoning>", "<think>\n"])
      expect(segment(response)).toEqual([]);
  });

  const piece = fc.constantFrom(
    "x",
    "Wait",
    "wait,",
    "Then",
    "case 2",
    "Case b:",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n \n",
    ". ",
    "! ",
    "?\n",
    ": ",
    "1.5",
    "This doesn’t work",
    "long ".repeat(30),
    "é",
    "\u00a0",
    "<think>",
    "</think>",
    "\r\n",
  );
  const anyText = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(""));
  const solid = (text: string) => text.replace(/\s+/g, "");

  test("nothing is lost, repeated or reordered, and offsets point at the text", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(paperSegmentation, terseSegmentation), (response, options) => {
        const { start, end } = reasoningPart(response);
        const spans = segment(response, options);
        expect(spans.map((span) => solid(span.text)).join("")).toBe(solid(response.slice(start, end)));
        let last = start;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(last);
          expect(solid(response.slice(span.start, span.end))).toBe(solid(span.text));
          last = span.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  test("agrees with a plain reading of the appendix by regular expressions", () => {
    fc.assert(
      fc.property(anyText, (response) => {
        expect(texts(response).map(solid)).toEqual(plainSegmentation(response).map(solid));
      }),
      { numRuns: 500 },
    );
  });

  test("ten megabytes in one line, with and without sentence ends, are cut in a moment", () => {
    const { seconds } = processorTime(() => {
      expect(segment("word ".repeat(2_000_000))).toHaveLength(1);
      expect(segment("Some words. ".repeat(800_000)).length).toBeGreaterThan(9_000);
      expect(segment(". ".repeat(5_000_000)).length).toBeGreaterThan(9_000);
    });
    expect(seconds).toBeLessThan(3 * moment);
  });
});

/** Slow and literal: split by paragraphs, by markers, merge, split, as one would write it from the text. */
function plainSegmentation(response: string): string[] {
  const { start, end } = reasoningPart(response);
  const marker =
    "(?:(?:case|step|option)\\s+(?:\\d+|[a-z]|[ivx]+)|first(?:ly)?|second(?:ly)?|then|next|finally|suppose|assume|let(?:['’]?s|\\s+(?:me|us))|check|verify|confirm|wait|actually|hmm+|instead|alternatively|going\\s+back|therefore|hence|thus|contradiction|(?:this|that)\\s+(?:does\\s+not|doesn['’]?t)\\s+work)\\b";
  const cut = new RegExp(`(?:^\\s*|(?<=[.!?]\\s+)|(?<=:\\s+))(?=${marker})`, "gim");
  // Right after a colon on the same line, only a capital starts anew.
  const startsAnew = (paragraph: string, at: number) =>
    !/:[^\S\n]+$/.test(paragraph.slice(0, at)) || /^[A-Z]/.test(paragraph.slice(at));
  const fragments = response
    .slice(start, end)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const places = [
        0,
        ...[...paragraph.matchAll(cut)].map((match) => match.index).filter((at) => startsAnew(paragraph, at)),
        paragraph.length,
      ];
      return places.slice(1).map((place, i) => paragraph.slice(places[i], place).trim());
    })
    .filter((fragment) => fragment !== "");
  const tokens = (text: string) => Math.ceil(text.length / 4);
  const spans: string[] = [];
  let buffer = "";
  const flush = () => {
    if (buffer !== "") spans.push(buffer);
    buffer = "";
  };
  for (const fragment of fragments) {
    if (tokens(fragment) > 250) {
      flush();
      let chunk = "";
      for (const part of fragment.split(/(?<=[.!?]\s+)(?=\S)/)) {
        if (chunk !== "" && tokens((chunk + part).trimEnd()) > 250) {
          spans.push(chunk.trimEnd());
          chunk = part;
        } else chunk += part;
      }
      spans.push(chunk.trimEnd());
      continue;
    }
    if (buffer !== "" && tokens(`${buffer}\n\n${fragment}`) > 250) flush();
    buffer = buffer === "" ? fragment : `${buffer}\n\n${fragment}`;
    if (tokens(buffer) >= 80) flush();
  }
  if (buffer !== "" && tokens(buffer) < 40 && spans.length > 0) spans[spans.length - 1] += `\n\n${buffer}`;
  else flush();
  return spans;
}

const labeled = publicFile("spans/labelled_spans.jsonl");
test.skipIf(labeled.missing)(`finds 99% of the spans that readers were given, cut the same${labeled.reason}`, () => {
  const lines = (path: string) =>
    readFileSync(publicFile(path).path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const spansOf = new Map(lines("traces/traces.jsonl").map(({ id, response }) => [id, new Set(texts(response))]));
  const read = lines("spans/labelled_spans.jsonl");
  const found = read.filter(({ trace_id, text }) => spansOf.get(trace_id)?.has(text));
  expect(found.length / read.length).toBeGreaterThan(0.99);
});
