// The solver against brute force, and the levels of mazes whose levels are known.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type UndeadInstance, undead } from "../../src/puzzles/undead/index.ts";
import { clueKey, fillings, instanceOf, randomCells, solutionsOf, someCells } from "./undead-brute-force.ts";

function expectAgreement(instance: UndeadInstance, solutions: readonly string[]): void {
  const solved = undead.solve(instance);
  const id = undead.writeId(instance);
  if (solutions.length === 0) expect(solved, id).toEqual({ status: "none" });
  else if (solutions.length === 1) expect(solved, id).toEqual({ status: "unique", solution: { cells: solutions[0] } });
  else {
    if (solved.status !== "multiple") throw new Error(`${id}: ${solved.status}`);
    const [one, other] = solved.solutions;
    expect(one).not.toEqual(other);
    expect(solutions).toContain(one.cells);
    expect(solutions).toContain(other.cells);
  }
  if (solutions.length !== 1) expect(undead.difficulty(instance), id).toBeUndefined();
}

describe("solving undead", () => {
  // All 1,757,787 solvable 3x3 instances were compared once; a test run looks at all of some mazes.
  it("agrees with brute force on every instance of sampled 3x3 mazes", () => {
    const random = Random.from("3x3 mazes");
    const statuses = new Set<string>();
    for (let maze = 0; maze < 30; maze++) {
      const cells = randomCells(3, 3, random, 0.45).map((cell) => (/[GVZ]/.test(cell) ? "." : cell));
      const byClues = new Map<string, string[][]>();
      for (const filled of fillings(cells.join(""))) {
        const key = clueKey(filled, 3);
        byClues.set(key, [...(byClues.get(key) ?? []), filled]);
      }
      for (const boards of byClues.values()) {
        if (boards.length > 1 || random.chance(0.2)) {
          const instance = instanceOf(boards[0], 3);
          expectAgreement(
            instance,
            boards.map((board) => board.join("")),
          );
          statuses.add(boards.length > 1 ? "multiple" : "unique");
        }
      }
    }
    expect([...statuses].sort()).toEqual(["multiple", "unique"]);
  });

  it("agrees with brute force on 4x4 and oblong mazes, with givens and with sightings changed", () => {
    const seen = { none: 0, unique: 0, multiple: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom([4, 4], [3, 5], [6, 3]),
        fc.integer(),
        fc.constantFrom(0, 0, 1, 2),
        ([width, height], seed, changes) => {
          const random = Random.from(seed);
          const cells = randomCells(width, height, random, 0.5);
          const given = someCells(cells, random, 0.15);
          const instance = instanceOf(cells, width, given);
          fc.pre([...instance.cells].filter((cell) => cell === ".").length <= 7);
          const top = [...instance.sightings.top];
          const left = [...instance.sightings.left];
          if (changes > 0) top[random.below(width)] += random.pick([1, 2]);
          if (changes > 1) left[random.below(height)] += random.pick([1, 2]);
          const changed = { ...instance, sightings: { ...instance.sightings, top, left } };
          const solutions = solutionsOf(changed);
          seen[solutions.length === 0 ? "none" : solutions.length === 1 ? "unique" : "multiple"]++;
          expectAgreement(changed, solutions);
        },
      ),
      { numRuns: 120 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it("settles large mazes filled at random: their own filling is never lost, and two solutions are two", () => {
    const random = Random.from("large");
    for (let draw = 0; draw < 24; draw++) {
      const side = 6 + (draw % 8);
      const cells = randomCells(side, side, random);
      const instance = instanceOf(cells, side);
      const solved = undead.solve(instance);
      if (solved.status === "unique") expect(solved.solution.cells).toBe(cells.join(""));
      else {
        if (solved.status !== "multiple") throw new Error(`${undead.writeId(instance)}: ${solved.status}`);
        for (const solution of solved.solutions) expect(undead.judge(instance, solution)).toEqual({ correct: true });
        expect(solved.solutions[0]).not.toEqual(solved.solutions[1]);
      }
    }
  });

  // 10x10 mazes with one sighting changed, on which search alone ran for 200,000 steps without an end.
  it("proves that large mazes have no solution", () => {
    const random = Random.from("refuted");
    const statuses: string[] = [];
    for (let draw = 0; draw < 40; draw++) {
      const instance = instanceOf(randomCells(10, 10, random), 10);
      const right = [...instance.sightings.right];
      right[random.below(10)] += random.pick([-1, 1]);
      const solved = undead.solve({
        ...instance,
        sightings: { ...instance.sightings, right: right.map((n) => Math.max(n, 0)) },
      });
      statuses.push(solved.status);
    }
    expect(statuses).not.toContain("gave-up");
    expect(statuses.filter((status) => status === "none").length).toBeGreaterThan(10);
  });

  // A line that starts in the middle of this block comes back to it for ever: nobody outside sees what is there.
  const block = (corner: string, middle: string, other: string) => [
    ["/", "\\", corner],
    ["\\", middle, "\\"],
    [other, "\\", "/"],
  ];

  it("finds what is shut in by mirrors from the totals", () => {
    const cells = block("Z", "G", "V").flat();
    const instance = instanceOf(cells, 3);
    expectAgreement(instance, [cells.join("")]);
    expect(solutionsOf(instance)).toEqual([cells.join("")]);
    expect(undead.difficulty(instance)).toBe("normal");
  });

  it("knows that two different monsters shut in could be swapped", () => {
    const [one, other] = [block("Z", "G", "V"), block("V", "Z", "G")];
    const cells = one.flatMap((row, at) => [...row, ...other[at]]);
    const instance = instanceOf(cells, 6);
    const solutions = solutionsOf(instance);
    expect(solutions).toHaveLength(2);
    expectAgreement(instance, solutions);
  });

  it("says how far it looked when a budget ends", () => {
    const budget = { searchSteps: 0 };
    const instance = instanceOf(randomCells(8, 8, Random.from("budget")), 8);
    expect(undead.solve(instance, budget)).toEqual({ status: "gave-up", budget });
  });

  it("takes sightings and totals that no maze has for what they are", () => {
    const instance = undead.readId("3x3:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3");
    expect(undead.solve(instance).status).toBe("unique");
    for (const top of [
      [3, 3, 4],
      [3, 3, 999_999_999],
      [3, 3, 4_294_967_299],
    ]) {
      expect(undead.solve({ ...instance, sightings: { ...instance.sightings, top } })).toEqual({ status: "none" });
    }
    for (const zombies of [8, 10, 4_294_967_305]) {
      const totals = { ghosts: 0, vampires: 0, zombies };
      expect(undead.solve({ ...instance, totals })).toEqual({ status: "none" });
    }
    expect(undead.solve(undead.readId("3x3:0,9,0,Gh,3,3,3,3,3,3,3,3,3,3,3,3"))).toEqual({ status: "none" });
  });
});

// Each made by `sgt-undead --generate 1 PARAMS`, Debian 20230122.806ae71-2.
const graded = [
  ["3x3:1,1,4,bRcRaR,2,2,1,2,2,0,0,2,2,2,2,2", "normal"],
  ["3x3:2,2,3,cRdR,1,2,3,3,2,0,0,2,3,3,0,3", "tricky"],
  ["4x4:3,4,2,aRRcRLLbRaLb,4,1,1,0,0,1,1,1,0,4,1,0,0,1,3,1", "easy"],
  ["4x4:2,6,2,aRaRaRbRbRcL,1,0,4,1,2,3,0,0,0,4,2,3,3,1,0,1", "normal"],
  ["4x4:3,5,2,bLRcRaRLbLb,2,3,0,0,1,0,3,2,2,1,1,2,0,1,3,2", "tricky"],
] as const;

describe("grading undead", () => {
  it.each(graded)("%s is %s", (id, level) => {
    expect(undead.difficulty(undead.readId(id))).toBe(level);
  });

  it("does not depend on how a maze without tricks is turned, where no pass is left to spare", () => {
    for (const image of undead.images(undead.readId(graded[2][0]))) expect(undead.difficulty(image)).toBe("easy");
    for (const image of undead.images(undead.readId(graded[4][0]))) expect(undead.difficulty(image)).toBe("tricky");
  });
});
