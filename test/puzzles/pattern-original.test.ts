// Pattern side by side with Simon Tatham's program, where it is installed: same ids, same solutions, same line logic.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { originalProgram } from "./original-program.ts";

const original = originalProgram("pattern");

describe.skipIf(!original.installed)(original.title, () => {
  it.each(["1x1", "1x6", "2x2", "3x3", "4x4", "5x5", "7x4", "10x10", "15x15", "30x30", "32x20"])(
    "solves its %s as it does, by line logic",
    (params) => {
      const { saved } = original.run(["--generate", "30", params]);
      expect(saved).toHaveLength(30);
      for (const { id, move } of saved) {
        const instance = pattern.readId(id);
        expect(pattern.writeId(instance)).toBe(id);
        const solved = pattern.solve(instance);
        if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
        expect(pattern.writeMove(instance, solved.solution)).toBe(move);
        expect(pattern.readMove(instance, move)).toEqual(solved.solution);
        expect(pattern.judge(instance, solved.solution)).toEqual({ correct: true });
        expect(["easy", "normal"]).toContain(pattern.difficulty(instance));
      }
    },
  );

  it("has its own easy and normal ids accepted and solved the same way", () => {
    const random = Random.from("beside the original");
    for (let draw = 0; draw < 20; draw++) {
      const params = { width: 1 + random.below(20), height: 1 + random.below(20) };
      const { instance, solution } = pattern.generate(params, random);
      const id = pattern.writeId(instance);
      expect(original.run([], `${id}\n`).saved).toEqual([{ id, move: pattern.writeMove(instance, solution) }]);
    }
  });

  it("has its tricky ids accepted, which it cannot solve", () => {
    for (const params of ["4x4dt", "10x10dt", "12x12du"]) {
      const { instance } = pattern.generate(pattern.readParams(params), Random.from(1));
      const { complaint } = original.run([], `${pattern.writeId(instance)}\n`);
      expect(complaint).toContain("Solving algorithm cannot complete this puzzle");
    }
  });

  it("has given cells read alike", () => {
    const random = Random.from("given cells");
    for (let draw = 0; draw < 20; draw++) {
      const { instance, solution } = pattern.generate(
        { width: 2 + random.below(9), height: 2 + random.below(9) },
        random,
      );
      const prefilled = [...solution.cells].map((symbol) => (random.chance(0.1) ? symbol : "?")).join("");
      const id = pattern.writeId({ ...instance, prefilled });
      const { saved } = original.run([], `${id}\n`);
      expect(saved).toEqual([{ id, move: pattern.writeMove(instance, solution) }]);
    }
    // Where the clues leave a choice, only the given cells can tell it which solution is meant. Its solver takes full
    // cells into account and not empty ones, so these are full.
    for (const [id, move] of [
      ["2x2:1/1/1/1,Ad", "S1001"],
      ["2x2:1/1/1/1,Bc", "S0110"],
      ["2x2:1/1/1/1,D", "S1001"],
    ]) {
      expect(original.run([], `${id}\n`).saved).toEqual([{ id, move }]);
      const instance = pattern.readId(id);
      const solved = pattern.solve(instance);
      expect(solved.status === "unique" && pattern.writeMove(instance, solved.solution)).toBe(move);
    }
  });

  it("accepts and refuses the same ids", () => {
    const random = Random.from("ids");
    let accepted = 0;
    for (let draw = 0; draw < 80; draw++) {
      const wrong = random.chance(0.3) ? ["1.1", "3", "0", "1.", ";"] : [];
      const count = random.chance(0.2) ? 3 + random.below(3) : 4;
      const lines = Array.from({ length: count }, () => random.pick(["", "1", "1", "2", "02", ...wrong]));
      const givens = random.pick(["", "", "", ",e", ",Ad", ",aaaa", ",aAaAa", ",f", ",", ",c", ",Z", ",cA", ",b?"]);
      const id = `2x2:${lines.join("/")}${givens}`;
      const refused = original.refuses(id);
      if (!refused) accepted++;
      const read = () => pattern.readId(id);
      if (refused) expect(read, id).toThrow();
      else expect(read, id).not.toThrow();
    }
    expect(accepted).toBeGreaterThan(10);
  });
});
