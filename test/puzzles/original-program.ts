// Simon Tatham's programs, where they are installed: what they generate or are given, with their own solutions.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export type Saved = { readonly id: string; readonly move: string };

export type Original = {
  readonly installed: boolean;
  /** For the name of a suite: says why it is skipped, where it is. */
  readonly title: string;
  /** Runs it with solutions saved, and reads what it saved and said. */
  readonly run: (args: readonly string[], input?: string) => { readonly saved: Saved[]; readonly complaint: string };
  /** Whether it cannot read an id; one that it reads and cannot solve is not refused. */
  readonly refuses: (id: string) => boolean;
};

export function originalProgram(puzzle: string): Original {
  const program = `/usr/games/sgt-${puzzle}`;
  const installed = existsSync(program);
  const folder = mkdtempSync(join(tmpdir(), `original-${puzzle}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    installed,
    title: `${puzzle} beside ${program}${installed ? "" : " (not installed: skipped)"}`,
    run: (args, input = "") => {
      const prefix = mkdtempSync(join(folder, "run-"));
      const save = ["--save", join(prefix, "p"), "--save-suffix", ".sav", "--with-solutions"];
      const { stderr } = spawnSync(program, [...save, ...args], { input, encoding: "utf8" });
      const saved = readdirSync(prefix).flatMap((name) => {
        const text = readFileSync(join(prefix, name), "latin1");
        const field = (key: string) => new RegExp(`^${key} *:\\d+:(.*)$`, "m").exec(text)?.[1];
        const [params, desc, move] = [field("PARAMS"), field("DESC"), field("SOLVE")];
        if (params === undefined || desc === undefined || move === undefined) return [];
        // Difficulty and the like are for making puzzles; an id has the size and the kind of grid alone.
        const kind = params.replace(/i\d+e\d+/, "").replace(/d\w$/, "");
        // Islands that are done and lanes without a bridge may be marked, which is no part of a solution.
        return [{ id: `${kind}:${desc}`, move: move.replaceAll(/;[MN][\d,]+/g, "") }];
      });
      return { saved, complaint: stderr };
    },
    refuses: (id) => {
      const save = ["--save", join(folder, "id"), "--save-suffix", ".sav"];
      const { status, stderr } = spawnSync(program, save, { input: `${id}\n`, encoding: "utf8" });
      return status !== 0 && stderr.includes("error parsing");
    },
  };
}
