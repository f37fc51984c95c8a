// The words of LaTeX and of plain mathematics that the reader knows, as tables.
import { type FunctionName, functionNames } from "../expressions/expression.ts";
import type { RelationOperator } from "../expressions/value.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** By what it stands for, every name there is for it. */
const named = <Meaning extends string>(table: { readonly [meaning in Meaning]?: string }): Map<string, Meaning> =>
  new Map(
    (Object.entries(table) as [Meaning, string][]).flatMap(([meaning, names]) =>
      words(names).map((name): [string, Meaning] => [name, meaning]),
    ),
  );

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

/** Commands that put something over or under a name. */
export const accents = new Set(
  words(`overline bar hat tilde vec dot ddot dddot check underline breve acute grave mathring overleftarrow
    overleftrightarrow`),
);

/** Commands that stand for another one. */
export const synonyms = named<string>({
  frac: "dfrac tfrac cfrac nicefrac sfrac",
  binom: "dbinom tbinom",
  boxed: "fbox",
  "{": "lbrace",
  "}": "rbrace",
  "[": "lbrack",
  "]": "rbrack",
  "(": "lparen lgroup",
  ")": "rparen rgroup",
  left: "mleft",
  right: "mright",
  tilde: "widetilde",
  hat: "widehat",
  vec: "overrightarrow",
  limsup: "varlimsup",
  leftarrow: "gets",
});

export const greekLetters = new Set(
  words(`alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi
    Omega ell hbar imath jmath aleph beth partial nabla wp eth digamma mho`),
);

const functionAliases = named<FunctionName>({
  tan: "tg",
  cot: "ctg cotan",
  csc: "cosec",
  arctan: "arctg atan",
  arccot: "arcctg",
  arcsin: "asin",
  arccos: "acos",
  sinh: "sh",
  cosh: "ch",
  tanh: "th",
  arsinh: "asinh arcsinh",
  arcosh: "acosh arccosh",
  artanh: "atanh arctanh",
  re: "Re",
  im: "Im",
  sign: "sgn",
  arg: "Arg",
  log: "lg",
  gcd: "GCD HCF hcf",
  lcm: "LCM",
  ceil: "ceiling",
});

const notSpokenAsFunctions = new Set(words("factorial double-factorial conjugate transpose binomial"));

export function functionNamed(name: string): FunctionName | undefined {
  const alias = functionAliases.get(name);
  if (alias !== undefined) return alias;
  if (notSpokenAsFunctions.has(name)) return undefined;
  return (functionNames as readonly string[]).includes(name) ? (name as FunctionName) : undefined;
}

/** Function names that are also ordinary letters or words, and so need a backslash. */
export const onlyAsCommands = new Set(words("re im arg sh ch th tg lg sign Re Im Arg HCF GCD LCM"));

export const relationCommands = named<RelationOperator>({
  "=": "eq triangleq coloneqq",
  "<=": "le leq leqslant leqq",
  ">=": "ge geq geqslant geqq",
  "<": "lt less",
  ">": "gt greater",
  "!=": "ne neq",
  approx: "approx approxeq simeq doteq",
  equiv: "equiv",
  other: "sim cong propto parallel perp subset subseteq supset supseteq ll gg prec succ",
});

export const operatorCommands = named<string>({
  "*": "cdot times ast star bullet cdotp",
  "/": "div slash",
  "±": "pm",
  "∓": "mp",
  ":": "colon",
});

export const setOperators = named<"union" | "intersection" | "difference">({
  union: "cup bigcup",
  intersection: "cap bigcap",
  difference: "setminus smallsetminus backslash",
});

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
