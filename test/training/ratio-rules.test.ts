// What the golden values of TRL do not show: where GSPO and the token ratio stop, DAPO's additions.
import { describe, expect, it } from "vitest";
import { isMixed, overlongBounds, overlongPenalty } from "../../src/training/dapo.ts";
import { grpoUpdates } from "../../src/training/grpo.ts";
import { gspoUpdate } from "../../src/training/gspo.ts";
import { expectClose, times } from "./close.ts";

describe("gspo", () => {
  it("stops by the sign of the advantage: only where a larger step would still pay", () => {
    const clip = { below: 0.1, above: 0.1 };
    expect(gspoUpdate([-0.5], [-1], 1, clip)).toMatchObject({ clipped: true, tokenWeight: 0 });
    expect(gspoUpdate([-0.5], [-1], -1, clip).clipped).toBe(false);
    expect(gspoUpdate([-1.5], [-1], -1, clip)).toMatchObject({ clipped: true, tokenWeight: 0 });
    expect(gspoUpdate([-1.5], [-1], 1, clip).clipped).toBe(false);
    expect(gspoUpdate([-1.5], [-1], 0, clip).clipped).toBe(false);
  });

  it("a ratio beyond e¹⁰ is held and pushes nothing", () => {
    const update = gspoUpdate([-1], [-500], -1, { below: 0.1, above: 0.1 });
    expect(update.ratio).toBeCloseTo(Math.exp(10), 6);
    expect(update.tokenWeight).toBe(0);
  });
});

describe("token ratio", () => {
  const ratios = [0.7, 1, 1.25, 1.3, 3.5];
  const current = ratios.map(Math.log);
  const sampled = times(5, 0);
  it("says which tokens it stopped and what the objective is", () => {
    const { clipped, terms } = grpoUpdates(current, sampled, times(5, -1), { below: 0.2, above: 0.28, dual: 3 });
    expect([...clipped]).toEqual([1, 0, 0, 0, 1]);
    expectClose(terms, [-0.8, -1, -1.25, -1.3, -3], 1e-12);
  });

  it("a log-ratio beyond ±20 is held and pushes nothing", () => {
    expectClose(grpoUpdates([0], [-30], [-1], { below: 0.2, above: 0.2 }).weights, [0]);
  });
});

describe("dapo", () => {
  it("penalizes the last stretch of length, to −1 and no further", () => {
    expectClose(
      [16384, 16385, 17408, 18432, 20480, 21504].map((tokens) => overlongPenalty(tokens, overlongBounds({}, 20_480))),
      [0, -0.000244140625, -0.25, -0.5, -1, -1],
      1e-12,
    );
  });
  it("follows the longest response that is sampled, unless told; and is refused where it could not act", () => {
    expect(overlongBounds({}, 512)).toEqual({ maxTokens: 512, buffer: 103 });
    expect(overlongBounds({ buffer: 12 }, 512)).toEqual({ maxTokens: 512, buffer: 12 });
    expect(overlongBounds({ maxTokens: 600 }, 512)).toEqual({ maxTokens: 600, buffer: 120 });
    expect(() => overlongBounds({ maxTokens: 20_480, buffer: 4096 }, 512)).toThrow(/would never act; lower maxTokens/);
    expect(() => overlongBounds({ buffer: 4096 }, 512)).toThrow(/on every response; lower buffer/);
  });
  it("keeps groups with right and wrong rollouts, and groups of one", () => {
    const groups = ["1111", "0000", "1000", "1101", "1"].map((verdicts) => [...verdicts].map((v) => v === "1"));
    expect(groups.map(isMixed)).toEqual([false, false, true, true, true]);
  });
});
