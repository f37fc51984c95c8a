// The closed vocabulary of the miniature: every word that its puzzles, its mathematics and the terse language use.
import { wordTokenizer } from "../../engine/word-tokenizer.ts";
import { primitives } from "../../rollouts/primitives.ts";
import { thinkTag } from "../../teaching/pretraining.ts";
import { openings } from "../../teaching/terse-language.ts";
import { miniaturePuzzles } from "./world.ts";

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

const words: readonly string[] = [
  "<reasoning>",
  "</reasoning>",
  "<answer>",
  "</answer>",
  thinkTag,
  ...primitives.map((primitive) => openings[primitive]),
  ...miniaturePuzzles.map(({ name }) => name),
  // What steps say besides names and numbers.
  ...["drill", "scan", "guess", "ok", "bad", "all", "cross", "joined", "loops", "no"],
  ...["?", "#", ".", ":", ";", ">", "|", "*", "/", "\\", "+", "-", "=", "(", ")", ",", "_"],
  // Lines and edges of boards, up to eight by eight.
  ...["R", "C", "T", "E", "B", "W"].flatMap((letter) => numbered(letter, 8)),
  ...letters,
  // Kinds of monster that are still possible for a cell.
  ...["GV", "GZ", "VZ"],
  ...Array.from({ length: 100 }, (_, number) => String(number)),
  // Synthetic mathematics.
  ..."what is solve for x mod two numbers have sum and product which n the smallest a b with above from left to right signs".split(
    " ",
  ),
];

export const vocabulary: readonly string[] = [...new Set(words)];

export const miniTokenizer = () => wordTokenizer(vocabulary);
