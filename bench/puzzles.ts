// `npm run bench:puzzles`: puzzles made per CPU-second, ours beside Simon Tatham's C programs in the same run, and how
// many puzzles we solve and answers we verify in a second. CPU time, not wall time: other work on the machine matters less.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Random } from "../src/base/random.ts";
import { type PuzzleName, puzzleNamed, puzzles } from "../src/puzzles/catalog.ts";
import { type AnyPuzzle, GenerationError } from "../src/puzzles/puzzle.ts";
import { gradeAnswer, gradingKey } from "../src/puzzles/verification.ts";

const { values } = parseArgs({
  options: {
    puzzle: { type: "string" },
    seconds: { type: "string", default: "1" },
    match: { type: "string", default: "" },
  },
});
const seconds = Number(values.seconds);

function cpuSeconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Doubles the count until the work takes long enough to time. */
function rate(work: (count: number, from: number) => number, limit: number): { rate: number; count: number } {
  let done = 0;
  let spent = 0;
  for (let count = 1; spent < limit && count < 1 << 22; count *= 2) {
    spent += work(count, done);
    done += count;
  }
  return { rate: done / spent, count: done };
}

function ours(puzzle: AnyPuzzle, params: string): string | number {
  try {
    const read = puzzle.readParams(params);
    const random = Random.from("bench").child(puzzle.name, params);
    for (let i = 0; i < 20; i++) puzzle.generate(read, random.child("warm-up", i));
    return rate(
      (count, from) =>
        cpuSeconds(() => {
          for (let i = 0; i < count; i++) puzzle.generate(read, random.child(from + i));
        }),
      seconds,
    ).rate;
  } catch (error) {
    if (error instanceof GenerationError) return "cannot exist";
    throw error;
  }
}

function theirs({ name, original = name }: AnyPuzzle, params: string): number | undefined {
  const program = `/usr/games/sgt-${original}`;
  const generate = (count: number, from: number) => {
    const script = `TIMEFORMAT='%U %S'; time timeout 60 ${program} --generate ${count} '${params}#bench${from}' > /dev/null`;
    const { stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    const time = /([\d.]+) ([\d.]+)\s*$/.exec(stderr);
    if (status !== 0 || time === null) throw new Error(`${program} ${params}: ${stderr}`);
    return Number(time[1]) + Number(time[2]);
  };
  try {
    return rate(generate, seconds).rate;
  } catch {
    return undefined;
  }
}

const squares = (sides: readonly number[], levels: readonly string[] = [""]): string[] =>
  sides.flatMap((side) => levels.map((level) => `${side}x${side}${level}`));

/** What both programs make. */
const compared: Partial<Record<PuzzleName, readonly string[]>> = {
  bridges: squares([7, 8, 10, 15, 20, 25], ["i30e10m2d0", "i30e10m2d1", "i30e10m2d2"]),
  galaxies: squares([3, 5, 7, 10, 15], ["dn", "du"]),
  pattern: squares([3, 4, 5, 10, 15, 20, 25, 30]),
  slitherlink: squares([4, 5, 7, 10, 15, 20], ["t0de", "t0dn", "t0dt", "t0dh"]),
  undead: squares([4, 5, 7], ["de", "dn", "dt"]),
};

const show = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

const chosen = values.puzzle === undefined ? puzzles : [puzzleNamed(values.puzzle)];
const installed = spawnSync("test", ["-x", "/usr/games/sgt-bridges"]).status === 0;
if (!installed)
  console.log("sgt-puzzles is not installed (Debian: apt-get install sgt-puzzles); showing our rates alone.\n");

console.log("| puzzle | parameters | ours / CPU-s | C / CPU-s | ratio |\n|---|---|---|---|---|");
for (const puzzle of chosen) {
  for (const params of (compared[puzzle.name] ?? []).filter((row) => row.includes(values.match))) {
    const mine = ours(puzzle, params);
    const c = installed ? theirs(puzzle, params) : undefined;
    const ratio = typeof mine === "number" && c !== undefined ? `${(mine / c).toFixed(2)}x` : "";
    console.log(
      `| ${puzzle.name} | ${params} | ${typeof mine === "number" ? show(mine) : mine} | ${c === undefined ? "" : show(c)} | ${ratio} |`,
    );
  }
}

console.log("\n| puzzle | solved / CPU-s | answers verified / CPU-s |\n|---|---|---|");
for (const puzzle of chosen) {
  const small = puzzle.readParams(puzzle.usual.small);
  const problems = Array.from({ length: 64 }, (_, i) => {
    const made = puzzle.generate(small, Random.from("verify").child(puzzle.name, i));
    return {
      ...made,
      key: gradingKey(puzzle, made.instance, made.solution),
      answer: puzzle.renderAnswer(made.instance, made.solution),
    };
  });
  const each = (work: (index: number) => void) =>
    rate(
      (count) =>
        cpuSeconds(() => {
          for (let i = 0; i < count; i++) work(i & 63);
        }),
      seconds,
    ).rate;
  const solved = each((i) => puzzle.solve(problems[i].instance));
  const verified = each((i) => gradeAnswer(problems[i].key, problems[i].answer));
  console.log(`| ${puzzle.name} ${puzzle.usual.small} | ${show(solved)} | ${show(verified)} |`);
}
