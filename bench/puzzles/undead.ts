// `npx tsx bench/puzzles/undead.ts`: Undead where the table of `npm run bench:puzzles` does not look. Levels beside the
// original's, boards beyond its size, mazes that nobody made to be solvable, and what answers without thought earn.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Random } from "../../src/base/random.ts";
import { type UndeadInstance, type UndeadParams, undead } from "../../src/puzzles/undead/index.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";

const levels = ["easy", "normal", "tricky"] as const;
const program = "/usr/games/sgt-undead";

function cpuMilliseconds<T>(work: () => T): { readonly result: T; readonly spent: number } {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { result, spent: (user + system) / 1000 };
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  for (const row of [head, head.map(() => "---"), ...rows]) console.log(`| ${row.join(" | ")} |`);
  console.log();
}

function labelsBesideTheOriginal(): void {
  const rows = (
    [
      ["3x3dn", 40],
      ["3x3dt", 500],
      ["4x4de", 2000],
      ["4x4dn", 1000],
      ["4x4dt", 2000],
      ["5x5de", 2000],
      ["5x5dn", 1000],
      ["5x5dt", 2000],
      ["6x6dn", 100],
      ["7x7de", 2000],
      ["7x7dn", 60],
      ["7x7dt", 60],
    ] as const
  ).map(([params, count]) => {
    const { stdout } = spawnSync(program, ["--generate", String(count), `${params}#labels`], { encoding: "utf8" });
    const instances = stdout.trim().split("\n").map(undead.readId);
    const wanted = undead.readParams(params).difficulty;
    const same = instances.filter((instance) => undead.difficulty(instance) === wanted);
    const steady = instances.filter((instance) =>
      undead.images(instance).every((image) => undead.difficulty(image) === wanted),
    );
    return [params, instances.length, same.length, steady.length];
  });
  table(["the original's", "puzzles", "same level", "same level in every image"], rows);
}

function largeBoards(): void {
  const rows = [8, 10, 12, 14].flatMap((side) =>
    levels.map((difficulty) => {
      const count = side < 12 ? 60 : 15;
      const random = Random.from("large").child(side, difficulty);
      const params = { width: side, height: side, difficulty };
      const made = cpuMilliseconds(() =>
        Array.from({ length: count }, (_, i) => undead.generate(params, random.child(i))),
      );
      const solved = cpuMilliseconds(() =>
        made.result.filter(({ instance }) => undead.solve(instance).status === "unique"),
      );
      const share = made.result.reduce((sum, { instance }) => sum + largestShare(instance), 0) / count;
      return [
        `${side}x${side} ${difficulty}`,
        (made.spent / count).toFixed(1),
        (solved.spent / count).toFixed(2),
        solved.result.length === count ? "all" : `${solved.result.length} of ${count}`,
        `${(100 * share).toFixed(0)}%`,
      ];
    }),
  );
  table(["board", "CPU-ms to make", "CPU-ms to solve", "unique", "most frequent monster"], rows);
}

function largestShare({ totals }: UndeadInstance): number {
  const counts = [totals.ghosts, totals.vampires, totals.zombies];
  return Math.max(...counts) / (counts[0] + counts[1] + counts[2]);
}

/** Mazes filled at random, as they are and with one sighting changed. */
function mazesByChance(): void {
  const rows = [7, 10, 13, 16].flatMap((side) =>
    ["as it is", "one sighting changed"].map((kind) => {
      const statuses = new Map<string, number>();
      let worst = 0;
      let total = 0;
      const count = 60;
      for (let draw = 0; draw < count; draw++) {
        const random = Random.from("chance").child(side, draw);
        const instance = mazeByChance(side, random, kind !== "as it is");
        const { result, spent } = cpuMilliseconds(() => undead.solve(instance).status);
        statuses.set(result, (statuses.get(result) ?? 0) + 1);
        worst = Math.max(worst, spent);
        total += spent;
      }
      const found = [...statuses].sort().map(([status, times]) => `${times} ${status}`);
      return [`${side}x${side} ${kind}`, found.join(", "), (total / count).toFixed(1), worst.toFixed(0)];
    }),
  );
  table(["filled at random", "found", "mean CPU-ms", "worst"], rows);
}

