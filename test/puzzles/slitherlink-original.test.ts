// Slitherlink side by side with Simon Tatham's Loopy, where it is installed: same ids, same solutions, same levels.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { originalProgram } from "./original-program.ts";

const original = originalProgram("loopy");

describe.skipIf(!original.installed)(original.title, () => {
  it.each([
    ["3x3t0de", 40],
    ["3x3t0dn", 10],
    ["3x3t0dt", 40],
    ["3x3t0dh", 40],
    ["4x4t0dn", 40],
    ["5x5t0de", 60],
    ["5x5t0dn", 60],
    ["5x5t0dt", 60],
    ["5x5t0dh", 60],
    ["7x7t0dt", 40],
    ["7x7t0dh", 40],
    ["6x9t0dh", 20],
    ["10x10t0de", 20],
    ["10x10t0dh", 10],
  ] as const)("solves its %s as it does, and gives them the same level", (params, count) => {
    const saved = original.run(["--generate", String(count), `${params}#5`]).saved;
    expect(saved).toHaveLength(count);
    const { difficulty } = slitherlink.readParams(params);
    for (const { id, move } of saved) {
      const instance = slitherlink.readId(id);
      expect(slitherlink.writeId(instance)).toBe(id);
      const solved = slitherlink.solve(instance);
      if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
      expect(slitherlink.writeMove(instance, solved.solution)).toBe(move);
      expect(slitherlink.readMove(instance, move)).toEqual(solved.solution);
      expect(slitherlink.difficulty(instance), id).toBe(difficulty);
    }
  });

  it("has its own ids accepted and solved the same way", () => {
    const random = Random.from("beside the original");
    for (let draw = 0; draw < 24; draw++) {
      const difficulty = (["easy", "normal", "tricky", "hard"] as const)[draw % 4];
      const params = { width: 3 + random.below(5), height: 3 + random.below(5), difficulty };
      const { instance, solution } = slitherlink.generate(params, random);
      const id = slitherlink.writeId(instance);
      expect(original.run([], `${id}\n`).saved).toEqual([{ id, move: slitherlink.writeMove(instance, solution) }]);
    }
  });

  it("accepts and refuses the same ids", () => {
    const random = Random.from("ids");
    let refusals = 0;
    for (let draw = 0; draw < 60; draw++) {
      const { instance } = slitherlink.generate({ width: 3, height: 4, difficulty: "easy" }, random);
      const right = slitherlink.writeId(instance);
      const at = right.indexOf(":") + 1 + random.below(right.length - 6);
      const id = right.slice(0, at) + random.pick(["", "1", "4", "a", "!", "b0"]) + right.slice(at + random.below(2));
      const refused = original.refuses(id);
      const read = () => slitherlink.readId(id);
      if (refused) expect(read, id).toThrow();
      else expect(read, id).not.toThrow();
      if (refused) refusals++;
    }
    expect(refusals).toBeGreaterThan(20);
    expect(refusals).toBeLessThan(60);
  });
});
