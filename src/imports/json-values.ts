// JSON as Python writes it, with numbers that JSON does not have; and what Python prints of a list or a record, as pandas writes
// them into cells.

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

const word = /[^\s,:[\]{}()'"]+/y;
const quotedText = /'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"/y;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
const named = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["nan", null],
]);

/** Lists, tuples, records, texts and numbers; undefined for anything else. NumPy separates by spaces alone. */
export function pythonValue(text: string): unknown {
  let at = 0;
  const next = () => {
    while (/[\s,]/.test(text[at] ?? "")) at++;
    return text[at];
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  const items = (close: string): unknown[] => {
    const found: unknown[] = [];
    for (at++; next() !== close; ) found.push(value());
    at++;
    return found;
  };
  const value = (): unknown => {
    const first = next();
    if (first === "[") return items("]");
    if (first === "(") return items(")");
    if (first === "{") return record();
    const said = first === "'" || first === '"' ? match(quotedText) : null;
    if (said !== null) return unescaped(said[1] ?? said[2]);
    const bare = match(word)?.[0] ?? "";
    if (named.has(bare)) return named.get(bare);
    if (bare === "" || Number.isNaN(Number(bare))) throw new SyntaxError(`not a value of Python's: ${bare}`);
    return Number(bare);
  };
  const record = (): unknown => {
    const found: Record<string, unknown> = {};
    for (at++; next() !== "}"; ) {
      const key = String(value());
      if (next() !== ":") throw new SyntaxError("a record without a value");
      at++;
      found[key] = value();
    }
    at++;
    return found;
  };
  try {
    const found = value();
    return next() === undefined ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi, (_, byte, unit, one) =>
    one === undefined
      ? String.fromCharCode(Number.parseInt(byte ?? unit, 16))
      : (escapes[one] ?? (/['"\\]/.test(one) ? one : `\\${one}`)),
  );