function mazeByChance(side: number, random: Random, changed: boolean): UndeadInstance {
  const mirrors = Array.from({ length: side * side }, () => (random.chance(0.4) ? random.pick(["L", "R"]) : "a"));
  const open = mirrors.filter((cell) => cell === "a").length;
  const blank = `${side}x${side}:0,0,${open},${mirrors.join("")}${",0".repeat(4 * side)}`;
  const cells = undead.readId(blank).cells.replaceAll(".", () => random.pick(["G", "V", "Z"]));
  const instance = instanceShowing(side, cells);
  if (!changed) return instance;
  const top = [...instance.sightings.top];
  const at = random.below(side);
  top[at] = Math.max(0, top[at] + random.pick([-1, 1]));
  return { ...instance, sightings: { ...instance.sightings, top } };
}

/** The instance whose solution a filled board is, by a walk of its own. */
function instanceShowing(side: number, filled: string): UndeadInstance {
  const count = (symbol: string) => [...filled].filter((cell) => cell === symbol).length;
  const look = (x: number, y: number, dx: number, dy: number): number => {
    let seen = 0;
    let mirrored = false;
    for (; x >= 0 && y >= 0 && x < side && y < side; x += dx, y += dy) {
      const cell = filled[y * side + x];
      if (cell === "/" || cell === "\\") {
        mirrored = true;
        [dx, dy] = cell === "\\" ? [dy, dx] : [-dy, -dx];
      } else if (cell === "Z" || (cell === "G") === mirrored) seen++;
    }
    return seen;
  };
  const along = Array.from({ length: side }, (_, at) => at);
  return {
    width: side,
    height: side,
    totals: { ghosts: count("G"), vampires: count("V"), zombies: count("Z") },
    cells: filled.replaceAll(/[GVZ]/g, "."),
    sightings: {
      top: along.map((x) => look(x, 0, 0, 1)),
      right: along.map((y) => look(side - 1, y, -1, 0)),
      bottom: along.map((x) => look(x, side - 1, 0, -1)),
      left: along.map((y) => look(0, y, 1, 0)),
    },
  };
}

function answersWithoutThought(): void {
  const rows = [4, 5, 7].flatMap((side) =>
    levels.map((difficulty) => {
      const sums = { ".": 0, G: 0, V: 0, Z: 0, most: 0 };
      const count = 300;
      for (let draw = 0; draw < count; draw++) {
        const params: UndeadParams = { width: side, height: side, difficulty };
        const { instance, solution } = undead.generate(
          params,
          Random.from("thoughtless").child(side, difficulty, draw),
        );
        const key = gradingKey(undead, instance, solution);
        const earned = (symbol: string) => {
          const cells = instance.cells.replaceAll(".", symbol);
          return gradeAnswer(key, undead.renderAnswer(instance, { cells })).parts.completion;
        };
        const { ghosts, vampires, zombies } = instance.totals;
        const most = Math.max(ghosts, vampires, zombies);
        sums.most += earned(ghosts === most ? "G" : vampires === most ? "V" : "Z") / count;
        for (const symbol of [".", "G", "V", "Z"] as const) sums[symbol] += earned(symbol) / count;
      }
      return [`${side}x${side} ${difficulty}`, ...Object.values(sums).map((sum) => sum.toFixed(3))];
    }),
  );
  table(["completion earned by", "the untouched board", "all G", "all V", "all Z", "all of the most frequent"], rows);
}

if (existsSync(program)) labelsBesideTheOriginal();
else console.log(`${program} is not installed: levels are not compared\n`);
largeBoards();
mazesByChance();
answersWithoutThought();
