// JSON as Python writes it, with numbers that JSON does not have.

/** Python writes NaN and Infinity, which no JSON has: they are no numbers here, and cost nothing but themselves. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = error instanceof SyntaxError && /NaN|Infinity/.test(text) ? withoutNonNumbers(text) : text;
    if (plain === text) throw error;
    return JSON.parse(plain);
  }
}

/** Outside of strings, which every second quotation mark ends that has no odd number of backslashes before it. */
function withoutNonNumbers(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at);
    const end = open === -1 ? text.length : open;
    pieces.push(text.slice(at, end).replace(/-?\b(?:NaN|Infinity)\b/g, "null"));
    let close = open === -1 ? text.length : open + 1;
    while (close < text.length && text[close] !== '"') close += text[close] === "\\" ? 2 : 1;
    at = Math.min(text.length, close + 1);
    pieces.push(text.slice(end, at));
  }
  return pieces.join("");
}
