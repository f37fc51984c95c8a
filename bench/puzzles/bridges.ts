// `npx tsx bench/puzzles/bridges.ts`: what `bench/puzzles.ts` does not show of Bridges. How our labels agree with those of
// Tatham's program where it is installed, how long large boards take to solve, and how fast large and rare boards are made.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Random } from "../../src/base/random.ts";
import { type BridgesInstance, bridges } from "../../src/puzzles/bridges/index.ts";
import { GenerationError } from "../../src/puzzles/puzzle.ts";

const program = "/usr/games/sgt-bridges";

function cpuMilliseconds(work: () => void): number {
  const start = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - start) / 1000;
}

function agreement(): void {
  console.log("| boards of the C program | his label | ours the same | ours easier | ours harder | cannot be read |");
  console.log("|---|---|---|---|---|---|");
  for (const shape of ["5x5", "7x7", "10x10", "15x15", "10x10m1", "7x7m3", "10x10m4", "10x10m2L", "10x10m3L"]) {
    for (const [level, label] of ["easy", "medium", "hard"].entries()) {
      if (shape.endsWith("m1") && label === "medium") continue;
      const sized = /m/.test(shape) ? shape.replace("m", "i30e10m") : `${shape}i30e10m2`;
      const run = spawnSync(program, ["--generate", "500", `${sized}d${level}#agreement`], { encoding: "utf8" });
      const counts = { same: 0, easier: 0, harder: 0, unread: 0 };
      for (const id of run.stdout.trim().split("\n")) {
        const instance = bridges.readId(id);
        if (bridges.writeId(instance) !== id) counts.unread++;
        const ours = bridges.difficulties.indexOf(bridges.difficulty(instance) ?? "");
        counts[ours === level ? "same" : ours < level ? "easier" : "harder"]++;
      }
      console.log(`| ${sized} | ${label} | ${counts.same} | ${counts.easier} | ${counts.harder} | ${counts.unread} |`);
    }
  }
}

/** Islands a few cells apart, joined by one or more bridges and by further ones where there is room: made for no single solution. */
function denseBoard(size: number, islands: number, maxBridges: number, extra: number, random: Random): BridgesInstance {
  const clues: number[] = new Array(size * size).fill(0);
  const covered = new Uint8Array(size * size);
  const cells = [random.below(size * size)];
  const stands = new Uint8Array(size * size);
  stands[cells[0]] = 1;
  const lay = (from: number, to: number, step: number) => {
    const count = 1 + random.below(maxBridges);
    for (let cell = from + step; cell < to; cell += step) covered[cell] = 1;
    clues[from] += count;
    clues[to] += count;
  };
  for (let tries = 0; cells.length < islands && tries < 1_000_000; tries++) {
    const from = random.pick(cells);
    const [step, room] = random.pick([
      [1, size - 1 - (from % size)],
      [-1, from % size],
      [size, size - 1 - Math.floor(from / size)],
      [-size, Math.floor(from / size)],
    ]);
    const distance = 2 + random.below(3);
    if (distance > room) continue;
    const to = from + distance * step;
    const path = Array.from({ length: distance }, (_, i) => from + (i + 1) * step);
    const x = to % size;
    const near = [x > 0 ? to - 1 : to, x < size - 1 ? to + 1 : to, to - size, to + size];
    if (path.some((cell) => covered[cell] || stands[cell]) || near.some((cell) => stands[cell])) continue;
    stands[to] = 1;
    cells.push(to);
    lay(Math.min(from, to), Math.max(from, to), Math.abs(step));
  }
  for (const from of cells)
    for (const step of [1, size]) {
      let to = from + step;
      const end = step === 1 ? (Math.floor(from / size) + 1) * size : size * size;
      while (to < end && !stands[to] && !covered[to]) to += step;
      if (to < end && stands[to] && random.chance(extra)) lay(from, to, step);
    }
  return { width: size, height: size, maxBridges, loops: "allowed", clues };
}

function largeBoards(): void {
  console.log(
    "\n| board | islands | solved: unique / multiple / none / gave up | median ms | worst ms |\n|---|---|---|---|---|",
  );
  const row = (name: string, instances: readonly BridgesInstance[]) => {
    const statuses: Record<string, number> = { unique: 0, multiple: 0, none: 0, "gave-up": 0 };
    const times = instances.map((instance) => cpuMilliseconds(() => statuses[bridges.solve(instance).status]++));
    times.sort((a, b) => a - b);
    const islands = instances.reduce((sum, { clues }) => sum + clues.filter((clue) => clue > 0).length, 0);
    console.log(
      `| ${name} | ${Math.round(islands / instances.length)} | ${Object.values(statuses).join(" / ")} | ${times[times.length >> 1].toFixed(1)} | ${times.at(-1)!.toFixed(1)} |`,
    );
  };
  const boards = (count: number, make: (random: Random) => BridgesInstance) =>
    Array.from({ length: count }, (_, i) => make(Random.from("large boards").child(i)));
  for (const [size, islands] of [
    [20, 100],
    [28, 200],
    [34, 300],
    [40, 400],
    [70, 1200],
  ])
    row(
      `random ${size}x${size}, two bridges`,
      boards(20, (random) => denseBoard(size, islands, 2, 0.25, random)),
    );
  row(
    "random 40x40, four bridges",
    boards(20, (random) => denseBoard(40, 400, 4, 0.25, random)),
  );
  for (const params of ["25x25d3", "50x50d2", "50x50d3", "50x50Ld3", "100x100d2"])
    row(
      `generated ${params}`,
      boards(10, (random) => bridges.generate(bridges.readParams(params), random).instance),
    );
}

function rareBoards(): void {
  console.log("\n| parameters | made / CPU-s | not found | worst ms |\n|---|---|---|---|");
  for (const params of [
    "7x7d3",
    "15x15d3",
    "25x25d3",
    "7x7m4d1",
    "7x7m1Ld1",
    "7x7m1d3",
    "50x50d0",
    "50x50d1",
    "50x50d2",
  ].concat(["50x50d3", "50x50m4d3", "100x100d1", "3x3d1", "5x5d3"])) {
    let missed = 0;
    const times = Array.from({ length: 10 }, (_, i) =>
      cpuMilliseconds(() => {
        try {
          bridges.generate(bridges.readParams(params), Random.from("rare boards").child(params, i));
        } catch (error) {
          if (!(error instanceof GenerationError)) throw error;
          missed++;
        }
      }),
    );
    const total = times.reduce((sum, time) => sum + time, 0);
    const rate = missed === 10 ? "" : ((1000 * (10 - missed)) / total).toPrecision(3);
    console.log(`| ${params} | ${rate} | ${missed} of 10 | ${Math.max(...times).toFixed(0)} |`);
  }
}

if (existsSync(program)) agreement();
else console.log("sgt-puzzles is not installed (Debian: apt-get install sgt-puzzles); labels are not compared.");
largeBoards();
rareBoards();
