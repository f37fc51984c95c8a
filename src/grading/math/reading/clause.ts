// The words around a value, in its own clause: whether they leave it as it is, say what it counts, or make something else of
// it. Nouns, verbs and adjectives are open classes that nobody can list; prepositions, conjunctions, comparatives, hedges and
// denials are closed ones, and these decide. What is not understood changes the value: better no verdict than a wrong one.
import { reachOfWords } from "./spoken.ts";
import { measureOf } from "./units.ts";

/** `unit`: the words behind the value that say what it counts or measures. */
export type Clause = { readonly changed: string } | { readonly unit: string | undefined };

const changed = (words: string): Clause => ({ changed: words.trim().replace(/\s+/g, " ").slice(-60) });
const plain: Clause = { unit: undefined };

// ---- before the value ----------------------------------------------------------------------------------------------

/** Between a verb and its value these say nothing about the value. */
const neutral =
  /^(?:[\s*"“”'‘’([{$€£¥₹→,，:：~\\]|\\[([,;! ]|(?:the|a|an|total|of|therefore|thus|hence|then|so|simply|just|indeed|exactly|precisely|approximately|about|roughly|around|now|option|choice|letter|number|integer|value|equal|equals|to|clearly|only|also|still|again|finally|definitely|certainly|actually|obviously|that|we|get|obtain|have|find|following|in|simplest|lowest|form|terms|fact|both|is|are|be|positive|real|whole|answer|result|given|by|as|follows|found|rounded|correctly|namely|best|correct|final|sum|maximum|minimum|smallest|largest|least|greatest|probability|area|volume|length|perimeter|distance)(?![\p{L}])|(?:[a-zA-Z]|\\[a-z]+|[a-zA-Z]_\{?\w\}?)\s*=|选项?|应为|等于|是|为|は|은|约|共|一共|共有|有|得|即)*$/iu;
const copula =
  /(?<![\p{L}])(?:is|are|be|equals?|becomes?|gives?|yields?|est|es|ist|è|é)(?![\p{L}])|[:：是为得は은]|(?<![<>!=^_\d)}\]a-zA-Z]\s?)=/giu;

