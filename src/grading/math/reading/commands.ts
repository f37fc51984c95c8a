// What a LaTeX command stands for, as far as the command alone decides it.
import type { Mark, TokenType } from "./tokens.ts";
import {
  arrows,
  ellipses,
  functionNamed,
  greekLetters,
  operatorCommands,
  relationCommands,
  setOperators,
  silentCommands,
  synonyms,
  textCommands,
} from "./vocabulary.ts";

const mark = (type: TokenType, text: string): Mark => ({ type, text });
const each = (type: TokenType, names: string): [string, Mark][] =>
  names.split(" ").map((name) => [name, mark(type, name)]);

const fixed = new Map<string, Mark>([
  ...each("command", "frac binom sqrt surd circ top sum prod int lim boxed over choose overline bar hat tilde"),
  ...each("command", "vec dot ddot dddot check breve acute grave mathring overleftarrow overleftrightarrow"),
  ...each("command", "angle triangle pmod bmod mod pod"),
  ["emptyset", mark("command", "emptyset")],
  ["varnothing", mark("command", "emptyset")],
  ["R", mark("command", "set:R")],
  ["Z", mark("command", "set:Z")],
  ["N", mark("command", "set:N")],
  ["Q", mark("command", "set:Q")],
  ["quad", mark("separator", "quad")],
  ["qquad", mark("separator", "quad")],
  ["land", mark("separator", "wedge")],
  ["wedge", mark("separator", "wedge")],
  ["lor", mark("separator", "vee")],
  ["vee", mark("separator", "vee")],
  ["in", mark("relation", "in")],
  ["ni", mark("relation", "in")],
  ["notin", mark("relation", "notin")],
  ["to", mark("arrow", "to")],
  ["rightarrow", mark("arrow", "to")],
  ["longrightarrow", mark("arrow", "to")],
  ["mapsto", mark("arrow", "to")],
  ["pi", mark("name", "pi")],
  ["infty", mark("name", "infinity")],
  ["infin", mark("name", "infinity")],
  ["exponentialE", mark("name", "e")],
  ["imaginaryI", mark("name", "i")],
  ["degree", mark("operator", "degrees")],
  ["prime", mark("operator", "'")],
  ["lvert", mark("open", "|")],
  ["lVert", mark("open", "|")],
  ["rvert", mark("close", "|")],
  ["rVert", mark("close", "|")],
  ["vert", mark("bar", "|")],
  ["Vert", mark("bar", "||")],
  ["mid", mark("bar", "mid")],
  ["langle", mark("open", "<")],
  ["rangle", mark("close", ">")],
  ...each("open", "lfloor lceil"),
  ...each("close", "rfloor rceil"),
  ["{", mark("open", "\\{")],
  ["}", mark("close", "\\}")],
  ...each("open", "( ["),
  ...each("close", ") ]"),
]);

/** The token of a command that needs no look at what follows. */
export function commandMark(name: string): Mark | undefined {
  const found = fixed.get(name);
  if (found !== undefined) return found;
  const relation = relationCommands.get(name);
  if (relation !== undefined) return mark("relation", relation);
  const operator = operatorCommands.get(name);
  if (operator !== undefined) return mark("operator", operator);
  const setOperator = setOperators.get(name);
  if (setOperator !== undefined) return mark("set-operator", setOperator);
  if (arrows.has(name)) return mark("arrow", "then");
  if (ellipses.has(name)) return mark("name", "…");
  if (greekLetters.has(name)) return mark("name", name);
  if (name === "lg") return mark("function", "lg");
  const functionName = functionNamed(name);
  return functionName === undefined ? undefined : mark("function", functionName);
}

const withArguments = new Set(["begin", "end", "not", "left", "right", "middle", "mathbb", "Bbb"]);

export const knownCommand = (name: string): boolean =>
  commandMark(synonyms.get(name) ?? name) !== undefined ||
  withArguments.has(name) ||
  textCommands.has(name) ||
  (silentCommands.has(name) && name.length > 1);
