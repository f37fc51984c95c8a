import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";

const draws = (random: Random, count = 8) => Array.from({ length: count }, () => random.uint32());

describe("random", () => {
  it("the same seed and path give the same numbers, whatever the parent drew in between", () => {
    const a = Random.from(7);
    const b = Random.from(7);
    draws(b, 100);
    expect(draws(a.child("test", 17))).toEqual(draws(b.child("test", 17)));
  });

  it("neighboring seeds and names share nothing", () => {
    const streams = [
      ...Array.from({ length: 200 }, (_, i) => Random.from(i)),
      ...Array.from({ length: 200 }, (_, i) => Random.from(1).child("puzzle", i)),
      Random.from(1).child("puzzle", "1"),
      Random.from(1).child("puzzle/1"),
    ];
    const numbers = streams.flatMap((random) => draws(random));
    expect(new Set(numbers).size).toBeGreaterThan(numbers.length - 3);
  });

  it("goes on after being saved as it would have gone on", () => {
    const random = Random.from("x").child("y");
    draws(random, 5);
    const saved = JSON.parse(JSON.stringify(random.save()));
    expect(draws(Random.restore(saved))).toEqual(draws(random));
    expect(draws(Random.restore(saved).child("z"))).toEqual(draws(random.child("z")));
  });

  it("below is uniform: chi-squared over 7 bins stays under its 99.99% quantile", () => {
    const random = Random.from(3);
    const counts = new Array(7).fill(0);
    const total = 70_000;
    for (let i = 0; i < total; i++) counts[random.below(7)] += 1;
    const chiSquared = counts.reduce((sum, count) => sum + (count - total / 7) ** 2 / (total / 7), 0);
    expect(chiSquared).toBeLessThan(27.86);
  });

  it("below stays below for every bound", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffffffff }), fc.integer(), (bound, seed) => {
        const draw = Random.from(seed).below(bound);
        return Number.isInteger(draw) && draw >= 0 && draw < bound;
      }),
    );
  });

  it("uniform and normal have the right first two moments", () => {
    const random = Random.from(11);
    const moments = (draw: () => number) => {
      const values = Array.from({ length: 40_000 }, draw);
      const mean = values.reduce((a, b) => a + b) / values.length;
      return [mean, values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length];
    };
    const [uniformMean, uniformVariance] = moments(() => random.uniform());
    expect(uniformMean).toBeCloseTo(0.5, 2);
    expect(uniformVariance).toBeCloseTo(1 / 12, 2);
    const [normalMean, normalVariance] = moments(() => random.normal());
    expect(Math.abs(normalMean)).toBeLessThan(0.02);
    expect(Math.abs(normalVariance - 1)).toBeLessThan(0.03);
  });

  it("shuffle keeps every item", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
        expect(sorted(Random.from(seed).shuffle([...items]))).toEqual(sorted(items));
      }),
    );
  });
});
