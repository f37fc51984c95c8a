// What quality is told of, from which confidence on a label counts, and what unsure spans are counted under.
import { describe, expect, test } from "vitest";
import { leastConfidences, withUnsure } from "../../src/traces/abstention.ts";
import { BuiltinClassifier } from "../../src/traces/classifier/builtin-classifier.ts";
import { classifierQuality, type JudgedSpan, unseenQuality } from "../../src/traces/classifier/quality.ts";
import { confusionsFor, qualityWords } from "../../src/traces/labeler.ts";
import { motifCounts } from "../../src/traces/motifs.ts";
import {
  labelsOf,
  paperAlphabet,
  primitiveCounts,
  readSequence,
  sequenceOf,
  writeSequence,
} from "../../src/traces/sequence.ts";

const span = (actual: string, given: string, rest: Partial<JudgedSpan> = {}): JudgedSpan => ({
  ...{ actual, given, confidence: 0.5, domain: "d", source: "s" },
  ...rest,
});

describe("quality", () => {
  test("is told of spans drawn at random; those without a majority are wrong for everybody", () => {
    const chosen = Array.from({ length: 50 }, () => span("plan", "check", { drawn: "predicted check" }));
    const random = [span("plan", "plan"), span("plan", "check"), span("check", "check"), span("check", "check")];
    const quality = classifierQuality([...random, ...chosen], "");
    expect(quality.spans).toBe(4);
    expect(quality.accuracy).toBe(0.75);
    expect(classifierQuality([...random, ...chosen], "", paperAlphabet, 2)).toMatchObject({
      accuracy: 0.5,
      undecided: 2,
    });
  });

  test("agreed are the spans that were read more than once and called the same", () => {
    const judged = [
      span("plan", "plan", { readings: ["plan", "plan"] }),
      span("plan", "check", { readings: ["plan", "check"] }),
      span("check", "plan", { readings: ["check"] }),
    ];
    expect(classifierQuality(judged, "").agreed).toMatchObject({ spans: 1, accuracy: 1 });
  });

  test("on unseen sources it stands beside the most frequent label, and corrections go by these confusions", () => {
    const judged = [
      span("plan", "plan", { source: "a" }),
      span("plan", "check", { source: "a" }),
      span("check", "check", { source: "a" }),
      span("check", "plan", { source: "b" }),
    ];
    const unseenSources = unseenQuality(judged);
    expect(unseenSources.a).toMatchObject({ spans: 3, accuracy: 2 / 3, mostFrequent: 2 / 3 });
    expect(unseenSources.b).toMatchObject({ spans: 1, accuracy: 0, mostFrequent: 1 });
    const { whole, sources } = confusionsFor({ ...classifierQuality(judged, ""), unseenSources });
    const [plan, check] = ["plan", "check"].map(paperAlphabet.codeOf);
    expect(sources).toHaveLength(2);
    expect([whole[plan][plan], whole[plan][check], whole[check][plan], whole[check][check]]).toEqual([1, 1, 1, 1]);
  });

  test("what was not measured is named beside every number that is about it", async () => {
    const { quality } = (await BuiltinClassifier.load()).description;
    expect(qualityWords(quality!, "puzzle")).toContain("not measured on board puzzles");
    expect(qualityWords(quality!)).toContain("not measured on board puzzles");
    expect(qualityWords(quality!, "mathematics")).not.toContain("not measured");
    const boards = classifierQuality([span("plan", "plan", { domain: "puzzle" })], "");
    expect(qualityWords(boards, "puzzle")).toContain("on 1 spans of board puzzles");
  });

  test("what a board decides is told apart: it was not drawn at random, and it does not move the quality", () => {
    const drawn = [span("plan", "plan"), span("check", "plan")];
    const decided = ["compute", "compute", "check"].map((given) => span("backtrack", given, { drawn: "board" }));
    const quality = classifierQuality([...drawn, ...decided, span("backtrack", "backtrack", { drawn: "board" })], "");
    expect(quality).toMatchObject({ spans: 2, accuracy: 0.5, boards: { backtrack: { spans: 4, right: 1 } } });
    expect(qualityWords(quality, "puzzle")).toContain(
      "not measured on board puzzles but where the board decides (right: backtrack 1 of 4)",
    );
  });

  test("a label is sure from the lowest confidence on from which it is right four times in five", () => {
    // Forty at 0.9, of which 36 are right; forty at 0.6, of which 10 are: above 0.9 nine in ten, of all 46 in 80.
    const judged = [0.9, 0.6].flatMap((confidence) =>
      Array.from({ length: 40 }, (_, i) =>
        span(i < (confidence > 0.8 ? 36 : 10) ? "plan" : "setup", "plan", { confidence }),
      ),
    );
    const few = Array.from({ length: 10 }, () => span("check", "check", { confidence: 0.99 }));
    const { sure } = classifierQuality([...judged, ...few], "");
    expect(sure).toEqual({ plan: { from: 0.9, precision: 0.9, share: 0.5 } });
    const quality = classifierQuality(judged, "");
    const least = leastConfidences({ name: "x", quality }, paperAlphabet, "sure");
    expect(least[paperAlphabet.codeOf("plan")]).toBe(0.9);
    expect(least[paperAlphabet.codeOf("check")]).toBe(Number.POSITIVE_INFINITY);
    expect(() => leastConfidences({ name: "x" }, paperAlphabet, "sure")).toThrow("was not measured label by label");
  });
});

describe("unsure spans", () => {
  const labels = ["compute", "check", "compute", "other", "check"];
  const least = leastConfidences({ name: "x" }, paperAlphabet, 0.5);

  test("have no label: they are counted under none, and no motif goes across them", () => {
    const marked = withUnsure(sequenceOf(labels), [0.9, 0.4, 0.9, 1, 0.9], least, paperAlphabet);
    expect(labelsOf(marked)).toEqual(["compute", "unsure", "compute", "other", "check"]);
    expect(writeSequence(marked)).toBe("C?COK");
    expect([...readSequence("C?COK")]).toEqual([...marked]);
    expect(primitiveCounts(marked).reduce((a, b) => a + b, 0)).toBe(4);
    expect(motifCounts([marked], 2, paperAlphabet, 1)).toEqual([]);
  });

  test("a break of which nothing is sure is a judge without a label, and one found by rule is sure", () => {
    const none = leastConfidences({ name: "x" }, paperAlphabet, 0);
    expect(labelsOf(withUnsure(sequenceOf(["other", "other"]), [0, 0.1], none, paperAlphabet))).toEqual([
      "unsure",
      "other",
    ]);
    const sure = leastConfidences(
      { name: "x", quality: classifierQuality([span("plan", "plan")], "") },
      paperAlphabet,
      "sure",
    );
    expect(labelsOf(withUnsure(sequenceOf(["other", "other"]), [0.9, 1], sure, paperAlphabet))).toEqual([
      "unsure",
      "other",
    ]);
  });
});
