// Undead side by side with Simon Tatham's program, where it is installed: same ids, same solutions, same levels.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { undead } from "../../src/puzzles/undead/index.ts";
import { originalProgram } from "./original-program.ts";

const original = originalProgram("undead");

describe.skipIf(!original.installed)(original.title, () => {
  it.each([
    ["3x3de", 30],
    ["3x3dn", 3],
    ["3x3dt", 30],
    ["4x4de", 60],
    ["4x4dn", 60],
    ["4x4dt", 60],
    ["5x5dn", 60],
    ["5x5dt", 60],
    ["6x4dt", 30],
    ["4x9de", 30],
    ["7x7de", 60],
    ["7x7dn", 3],
    ["7x7dt", 3],
  ] as const)("solves its %s as it does, and gives them the same level", (params, count) => {
    const saved = original.run(["--generate", String(count), `${params}#5`]).saved;
    expect(saved).toHaveLength(count);
    const { difficulty } = undead.readParams(params);
    for (const { id, move } of saved) {
      const instance = undead.readId(id);
      expect(undead.writeId(instance)).toBe(id);
      const solved = undead.solve(instance);
      if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
      expect(undead.writeMove(instance, solved.solution)).toBe(move);
      expect(undead.readMove(instance, move)).toEqual(solved.solution);
      expect(undead.difficulty(instance), id).toBe(difficulty);
    }
  });

  it("has its own ids accepted and solved the same way", () => {
    const random = Random.from("beside the original");
    for (let draw = 0; draw < 24; draw++) {
      const difficulty = (["easy", "normal", "tricky"] as const)[draw % 3];
      const params = { width: 3 + random.below(4), height: 3 + random.below(3), difficulty };
      const { instance, solution } = undead.generate(params, random);
      const id = undead.writeId(instance);
      expect(original.run([], `${id}\n`).saved).toEqual([{ id, move: undead.writeMove(instance, solution) }]);
    }
  });

  it("accepts and refuses the same ids", () => {
    const random = Random.from("ids");
    let refusals = 0;
    for (let draw = 0; draw < 60; draw++) {
      const { instance } = undead.generate({ width: 3, height: 3, difficulty: "easy" }, random);
      const right = undead.writeId(instance);
      const at = 4 + random.below(right.length - 4);
      const id =
        right.slice(0, at) + random.pick(["", "1", ",", "a", "L", "G", "!", ",0"]) + right.slice(at + random.below(2));
      const refused = original.refuses(id);
      const read = () => undead.readId(id);
      if (refused) expect(read, id).toThrow();
      else expect(read, id).not.toThrow();
      if (refused) refusals++;
    }
    expect(refusals).toBeGreaterThan(20);
    expect(refusals).toBeLessThan(60);
  });
});
