// The solver beside every loop there is: what it calls unique, multiple or none must be just that.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type SlitherlinkInstance, slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { everyLoop, loopsWith } from "./slitherlink-brute-force.ts";

/** Clues of a random loop with many left out and, now and then, one changed. */
function randomInstance(width: number, height: number, random: Random): SlitherlinkInstance {
  const { numbers } = random.pick(everyLoop(width, height));
  const kept = random.uniform();
  const clues = numbers.map((number) => (random.chance(kept) ? String(number) : "."));
  if (random.chance(0.4)) clues[random.below(clues.length)] = String(random.below(5));
  return { width, height, clues: clues.join("") };
}

describe("the loops of a board", () => {
  it.each([
    // The numbers of simple cycles in square grids: OEIS A140517.
    [3, 3, 213],
    [4, 4, 9_349],
  ])("%i by %i has %i", (width, height, count) => {
    expect(everyLoop(width, height)).toHaveLength(count);
  });
});

describe("solving", () => {
  it.each([
    [3, 3, 1_500],
    [3, 4, 800],
    [4, 4, 600],
  ])("%i by %i: %i boards as brute force solves them", (width, height, count) => {
    const random = Random.from("slitherlink solver").child(width, height);
    const seen = { unique: 0, multiple: 0, none: 0 };
    for (let draw = 0; draw < count; draw++) {
      const instance = randomInstance(width, height, random.child(draw));
      const loops = loopsWith(width, height, instance.clues).map(({ cells }) => cells);
      const solved = slitherlink.solve(instance);
      const id = slitherlink.writeId(instance);
      if (loops.length === 0) expect(solved, id).toEqual({ status: "none" });
      else if (loops.length === 1) expect(solved, id).toEqual({ status: "unique", solution: { cells: loops[0] } });
      else {
        if (solved.status !== "multiple") throw new Error(`${id}: ${solved.status}, not multiple`);
        const [one, other] = solved.solutions.map(({ cells }) => cells);
        expect(one).not.toBe(other);
        expect(loops).toContain(one);
        expect(loops).toContain(other);
      }
      seen[loops.length === 0 ? "none" : loops.length === 1 ? "unique" : "multiple"] += 1;
      expect(slitherlink.difficulty(instance) !== undefined, id).toBe(loops.length === 1);
    }
    for (const outcomes of Object.values(seen)) expect(outcomes).toBeGreaterThan(count / 20);
  });

  it("a board without clues has many solutions, at any size", () => {
    for (const side of [3, 7, 20])
      expect(slitherlink.solve({ width: side, height: side, clues: ".".repeat(side * side) }).status).toBe("multiple");
  });

  it("clues that no loop can meet have none", () => {
    expect(slitherlink.solve(slitherlink.readId("3x3t0:0h")).status).toBe("multiple");
    expect(slitherlink.solve(slitherlink.readId("3x3t0:000000000")).status).toBe("none");
    // Two loops around single cells would be needed.
    expect(slitherlink.solve(slitherlink.readId("5x5t0:4w4")).status).toBe("none");
    // One is enough here.
    expect(slitherlink.solve(slitherlink.readId("3x3t0:d4d"))).toEqual({
      status: "unique",
      solution: { cells: "....#...." },
    });
  });

  it("a budget that is too small is said, and never guessed over", () => {
    const { instance, solution } = slitherlink.generate(slitherlink.readParams("10x10t0du"), Random.from("budget"));
    expect(slitherlink.solve(instance, { searchSteps: 1 })).toEqual({ status: "gave-up", budget: { searchSteps: 1 } });
    expect(slitherlink.solve(instance)).toEqual({ status: "unique", solution });
  });

  it("a thinned 30x30 board is shown to have several solutions", () => {
    const random = Random.from("thinned");
    const { instance } = slitherlink.generate(slitherlink.readParams("30x30t0de"), random);
    const thinned = {
      ...instance,
      clues: [...instance.clues].map((clue) => (random.chance(0.8) ? clue : ".")).join(""),
    };
    const solved = slitherlink.solve(thinned);
    if (solved.status !== "multiple") throw new Error(solved.status);
    for (const board of solved.solutions) expect(slitherlink.judge(thinned, board)).toEqual({ correct: true });
    expect(solved.solutions[0]).not.toEqual(solved.solutions[1]);
  });

  it("sparse large boards end within their budget", () => {
    for (let draw = 0; draw < 6; draw++) {
      const random = Random.from("sparse").child(draw);
      const { instance } = slitherlink.generate(slitherlink.readParams("15x15t0de"), random);
      const clues = [...instance.clues].map((clue) => (random.chance(0.6) ? "." : clue)).join("");
      const solved = slitherlink.solve({ ...instance, clues }, { searchSteps: 5_000 });
      expect(["multiple", "gave-up"]).toContain(solved.status);
      if (solved.status === "multiple")
        for (const board of solved.solutions)
          expect(slitherlink.judge({ ...instance, clues }, board)).toEqual({ correct: true });
    }
  });
});

describe("levels", () => {
  it("3x3 has as many puzzles as loops leave, and all are listed once", () => {
    let listed = 0;
    for (const instance of slitherlink.enumerate(slitherlink.readParams("3x3t0dh")) ?? []) {
      expect(slitherlink.difficulty(instance)).toBe("hard");
      if (++listed === 20) break;
    }
    expect(listed).toBe(20);
    const all = [...(slitherlink.enumerate({ width: 3, height: 3 }) ?? [])].map(({ clues }) => clues);
    expect(new Set(all).size).toBe(all.length);
    // Counted from the walked loops: choices of clues that one loop alone has.
    const loops = everyLoop(3, 3);
    const owners = new Map<string, number>();
    for (const { numbers } of loops)
      for (let chosen = 0; chosen < 512; chosen++) {
        const clues = numbers.map((number, cell) => ((chosen >> cell) & 1 ? number : ".")).join("");
        owners.set(clues, (owners.get(clues) ?? 0) + 1);
      }
    expect(all.length).toBe([...owners.values()].filter((count) => count === 1).length);
    expect(slitherlink.enumerate(slitherlink.readParams("4x4t0"))).toBeUndefined();
  });
});
