// Addresses of puzz.link and its kin (pzpr, pzv), turned into our ids: `https://puzz.link/p?slither/5/5/cbcbcddad`. Reading only.
import { DataError } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import type { PuzzleName } from "./catalog.ts";
import { galaxies } from "./galaxies/index.ts";
import { hitori } from "./hitori/index.ts";
import { nurikabe, nurikabeClue } from "./nurikabe/index.ts";
import { pattern } from "./pattern/index.ts";
import { mostCells } from "./puzzle.ts";
import { slitherlink } from "./slitherlink/index.ts";

type Found = { readonly puzzle: PuzzleName; readonly id: string };

/** Addresses in a text, with or without `https://`, whatever stands around them. */
export const addressesIn = (text: string): string[] =>
  text.match(/https?:\/\/[^\s<>"')\]]+|(?<![\w./])(?:[\w-]+\.)+[a-z]+\/[^\s<>"')\]]*\?[^\s<>"')\]]+/gi) ?? [];

/** What follows the question mark: `slither/5/5/cbcbcddad`; the whole address where nothing does. */
export function nameOfAddress(given: string): string {
  const address = given.trim();
  // kanpen.net names the puzzle before the question mark.
  const [, kind, board] = /([a-z]+)\.html\?pzpr=([^#&]+)/i.exec(address) ?? [];
  if (board !== undefined) return unescaped(`${kind}/${board}`);
  const [query] = /(?<=\?)[^#]*|(?<=#).*/.exec(address) ?? [address];
  const path = query
    .split("&")
    .map(unescaped)
    .find((part) => /^(?:p=)?[\w.-]+\//.test(part));
  return path?.replace(/^p=/, "").replace(/[/=]+$/, "") ?? query;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is no escape.
    return text;
  }
}

export function readAddress(address: string): Found {
  const [first, ...parts] = nameOfAddress(address).split("/");
  // A board that somebody works on is written as a file: its rows come first, then its lines.
  const saved = /^pzprv3(\.\d+)?$/.test(first);
  const kind = (saved ? (parts.shift() ?? "") : first.replace(/_(?:edit|play|test)$/, "")).toLowerCase();
  // Some kinds have a flag before the size.
  const flags = /^\d+$/.test(parts[0] ?? "") ? "" : (parts.shift() ?? "");
  const sides = parts.slice(0, 2).map(Number);
  const [width, height] = saved ? sides.reverse() : sides;
  const read = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  const body = saved ? parts.slice(2) : parts.slice(2).join("/");
  if (!(width > 0 && height > 0) || body.length === 0)
    throw new DataError(`not the address of a puzzle; expected one such as https://puzz.link/p?slither/5/5/cbcbcddad`);
  if (read === undefined)
    throw new DataError(`${kind} is no puzzle here; addresses can be read of: ${Object.keys(kinds).join(", ")}`);
  if (flags !== "") throw new DataError(`the ${kind} has a rule of its own (${flags}), which is not known here`);
  if (width * height > mostCells) throw new DataError(`${width}x${height} is more than ${mostCells} cells`);
  return read(width, height, body);
}

/** What comes after the size: packed as one text, or the lines of a file. */
type Body = string | readonly string[];

/** The cells of a file's first lines, with a blank or an underscore between them. */
function linesOf(width: number, height: number, lines: readonly string[]): string[][] {
  const found = lines.slice(0, height).map((line) =>
    line
      .trim()
      .split(/[\s_]+/)
      .filter((cell) => cell !== ""),
  );
  if (found.length !== height || found.some(({ length }) => length !== width))
    throw new DataError(`expected ${height} lines of ${width} cells`);
  return found;
}

/** A number in some cells, from a file or as it is packed. */
function numbersOf(width: number, height: number, body: Body, packed: typeof numbers16): Numbers {
  if (typeof body === "string") return packed(width * height, body);
  return linesOf(width, height, body)
    .flat()
    .map((cell) => (cell === "-" ? null : /^\d+$/.test(cell) ? Number(cell) : undefined));
}

/** A run of cells without a number is a letter from g on. */
const gap = (symbol: string): number => Number.parseInt(symbol, 36) - 15;

/** What stands in each place: a number, `undefined` for nothing, null for a number that is not told. */
type Numbers = (number | null | undefined)[];

/** Numbers up to 15 are one hexadecimal digit, larger ones a sign and two or three. */
function numbers16(places: number, body: string): Numbers {
  const found: Numbers = new Array(places).fill(undefined);
  let at = 0;
  for (const [symbol, wide] of body.matchAll(/-([0-9a-f]{2})|\+([0-9a-f]{3})|[0-9a-z.]|[\s\S]/g)) {
    if (/^[g-z]$/.test(symbol)) {
      at += gap(symbol);
      continue;
    }
    if (symbol.length === 1 && !/[0-9a-f.]/.test(symbol)) throw new DataError(`unexpected ${JSON.stringify(symbol)}`);
    const digits = wide ?? symbol.replace("+", "");
    found[at++] = symbol === "." ? null : Number.parseInt(digits, 16);
  }
  if (at > places) throw new DataError(`the address describes ${at} places where there are ${places}`);
  return found;
}

/** Numbers up to 4, each with how many cells without one follow it: none, one or two. */
function numbers4(places: number, body: string): Numbers {
  const found: Numbers = new Array(places).fill(undefined);
  let at = 0;
  for (const symbol of body) {
    if (/^[g-z]$/.test(symbol)) at += gap(symbol);
    else if (symbol === ".") found[at++] = null;
    else if (/^[0-9a-e]$/.test(symbol)) {
      const value = Number.parseInt(symbol, 16);
      found[at] = value % 5;
      at += 1 + Math.floor(value / 5);
    } else throw new DataError(`unexpected ${JSON.stringify(symbol)}`);
  }
  // The last number may say that cells follow which are not there.
  if (at > places + 2 || found.length > places) throw new DataError(`the address describes more cells than ${places}`);
  return found;
}

/** Dots on a lattice of half cells, white or black, each with how far it is to the next. */
function dotsOf(width: number, height: number, body: Body): { x: number; y: number; black?: true }[] {
  const [across, places] = [2 * width - 1, (2 * width - 1) * (2 * height - 1)];
  const dots: { x: number; y: number; black?: true }[] = [];
  const add = (at: number, black: boolean) =>
    dots.push({ x: (at % across) + 1, y: Math.floor(at / across) + 1, ...(black && { black }) });
  let at = 0;
  let read = 0;
  if (typeof body !== "string") {
    const lines = body.slice(0, 2 * height - 1).join("");
    if (lines.length !== places) throw new DataError(`expected ${2 * height - 1} lines of ${across} places`);
    for (const [at, symbol] of [...lines].entries()) if (/[12]/.test(symbol)) add(at, symbol === "2");
    return dots;
  }
  for (const symbol of body) {
    if (at >= places) break;
    read++;
    if (/^[g-z]$/.test(symbol)) at += gap(symbol);
    else if (/^[0-9a-f]$/.test(symbol)) {
      const value = Number.parseInt(symbol, 16);
      add(at, value % 2 === 1);
      at += 1 + (value >> 1);
    } else throw new DataError(`unexpected ${JSON.stringify(symbol)}`);
  }
  // What follows are cells that are no part of the board.
  if (/[^0]/.test(body.slice(read)))
    throw new DataError("some cells are no part of the board; only full grids can be read");
  return dots;
}

/** Half as many places as the line is long, rounded up, for each column and then for each row; the last run comes first. */
function cluesOf(width: number, height: number, body: Body): string[] {
  const [deep, wide] = [(height + 1) >> 1, (width + 1) >> 1];
  if (typeof body !== "string") {
    const lines = linesOf(wide + width, deep + height, body);
    const runs = (cells: readonly string[]) => cells.flatMap((cell) => /\d+$/.exec(cell)?.[0] ?? []).join(".");
    return [
      ...Array.from({ length: width }, (_, column) => runs(lines.slice(0, deep).map((line) => line[wide + column]))),
      ...lines.slice(deep).map((line) => runs(line.slice(0, wide))),
    ];
  }
  const found = numbers16(width * deep + height * wide, body);
  const line = (start: number, length: number) => {
    const runs = found.slice(start, start + length).filter((run) => run !== undefined);
    if (runs.includes(null)) throw new DataError("a run whose length is not told can't be read");
    return runs.toReversed().join(".");
  };
  return [
    ...Array.from({ length: width }, (_, column) => line(column * deep, deep)),
    ...Array.from({ length: height }, (_, row) => line(width * deep + row * wide, wide)),
  ];
}

type Read = (width: number, height: number, body: Body) => Found;

const hashi: Read = (width, height, body) => {
  const clues = numbersOf(width, height, body, numbers16).map((clue) => {
    if (clue === null) throw new DataError("an island without its number can't be read");
    return clue ?? 0;
  });
  return { puzzle: bridges.name, id: checked(bridges, { width, height, maxBridges: 2, loops: "allowed", clues }) };
};

const slither: Read = (width, height, body) => {
  const clues = numbersOf(width, height, body, numbers4)
    .map((clue) => clue ?? ".")
    .join("");
  return { puzzle: slitherlink.name, id: checked(slitherlink, { width, height, clues }) };
};

const kinds: Readonly<Record<string, Read>> = {
  hashi,
  hashikake: hashi,
  // A number in every cell, with 36 digits; a larger one is a sign and two of them.
  hitori: (width, height, body) => {
    const numbers = numbersOf(width, height, body, (_, packed) =>
      Array.from(packed.matchAll(/-([0-9a-z]{2})|[\s\S]/g), ([symbol, wide = symbol]) =>
        /^[0-9a-z]+$/.test(wide) ? Number.parseInt(wide, 36) : undefined,
      ),
    ).map((number) => {
      if (!number) throw new DataError("a cell without its number can't be read");
      return number;
    });
    return { puzzle: hitori.name, id: checked(hitori, { width, height, numbers }) };
  },
  nonogram: (width, height, body) => {
    const id = `${width}x${height}:${cluesOf(width, height, body).join("/")}`;
    return { puzzle: pattern.name, id: pattern.writeId(pattern.readId(id)) };
  },
  nurikabe: (width, height, body) => {
    const clues = numbersOf(width, height, body, numbers16).map((size) => {
      const clue = size === undefined ? "." : size === null ? "*" : nurikabeClue(size);
      if (clue === undefined) throw new DataError(`an island of ${size} cells can't be read`);
      return clue;
    });
    return { puzzle: nurikabe.name, id: checked(nurikabe, { width, height, clues }) };
  },
  slither,
  slitherlink: slither,
  tentaisho: (width, height, body) => ({
    puzzle: galaxies.name,
    id: checked(galaxies, { width, height, dots: dotsOf(width, height, body) }),
  }),
};

/** Whatever is wrong with a puzzle is said as it is for any other id. */
function checked<Instance>(
  puzzle: { readId(id: string): Instance; writeId(instance: Instance): string },
  instance: Instance,
): string {
  return puzzle.writeId(puzzle.readId(puzzle.writeId(instance)));
}
