// What a reward asks of the text around an answer: that every word of its sentence is known to leave the answer as it is, and that
// nothing else follows. Doubt can be worded in more ways than anybody can list; the words of a plain statement are few.
import { isUnitWord } from "../reading/units.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** A sentence of these alone states an answer. */
const stating = words(`
  a an the this that which it its our my we i you is are be equals equal and as so then thus hence therefore consequently
  accordingly finally now overall answer answers final correct required desired result results value values solution solutions
  question problem to of for in by simplest simplified lowest exact exactly form terms number numerical total sum product
  integer get gets obtain obtains have has find found conclude concluded conclusion gives give given yields yield
  precisely just only simply still also indeed clearly
  boxed box step option choice letter select must here following follows expression with hope correctly summary
  la le les el il die der das lo réponse respuesta antwort risposta resposta ответ est es ist è é finale final endgültige
`);

/** What a description of the answer may begin with: "The number of ways is", "We get", "There are". */
const opening = words("the there our its their his her this these we they he she it's so x y z n");

/** … and what it may end in, right before the answer. */
const closing = words("is are equals equal be of get gets obtain have has find gives give yields to exactly total");

/** The small words that make something else of a description. Nouns and verbs are not among them: nobody could list those. */
const doubting = words(`
  not no never none nor neither either cannot without except unless if whether but however although though might may could would
  can should perhaps maybe possibly probably wrong incorrect incorrectly false falsely mistake mistaken error impossible unlikely
  guess suppose assume doubt deny reject rather instead was were than
`);

/** What may be counted behind an answer without saying anything else about it. */
const counted = words(`
  ways way units unit square cubic distinct different possible solutions solution pairs triples integers numbers values points
  people students children boys girls clips apples eggs books balls marbles cards coins items pieces boxes bags cups pages words
  games miles steps times years months weeks days hours minutes seconds dollars cents percent degrees inches feet yards meters
  centimeters kilometers liters gallons pounds ounces grams kilograms in total altogether per hour day week month year
  respectively such overall exactly as required desired claimed needed is correct clubs trees flowers cookies dogs cats sheep chickens tickets subsets sequences permutations triangles
`);

const marks =
  /\*\*|[*_`#>$"“”]|\\\(|\\\)|\\\[|\\\]|\\boxed\s*\{?|<\|[a-z_]+\|>|<\/?[a-z_]+>|\\blacksquare|\\square|✅|✓|■|□|∎/gi;
const layout = /\\(?:quad|qquad|text|textbf|mathrm|mathbf|displaystyle|begin|end|left|right|[,;:! ])|[{}&~]|\\\\/g;
const sentenceEnd = /[.!?。！？;；\n](?=\s|$|[\u4e00-\u9fff])/gu;
const hanStating =
  /(?:因此|所以|综上(?:所述)?|故|则|得(?:到|出)?|最终|最后|正确|答案|结果|解|应?选|等于|应为|共有?|总共|一共|即|是|为|有|此题|本题|的|题|答)/gu;

const bare = (text: string): string => text.replace(marks, " ").replace(layout, " ");

/** The words of a text, in small letters; numbers and single letters are none. */
const wordsOf = (text: string): string[] =>
  (text.replace(/\\[a-zA-Z]+/g, " ").match(/[\p{L}'’]{2,}|(?<![\p{L}])[aIi](?![\p{L}'’])/gu) ?? []).map((word) =>
    word.toLowerCase().replaceAll("’", "'"),
  );

const isHan = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The sentence that leads up to a place, with the line above where it announces it: "Answer:" and a line break. */
function leadOf(text: string, start: number): string {
  const head = text.slice(Math.max(0, start - 600), start);
  let from = 0;
  let before = 0;
  for (const { index } of head.matchAll(sentenceEnd)) [before, from] = [from, index + 1];
  const lead = bare(head.slice(from));
  const above = bare(head.slice(before, from)).trim();
  return lead.trim() === "" && /[:：]$/.test(above) ? above : lead;
}

/** Whether a sentence up to its answer says only that this is the answer. */
function states(lead: string): boolean {
  const rest = isHan.test(lead) ? lead.replace(hanStating, " ") : lead;
  return !isHan.test(rest) && wordsOf(rest).every((word) => stating.has(word));
}

/** "The number of ways is": what the answer is of, in whatever nouns, without any of the small words that turn it around. */
function describes(lead: string): boolean {
  if (isHan.test(lead)) return /(?:是|为|得|有|=|：|:)\s*$/u.test(lead) && !/[不非没未否可或约若错误猜]/u.test(lead);
  const said = wordsOf(lead);
  const first = said.findIndex((word) => !connecting.has(word));
  const last = said.at(-1);
  if (first === -1 || last === undefined || said.some((word) => doubting.has(word) || word.endsWith("n't")))
    return false;
  if (said.length < 3 && /=\s*$/.test(lead)) return true;
  const ends = closing.has(last) || /[=:≈]\s*$/.test(lead);
  // "Thus Natalia sold": a name behind a connective.
  const named = first > 0 && new RegExp(`(?<![\\p{L}])${said[first]}`, "iu").exec(lead)?.[0].match(/^\p{Lu}/u) !== null;
  return ends && (opening.has(said[first]) || named);
}

const connecting = words("so thus hence therefore then and finally consequently now since overall in total conclusion");

/** Degrees, percent, the power of a unit, and the value in decimals. */
const harmless = /\^\s*\\?circ|\\?[°%]|\^\s*[23](?!\d)|(?:≈|\\approx)\s*-?\d+\.\d+/g;

/** Behind an answer: what it counts, the end of its sentence, and sentences that state no more. */
function followed(text: string, end: number): boolean {
  const tail = text.slice(end);
  if (tail.length > 2_000 || /[?？!！]/.test(bare(tail))) return false;
  // A number or a formula behind the answer is another answer.
  const [own, ...more] = bare(tail).split(/[.。](?:\s|$)|\n/);
  if (/\d|\\[a-zA-Z]|[=<>+*/^]/.test(bare(tail).replace(harmless, ""))) return false;
  const counts = wordsOf(own).every((word) => counted.has(word) || isUnitWord(word));
  if (isHan.test(own) || isHan.test(more.join(" "))) return /^[\s\p{P}\p{S}个种人元次条只名]*$/u.test(bare(tail));
  return counts && more.every((sentence) => wordsOf(sentence).every((word) => stating.has(word)));
}

/** Whether the words around an answer in a box or a statement leave no doubt that it is meant; else why not. */
export function uncovered(text: string, [start, end]: readonly [number, number], isBox: boolean): string | undefined {
  const lead = leadOf(text, start);
  if (!states(lead) && !(isBox && describes(lead)))
    return `a reward is paid for a plain statement, and "${lead.trim().slice(-40)}" before the answer may be none`;
  if (!followed(text, end))
    return `a reward is paid for an answer that ends the response, and "${bare(text.slice(end)).trim().slice(0, 40)}" follows`;
  return undefined;
}
