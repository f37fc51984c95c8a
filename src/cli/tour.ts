// `repertoire tour`: the shortest look at what is here, one puzzle of each kind made, solved and verified.
import { Command } from "commander";
import pc from "picocolors";
import { Random } from "../base/random.ts";
import { puzzles } from "../puzzles/catalog.ts";
import { writeGrid } from "../puzzles/grid-text.ts";
import type { AnyPuzzle } from "../puzzles/puzzle.ts";
import { gradeAnswer, gradingKey } from "../puzzles/verification.ts";
import { type FlagValues, flag, withFlags } from "./flags.ts";

const tourFlags = [flag("--seed <seed>", "another seed draws other puzzles", "1")];

export function tourCommand(): Command {
  return withFlags(new Command("tour"), tourFlags)
    .addHelpText("after", "\nExample:\n  repertoire tour --seed 7")
    .action(({ seed }: FlagValues<typeof tourFlags>) => {
      for (const puzzle of puzzles) showPuzzle(puzzle, Random.from(seed).child("tour", puzzle.name));
      console.log(
        `Every answer above was verified by the rules alone. ${pc.bold("repertoire puzzles --help")} shows what else they can do.`,
      );
    });
}

function showPuzzle(puzzle: AnyPuzzle, random: Random): void {
  const { instance, solution, difficulty } = puzzle.generate(puzzle.readParams(puzzle.usual.tour), random);
  const solved = puzzle.solve(instance);
  const key = gradingKey(puzzle, instance, solution);
  const right = gradeAnswer(key, puzzle.renderAnswer(instance, solution));
  const untouched = gradeAnswer(key, writeGrid(puzzle.initialCells(instance), puzzle.size(instance).width));
  console.log(`${pc.bold(puzzle.title)}  ${puzzle.writeId(instance)}  ${pc.dim(difficulty)}\n`);
  console.log(
    sideBySide(puzzle.draw(instance), puzzle.draw(instance, solved.status === "unique" ? solved.solution : solution)),
  );
  console.log(`\n  solver: ${solved.status} solution`);
  console.log(`  its answer: ${pc.green(right.verdict.verdict)}, reward ${right.parts.reward.toFixed(2)}`);
  console.log(`  the board as given: ${untouched.verdict.verdict}, reward ${untouched.parts.reward.toFixed(2)}\n`);
}

function sideBySide(left: string, right: string): string {
  const [a, b] = [left.split("\n"), right.split("\n")];
  const width = Math.max(...a.map((line) => line.length));
  return Array.from(
    { length: Math.max(a.length, b.length) },
    (_, i) => `  ${(a[i] ?? "").padEnd(width)}     ${b[i] ?? ""}`,
  ).join("\n");
}
