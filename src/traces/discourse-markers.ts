// The words that open a new move of reasoning, at the start of a line or sentence, whatever their case.

/** By first letter, so that most positions are decided by one comparison. */
const markers: Readonly<Record<string, string>> = {
  a: "(?:assume|actually|alternatively)",
  c: "(?:case\\s+(?:\\d+|[a-z]|[ivx]+)|check|confirm|contradiction)",
  f: "(?:first(?:ly)?|finally)",
  g: "going\\s+back",
  h: "(?:hmm+|hence)",
  i: "instead",
  l: "let(?:['’]?s|\\s+(?:me|us))",
  n: "next",
  o: "option\\s+(?:\\d+|[a-z]|[ivx]+)",
  s: "(?:step\\s+(?:\\d+|[a-z]|[ivx]+)|second(?:ly)?|suppose)",
  t: "(?:then|therefore|thus|(?:this|that)\\s+(?:does\\s+not|doesn['’]?t)\\s+work)",
  v: "verify",
  w: "wait",
};

const byFirstLetter: (RegExp | undefined)[] = [];
for (const [letter, pattern] of Object.entries(markers)) {
  const matcher = new RegExp(`${pattern}\\b`, "iy");
  byFirstLetter[letter.charCodeAt(0)] = matcher;
  byFirstLetter[letter.toUpperCase().charCodeAt(0)] = matcher;
}

export type MarkerAt = (text: string, index: number) => boolean;

/** The paper's markers. */
export const discourseMarkerAt: MarkerAt = (text, index) => {
  const matcher = byFirstLetter[text.charCodeAt(index)];
  if (matcher === undefined) return false;
  matcher.lastIndex = index;
  return matcher.test(text);
};

const compiled = new WeakMap<readonly string[], MarkerAt>();

/** Those of another taxonomy, as regular expressions. */
export function markersOf(patterns: readonly string[]): MarkerAt {
  let found = compiled.get(patterns);
  if (found === undefined) {
    const matcher = new RegExp(`(?:${patterns.join("|")})\\b`, "iy");
    found = (text, index) => {
      matcher.lastIndex = index;
      return matcher.test(text);
    };
    compiled.set(patterns, found);
  }
  return found;
}
