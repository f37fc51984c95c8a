// What a reward asks of the text around an answer: that it is a plain statement of it, up to the end of the response. Doubt can be
// worded in more ways than anybody can list; the ways to state an answer are few, and these are listed here: words that say
// nothing else, "the <quantity> … is", "there are", "Natalia sold". Only the middle of such a sentence, and what is counted behind
// the answer, may be in words that nobody could list.
import { isUnitWord, measureOf } from "../reading/units.ts";
import { boxesIn } from "./environments.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** A sentence of these alone states an answer. */
const stating = words(`
  a an the this that which it its our my we i you is are be equals equal and as so then thus hence therefore consequently
  accordingly finally now overall answer answers final correct required desired result results value values solution solutions
  to of for in by simplest simplified lowest exact exactly form terms number numerical total sum product
  integer get gets obtain obtains have has find found conclude concluded conclusion gives give given yields yield there us
  precisely just only simply also indeed clearly must unique altogether all together putting
  boxed box option choice letter here following follows expression with correctly summary giving namely asked requested
  la le les el il die der das lo o réponse respuesta antwort risposta resposta ответ est es ist is è é finale final endgültige
  donc par conséquent ainsi por tanto entonces así portanto assim quindi dunque pertanto daher somit folglich таким образом
`);
/** What leads up to a statement without being part of it. */
const connecting = words(`
  so thus hence therefore then and finally consequently now since overall in total conclusion summary also altogether as
  we i find that get have obtain see conclude this it means follows gives give implies shows us putting adding them these up all
  can confidently state
`);
const copulas = words("is are equals equal be gives give yields exactly");
const closing = words("is are equals equal be of to exactly get gets obtain have has gives give yields");
const connectingOf = /\b(?:total|value|result|answer|solution|profit|sum total)\s+of\s*$/;
const lastOfStatement = /\b(?:of|in|by|for|to|with|and|as|option|choice|letter)\s*$/;
const endsWell =
  /\b(?:(?:equal|equals|reduces|simplifies|comes|leads|amounts|adds up) to|given by|(?:left|up) with)\s*$/;
