// Sequences, motifs, categories and depth: hand-made traces with their numbers worked out beside them, the paper's worked
// examples, and brute force on random ones.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Primitive, primitives } from "../../src/rollouts/primitives.ts";
import { categoryAt, categoryCounts } from "../../src/traces/categories.ts";
import { chainDepth, exploitRuns, meanExploitRun } from "../../src/traces/depth.ts";
import {
  motifCode,
  motifCounts,
  motifLengths,
  motifOfCode,
  noiseThreshold,
  nonOverlappingCount,
} from "../../src/traces/motifs.ts";
import {
  labelsOf,
  paperAlphabet,
  primitiveCounts,
  readSequence,
  sequenceOf,
  writeSequence,
} from "../../src/traces/sequence.ts";

const namedMotifs = Object.fromEntries(paperAlphabet.motifs.map(({ name, codes }) => [name, codes]));
const trigramCategory = (sequence: Uint8Array, start: number) => categoryAt(sequence, start, 3)?.name;
const fivegramCategory = (sequence: Uint8Array, start: number) => categoryAt(sequence, start, 5)?.name;
const countsOf = (length: number) => (sequence: Uint8Array) => {
  const counts = categoryCounts(sequence);
  return Object.fromEntries(
    paperAlphabet.categories.flatMap((category, i) => (category.length === length ? [[category.name, counts[i]]] : [])),
  );
};
const [trigramCategoryCounts, fivegramCategoryCounts] = [countsOf(3), countsOf(5)];

const labels = fc.array(fc.constantFrom(...primitives), { maxLength: 40 });
/** Two or three kinds only, so that long motifs and long runs really occur. */
const dense = fc.array(fc.constantFrom<Primitive>("compute", "check", "compute", "check", "other"), { maxLength: 40 });
const anySequence = fc.oneof(labels, dense);

describe("sequences", () => {
  test("a letter a primitive, there and back", () => {
    expect(writeSequence(sequenceOf(["setup", "compute", "check", "summarize", "other"]))).toBe("SCKZO");
    fc.assert(
      fc.property(labels, (list) => {
        expect(labelsOf(readSequence(writeSequence(sequenceOf(list))))).toEqual(list);
      }),
    );
    expect(() => readSequence("SCX")).toThrow('unknown primitive letter "X"');
  });
  test("counts follow the order of the primitives", () => {
    expect(primitiveCounts(readSequence("SCKCKOZ"))).toEqual([0, 1, 0, 0, 2, 2, 0, 1, 1]);
  });
});

describe("chain depth", () => {
  const depthOf = (text: string) => chainDepth(sequenceOf(text.split(" ") as Primitive[]));

  test("the paper's worked examples", () => {
    // Problem 1, SFT.
    expect(depthOf("compute check")).toBe(2);
    // Problem 1, vanilla GSPO: six in a row, then an enumeration, then three more.
    expect(depthOf("compute check compute check compute check enumerate check compute check summarize")).toBe(6);
    // Problem 2, SFT and vanilla GSPO.
    expect(depthOf("setup compute summarize")).toBe(2);
    expect(depthOf("setup compute check compute check compute check summarize compute")).toBe(7);
    // Problem 3, the failure of vanilla GSPO; problem 4, the same.
    expect(depthOf("compute check")).toBe(2);
    expect(depthOf("setup compute compute check")).toBe(4);
  });

  test("runs of a worked sequence: C K | H | S C | O | K → 2, 2, 1", () => {
    const sequence = readSequence("CKHSCOK");
    expect(exploitRuns(sequence)).toEqual([2, 2, 1]);
    expect(chainDepth(sequence)).toBe(2);
    expect(meanExploitRun(sequence)).toBeCloseTo(5 / 3, 12);
    // Without setup: C K, C, K.
    expect(exploitRuns(sequence, paperAlphabet.exploitStrict)).toEqual([2, 1, 1]);
  });

  test("no exploitation: depth 0 and no mean run", () => {
    expect(chainDepth(readSequence("PHB"))).toBe(0);
    expect(meanExploitRun(readSequence("PHB"))).toBeUndefined();
    expect(chainDepth(readSequence(""))).toBe(0);
  });

  test("is the longest slice that is all exploitation (brute force)", () => {
    fc.assert(
      fc.property(anySequence, (list) => {
        let longest = 0;
        for (let i = 0; i < list.length; i++)
          for (let j = i + 1; j <= list.length; j++)
            if (list.slice(i, j).every((label) => ["compute", "check", "setup"].includes(label)))
              longest = Math.max(longest, j - i);
        expect(chainDepth(sequenceOf(list))).toBe(longest);
        const exploiting = list.filter((label) => ["compute", "check", "setup"].includes(label)).length;
        expect(exploitRuns(sequenceOf(list)).reduce((a, b) => a + b, 0)).toBe(exploiting);
      }),
    );
  });
});

