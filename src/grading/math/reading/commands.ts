// What a LaTeX command stands for, as far as the command alone decides it.
import type { Mark, TokenType } from "./tokens.ts";
import {
  accents,
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
/** Commands of one type, each meaning itself or all the same. */
const each = (type: TokenType, names: string, text?: string): [string, Mark][] =>
  names.split(" ").map((name) => [name, mark(type, text ?? name)]);

const fixed = new Map<string, Mark>([
  ...each("command", "frac binom sqrt surd circ top sum prod boxed over choose"),
  // \underline is one over a single letter only, which the lexer sees.
  ...[...accents].filter((name) => name !== "underline").flatMap((name) => each("command", name)),
  ...each("command", "angle triangle pmod bmod mod pod"),
  ...each("command", "emptyset varnothing", "emptyset"),
  ...[..."RZNQ"].map((set): [string, Mark] => [set, mark("command", `set:${set}`)]),
  ...each("separator", "quad qquad", "quad"),
  ...each("separator", "land wedge", "wedge"),
  ...each("separator", "lor vee", "vee"),
  ...each("relation", "in ni", "in"),
  ...each("relation", "notin"),
  ...each("arrow", "to rightarrow longrightarrow mapsto", "to"),
  ...each("name", "pi"),
  ...each("name", "infty infin", "infinity"),
  ...each("name", "exponentialE", "e"),
  ...each("name", "imaginaryI", "i"),
  ...each("operator", "degree", "degrees"),
  ...each("operator", "prime", "'"),
  ...each("open", "lvert lVert", "|"),
  ...each("close", "rvert rVert", "|"),
  ...each("bar", "vert", "|"),
  ...each("bar", "Vert", "||"),
  ...each("bar", "mid"),
  ...each("open", "langle", "<"),
  ...each("close", "rangle", ">"),
  ...each("open", "lfloor lceil ( ["),
  ...each("close", "rfloor rceil ) ]"),
  ...each("open", "{", "\\{"),
  ...each("close", "}", "\\}"),
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
