// `npx tsx bench/puzzles/slitherlink.ts`: Slitherlink where the table of `npm run bench:puzzles` does not look. Levels beside the
// original's, boards that only search solves, boards that nobody made to be solvable, and what answers without thought earn.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Random } from "../../src/base/random.ts";
import { type SlitherlinkInstance, slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";

const program = "/usr/games/sgt-loopy";

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
  const rows = [3, 4, 5, 7, 10, 15].flatMap((side) =>
    slitherlink.difficulties.slice(0, 4).map((level) => {
      const params = `${side}x${side}t0d${level[0]}`;
      const count = side < 10 ? 500 : 100;
      const { stdout } = spawnSync(program, ["--generate", String(count), `${params}#labels`], { encoding: "utf8" });
      const instances = stdout.trim().split("\n").map(slitherlink.readId);
      const same = instances.filter((instance) => slitherlink.difficulty(instance) === level).length;
      const images = instances.filter((instance) =>
        slitherlink.images(instance).every((image) => slitherlink.difficulty(image) === level),
      ).length;
      return [params, instances.length, same, images];
    }),
  );
  table(["the original's", "puzzles", "same level", "same level in every image"], rows);
}

function solving(): void {
  const rows: (string | number)[][] = [];
  const row = (name: string, instances: readonly SlitherlinkInstance[]) => {
    const statuses: Record<string, number> = { unique: 0, multiple: 0, none: 0, "gave-up": 0 };
    const times = instances.map(
      (instance) => cpuMilliseconds(() => statuses[slitherlink.solve(instance).status]++).spent,
    );
    times.sort((a, b) => a - b);
    rows.push([
      name,
      Object.values(statuses).join(" / "),
      times[times.length >> 1].toFixed(1),
      times.at(-1)!.toFixed(1),
    ]);
  };
  for (const params of ["7x7t0du", "10x10t0du", "15x15t0du", "20x20t0du"]) {
    const random = Random.from("search").child(params);
    row(
      `made ${params}`,
      Array.from(
        { length: 10 },
        (_, i) => slitherlink.generate(slitherlink.readParams(params), random.child(i)).instance,
      ),
    );
  }
  for (const [side, share] of [
    [10, 0.5],
    [20, 0.5],
    [20, 0.8],
    [30, 0.8],
  ]) {
    const random = Random.from("thinned").child(side, share);
    const thinned = Array.from({ length: 10 }, (_, i) => {
      const { instance } = slitherlink.generate(slitherlink.readParams(`${side}x${side}t0de`), random.child(i));
      return { ...instance, clues: [...instance.clues].map((clue) => (random.chance(share) ? clue : ".")).join("") };
    });
    row(`${side}x${side} easy with ${100 * share}% of its clues`, thinned);
  }
  table(["board", "unique / multiple / none / gave up", "median ms", "worst ms"], rows);
}

function answersWithoutThought(): void {
  const rows = ["4x4t0de", "5x5t0de", "7x7t0dn", "10x10t0dn"].map((params) => {
    const paid = [0, 0];
    for (let i = 0; i < 50; i++) {
      const made = slitherlink.generate(slitherlink.readParams(params), Random.from("lazy").child(params, i));
      const key = gradingKey(slitherlink, made.instance, made.solution);
      for (const [at, symbol] of ["#", "."].entries()) {
        const cells = symbol.repeat(made.solution.cells.length);
        paid[at] += gradeAnswer(key, slitherlink.renderAnswer(made.instance, { cells })).parts.completion / 50;
      }
    }
    return [params, ...paid.map((mean) => mean.toFixed(3))];
  });
  table(["board", "completion of all inside", "completion of all outside"], rows);
}

if (existsSync(program)) labelsBesideTheOriginal();
else console.log("sgt-puzzles is not installed (Debian: apt-get install sgt-puzzles); labels are not compared.");
solving();
answersWithoutThought();
