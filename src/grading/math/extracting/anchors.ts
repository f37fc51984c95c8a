// Answers that announce themselves: "The final answer is …", "Answer: …", 答案是 …. Every anchor looks at a bounded stretch of
// text behind it, so that a text full of anchors still costs time in proportion to its length.
import type { Page, Ranked } from "./page.ts";
import { looksLikeProse, plainMatches } from "./prose.ts";

type Anchor = { readonly end: number; readonly final: boolean };

const anchorWord = /(?:final\s+)?answer|最终答案|答案/gi;
const copula = /\s(?:is|are)\b:?|\s=|[是为]\s*[:：]?/gi;
const farthest = 100;
const nearest = 50;
const fewWords = 6;

export function* anchoredCandidates(page: Page): Generator<Ranked> {
  for (const found of page.text.matchAll(anchorWord)) {
    const anchor = { end: found.index + found[0].length, final: /^final|^最终/i.test(found[0]) };
    yield* behindAnchor(page, anchor);
  }
}

function* behindAnchor(page: Page, anchor: Anchor): Generator<Ranked> {
  const { text, options } = page;
  const line = text.slice(anchor.end, anchor.end + farthest + 60).split("\n", 1)[0];
  if (anchor.final) yield* finalAnswer(page, anchor, line);
  const colon = /^(?:\*\*|["'）)\s])*[:：]/.exec(text.slice(anchor.end, anchor.end + 8))?.[0];
  const base: Base = { source: "answer", priority: colon === undefined ? 200 : 100 };
  const from = anchor.end + (colon?.length ?? 0);
  const lineEnd = anchor.end + line.length;
  // White space straight behind the anchor may hold a line break: "Answer:\n42".
  const start = from + (/^[\s*]*/.exec(text.slice(from, from + 20))?.[0].length ?? 0);
  const reach = Math.max(Math.min(from + nearest, lineEnd), start + 1);
  if (options.latex) {
    const index = page.formulaFrom(from);
    if (index < page.formulas.length && page.formulas[index].start <= reach)
      yield { ...base, ...page.joinedFrom(index) };
  }
  if (options.plain) {
    yield* restOfSentence(page, start, base);
    yield* numberBehind(page, from, lineEnd, reach, base);
  }
  for (const found of page.words(from, reach)) yield { ...base, ...found, source: "string" };
}

type Base = Pick<Ranked, "source" | "priority">;

/** "The final answer is X. I hope …" ranks first, "final answer … is X" next. */
function* finalAnswer(page: Page, anchor: Anchor, line: string): Generator<Ranked> {
  const { text, options } = page;
  for (const found of line.slice(0, farthest).matchAll(copula)) {
    const behind = anchor.end + found.index + found[0].length;
    const start = behind + (/^(?:\s|\*\*|\\?["“])*/.exec(text.slice(behind, behind + 20))?.[0].length ?? 0);
    const direct = found.index === 0;
    const rank = (candidate: Omit<Ranked, "priority">): Ranked => {
      const hope = direct && /^(?:\\?["”])?\.?\s?I hope/.test(text.slice(candidate.end, candidate.end + 12));
      return { ...candidate, priority: hope ? 0 : 50 };
    };
    if (options.latex) {
      const index = page.formulaFrom(start);
      if (page.formulas[index]?.start === start) yield rank({ ...page.joinedFrom(index), source: "final answer" });
    }
    if (options.plain) {
      for (const sentence of restOfSentence(page, start, { source: "final answer", priority: 50 }))
        yield rank(sentence);
      for (const { start: at, end, content } of plainMatches(text, start, start + 1))
        if (!page.isOccupied(at)) yield rank({ text: content, source: "final answer", bare: true, start: at, end });
    }
    for (const word of page.words(behind, behind + 3)) yield rank({ ...word, source: "string" });
  }
}

/** The rest of the sentence, when it is a formula ("the answer is x^2 + 1.") or, if wanted, a few words. */
function* restOfSentence(page: Page, from: number, base: Base): Generator<Ranked> {
  const rest = /^(?:\s*(?:is\b|are\b|=|是|为)\s*[:：]?)?\s*([^\n]{0,240})/.exec(page.text.slice(from, from + 260));
  if (rest === null) return;
  const [sentence] = rest[1].split(/\.(?:\s|$)|。|<\|/, 1);
  const content = sentence.replace(/\*\*/g, "").trim();
  const start = from + rest[0].length - rest[1].length;
  const end = start + sentence.length;
  if (content === "" || content.includes("$") || content.includes("\\boxed")) return;
  const next = page.formulas[page.formulaFrom(start)];
  if (page.isOccupied(start) || (next !== undefined && next.start < end)) return;
  const found = { ...base, text: content, bare: true, start, end };
  if (!looksLikeProse(content)) yield found;
  else if (page.options.words && content.split(/\s+/).length <= fewWords) yield { ...found, source: "string" };
}

/** The number behind the last equals sign near the anchor, else the first number. */
function* numberBehind(page: Page, from: number, lineEnd: number, reach: number, base: Base): Generator<Ranked> {
  const { text } = page;
  const equals = text.slice(from, Math.min(lineEnd, from + farthest)).lastIndexOf("=");
  const places = equals === -1 ? [] : [[from + equals + 1, from + equals + 3] as const];
  for (const [low, high] of [...places, [from, reach] as const]) {
    for (const { start, end, content } of plainMatches(text, low, high)) {
      // The first number decides; when it belongs to a formula, the formula is the candidate.
      if (page.isOccupied(start)) return;
      if (/^\s*=/.test(text.slice(end, end + 4))) continue;
      yield { ...base, text: content, bare: true, start, end };
      return;
    }
  }
}
