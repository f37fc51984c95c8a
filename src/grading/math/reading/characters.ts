// Characters beyond ASCII, written as the LaTeX that the reader knows: √, π, ≤, ², ½, full-width forms.

const single: Readonly<Record<string, string>> = {
  "−": "-",
  "–": "-",
  "—": "-",
  "‐": "-",
  "‑": "-",
  "﹣": "-",
  "×": "\\times ",
  "✕": "\\times ",
  "·": "\\cdot ",
  "⋅": "\\cdot ",
  "∙": "\\cdot ",
  "•": "\\cdot ",
  "÷": "\\div ",
  "∗": "*",
  "⁄": "/",
  "∕": "/",
  "√": "\\surd ",
  "∛": "\\sqrt[3]",
  "∜": "\\sqrt[4]",
  π: "\\pi ",
  "∞": "\\infty ",
  "≤": "\\le ",
  "⩽": "\\le ",
  "≦": "\\le ",
  "≥": "\\ge ",
  "⩾": "\\ge ",
  "≧": "\\ge ",
  "≠": "\\ne ",
  "≈": "\\approx ",
  "≃": "\\approx ",
  "≒": "\\approx ",
  "≡": "\\equiv ",
  "∼": "\\sim ",
  "∈": "\\in ",
  "∉": "\\notin ",
  "∪": "\\cup ",
  "⋃": "\\cup ",
  "∩": "\\cap ",
  "⋂": "\\cap ",
  "∖": "\\setminus ",
  "∅": "\\emptyset ",
  Ø: "\\emptyset ",
  ℝ: "\\mathbb{R}",
  ℤ: "\\mathbb{Z}",
  ℕ: "\\mathbb{N}",
  ℚ: "\\mathbb{Q}",
  ℂ: "\\mathbb{C}",
  "°": "^{\\circ}",
  º: "^{\\circ}",
  "˚": "^{\\circ}",
  "℃": "^{\\circ}\\text{C}",
  "±": "\\pm ",
  "∓": "\\mp ",
  "⌊": "\\lfloor ",
  "⌋": "\\rfloor ",
  "⌈": "\\lceil ",
  "⌉": "\\rceil ",
  "⟨": "\\langle ",
  "⟩": "\\rangle ",
  "〈": "\\langle ",
  "〉": "\\rangle ",
  "′": "'",
  "″": "''",
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "…": "\\ldots ",
  "⋯": "\\cdots ",
  "∑": "\\sum ",
  "∏": "\\prod ",
  "∫": "\\int ",
  "→": "\\to ",
  "⇒": "\\Rightarrow ",
  "⟹": "\\Rightarrow ",
  "⇔": "\\iff ",
  "∧": "\\wedge ",
  "∨": "\\vee ",
  "∠": "\\angle ",
  "△": "\\triangle ",
  "∣": "\\mid ",
  ℓ: "\\ell ",
  ℯ: "e",
  ⅈ: "i",
  "∶": ":",
  "、": ",",
  "，": ",",
  "。": ".",
  "；": ";",
  "：": ":",
  "（": "(",
  "）": ")",
  "｛": "\\{",
  "｝": "\\}",
  "【": "[",
  "】": "]",
  "％": "%",
  "‰": "/1000",
  "✓": "",
  "\u200b": "",
  "\u200c": "",
  "\u200d": "",
  "\ufeff": "",
  "\u2061": "",
  "\u2062": " ",
  "\u2063": ",",
  "½": "\\frac{1}{2}",
  "⅓": "\\frac{1}{3}",
  "⅔": "\\frac{2}{3}",
  "¼": "\\frac{1}{4}",
  "¾": "\\frac{3}{4}",
  "⅕": "\\frac{1}{5}",
  "⅖": "\\frac{2}{5}",
  "⅗": "\\frac{3}{5}",
  "⅘": "\\frac{4}{5}",
  "⅙": "\\frac{1}{6}",
  "⅚": "\\frac{5}{6}",
  "⅐": "\\frac{1}{7}",
  "⅛": "\\frac{1}{8}",
  "⅜": "\\frac{3}{8}",
  "⅝": "\\frac{5}{8}",
  "⅞": "\\frac{7}{8}",
  "⅑": "\\frac{1}{9}",
  "⅒": "\\frac{1}{10}",
};

const greek = new Map<string, string>(
  [..."αβγδεζηθικλμνξορστυφχψω"].map((letter, index) => [
    letter,
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron rho sigma tau upsilon phi chi psi omega".split(
      " ",
    )[index],
  ]),
);
for (const [letter, name] of [
  ["Γ", "Gamma"],
  ["Δ", "Delta"],
  ["Θ", "Theta"],
  ["Λ", "Lambda"],
  ["Ξ", "Xi"],
  ["Π", "Pi"],
  ["Σ", "Sigma"],
  ["Φ", "Phi"],
  ["Ψ", "Psi"],
  ["Ω", "Omega"],
  ["ϕ", "phi"],
  ["ϵ", "epsilon"],
  ["ϑ", "vartheta"],
  ["µ", "mu"],
])
  greek.set(letter, name);

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
  const known = single[character];
  if (known !== undefined) return known;
  const name = greek.get(character);
  if (name !== undefined) return `\\${name} `;
  // Spaces of every width, full-width Latin, and the mathematical alphabets fold to what they look like.
  if (/\s/.test(character)) return " ";
  const folded = character.normalize("NFKC");
  if (folded !== character && /^[ -~]+$/.test(folded)) return folded;
  return character;
}
