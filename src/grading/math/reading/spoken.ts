// Mathematics in words: "negative 3", "3 million", "the square root of 5", "10 m by 20 m", 负3, 3万. Written as the LaTeX that
// the reader knows, so that a word that changes a number is part of the number. What is not understood stays as it is.
import { isUnitWord } from "./units.ts";

const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const smallNumber = new Map<string, number>([
  ...units.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, 20 + 10 * index] as const),
]);
// biome-ignore format: a table
const scales = new Map<string, bigint>([
  ["hundred", 100n], ["thousand", 1_000n], ["million", 10n ** 6n], ["billion", 10n ** 9n], ["trillion", 10n ** 12n],
  ["dozen", 12n], ["百", 100n], ["千", 1_000n], ["万", 10_000n], ["百万", 10n ** 6n], ["千万", 10n ** 7n], ["亿", 10n ** 8n],
]);

// biome-ignore format: a table
const fractionNames = {
  half: 2, third: 3, quarter: 4, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10, twelfth: 12,
  hundredth: 100, thousandth: 1000,
};
const parts = new Map(
  Object.entries(fractionNames).flatMap(([word, value]): [string, number][] => [
    [word, value],
    [word === "half" ? "halves" : `${word}s`, value],
  ]),
);

const ordinals = new Map(
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth"
    .split(" ")
    .map((word, value) => [word, value] as const),
);

const anyOf = (words: Iterable<string>): string => [...words].sort((a, b) => b.length - a.length).join("|");

const smallWords = anyOf(smallNumber.keys());
const scaleWords = anyOf(scales.keys());
const partWords = anyOf(parts.keys());

/** A number or a bracket that stands for itself: nothing behind it binds closer than the word would. */
const simple = String.raw`(?:\d[\d,]*(?:\.\d+)?|\\pi(?![a-zA-Z])|\\frac\s*\{[^{}]*\}\s*\{[^{}]*\}|\([^()]{1,80}\)|(?<![a-zA-Z\\])[a-z](?![a-zA-Z(]))`;
const alone = String.raw`(?!\s*[\w.,]*[/^*!·×÷%:+-]|\s*\\(?!text|[,;! ])|[\d.]|\s*[a-zA-Z]\b)`;
/** Nothing stands before it that a word behind it might mean too: "x + 1 cubed" is no one's cube. */
const first = String.raw`(?<=^[\s-]*|[=<>,;(]\s*-?|\\(?:le|ge|leq|geq|ne|neq)\s*-?|[a-zA-Z]{2,}\s+)`;
const pattern = (source: string, flags = "giu"): RegExp =>
  new RegExp(source.replaceAll("SIMPLE", simple).replaceAll("ALONE", alone).replaceAll("FIRST", first), flags);

type Rule = readonly [RegExp, string | ((...found: string[]) => string)];

const numberRun = new RegExp(
  String.raw`(?<![\w\\-])(?:${smallWords})(?:[\s-]+(?:and\s+)?(?:${smallWords}|${scaleWords}))*(?![\w-])`,
  "gi",
);

const saidAgain = new RegExp(String.raw`(\d[\d,]*)\s*\(((?:(?:${smallWords}|${scaleWords}|and)[\s-]*)+)\)`, "gi");

/** "3 boys and 5 girls": numbers, each with what it counts, and nothing else. */
const counted = /^\d+\s+[a-zA-Z]{3,}(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)\d+\s+[a-zA-Z]{3,})+\.?$/;
const hyphenated = new RegExp(`(?<![\\w-])(${smallWords})-(${partWords})(?![\\w-])`, "gi");

/** "two hundred and five" as 205; nothing when the words make no number. */
function numberInWords(words: string): string | undefined {
  let total = 0n;
  let group = 0n;
  let last = 1_000n;
  for (const word of words
    .toLowerCase()
    .split(/[\s-]+|\band\b/)
    .filter((part) => part !== "")) {
    const small = smallNumber.get(word);
    const scale = scales.get(word);
    if (small !== undefined) {
      if (BigInt(small) >= last || (last === 10n && small === 0)) return undefined;
      group += BigInt(small);
      last = small >= 20 ? 10n : 1n;
    } else if (scale !== undefined && scale <= 100n) {
      group = (group === 0n ? 1n : group) * scale;
      last = 100n;
    } else if (scale !== undefined) {
      total += (group === 0n ? 1n : group) * scale;
      group = 0n;
      last = 1_000n;
    }
  }
  return `${total + group}`;
}

