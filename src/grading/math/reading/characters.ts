// Characters beyond ASCII, written as the LaTeX that the reader knows: √, π, ≤, ², ½, full-width forms.

/** Characters, and what each of them is written as. */
const plain: readonly (readonly [characters: string, written: string])[] = [
  ["−–—‐‑﹣", "-"],
  ["∗", "*"],
  ["⁄∕", "/"],
  ["∛", "\\sqrt[3]"],
  ["∜", "\\sqrt[4]"],
  ["ℝ", "\\mathbb{R}"],
  ["ℤ", "\\mathbb{Z}"],
  ["ℕ", "\\mathbb{N}"],
  ["ℚ", "\\mathbb{Q}"],
  ["ℂ", "\\mathbb{C}"],
  ["°º˚", "^{\\circ}"],
  ["℃", "^{\\circ}\\text{C}"],
  ["′’‘", "'"],
  ["″", "''"],
  ["“”", '"'],
  ["ℯ", "e"],
  ["ⅈ", "i"],
  ["∶：", ":"],
  ["、，\u2063", ","],
  ["。", "."],
  ["；", ";"],
  ["（", "("],
  ["）", ")"],
  ["｛", "\\{"],
  ["｝", "\\}"],
  ["【", "["],
  ["】", "]"],
  ["％", "%"],
  ["‰", "/1000"],
  ["✓\u200b\u200c\u200d\ufeff\u2061", ""],
  ["\u2062", " "],
];

/** Characters with the command that they are. */
const commands = `×✕times ·⋅∙•cdot ÷div √surd πpi ∞infty ≤⩽≦le ≥⩾≧ge ≠ne ≈≃≒approx ≡equiv ∼sim ∈in ∉notin ∪⋃cup ∩⋂cap
  ∖setminus ∅Øemptyset ±pm ∓mp ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil ⟨〈langle ⟩〉rangle …ldots ⋯cdots ∑sum ∏prod ∫int
  →to ⇒⟹Rightarrow ⇔iff ∧wedge ∨vee ∠angle △triangle ∣mid ℓell`;

const fractions = "½1/2 ⅓1/3 ⅔2/3 ¼1/4 ¾3/4 ⅕1/5 ⅖2/5 ⅗3/5 ⅘4/5 ⅙1/6 ⅚5/6 ⅐1/7 ⅛1/8 ⅜3/8 ⅝5/8 ⅞7/8 ⅑1/9 ⅒1/10";

const single = new Map<string, string>([
  ...plain.flatMap(([characters, written]) => [...characters].map((each): [string, string] => [each, written])),
  ...[...commands.matchAll(/([^\sA-Za-z]+)([A-Za-z]+)/g)].flatMap(([, characters, name]) =>
    [...characters].map((each): [string, string] => [each, `\\${name} `]),
  ),
  ...[...fractions.matchAll(/(\S)(\d+)\/(\d+)/g)].map(([, each, above, below]): [string, string] => [
    each,
    `\\frac{${above}}{${below}}`,
  ]),
]);

const greekNames =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron rho sigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega phi epsilon vartheta mu".split(
    " ",
  );
const greek = new Map([..."αβγδεζηθικλμνξορστυφχψωΓΔΘΛΞΠΣΦΨΩϕϵϑµ"].map((letter, i) => [letter, greekNames[i]]));

const superscripts = new Map([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵏᵐ"].map((raised, i) => [raised, "0123456789+-=()nixykm"[i]]));
const subscripts = new Map([..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘₖᵢⱼ"].map((low, i) => [low, "0123456789+-=()aeoxnmkij"[i]]));

// biome-ignore lint/suspicious/noControlCharactersInRegex: form feed and backspace are what "\frac" and "\begin" turn into
const mangledCommand = /\\?\u000crac(?=[{\d\\ ])|\\?\u0008(?=egin|oxed|inom|eta|ar)/g;

/** Text with only ASCII mathematics left; letters of other scripts stay as they are. */
export function asciiMathematics(text: string): string {
  const repaired = text.replace(mangledCommand, (found) => (found.endsWith("rac") ? "\\frac" : "\\b"));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the plain ASCII range
  if (/^[\u0000-\u007f]*$/.test(repaired)) return repaired;

  let result = "";
  let run: "up" | "down" | undefined;
  for (const character of repaired) {
    const raised = superscripts.get(character);
    const lowered = subscripts.get(character);
    const wanted = raised !== undefined ? "up" : lowered !== undefined ? "down" : undefined;
    if (run !== undefined && run !== wanted) result += "}";
    if (wanted !== undefined && run !== wanted) result += wanted === "up" ? "^{" : "_{";
    run = wanted;
    result += raised ?? lowered ?? asciiCharacter(character);
  }
  return run === undefined ? result : `${result}}`;
}

function asciiCharacter(character: string): string {
  if (character <= "\u007f") return character;
  const known = single.get(character);
  if (known !== undefined) return known;
  const name = greek.get(character);
  if (name !== undefined) return `\\${name} `;
  // Spaces of every width, full-width Latin, and the mathematical alphabets fold to what they look like.
  if (/\s/.test(character)) return " ";
  // The digits of every script stand in tens, from nought to nine.
  if (/\p{Nd}/u.test(character)) {
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(character.codePointAt(0)! - value - 1))) value++;
    if (character.normalize("NFKC") === character) return `${value}`;
  }
  const folded = character.normalize("NFKC");
  if (folded !== character && /^[ -~]+$/.test(folded)) return folded;
  return character;
}
