// Answers that announce themselves: "The final answer is …", "Answer: …", 答案是 …. Every anchor looks at a bounded stretch of
// text behind it, so that a text full of anchors still costs time in proportion to its length.
import type { Page, Ranked } from "./page.ts";
import { looksLikeProse, plainMatches } from "./prose.ts";

type Anchor = { readonly end: number; readonly kind: "final" | "colon" | "plain" };

const anchorWord = /(?:final\s+)?answer|最终答案|答案/gi;
const colonBehind = /^(?:\*\*|["'）)\s])*[:：]/;
const copula = /\s(?:is|are)\b:?|\s=|[是为]\s*[:：]?/gi;
const farthest = 100;
const nearest = 50;
const fewWords = 6;
const mostCopulas = 8;
const mostAnchors = 1_000;
const anchorsAtOnce = 16;

/** The anchors of a text; of very many only the last, where an answer stands. */
export function anchorsIn(page: Page): Anchor[] {
  const anchors: Anchor[] = [];
  for (const found of page.text.matchAll(anchorWord)) {
    const end = found.index + found[0].length;
    const colon = colonBehind.test(page.text.slice(end, end + 8));
    if (/^final|^最终/i.test(found[0])) anchors.push({ end, kind: "final" });
    anchors.push({ end, kind: colon ? "colon" : "plain" });
  }
  return anchors.slice(-mostAnchors);
}

/** What the anchors of one kind announce, the last ones first; anchors are looked at only as far as asked. */
export function* announced(page: Page, anchors: readonly Anchor[], kind: Anchor["kind"]): Generator<Ranked> {
  const wanted = anchors.filter((anchor) => anchor.kind === kind);
  for (let end = wanted.length; end > 0; end -= anchorsAtOnce) {
    const some = wanted.slice(Math.max(0, end - anchorsAtOnce), end);
    yield* some.flatMap((anchor) => [...behindAnchor(page, anchor)]).sort(byEnd);
  }
}

/** Later ends first, then earlier starts. */
export const byEnd = (a: Ranked, b: Ranked): number => b.end - a.end || a.start - b.start;

/** "The final answer is X. I hope it is correct.": found by its ending, which nothing else has. */
export function* hopedFor(page: Page, anchors: readonly Anchor[]): Generator<Ranked> {
  if (!page.text.includes("I hope")) return;
  for (const candidate of announced(page, anchors, "final")) if (candidate.priority === 0) yield candidate;
}

function* behindAnchor(page: Page, anchor: Anchor): Generator<Ranked> {
  const { text, options } = page;
  const line = text.slice(anchor.end, anchor.end + farthest + 60).split("\n", 1)[0];
  if (anchor.kind === "final") {
    yield* finalAnswer(page, anchor, line);
    return;
  }
  const colon =
    anchor.kind === "colon" ? (colonBehind.exec(text.slice(anchor.end, anchor.end + 8))?.[0].length ?? 0) : 0;
  const base: Base = { source: "answer", priority: anchor.kind === "colon" ? 100 : 200 };
  const from = anchor.end + colon;
  const lineEnd = anchor.end + line.length;
  // White space straight behind the anchor may hold a line break: "Answer:\n42".
  const start = from + (/^[\s*]*/.exec(text.slice(from, from + 20))?.[0].length ?? 0);
  const reach = Math.max(Math.min(from + nearest, lineEnd), start + 1);
  if (options.latex) {
    const index = page.formulaFrom(from);
    const near = index < page.formulas.length && page.formulas[index].start <= reach;
    // A formula of the next sentence is not what was announced in this one.
    if (near && !/[.!?。]\s/.test(text.slice(from, page.formulas[index].start)))
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
  for (const found of [...line.slice(0, farthest).matchAll(copula)].slice(0, mostCopulas)) {
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