const chineseDigits = "零一二三四五六七八九十";

const rules: readonly Rule[] = [
  [
    /\ball real (?:numbers|values)(?: of)?(?: x)?,? (?:except|but|excluding|other than)(?: for)? +(?:x ?= ?)?(.{1,60})$/i,
    "\\mathbb{R}\\setminus\\{$1\\}",
  ],
  [
    /\ball reals?,? (?:except|but|excluding|other than)(?: for)? +(?:x ?= ?)?(.{1,60})$/i,
    "\\mathbb{R}\\setminus\\{$1\\}",
  ],
  [/\bplus or minus\b|\bplus\/minus\b/gi, "\\pm "],
  [/^[零一二三四五六七八九十]$/, (digit) => `${chineseDigits.indexOf(digit)}`],
  [/百分之\s*(\d+(?:\.\d+)?)/g, "$1\\%"],
  [
    /^([一二三四五六七八九十])分之([一二三四五六七八九十])$/,
    (_, below, above) => `\\frac{${chineseDigits.indexOf(above)}}{${chineseDigits.indexOf(below)}}`,
  ],
  [
    pattern(String.raw`(?:the\s+)?(?:positive\s+|principal\s+)?(?:square\s+root|sqrt)\s+of\s+(SIMPLE)ALONE`),
    "\\sqrt{$1}",
  ],
  [pattern(String.raw`根号\s*(SIMPLE)ALONE`), "\\sqrt{$1}"],
  [pattern(String.raw`(?:the\s+)?cube\s+root\s+of\s+(SIMPLE)ALONE`), "\\sqrt[3]{$1}"],
  [
    pattern(String.raw`(?:the\s+)?(fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+root\s+of\s+(SIMPLE)ALONE`),
    (_, nth, of) => `\\sqrt[${ordinals.get(nth.toLowerCase())}]{${of}}`,
  ],
  [pattern(String.raw`(?:the\s+)?reciprocal\s+of\s+(SIMPLE)ALONE`), "\\frac{1}{$1}"],
  [pattern(String.raw`FIRST(SIMPLE)\s+and\s+(?:a|one)\s+half\b`), "($1+\\frac{1}{2})"],
  [pattern(String.raw`(?:\b(?:a|one)\s+)?\bhalf\s+of\s+(SIMPLE)ALONE`), "\\frac{$1}{2}"],
  [
    pattern(String.raw`\b(?:an?|one|1)\s+(${partWords})\s+of\s+(SIMPLE)ALONE`),
    (_, part, of) => `\\frac{${of}}{${parts.get(part.toLowerCase())}}`,
  ],
  [pattern(String.raw`\b(?:twice|double)\s+(SIMPLE)ALONE`), "(2\\cdot $1)"],
  [pattern(String.raw`\btriple\s+(SIMPLE)ALONE`), "(3\\cdot $1)"],
  [
    pattern(String.raw`\b(\d+)[\s-]+(${partWords})\b(?!\s+(?:of|root|power|place|term))`),
    (_, above, part) => `\\frac{${above}}{${parts.get(part.toLowerCase())}}`,
  ],
  [/^(?:a\s+|one[\s-]+|1[\s-]+)?half$/i, "\\frac{1}{2}"],
  [
    new RegExp(String.raw`^(?:a\s+|one[\s-]+|1[\s-]+)(${partWords})$`, "i"),
    (_, part) => `\\frac{1}{${parts.get(part.toLowerCase())}}`,
  ],
  [
    pattern(
      String.raw`FIRST(SIMPLE)((?:\s+(?:hundred|thousand|million|billion|trillion|dozen)\b)+|\s*(?:百万|千万|[百千万亿])(?=$|[\s.,。，元个人名次种条]))`,
    ),
    (_, number, words) => {
      const factor = words
        .trim()
        .split(/\s+/)
        .reduce((product, word) => product * scales.get(word.toLowerCase())!, 1n);
      return `(${number}\\cdot ${factor})`;
    },
  ],
  [pattern(String.raw`FIRST(SIMPLE)\s*的平方(?!根)`), "($1)^{2}"],
  [pattern(String.raw`FIRST(SIMPLE)\s*的立方(?!根)`), "($1)^{3}"],
  [pattern(String.raw`FIRST(SIMPLE)\s+factorial\b`), "($1)!"],
  [pattern(String.raw`FIRST(SIMPLE)\s+(?:raised\s+)?to\s+the\s+(?:power\s+(?:of\s+)?)(-?\d+|[a-z])\b`), "($1)^{$2}"],
  [
    pattern(
      String.raw`FIRST(SIMPLE)\s+(?:raised\s+)?to\s+the\s+(?:(\d+)(?:st|nd|rd|th)|(${anyOf(ordinals.keys())}))(?:\s+power)?\b`,
    ),
    (_, base, digits, word) => `(${base})^{${digits ?? ordinals.get(word.toLowerCase())}}`,
  ],
  [
    pattern(String.raw`FIRST(SIMPLE)\s+(squared|cubed)\b(?!\s*[a-zA-Z])`),
    (_, base, word) => `(${base})^{${word.toLowerCase() === "squared" ? 2 : 3}}`,
  ],
  [pattern(String.raw`(SIMPLE)\s+(?:multiplied\s+by|times)\s+(?=SIMPLE|-)`), "$1\\times "],
  [pattern(String.raw`(SIMPLE)\s+(?:divided\s+by|out\s+of|over)\s+(SIMPLE)ALONE`), "\\frac{$1}{$2}"],
  [pattern(String.raw`(SIMPLE)\s+plus\s+(?=SIMPLE)`), "$1+"],
  [pattern(String.raw`(?:\b(?:negative|minus)\s+|负\s*)(?=SIMPLE|\\sqrt|\\frac)`), "-"],
  [
    /(?<=\d)(?:\s|~|\\[,; ])*(?:\\(?:text|mathrm)\s*\{\s*)?(?:degrees?|°|\^\s*\\circ)\s*([CF])(?:elsius|ahrenheit)?\b\s*\}?/gi,
    "^{\\circ}\\text{$1}",
  ],
  [/_\s*\{?\s*\\(?:text|mathrm)\s*\{\s*(\d{1,2})\s*\}\s*\}?/g, "_{$1}"],
  [/(\d)\s*per\s*cent\b/gi, "$1\\%"],
  [/(\d)\s+per\s+([a-zA-Z]+)\b/gi, "$1 \\text{per $2}"],
  [/^(?:\\[,;! ]|\s)*(-?\d[\d.,/]*)\s*\(([a-zA-Z][a-zA-Z ]{2,40})\)(?:\\[,;! ]|[\s.])*$/, "$1 \\text{ $2}"],
  [/(\d)\s*h(?:rs?|ours?)?\s+(?=\d+\s*min)/g, "$1 \\text{hours} "],
  [/(\d)\s*m\s+(?=\d+\s*cm)/g, "$1 \\text{m} "],
  [/(\d)\s*in\b\.?(?=\s*$|[,;)])/g, "$1 \\text{inches}"],
  [/^(\d+)\s*(?:remainder|rem\.?|R|r|余)\s*(\d+)$/, "($1, $2)"],
  [/(?<=^|[\d\s,}])by(?=\s+\d)/g, "\\text{ and }"],
  [
    /(\\(?:mathrm|text)\s*\{[^{}]{1,20}\}|\b(?:ft|cm|mm|km|in|m|feet|inches|meters))\s*(?:x|×|\\times)\s*(?=\d)/g,
    "$1\\text{ and }",
  ],
  // "…, for all real numbers t": a remark, which the reader passes over.
  [
    /,?\s*\b((?:for (?:all|any|every|each)|for integers?|any integer|where)\b[^$]{0,120})$/i,
    (_, remark) => ` \\text{for ${remark.replace(/[{}\\]/g, "")}}`,
  ],
];

