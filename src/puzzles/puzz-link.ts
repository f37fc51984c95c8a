// Addresses of puzz.link and its kin (pzpr, pzv), turned into our ids: `https://puzz.link/p?slither/5/5/cbcbcddad`. Reading only.
import { DataError } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import type { PuzzleName } from "./catalog.ts";
import { galaxies } from "./galaxies/index.ts";
import { hitori } from "./hitori/index.ts";
import { pattern } from "./pattern/index.ts";
import { mostCells } from "./puzzle.ts";
import { slitherlink } from "./slitherlink/index.ts";

type Found = { readonly puzzle: PuzzleName; readonly id: string };

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text.trim());

/** What follows the question mark: `slither/5/5/cbcbcddad`; the whole address where nothing does. */
export const nameOfAddress = (address: string): string => /[?#](?:p=)?(.+)$/.exec(address.trim())?.[1] ?? address;

export function readAddress(address: string): Found {
  const [, path] = /[?#](?:p=)?([a-z0-9_-]+(?:\/[^?#&\s]*)?)\/?$/i.exec(address.trim()) ?? [];
  const [kind = "", ...rest] = (path ?? "").split("/");
  // Some kinds have a flag before the size.
  const flags = /^\d+$/.test(rest[0] ?? "") ? "" : (rest.shift() ?? "");
  const [width, height] = rest.map(Number);
  const body = rest.slice(2).join("/");
  const read = Object.hasOwn(kinds, kind.toLowerCase()) ? kinds[kind.toLowerCase()] : undefined;
  if (path === undefined || !(width > 0 && height > 0) || body === "")
    throw new DataError(`not the address of a puzzle; expected one such as https://puzz.link/p?slither/5/5/cbcbcddad`);
  if (read === undefined)
    throw new DataError(`${kind} is no puzzle here; addresses can be read of: ${Object.keys(kinds).join(", ")}`);
  if (flags !== "") throw new DataError(`the ${kind} has a rule of its own (${flags}), which is not known here`);
  if (width * height > mostCells) throw new DataError(`${width}x${height} is more than ${mostCells} cells`);
  return read(width, height, body);
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
function dotsOf(width: number, height: number, body: string): { x: number; y: number; black?: true }[] {
  const [across, places] = [2 * width - 1, (2 * width - 1) * (2 * height - 1)];
  const dots: { x: number; y: number; black?: true }[] = [];
  let at = 0;
  let read = 0;
  for (const symbol of body) {
    if (at >= places) break;
    read++;
    if (/^[g-z]$/.test(symbol)) at += gap(symbol);
    else if (/^[0-9a-f]$/.test(symbol)) {
      const value = Number.parseInt(symbol, 16);
      const dot = { x: (at % across) + 1, y: Math.floor(at / across) + 1 };
      dots.push(value % 2 === 1 ? { ...dot, black: true } : dot);
      at += 1 + (value >> 1);
    } else throw new DataError(`unexpected ${JSON.stringify(symbol)}`);
  }
  // What follows are cells that are no part of the board.
  if (/[^0]/.test(body.slice(read)))
    throw new DataError("some cells are no part of the board; only full grids can be read");
  return dots;
}

/** Half as many places as the line is long, rounded up, for each column and then for each row; the last run comes first. */
function cluesOf(width: number, height: number, body: string): string[] {
  const [deep, wide] = [(height + 1) >> 1, (width + 1) >> 1];
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

type Read = (width: number, height: number, body: string) => Found;

const hashi: Read = (width, height, body) => {
  const clues = numbers16(width * height, body).map((clue) => {
    if (clue === null) throw new DataError("an island without its number can't be read");
    return clue ?? 0;
  });
  return { puzzle: bridges.name, id: checked(bridges, { width, height, maxBridges: 2, loops: "allowed", clues }) };
};

const slither: Read = (width, height, body) => {
  const clues = numbers4(width * height, body)
    .map((clue) => clue ?? ".")
    .join("");
  return { puzzle: slitherlink.name, id: checked(slitherlink, { width, height, clues }) };
};

const kinds: Readonly<Record<string, Read>> = {
  hashi,
  hashikake: hashi,
  // A number in every cell, with 36 digits; a larger one is a sign and two of them.
  hitori: (width, height, body) => {
    const numbers = Array.from(body.matchAll(/-([0-9a-z]{2})|[\s\S]/g), ([symbol, wide = symbol]) => {
      const number = /^[0-9a-z]+$/.test(wide) ? Number.parseInt(wide, 36) : 0;
      if (number === 0) throw new DataError("a cell without its number can't be read");
      return number;
    });
    return { puzzle: hitori.name, id: checked(hitori, { width, height, numbers }) };
  },
  nonogram: (width, height, body) => {
    const id = `${width}x${height}:${cluesOf(width, height, body).join("/")}`;
    return { puzzle: pattern.name, id: pattern.writeId(pattern.readId(id)) };
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
