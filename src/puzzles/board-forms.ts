// The three ways in which TopoBench writes a board: drawn, and with every character of the drawing as a code, in lines or as JSON.
import { ConfigurationError } from "../base/errors.ts";
import { drawingOf, drawnRows } from "./drawn-boards.ts";
import type { AnyPuzzle } from "./puzzle.ts";

export const boardForms = ["drawn", "intformat", "intformat-json"] as const;
export type BoardForm = (typeof boardForms)[number];

function drawing(puzzle: AnyPuzzle) {
  const found = drawingOf(puzzle);
  if (found === undefined)
    throw new ConfigurationError(
      `${puzzle.name} has no other way to write its boards; leave out ${boardForms.join(", ")}`,
    );
  return found;
}

/** Says how boards are written in a form. */
export function formRules(puzzle: AnyPuzzle, form: BoardForm): string {
  const { how } = drawing(puzzle);
  if (form === "drawn") return how;
  const known = [...drawing(puzzle).codes].filter(([character]) => character !== "\n");
  const codes = known.map(([character, code]) => `${code} for ${character === " " ? "a blank" : character}`).join(", ");
  const layout =
    form === "intformat"
      ? "one row per line, with commas between the codes of a row"
      : "as JSON: a list of rows, each a list of codes as strings";
  return `${how}\nIn this puzzle every character of a drawing is written as a code: ${codes}. A board is written ${layout}.`;
}

/** A board, with an answer if there is one. */
export function inForm(puzzle: AnyPuzzle, form: BoardForm, instance: unknown, board?: unknown): string {
  const rows = drawing(puzzle).draw(instance, board);
  if (form === "drawn") return rows.join("\n");
  const codes = drawing(puzzle).codes;
  const coded = rows.map((row) =>
    [...row].map((character) => {
      const code = codes.get(character);
      if (code === undefined)
        throw new ConfigurationError(
          `${puzzle.writeId(instance)}: no code stands for ${JSON.stringify(character)}, so that this ${puzzle.title} cannot be written as integers`,
        );
      return code;
    }),
  );
  if (form === "intformat") return coded.map((row) => row.join(",")).join("\n");
  return JSON.stringify(coded.filter((row) => row.length > 0));
}

/** Rows of characters from a text in a form. */
export function rowsInForm(puzzle: AnyPuzzle, form: BoardForm, text: string): string[] | undefined {
  if (form === "drawn")
    return text
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll(/^\n+|\n+$/g, "")
      .split("\n");
  if (form === "intformat") return decoded(puzzle, codeLines(text));
  return decoded(puzzle, codeTable(text));
}

const codeLines = (text: string): string[][] =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => (line.trim() === "" ? [] : line.split(",").map((code) => code.trim())));

function codeTable(text: string): string[][] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) [value] = Object.values(value);
  if (!Array.isArray(value) || !value.every(Array.isArray)) return undefined;
  return value.map((row: unknown[]) => row.map(String));
}

function decoded(puzzle: AnyPuzzle, coded: readonly string[][] | undefined): string[] | undefined {
  const characters = new Map([...drawing(puzzle).codes].map(([character, code]) => [code, character]));
  const rows = coded?.map((row) => row.map((code) => characters.get(code)));
  return rows?.every((row) => row.every((character) => character !== undefined))
    ? rows.map((row) => row.join(""))
    : undefined;
}

/**
 * An answer in one of the forms as we write it; nothing where it is in none, or where its givens are not those of the puzzle. No
 * text is an answer in two of them, or in one of them and in our own.
 */
export function answerInForm(puzzle: AnyPuzzle, instance: unknown, text: string): string | undefined {
  const known = drawingOf(puzzle);
  if (known === undefined) return undefined;
  const { width, height } = puzzle.size(instance);
  const lines = drawnRows(text, width * height);
  const form = /^[[{]/.test(lines[0] ?? "")
    ? "intformat-json"
    : lines.every((line) => line === "" || line.includes(","))
      ? "intformat"
      : "drawn";
  const rows = form === "drawn" ? lines : rowsInForm(puzzle, form, lines.join("\n"))?.map((row) => row.trimEnd());
  return rows === undefined || rows.length === 0 ? undefined : known.answer(instance as never, rows);
}
