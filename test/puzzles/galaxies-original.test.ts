// Galaxies side by side with Simon Tatham's program, where it is installed: same ids, same solutions, same meaning of normal.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { galaxies } from "../../src/puzzles/galaxies/index.ts";
import { originalProgram } from "./original-program.ts";

const original = originalProgram("galaxies");

describe.skipIf(!original.installed)(original.title, () => {
  it.each(["3x3dn", "4x6dn", "7x7dn", "10x10dn", "15x15dn", "25x25dn"])(
    "solves its %s as it does, and calls them normal",
    (params) => {
      const saved = original.run(["--generate", params === "25x25dn" ? "2" : "20", params]).saved;
      expect(saved.length).toBeGreaterThan(1);
      for (const { id, move } of saved) {
        const instance = galaxies.readId(id);
        expect(galaxies.writeId(instance)).toBe(id);
        const solved = galaxies.solve(instance);
        if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
        expect(galaxies.writeMove(instance, solved.solution)).toBe(move);
        expect(galaxies.readMove(instance, move)).toEqual(solved.solution);
        expect(galaxies.difficulty(instance)).toBe("normal");
      }
    },
  );

  // After 50 tries it settles for an easier puzzle, at this size about once in 200.
  it("solves its 10x10du as it does, and calls nearly all of them unreasonable", () => {
    const saved = original.run(["--generate", "40", "10x10du"]).saved;
    expect(saved).toHaveLength(40);
    let unreasonable = 0;
    for (const { id, move } of saved) {
      const instance = galaxies.readId(id);
      const solved = galaxies.solve(instance);
      if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
      expect(galaxies.writeMove(instance, solved.solution)).toBe(move);
      if (galaxies.difficulty(instance) === "unreasonable") unreasonable++;
    }
    expect(unreasonable).toBeGreaterThan(36);
  });

  it("has its own ids accepted and solved the same way", () => {
    const random = Random.from("beside the original");
    for (let draw = 0; draw < 15; draw++) {
      const params = { width: 3 + random.below(8), height: 3 + random.below(8), difficulty: "normal" as const };
      const { instance, solution } = galaxies.generate(params, random);
      const id = galaxies.writeId(instance);
      expect(original.run([], `${id}\n`).saved).toEqual([{ id, move: galaxies.writeMove(instance, solution) }]);
    }
  });

  it("accepts and refuses the same ids", () => {
    const random = Random.from("ids");
    for (let draw = 0; draw < 40; draw++) {
      const letters = Array.from({ length: random.below(6) }, () => random.pick([..."abcdefgjklmnopqxyzABGMYZ!1"]));
      const id = `${3 + random.below(2)}x${3 + random.below(2)}:${letters.join("")}`;
      const refused = original.refuses(id);
      const read = () => galaxies.readId(id);
      if (refused) expect(read, id).toThrow();
      else expect(read, id).not.toThrow();
    }
  });
});