const hedge =
  /(?<![\p{L}])(?:might|may|could|can|perhaps|maybe|possibly|probably|presumably|likely|unlikely|guess\w*|suppos\w*|assum\w*|if|unless|whether|not|n't|never|cannot|doubt\w*|unsure|unclear|uncertain|wrong|incorrect|seems?|appears?|was|were|depends?|either|neither|one\s+of|somewhere|near|close|whose|such\s+that)(?![\p{L}])|n't(?![\p{L}])|可能|也许|或许|大概|猜|不确定|假设|如果|若|是否|不|错误|非/iu;
const question = /^\s*(?:is|are|could|can|would|might|may|was)(?![\p{L}])/iu;
const hedgedStart =
  /^[\s*"“]*(?:maybe|perhaps|possibly|probably|presumably|(?:i|my|a|an|we)\s+(?:\w+\s+)?guess\w*|not\s+sure|unsure|可能|也许|或许|大概|我猜|猜)/iu;
const hedgedEnd =
  /(?:(?<![\p{L}])(?:(?:might|may|could|would|can)(?:\s+\w+)?\s+(?:be|equal)|maybe|perhaps|possibly|probably|presumably|(?:is|are|be)\s+(?:most\s+|very\s+)?(?:un)?likely|guess\w*(?:\s+is)?)|(?:可能|也许|或许|大概|猜)[是为]?)[\s:]*$/iu;

/** Signs right before a value of which it is the operand. */
const signBefore =
  /(?:[a-zA-Z]\(\s*\$?|[<>≤≥≠±∓√~]|\+\s*\/\s*-|(?<![=(:,]\s?)(?<!\*)[-+*/^×·÷−]|\\(?:pm|mp|neq?|leq?|geq?|lt|gt|sqrt))\s*$/;

/** Words that number things: "page 12" is no twelve. */
const labels =
  "page|pages|line|lines|step|equation|eq|formula|problem|question|part|case|example|figure|fig|table|section|theorem|lemma|chapter|exercise|item|reference|ref|note|index|denominator|numerator|exponent|(?:ends|ending|begins|beginning|starts|starting)\\s+(?:in|with)|base|modulo|mod|version|no|#";
/** Words that make another value of what follows them. */
const makers =
  "negative|minus|plus|half|twice|thrice|double|triple|quadruple|quintuple|times|sine|cosine|tangent|log|logarithm|sqrt|root|squared|except|excluding|without|than|least|most|not|never|outside|beyond|above|below|under|over|within|nearly|almost|and|or|nor|either|neither|between|through|per|vs|versus|against|until|before|after|past|beside|inside|unless|exceeds?|exceeding|approaches|divides|dividing|near|barely";
const oddBefore = new RegExp(String.raw`(?<![\p{L}])(?:${labels}|${makers})[\s.:($*"“\\]*$`, "iu");
/** Whether a word numbers what follows it. */
const label = new RegExp(`^(?:${labels})$`, "iu");
export const numbersThings = (word: string): boolean => label.test(word);
const ofBefore = /(\S+)\s+of(?:\s+(?:a|an|the))?[\s$(*"“\\]*$/iu;
const nounsOf =
  /^(?:totals?|values?|maximum|minimum|probability|length|area|volume|radius|height|width|perimeter|results?|answers?|counts?|numbers?|distance|sums?|costs?|prices?|profit|speed|rate|age|mass|weight|slope|degree|rank|period|amplitude|interval|set|domain|range|solutions?|average|mean|median|mode|score|limit|constant|coefficient|form|out|all|one|consists?|made|total)$/i;
const toBefore = /(\S+)(?:\s+(?:up|out|down))?\s+to(?:\s+be)?[\s$(*"“\\]*$/iu;
const verbsTo =
  /^(?:equals?|comes?|came|simplif\w+|reduc\w+|amounts?|sums?|adds?|evaluat\w+|leads?|works?|boils?|converges?|rounds?|rounded|totals?|changes?|increases?|decreases?|grows?|tends?|corresponds?|belongs?|set|turns?|us|points?|goes|takes?|brings?|up|answer)$/i;
const byBefore = /(\p{L}+)\s+by[\s$(*"“\\]*$/iu;
const fromBefore = /(?<![\p{L}])from[\s$(*"“\\]*$/iu;
const denialNear =
  /(?<![\p{L}])(?:not|n't|never|no|fails?|false|invalid|violated|outside|complement|subset|superset|except|excluding|integers?|neither|nor|rule[sd]?\s+out|the\s+(?:length|size|width|midpoint|measure)\s+of)(?:\s+\S+){0,3}\s*$|n't(?:\s+\S+){0,3}\s*$/iu;

const hanBefore = /[\u4e00-\u9fff]+$/u;
/** Endings of Chinese words that change what follows: 第12, 除了12, 大于12, 接近12, 根号下12. */
const hanChanges =
  /(?:第|除了?|根号下?|零点|点|被|近|(?<!(?<!不)等)于|超过?|不足|过|少|到|至|或|和|与|及|非|不|负|之|乘|加|减|比|模|分|以|每|距|不[是为])$/u;

/** What a sentence makes of the value that it ends in, where nothing announced it. */
function looseBefore(sentence: string, formula: boolean): string | undefined {
  if (signBefore.test(sentence)) return sentence.slice(-20);
  if (hedgedStart.test(sentence) || hedgedEnd.test(sentence)) return sentence;
  const words = sentence.replace(/(?:\s|\$|\\[([]|\*\*)+$/, "");
  const han = hanBefore.exec(words)?.[0];
  if (han !== undefined && hanChanges.test(han)) return han;
  if (oddBefore.test(words)) return words.slice(-40);
  const of = ofBefore.exec(`${words} `);
  if (of !== null && !nounsOf.test(of[1])) return of[0];
  const to = toBefore.exec(`${words} `);
  if (to !== null && !verbsTo.test(to[1])) return to[0];
  const by = byBefore.exec(`${words} `);
  if (
    by !== null &&
    !/^(?:given|represented|described|denoted|expressed|(?:increas|decreas|grow|ris|fall|chang|drop)\w*)$/i.test(by[1])
  )
    return by[0];
  if (fromBefore.test(`${words} `)) return "from";
  return formula ? denialNear.exec(words)?.[0] : undefined;
}

/** What stands between "answer" and its value: a verb or a colon, and nothing that matters behind it. */
function announcedBefore(head: string, lead: string, formula: boolean): string | undefined {
  const clause = head.split(/[,;，；：:]/).at(-1) ?? "";
  if (hedge.test(clause) || question.test(clause)) return clause;
  const colon = Math.max(lead.lastIndexOf(":"), lead.lastIndexOf("："));
  const behindColon = lead.slice(colon + 1);
  if (colon >= 0 && !neutral.test(behindColon))
    return hedge.test(lead.slice(0, colon)) ? lead : looseBefore(behindColon, formula);
  let verb: RegExpMatchArray | undefined;
  for (const found of lead.matchAll(copula)) verb = found;
  const [words, rest] =
    verb === undefined ? ["", lead] : [lead.slice(0, verb.index), lead.slice(verb.index! + verb[0].length)];
  if (hedge.test(words) || hedge.test(rest)) return lead;
  if (signBefore.test(rest) || !neutral.test(rest)) return lead;
  return undefined;
}

// ---- behind the value ----------------------------------------------------------------------------------------------

const bad = String.raw`wrong|incorrect|false|impossible|invalid|mistaken|excluded|rejected|absurd|nonsense|too\s+(?:small|large|big|high|low|few|many)|not\s+(?:(?:the|a|my|our)\s+)?(?:(?:final|correct|right|valid)\s+)?(?:answer|solution|correct|right|valid|possible|true|acceptable)`;
const predicate = String.raw`(?:(?:is|was|are|were|seems?|looks?|must\s+be|turns?\s+out\s+to\s+be)\s+(?:\w+ly\s+)?(?:${bad})|(?:cannot|can't|could\s+not|couldn't)\s+be\s+(?:right|correct|true|the\s+answer)|(?:does|do|did)(?:n't|\s+not)\s+(?:work|hold|fit)|fails?|(?:would|could|might|may)\s+(?:be|have\s+been)(?!\s+(?:the|our|my)\s+(?:final\s+|correct\s+)?answer))`;
/** A denial of the value that it stands behind: by a verb, by "which", "this" or "it" with one, in brackets, by a word of regret. */
const denial = new RegExp(
  String.raw`^(?:[\s$*"”)}\]]|\\[\])])*(?:${predicate}|[(（]\s*(?:${bad}|舍|错)|[,，;.。!—–-]*\s*(?:(?:and|but|though|although)\s+)?(?:which|this|that|it)\s+${predicate}|[,，;—–-]+\s*(?:but\s+)?(?:(?:no|sorry|oops|wait)\s*[,，:]|actually\s+(?:it|this|that)|(?:I\s+am|I'm)\s+not\s+(?:sure|certain)|no[.!])|[,，;—–-]*\s*but\s+(?:no[.!,]|wait|actually)|[,，。]?\s*(?:这|那|它|此)?(?:是错|不对|不正确|错误|不成立))(?![\p{L}])`,
  "iu",
);
export const deniedBehind = (behind: string): boolean => denial.test(behind);

const clauseEnd =
  /[.!?。！？;；\n]|[,，](?!\s*(?:or|或)(?![\p{L}]))|[(（](?!\s*(?:or|mod)\b)|[—–]\s|\s-\s|\\[\])]|<|(?<![\p{L}])(?:because|since|so|which|where|as|but|hence|therefore|thus|i\.e|e\.g|using|by|when(?:ever)?|while|given|rather|instead|for\s+(?:all|any|every|each)|as)(?![\p{L}])/iu;
const operatorBehind = /^\s*(?:[-+*/^×·÷−]\s*[\p{L}\d\\$([]|[±!]|\\(?:cdot|times|pm|cup|cap|setminus)|\^)/u;
const makersBehind =
  /(?<![\p{L}])(?:doubled|tripled|quadrupled|halved|squared|cubed|repeating|recurring|inverse|itself|choose|root|point|base|mod|modulo|remainder|or|unless|if|otherwise|else|except|exclud\w+|hundred|thousand|million|billion|trillion|dozen|score|gross|percent|mille|plus|minus|times|divided|multiplied|over|(?:less|more|fewer|greater|older|younger|taller|longer|shorter)(?=\s+than|\s*$)|short|factorial|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?|at\s+(?:most|least|minimum|maximum|best|worst)|and\s+(?:up|above|over|down|below|more|under|a)|(?:is|are|was|does|do|did|has)\s*(?:n't|not)|cannot|(?:is|are|was|seems)\s+(?:wrong|incorrect|false|impossible|invalid|excluded|rejected|too))(?![\p{L}])|n't(?![\p{L}])/iu;
/** Remarks about a value that are none of its own: "for n = 5", "on the left", "to the nearest tenth". */
const remark =
  /^(?:for|at|on|with|from|after|to\s+the\s+(?:nearest|near)|in\s+(?:total|all|the|this|simplest|lowest|terms|each|one))(?![\p{L}])/iu;
const smallWord =
  /^(?:in|of|to|and|is|are|was|for|at|on|as|by|with|from|that|than|the|a|an|this|these|those|we|i|it|they|can|will|has|have|altogether|overall|exactly|precisely|total|only|indeed|again|too|also|now|then|correct|here|there|respectively|possible)$/i;
const hanBehind = /^[\u4e00-\u9fff]+/u;
const hanChangesBehind =
  /^(?:以|的|到|至|或|和|与|及|除|加|减|乘|点|又|阶乘|倍|折|成(?!立)|月|次方|分之|左右|上下|多|余|万|亿|千|百|吗|吧|呢|不|错|舍|是错|是不|之|开外|整除|个以)|(?:吗|吧|呢|之间|以上|以下|以内|不对|错误|舍去)$/u;

function behindValue(behind: string): Clause {
  const text = behind
    .replace(/\\(?:text|mathrm|mbox|textbf)\s*\{([^{}]*)\}|\\[,;:! ]|~/g, " $1 ")
    .replace(/^\s*[°º](?!\s*[CF]\b)/, "")
    .replace(/^(?:\s*[$€£¥₹](?=[\s.,;]|$)|\$|\\[)\]]|\*\*|["”'}])+/, "");
  if (operatorBehind.test(text) || deniedBehind(behind)) return changed(text.slice(0, 20));
  if (
    /^\s*(?:[(（]\s*(?:or|或|舍)|[,，(（]\s*(?:(?:but|though)\s+)?(?:I\s+am|I'm)?\s*(?:not\s+(?:so\s+|quite\s+)?(?:sure|certain)|unsure|maybe|perhaps|I\s+guess|可能|不确定))/iu.test(
      text,
    )
  )
    return changed(text.slice(0, 20));
  const end = clauseEnd.exec(text);
  const clause = (end === null ? text : text.slice(0, end.index)).trim();
  if (end !== null && /[?？]/.test(end[0])) return changed("a question");
  // "7 was my first try", "7 to nil", and whatever the rest of the sentence calls a guess.
  if (/^(?:was|were|to(?!\s+the\s+near))(?![\p{L}])/iu.test(clause)) return changed(clause);
  if (/^[^.\n]{0,80}(?<![\p{L}])(?:guess|not\s+sure|unsure|not\s+certain)(?![\p{L}])/iu.test(text))
    return changed("a guess");
  if (clause === "" || /^[=≈]|^\\approx/.test(clause)) return plain;
  const han = hanBehind.exec(clause)?.[0];
  if (han !== undefined) return hanChangesBehind.test(han) || /\d/.test(clause) ? changed(clause) : { unit: han };
  if (makersBehind.test(clause)) return changed(clause);
  if (remark.test(clause)) return plain;
  if (/\d|\\\w|\$/.test(clause)) return changed(clause);
  const words = clause.replace(/["”*]+/g, "").split(/\s+/);
  const stop = words.findIndex((word) => smallWord.test(word));
  const unit = (stop === -1 ? words : words.slice(0, stop)).join(" ");
  return { unit: unit === "" ? undefined : unit };
}

// ---- both ----------------------------------------------------------------------------------------------------------

type Around = {
  /** The text before the value: from the start of the sentence to "answer", and from there on; only the latter without an announcement. */
  readonly head?: string;
  readonly lead: string;
  readonly behind: string;
  /** A formula may be a condition, which "for", "on" and "when" lead up to. */
  readonly formula: boolean;
};

const sentenceStart = /[.!?。！？;；\n](?=\s|$|[\u4e00-\u9fff])/gu;

/** The part of a text behind the end of its last whole sentence. */
function lastSentence(text: string): string {
  let start = 0;
  for (const found of text.matchAll(sentenceStart)) start = found.index + 1;
  return text.slice(start);
}

export function clauseAround({ head, lead, behind, formula }: Around): Clause {
  const before =
    head === undefined ? looseBefore(lastSentence(lead), formula) : announcedBefore(lastSentence(head), lead, formula);
  if (before !== undefined) return changed(before);
  return behindValue(behind);
}

/** Words in a box or a gold text: all of them stand around the number, and there is no other clause to excuse them. */
export function wordsAround(before: string, behind: string): Clause {
  if (!leadsUp(before)) return changed(before);
  const { start, end } = reachOfWords(`${before}5${behind}`, before.length, before.length + 1);
  if (start < before.length || end > before.length + 1) return changed(before + behind);
  // "$3$ (double root)" and "$x = 3$ is an asymptote" say more than the formula.
  if (/^[\s$]*[(（]\s*\p{L}/u.test(behind)) return changed(behind);
  if (smallWord.test(/^[\s$"”*]*(\p{L}+)/u.exec(behind)?.[1] ?? "") && !remark.test(behind.trim()))
    return changed(behind);
  return behindValue(behind);
}

/** Whether words say nothing about the value behind them, or end in a verb or a colon. */
export const leadsUp = (before: string): boolean => announcedBefore("", before, false) === undefined;

/** Whether words behind a number can be what it counts or measures. */
export function canCount(words: string): boolean {
  const bare = words
    .replace(/\\(?:text|mathrm)|[{}$]/g, " ")
    .replace(/\^\s*-?\d+/g, " ")
    .trim();
  if (/itself/.test(bare)) return false;
  return (
    measureOf(words) !== undefined ||
    /^(?:for|where|when|with)(?![\p{L}])/iu.test(bare) ||
    !("changed" in behindValue(` ${bare}`))
  );
}
