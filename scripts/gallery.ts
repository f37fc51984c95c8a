// `npm run gallery` writes docs/puzzles.md and its pictures: rules, a board, its prompt, its answer, what answers pay.
// The page is made, never edited; a test compares it with what this makes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { puzzles } from "../src/puzzles/catalog.ts";
import { writeGrid } from "../src/puzzles/grid-text.ts";
import { puzzlePrompt } from "../src/puzzles/prompt.ts";
import type { AnyPuzzle } from "../src/puzzles/puzzle.ts";
import { gradeAnswer, gradingKey } from "../src/puzzles/verification.ts";
import { giveaways, prompts, ratings, sizes, verifying } from "./gallery-tables.ts";

const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``;

/** Examples are chosen by hand, so that the page changes only when what it shows does. */
function section(puzzle: AnyPuzzle): { text: string; pictures: Record<string, string> } {
  const { name, example } = puzzle;
  const instance = puzzle.readId(example);
  const solved = puzzle.solve(instance);
  if (solved.status !== "unique") throw new Error(`${example} has no single solution`);
  const { solution } = solved;
  const difficulty = puzzle.difficulty(instance);
  const key = gradingKey(puzzle, instance, solution);
  const answer = puzzle.renderAnswer(instance, solution);
  const pays = (text: string) => {
    const { verdict, parts } = gradeAnswer(key, text);
    return `${verdict.verdict} | ${parts.exact} | ${parts.completion.toFixed(3)} | ${parts.reward.toFixed(3)}`;
  };
  const cells = answer.split("\n").map((row) => row.split(" "));
  const another = cells.flat().find((cell) => cell !== cells[0][0])!;
  const oneChanged = cells.map((row, r) => row.map((cell, c) => (r === 0 && c === 0 ? another : cell)));
  const untouched = writeGrid(puzzle.initialCells(instance), puzzle.size(instance).width);
  const text = [
    `## ${puzzle.title}`,
    `\`${puzzle.writeId(instance)}\` · ${difficulty} · levels: ${puzzle.difficulties.join(", ")}`,
    `![${puzzle.title}, unsolved](pictures/${name}.svg) ![${puzzle.title}, solved](pictures/${name}-solved.svg)`,
    "### Prompt",
    fenced(puzzlePrompt(puzzle, instance)),
    "### Answer",
    fenced(answer),
    "| answer | verdict | exact | completion | reward |\n|---|---|---|---|---|",
  ].join("\n\n");
  const table = [
    `| the solution | ${pays(answer)} |`,
    `| the solution with another symbol of it in its first cell | ${pays(oneChanged.map((row) => row.join(" ")).join("\n"))} |`,
    `| the board as it was given | ${pays(untouched)} |`,
  ].join("\n");
  return {
    text: `${text}\n${table}`,
    pictures: { [`${name}.svg`]: puzzle.svg(instance), [`${name}-solved.svg`]: puzzle.svg(instance, solution) },
  };
}

/** The whole page and its pictures by file name. */
export function gallery(): { page: string; pictures: Record<string, string> } {
  const sections = puzzles.map(section);
  const page = [
    "# The puzzles",
    "<!-- Made by `npm run gallery`; edit scripts/gallery.ts instead. -->",
    "Constraint puzzles, all but Flow Free from Simon Tatham's collection. Each is generated with exactly one solution, solved completely, shown to a model and verified by its rules. The reward is exact + completion + 0.1 · format; here every answer is taken to be in the right format.",
    ...sections.map(({ text }) => text),
    sizes,
    ratings,
    verifying,
    prompts(),
    giveaways(),
  ].join("\n\n");
  return { page: `${page}\n`, pictures: Object.assign({}, ...sections.map(({ pictures }) => pictures)) };
}

if (import.meta.filename === process.argv[1]) {
  const docs = join(import.meta.dirname, "../docs");
  const { page, pictures } = gallery();
  mkdirSync(join(docs, "pictures"), { recursive: true });
  writeFileSync(join(docs, "puzzles.md"), page);
  for (const [name, svg] of Object.entries(pictures)) writeFileSync(join(docs, "pictures", name), `${svg}\n`);
  console.log(`wrote docs/puzzles.md and ${Object.keys(pictures).length} pictures`);
}
