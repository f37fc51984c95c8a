import { describe, expect, it } from "vitest";
import { grammarLabeller, looksTerse, terseSpans } from "../../src/report/labelling.ts";
import { meansOf, measures, traceMeasures } from "../../src/report/measures.ts";
import { terseLabels } from "../../src/teaching/terse-language.ts";
import { readSequence } from "../../src/traces/sequence.ts";

const trace = (problem: string, text: string) => ({
  problem,
  attempt: 0,
  correct: undefined,
  sequence: readSequence(text),
});

describe("measures of a trace", () => {
  it("count what a reader would count", () => {
    const values = traceMeasures(readSequence("PSCKCHCBCKCKZ"));
    const at = (name: (typeof measures)[number]) => values[measures.indexOf(name)];
    expect([at("plan"), at("compute"), at("check"), at("hypothesize"), at("backtrack")]).toEqual([1, 5, 3, 1, 1]);
    // H C B is the only window with a guess and a return; C K C twice; K C K once.
    expect([at("recovery"), at("exploitation"), at("verification")]).toEqual([1, 2, 1]);
    expect([at("compute→check"), at("check→compute→check")]).toEqual([3, 1]);
    // Runs: SCKC (4), C (1), CKCK (4).
    expect([at("chain depth"), at("chain depth without setup"), at("mean exploit run")]).toEqual([4, 4, 3]);
  });

  it("means pool traces, and a trace without runs is left out of mean runs", () => {
    const means = meansOf([trace("a", "CK"), trace("a", "P"), trace("b", "CKCK")]);
    expect([means.traces, means.problems]).toEqual([3, 2]);
    expect(means.of("compute")?.value).toBe(1);
    expect(means.of("mean exploit run")?.value).toBe(3);
    const { low, high } = means.of("chain depth")!;
    // Only "a" gives 1, only "b" gives 4: the ends of what drawing two problems can give.
    expect([low, high]).toEqual([1, 4]);
  });

  it("one problem has a mean but no interval, none has neither", () => {
    expect(meansOf([trace("a", "CK")]).of("chain depth")).toEqual({ value: 2 });
    expect(meansOf([trace("a", "P")]).of("mean exploit run")).toBeUndefined();
    expect(meansOf([]).of("compute")).toBeUndefined();
  });
});

describe("labels", () => {
  const response =
    "<reasoning> \n plan scan \n comp 1 : 2 > 3 check 4 ok \n hyp 5 \n </reasoning> \n <answer> 1 </answer>";

  it("spans of the terse language carry the labels that its grammar reads", () => {
    const spans = grammarLabeller.spans(response);
    expect(spans.map(({ label }) => label)).toEqual(grammarLabeller.labels(response));
    expect(spans.map(({ text }) => text)).toEqual(["plan scan", "comp 1 : 2 > 3", "check 4 ok", "hyp 5"]);
    const broken = "15 3 : 13 comp 2 \n\n back sum so x";
    expect(terseSpans(broken).flatMap(({ label }) => label ?? [])).toEqual(terseLabels(broken));
  });

  it("knows the terse language from English", () => {
    expect(looksTerse([response])).toBe(true);
    expect(looksTerse(["<think>Let me check the first row.\nSo it is 4.</think> 4"])).toBe(false);
    expect(looksTerse([])).toBe(false);
  });
});