describe("motifs", () => {
  test("codes and motifs are the same thing, up to length fifteen", () => {
    const reasoning = primitives.slice(0, 8);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...reasoning), { minLength: 2, maxLength: 15 }), (motif) => {
        expect(motifOfCode(motifCode(motif), motif.length)).toEqual(motif);
        expect(Number.isSafeInteger(motifCode(motif))).toBe(true);
      }),
    );
  });

  test("the paper's break: [check, other, setup] holds no bigram check→setup", () => {
    expect(motifCounts([readSequence("KOS")], 2, paperAlphabet, 1)).toEqual([]);
  });

  test("frequency of a worked pair of traces", () => {
    // KCKC has three bigram positions: KC twice, CK once. KCO has two: KC once, and one that the break spoils.
    // KC: (2/3 + 1/2) / 2 = 7/12; CK: (1/3 + 0) / 2 = 1/6.
    const [first, second] = motifCounts([readSequence("KCKC"), readSequence("KCO")], 2, paperAlphabet, 1);
    expect(first).toMatchObject({ motif: ["check", "compute"], count: 3, traces: 2 });
    expect(first.frequency).toBeCloseTo(7 / 12, 12);
    expect(second).toMatchObject({ motif: ["compute", "check"], count: 1, traces: 1 });
    expect(second.frequency).toBeCloseTo(1 / 6, 12);
  });

  test("noise is below 5 up to length five and below 10 beyond", () => {
    expect(motifLengths()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect([2, 5, 6, 15].map(noiseThreshold)).toEqual([5, 5, 10, 10]);
    const nine = Array.from({ length: 9 }, () => readSequence("CKCKCK"));
    expect(motifCounts(nine, 6)).toEqual([]);
    expect(motifCounts([...nine, readSequence("CKCKCK")], 6)).toHaveLength(1);
    expect(motifCounts(nine.slice(0, 4), 5)).toEqual([]);
  });

  test("windows are those of brute force over slices", () => {
    fc.assert(
      fc.property(fc.array(anySequence, { maxLength: 4 }), fc.integer({ min: 2, max: 15 }), (lists, k) => {
        const expected = new Map<string, { count: number; frequency: number; traces: Set<number> }>();
        lists.forEach((list, trace) => {
          for (let i = 0; i + k <= list.length; i++) {
            const window = list.slice(i, i + k);
            if (window.includes("other")) continue;
            const entry = expected.get(window.join()) ?? { count: 0, frequency: 0, traces: new Set() };
            entry.count += 1;
            entry.frequency += 1 / (list.length - k + 1) / lists.length;
            entry.traces.add(trace);
            expected.set(window.join(), entry);
          }
        });
        const counted = motifCounts(
          lists.map((list) => sequenceOf(list)),
          k,
          paperAlphabet,
          1,
        );
        expect(counted.length).toBe(expected.size);
        for (const { motif, count, frequency, traces } of counted) {
          const entry = expected.get(motif.join())!;
          expect(count).toBe(entry.count);
          expect(frequency).toBeCloseTo(entry.frequency, 12);
          expect(traces).toBe(entry.traces.size);
        }
      }),
    );
  });

  test("the table grows past its first size without losing a count", () => {
    // Every sequence of five reasoning primitives over four kinds: 4^5 = 1024 distinct motifs, each once.
    const kinds = "PSCK";
    const all = Array.from({ length: 1024 }, (_, i) =>
      readSequence([0, 1, 2, 3, 4].map((position) => kinds[Math.floor(i / 4 ** position) % 4]).join("")),
    );
    const counted = motifCounts(all, 5, paperAlphabet, 1);
    expect(counted).toHaveLength(1024);
    expect(counted.every((motif) => motif.count === 1 && motif.traces === 1)).toBe(true);
  });

  test("named motifs are counted without overlap: KCKCKCK holds KCK twice, KCKCK once", () => {
    const sequence = readSequence("KCKCKCK");
    // Positions 0–2 and 4–6; the match at 2–4 shares its ends.
    expect(nonOverlappingCount(sequence, namedMotifs["check→compute→check"])).toBe(2);
    expect(nonOverlappingCount(sequence, namedMotifs["check→compute→check→compute→check"])).toBe(1);
    expect(nonOverlappingCount(sequence, namedMotifs["compute→check"])).toBe(3);
    expect(nonOverlappingCount(readSequence("KCOCK"), namedMotifs["check→compute→check"])).toBe(0);
  });

  test("non-overlapping counts are those of a regular expression over the letters", () => {
    fc.assert(
      fc.property(dense, (list) => {
        const sequence = sequenceOf(list);
        const matches = writeSequence(sequence).match(/KCK/g)?.length ?? 0;
        expect(nonOverlappingCount(sequence, namedMotifs["check→compute→check"])).toBe(matches);
      }),
    );
  });
});

