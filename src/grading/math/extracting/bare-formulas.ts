// LaTeX that nobody set as a formula: "the probability is \\frac25 in the end." Pieces without spaces that hold a command, with
// the pieces beside them that are mathematics too. One pass over the text.
import { knownCommand } from "../reading/commands.ts";
import { textCommands } from "../reading/vocabulary.ts";
import type { Span } from "./environments.ts";

type Piece = { readonly start: number; readonly end: number; readonly kind: "command" | "joining" | "words" };

const command = /\\([a-zA-Z]+)/g;
const pieces = /\S+/g;
const symbolsOnly =
  /^[-+*/=<>^_(){}[\].,|!%°\d√π∞≤≥≠·×÷]+$|^[-+(]?[a-zA-Z][).,]?$|^[-+(]*\d*[a-zA-Z](?:\^\{?\d+\}?)?[).,]?$/;
const longest = 2_000;

export function bareFormulasIn(
  text: string,
  occupied: readonly { readonly start: number; readonly end: number }[],
): Span[] {
  if (!text.includes("\\")) return [];
  const found: Span[] = [];
  let run: Piece[] = [];
  let next = 0;
  const finish = () => {
    const span = runSpan(text, run);
    if (span !== undefined) found.push(span);
    run = [];
  };
  let level = 0;
  for (const match of text.matchAll(pieces)) {
    const [start, end] = [match.index, match.index + match[0].length];
    while (next < occupied.length && occupied[next].end <= start) next++;
    const covered = next < occupied.length && occupied[next].start < end;
    const kind = covered ? "words" : kindOf(match[0], level > 0 && run.length > 0);
    if (kind === "words" || (run.length > 0 && text.slice(run[run.length - 1].end, start).includes("\n"))) {
      finish();
      level = 0;
    }
    if (kind === "words") continue;
    run.push({ start, end, kind });
    level += count(match[0], "{") - count(match[0], "}");
    if (end - run[0].start > longest) {
      finish();
      level = 0;
    }
    // A full stop or comma at the end of a piece ends the formula with it.
    if (level <= 0 && /[.,;:!?]$/.test(match[0])) finish();
  }
  finish();
  return found;
}

const count = (text: string, character: string): number => text.split(character).length - 1;

function kindOf(piece: string, inside: boolean): Piece["kind"] {
  let commands = 0;
  for (const [, name] of piece.matchAll(command)) {
    if (name === "boxed" || name === "fbox" || (textCommands.has(name) && !inside) || !knownCommand(name))
      return "words";
    commands++;
  }
  if (commands > 0) return "command";
  return inside || symbolsOnly.test(piece) ? "joining" : "words";
}

function runSpan(text: string, run: readonly Piece[]): Span | undefined {
  const first = run.findIndex(
    ({ kind, start, end }) => kind === "command" || !/^[a-zA-Z,.]*$/.test(text.slice(start, end)),
  );
  if (first === -1 || !run.some(({ kind }) => kind === "command")) return undefined;
  const start = run[first].start;
  const written = text.slice(start, run[run.length - 1].end).replace(/[.,;:!?]+$/, "");
  return { start, end: start + written.length, content: written, percent: false };
}
