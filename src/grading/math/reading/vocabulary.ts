// The words of LaTeX and of plain mathematics that the reader knows, as tables.
import { type FunctionName, functionNames } from "../expressions/expression.ts";
import type { RelationOperator } from "../expressions/value.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Commands that only change how things look. */
export const silentCommands = new Set(
  words(`left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm displaystyle
    textstyle scriptstyle scriptscriptstyle limits nolimits space thinspace medspace thickspace negthinspace enspace
    enskip hfill rm bf it sf tt cal boldmath mathop mathrel mathbin mathord mathstrut strut nonumber notag mathbf
    boldsymbol bm bold mathit mathsf mathtt mathcal mathscr mathfrak ensuremath allowbreak
    null relax noindent newline n centering large Large LARGE huge Huge small footnotesize normalsize unboldmath
    underline underbrace overbrace pmb`),
);

/** Commands whose one argument is layout and goes with them. */
export const layoutCommands = new Set(
  words("hspace vspace phantom hphantom vphantom label tag color textcolor colorbox kern mkern hskip"),
);

export const textCommands = new Set(
  words(
    "text textbf textit textrm textsf texttt textnormal textup textsc emph mbox hbox mathrm operatorname mathnormal textmd",
  ),
);

/** Commands that stand for another one. */
export const synonyms = new Map<string, string>([
  ["dfrac", "frac"],
  ["tfrac", "frac"],
  ["cfrac", "frac"],
  ["nicefrac", "frac"],
  ["sfrac", "frac"],
  ["dbinom", "binom"],
  ["tbinom", "binom"],
  ["fbox", "boxed"],
  ["lbrace", "{"],
  ["rbrace", "}"],
  ["lbrack", "["],
  ["rbrack", "]"],
  ["lparen", "("],
  ["rparen", ")"],
  ["mleft", "left"],
  ["mright", "right"],
  ["lgroup", "("],
  ["rgroup", ")"],
  ["widetilde", "tilde"],
  ["widehat", "hat"],
  ["overrightarrow", "vec"],
  ["varlimsup", "limsup"],
  ["gets", "leftarrow"],
]);

export const greekLetters = new Set(
  words(`alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi
    Omega ell hbar imath jmath aleph beth partial nabla wp eth digamma mho`),
);

const functionAliases = new Map<string, FunctionName>([
  ["tg", "tan"],
  ["ctg", "cot"],
  ["cotan", "cot"],
  ["cosec", "csc"],
  ["arctg", "arctan"],
  ["arcctg", "arccot"],
  ["asin", "arcsin"],
  ["acos", "arccos"],
  ["atan", "arctan"],
  ["sh", "sinh"],
  ["ch", "cosh"],
  ["th", "tanh"],
  ["asinh", "arsinh"],
  ["acosh", "arcosh"],
  ["atanh", "artanh"],
  ["arcsinh", "arsinh"],
  ["arccosh", "arcosh"],
  ["arctanh", "artanh"],
  ["Re", "re"],
  ["Im", "im"],
  ["sgn", "sign"],
  ["tr", "trace"],
  ["rk", "rank"],
  ["Arg", "arg"],
  ["lg", "log"],
  ["GCD", "gcd"],
  ["LCM", "lcm"],
  ["HCF", "gcd"],
  ["hcf", "gcd"],
  ["Tr", "trace"],
  ["ceiling", "ceil"],
]);

const notSpokenAsFunctions = new Set<string>([
  "factorial",
  "double-factorial",
  "permutations",
  "conjugate",
  "transpose",
  "binomial",
]);

export function functionNamed(name: string): FunctionName | undefined {
  const alias = functionAliases.get(name);
  if (alias !== undefined) return alias;
  if (notSpokenAsFunctions.has(name)) return undefined;
  return (functionNames as readonly string[]).includes(name) ? (name as FunctionName) : undefined;
}

/** Function names that are also ordinary letters or words, and so need a backslash. */
export const onlyAsCommands = new Set(words("re im arg sh ch th tr rk tg lg sign rank trace Re Im Arg Tr HCF GCD LCM"));

export const relationCommands = new Map<string, RelationOperator>([
  ["eq", "="],
  ["le", "<="],
  ["leq", "<="],
  ["leqslant", "<="],
  ["leqq", "<="],
  ["ge", ">="],
  ["geq", ">="],
  ["geqslant", ">="],
  ["geqq", ">="],
  ["lt", "<"],
  ["gt", ">"],
  ["less", "<"],
  ["greater", ">"],
  ["ne", "!="],
  ["neq", "!="],
  ["approx", "approx"],
  ["approxeq", "approx"],
  ["simeq", "approx"],
  ["doteq", "approx"],
  ["equiv", "equiv"],
  ["sim", "other"],
  ["cong", "other"],
  ["propto", "other"],
  ["parallel", "other"],
  ["perp", "other"],
  ["subset", "other"],
  ["subseteq", "other"],
  ["supset", "other"],
  ["supseteq", "other"],
  ["ll", "other"],
  ["gg", "other"],
  ["prec", "other"],
  ["succ", "other"],
  ["triangleq", "="],
  ["coloneqq", "="],
]);

export const operatorCommands = new Map<string, string>([
  ["cdot", "*"],
  ["times", "*"],
  ["ast", "*"],
  ["star", "*"],
  ["bullet", "*"],
  ["cdotp", "*"],
  ["div", "/"],
  ["pm", "±"],
  ["mp", "∓"],
  ["colon", ":"],
  ["slash", "/"],
]);

export const setOperators = new Map<string, "union" | "intersection" | "difference">([
  ["cup", "union"],
  ["bigcup", "union"],
  ["cap", "intersection"],
  ["bigcap", "intersection"],
  ["setminus", "difference"],
  ["smallsetminus", "difference"],
  ["backslash", "difference"],
]);

export const arrows = new Set(
  words("Rightarrow Longrightarrow implies iff Leftrightarrow Longleftrightarrow therefore leadsto rightsquigarrow"),
);

export const ellipses = new Set(words("ldots cdots dots dotsc dotsb dotsm vdots ddots"));

export const matrixEnvironments = new Set(
  words("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array psmallmatrix bsmallmatrix tabular"),
);

/** Letters that are read as a function when a bracket follows: f(x), P(A). */
export const functionLetters = /^[fghpqrstuvwyFGHPQRSTUVWEN]$/;

/** Greek letters that are functions where a number stands in the bracket behind them. */
export const greekFunctions = /^(?:phi|varphi|sigma|tau|zeta|Gamma|psi|mu)$/;