describe("categories", () => {
  test("worked trigrams", () => {
    const category = (text: string) => trigramCategory(readSequence(text), 0);
    expect(category("HCB")).toBe("recovery");
    expect(category("BHH")).toBe("recovery");
    expect(category("CKC")).toBe("exploitation");
    expect(category("KCK")).toBe("verification");
    expect(category("KOK")).toBe("verification");
    // A sticky check and a recovery middle are not verification.
    expect(category("KKK")).toBeUndefined();
    expect(category("KHK")).toBeUndefined();
    expect(category("KBK")).toBeUndefined();
    expect(category("CKS")).toBeUndefined();
  });

  test("worked sequence CKCKHBK: CKC, KCK, CKH, KHB, HBK → 1 exploitation, 1 verification, 2 recovery", () => {
    // A window must lie in the sequence.
    expect(trigramCategory(readSequence("CKHBK"), 2)).toBe("recovery");
    expect(trigramCategory(readSequence("CKHB"), 2)).toBeUndefined();
    expect(trigramCategoryCounts(readSequence("CKCKHBK"))).toEqual({ exploitation: 1, verification: 1, recovery: 2 });
  });

  test("worked fivegrams", () => {
    const category = (text: string) => fivegramCategory(readSequence(text), 0);
    expect(category("KCKCK")).toBe("exploitation");
    expect(category("KCKSK")).toBe("verification");
    expect(category("KOKPK")).toBe("verification");
    expect(category("KKKCK")).toBeUndefined();
    expect(category("KHKCK")).toBeUndefined();
    expect(fivegramCategoryCounts(readSequence("KCKCKSK"))).toEqual({ exploitation: 1, verification: 1 });
  });

  test("every one of the 9³ trigrams and 9⁵ fivegrams meets at most one predicate, as the paper words them", () => {
    const middle: readonly Primitive[] = ["plan", "setup", "enumerate", "compute", "summarize", "other"];
    const predicates = {
      recovery: (w: readonly Primitive[]) => w.includes("hypothesize") && w.includes("backtrack"),
      exploitation: (w: readonly Primitive[]) => w.join() === "compute,check,compute",
      verification: (w: readonly Primitive[]) => w[0] === "check" && w[2] === "check" && middle.includes(w[1]),
    };
    for (const a of primitives)
      for (const b of primitives)
        for (const c of primitives) {
          const met = Object.entries(predicates).filter(([, holds]) => holds([a, b, c]));
          expect(met.length).toBeLessThanOrEqual(1);
          expect(trigramCategory(sequenceOf([a, b, c]), 0)).toBe(met[0]?.[0]);
        }
    let exploitation = 0;
    let verification = 0;
    for (let i = 0; i < 9 ** 5; i++) {
      const window = Uint8Array.from([0, 1, 2, 3, 4], (position) => Math.floor(i / 9 ** position) % 9);
      const category = fivegramCategory(window, 0);
      if (category === "exploitation") exploitation += 1;
      if (category === "verification") verification += 1;
    }
    // Six middles in two slots are 36 windows, one of which is the exploitation chain.
    expect([exploitation, verification]).toEqual([1, 35]);
  });
});