const wordsOfUnits = /\b(square|sq|cubic|cu)\b\.?\s+([a-zA-Z]+)\b|\b([a-zA-Z]+)\s+(squared|cubed)\b/g;

const hasWords = /(?<!\\[a-zA-Z]*)[a-zA-Z]{2,}|[\u4e00-\u9fff]/;
const textGroup = /\\(?:text|textrm|mathrm|mbox|textnormal)\s*\{([^{}$\\]*)\}/g;
const longest = 400;

/** The text with its spoken mathematics written out; the same text where there is none. */
export function spokenMathematics(source: string): string {
  if (source.length > longest || !hasWords.test(source)) return source;
  // \text{negative } 3 and 3 \text{ million}: the words count as if they stood there plainly.
  let text = source.replace(textGroup, (whole, words: string) => (changesValue(words) ? ` ${words} ` : whole));
  // "10 (ten)" says it twice; "10 (eleven)" says two things, and stays as it is.
  text = text.replace(saidAgain, (whole, digits: string, words: string) =>
    numberInWords(words) === digits.replaceAll(",", "") ? digits : whole,
  );
  text = text.replace(counted, (whole) => whole.replace(/(\d+)\s+([a-zA-Z]{3,})/g, "$1 \\text{$2}"));
  text = text.replace(hyphenated, (_, above: string, part: string) => `${above} ${part}`);
  text = text.replace(numberRun, (words) => numberInWords(words) ?? words);
  text = text.replace(wordsOfUnits, (whole, before, unit, of, after, at: number, all: string) => {
    const name = unit ?? of;
    if (!isUnitWord(name) && !/^(?:m|s)$/.test(name)) return whole;
    const squared = `${name}^${/^(?:square|sq|squared)$/i.test(before ?? after) ? 2 : 3}`;
    return /\\(?:text|mathrm)\s*\{[^{}]*$/.test(all.slice(0, at)) ? squared : `\\text{${squared}}`;
  });
  for (const [found, written] of rules) text = text.replace(found, written as string);
  return text;
}

const before = String.raw`negative|minus|plus|half|twice|double|triple|thrice|(?:(?:square|cube|fourth|fifth|nth)\s+)?root\s+of|reciprocal\s+of|inverse\s+of|opposite\s+of|log(?:arithm)?\s+of|(?:square|cube|factorial|powers?|fraction|percent|third|quarter|fifth|tenth|multiples?|factors?|divisors?|roots?|half)\s+of|(?:divisible|divided|multiplied)\s+by|but|零下|分之|负|根号`;
const behind = String.raw`${[...scales.keys()].filter((word) => /[a-z]/.test(word)).join("|")}|million|per\s+cent|squared|cubed|factorial|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?|times\s+(?=[\d-])|plus|minus|divided|multiplied|over\s+(?=\d)|out\s+of|to\s+the(?!\s+(?:nearest|near|left|right|end|top|bottom))|mod(?:ulo)?|remainder|(?:百万|千万|[百千万亿])(?![克米瓦卡赫\p{L}])|的平方|的立方|的倒数|次方|分之|倍|折|以上|以下|(?:degrees?\s+)?below\s+zero|gross|score|is\s+(?:wrong|incorrect|not)|isn.t`;
const either = String.raw`not|isn.t|aren.t|doesn.t|cannot|can.t|except|excluding|without|(?:at\s+)?least|(?:at\s+)?most|(?:no\s+)?(?:more|less|fewer)|greater|smaller|larger|higher|lower|below|above|beyond|exceed\w*|under|over|between|up\s+to|or\s+(?:more|less|fewer|greater|higher|lower)|and\s+a\s+half|neither|nor|unknown|undefined|除|至少|至多|大于|小于|超过|不是?`;

const changer = new RegExp(`(?<![a-zA-Z])(?:${before}|${behind}|${either})(?![a-zA-Z])`, "iu");
const changerBefore = new RegExp(
  String.raw`(?:(?<![a-zA-Z])(?:the\s+)?(?:(?:${before}|${either})(?:\s+(?:than|or|equal|to|a|an|the|of|be|is))*)\s*)+\$?$`,
  "iu",
);
const changerBehind = new RegExp(
  String.raw`^(?:\s*(?:${behind})(?:\s+(?:by|the|of|power|\d+(?:\.\d+)?(?:st|nd|rd|th)?|(?:${smallWords}|${anyOf(ordinals.keys())}))\b)*|\s+(?:or|and)\s+(?:more|less|fewer|greater|higher|lower|above|below|over|under|a\s+half)\b)+`,
  "iu",
);

/** Whether words around a number make another value of it. */
export const changesValue = (words: string): boolean => changer.test(words);

/** How far before and behind a number the words reach that make another value of it. */
export function reachOfWords(
  text: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  const head = text.slice(Math.max(0, start - 60), start);
  const lead = changerBefore.exec(head)?.[0].length ?? 0;
  const tail = changerBehind.exec(text.slice(end, end + 60))?.[0].length ?? 0;
  return { start: start - lead, end: end + tail };
}
