// Galaxies side by side with Simon Tatham's program, where it is installed: same ids, same solutions, same meaning of normal.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { galaxies } from "../../src/puzzles/galaxies/index.ts";

const program = "/usr/games/sgt-galaxies";
const installed = existsSync(program);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "galaxies-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Saved = { readonly id: string; readonly move: string };

/** Runs the original with solutions saved, and reads what it saved. */
function original(args: readonly string[], input = ""): Saved[] {
  const prefix = mkdtempSync(join(folder, "run-"));
  const save = ["--save", join(prefix, "p"), "--save-suffix", ".sav", "--with-solutions"];
  spawnSync(program, [...save, ...args], { input, encoding: "utf8" });
  return readdirSync(prefix).flatMap((name) => {
    const text = readFileSync(join(prefix, name), "latin1");
    const field = (key: string) => new RegExp(`^${key} *:\\d+:(.*)$`, "m").exec(text)?.[1];
    const [params, desc, move] = [field("PARAMS"), field("DESC"), field("SOLVE")];
    if (params === undefined || desc === undefined || move === undefined) return [];
    return [{ id: `${/^\d+x\d+/.exec(params)![0]}:${desc}`, move }];
  });
}

describe.skipIf(!installed)(`galaxies beside ${program}${installed ? "" : " (not installed: skipped)"}`, () => {
  it.each(["3x3dn", "4x6dn", "7x7dn", "10x10dn", "15x15dn", "25x25dn"])(
    "solves its %s as it does, and calls them normal",
    (params) => {
      const saved = original(["--generate", params === "25x25dn" ? "2" : "20", params]);
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
    const saved = original(["--generate", "40", "10x10du"]);
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
      expect(original([], `${id}\n`)).toEqual([{ id, move: galaxies.writeMove(instance, solution) }]);
    }
  });

  it("accepts and refuses the same ids", () => {
    const random = Random.from("ids");
    for (let draw = 0; draw < 40; draw++) {
      const letters = Array.from({ length: random.below(6) }, () => random.pick([..."abcdefgjklmnopqxyzABGMYZ!1"]));
      const id = `${3 + random.below(2)}x${3 + random.below(2)}:${letters.join("")}`;
      const { status, stderr } = spawnSync(program, ["--save", join(folder, "id"), "--save-suffix", ".sav"], {
        input: `${id}\n`,
        encoding: "utf8",
      });
      const refused = status !== 0 && stderr.includes("error parsing");
      const read = () => galaxies.readId(id);
      if (refused) expect(read, id).toThrow();
      else expect(read, id).not.toThrow();
    }
  });
});
