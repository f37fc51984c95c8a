// Boards written as JSON, for prompts that ask for it: `{"board": ["# .", ". #"]}`, or rows as lists of cells, or one text with
// all rows. Reading is strict: what could be read in two ways (a key twice, escapes that spell other characters) is left as
// text, which no puzzle reads.
import { lineEnd, withoutFence } from "./grid-text.ts";

export function boardText(text: string): string {
  const bare = withoutFence(text.split("\n")).join("\n").trim();
  if (!/^[[{"]/.test(bare) || !/[\]}"]$/.test(bare)) return text;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return text;
  }
  if (withoutBlanks(JSON.stringify(value)) !== withoutBlanks(bare.replaceAll(/\\(.)/g, plainSlash))) return text;
  const board = onlyEntry(value);
  if (typeof board === "string") return board;
  const lines = Array.isArray(board) ? board.map(rowText) : [undefined];
  return lines.includes(undefined) ? text : lines.join("\n");
}

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

/** JSON may write a slash as `\/`, and models do beside a backslash. */
const plainSlash = (escaped: string, character: string) => (character === "/" ? "/" : escaped);

/** What an object of one entry holds, whatever it is called; anything else as it is. */
function onlyEntry(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const values = Object.values(value);
  return values.length === 1 ? values[0] : undefined;
}

function rowText(row: unknown): string | undefined {
  if (typeof row === "string") return lineEnd.test(row) ? undefined : row;
  const cells = Array.isArray(row) ? row.map((cell) => (typeof cell === "number" ? String(cell) : cell)) : [];
  const whole = cells.length > 0 && cells.every((cell) => typeof cell === "string" && /^\S+$/.test(cell));
  return whole ? cells.join(" ") : undefined;
}

/** An answer as JSON: its rows as they stand. */
export const jsonBoard = (answer: string): string => JSON.stringify({ board: answer.split("\n") });