/** Behind these stands what was counted. */
const countable = /\b(?:there|get|obtain|find|have|total of|giv(?:es|ing)(?: us)?)\b[\s\w$\\([]*$/i;
const asking = words("is are was were do does did can could would should might may will shall if given");

/** What a question asks for, with what may stand beside it: "the total cost", "the smallest positive integer". */
const quantities = words(`
  number numbers amount total sum product difference quotient ratio fraction percentage percent value values maximum minimum largest
  smallest greatest least area volume perimeter circumference length width height depth distance radius diameter side hypotenuse angle
  angles measure degree slope intercept probability chance expectation mean median mode average range variance deviation cost price
  profit revenue income salary tax discount bill change balance speed velocity rate time duration age weight mass temperature
  score count quantity coefficient coefficients constant term root roots solution solutions set domain interval equation function
  polynomial formula coordinate coordinates point vertex center midpoint vector matrix determinant rank trace limit integral
  derivative series remainder digit divisor multiple gcd lcm exponent power base numerator denominator order period amplitude
  frequency norm magnitude modulus argument dimension size capacity population inradius circumradius diagonal altitude integer
  integers prime day date month year word money result expression form factor factors possibility function side sides
`);
const qualities = words(`
  the a an its our his her their this these total final required desired exact whole numerical maximum minimum largest smallest
  greatest least shortest longest fastest combined equivalent effective interest average mean expected positive real complex rational unique only
  possible overall annual monthly weekly daily common surface unit units cross arc perpendicular original remaining new
  standard simplified sum ones tens hundreds thousands tenths hundredths first second third last two three both and prime natural
  even odd nonnegative common dot cross requested correct resulting less greater smaller larger such each every
`);
/** What people and things do with a number of something. */
const doings = words(`
  has have had sold sells sell earned earns earn bought buys buy spent spends spend made makes make paid pays pay owes owe needs need
  needed takes take took ate eats eat reads read got gets get gave gives received receives saved saves save cost costs weighs
  weigh ran runs run walked walks walk traveled travels travel drives drove contains contain holds hold used uses use produces
  produced collected collects collect drinks drank baked bakes bake works worked work scored scores won wins covers covered equals
  finished finishes grows grew raised raises donated kept keeps charged charges saw caught catches played plays planted plants cut
  cuts remain remains consumes carries climbs requires require required writes write wrote counts measures
`);
const helping = words("will can must should also now left up with be him her them me us");

/** The small words that make something else of a description, and words of blame. Only what is open is searched for them. */
const doubting = words(`
  not no nobody nothing wishes pretends never none nor neither either cannot cant isnt aint without except unless if whether but however although though might may
  could would perhaps maybe possibly probably wrong wrongly incorrect incorrectly false falsely mistake mistaken mistakenly error
  erroneous errors impossible unlikely guess guessed suppose assume assuming doubt doubtful deny reject rejected rather instead was
  were fail fails failed refute refutes invalid bogus fake naive trap tempting excluded excludes exclude excluding extraneous
  forbidden discarded discard previous earlier before student's claim claims claimed say says said think thought believe
  believed key grader seems appears unknown undefined contradiction contradicts opposite complement inverse negative reciprocal other
  another different attempt placeholder ignore avoid disregard or used previously example examples hypothetical approximately about
  roughly around nearly almost barely hardly scarcely besides anything seemingly allegedly supposedly answer answers problem question binary octal hexadecimal
`);
/** Right behind a number these change it, or begin something else. */
const turning = words(
  "over under above below less fewer greater higher lower out to and such that which who than by of times",
);
/** Behind a number these are numbers of their own. */
const multiplying = words(`
  hundred thousand million billion trillion dozen dozens couple couples score gross pi squared cubed factorial half halves third thirds
  quarter quarters percent percentage mod modulo plus minus am pm is are be being been was were does did
`);

const marks =
  /\*\*|[*_#$]|\\\(|\\\)|\\\[|\\\]|\\boxed\s*\{?|<\|[a-z_]+\|>|<\/?(?:b|i|p|em|strong|center|div|br|answer)\s*\/?>|\\blacksquare|\\square|✅|✓|■|□|∎/gi;
const environments =
  /\\(?:begin|end)\s*\{(?:align|aligned|gather|gathered|equation|split|eqnarray|multline|center|array)\*?\}(?:\{[lcr|]+\})?/g;
const layout = /\\(?:quad|qquad|text|textbf|mathrm|mathbf|displaystyle|left|right|[,;:! ])|[{}&]|\\\\/g;
const sentenceEnd = /(?:[.!?](?:\$+|\\[)\]]|\*\*)?|[。！？;；])(?=\s|$|[\u4e00-\u9fff])|\n/gu;
const hanStating =
  /(?:因此|所以|综上(?:所述)?|故|则|得(?:到|出)?|最终|最后|正确|答案|结果|解|应?选|等于|应为|共有?|总共|一共|即|是|为|有|此题|本题|的|题|答え?|したがって|よって|ゆえに|は|です|따라서|그러므로|정?답은?|입니다)[、，]?/gu;
/** What a Chinese question asks for, right before the verb. */
const hanQuantity =
  /(?:面积|体积|周长|长度?|距离|角度?|度数|半径|直径|高|宽|个数|数量|总数|数目|方法数?|值|概率|和|积|差|商|比|余数|系数|次数|坐标|期望|方差|平均数|中位数|解集?|根|项|费用|价格|速度|时间|年龄|人数|总和)\s*(?:等于|应为|[是为有=：:])\s*$|[共总]有\s*$/u;
const hanDoubting = /[不非没未否可或约若错误猜除排难至近莫并绝]|以前|假如/u;
const hanCounting =
  /^[\s\p{P}\p{S}]*(?:です|である|입니다|이다)?(?:(?![不非没未否错误舍以左右上下多余万亿千百倍折分之点乘加减除或和与至到吗吧呢大小约])\p{Script=Han}){0,8}[\s\p{P}\p{S}]*$/u;

const bare = (text: string): string => text.replace(environments, " ").replace(marks, " ").replace(layout, " ");

/** The words of a text, in small letters; numbers, names of points and single letters are none. */
const wordsOf = (text: string): string[] =>
  (
    text
      .replace(/\\[a-zA-Z]+|\bMay\b(?!\s+(?:be|not|have|equal))/g, " ")
      .match(/(?!\p{Lu}{2,4}(?![\p{L}'’]))\p{L}{2}[\p{L}'’-]*|(?<![\p{L}'’])[aIio](?![\p{L}'’])/gu) ?? []
  ).map((word) => word.toLowerCase().replaceAll("’", "'"));

const isHan = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const doubtful = (some: readonly string[]): boolean =>
  some.some((word) => doubting.has(word) || /n't$|^(?:non|anti|pseudo|un|mis)-/.test(word));

/** Of these a problem may speak; of an answer only where the sentence points to it. */
const ofProblems = words(`
  no none never not cannot neither nor either but however although though except without unless if whether or may might could would
  other another different was were before earlier previous previously said impossible opposite complement inverse negative
  about approximately nearly almost besides assume assuming suppose naive used before problem question answer answers
`);
const pointing = words(`
  answer answers this that it these those following below here above box boxed result value solution claim guess i we my our
`);

/** Whether a sentence above makes another thing of the answer that stands alone below it: "The following is not the answer." */
const doubtsBelow = (said: readonly string[]): boolean =>
  doubtful(said.filter((word) => !ofProblems.has(word))) ||
  (said.some((word) => pointing.has(word)) && doubtful(withoutAnswer(said)));

const withoutAnswer = (said: readonly string[]): string[] =>
  said.filter((word) => !/^(?:answers?|problem|question)$/.test(word));

/** Said right before an answer, this says that it is none. */
const unknowing =
  /^\s*(?:I(?:'m|’m| am| quit)\b|dunno|beats me|pass\b|skip\b)|\b(?:no idea|unsure|not sure|guess\w*|random\w*|give up|(?:don't|do not|cannot|can't|could not) (?:know|solve|determine|find|say|tell)|e\.\s?g\.)/i;

/** The sentence that leads up to a place; where that begins it, what stands above as far as it goes on: "The answer is" and a line break. */
function leadOf(text: string, start: number): string | undefined {
  const head = text.slice(Math.max(0, start - 600), start);
  let from = 0;
  let above = "";
  for (const { 0: end, index } of head.matchAll(sentenceEnd)) {
    // "3." right before an answer is half of a number.
    if (index === head.length - 1 && end === ".") continue;
    const sentence = head.slice(from, index + end.length);
    if (bare(sentence).trim() !== "") above = sentence;
    from = index + end.length;
  }
  const own = head.slice(from);
  if (unknowing.test(above)) return undefined;
  if (bare(own).trim() !== "") return own;
  const over = bare(above).trim();
  const said = wordsOf(over);
  const goesOn = /[=:：,]$/.test(over) || closing.has(said[said.length - 1]);
  if (goesOn && !/[.。]$/.test(over) && !/^#|^\*\*.*\*\*$/.test(above.trim())) return `${over} `;
  // In a paragraph of its own a box ends the response; in the line below it may belong to the sentence.
  const apart = /\n\s*\n[\s$\\[(*]*$/.test(head);
  return (apart ? doubtsBelow(said) : doubtful(withoutAnswer(said))) ? undefined : "";
}

/** What stands right before an answer and is no part of a formula with it. */
function touches(raw: string, answer: string): boolean {
  // A comment of TeX; a percent sign behind a number is none.
  if (/(?<![\\\d\s])%|(?<!\d)\s%|^%/.test(raw)) return true;
  const near = raw
    .replace(/\\(?:text|textbf|mathrm|mathbf|displaystyle|large|Large|huge)\s*\{?\s*$/, "")
    .replace(environments, " ")
    .replace(marks, " ")
    .replace(/\\?[$€£¥₹]\s*$/, "")
    .replace(/(?<=[\p{L}:=])~\s*$/u, "")
    .replace(/\\(?:quad|qquad|[,;:! ])|[&]|\\\\/g, " ")
    .trimEnd();
  if (near === "" || /\\(?:therefore|implies|Rightarrow|rightarrow|to)$/.test(near)) return false;
  if (/(?:≈|~|\\approx|\\(?:sim|simeq))$/.test(near)) return !/\d\.\d/.test(answer);
  if (/(?<![<>!≠~:=])=$/.test(near)) {
    const chain = /(?:[^\p{L}\n]|(?<!\p{L})\p{L}(?!\p{L})|\\[a-zA-Z]+|(?<!\p{L})\p{Lu}{2,4}(?!\p{L}))*$/u.exec(
      near,
    )![0];
    return /[<>≤≥≠]|\\(?:neq?|not|leq?|geq?|lt|gt|in|equiv)(?![a-zA-Z])/.test(chain);
  }
  if (/[\p{L})*]\s*[:：]$|[：、⇒→∴]$|=>$/u.test(near)) return false;
  if (/,$/.test(near)) return !/[\p{L}§],$/u.test(near);
  return !/(?<!\\[a-zA-Z]*)\p{L}$/u.test(near);
}

/** "simplifies to", said of what stands before it. */
const comesTo =
  /\b(?:simplif(?:ies|y)|reduces?|evaluates?|converges|comes|(?:adds|sums|works) (?:up|out)|amounts|is equal)(?: down)?\s+to(?=[\s$(\\]*$)/i;
const problemItself = /\b(?:to|of|for|in)\s+(?:the|this|our)\s+(?:given\s+|original\s+)?(?:problem|question)\b/i;

/** Whether a sentence up to its answer says only that this is the answer. */
function states(lead: string, answer: string): boolean {
  const own = lead.replace(problemItself, "");
  const rest = isHan.test(own) ? own.replace(hanStating, " ") : own;
  const said = wordsOf(rest);
  if (isHan.test(rest) || asking.has(said[0]) || !said.every((word) => stating.has(word))) return false;
  const ends = rest.trimEnd().toLowerCase();
  const choice = /^[^a-zA-Z]*(?:\\\w+\W*)*[A-J](?![a-zA-Z])/.test(answer) && /\b(?:option|choice|letter)$/.test(ends);
  return choice || !lastOfStatement.test(ends) || connectingOf.test(ends) || endsWell.test(ends);
}

const places =
  /^(?:of|for|in|from|that|such|when|where|to|on|at|between|with|which|who|by|per|as|after|than|over|until)$/;

/**
 * What a sentence in words of its own says before its answer: `stated`, "The number of ways to arrange them is", or `counted`,
 * "There are", "She sold a total of", behind which stands what was counted.
 */
function described(lead: string, answer: string): "stated" | "counted" | undefined {
  const formula = bare(lead.replace(/\$[^$]*\$|\\\(.*?\\\)/g, " § ").replace(problemItself, ""));
  if (isHan.test(formula))
    return hanQuantity.test(formula) && !hanDoubting.test(formula.replaceAll("可能的", "")) ? "stated" : undefined;
  const clauses = formula.split(/[,:]\s(?!\s*$)|\s(?:so|thus|hence|therefore|then|which means)\s(?!\s*$)/);
  const before = clauses.slice(0, -1).map(wordsOf);
  if (doubtful(withoutAnswer(before.flat())) || /\bin base\b/i.test(formula)) return undefined;
  const clause = clauses.at(-1)!;
  // Of what somebody has or does, the time and place may be told; "up to sign, the answer is" says something of the answer.
  const told = /\b(?:answer|result|value)s?\b/.test(clause) ? undefined : circumstance;
  if (!before.every((said) => leadsOn(said) || told?.test(said.join(" ")))) return undefined;
  const all = wordsOf(clause);
  const first = all.findIndex((word) => !connecting.has(word) || /^(?:there|it)$/.test(word));
  const own = first === -1 ? [] : all.slice(first);
  const ends = /[=:]\s*$/.test(formula) || closing.has(all[all.length - 1]);
  if (own[0] === undefined) return ends ? "stated" : undefined;
  if (own[0] === "there")
    return own.slice(1).every((word) => stating.has(word) || /^(?:will|exists?)$/.test(word)) ? "counted" : undefined;
  if (states(own.join(" "), answer) || (ends && isQuantity(own))) return "stated";
  return isDoing(own, clause) ? "counted" : undefined;
}

/** "Since there are 3 red and 4 blue balls, …", "Adding the equations, …": a clause that says nothing of the answer behind it. */
const reason = words(`
  since because as after by from let we using adding subtracting multiplying dividing substituting solving simplifying factoring
  expanding combining putting setting taking plugging equating summing comparing evaluating computing calculating counting applying
  rearranging completing integrating differentiating squaring noting considering canceling cancelling isolating converting
  collecting expressing writing rewriting continuing working choosing recalling distributing reducing replacing finding
`);
const circumstance =
  /^(?:at(?! (?:least|most))|on|over|under|following|during|each|every|per|for|with|the|this|these|a|an|he|she|it|they|in .*(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?))\b/;

function leadsOn(said: readonly string[]): boolean {
  const [first, ...more] = said.filter((word, index) => !(connecting.has(word) && index === 0));
  if (first === undefined || said.every((word) => stating.has(word) || connecting.has(word))) return true;
  if (/^in$/.test(said[0]) && /^(?:end|total)$/.test(said.at(-1)!)) return true;
  if (/^(?:as an?|from memory|by accident)\b/.test(said.join(" "))) return false;
  return (
    reason.has(said[0]) || reason.has(first) || (/^when$/.test(first) && more.includes("divided")) || isQuantity(said)
  );
}

function isQuantity(own: readonly string[]): boolean {
  if (closing.has(own[own.length - 1]) && /^(?:of|to)$/.test(own[own.length - 1])) return false;
  const until = own.findIndex((word) => places.test(word) || copulas.has(word));
  const subject = until === -1 ? own : own.slice(0, until);
  const named = subject.every(
    (word, index) => quantities.has(word) || qualities.has(word) || (index < 2 && /(?:'s|s')$/.test(word)),
  );
  if (!named || !subject.some((word) => quantities.has(word)) || doubtful(subject.filter((word) => word !== "answer")))
    return false;
  return (
    until === -1 ||
    ((!/^(?:that|which|who)$/.test(own[until]) || /^(?:probability|chance)$/.test(subject.at(-1)!)) &&
      !doubtful(own.slice(until)))
  );
}

/** "Tom is 7 years old": a measure, of whomever it may be. */
const measured =
  /^\s*(?:(?:so|thus|therefore|hence|then),?\s+)?\p{L}+\s+(?:is|will be)(?:\s+(?:now|currently))?\s*□\W*(?:years?|months?|days?) old\b/iu;
const pronouns = words("she he they it we you");
const determiners = words("the each every a an his her their its one");

function isDoing(own: readonly string[], clause: string): boolean {
  const verb = own.findLastIndex((word) => doings.has(word));
  if (
    verb === -1 ||
    !own.slice(verb + 1).every((word) => stating.has(word) || helping.has(word) || quantities.has(word)) ||
    own.slice(verb + 1).some((word) => /^(?:it|that|which|answers?|solutions?)$/.test(word))
  )
    return false;
  const needs = /^(?:has|have|had|needs?|needed)$/.test(own[verb - 2]) && own[verb - 1] === "to";
  const subject = own.slice(0, needs ? verb - 2 : verb).filter((word) => !helping.has(word));
  const [first, ...more] = subject;
  if (first === undefined || subject.length > 8 || doubtful(subject) || more.some((word) => pronouns.has(word)))
    return false;
  const name = new RegExp(`(?<![\\p{L}])${first.replace(/[^\p{L}'-]/gu, "")}`, "iu").exec(clause)?.[0];
  return pronouns.has(first) ? more.length === 0 : determiners.has(first) || /^\p{Lu}/u.test(name ?? "");
}

const harmless = /\^\s*\{?\s*\\?circ\s*\}?|\\?[°%]|\^\s*\{?[23]\}?(?!\d)|(?:≈|\\approx)\s*-?\d+\.\d+/g;
const numerals =
  /(?<!\d)\d|§|\\[a-zA-Z]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|zero)\b/g;
const leadsToNumber =
  /(?:\b(?:the|than|by|from|between|between \S+ and|in|of|at|with|on|from \S+ to)|\bfor (?:all|any|every|each)(?: \p{L}+)*)\s*$/iu;

/** What the answer counts, in words of its own: "ways to arrange the letters", "positive integers less than 100". */
function counts(own: string, measured: boolean): boolean {
  const said = wordsOf(own);
  const [first, second] = said;
  if (first === undefined) return true;
  const varied = said.filter(
    (word, index) => word !== "different" || /^(?:from|than|to)$/.test(said[index + 1] ?? "to"),
  );
  if (!/^\s*\p{L}/u.test(own) || said.length > 16 || doubtful(varied)) return false;
  const goesOn = measured && /^(?:to|of|over the|per|a|each)(?= )/.test(said.join(" "));
  if (turning.has(first) && !(first === "such" && said.length < 4) && !goesOn) return false;
  if (first === "more" && (second === undefined || second === "than")) return false;
  const related = said.findIndex((word, index) => index > 0 && /^(?:that|which|who|such)$/.test(word));
  return !(related === -1 ? said : said.slice(0, related)).some((word) => multiplying.has(word));
}

/** Behind a quantity only its unit, or one word for what it counts, and that it is the answer. */
function measures(own: string): boolean {
  const said = wordsOf(own);
  if (/^(?:is (?:the|our)|as|in|such) /.test(said.join(" ")) && said.every((word) => stating.has(word))) return true;
  if (/^\s*,?\s*for (?:all|any|every|each)\b/.test(own)) return !doubtful(said);
  if (said.length === 1 && /[^s]s$(?<!wards|counts)/.test(said[0]) && !doubtful(said) && !multiplying.has(said[0]))
    return true;
  return said.every(
    (word) => isUnitWord(word) || /^(?:per|square|cubic|altogether|such|long|wide|high|tall|old)$/.test(word),
  );
}

/** Behind an answer: what it counts, the end of its sentence, and sentences that state no more. */
function followed(text: string, end: number, lead: "stated" | "counted"): boolean {
  const tail = text
    .slice(end)
    .replace(/<\|im_start\|>\s*(?:user|assistant)?\s*$/, "")
    .replace(/²/g, "^2")
    .replace(/³/g, "^3")
    .replace(/^(?:[\s$*]|\\[)\]])*(?:\\(?:text|mathrm)\s*\{([^{}]*)\}|\\[,; ])/, " $1 ");
  const plain = bare(tail.replace(/\$[A-Za-z]{1,3}\$/g, " ").replace(/(?<!^)\$[^$\n]*\$(?!$)/g, " § "));
  if (tail.length > 2_000) return false;
  const [own, ...more] = plain.replace(harmless, " ").split(/[.。](?:\s|$)|\n/);
  const rest = more.join(" ").replace(/\bI hope\b/, "");
  if (isHan.test(own) || isHan.test(rest)) return hanCounting.test(`${own}${rest}`);
  if (/^\s*(?:[kKMB]\b|per\s*cent\b)/.test(own)) return false;
  if (/[^\p{L}\s.,;:'’()`-]/u.test(rest) || !wordsOf(rest).every((word) => stating.has(word))) return false;
  const unit = /^\s*([\p{L}/·²³^\d-]+)/u.exec(own)?.[1];
  const counted = unit !== undefined && measureOf(unit) !== undefined ? own.replace(unit, "") : own;
  // A number or a formula behind the answer is another answer, unless what was counted leads up to it.
  for (const { index } of counted.matchAll(numerals)) if (!leadsToNumber.test(counted.slice(0, index))) return false;
  if (
    /[^\p{L}\d\s§.,;:'’)`-]|(?<!\p{L})['’]|(?<![\p{L}\\'’]|\b(?:for|of|in|by|with|point|line) )[b-zB-Z](?![\p{L}'’])|\bat (?:most|least|best|worst)\b/u.test(
      counted,
    )
  )
    return false;
  return measures(counted) || (lead === "counted" && counts(counted, counted !== own));
}

/** Whether words inside an answer only name what it is: "Area =", "The maximum is". */
export const namesOnly = (lead: string): boolean =>
  wordsOf(lead).every((word) => stating.has(word) || quantities.has(word) || qualities.has(word));

/** Whether the words around an answer in a box or a statement leave no doubt that it is meant; else why not. */
export function uncovered(text: string, [start, end]: readonly [number, number], isBox: boolean): string | undefined {
  const answer = text.slice(start, end);
  const raw = leadOf(text, start)
    ?.replace(/^[\s#*]*(?:step\s+)?\d+(?:[.:)](?:\s|\*)|\*\*\s)+/i, "")
    .replace(/\d\.\d/.test(answer) ? /\b(?:approximately|about|roughly)\b/gi : "", "")
    .replace(comesTo, "is ")
    .replace(/(?<=\b(?:is|are))\s+(?:thus|therefore|then|hence|now|simply|just|exactly|also)(?=[\s$(\\]*$)/i, "");
  const open = raw === undefined || /["“”]/.test(raw) || touches(raw, answer);
  const lead = open
    ? undefined
    : states(bare(raw), answer)
      ? countable.test(raw.replace(/[^\p{L}]*=\s*\$?$/u, " "))
        ? "counted"
        : "stated"
      : measured.test(`${bare(raw)}□${bare(text.slice(end, end + 40))}`)
        ? "counted"
        : described(raw, answer);
  if (lead === undefined)
    return `a reward is paid for a plain statement, and "${text.slice(0, start).trim().slice(-40)}" before the answer may be none`;
  if (!followed(text, end, lead))
    return `a reward is paid for an answer that ends the response, and "${bare(text.slice(end)).trim().slice(0, 40)}" follows`;
  const [first, ...more] = isBox
    ? boxesIn(answer).closed.filter((box, i, all) => !all[i + 1] || all[i + 1].start > box.start)
    : [];
  let joinedFrom = first?.end;
  for (const box of more) {
    // Between several boxes stands what joins them.
    const between = bare(answer.slice(joinedFrom, box.start)).replace(/[a-zA-Z]_\s*\d+/g, "");
    if (/\d/.test(between) || !wordsOf(between).every((word) => stating.has(word) || word === "or"))
      return `a reward is paid for one answer, and "${between.trim().slice(0, 40)}" is more`;
    joinedFrom = box.end;
  }
  return undefined;
}
