import { describe, expect, it } from "vitest";
import { primitives } from "../../src/rollouts/primitives.ts";
import { openings, terseMeaning } from "../../src/teaching/terse-language.ts";

describe("what a terse line says", () => {
  it("is told for every kind of step that the terse language has", () => {
    for (const primitive of primitives) {
      const rest = primitive === "plan" ? "scan" : "R1 1 : ? ? > # .";
      const told = terseMeaning(`${openings[primitive]} ${rest}`);
      if (primitive === "other") expect(told).toBeUndefined();
      else expect(told).toMatch(new RegExp(`^${primitive}: `));
    }
    expect(terseMeaning(" plan guess \n")).toContain("try");
  });

  it("is nothing for other text", () => {
    for (const text of ["", "Let me check the sum.", "hyp", "We compute 3 * 4"])
      expect(terseMeaning(text)).toBeUndefined();
  });
});
